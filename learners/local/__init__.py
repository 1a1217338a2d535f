"""Local distances: a distance of its own for each focal image, over patches (Frome et al.).

Uses `core`. Entry points: `LocalDistance` for one focal image, `LocalDistances` for a collection.
"""
