"""What filters, orders and counts read of all photos: kept as arrays in memory, changed by the difference.

The schema notes which photos each change concerns (table ``photo_change``); what is kept is brought up to date from
that, and written to ``derived/columns`` so that the next program to open a large library need not read all of it.
Uses the store alone. Entry point: `Columns` in `columns`.
"""
