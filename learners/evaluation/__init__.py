"""How good learners are: cross-validation, protocols, comparison and choice.

Uses `galleries`, `linear` and `core`. Entry points: `cross_validate`, `select`.
"""
