# SPDX-License-Identifier: MIT
"""Suggested boxes as crops, with the correction of a frame.

Uses `review_grid` and its delegate beside it. Inside: `box_page` > `frame_picture`. Entry point: `BoxPage`.
"""
