# SPDX-License-Identifier: MIT
"""Widgets of the left column: trees of tags and of saved searches with counts, and their dialogs.

Uses `base`. Entry points: `CountTree`, `TagTree`, `SearchTree`, `LibraryButton`.
"""
