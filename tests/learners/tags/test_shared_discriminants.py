# SPDX-License-Identifier: MIT
"""Linear discriminants against one background: their direction, their scale, and examples left out."""

from __future__ import annotations

import numpy as np
import pytest

from focal_photos.learners.core.estimator import LearnerError, NotFittedError
from focal_photos.learners.tags.shared_discriminants import SharedDiscriminants

rng = np.random.default_rng(0)
MIX = rng.normal(size=(4, 4))
BACKGROUND = rng.normal(size=(3000, 4)) @ MIX + 2.0
X = rng.normal(size=(6, 4)) + np.repeat([[5.0, 0, 0, 0], [0, 5.0, 0, 0]], 3, axis=0)
KINDS = np.array([0, 0, 0, 1, 1, 1])


def test_weights_are_fishers_discriminant() -> None:
    learned = SharedDiscriminants(1e-9).fit(BACKGROUND, X, KINDS)
    for kind in (0, 1):
        wanted = np.linalg.solve(np.cov(BACKGROUND.T), X[kind == KINDS].mean(axis=0) - BACKGROUND.mean(axis=0))
        cosine = wanted @ learned.weights_[kind] / np.linalg.norm(wanted) / np.linalg.norm(learned.weights_[kind])
        assert cosine == pytest.approx(1, abs=1e-6)


def test_scores_are_in_standard_deviations_of_the_background() -> None:
    found = SharedDiscriminants().fit(BACKGROUND, X, KINDS).scores(BACKGROUND)
    assert np.median(found, axis=0) == pytest.approx([0, 0], abs=1e-9)
    assert found.std(axis=0) == pytest.approx([1, 1], abs=0.05)


def test_objects_in_the_background_hardly_change_the_scores() -> None:
    some = np.concatenate([BACKGROUND, np.repeat(X[:3], 150, axis=0)])
    clean, mixed = (SharedDiscriminants().fit(one, X, KINDS).scores(X[:3])[:, 0] for one in (BACKGROUND, some))
    assert mixed.mean() > 0.7 * clean.mean()


def test_examples_can_be_left_out() -> None:
    learned = SharedDiscriminants().fit(BACKGROUND, X, KINDS)
    fewer = SharedDiscriminants().fit(BACKGROUND, X[1:], KINDS[1:])
    assert learned.scores_like(X, X[1:3]) == pytest.approx(fewer.scores(X)[:, 0])


def test_single_precision_is_kept() -> None:
    learned = SharedDiscriminants().fit(BACKGROUND.astype(np.float32), X.astype(np.float32), KINDS)
    assert learned.scores(X.astype(np.float32)).dtype == np.float32


def test_wrong_input_is_refused() -> None:
    with pytest.raises(LearnerError, match="regularization must be above 0"):
        SharedDiscriminants(0).fit(BACKGROUND, X, KINDS)
    with pytest.raises(LearnerError, match="Shapes do not fit"):
        SharedDiscriminants().fit(BACKGROUND[:, 1:], X, KINDS)
    with pytest.raises(LearnerError, match="Every kind needs an example"):
        SharedDiscriminants().fit(BACKGROUND, X, KINDS + 1)
    with pytest.raises(LearnerError, match="no variance"):
        SharedDiscriminants().fit(np.ones((5, 4)), X, KINDS)
    for use in (SharedDiscriminants().scores, lambda rows: SharedDiscriminants().scores_like(rows, rows)):
        with pytest.raises(NotFittedError):
            use(X)
