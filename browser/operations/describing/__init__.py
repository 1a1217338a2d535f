"""By what photos are described: descriptors that are enabled, what they learned from the library, the extraction.

Uses `workers` and `jobs`. Entry points: `extract` in `extract`, `ready` in `descriptors`.
"""
