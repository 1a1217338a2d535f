"""Photos whose files are missing: the photos that may be the same, and what to do with the statements about them.

Uses `relocate` and the catalogue. Begin with `missing`.
"""
