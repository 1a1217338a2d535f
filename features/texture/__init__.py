# SPDX-License-Identifier: MIT
"""Descriptors of texture and of edges over the whole photo.

Uses `decoding`. Entry points: one descriptor per module.
"""
