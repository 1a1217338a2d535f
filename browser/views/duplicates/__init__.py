# SPDX-License-Identifier: MIT
"""The page of duplicate photos.

Uses `tags`, `photos` and `base`. Entry point: `DuplicatesPage`.
"""
