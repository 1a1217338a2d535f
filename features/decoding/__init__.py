# SPDX-License-Identifier: MIT
"""Decoding of files to pixels: formats, camera raw, EXIF, colour and limits.

Uses only `metadata` of the other rooms. Inside: `decode` > `formats` > `decoders` > all others. Entry points: `decode`
and `probe` in `decode`; descriptors receive a `WorkingImage`.
"""
