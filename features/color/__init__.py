# SPDX-License-Identifier: MIT
"""Descriptors of colour.

Uses `decoding` and `texture`. Entry points: one descriptor per module.
"""
