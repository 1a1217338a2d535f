# SPDX-License-Identifier: MIT
"""Models of suggested tags, related tags, the tags of the selection, and tags pinned to digits.

Uses `work`, `photos` and `base`. Entry point: `Tagging`.
"""
