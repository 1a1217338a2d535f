"""The page of the map: the canvas with photos and dots, its legend, and what can be done with an area.

Uses `tags` and `base`. Entry point: `MapPage`.
"""
