# SPDX-License-Identifier: MIT
"""The page that asks about one tag at a time: its heading, its foot, and the photos that explain a suggestion.

Uses the grid of Review beside it. Entry point: `QuestionPage`.
"""
