"""What stands in the left column: trees with counts, of tags and of saved searches, and what is done in them.

Uses `base`. Entry points: `CountTree`, `TagTree`, `SearchTree`, `LibraryButton`.
"""
