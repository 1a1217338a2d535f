# SPDX-License-Identifier: MIT
"""The guide: its chapters as text, and search in them.

Uses nothing else of the models. Entry point: `read_guide`.
"""
