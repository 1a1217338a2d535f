# SPDX-License-Identifier: MIT
"""Regions of photos in XMP, as digiKam, Picasa and Lightroom write them.

Uses `datasets` and `features.metadata`. Entry point: `xmp_regions.read`.
"""
