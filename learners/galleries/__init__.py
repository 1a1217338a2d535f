"""Galleries: what is searched for the photos nearest to a focal image, exactly.

Uses `core`. Entry point: `row_gallery`, the gallery of any learner.
"""
