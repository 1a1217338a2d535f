"""Decoders of the formats that Pillow does not open by itself: odd bitmaps, DICOM, camera raw, images of instruments.

Use `measured`, `pixels`, `display`, `exif`, `limits`. `formats` tells which is wanted, `decode` opens it.
"""
