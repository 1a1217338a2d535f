"""What metrics learn from, and what came of it: judgements, confirmations, parts of photos, metrics with their scores.

Uses `photo_ids` and `records` beside it. Entry points: `Judgements`, `Confirmations`, `Regions`, `Metrics`.
"""
