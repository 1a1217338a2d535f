# SPDX-License-Identifier: MIT
"""The page of Review: the grid with its line, supporting neighbours, single photos, audits and label errors.

The room `agreement` inside compares tags with those of other annotators. Uses `photos` and `base`. Entry point:
`ReviewPage`.
"""
