"""What a person chooses for a library: descriptors, networks, limits.

Uses `photos` and `work`. Entry point: `Preferences`.
"""
