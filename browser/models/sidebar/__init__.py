# SPDX-License-Identifier: MIT
"""Trees of folders and of tags, with counts.

Uses `photos` and `base`. Entry point: `Sidebar`.
"""
