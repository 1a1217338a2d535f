# SPDX-License-Identifier: MIT
"""Models about metrics: why photos are near, how rankings moved, the history and scores.

Uses `work`, `photos` and `base`. Entry point: `MetricModels`.
"""
