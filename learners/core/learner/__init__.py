"""What a learner is made of: the classes it derives from, what it needs, its rows, what Automatic tries of it.

Uses what else is in `core`, save `feature_space`. Inside: `triplet_learner`, `blend` > `needs` > `base` > `row_form`,
`candidate`. Entry point: `DistanceLearner` in `base`.
"""
