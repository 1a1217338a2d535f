# SPDX-License-Identifier: MIT
"""Map of all photos of a library on a plane, with similar photos side by side.

Uses `ranking` and the rooms below it. Entry points: `lay_out` computes the positions; `levels` chooses the photos that
represent others on a crowded map.
"""
