"""From what a person taught to a new metric: training sets, training, Automatic, evaluation, online updates.

Uses `ranking` and what is below it. Entry points: `train` in `train`, `train_automatic` in `automatic`, `evaluate`.
"""
