# SPDX-License-Identifier: MIT
"""Matching patches of two photos, drawn with lines.

Entry point: `MatchesPanel`.
"""
