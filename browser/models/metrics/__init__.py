"""What a person sees of metrics: why photos are near, how rankings moved, the history, scores and contradictions.

Uses `work`, `photos`. Entry points: `reasons`, `movement`, `history`.
"""
