"""Models of local distances: heat maps and matching patches, as values and pictures.

Uses `work` and `photos`. Entry point: `LocalView`.
"""
