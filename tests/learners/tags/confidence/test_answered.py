# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.tags.confidence.answered import Answered, AnsweredConfidence, after_answers


def answers(rng: np.random.Generator, shift: float, slope: float, photos: int) -> Answered:
    """Answers whose true log odds are ``shift + slope`` times the stated ones."""
    stated = rng.uniform(0.02, 0.98, photos)
    odds = np.log(stated / (1 - stated))
    return Answered(stated, rng.random(photos) < 1 / (1 + np.exp(-shift - slope * odds)))


def test_confidence_is_unchanged_without_answers() -> None:
    stated = np.array([0.0, 0.3, 1.0])
    for none in ([], [Answered(np.empty(0), np.empty(0, dtype=bool))]):
        np.testing.assert_array_equal(AnsweredConfidence().fit(none).corrected(stated), stated)


@pytest.mark.parametrize(("shift", "slope"), [(0.0, 1.0), (2.0, 1.0), (-1.5, 0.6), (1.0, 1.6)])
def test_the_error_of_the_confidence_is_estimated(shift: float, slope: float) -> None:
    rng = np.random.default_rng(0)
    learned = AnsweredConfidence(half=1e9, each=1e9).fit([answers(rng, shift, slope, 200) for _ in range(30)])
    assert learned.shift_ == pytest.approx(shift, abs=0.15)
    assert learned.slope_ == pytest.approx(slope, abs=0.15)


def test_the_fit_is_the_likeliest_shift_and_slope_with_the_weights_of_the_questions() -> None:
    rng = np.random.default_rng(1)
    asked = [answers(rng, 1.0, 0.8, photos) for photos in (3, 20, 40)]
    counts = [0.25 * 1.0, 0.5 * 6 / 20, 6 / 40]

    def loss(b: np.ndarray) -> float:
        total = b[0] ** 2 / 8 + (b[1] - 1) ** 2 / 0.32
        for one, count in zip(asked, counts, strict=True):
            z = b[0] + b[1] * np.log(one.stated / (1 - one.stated))
            total += count * (np.logaddexp(0, z) - one.right * z).sum()
        return float(total)

    learned = AnsweredConfidence(half=1.0, each=6.0).fit(asked)
    expected = minimize(loss, [0.0, 1.0], tol=1e-12).x
    np.testing.assert_allclose([learned.shift_, learned.slope_], expected, atol=1e-5)


def test_the_last_answers_count_most() -> None:
    shy = Answered(np.full(20, 0.2), np.ones(20, dtype=bool))
    bold = Answered(np.full(20, 0.8), np.zeros(20, dtype=bool))
    assert AnsweredConfidence(half=1.0).fit([bold] * 5 + [shy] * 5).corrected(np.array([0.5])) > 0.5
    assert AnsweredConfidence(half=1.0).fit([shy] * 5 + [bold] * 5).corrected(np.array([0.5])) < 0.5


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30))
def test_the_correction_preserves_the_order(photos: list[tuple[float, bool]]) -> None:
    stated, right = (np.array(column) for column in zip(*photos, strict=True))
    learned = AnsweredConfidence().fit([Answered(stated, right)])
    asked = np.linspace(0, 1, 101)
    found = learned.corrected(asked)
    assert learned.slope_ >= 0.1
    assert ((found >= 0) & (found <= 1)).all()
    assert (np.diff(found) >= 0).all()


def test_invalid_answers_are_refused() -> None:
    with pytest.raises(LearnerError, match="as many answers"):
        AnsweredConfidence().fit([Answered(np.zeros(2), np.zeros(3, dtype=bool))])
    with pytest.raises(LearnerError, match="above 0"):
        AnsweredConfidence(half=0).fit([])


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30), st.floats(0, 1), st.floats(0, 1))
def test_answers_do_not_make_a_foreign_photo_plausible(
    photos: list[tuple[float, bool]], stated: float, foreign: float
) -> None:
    said, right = (np.array(column) for column in zip(*photos, strict=True))
    learned = AnsweredConfidence().fit([Answered(said, right)])
    assert learned.corrected(stated * (1 - foreign), foreign) <= 1 - foreign + 1e-12


def test_answers_about_foreign_photos_do_not_affect_others() -> None:
    # Foreign photos do not have the tag in question, which implies nothing for photos like the tagged ones.
    asked = Answered(np.full(20, 0.01), np.zeros(20, dtype=bool), np.full(20, 0.99))
    known = Answered(np.full(10, 0.5), np.ones(10, dtype=bool), np.zeros(10))
    alone, beside = AnsweredConfidence().fit([known]), AnsweredConfidence().fit([asked, known])
    assert beside.corrected(0.5) == pytest.approx(alone.corrected(0.5), abs=0.02)
    assert alone.corrected(0.5) > 0.6
    assert AnsweredConfidence().fit([Answered(*asked[:2]), known]).corrected(0.5) < alone.corrected(0.5) - 0.02
    assert alone.corrected(0.01, 0.98) < 0.02


def test_ruled_out_tags_leave_their_share_to_the_others_and_to_none() -> None:
    tags, none, foreign = after_answers([[0.0, 0.2, 0.1], [0.9, 0.1, 0.0]], [0.1, 0.0], [0.05, 0.0])
    np.testing.assert_allclose(tags, [[0.0, 0.5, 0.25], [0.9 / 1.02, 0.1 / 1.02, 0.0]])
    np.testing.assert_allclose(none, [0.25, 0.02 / 1.02])
    np.testing.assert_allclose(foreign, [0.125, 0.0])
    np.testing.assert_allclose(tags.sum(axis=1) + none, 1)
