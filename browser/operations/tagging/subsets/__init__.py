# SPDX-License-Identifier: MIT
"""Subsets of photos for a goal, such as photos to tag first or to show.

Uses `annotated` and `learn_tags` beside it. Entry point: `pick`.
"""
