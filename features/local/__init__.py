# SPDX-License-Identifier: MIT
"""Descriptors at points of a photo, and distances between patches.

Uses `decoding`. Entry points: one descriptor per module; `elementary_distances`.
"""
