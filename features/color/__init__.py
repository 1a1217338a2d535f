"""Descriptors of colour.

Uses `decoding` and `texture`. Entry points: a descriptor a file.
"""
