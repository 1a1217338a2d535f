# SPDX-License-Identifier: MIT
"""Foundations of the learners: estimator interface, side information, linear algebra, kernels, measures.

Uses no other package of the learners. Inside: `feature_space` > `learner` > all others. Entry points: `DistanceLearner`
in `learner/base`, `SideInformation` in `side_information`.
"""
