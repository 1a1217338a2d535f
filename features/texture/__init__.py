"""Descriptors of texture and of edges over the whole photo.

Uses `decoding`. Entry points: a descriptor a file.
"""
