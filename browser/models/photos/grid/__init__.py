# SPDX-License-Identifier: MIT
"""The parts of the grid's model: its rows, the cards of photos, their marks and texts, and the order of loading.

Uses `tiles` beside it. Entry point: `GridModel` in the room around it.
"""
