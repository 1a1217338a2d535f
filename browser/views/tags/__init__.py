"""Tags of what is selected, and suggested tags.

Uses `base` and `photos`. Entry points: `TagPanel`, `SuggestionPanel`.
"""
