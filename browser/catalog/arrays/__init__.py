# SPDX-License-Identifier: MIT
"""Derived data on disk: vectors, patches, codes and thumbnails. Damaged records are dropped and computed again.

Uses `store` for its errors. Entry points: `Vectors`, `Patches`, `Thumbnails`.
"""
