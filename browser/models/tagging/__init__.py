"""Models of suggested tags, related tags and tags pinned to digits.

Uses `photos`. Entry points: `SuggestionModel`, `RelatedModel`, `PinnedTags`.
"""
