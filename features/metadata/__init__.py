# SPDX-License-Identifier: MIT
"""Metadata written by other programs, inside photos and in sidecars: tags, ratings, labels and exposure data.

One file per format, each of which yields a `Metadata`; photos are never written. `tiff` and `exif` read all TIFF
directories and EXIF blocks, for `decoding` too. Uses no other room of the features. Entry point: `metadata`.
"""
