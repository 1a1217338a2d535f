# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.evaluation import audit
from focal_photos.learners.evaluation.agreement import cohen_kappa
from focal_photos.learners.evaluation.audit import (
    FIRST_TAGGED,
    OTHER_TAG,
    STRATA,
    KnownAnswers,
    KnownPairs,
    Strata,
    acceptable,
    agreement_with_answers,
    allocation,
    estimate,
    predicted_yes,
    strata_of,
)
from tests.examples import examples

Ints = NDArray[np.int64]


def strata(*rows: tuple[int, int, int, float, int, int]) -> Strata:
    """Return strata of rows (tag, number, size, confidence, answered, yes)."""
    columns = list(zip(*rows, strict=True))
    whole = [np.array(columns[k], dtype=np.int64) for k in (0, 1, 2, 4, 5)]
    return Strata(whole[0], whole[1], whole[2], np.array(columns[3], dtype=np.float64), whole[3], whole[4])


@st.composite
def some_strata(draw: st.DrawFn, *, all_answered: bool = False) -> Strata:
    tags = draw(st.integers(1, 4))
    rows = []
    for tag in range(tags):
        for number in draw(st.lists(st.integers(0, STRATA - 1), min_size=1, unique=True)):
            size = draw(st.integers(0, 60))
            answered = size if all_answered else draw(st.integers(0, size))
            rows.append((tag, number, size, draw(st.floats(0, 1)), answered, draw(st.integers(0, answered))))
    return strata(*rows)


def test_strata_depend_on_tag_and_confidence() -> None:
    confidence = np.array([[0.0005, 0.005, 0.05, 0.3, 0.7, 0.95, 0.2, 0.8]])
    carried = np.array([[False] * 6 + [True] * 2])
    assert strata_of(confidence, carried, exclusive=False).tolist() == [[0, 1, 2, 3, 4, 5, 6, 7]]


def test_strata_of_exclusive_tags_depend_on_the_share_of_the_confidence() -> None:
    confidence = np.array([[0.005, 0.02, 0.075], [0.02, 0.6, 0.2], [0.01, 0.95, 0.01], [0.4, 0.3, 0.3]])
    carried = np.array([[False] * 3, [False] * 3, [False] * 3, [False, True, False]])
    found = strata_of(confidence, carried, exclusive=True)
    assert found[0].tolist() == [1, 2, 3], "strata hold a tenth and half of all confidence"
    assert found[1].tolist() == [1, 4, 2]
    assert found[2].tolist() == [1, 5, 1]
    assert found[3].tolist() == [OTHER_TAG, FIRST_TAGGED, OTHER_TAG]


def test_allocation_agrees_with_a_result_by_hand() -> None:
    size = np.array([100, 0, 0, 25, 0, 0, 9, 91])
    confidence = np.array([0.5, 0, 0, 0.5, 0, 0, 0.5, 0.5])
    assert allocation(size, confidence, 20).tolist() == [8, 0, 0, 2, 0, 0, 1, 9]
    assert allocation(size, confidence, 1000).tolist() == size.tolist(), "no stratum exceeds its size"
    assert allocation(size, confidence, 20, exclusive=True).tolist() == [0, 0, 0, 10, 0, 0, 1, 9]
    few = np.array([100, 0, 0, 0, 0, 0, 0, 3])
    assert allocation(few, confidence, 20).tolist() == [17, 0, 0, 0, 0, 0, 0, 3], "the last stratum takes the rest"


@given(st.lists(st.integers(0, 300), min_size=STRATA, max_size=STRATA), st.integers(0, 400), st.booleans())
def test_allocation_draws_the_requested_or_available_number(sizes: list[int], answers: int, exclusive: bool) -> None:
    size = np.array(sizes, dtype=np.int64)
    drawn = allocation(size, np.full(STRATA, 0.2), answers, exclusive=exclusive)
    here = size.copy()
    if exclusive:
        here[OTHER_TAG] = 0
    assert (drawn >= 0).all()
    assert (drawn <= here).all()
    assert drawn.sum() == min(answers, here.sum())


def reference_mean(size: int, confidence: float, answered: int, yes: int) -> float:
    """Return the expected number of unanswered yes of one stratum by a sum over the grid, in plain loops."""
    total = weighted = 0.0
    odds = float(np.log(confidence / (1 - confidence)))
    shifts = audit._SHIFTS.tolist()
    means = [1 / (1 + np.exp(-(odds + shift))) for shift in shifts]
    about = [np.exp(-0.5 * (shift / audit._SHIFT_SPREAD) ** 2) for shift in shifts]
    jeffreys = [np.sqrt(mean * (1 - mean)) for mean in means]
    for k, mean in enumerate(means):
        prior = about[k] / sum(about) + jeffreys[k] / sum(jeffreys)
        for strength in audit._STRENGTHS.tolist():
            a, b = strength * mean, strength * (1 - mean)
            weight = prior * scipy.stats.betabinom.pmf(yes, answered, a, b)
            total += weight
            weighted += weight * (size - answered) * (a + yes) / (a + b + answered)
    return weighted / total


@pytest.mark.parametrize(
    ("size", "confidence", "answered", "yes"), [(50, 0.5, 10, 9), (400, 0.01, 30, 0), (20, 0.9, 0, 0)]
)
def test_the_prediction_agrees_with_a_sum_over_the_grid(size: int, confidence: float, answered: int, yes: int) -> None:
    found = predicted_yes(strata((0, 3, size, confidence, answered, yes)))[:, 0]
    error = found.std() / np.sqrt(len(found))
    assert abs(found.mean() - reference_mean(size, confidence, answered, yes)) < 5 * error + 1e-9


def test_a_full_audit_agrees_with_a_result_by_hand() -> None:
    # 10 tagged photos, 8 of them correctly; 20 untagged ones, 2 of which should be tagged.
    (one,), total = estimate(strata((0, FIRST_TAGGED + 1, 10, 0.9, 10, 8), (0, 1, 20, 0.1, 20, 2)))
    assert one.precision == (0.8, 0.8, 0.8)
    assert one.missing == (2, 2, 2)
    assert one.recall == (0.8, 0.8, 0.8)
    assert total == one


def test_corrected_tags_count_with_their_current_value() -> None:
    found = strata((0, FIRST_TAGGED + 1, 10, 0.9, 10, 8), (0, 1, 20, 0.1, 20, 2))
    known = KnownPairs(np.array([10]), np.array([0]), np.array([0]))
    (one,), _ = estimate(found, known=known)
    assert one.precision == one.recall == (1, 1, 1)
    assert one.missing == (0, 0, 0)


def test_the_total_over_tags_is_a_sum() -> None:
    rows = [(tag, number, 10, 0.5, 10, 5 + tag) for tag in range(2) for number in (1, FIRST_TAGGED)]
    _, total = estimate(strata(*rows))
    assert total.precision.value == 11 / 20
    assert total.missing.value == 11
    _, first = estimate(strata(*rows), among=np.array([True, False]))
    assert (first.precision.value, first.missing.value) == (0.5, 5)


def test_photos_of_another_exclusive_tag_lack_one_only_if_theirs_is_wrong() -> None:
    rows = [(0, OTHER_TAG, 50, 0.01, 0, 0), (0, FIRST_TAGGED + 1, 50, 0.9, 50, 50)]
    rows += [(1, OTHER_TAG, 50, 0.01, 0, 0), (1, FIRST_TAGGED + 1, 50, 0.9, 50, 50)]
    found, _ = estimate(strata(*rows), exclusive=True)
    assert [one.missing for one in found] == [(0, 0, 0)] * 2, "no tag is wrong, so no photo is missing"
    rows[3] = (1, FIRST_TAGGED + 1, 50, 0.9, 50, 46)
    found, _ = estimate(strata(*rows), exclusive=True)
    assert 0 < found[0].missing.high <= 4, "at most the four photos with a wrong tag"
    assert found[1].missing == (0, 0, 0)


@settings(max_examples=examples(60))
@given(some_strata(), st.booleans())
def test_estimates_are_within_their_bounds(found: Strata, exclusive: bool) -> None:
    each, total = estimate(found, exclusive=exclusive)
    untagged = found.number < FIRST_TAGGED
    for tag, one in [*enumerate(each), (-1, total)]:
        own = untagged if tag < 0 else untagged & (found.tag == tag)
        for share in (one.precision, one.recall):
            assert 0 <= share.low <= share.high <= 1
            assert 0 <= share.value <= 1
        assert 0 <= one.missing.low <= one.missing.high <= found.size[own].sum()


@settings(max_examples=examples(40))
@given(some_strata(all_answered=True))
def test_estimates_are_exact_if_all_questions_are_answered(found: Strata) -> None:
    each, total = estimate(found)
    for one in (*each, total):
        for part in (one.precision, one.missing, one.recall):
            assert part.low == part.high
            assert part.value == pytest.approx(part.low)


@settings(max_examples=examples(30))
@given(st.integers(2, 8), st.integers(0, 8), st.floats(0.05, 0.95))
def test_intervals_shrink_with_answers(answered: int, yes: int, confidence: float) -> None:
    yes = min(yes, answered)
    few, many = (
        estimate(strata((0, FIRST_TAGGED, 400, confidence, times * answered, times * yes)))[0][0].precision
        for times in (1, 16)
    )
    assert many.high - many.low <= few.high - few.low + 0.01


def test_answers_for_one_tag_inform_the_same_stratum_of_others() -> None:
    others = [(tag, 5, 100, 0.95, 50, 0) for tag in range(1, 6)]
    alone = predicted_yes(strata((0, 5, 100, 0.95, 0, 0)))[:, 0].mean()
    beside = predicted_yes(strata((0, 5, 100, 0.95, 0, 0), *others))[:, 0].mean()
    assert beside < 0.4 * alone


def test_the_same_seed_gives_the_same_estimates() -> None:
    found = strata((0, 3, 100, 0.3, 10, 3), (0, FIRST_TAGGED, 50, 0.4, 5, 4))
    assert estimate(found, seed=3) == estimate(found, seed=3)


@pytest.mark.parametrize("row", [(0, 3, 10, 0.5, 11, 0), (0, 3, 10, 0.5, 5, 6), (0, 3, 10, 0.5, 5, -1)])
def test_impossible_counts_are_refused(row: tuple[int, int, int, float, int, int]) -> None:
    with pytest.raises(LearnerError):
        estimate(strata(row))


def pairs_of(sample: Strata) -> Ints:
    """Return the unanswered pairs of each stratum by tag and number."""
    found = np.zeros((int(sample.tag.max()) + 1, STRATA), dtype=np.int64)
    found[sample.tag, sample.number] = sample.size - sample.answered
    return found


def test_strata_are_accepted_that_are_surely_right_together() -> None:
    sample = strata(
        (0, 5, 300, 0.95, 100, 100), (0, 4, 200, 0.7, 60, 40), (0, 1, 900, 0.01, 50, 0), (0, 7, 80, 0.9, 40, 40)
    )
    found = acceptable(sample, pairs_of(sample), precision=0.95)
    assert np.argwhere(found.strata).tolist() == [[0, 5]], "doubtful strata and tagged pairs are not accepted"
    assert found.precision > 0.97
    none = acceptable(sample, pairs_of(sample), precision=1.0001)
    assert not none.strata.any()
    assert none.precision == 0


def test_few_answers_are_not_enough_to_accept_a_stratum() -> None:
    few = strata((0, 5, 300, 0.95, 3, 3))
    share = predicted_yes(few).mean() / 297
    assert share > 0.8
    assert not acceptable(few, pairs_of(few), precision=share).strata.any(), "a mean above the bound is not enough"
    assert not acceptable(strata((0, 5, 300, 0.99, 0, 0)), np.full((1, STRATA), 9), precision=0.01).strata.any()


def test_photos_of_another_tag_are_not_accepted() -> None:
    sample = strata((0, OTHER_TAG, 50, 0.9, 20, 20), (0, 7, 20, 0.9, 10, 10))
    assert acceptable(sample, pairs_of(sample), precision=0.5).strata.any()
    assert not acceptable(sample, pairs_of(sample), precision=0.5, exclusive=True).strata.any()


def test_a_sure_stratum_does_not_make_up_for_a_doubtful_one() -> None:
    sample = strata((0, 5, 1000, 0.95, 200, 200), (0, 4, 100, 0.7, 60, 54))
    assert np.argwhere(acceptable(sample, pairs_of(sample), precision=0.95).strata).tolist() == [[0, 5]]


@given(some_strata(all_answered=True))
@settings(max_examples=examples(60))
def test_agreement_of_an_answered_audit_is_cohens_kappa(found: Strata) -> None:
    for tag, one in enumerate(agreement_with_answers(found)):
        tagged, answers = [], []
        for place in np.flatnonzero(found.tag == tag).tolist():
            size, yes = int(found.size[place]), int(found.yes[place])
            tagged += [int(found.number[place] >= FIRST_TAGGED)] * size
            answers += [1] * yes + [0] * (size - yes)
        kappa = cohen_kappa(tagged, answers).value
        assert one.value == pytest.approx(1 if np.isnan(kappa) else kappa, abs=1e-9)
        assert one.low == pytest.approx(one.high), "nothing is unknown"


def test_unanswered_photos_widen_the_agreement() -> None:
    few = strata((0, 0, 100, 0.1, 10, 1), (0, FIRST_TAGGED + 1, 100, 0.9, 10, 9))
    many = strata((0, 0, 100, 0.1, 90, 9), (0, FIRST_TAGGED + 1, 100, 0.9, 90, 81))
    (wide,), (narrow,) = agreement_with_answers(few), agreement_with_answers(many)
    assert wide.low < narrow.low < 0.8 < narrow.high < wide.high


def test_the_quality_of_a_person_by_hand() -> None:
    person = KnownAnswers(found=18, missed=2, wrong=4, refused=16)
    assert person.recall().value == pytest.approx(0.9)
    assert person.precision().value == pytest.approx(18 / 22)
    exact = scipy.stats.binomtest(18, 20).proportion_ci(method="exact")
    assert person.recall() == pytest.approx((0.9, exact.low, exact.high), abs=1e-4)
    perfect = KnownAnswers(20, 0, 0, 20)
    assert (perfect.recall().value, perfect.recall().high) == (1, 1)
    assert (perfect.precision().value, perfect.precision().high) == (1, 1)
    assert perfect.precision().low < 0.95, "twenty answers prove no more"
    silent = KnownAnswers(0, 20, 0, 20)
    assert silent.precision().value == 1, "no answer was yes"
    assert silent.precision().low == silent.recall().low == 0


@pytest.mark.parametrize("errors", [(0.02, 0.02), (0.1, 0.05), (0.3, 0.15), (0.05, 0.4)])
@pytest.mark.parametrize("pairs", [(20, 20), (60, 120)])
def test_intervals_of_simulated_persons_contain_their_true_quality(
    errors: tuple[float, float], pairs: tuple[int, int]
) -> None:
    rng = np.random.default_rng(0)
    yes, no = pairs
    recall = 1 - errors[0]
    precision = yes * recall / (yes * recall + no * errors[1])
    covered = np.zeros(2)
    for _ in range(300):
        found, wrong = int(rng.binomial(yes, recall)), int(rng.binomial(no, errors[1]))
        person = KnownAnswers(found, yes - found, wrong, no - wrong)
        for number, (one, true) in enumerate(((person.recall(), recall), (person.precision(), precision))):
            covered[number] += one.low <= true <= one.high
    assert (covered / 300 >= 0.94).all(), covered / 300
