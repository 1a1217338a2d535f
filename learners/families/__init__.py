# SPDX-License-Identifier: MIT
"""A weighted metric for each feature family: online multi-modal learning (Xia et al.) and its baselines.

Uses `core`. Entry points: `OmdlLowRank`, `Mkpoe`.
"""
