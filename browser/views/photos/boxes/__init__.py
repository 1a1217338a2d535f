# SPDX-License-Identifier: MIT
"""Boxes on the photo of the viewer: drawing, moving, naming, and the list of them.

Entry points: `BoxLayer`, `BoxList`.
"""
