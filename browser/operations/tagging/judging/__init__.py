# SPDX-License-Identifier: MIT
"""Judgements of photos, and of parts of photos, against a focal image.

Entry points: `judge`, `judge_pairs`, `clear_marks`, `toggle_relations`, and those of `judge_regions`.
"""
