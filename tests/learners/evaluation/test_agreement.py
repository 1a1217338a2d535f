# SPDX-License-Identifier: MIT
from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.evaluation.agreement import (
    MISSING,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    observed_agreement,
)
from tests.examples import examples

Ints = NDArray[np.int64]

# Fleiss (1971), table 1: thirty patients, each diagnosed by six psychiatrists (depression, personality disorder,
# schizophrenia, neurosis, other).
PSYCHIATRISTS = """
00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031
00501 30012 51000 02040 10203 00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
"""
# Krippendorff (2011), section C: four observers, twelve units; "." is missing.
FOUR_OBSERVERS = ["123321412...", "1233224125.3", ".3332342251.", "1233244125" + "1."]
# The same author's example of three coders and fifteen units.
THREE_CODERS = [".....34121133.3", "1.213343.......", "..21344.21133.4"]


def from_counts(text: str) -> Ints:
    return np.array([[c for c, n in enumerate(word) for _ in range(int(n))] for word in text.split()], dtype=np.int64)


def from_rows(rows: list[str]) -> Ints:
    return np.array([[MISSING if mark == "." else int(mark) for mark in row] for row in rows], dtype=np.int64).T


def test_cohens_example_of_two_psychologists() -> None:
    table = np.array([[88, 14, 18], [10, 40, 10], [2, 6, 12]])  # 200 people: agreement .70, chance .41
    one, other = np.repeat(np.indices((3, 3)).reshape(2, -1), table.reshape(-1), axis=1)
    found = cohen_kappa(one, other)
    assert found.value == pytest.approx(0.492, abs=5e-4)
    assert found.low < found.value < found.high
    assert found.value == pytest.approx(cohen_kappa_score(one, other), abs=1e-12)


def test_fleiss_example_of_six_psychiatrists() -> None:
    ratings = from_counts(PSYCHIATRISTS)
    assert ratings.shape == (30, 6)
    found = fleiss_kappa(ratings)
    assert found.value == pytest.approx(0.430, abs=5e-4)
    assert observed_agreement(ratings) == pytest.approx(0.5556, abs=5e-4), "the mean P of the paper"


def test_krippendorffs_examples_with_missing_ratings() -> None:
    assert krippendorff_alpha(from_rows(FOUR_OBSERVERS)).value == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(from_rows(THREE_CODERS)).value == pytest.approx(0.691, abs=5e-4)


def random_ratings(draw: st.DrawFn, *, missing: bool) -> Ints:
    least = MISSING if missing else 0
    raters = draw(st.integers(2, 5))
    row = st.lists(st.integers(least, 3), min_size=raters, max_size=raters)
    return np.array(draw(st.lists(row, min_size=2, max_size=40)), dtype=np.int64)


full = st.composite(lambda draw: random_ratings(draw, missing=False))()
some = st.composite(lambda draw: random_ratings(draw, missing=True))()


@given(full)
@hypothesis_settings(max_examples=examples(100))
def test_two_raters_agree_as_scikit_learn_computes_in_either_order(ratings: Ints) -> None:
    one, other = ratings[:, 0], ratings[:, 1]
    assume(len(np.unique(ratings[:, :2])) > 1)
    found = cohen_kappa(one, other)
    assert found.value == pytest.approx(float(cohen_kappa_score(one, other)), abs=1e-9)
    assert cohen_kappa(other, one).value == pytest.approx(found.value, abs=1e-12)
    assert found.low <= found.value <= found.high <= 1


@given(some, st.randoms(use_true_random=False))
@hypothesis_settings(max_examples=examples(60))
def test_the_order_of_items_and_raters_and_the_numbers_of_categories_do_not_matter(ratings: Ints, rng: object) -> None:
    seed = np.random.default_rng(rng.randrange(1 << 30))  # type: ignore[attr-defined]
    items, raters = seed.permutation(len(ratings)), seed.permutation(ratings.shape[1])
    renamed = np.append(seed.permutation(4) * 3, MISSING)[ratings]
    for measure in (krippendorff_alpha, fleiss_kappa):
        found = measure(ratings)
        assert measure(ratings[items]) == found or math.isnan(found.value), "nor for the interval"
        for other in (ratings[:, raters], renamed):
            assert measure(other).value == pytest.approx(found.value, abs=1e-9, nan_ok=True)


@given(some)
@hypothesis_settings(max_examples=examples(60))
def test_equal_raters_agree_fully(ratings: Ints) -> None:
    equal = np.repeat(ratings[:, :1], 3, axis=1)
    assume(len(np.unique(equal[equal != MISSING])) > 1)
    for found in (cohen_kappa(equal[:, 0], equal[:, 1]), fleiss_kappa(equal), krippendorff_alpha(equal)):
        assert found.value == pytest.approx(1)
        assert found.low < found.high, "a few items do not prove that two people always agree"
    assert observed_agreement(equal) == pytest.approx(1)


@given(some)
@hypothesis_settings(max_examples=examples(60))
def test_alpha_is_that_of_the_coincidences_of_pairs(ratings: Ints) -> None:
    """A slow reference by the definition: observed over expected disagreement of pairs of ratings."""
    units = [[int(value) for value in row if value != MISSING] for row in ratings]
    units = [unit for unit in units if len(unit) > 1]
    values = [value for unit in units for value in unit]
    assume(len(set(values)) > 1)
    observed = sum(
        sum(a != b for i, a in enumerate(unit) for j, b in enumerate(unit) if i != j) / (len(unit) - 1)
        for unit in units
    )
    n = len(values)
    expected = sum(a != b for i, a in enumerate(values) for j, b in enumerate(values) if i != j) / (n - 1)
    assert krippendorff_alpha(ratings).value == pytest.approx(1 - observed / expected, abs=1e-9)


def test_without_variation_agreement_is_undefined() -> None:
    assert math.isnan(cohen_kappa([1, 1], [1, 1]).value)
    assert math.isnan(fleiss_kappa([[0, 0, 0]] * 4).value)
    assert math.isnan(krippendorff_alpha([[0, MISSING], [MISSING, 1]]).value)
    assert math.isnan(observed_agreement([[0, MISSING]]))


def test_wrong_ratings_are_refused() -> None:
    with pytest.raises(LearnerError, match="different numbers"):
        cohen_kappa([0, 1], [0])
    with pytest.raises(LearnerError, match="two or more"):
        krippendorff_alpha([[0], [1]])
    with pytest.raises(LearnerError, match="or missing"):
        fleiss_kappa([[0, -2]])


@pytest.mark.parametrize(("share", "noise"), [(0.5, 0.1), (0.1, 0.02), (0.05, 0.0)])
def test_intervals_cover_the_agreement_of_the_population(share: float, noise: float) -> None:
    """Two people who see the same 100 photos and err independently, from common tags to rare ones without errors."""
    rng = np.random.default_rng(5)
    p = share * (1 - noise) + (1 - share) * noise
    both = share * (1 - noise) ** 2 + (1 - share) * noise**2
    expected = p * p + (1 - p) ** 2
    true = (1 - 2 * (p - both) - expected) / (1 - expected)
    held = []
    for seed in range(200):
        truth = rng.random(100) < share
        one, other = ((truth ^ (rng.random(100) < noise)).astype(np.int64) for _ in range(2))
        found = cohen_kappa(one, other, seed=seed)
        if not math.isnan(found.value):
            held.append(found.low <= true <= found.high)
    assert np.mean(held) > 0.91
