"""Descriptors that learn a part from the library: visual words, principal components.

Uses `local` and `decoding`. Entry points: `VisualWords`, `PrincipalComponents`.
"""
