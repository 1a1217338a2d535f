"""Lenses: one metric in a file, for somebody else's photos.

`lens_file` is what such a file is, `share_lens` writes one, `open_lens` takes one in and describes photos for it.
"""
