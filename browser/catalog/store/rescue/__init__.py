"""Every sound row out of a damaged catalogue: its pages are read without SQLite.

Uses the rest of the store. Entry point: `rescue` in `rescue`.
"""
