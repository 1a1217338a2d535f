"""Descriptors fitted to the library: visual words, principal components.

Uses `local` and `decoding`. Entry points: `VisualWords`, `PrincipalComponents`.
"""
