"""Descriptors at points of a photo, and distances between patches.

Uses `decoding`. Entry points: a descriptor a file; `elementary_distances`.
"""
