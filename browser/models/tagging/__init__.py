"""Suggested tags that wait for an answer, and tags that go with one.

Uses `photos`. Entry points: `SuggestionModel`, `RelatedModel`.
"""
