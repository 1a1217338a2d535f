# SPDX-License-Identifier: MIT
"""The grid of photos, with one class per subject.

`GridView` is the widget. Its parts, which are tested without a window:

- `TileArrangement`: places of the tiles
- `GridScroll`: the visible part of the content
- `GridSelection`: selected photos, current photo
- `GridMouse`: the effect of a click, a double-click, a drag
- `GridKeyboard`: the effect of arrow, Home, End and Page keys
- `Hover`: tile and button under the pointer
- `TileDelegate`: painting of a tile

Entry point: `GridView`.
"""
