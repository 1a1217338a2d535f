"""Photos in the window: the grid and its tiles, the focal image, the viewer, heat maps and matching patches.

Uses `base`. Entry points: `GridView`, `FocalPanel`, `PhotoViewer`.
"""
