"""Drives the window without a person: a driver for keys and mouse, and a walk through every step of the program.

Uses `browser.views` and QtTest; imported only where there is no display, and by tests. Entry points: `WindowDriver`,
and `walk_through` in `steps`.
"""
