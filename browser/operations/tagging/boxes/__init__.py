"""Boxes: suggestions of boxes in other photos, learned from the boxes that the user named.

Uses `ranking.queries.by_region` for the windows of photos. Inside: `suggest_boxes` > `learn_boxes`. Entry points:
`suggest_boxes`, `refine_boxes`, `box_questions`.
"""
