"""Changes of the library: the user's edits, long background work, and messages about both.

Uses `photos`. Entry points: `Editor`, and `jobs` for long background work.
"""
