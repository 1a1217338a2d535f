# SPDX-License-Identifier: MIT
"""Lenses: files with one metric, to be used on other people's photos.

`lens_file` defines the format, `share_lens` writes a lens, `open_lens` imports one and describes photos for it.
"""
