# SPDX-License-Identifier: MIT
"""Confidence of parts: calibrated at different shares, with few samples, and with untagged photos."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError, NotFittedError
from focal_photos.learners.tags.confidence.part_confidence import PartConfidence, lower_half

NONE = np.empty(0)


def photos(rng: np.random.Generator, count: int, share: float) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return scores (n, 1) of photos, and which show the kind."""
    shown = rng.random(count) < share
    return np.where(shown, rng.normal(3.5, 1.5, count), rng.normal(0.0, 1.0, count))[:, None], shown


@pytest.mark.parametrize("share", [0.1, 0.3])
def test_confidences_are_not_too_high(share: float) -> None:
    rng = np.random.default_rng(1)
    untagged, _ = photos(rng, 600, share)
    shown, absent = rng.normal(3.5, 1.5, 30), rng.normal(0.0, 1.0, 60)
    learned = PartConfidence().fit(shown, absent, np.full(30, 0.7), rng.random(30) < 0.7, untagged)
    scores, truth = photos(rng, 4000, share)
    sure = learned.shown(scores)[:, 0]
    assert sure.sum() < 1.1 * truth.sum()
    shown_ones = sure >= 0.5
    assert shown_ones.sum() > 0.05 * truth.sum()
    assert sure[shown_ones].mean() < truth[shown_ones].mean() + 0.05


def test_frames_that_rarely_fit_lower_the_confidence() -> None:
    rng = np.random.default_rng(2)
    scores, untagged = rng.normal(3.5, 1.5, 40), photos(rng, 200, 0.2)[0]
    predicted = np.full(40, 0.6)
    good = PartConfidence().fit(scores, NONE, predicted, np.ones(40, bool), untagged)
    bad = PartConfidence().fit(scores, NONE, predicted, np.arange(40) % 5 == 0, untagged)
    place = np.array([[0.6]])
    sure = np.array([[6.0]])
    assert good.confidences(sure, place)[0, 0] > 0.7
    assert bad.confidences(sure, place)[0, 0] < 0.4
    assert bad.fitting(np.array([0.2]))[0] <= bad.fitting(np.array([0.8]))[0]


def test_nothing_left_out_leaves_the_prior() -> None:
    learned = PartConfidence().fit(NONE, NONE, NONE, NONE.astype(bool), np.empty((0, 2)))
    found = learned.confidences(np.array([[0.0, 6.0]]), np.array([[0.5, 0.99]]))
    assert found[0, 0] < 0.02
    assert 0.1 < found[0, 1] < 0.2, "no frame was compared with a true one"


def test_photos_without_the_kind_are_not_sure() -> None:
    rng = np.random.default_rng(3)
    untagged = rng.normal(0.0, 1.0, (500, 1))
    learned = PartConfidence().fit(rng.normal(3.0, 1.5, 10), NONE, np.full(10, 0.5), np.ones(10, bool), untagged)
    assert (learned.shown(untagged) >= 0.5).mean() <= 0.02


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_the_lower_half_shows_the_photos_without_the_kind(share: float) -> None:
    scores, _ = photos(np.random.default_rng(4), 5000, share)
    center, spread = lower_half(2.0 * scores + 1.0)
    assert center == pytest.approx([1.0], abs=0.2 + 3 * share)
    assert spread == pytest.approx([2.0], abs=0.2 + 2 * share)


def test_wrong_input_is_refused() -> None:
    with pytest.raises(LearnerError, match="Shapes do not fit"):
        PartConfidence().fit(np.ones(2), NONE, np.ones(1), np.ones(2, bool), np.empty((0, 1)))
    with pytest.raises(NotFittedError):
        PartConfidence().confidences(np.ones((1, 1)), np.ones((1, 1)))
    with pytest.raises(NotFittedError):
        PartConfidence().fitting(np.ones(1))


def test_scores_that_are_unknown_do_not_count() -> None:
    rng = np.random.default_rng(0)
    shown, absent = rng.normal(5, 1, 30), rng.normal(0, 1, 60)
    untagged = np.concatenate([rng.normal(5, 1, (40, 1)), rng.normal(0, 1, (60, 1))])
    wide = np.full((200, 2), np.nan)
    wide[:100, :1], wide[100:, 1:] = untagged, untagged
    alone = PartConfidence().fit(shown, absent, np.full(30, 0.9), np.ones(30, bool), untagged)
    both = PartConfidence().fit(shown, absent, np.full(30, 0.9), np.ones(30, bool), wide)
    assert both.shares_ == pytest.approx([alone.shares_[0]] * 2, abs=0.03)


def test_before_anything_is_seen_share_and_middle_decide() -> None:
    nothing = np.empty(0)
    learned = PartConfidence(share=0.5, middle=2.0).fit(nothing, nothing, nothing, nothing > 0, np.empty((0, 1)))
    assert learned.shown(np.array([[2.0]])) == pytest.approx(0.5)


def test_another_share_gives_another_probability() -> None:
    nothing = np.empty(0)
    learned = PartConfidence().fit(nothing, nothing, nothing, nothing > 0, np.empty((0, 1)))
    few, many = learned.shown(np.array([3.0, 3.0]), np.array([0.05, 0.5]))
    assert few < 0.1 < 0.5 < many
