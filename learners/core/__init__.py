"""What every learner is made with: the estimator interface, side information, linear algebra, kernels, measures.

Uses nothing else of the learners. Inside: `feature_space` > `learner` > all others. Entry points: `DistanceLearner` in
`learner/base`, `SideInformation` in `side_information`.
"""
