# SPDX-License-Identifier: MIT
"""Models of the photos on the screen: the grid, its tiles, the trail and the navigation through image space.

Uses `base`. Entry points: `GridModel`, `Navigator`.
"""
