# SPDX-License-Identifier: MIT
"""The parts of the navigator: the photos of a step in their order, and the search for them in the read lane.

Uses `tiles` and `trail` beside it. Entry point: `Navigator` in the room around it.
"""
