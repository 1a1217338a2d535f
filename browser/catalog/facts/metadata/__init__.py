"""What other programs wrote into photos and sidecars, and what was exchanged with them.

Uses `photo_ids`, `query` and `records` beside it. Entry points: `InformationStore`, `Exchange`.
"""
