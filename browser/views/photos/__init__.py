# SPDX-License-Identifier: MIT
"""Photos in the window: the grid (`grid`), the focal image, the viewer, heat maps and matching patches (`matches`).

Uses `base`. Entry points: `GridView`, `FocalPanel`, `PhotoViewer`.
"""
