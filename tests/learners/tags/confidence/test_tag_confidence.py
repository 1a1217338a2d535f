# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError, NotFittedError
from focal_photos.learners.tags.confidence.tag_confidence import (
    TYPICAL_TEMPERATURE,
    TYPICAL_WITH_SIGNS,
    Confidences,
    TagConfidence,
    softmax,
    typical_temperature,
)
from focal_photos.learners.tags.tag_ridge import TagRidge, TagScores
from tests.examples import examples

Floats = NDArray[np.float64]


def drawn(kind: NDArray[np.intp], seed: int, apart: float = 1.0) -> Floats:
    """Return photos of kinds whose random means are the same for every seed."""
    means = np.random.default_rng(99).normal(size=(60, 12)) * apart
    return means[kind] + np.random.default_rng(seed).normal(size=(len(kind), 12))


def learned(X: Floats, tags: sp.csr_array, pool: Floats, **more: sp.csr_array) -> tuple[TagConfidence, Confidences]:
    ridge = TagRidge().fit(X, tags, **more)
    scores = ridge.scores(pool)
    confidence = TagConfidence().fit(
        ridge.left_out_, tags, kinds=ridge.kind_left_out_, untagged=scores, rejected=more.get("rejected")
    )
    return confidence, confidence.confidences(scores)


def gap(sure: Floats, right: NDArray[np.bool_]) -> float:
    tenth = np.minimum((10 * sure).astype(int), 9)
    return float(sum(abs((sure - right)[tenth == t].sum()) for t in range(10)) / len(sure))


@pytest.mark.parametrize(("each", "apart"), [(5, 0.5), (10, 0.5), (3, 1.0), (5, 1.0), (10, 1.0)])
def test_the_confidence_is_calibrated(each: int, apart: float) -> None:
    kind, asked = np.repeat(np.arange(10), each), np.repeat(np.arange(10), 60)
    _, found = learned(drawn(kind, 0, apart), sp.csr_array(np.eye(10)[kind]), drawn(asked, 1, apart))
    right = found.tags.argmax(axis=1) == asked
    assert gap(found.tags.max(axis=1), right) < 0.12


def test_kinds_that_three_photos_hardly_show_are_not_overstated() -> None:
    """Nothing tells whether other photos have such tags, so that confidences are too low rather than too high."""
    kind, asked = np.repeat(np.arange(10), 3), np.repeat(np.arange(10), 60)
    _, found = learned(drawn(kind, 0, 0.5), sp.csr_array(np.eye(10)[kind]), drawn(asked, 1, 0.5))
    right = found.tags.argmax(axis=1) == asked
    assert found.tags.max(axis=1).mean() < right.mean() < 0.4


@pytest.mark.parametrize("kinds", [1, 2, 3, 6])
@pytest.mark.parametrize("each", [5, 20])
def test_a_tag_that_does_not_show_is_not_found_in_other_photos(kinds: int, each: int) -> None:
    """The tags of small things: their photos look like all others, of ten kinds that have no tag."""
    rng = np.random.default_rng(kinds)
    tags = sp.csr_array(np.eye(kinds)[np.repeat(np.arange(kinds), each)])
    for seed in range(3):
        tagged, others = (drawn(rng.integers(0, 10, n), seed) for n in (kinds * each, 400))
        confidence, found = learned(tagged, tags, others)
        assert (found.tags.max(axis=1) >= 0.5).mean() <= 0.02
        assert (confidence.visible_ < 0.9).all()
        np.testing.assert_allclose(found.tags.sum(axis=1) + found.none, 1)


def test_a_tag_that_does_not_show_leaves_the_others_as_they_are() -> None:
    kind, asked = np.repeat(np.arange(5), 12), np.random.default_rng(0).permutation(np.repeat(np.arange(4), 60))
    looks = kind.copy()
    looks[kind == 4] = np.arange(12) % 4  # of all other kinds
    confidence, found = learned(drawn(looks, 0, 2.0), sp.csr_array(np.eye(5)[kind]), drawn(asked, 1, 2.0))
    assert (confidence.visible_[:4] > 0.95).all()
    assert confidence.visible_[4] < 0.3
    assert (found.tags.argmax(axis=1) == asked).mean() > 0.95
    assert found.tags[:, 4].max() < 0.2


@pytest.mark.parametrize("each", [5, 20])
def test_a_tag_that_does_not_show_is_not_found_beside_tags_of_places(each: int) -> None:
    """Photos have a place, which shows, and some of them a small thing, which does not."""
    rng = np.random.default_rng(each)
    for seed in range(3):
        place = np.repeat(np.arange(4), 2 * each)
        thing = rng.permutation(np.arange(len(place)) % 8) == 0
        asked = rng.integers(0, 10, 400)
        tags = sp.csr_array(np.column_stack([np.eye(4)[place], thing]))
        confidence, found = learned(drawn(place, seed, 2.0), tags, drawn(asked, seed + 10, 2.0))
        assert not confidence.exclusive_
        assert (confidence.visible_[:4] > 0.95).all()
        assert confidence.visible_[4] < 0.75
        assert (found.tags[:, 4] >= 0.5).mean() <= 0.02
        assert (found.tags[asked < 4][np.arange((asked < 4).sum()), asked[asked < 4]] >= 0.5).mean() > 0.9


def test_the_only_tag_is_found_if_it_shows() -> None:
    asked = np.repeat(np.arange(5), 60)
    confidence, found = learned(
        drawn(np.zeros(6, np.intp), 0, 2.0), sp.csr_array(np.ones((6, 1))), drawn(asked, 1, 2.0)
    )
    assert confidence.visible_[0] > 0.95
    assert np.quantile(found.tags[asked == 0, 0], 0.1) > 2 * np.quantile(found.tags[asked > 0, 0], 0.9)


def test_a_tag_of_all_photos_stays_likely_although_it_does_not_show() -> None:
    kind, asked = np.repeat(np.arange(3), 8), np.repeat(np.arange(3), 10)
    tags = sp.csr_array(np.column_stack([np.eye(3)[kind], np.ones(24)]))
    _, found = learned(drawn(kind, 0, 2.0), tags, drawn(asked, 1, 2.0))
    assert (found.tags[:, 3] >= 0.5).mean() > 0.8


def test_the_shares_of_a_folder_follow_its_photos() -> None:
    kind, asked = np.repeat(np.arange(8), 10), np.repeat(np.arange(12), 50)
    confidence, found = learned(drawn(kind, 0), sp.csr_array(np.eye(8)[kind]), drawn(asked, 1))
    scores = TagRidge().fit(drawn(kind, 0), sp.csr_array(np.eye(8)[kind])).scores(drawn(asked, 1))
    new, foreign = asked >= 8, np.full(len(asked), -np.inf)

    of_known, of_new = confidence.shares_by_folder(scores, foreign, new.astype(np.intp), 2)
    assert of_known[0] < confidence.none_share_ < of_new[0]
    by_folder = confidence.confidences(scores, shares=np.where(new[:, None], of_new, of_known))
    assert (by_folder.none[new] >= found.none[new]).all()
    assert (by_folder.none[~new] <= found.none[~new]).all()
    of_library = np.tile([confidence.none_share_, confidence.foreign_share_], (len(asked), 1))
    assert np.array_equal(confidence.confidences(scores, shares=of_library).tags, found.tags)


def test_the_share_of_foreign_photos_in_a_folder_has_the_known_maximum() -> None:
    kind = np.repeat(np.arange(3), 5)
    ridge = TagRidge().fit(drawn(kind, 0), sp.csr_array(np.eye(3)[kind]))
    sure = np.concatenate([np.full(30, 50.0), np.full(10, -50.0)])
    confidence = TagConfidence().fit(ridge.left_out_, sp.csr_array(np.eye(3)[kind]), foreign=sure)
    expected = (30 + 10 * confidence.foreign_share_) / (40 + 10)  # certain photos, and ten of the library
    one = np.zeros(len(sure), np.intp)
    assert confidence.shares_by_folder(None, sure, one, 1)[0] == pytest.approx([0, expected])
    by_two = confidence.shares_by_folder(None, sure, (sure < 0).astype(np.intp), 3)
    library = np.array([0, confidence.foreign_share_])
    assert by_two == pytest.approx(np.array([(np.array([0, 30]) + 10 * library) / 40, 10 * library / 20, library])), (
        "the last folder has no photos"
    )
    with pytest.raises(NotFittedError):
        TagConfidence().shares_by_folder(None, sure, one, 1)


@pytest.mark.parametrize("each", [5, 10, 20])
def test_photos_of_an_untagged_kind_get_no_confident_tags(each: int) -> None:
    kind, asked = np.repeat(np.arange(8), each), np.repeat(np.arange(12), 50)
    _, found = learned(drawn(kind, 0), sp.csr_array(np.eye(8)[kind]), drawn(asked, 1))
    new = asked >= 8
    sure, right = found.tags.max(axis=1), found.tags.argmax(axis=1) == asked
    assert gap(sure, right) < 0.1
    assert found.none[new].mean() > found.none[~new].mean() + 0.2
    assert right[sure > 0.9].mean() > 0.85
    assert (sure[new] > 0.9).mean() < 0.06


def test_the_share_of_new_kinds_is_small_if_all_kinds_are_tagged() -> None:
    kind, asked = np.repeat(np.arange(10), 10), np.repeat(np.arange(10), 50)
    tags = sp.csr_array(np.eye(10)[kind])
    known, found = learned(drawn(kind, 0), tags, drawn(asked, 1))
    assert known.none_share_ < 0.1
    new, _ = learned(drawn(kind, 0), tags, drawn(np.repeat(np.arange(20), 25), 1))
    assert new.none_share_ > 0.3
    assert found.none.mean() < 0.1


def test_with_one_tagged_kind_unlike_photos_do_not_get_its_tag() -> None:
    asked = np.repeat(np.arange(6), 30)
    _, found = learned(drawn(np.zeros(8, np.intp), 0, 2), sp.csr_array(np.ones((8, 1))), drawn(asked, 1, 2))
    assert found.tags[asked == 0].mean() > found.tags[asked > 0].mean() + 0.5
    assert found.tags[asked > 0].max() < 0.5
    alone, found = learned(drawn(np.zeros(1, np.intp), 0, 2), sp.csr_array(np.ones((1, 1))), drawn(asked, 1, 2))
    assert alone.none_share_ == 30 / 31
    assert found.tags[asked == 0].mean() > found.tags[asked > 0].mean() + 0.05
    assert found.tags[asked > 0].max() < 0.5


@pytest.mark.parametrize("kinds", [1, 2, 4])
def test_tags_on_one_photo_each_are_not_suggested_too_confidently(kinds: int) -> None:
    asked = np.repeat(np.arange(12), 40)
    sure, right = [], []
    for seed in range(8):
        own = np.random.default_rng(seed).permutation(12)[:kinds]
        _, found = learned(drawn(own, seed, 2), sp.csr_array(np.eye(kinds)), drawn(asked, 100 + seed, 2))
        sure.append(found.tags.max(axis=1))
        right.append(own[found.tags.argmax(axis=1)] == asked)
    stated, correct = np.concatenate(sure), np.concatenate(right)
    high = stated > 0.3
    assert high.any()
    assert correct[high].mean() > stated[high].mean() - 0.1


def test_tags_on_one_photo_do_not_show_how_new_kinds_look() -> None:
    kind, asked = np.array([0] * 8 + [1, 2]), np.repeat(np.arange(12), 40)
    sure, right = [], []
    for seed in range(8):
        _, found = learned(drawn(kind, seed), sp.csr_array(np.eye(3)[kind]), drawn(asked, 100 + seed))
        sure.append(found.tags.max(axis=1))
        right.append(found.tags.argmax(axis=1) == asked)
    stated, correct = np.concatenate(sure), np.concatenate(right)
    assert correct[stated > 0.8].mean() > 0.8


def test_unique_tags_are_ignored_and_the_nearest_photo_still_counts() -> None:
    # Most tags are on one photo, so no left-out score is right; this must not reduce the confidence to tag frequencies.
    kind, asked = np.concatenate([np.arange(30), np.arange(5)]), np.repeat(np.arange(30), 10)
    confidence, found = learned(drawn(kind, 0, 2), sp.csr_array(np.eye(30)[kind]), drawn(asked, 1, 2))
    nearest = ((drawn(asked, 1, 2)[:, None] - drawn(kind, 0, 2)[None]) ** 2).sum(axis=2).argmin(axis=1)
    assert (found.tags.argmax(axis=1) == asked).mean() > (kind[nearest] == asked).mean() - 0.02
    assert confidence.temperature_ < 0.2
    ridge = TagRidge().fit(drawn(kind, 0, 2), sp.csr_array(np.eye(30)[kind]))
    twice = np.concatenate([np.arange(5), np.arange(30, 35)])
    scores = TagScores(ridge.left_out_.tags[twice], ridge.left_out_.nearest[twice])
    without = TagConfidence().fit(scores, sp.csr_array(np.eye(30)[kind[twice]]))
    assert confidence.temperature_ == without.temperature_


def test_as_many_scores_exceed_the_threshold_as_photos_have_the_tag() -> None:
    rng = np.random.default_rng(0)
    tags = rng.random((50, 6)) < 0.3
    scores = tags * 0.5 + rng.random((50, 6))
    confidence = TagConfidence().fit(TagScores(scores, np.zeros(50)), sp.csr_array(tags.astype(float)))
    np.testing.assert_array_equal((scores > confidence.thresholds_).sum(axis=0), tags.sum(axis=0))
    found = confidence.confidences(TagScores(scores, np.zeros(50)))
    np.testing.assert_allclose(found.order, scores - confidence.thresholds_)
    assert not confidence.exclusive_
    assert not found.none.any()


def test_the_confidence_of_several_tags_is_calibrated() -> None:
    rng = np.random.default_rng(3)
    means = rng.normal(size=(8, 12)) * 1.2
    tags = (rng.random((700, 8)) < 0.25).astype(float)
    X = tags @ means + rng.normal(size=(700, 12))
    _, found = learned(X[:150], sp.csr_array(tags[:150]), X[150:])
    assert gap(found.tags.ravel(), tags[150:].ravel() > 0) < 0.05


def test_common_tags_stay_calibrated_beside_many_rare_ones() -> None:
    rng = np.random.default_rng(0)
    common = np.arange(400) < 8
    scores = rng.random((900, 400)) * np.where(common, 0.9, 0.2)
    # Common tags are right as often as their scores say; the many rare ones hardly ever are.
    tags = rng.random((900, 400)) < np.where(common, scores, 0.004)
    confidence = TagConfidence().fit(TagScores(scores[:450], np.zeros(450)), sp.csr_array(tags[:450].astype(float)))
    found = confidence.confidences(TagScores(scores[450:], np.zeros(450)))
    i, tag = np.nonzero(common & (scores[450:] > 0.4))
    assert gap(found.tags[i, tag], tags[450:][i, tag]) < 0.06


def test_confident_rejected_tags_lower_the_confidence_of_all() -> None:
    kind = np.repeat(np.arange(3), 10)
    scores = np.vstack([np.eye(3)[kind] * 0.7, np.tile([0.7, 0, 0], (6, 1))])
    tags = sp.csr_array(np.vstack([np.eye(3)[kind], np.zeros((6, 3))]))
    against = sp.csr_array((np.ones(6), (np.arange(30, 36), np.zeros(6, int))), shape=(36, 3))
    seen = TagScores(scores, np.ones(36))
    plain, taught = TagConfidence().fit(seen, tags), TagConfidence().fit(seen, tags, rejected=against)
    assert taught.temperature_ > 1.3 * plain.temperature_


def test_rejections_lower_the_confidence() -> None:
    kind = np.repeat(np.arange(2), 6)
    X, pool = drawn(kind, 0), drawn(np.repeat(np.arange(2), 30), 1)
    tags = sp.csr_array(np.eye(2)[kind])
    _, before = learned(X, tags, pool)
    more = np.vstack([X, pool[:4]])
    given = sp.csr_array(sp.vstack([tags, sp.csr_array((4, 2))]))
    against = sp.csr_array((np.ones(4), (np.arange(12, 16), np.zeros(4, int))), shape=(16, 2))
    _, after = learned(more, given, pool, rejected=against)
    assert after.tags[4:30, 0].mean() < before.tags[4:30, 0].mean() - 0.05


@settings(max_examples=examples(40))
@given(seed=st.integers(0, 10_000), n=st.integers(1, 12), m=st.integers(1, 4), single=st.booleans())
def test_tiny_and_singular_cases_give_shares_of_one(seed: int, n: int, m: int, single: bool) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (n, 2)).astype(float)  # copies
    tags = np.eye(m)[rng.integers(0, m, n)] if single else (rng.random((n, m)) < rng.random()).astype(float)
    against = sp.csr_array((rng.random((n, m)) < 0.2).astype(float))
    confidence, found = learned(X, sp.csr_array(tags), rng.random((5, 2)), rejected=against)
    for values in (found.tags, found.none):
        assert np.isfinite(values).all()
        assert ((values >= 0) & (values <= 1)).all()
    if confidence.exclusive_:
        np.testing.assert_allclose(found.tags.sum(axis=1) + found.none, 1)


def test_the_best_tags_of_a_photo_are_chosen_by_order() -> None:
    sure = np.array([[0.5, 0.3, 0.1, 0.1], [0.0, 0.2, 0.6, 0.2]])
    found = Confidences(sure, np.zeros(2), sure[:, ::-1], np.zeros(2), np.ones(2))
    # Chosen by the order, reported with the confidence.
    assert found.best(2) == [[(2, 0.1), (3, 0.1)], [(2, 0.6), (1, 0.2)]]
    assert found.best(2, minimum=0.2) == [[(0, 0.5), (1, 0.3)], [(2, 0.6), (1, 0.2)]]
    barred = sp.csr_array(np.array([[1, 0, 0, 1], [0, 0, 1, 0]]))
    assert found.best(9, exclude=barred) == [[(1, 0.3), (2, 0.1)], [(1, 0.2), (3, 0.2)]]


@settings(max_examples=examples(60))
@given(st.integers(0, 2**32 - 1), st.integers(0, 7), st.integers(1, 9), st.integers(0, 6), st.booleans())
def test_the_best_tags_agree_with_a_full_sort(seed: int, q: int, m: int, per_photo: int, barring: bool) -> None:
    rng = np.random.default_rng(seed)
    tags, order = rng.integers(0, 6, (q, m)) / 5, rng.integers(-2, 3, (q, m)) / 2  # many values are equal
    barred = rng.random((q, m)) < 0.3 if barring else np.zeros((q, m), bool)
    found = Confidences(tags, np.zeros(q), order, np.zeros(q), np.ones(q)).best(
        per_photo, minimum=0.2, exclude=sp.csr_array(barred)
    )
    for i in range(q):
        allowed = [j for j in range(m) if tags[i, j] >= 0.2 and not barred[i, j]]
        chosen = sorted(allowed, key=lambda j: (-order[i, j], j))[:per_photo]
        assert found[i] == [(j, tags[i, j]) for j in sorted(chosen, key=lambda j: (-tags[i, j], j))]
    assert len(found) == q


def test_temperature_and_softmax_agree_with_a_slow_reference() -> None:
    np.testing.assert_allclose(softmax(np.array([[0.0, np.log(3) / 10]]), 0.1), [[0.25, 0.75]])
    rng = np.random.default_rng(0)
    scores = rng.random((4000, 3))
    chances = softmax(scores, 0.3)
    truth = (rng.random((4000, 1)) < np.cumsum(chances, axis=1)).argmax(axis=1)
    confidence = TagConfidence().fit(TagScores(scores, np.zeros(4000)), sp.csr_array(np.eye(3)[truth]))
    assert 0.25 < confidence.temperature_ < 0.36


def test_invalid_input_is_refused() -> None:
    with pytest.raises(LearnerError, match="Scores and tags differ in shape"):
        TagConfidence().fit(TagScores(np.zeros((2, 2)), np.zeros(2)), sp.csr_array(np.eye(3)))
    with pytest.raises(NotFittedError, match="call fit first"):
        TagConfidence().confidences(TagScores(np.zeros((2, 2)), np.zeros(2)))


def test_the_typical_temperature_falls_with_the_share_of_codes_in_the_kernel() -> None:
    X, tags = np.arange(4.0)[:, None], sp.csr_array(np.eye(4))
    codes = np.random.default_rng(0).integers(0, 256, (4, 8), dtype=np.uint8)
    shared = sp.csr_array(np.eye(4))

    def typical(signs: float, neighbors: float) -> float:
        ridge = TagRidge(signs=signs, neighbors=neighbors)
        return typical_temperature(ridge.fit(X, tags, shared=shared, codes=codes if signs else None))

    assert typical(0.0, 0.0) == typical(0.5, 1.0) == TYPICAL_TEMPERATURE
    assert typical(0.5, 0.0) == typical(1.0, 0.0) == pytest.approx(TYPICAL_WITH_SIGNS)
    assert typical(0.5, 0.75) == pytest.approx(TYPICAL_TEMPERATURE - (TYPICAL_TEMPERATURE - TYPICAL_WITH_SIGNS) / 4)
    assert typical(0.25, 0.0) == pytest.approx((TYPICAL_TEMPERATURE + TYPICAL_WITH_SIGNS) / 2)


def test_the_temperature_is_the_typical_one_with_little_data() -> None:
    # Each tag is on one photo, so nothing can be left out.
    X, tags = np.arange(4.0)[:, None], sp.csr_array(np.eye(4))
    left_out = TagRidge().fit(X, tags).left_out_
    for typical in (0.06, 0.085, 0.3):
        found = TagConfidence(typical).fit(left_out, tags).temperature_
        assert abs(np.log(found / typical)) < 0.08  # within the step size of the search
    with pytest.raises(LearnerError, match="typical must be above 0"):
        TagConfidence(0.0).fit(left_out, tags)
