"""The page of the review: the grid with its line, witnesses, names for new kinds, and ten photos to ask about.

Uses `photos` and `base`. Entry point: `ReviewPage`.
"""
