# SPDX-License-Identifier: MIT
"""Trees of folders and of tags, with counts.

Uses `photos`. Entry point: `Sidebar`.
"""
