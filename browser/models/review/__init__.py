"""The review: one tag at a time with the photos that may carry it, and the photos whose tags would teach most.

Uses `work` and `photos`. Entry points: `Review`, `AskNext`.
"""
