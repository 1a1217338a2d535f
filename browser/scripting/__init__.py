"""Focal for people who write Python: photos described without a library, and a library read without the window.

Uses the operations and what lies below them, as the command line does; no Qt. Entry points: `describe` in `describe`,
`open` in `library_view`. Both are reached as ``focal_photos.describe`` and ``focal_photos.open``.
"""
