# SPDX-License-Identifier: MIT
"""Galleries: exact search for the photos nearest to a focal image.

Uses `core`. Entry point: `row_gallery`, the gallery of any learner.
"""
