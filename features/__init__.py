"""Decoding of photos, and descriptors of their appearance, from pixels to float32 arrays.

`table` lists all descriptors, with Focal's parameters.
"""
