"""Tags: metrics that learn from them (Qi et al.), distances between them, and ridge regression that suggests them.

Uses `core` and `families`. Entry points: `MultiLabelMetric`, `TagRidge`, `TagConfidence`.
"""
