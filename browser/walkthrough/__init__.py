"""Drives the window without a person: keys and mouse as one uses them, and the whole loop gone through offscreen.

Uses `browser.views`; imported only where there is no display, and by tests. Entry point: `walk_through` in `loop`.
"""
