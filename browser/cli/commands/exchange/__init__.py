"""Commands that exchange what is known with other programs, other libraries and other machines."""
