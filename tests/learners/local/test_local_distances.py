# SPDX-License-Identifier: MIT
"""Local distance functions of a collection of photos."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.base import clone

from focal_photos.learners.core.estimator import LearnerError, NotFittedError
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.local.local_distance import LocalDistance
from focal_photos.learners.local.local_distances import LocalDistances
from focal_photos.learners.persistence import load, save

N = 24
LABELS = np.arange(N) % 3
CLASSES = SideInformation.from_labels(LABELS)
PATCHES = np.where(np.arange(N) == 7, 0, 8 + np.arange(N) % 5)  # photo 7 has no patch


def distances(i: int, rows: NDArray[Any] = LABELS, seed: int = 0) -> NDArray[np.float32]:
    """Distances of photos of these classes from the patches of photo i, whose first patches identify its class."""
    rng = np.random.default_rng([seed, i])
    D = rng.normal(0.6, 0.1, (len(rows), PATCHES[i]))
    D[rows == LABELS[i], :4] -= 0.25
    if seed == 0:
        D[i] = 0
    return np.abs(D).astype(np.float32)


def new_photos(labels: NDArray[Any]) -> NDArray[np.float32]:
    return np.hstack([distances(i, labels, seed=1) for i in range(N)])


def fitted() -> LocalDistances:
    return LocalDistances().fit(distances, CLASSES, N)


class Asked:
    """Records the photos it is called for."""

    def __init__(self) -> None:
        self.rows: list[int] = []

    def __call__(self, i: int) -> NDArray[np.float32]:
        self.rows.append(i)
        return distances(i)


def test_focal_images_are_trained_independently() -> None:
    learner = fitted()
    np.testing.assert_array_equal(learner.focal_, np.arange(N))
    np.testing.assert_array_equal(np.diff(learner.offsets_), PATCHES)
    for i in (0, 11, 23):
        others = np.arange(N) != i
        alone = LocalDistance().fit(distances(i)[others], np.where(LABELS[i] == LABELS, 1, -1)[others])
        np.testing.assert_array_equal(learner.models()[i].weights, alone.weights_)
        np.testing.assert_allclose(learner.distances_from(i, distances(i)), alone.distances(distances(i)), rtol=1e-6)


def test_training_photos_of_the_class_come_first() -> None:
    learner = fitted()
    for i in (0, 4, 23):
        ranked = np.argsort(learner.distances_from(i, distances(i)), kind="stable")
        assert ranked[0] == i
        assert (LABELS[ranked[:7]] == LABELS[i]).mean() > 0.8


def test_new_photos_are_retrieved_and_recognised() -> None:
    learner, labels = fitted(), np.array([2, 0, 1, 1])
    P = learner.probabilities(new_photos(labels))
    assert P.shape == (4, N)
    assert ((P > 0) & (P < 1)).all()
    for i in (0, 10):
        D = distances(i, labels, seed=1)
        expected = learner.distances_from(i, D) * learner.slopes_[i] + learner.intercepts_[i]
        np.testing.assert_allclose(P[:, i], 1 / (1 + np.exp(expected)), rtol=1e-4)
    scores = np.column_stack([P[:, label == LABELS].sum(axis=1) for label in range(3)])
    np.testing.assert_array_equal(scores.argmax(axis=1), labels)


def test_only_the_given_focal_images_are_trained() -> None:
    asked = Asked()
    learner = LocalDistances().fit(asked, CLASSES, N, focal=[5, 2, 5])
    assert asked.rows == [2, 5]
    np.testing.assert_array_equal(learner.focal_, [2, 5])
    learner.fit(asked, CLASSES, N, focal=[2, 3])
    assert asked.rows == [2, 5, 3]
    np.testing.assert_array_equal(learner.focal_, [2, 3, 5])
    np.testing.assert_array_equal(learner.models()[5].weights, fitted().models()[5].weights)
    with pytest.raises(LearnerError, match="Photo 4 has no local distance yet"):
        learner.distances_from(4, distances(4))


def learned_again(learner: LocalDistances, side: SideInformation, n: int = N) -> list[int]:
    """Return the rows that a fit would train."""
    rows: list[int] = []

    def distances_of(i: int) -> NDArray[np.float32]:
        rows.append(i)
        return np.ones((n, 1), np.float32)

    deepcopy(learner).fit(distances_of, side, n)
    return rows


def test_only_focal_images_with_changed_training_data_are_trained_again() -> None:
    learner, asked = fitted(), Asked()
    assert learned_again(learner, CLASSES) == []
    judged = CLASSES | SideInformation(np.array([[3, 4]]), np.array([[9, 0]]))
    learner.fit(asked, judged, N)
    assert asked.rows == [3, 9]
    assert learned_again(learner, judged) == []
    # A judgement that agrees with the tags counts too: it gives triplets.
    assert learned_again(learner, judged | SideInformation(np.array([[6, 9]]))) == [6]
    assert learned_again(learner, CLASSES) == [3, 9]
    learner.set_params(C=1.0)
    assert len(learned_again(learner, judged)) == N


def test_unknown_photos_change_nothing() -> None:
    learner = fitted()
    more = SideInformation.from_labels(np.concatenate([LABELS, [-1, -1]]))
    assert learned_again(learner, more, N + 2) == [N, N + 1]


def test_judgements_are_enough() -> None:
    side = SideInformation(np.array([[0, 3], [0, 6]]), np.array([[0, 1], [0, 2], [0, 4]]))
    learner = LocalDistances().fit(distances, side, N, focal=[0])
    assert learner.triplets_[0] == 6
    ranked = np.argsort(learner.distances_from(0, distances(0)), kind="stable")
    before = np.argsort(distances(0).mean(axis=1), kind="stable")
    assert (LABELS[ranked[:8]] == 0).mean() >= (LABELS[before[:8]] == 0).mean()


def test_relative_judgements_are_enough() -> None:
    side = SideInformation(relative=np.array([[0, 3, 1], [0, 6, 2], [0, 9, 4], [3, 0, 1]]))
    learner = LocalDistances().fit(distances, side, N, focal=[0, 5])
    assert learner.triplets_.tolist() == [3, 0]
    learned = learner.distances_from(0, distances(0))
    assert all(learned[near] < learned[far] for _, near, far in side.relative[:3])
    assert learner.slopes_[0] > 0, "the probability falls with the distance"
    asked = Asked()
    learner.fit(asked, replace(side, relative=side.relative[1:]), N, focal=[0, 5])
    assert asked.rows == [0], "only this focal image has other judgements now"


def test_all_patches_have_the_same_weight_without_training_data() -> None:
    for side in (
        SideInformation(),
        SideInformation.from_labels(np.zeros(N, int)),
        SideInformation.from_labels(range(N)),
    ):
        learner = LocalDistances().fit(distances, side, N)
        np.testing.assert_array_equal(learner.triplets_, 0)
        np.testing.assert_allclose(learner.models()[1].weights, 1 / PATCHES[1])
        P = learner.probabilities(new_photos(np.array([0])))
        assert ((P > 0) & (P < 1)).all()
    assert fitted().triplets_[7] == 0  # no patch
    np.testing.assert_array_equal(fitted().distances_from(7, distances(7)), 0)


class CancelledError(Exception):
    pass


def test_a_cancelled_fit_keeps_the_former_state() -> None:
    learner, whole = LocalDistances(), fitted()

    def progress(share: float) -> None:
        if share > 0.3:
            raise CancelledError

    with pytest.raises(CancelledError):
        learner.fit(distances, CLASSES, N, progress=progress)
    count = len(learner.focal_)
    assert 0 < count < N
    asked = Asked()
    learner.fit(asked, CLASSES, N)
    assert asked.rows == list(range(count, N))
    np.testing.assert_array_equal(learner.weights_, whole.weights_)


def test_progress_runs_from_0_to_1() -> None:
    shares: list[float] = []
    learner = LocalDistances().fit(distances, CLASSES, N, progress=shares.append)
    assert (shares[0], shares[-1]) == (0, 1)
    assert shares == sorted(shares)
    assert len(shares) == N + 2
    again: list[float] = []
    learner.fit(distances, CLASSES, N, progress=again.append)
    assert again == shares


def test_a_loaded_learner_is_the_same_and_can_continue(tmp_path: Path) -> None:
    learner = LocalDistances(K=3).fit(distances, CLASSES, N, focal=range(9))
    save(tmp_path / "local.npz", local=learner)
    again = load(tmp_path / "local.npz")["local"]
    assert isinstance(again, LocalDistances)
    assert again.get_params() == learner.get_params()
    assert learned_again(again, CLASSES) == list(range(9, N))
    np.testing.assert_array_equal(again.distances_from(8, distances(8)), learner.distances_from(8, distances(8)))
    alone = LocalDistance().fit(distances(0)[1:], np.where(LABELS == 0, 1, -1)[1:])
    save(tmp_path / "one.npz", one=alone)
    one = load(tmp_path / "one.npz")["one"]
    assert isinstance(one, LocalDistance)
    np.testing.assert_array_equal(one.probabilities(distances(0)), alone.probabilities(distances(0)))


def test_clone_is_unfitted() -> None:
    copy = clone(fitted())
    assert not hasattr(copy, "focal_")
    with pytest.raises(NotFittedError, match="call fit first"):
        copy.probabilities(new_photos(np.array([0])))
    with pytest.raises(NotFittedError, match="call fit first"):
        copy.distances_from(0, distances(0))


def test_unusable_input_is_refused() -> None:
    with pytest.raises(LearnerError, match="outside 0"):
        LocalDistances().fit(distances, CLASSES, N, focal=[N])
    with pytest.raises(LearnerError, match="finite"):
        LocalDistances().fit(lambda i: distances(i) * np.float32(np.nan), CLASSES, N)
    with pytest.raises(LearnerError, match="distances of 23 photos, and 24 photos"):
        LocalDistances().fit(lambda i: distances(i)[1:], CLASSES, N)
    with pytest.raises(LearnerError, match="tags are of 24 photos"):
        LocalDistances().fit(distances, CLASSES, N + 1)
    learner = fitted()
    with pytest.raises(LearnerError, match="patches"):
        learner.probabilities(new_photos(np.array([0]))[:, 1:])
