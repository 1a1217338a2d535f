# SPDX-License-Identifier: MIT
"""Automated use of the window: a driver for keys and mouse, and a walkthrough of all features.

Uses `browser.views` and QtTest; imported only by the offscreen walkthrough and by tests. Entry points: `WindowDriver`,
and `walk_through` in `steps`.
"""
