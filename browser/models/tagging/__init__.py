"""Suggested tags that wait for an answer, tags that go with one, and tags on digits.

Uses `photos`. Entry points: `SuggestionModel`, `RelatedModel`, `PinnedTags`.
"""
