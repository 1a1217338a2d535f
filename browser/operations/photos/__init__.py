# SPDX-License-Identifier: MIT
"""Photo files: find them in folders, look them up by path, and make their thumbnails.

Uses `describing`, `workers` and `jobs`. Entry points: `scan` in `scan`, `find_photos` in `find`.
"""
