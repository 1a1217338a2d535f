# SPDX-License-Identifier: MIT
"""Tagging: suggestions learned from the user's tags, review, audits, label errors and related tags.

Uses `training`, `ranking` and the rooms below them. Entry points: `suggest`, `related_tags` in `related`. The user's
actions (tags, judgements, answers to suggestions, undo) are written directly to the catalogue: `Library.tags`,
`judgements`, `suggestions`, `journal`.
"""
