# SPDX-License-Identifier: MIT
"""Classical metrics and the unlearned distance: discriminant and component analyses, neighbourhoods, OASIS.

Uses `core`. Entry points: `Euclidean`, `RatioMetric`, `Rca`.
"""
