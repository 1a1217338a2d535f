# SPDX-License-Identifier: MIT
"""The language of the filter: `syntax` (text to tree), `selection` (tree to SQL), `completion`.

Uses `store`. Entry points: `parse`, `selection`, `complete`.
"""
