# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import norm, rankdata

from focal_photos.learners.core.estimator import LearnerError, NotFittedError
from focal_photos.learners.core.kernels import median_squared_distance, rbf
from focal_photos.learners.tags.confidence.foreign import MIN_PHOTOS, ForeignOdds
from focal_photos.learners.tags.confidence.tag_confidence import Confidences, TagConfidence
from focal_photos.learners.tags.confidence.unlikeness import Unlikeness
from focal_photos.learners.tags.tag_ridge import TagRidge
from tests.examples import examples

Floats = NDArray[np.float64]
KINDS = 8


def world(kind: NDArray[np.intp], seed: int) -> Floats:
    """Photos of kinds whose means are in four of ten dimensions."""
    means = np.zeros((KINDS, 10))
    means[:, :4] = 3 * np.random.default_rng(99).normal(size=(KINDS, 4))
    return means[kind] + np.random.default_rng(seed).normal(size=(len(kind), 10))


def foreign(count: int, seed: int) -> Floats:
    """Photos in another region, with a similar spread."""
    rng = np.random.default_rng(seed)
    return 3.0 * (np.arange(10) >= 4) + rng.normal(size=(count, 10)) * 1.5


def area(positive: Floats, negative: Floats) -> float:
    ranks = rankdata(np.concatenate([positive, negative]))[: len(positive)]
    return float((ranks.sum() - len(positive) * (len(positive) + 1) / 2) / (len(positive) * len(negative)))


@pytest.mark.parametrize("each", [1, 2, 5])
def test_foreign_photos_have_higher_odds_than_those_of_tagged_kinds(each: int) -> None:
    X, known = world(np.repeat(np.arange(KINDS), each), 0), world(np.repeat(np.arange(KINDS), 20), 1)
    strange = foreign(160, 2)
    learned = ForeignOdds().fit(X, np.concatenate([known, strange]))
    assert area(learned.untagged_[160:], learned.untagged_[:160]) > 0.97
    # So do photos that were in neither sample.
    later, other = learned.log_odds(world(np.repeat(np.arange(KINDS), 20), 3)), learned.log_odds(foreign(160, 4))
    assert area(other, later) > 0.97
    alone = ForeignOdds().fit(X)
    assert len(alone.untagged_) == 0
    assert area(alone.log_odds(strange), alone.log_odds(known)) > 0.9


def test_photos_are_foreign_if_that_is_likelier_with_the_share_among_the_untagged() -> None:
    X, known = world(np.repeat(np.arange(KINDS), 5), 0), world(np.repeat(np.arange(KINDS), 20), 1)
    learned = ForeignOdds().fit(X, np.concatenate([known, foreign(160, 2)]))
    assert learned.share_ == pytest.approx(share_of(np.exp(learned.untagged_)), abs=1e-6)
    assert 0.35 < learned.share_ < 0.5  # 160 of 320, with 50 photos at .05: 162.5 of 370
    is_foreign = learned.are_foreign(learned.untagged_)
    assert is_foreign[160:].mean() > 0.95
    assert is_foreign[:160].mean() < 0.05
    even = np.log((1 - learned.share_) / learned.share_)
    assert learned.are_foreign([even - 1e-6, even + 1e-6]).tolist() == [False, True]
    alone = ForeignOdds().fit(X)
    assert alone.share_ == pytest.approx(0.05)


def test_photos_are_judged_by_the_share_of_foreign_ones_in_their_folder() -> None:
    X, known = world(np.repeat(np.arange(KINDS), 5), 0), world(np.repeat(np.arange(KINDS), 20), 1)
    learned = ForeignOdds().fit(X, np.concatenate([known, foreign(160, 2)]))
    folders = np.repeat([0, 2], 160)
    shares = learned.shares_by_folder(learned.untagged_, folders, 3)
    # As likely as the share of all photos if the other folder did not exist, with ten photos of the library as prior.
    for folder in (0, 2):
        odds = np.exp(learned.untagged_[folders == folder])
        posterior = odds * shares[folder] / (1 - shares[folder] + odds * shares[folder])
        assert shares[folder] == pytest.approx((posterior.sum() + 10 * learned.share_) / 170, abs=1e-6)
    assert shares[1] == pytest.approx(learned.share_), "nothing is known about a folder without photos"
    assert shares[0] < 0.1 < 0.9 < shares[2]
    assert learned.are_foreign([0.0, 0.0], [0.4, 0.6]).tolist() == [False, True]


def predicted_by_the_others(samples: Floats, targets: Floats, ridge: float) -> Floats:
    """Leave-one-out predictions of kernel ridge regression, photo by photo."""
    gamma = 1 / median_squared_distance(samples.astype(np.float32))
    found = np.empty(len(samples))
    for i in range(len(samples)):
        rest = np.delete(np.arange(len(samples)), i)
        system = rbf(samples[rest], samples[rest], gamma) + 1 + ridge * np.eye(len(rest))
        found[i] = ((rbf(samples[[i]], samples[rest], gamma) + 1) @ np.linalg.solve(system, targets[rest])).item()
    return found


def standardised(distance: Floats, contrast: Floats, weight: float, n: int) -> Floats:
    """Sum of two features in standard deviations of the first n photos."""
    summed = sum(k * (x - x[:n].mean()) / x[:n].std() for k, x in ((1.0, distance), (weight, -contrast)))
    return np.asarray(summed / (summed[:n].std() * (1 + 3 / n)))


def share_of(odds: Floats) -> float:
    """Share of foreign photos by expectation maximisation, with 50 photos at .05."""
    share = 0.05
    for _ in range(100):
        share = ((share * odds / (1 - share + share * odds)).sum() + 2.5) / (len(odds) + 50)
    return share


def last_contrast(samples: Floats, distance: Floats, n: int, tagged: NDArray[np.bool_]) -> Floats:
    """Contrast after three new targets of the photos that are not tagged, by the definition."""
    contrast, weight, share = predicted_by_the_others(samples, tagged.astype(float), 10.0), 1.0, 1.0
    for _ in range(3):
        summed = standardised(distance, contrast, weight, n)
        odds = np.exp(5 * n / (n + 20) * (summed - max(np.quantile(summed[:n], 0.95), 1.0)))
        share = min(share, share_of(odds[~tagged]))
        targets = np.where(tagged, 1.0, (1 - share) / (1 - share + share * odds))
        contrast, weight = predicted_by_the_others(samples, targets, 0.3), 1.5
    return contrast


def log_odds_by_mixture(tagged: Floats, untagged: Floats, summed: Floats) -> Floats:
    """Log odds of two normal distributions fitted to sums of features; some tagged photos look foreign."""
    mean, variance, share, outliers = 3.0, 1.0, 0.05, 0.05
    n, u = len(tagged), len(untagged)

    def density_ratio(x: Floats) -> Floats:
        deviation = np.sqrt(variance)
        return np.asarray(norm.pdf(x, mean, deviation) / norm.pdf(x, 0, deviation))

    for _ in range(200):
        odd = outliers * density_ratio(tagged)
        strange = share + (1 - share) * outliers
        part = strange * density_ratio(untagged)
        odd, part = odd / (odd + 1 - outliers), part / (part + 1 - strange)
        outliers = (2 + odd.sum()) / (40 + n)
        share = ((part * share / strange).sum() + 50 * 0.05) / (u + 50)
        mean = max(((part * untagged).sum() + 20 * 3) / (part.sum() + 20), 2.5)
        variance = (n + 5 + (part * (untagged - mean) ** 2).sum()) / (n + 5 + part.sum())
    unseen = 2.5 / (2.5 + part.sum())  # foreign photos unlike those found: a mean of 2.5, a variance of 1
    expected = norm.pdf(summed, 2.5) / norm.pdf(summed)
    return np.asarray(np.log((1 - unseen) * density_ratio(summed) + unseen * expected))


def test_contrasts_are_leave_one_out_predictions_with_new_targets_for_untagged_photos() -> None:
    n = 12
    X, others = world(np.arange(n) // 3, 0), np.concatenate([world(np.arange(8), 1), foreign(10, 2)])
    learned = ForeignOdds().fit(X, others)
    samples = np.concatenate([X, others])
    tagged = np.arange(len(samples)) < n
    known = Unlikeness().fit(X)
    distance = np.concatenate([known.left_out_, known.of(others)])
    distance = np.log(distance + 0.01 * median_squared_distance(X))
    first = standardised(distance, predicted_by_the_others(samples, tagged.astype(float), 10.0), 1.0, n)
    bound = 5 * (first - max(np.quantile(first[:n], 0.93), 1.0)) + 3
    contrast = last_contrast(samples, distance, n, tagged)
    fold = np.random.default_rng(0).permutation(n) % 5
    for part in range(5):
        own = np.flatnonzero(fold == part)
        contrast[own] = last_contrast(samples, distance, n, tagged & ~np.isin(np.arange(len(samples)), own))[own]
    summed = standardised(distance, contrast, 1.5, n)
    found = np.concatenate([learned.left_out_, learned.untagged_])
    by_mixture = log_odds_by_mixture(summed[:n], summed[n:], summed)
    assert 5 < (by_mixture < bound).sum() < len(samples)
    np.testing.assert_allclose(found, np.minimum(by_mixture, bound), atol=0.02)


def test_few_tagged_photos_seem_foreign() -> None:
    for seed in range(5):
        X = world(np.repeat(np.arange(KINDS), 6), seed)
        learned = ForeignOdds().fit(X, np.concatenate([world(np.repeat(np.arange(KINDS), 9), 50 + seed)]))
        assert (learned.left_out_ > 0).sum() <= 4  # 7 % of 48, rounded up


def test_the_odds_are_unknown_with_few_tagged_photos() -> None:
    X, others = world(np.arange(MIN_PHOTOS - 1), 0), foreign(20, 1)
    learned = ForeignOdds().fit(X, others)
    assert not learned.left_out_.any()
    assert not learned.log_odds(others).any()
    assert ForeignOdds().fit(world(np.arange(MIN_PHOTOS), 0), others).log_odds(others).any()


@settings(max_examples=examples(40))
@example(199, 1, 6)  # the share of unseen foreign photos rounds to 1
@given(st.integers(0, 10_000), st.integers(1, 12), st.integers(0, 8))
def test_copies_and_tiny_samples_give_finite_odds(seed: int, n: int, others: int) -> None:
    rng = np.random.default_rng(seed)
    X, untagged = rng.integers(0, 2, (n, 2)).astype(float), rng.integers(0, 2, (others, 2)).astype(float)
    learned = ForeignOdds().fit(X, untagged)
    for odds in (learned.left_out_, learned.untagged_, learned.log_odds(10 * rng.normal(size=(4, 2)))):
        assert np.isfinite(odds).all()


def sure(each: int, pool: Floats, asked: Floats, seed: int, several: bool) -> tuple[TagConfidence, Confidences]:
    kind = np.repeat(np.arange(KINDS), each)
    tags = np.eye(KINDS)[kind]
    if several:
        tags = np.column_stack([tags, kind % 2 == 0, kind < 3])
    X, given = world(kind, seed), sp.csr_array(tags)
    ridge, odds = TagRidge().fit(X, given), ForeignOdds().fit(X, pool)
    learned = TagConfidence().fit(
        ridge.left_out_,
        given,
        kinds=ridge.kind_left_out_,
        untagged=ridge.scores(pool),
        foreign=odds.untagged_,
    )
    return learned, learned.confidences(ridge.scores(asked), foreign=odds.log_odds(asked))


@pytest.mark.parametrize("several", [False, True])
def test_foreign_photos_get_no_tag_with_exclusive_and_with_several_tags(several: bool) -> None:
    known, strange = np.repeat(np.arange(KINDS), 20), foreign(150, 5)
    pool = np.concatenate([world(known, 4), foreign(150, 6)])
    asked = np.concatenate([world(known, 7), strange])
    learned, found = sure(5, pool, asked, 0, several)
    assert learned.exclusive_ is not several
    assert 0.3 < learned.foreign_share_ + learned.none_share_ < 0.6
    best, is_known = found.tags[:, :KINDS].max(axis=1), np.arange(len(asked)) < len(known)
    assert (best[~is_known] >= 0.5).mean() <= 0.02
    assert area(best[is_known], best[~is_known]) > 0.97
    assert found.none[~is_known].mean() > 0.9
    assert np.median(found.foreign[is_known]) < 0.01
    assert found.foreign[is_known].mean() < 0.15
    assert ((found.foreign >= 0) & (found.foreign <= found.none + 1e-12)).all()
    # As many known photos are proposed as without foreign photos in the library, except for a few.
    _, without = sure(5, world(known, 4), asked[is_known], 0, several)
    shown = without.tags[:, :KINDS].max(axis=1) >= 0.5
    assert (best[is_known][shown] >= 0.5).mean() >= 0.9


def test_some_photos_of_tagged_kinds_look_foreign_so_no_photo_is_foreign_for_certain() -> None:
    kind = np.repeat(np.arange(KINDS), 5)
    tags = sp.csr_array(np.column_stack([np.eye(KINDS)[kind], kind % 2 == 0]))
    X, pool = world(kind, 0), np.concatenate([world(np.repeat(np.arange(KINDS), 20), 4), foreign(10, 6)])
    ridge, odds = TagRidge().fit(X, tags), ForeignOdds().fit(X, pool)
    learned = TagConfidence().fit(ridge.left_out_, tags, untagged=ridge.scores(pool), foreign=odds.untagged_)
    share = learned.foreign_share_
    assert 0 < share < 0.3
    found = learned.confidences(ridge.scores(foreign(20, 7)), foreign=np.full(20, 50.0))
    # Of all photos that look foreign, these are not: 3 % of the others.
    np.testing.assert_allclose(1 - found.foreign, 0.03 * (1 - share) / (0.03 * (1 - share) + share), rtol=0.05)


@settings(max_examples=examples(15))
@given(st.integers(0, 10_000), st.booleans())
@example(seed=719, several=False)
@example(seed=3399, several=False)
@example(seed=6652, several=True)
def test_foreign_photos_in_the_library_do_not_increase_confidence(seed: int, several: bool) -> None:
    known = world(np.repeat(np.arange(KINDS), 12), seed + 1)
    asked = np.concatenate([world(np.repeat(np.arange(KINDS), 3), seed + 2), foreign(30, seed + 4)])
    _, before = sure(5, known, asked, seed, several)
    _, after = sure(5, np.concatenate([known, foreign(90, seed + 3)]), asked, seed, several)
    of_known, of_foreign = np.split(after.tags[:, :KINDS].max(axis=1) - before.tags[:, :KINDS].max(axis=1), [3 * KINDS])
    assert of_foreign.max() < 0.01
    # A known photo that seemed foreign may be recognised once there are foreign ones.
    assert of_known.mean() < 0.1


def test_invalid_input_is_refused() -> None:
    with pytest.raises(LearnerError, match="regularization must be above 0"):
        ForeignOdds(regularization=0).fit([[0.0]])
    with pytest.raises(LearnerError, match="features"):
        ForeignOdds().fit([[0.0]], [[0.0, 1.0]])
    with pytest.raises(NotFittedError, match="call fit first"):
        ForeignOdds().log_odds([[0.0]])
    ridge = TagRidge().fit([[0.0], [1.0]], sp.csr_array(np.eye(2)))
    with pytest.raises(LearnerError, match="of 2 untagged photos, but log odds of 1"):
        TagConfidence().fit(ridge.left_out_, sp.csr_array(np.eye(2)), untagged=ridge.left_out_, foreign=np.zeros(1))
