"""From a file to pixels: formats, camera raw, EXIF, colour and limits.

Uses no other room of the features. Entry points: `decode` and `probe` in `decode`; descriptors see a `WorkingImage`.
"""
