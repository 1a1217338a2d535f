# SPDX-License-Identifier: MIT
"""Suggested boxes: accepted, refused, drawn and corrected.

Uses `review_grid` and its delegate beside it. Inside: `box_page` > `box_grid` > `box_delegate`; `frame_picture`. Entry
point: `BoxPage`.
"""
