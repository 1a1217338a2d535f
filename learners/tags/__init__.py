# SPDX-License-Identifier: MIT
"""Learning from tags: metrics (Qi et al.), distances between tags, and ridge regression that suggests tags.

Uses `galleries` and `core`. Entry points: `MultiLabelMetric`, `TagRidge`, `confidence.tag_confidence.TagConfidence`.
"""
