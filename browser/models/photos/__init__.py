"""Models of the photos on the screen: the grid, its tiles, the trail and the navigation through image space.

Uses no other room of the models. Entry points: `GridModel`, `Navigator`.
"""
