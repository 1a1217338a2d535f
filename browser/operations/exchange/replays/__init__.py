# SPDX-License-Identifier: MIT
"""Replays: scripts that train a metric again from the feedback that the library had at that time.

`as_of` reconstructs a past state of a library, `write_replay` writes the folder. Uses `lenses` beside it.
"""
