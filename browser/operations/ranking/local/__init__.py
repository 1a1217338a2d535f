# SPDX-License-Identifier: MIT
"""Local distances: patches of photos, focal images learned on demand, and rankings by them.

Uses `photos`, `describing`, `workers`, `jobs`. Inside: `rank`, `explain` > `focal_image` >
`training_sets`, `focal_gallery` > `metric` > `focal_store`, `candidates` > `patches`, `learner`. Entry points:
`rank_locally` in `rank`, `LocalMetric` in `metric`.
"""
