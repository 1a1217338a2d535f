# SPDX-License-Identifier: MIT
"""Boxes: suggestions in other photos, learned from the boxes that the user named, and names that are likely wrong.

Uses `review` beside it, and `ranking.queries.by_region` for the windows of photos. Inside: `suggest_boxes` >
`exact_frames`, `rate_frames` > `learn_boxes`. Entry points: `suggest_boxes`, `refine_boxes`, `box_questions`,
`find_box_errors`, `ask_about_boxes`, `likely_name`.
"""
