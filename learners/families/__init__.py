"""A metric for each feature family, and how much each counts: online multi-modal learning (Xia et al.) and its peers.

Uses `core`. Entry points: `OmdlLowRank`, `Mkpoe`.
"""
