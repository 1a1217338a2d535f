# SPDX-License-Identifier: MIT
"""Evaluation of learners: cross-validation, protocols, comparison and selection.

Uses `galleries`, `linear` and `core`. Entry points: `cross_validate`, `select`.
"""
