# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest

from focal_photos.learners.comparison.gmml import Gmml
from focal_photos.learners.comparison.itml import Itml
from focal_photos.learners.comparison.mmc import Mmc
from focal_photos.learners.comparison.pair_metric import Floats, PairMetric, minimized
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.progress import no_report
from focal_photos.learners.core.side_information import SideInformation

X = np.random.default_rng(0).normal(size=(40, 6))
JUDGED = SideInformation(similar=np.array([[0, 1], [2, 3]]), dissimilar=np.array([[0, 2]]))


def test_l_bfgs_finds_the_minimum_of_a_quadratic_function() -> None:
    target = np.diag([2.0, 3.0, 0.5])

    def objective(L: Floats) -> tuple[float, Floats]:
        return float(np.square(L - target).sum()), 2 * (L - target)

    shares: list[float] = []
    np.testing.assert_allclose(minimized(objective, 3, 100, shares.append), target @ target, atol=1e-4)
    assert shares
    assert shares == sorted(shares)


def test_random_pairs_replace_a_missing_kind() -> None:
    learner = Gmml(max_pairs=70)
    similar, dissimilar = learner._pairs(SideInformation(similar=JUDGED.similar), 40)
    assert {tuple(pair) for pair in similar} == {(0, 1), (2, 3)}
    assert dissimilar.shape == (70, 2)
    assert (dissimilar[:, 0] != dissimilar[:, 1]).all()
    assert (dissimilar >= 0).all()
    assert (dissimilar < 40).all()


def test_pairs_of_tags_are_sampled() -> None:
    side = SideInformation.from_labels(np.arange(40) % 4)
    similar, dissimilar = Gmml(max_pairs=25)._pairs(side, 40)
    assert similar.shape == dissimilar.shape == (25, 2)
    assert (similar[:, 0] % 4 == similar[:, 1] % 4).all()
    assert (dissimilar[:, 0] % 4 != dissimilar[:, 1] % 4).all()


def test_the_metric_acts_on_the_given_number_of_principal_components() -> None:
    learner = Gmml(n_components=2, euclidean_blend=0, unit=False).fit(X, JUDGED)
    _, axes = np.linalg.eigh(np.cov(X.T))
    beside = X[:1] + axes[:, 0] * 5
    assert learner.pair_distance(X[:1], beside)[0] == pytest.approx(0, abs=1e-5)
    assert learner.pair_distance(X[:1], X[:1] + axes[:, -1])[0] > 0.1


@pytest.mark.parametrize(
    ("learner", "name"),
    [
        (Gmml(n_components=0), "n_components"),
        (Gmml(max_pairs=0), "max_pairs"),
        (Gmml(step=1.5), "step"),
        (Gmml(ridge=-1), "ridge"),
        (Itml(slack=0), "slack"),
        (Itml(sweeps=0), "sweeps"),
        (Mmc(iterations=0), "iterations"),
    ],
)
def test_parameters_out_of_range_are_refused(learner: PairMetric, name: str) -> None:
    with pytest.raises(LearnerError, match=name):
        learner.fit(X, JUDGED)


def test_without_pairs_of_a_kind_the_other_is_learned_from() -> None:
    """Similar pairs alone shrink the direction in which they differ."""
    similar = SideInformation(similar=np.column_stack([np.arange(0, 40, 2), np.arange(1, 40, 2)]))
    points = X.copy()
    points[1::2, 1:] = points[::2, 1:]
    learner = Gmml(euclidean_blend=0, unit=False).fit(points, similar)
    unit = np.eye(6)
    lengths = learner.pair_distance(np.zeros((6, 6)), unit)
    assert lengths[0] < 0.7 * lengths[1:].min()


def test_no_report_is_needed() -> None:
    assert minimized(lambda L: (float(np.square(L).sum()), 2 * L), 2, 50, no_report).max() < 1e-6
