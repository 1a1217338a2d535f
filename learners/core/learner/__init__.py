"""Components of a learner: base classes, required feedback, storage layout, and candidates for Automatic.

Uses the rest of `core`, except `feature_space`. Inside: `triplet_learner`, `blend` > `needs` > `base` > `row_form`,
`candidate`. Entry point: `DistanceLearner` in `base`.
"""
