"""What changes the library: edits of a person, long work in the background, and the messages about both.

Uses `photos`. Entry points: `Editor`, `Jobs`.
"""
