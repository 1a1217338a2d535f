# SPDX-License-Identifier: MIT
"""The map of the library: places and colours of its photos, and how they are drawn.

Uses `photos` and `base`. Entry point: `LibraryMap`; `drawing` provides the data that a canvas draws.
"""
