# SPDX-License-Identifier: MIT
"""Records of the steps of the stepwise kernel metric, compared with a slow count of pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy

from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.kernel.kernel_metric import StepwiseKernelMetric
from focal_photos.learners.kernel.rounds import Round, rounds_of
from focal_photos.learners.persistence import load, save
from tests.learners.kernel.test_kernel_metric import Floats, samples


def taught(sessions: int, seed: int = 1) -> SideInformation:
    """Return judgements against some focal images, each with 3 similar and 4 dissimilar photos."""
    rng = np.random.default_rng(seed)
    kind = np.arange(60) % 3
    similar, dissimilar = [], []
    for focal in range(sessions):
        alike = np.flatnonzero((kind == kind[focal]) & (np.arange(60) != focal))
        similar += [(focal, other) for other in rng.choice(alike, 3, replace=False)]
        dissimilar += [(focal, other) for other in rng.choice(np.flatnonzero(kind != kind[focal]), 4, replace=False)]
    return SideInformation(np.array(similar), np.array(dissimilar))


def of_sessions(side: SideInformation, first: int, last: int) -> SideInformation:
    similar, dissimilar = side.similar, side.dissimilar
    return SideInformation(
        similar[(similar[:, 0] >= first) & (similar[:, 0] < last)],
        dissimilar[(dissimilar[:, 0] >= first) & (dissimilar[:, 0] < last)],
    )


def counted(model: StepwiseKernelMetric, steps: Floats, X: Floats, side: SideInformation) -> tuple[float, float]:
    """Return the objective and the share of correctly ordered couples, counted pair by pair."""
    Z = model._map.transform(X) @ steps
    near = [float(np.sum((Z[i] - Z[j]) ** 2)) for i, j in side.similar]
    far = [float(np.sum((Z[i] - Z[j]) ** 2)) for i, j in side.dissimilar]
    order = [one < other for one in near for other in far]
    return float(np.mean(near) / np.mean(far)), float(np.mean(order))


def test_each_record_agrees_with_a_count_pair_by_pair() -> None:
    X, side = samples(), taught(10)
    model = StepwiseKernelMetric(sessions=4).fit(X, side)
    rounds = rounds_of(model.rounds_)
    assert [(one.similar, one.dissimilar) for one in rounds] == [(12, 16), (12, 16), (6, 8)]
    shorter = [StepwiseKernelMetric(sessions=4).fit(X, of_sessions(side, 0, last)).steps_ for last in (4, 8)]
    reached = [np.eye(len(model.steps_)), *shorter, model.steps_]
    for number, one in enumerate(rounds):
        batch = of_sessions(side, 4 * number, min(4 * number + 4, 10))
        assert (one.before, one.right_before) == pytest.approx(counted(model, reached[number], X, batch))
        assert (one.after, one.right_after) == pytest.approx(counted(model, reached[number + 1], X, batch))
        assert one.after < one.before, "similar photos came nearer"


def test_partial_fit_continues_a_waiting_batch() -> None:
    X, side = samples(), taught(8)
    model = StepwiseKernelMetric(sessions=4).fit(X, of_sessions(side, 0, 4))
    for session in range(4, 7):
        model.partial_fit(X, of_sessions(side, session, session + 1))
    assert len(model.rounds_) == 1
    assert (len(model.batch_similar_), len(model.batch_dissimilar_)) == (9, 12)
    model.partial_fit(X, of_sessions(side, 7, 8))
    assert (len(model.batch_similar_), len(model.batch_dissimilar_)) == (0, 0)
    whole = StepwiseKernelMetric(sessions=4).fit(X, side)
    np.testing.assert_allclose(model.rounds_, whole.rounds_)


def test_records_are_saved_and_older_metrics_load_without_them(tmp_path: Path) -> None:
    X, side = samples(), taught(6)
    model = StepwiseKernelMetric(sessions=4).fit(X, of_sessions(side, 0, 4))
    model.partial_fit(X, of_sessions(side, 4, 5))
    save(tmp_path / "now.npz", learner=model)
    again = load(tmp_path / "now.npz")["learner"]
    assert isinstance(again, StepwiseKernelMetric)
    np.testing.assert_array_equal(again.rounds_, model.rounds_)
    np.testing.assert_array_equal(again.batch_similar_, model.batch_similar_)
    for name in ("rounds_", "batch_similar_", "batch_dissimilar_"):
        delattr(model, name)
    save(tmp_path / "before.npz", learner=model)
    old = load(tmp_path / "before.npz")["learner"]
    assert isinstance(old, StepwiseKernelMetric)
    old.partial_fit(X, of_sessions(side, 5, 6))
    assert len(old.rounds_) == 0
    np.testing.assert_allclose(old.distances_from(X[0], X), again.distances_from(X[0], X))


def test_tags_or_one_kind_of_judgements_give_incomplete_records() -> None:
    X, side = samples(), taught(4)
    tags = scipy.sparse.csr_matrix(np.eye(3)[np.arange(60) % 3])
    model = StepwiseKernelMetric(sessions=4).fit(X, SideInformation(tags=tags))
    (one,) = rounds_of(model.rounds_)
    assert (one.similar, one.dissimilar) == (60, 0)
    assert np.isnan(one.right_after)
    assert one.after < one.before
    (alone,) = rounds_of(StepwiseKernelMetric(sessions=4).fit(X, SideInformation(similar=side.similar)).rounds_)
    assert (alone.similar, alone.dissimilar) == (12, 0)
    assert np.isnan(alone.right_before)
    assert alone.after < alone.before
    assert isinstance(alone, Round)
