"""Patches of two photos that match: drawn with lines, weak ones on request.

Entry point: `MatchesPanel`.
"""
