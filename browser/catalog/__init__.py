# SPDX-License-Identifier: MIT
"""Catalogue of the photos in SQLite, with derived arrays and thumbnails."""
