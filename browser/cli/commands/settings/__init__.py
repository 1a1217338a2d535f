"""Commands that choose descriptors and change other settings of a library."""
