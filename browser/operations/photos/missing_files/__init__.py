# SPDX-License-Identifier: MIT
"""Photos whose files are missing: find them again, and transfer or remove their tags and judgements.

Uses `relocate` and the catalogue. Entry point: `missing`.
"""
