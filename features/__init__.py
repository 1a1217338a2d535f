"""Pixels in, float32 arrays out: decoding a photo, and the descriptors of what it looks like.

All descriptors with the parameters that Focal uses: `table`.
"""
