# SPDX-License-Identifier: MIT
"""Likely frames: the mean of rectangles, sizes, learned coefficients, and predicted fits."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError, NotFittedError
from focal_photos.learners.tags.likely_frames import FITS, LikelyFrames, overlaps_of, size_prior

STARTS = np.arange(0, 0.91, 0.1)
RECTANGLES = np.array(
    [
        (x, y, x + side, y + side)
        for side in (0.2, 0.3, 0.4, 0.6)
        for x in STARTS
        for y in STARTS
        if max(x, y) + side < 1.01
    ]
)


def noisy(rng: np.random.Generator, frame: NDArray[np.float64], spread: float = 0.3) -> NDArray[np.float64]:
    """Return scores that rise with the share of a rectangle that shows the thing: highest for small ones inside it."""
    low, high = np.maximum(frame[:2], RECTANGLES[:, :2]), np.minimum(frame[2:], RECTANGLES[:, 2:])
    inside = np.clip(high - low, 0, None).prod(axis=1) / (RECTANGLES[:, 2:] - RECTANGLES[:, :2]).prod(axis=1)
    return np.asarray(3 * inside + rng.normal(0, spread, len(RECTANGLES)))


def drawn(rng: np.random.Generator, count: int, side: float) -> NDArray[np.float64]:
    corners = rng.uniform(0, 1 - side, (count, 2))
    return np.hstack([corners, corners + side])


def test_overlaps_are_intersections_over_unions() -> None:
    some = np.array([[0, 0, 0.5, 0.5], [0.5, 0.5, 1, 1]])
    assert overlaps_of(some, np.array([[0.25, 0, 0.75, 0.5]])).ravel().tolist() == pytest.approx([1 / 3, 0])


def test_frames_overlap_more_than_the_best_rectangles() -> None:
    rng = np.random.default_rng(0)
    frames = drawn(rng, 40, 0.45)
    prior = size_prior(frames, frames)
    scores = np.stack([noisy(rng, frame) for frame in frames])
    overlaps = overlaps_of(frames, RECTANGLES)
    model = LikelyFrames().fit(list(scores[:20]), list(overlaps[:20]), RECTANGLES, [prior] * 20)
    found = np.diag(overlaps_of(model.frames(scores[20:], RECTANGLES, prior).rectangles, frames[20:]))
    best = overlaps[20:][np.arange(20), scores[20:].argmax(axis=1)]
    assert (found >= FITS).mean() > 0.9
    assert found.mean() > best.mean() + 0.15


def test_the_size_of_other_frames_decides() -> None:
    scores = np.zeros((1, len(RECTANGLES)))
    model = LikelyFrames().fit([], [], RECTANGLES, [])
    areas = []
    for side in (0.2, 0.6):
        frames = drawn(np.random.default_rng(1), 30, side)
        found = model.frames(scores, RECTANGLES, size_prior(frames, frames)).rectangles[0]
        areas.append((found[2] - found[0]) * (found[3] - found[1]))
    assert areas[0] < 0.7 * areas[1]


def test_small_things_are_learned_to_be_small() -> None:
    coefficients = []
    for side in (0.2, 0.6):
        rng = np.random.default_rng(2)
        frames = drawn(rng, 30, side)
        scores = [noisy(rng, frame) for frame in frames]
        prior = size_prior(frames[:0], frames[:0])
        model = LikelyFrames().fit(scores, list(overlaps_of(frames, RECTANGLES)), RECTANGLES, [prior] * 30)
        coefficients.append(model.coefficients_[1])
    assert coefficients[0] < 0.7 * coefficients[1]


def test_predicted_fits_are_higher_for_one_clear_place() -> None:
    frame = np.array([0.2, 0.2, 0.6, 0.6])
    clear = 3.0 * overlaps_of(frame[None], RECTANGLES)[0]
    model = LikelyFrames().fit([], [], RECTANGLES, [])
    found = model.frames(np.stack([clear, np.zeros_like(clear)]), RECTANGLES, size_prior(frame[None], frame[None]))
    assert found.fits[0] > found.fits[1]
    assert ((found.fits >= 0) & (found.fits <= 1)).all()


def test_one_size_is_drawn_towards_those_of_all_kinds() -> None:
    own, every = drawn(np.random.default_rng(0), 1, 0.2), drawn(np.random.default_rng(1), 20, 0.6)
    mean = size_prior(own, every).mean
    assert (np.log(0.2) < mean).all()
    assert (mean < np.log(0.6)).all()
    assert np.isfinite(size_prior(own, own[:0]).mean).all()


def test_wrong_input_is_refused() -> None:
    with pytest.raises(LearnerError, match="1 scores, 0 overlaps and 0 priors"):
        LikelyFrames().fit([np.zeros(3)], [], RECTANGLES, [])
    with pytest.raises(NotFittedError):
        LikelyFrames().frames(np.zeros((1, 3)), RECTANGLES[:3], size_prior(RECTANGLES, RECTANGLES))
