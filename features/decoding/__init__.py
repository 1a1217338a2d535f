"""From a file to pixels: formats, camera raw, EXIF, colour and limits.

Uses no other room of the features. Entry point: `decode` in `image`.
"""
