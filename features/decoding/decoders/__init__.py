# SPDX-License-Identifier: MIT
"""Decoders of formats that Pillow does not open: unusual bitmaps, DICOM, camera raw, instrument images.

Use `measured`, `pixels`, `display`, `exif`, `limits`. `formats` selects a decoder, `decode` uses it.
"""
