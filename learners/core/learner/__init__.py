# SPDX-License-Identifier: MIT
"""Components of a learner: base classes, required feedback, storage layout, and candidates for Automatic.

Uses the rest of `core`, except `feature_space`. Inside: `triplet_learner`, `blend` > `needs` > `base` >
`storage_layout`, `candidate`, `slider`. Entry point: `DistanceLearner` in `base`.
"""
