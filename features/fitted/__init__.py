# SPDX-License-Identifier: MIT
"""Descriptors fitted to the library: visual words, Fisher vectors, principal components.

Uses `local` and `decoding`. Entry points: `VisualWords`, `PrincipalComponents`.
"""
