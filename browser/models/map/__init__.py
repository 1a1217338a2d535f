"""The map of the library: where its photos lie, in what colours, and how they are drawn.

Uses `photos`. Entry point: `LibraryMap`; `drawing` answers what a canvas asks of it.
"""
