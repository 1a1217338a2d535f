"""What every learner is made with: the estimator interface, side information, linear algebra, kernels, measures.

Uses nothing else of the learners. Entry points: `DistanceLearner` in `base`, `SideInformation` in `side_information`.
"""
