"""The page of photos that show the same.

Uses `tags`, `photos` and `base`. Entry point: `DuplicatesPage`.
"""
