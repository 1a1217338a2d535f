# SPDX-License-Identifier: MIT
"""Focal's Python interface: description of photos without a library, and read access to libraries.

Uses the operations and the floors below them, like the command line; no Qt. Entry points: `describe` in `describe`,
`open` in `library_view`, also available as ``focal_photos.describe`` and ``focal_photos.open``.
"""
