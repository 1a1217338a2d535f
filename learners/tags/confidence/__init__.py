# SPDX-License-Identifier: MIT
"""Confidence of suggested tags, with "none of these" for foreign photos, corrected by the user's answers.

Uses `likelihood` and `tag_ridge` beside it. Inside: `tag_confidence` > `foreign` > `unlikeness`; `answered`.
Entry point: `TagConfidence`.
"""
