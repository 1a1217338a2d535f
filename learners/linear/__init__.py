"""The classics, and the distance without learning: discriminant and component analyses, neighbourhoods, OASIS.

Uses `core`. Entry points: `Euclidean`, `RatioMetric`, `Rca`.
"""
