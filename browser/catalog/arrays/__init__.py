"""Derived arrays on disk: vectors, patches and thumbnails; what is damaged is dropped and made again.

Uses `store` for its errors. Entry points: `Vectors`, `Patches`, `Thumbnails`.
"""
