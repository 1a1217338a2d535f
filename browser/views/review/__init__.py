"""The page of Review: the grid with its line, supporting neighbours, single photos, audits and label errors.

Uses `photos` and `base`. Entry point: `ReviewPage`.
"""
