# SPDX-License-Identifier: MIT
"""Views of metrics: why photos are near, the history, the scoreboard, and how learners work.

Uses `photos`, `base`. Entry points: `why_panel`, `learning_page`.
"""
