"""Photos on the screen as data: the grid, its tiles, the trail and the walk through image space.

Uses no other room of the models. Entry points: `GridModel`, `Navigator`.
"""
