"""Commands that say by what photos are described, and what else can be set of a library."""
