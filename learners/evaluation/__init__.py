"""How good learners are: cross-validation, protocols, comparison and choice.

Uses all other rooms. Entry points: `cross_validate`, `select`.
"""
