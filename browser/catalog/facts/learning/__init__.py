# SPDX-License-Identifier: MIT
"""Training data and results of metrics: judgements, confirmations, regions and boxes, metrics with their scores.

Uses `photo_ids` and `records` beside it. Entry points: `Judgements`, `Confirmations`, `Regions`, `Boxes`, `Metrics`.
"""
