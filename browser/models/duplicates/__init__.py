"""Photos that show the same: which groups there are, and what a person does with them.

Uses `work` and `photos`. Entry point: `DuplicateGroups`.
"""
