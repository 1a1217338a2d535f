# SPDX-License-Identifier: MIT
"""Boosted metrics: learned bits that agree for similar photos (Yang et al.), and DistBoost (Hertz et al.).

Uses `core`. Entry points: `BoostedMetric`, `DistBoost`.
"""
