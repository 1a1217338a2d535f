# SPDX-License-Identifier: MIT
"""Data of all photos for filters, orders and counts, held as arrays in memory and updated incrementally.

The table ``photo_change`` records which photos each change concerns, and the arrays are updated from it. They are saved
in ``derived/columns`` so that the next process need not read all of a large library. Uses the store alone. Entry point:
`Columns` in `columns`.
"""
