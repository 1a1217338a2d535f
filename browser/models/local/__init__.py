"""Models of local distances: heat maps and matching patches, as values and pictures.

Uses `photos`. Entry point: `LocalView`.
"""
