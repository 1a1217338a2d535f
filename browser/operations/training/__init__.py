# SPDX-License-Identifier: MIT
"""Training of metrics from the user's tags and judgements: training sets, Automatic, evaluation, online updates.

Uses `ranking` and the rooms below it. Entry points: `train` in `train`, `train_automatic` in `automatic`, `evaluate`.
"""
