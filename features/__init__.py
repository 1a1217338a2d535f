# SPDX-License-Identifier: MIT
"""Decoding of photos, metadata in them, and descriptors of their appearance, from pixels to float32 arrays.

`table` lists all descriptors, with Focal's parameters. `metadata` reads the metadata written by other programs.
"""
