"""Photo files: finding them in folders, looking them up by path, their thumbnails.

Uses `describing`, `workers` and `jobs`. Entry points: `scan` in `scan`, `find_photos` in `find`.
"""
