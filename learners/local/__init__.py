# SPDX-License-Identifier: MIT
"""Local distances: a separate distance over patches for each focal image (Frome et al.).

Uses `core`. Entry points: `LocalDistance` for one focal image, `LocalDistances` for a collection.
"""
