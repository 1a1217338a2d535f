# SPDX-License-Identifier: MIT
"""The page of the map: the canvas with photos and dots, its legend, and actions on an area.

Uses `tags`, `photos` and `base`. Entry point: `MapPage`.
"""
