"""Tags: metrics that learn from them (Qi et al.), distances between them, and votes of neighbours that suggest them.

Uses `core` and `families`. Entry points: `MultiLabelMetric`, `WeightedTagPropagation`.
"""
