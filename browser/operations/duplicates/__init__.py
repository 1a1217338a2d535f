# SPDX-License-Identifier: MIT
"""Duplicates: photos derived from each other or taken in one burst.

Uses `ranking`, `photos`, `describing` and `jobs`. Entry points: `find_duplicates`, `fold`.
"""
