"""Training data and results of metrics: judgements, confirmations, regions of photos, metrics with their scores.

Uses `photo_ids` and `records` beside it. Entry points: `Judgements`, `Confirmations`, `Regions`, `Metrics`.
"""
