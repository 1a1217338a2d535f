# SPDX-License-Identifier: MIT
"""The page that shows two to four photos side by side.

Uses `tags`, `photos` and `base`. Entry point: `ComparePage`.
"""
