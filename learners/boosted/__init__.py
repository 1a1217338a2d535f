"""Boosted metrics: bits whose agreement says how similar photos are (Yang et al.), and DistBoost (Hertz et al.).

Uses `core`. Entry points: `BoostedMetric`, `DistBoost`.
"""
