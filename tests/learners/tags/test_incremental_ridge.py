# SPDX-License-Identifier: MIT
"""The incremental ridge equals a fit of all photos from scratch, except for rounding."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError, NotFittedError
from focal_photos.learners.core.kernels import rbf
from focal_photos.learners.tags.incremental_ridge import IncrementalRidge
from focal_photos.learners.tags.sign_kernel import MeanCode, SignKernel
from focal_photos.learners.tags.tag_ridge import TagRidge
from tests.examples import examples

LAMBDA, GAMMA, SIGNS = 0.2, 0.3, 0.3


class Album(NamedTuple):
    """Photos of which some have several tags and some only rejections."""

    X: NDArray[np.float64]
    tags: NDArray[np.float64]
    rejected: NDArray[np.float64]
    codes: NDArray[np.uint8]

    def of(self, rows: NDArray[np.intp]) -> Album:
        return Album(self.X[rows], self.tags[rows], self.rejected[rows], self.codes[rows])


def album(n: int = 60, m: int = 5, seed: int = 0) -> Album:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    tags = (X @ rng.normal(size=(4, m)) + 0.3 * rng.normal(size=(n, m)) > 0).astype(float)
    tags[::7] = 0  # these have only rejections
    rejected = (rng.random((n, m)) < 0.2) * (1 - tags)
    rejected[~tags.any(axis=1), 0] = 1
    bits = X @ rng.normal(size=(4, 40)) + 0.5 * rng.normal(size=(n, 40)) > 0
    return Album(X, tags, rejected, np.packbits(bits, axis=1))


def cosines(codes: NDArray[np.uint8], others: NDArray[np.uint8], of_mean: NDArray[np.uint8]) -> NDArray[np.float64]:
    mean, a, b = (2.0 * np.unpackbits(each, axis=1) - 1 for each in (of_mean, codes, others))
    mean = mean.mean(axis=0)
    a, b = a - mean, b - mean
    return np.asarray((a @ b.T) / np.linalg.norm(a, axis=1)[:, None] / np.linalg.norm(b, axis=1))


def kernel(some: Album, others: Album, first: Album | None) -> NDArray[np.float64]:
    """Return the kernel; codes are centred at the mean of the photos `first`, and unused if that is None."""
    looks = rbf(some.X, others.X, GAMMA)
    if first is None:
        return np.asarray(looks)
    return np.asarray((1 - SIGNS) * looks + SIGNS * cosines(some.codes, others.codes, first.codes))


class Slow(NamedTuple):
    left_out: NDArray[np.float64]
    nearest: NDArray[np.float64]
    scores: NDArray[np.float64]


def slow_way(now: Album, asked: Album, first: Album | None) -> Slow:
    """Fit all photos, and each photo once more without itself, by solving every system."""
    n, tagged = len(now.X), now.tags.any(axis=1)
    K = kernel(now, now, first) + 1
    truth = now.tags.copy()

    def predicted(rows: NDArray[np.intp], K_of: NDArray[np.float64], tags: NDArray[np.float64]) -> NDArray[np.float64]:
        system = K[np.ix_(rows, rows)] + LAMBDA * np.eye(len(rows))
        return np.asarray(K_of[:, rows] @ np.linalg.solve(system, tags[rows]))

    guesses = predicted(np.flatnonzero(tagged), K[~tagged], truth)
    truth[~tagged] = np.where(now.rejected[~tagged] > 0, 0, np.clip(guesses, 0, 1))
    left_out = np.array([predicted(np.delete(np.arange(n), i), K[[i]], truth)[0] for i in range(n)])
    left_out[~tagged] = guesses
    looks = rbf(now.X, now.X, GAMMA) * ~np.eye(n, dtype=bool)
    return Slow(
        left_out,
        looks[:, tagged].max(axis=1),
        predicted(np.arange(n), kernel(asked, now, first) + 1, truth),
    )


def fitted(now: Album, *, with_codes: bool = True) -> IncrementalRidge:
    ridge = IncrementalRidge(LAMBDA, GAMMA, signs=SIGNS if with_codes else "auto")
    codes = now.codes if with_codes else None
    return ridge.fit(now.X, sp.csr_array(now.tags), rejected=sp.csr_array(now.rejected), codes=codes)


def grown(
    ridge: IncrementalRidge, now: Album, before: NDArray[np.intp], after: NDArray[np.intp], *, with_codes: bool = True
) -> IncrementalRidge:
    """Update a fit from photos `before` to photos `after`, both numbers of an album; `now` are the latter photos."""
    place = {photo: row for row, photo in enumerate(before.tolist())}
    rows = np.array([place.get(photo, -1) for photo in after.tolist()], np.intp)
    codes = now.codes[rows < 0] if with_codes else None
    return ridge.grown(now.X[rows < 0], sp.csr_array(now.tags), rows, rejected=sp.csr_array(now.rejected), codes=codes)


def assert_is(ridge: IncrementalRidge, slow: Slow, asked: Album) -> None:
    np.testing.assert_allclose(ridge.left_out_.tags, slow.left_out, atol=2e-5)
    np.testing.assert_allclose(ridge.left_out_.nearest, slow.nearest, atol=1e-6)
    codes = asked.codes if ridge.signs_ else None
    np.testing.assert_allclose(ridge.scores(asked.X, codes=codes).tags, slow.scores, atol=2e-5)
    known = ridge.kernel(asked.X, codes)
    np.testing.assert_allclose(ridge.scores_by_kernel(known), slow.scores, atol=1e-4)


@pytest.mark.parametrize("with_codes", [True, False])
def test_a_first_fit_equals_the_ordinary_ridge(with_codes: bool) -> None:
    some, asked = album(), album(9, seed=1)
    codes = (some.codes, asked.codes) if with_codes else (None, None)
    ridge = fitted(some, with_codes=with_codes)
    other = TagRidge(LAMBDA, GAMMA, signs=SIGNS).fit(
        some.X, sp.csr_array(some.tags), rejected=sp.csr_array(some.rejected), codes=codes[0]
    )
    np.testing.assert_allclose(ridge.left_out_.tags, other.left_out_.tags, atol=1e-6)
    np.testing.assert_allclose(ridge.left_out_.nearest, other.left_out_.nearest, atol=1e-6)
    expected = other.scores(asked.X, codes=codes[1])
    found = ridge.scores(asked.X, codes=codes[1])
    np.testing.assert_allclose(found.tags, expected.tags, atol=1e-5)
    np.testing.assert_allclose(found.nearest, expected.nearest, atol=1e-6)
    assert ridge.kind_left_out_ is None


@pytest.mark.parametrize("with_codes", [True, False])
def test_added_removed_and_changed_photos_equal_a_slow_fit(with_codes: bool) -> None:
    every, asked = album(70), album(9, seed=1)
    first = np.arange(10, 50)
    ridge = fitted(every.of(first), with_codes=with_codes)
    mean_of = every.of(first) if with_codes else None
    assert_is(ridge, slow_way(every.of(first), asked, mean_of), asked)
    rng, before = np.random.default_rng(5), first
    for after in (
        np.arange(10, 53),  # three added, one of them with only rejections
        np.arange(8, 55),  # some added before the others
        np.setdiff1d(np.arange(8, 55), [8, 20, 21, 40]),  # some removed
        np.concatenate([np.arange(0, 19), np.arange(26, 70)]),  # all of it together
        rng.permutation(60),  # in another order
        np.arange(60)[::-1],
    ):
        now = every.of(after)
        changed = rng.integers(len(after), size=6)
        now.tags[changed, rng.integers(5, size=6)] = 1  # tags are added
        now.tags[rng.integers(len(after), size=2)] = 0  # and removed
        now.rejected[:] = now.rejected * (1 - now.tags)
        now.rejected[now.tags.sum(axis=1) == 0, 1] = 1
        ridge = grown(ridge, now, before, after, with_codes=with_codes)
        assert_is(ridge, slow_way(now, asked, mean_of), asked)
        before = after


@given(st.integers(0, 1000), st.sets(st.integers(0, 39), min_size=5), st.sets(st.integers(0, 39), min_size=5))
@settings(max_examples=examples(30))
def test_any_set_of_photos_may_replace_another(seed: int, one: set[int], other: set[int]) -> None:
    every, asked = album(40, seed=seed), album(3, seed=seed + 1)
    # all have two tags, if any
    every.tags[:, :2] = np.maximum(every.tags[:, :2], every.tags.max(axis=1, keepdims=True))
    every.rejected[:] *= 1 - every.tags
    before, after = (np.array(sorted(some), np.intp) for some in (one, other))
    if not all(every.tags[some].any() for some in (before, after)):
        return
    first = every.of(before)
    if (first.codes == first.codes[0]).all():
        return
    ridge = grown(fitted(first), every.of(after), before, after)
    assert_is(ridge, slow_way(every.of(after), asked, first), asked)


def test_the_tags_may_change() -> None:
    every, asked = album(50, m=6), album(4, m=6, seed=1)
    first = np.arange(50)
    narrow = every._replace(tags=every.tags[:, :3], rejected=every.rejected[:, :3])
    narrow.tags[1::2] = 1
    narrow.rejected[:] = (1 - narrow.tags) * (narrow.tags.sum(axis=1, keepdims=True) == 0)
    ridge = grown(fitted(narrow), every, first, first)
    assert_is(ridge, slow_way(every, asked, every), asked)


def test_many_updates_accumulate_only_rounding_errors() -> None:
    every, asked = album(300), album(5, seed=1)
    before = np.arange(200)
    ridge = fitted(every.of(before))
    for turn in range(100):
        after = np.arange(turn % 3, 201 + turn)
        ridge = grown(ridge, every.of(after), before, after)
        before = after
    assert_is(ridge, slow_way(every.of(before), asked, every.of(np.arange(200))), asked)


@pytest.mark.slow
def test_many_photos_are_fitted_in_halves() -> None:
    every, asked = album(601), album(5, seed=1)
    assert_is(fitted(every), slow_way(every, asked, every), asked)


def test_an_updated_ridge_still_gives_scores_and_accepts_no_update() -> None:
    every, asked = album(50), album(4, seed=1)
    first, later = np.arange(40), np.arange(50)
    ridge = fitted(every.of(first))
    slow = slow_way(every.of(first), asked, every.of(first))
    grown(ridge, every, first, later)
    assert_is(ridge, slow, asked)
    with pytest.raises(NotFittedError):
        grown(ridge, every, first, later)


def test_codes_are_centred_at_the_mean_of_the_first_photos() -> None:
    codes, others = album(30).codes, album(8, seed=1).codes
    mean = MeanCode(codes)
    first, later = mean.located(codes), mean.located(others)
    np.testing.assert_allclose(mean.cosines(first, first), SignKernel(codes).kernel, atol=1e-6)
    np.testing.assert_allclose(mean.cosines(later, first), cosines(others, codes, codes), atol=1e-6)
    both = np.concatenate([others, codes])
    np.testing.assert_allclose(mean.cosines(first, later.beside(first)), cosines(codes, both, codes), atol=1e-6)
    coefficients = np.random.default_rng(0).normal(size=(8, 3))
    found = mean.weights(later, coefficients).scores(codes)
    np.testing.assert_allclose(found, cosines(codes, others, codes) @ coefficients, atol=1e-5)


def test_impossible_updates_are_refused() -> None:
    some = album(20)
    tags, kinds = sp.csr_array(some.tags), sp.csr_array(np.eye(5)[np.arange(20) % 5])
    with pytest.raises(NotFittedError):
        IncrementalRidge().grown(some.X, tags, np.arange(20))
    with pytest.raises(NotFittedError):
        IncrementalRidge().kernel(some.X, None)
    with pytest.raises(LearnerError, match="several tags"):
        IncrementalRidge().fit(some.X, kinds)
    with pytest.raises(LearnerError, match="several tags"):
        IncrementalRidge(exact=10).fit(some.X, tags)
    with pytest.raises(LearnerError, match="several tags"):
        IncrementalRidge().fit(some.X, tags, shared=sp.csr_array((20, 20)))
    ridge = fitted(some)
    new, none = np.append(np.arange(19), -1), np.arange(20)
    with pytest.raises(LearnerError, match="mutually exclusive"):
        ridge.grown(some.X[:0], kinds, none, codes=some.codes[:0])
    with pytest.raises(LearnerError, match="former rows"):
        ridge.grown(some.X[:0], tags, none[:19], codes=some.codes[:0])
    with pytest.raises(LearnerError, match="1 new"):
        ridge.grown(some.X[:0], tags, new, codes=some.codes[:0])
    with pytest.raises(LearnerError, match="code"):
        ridge.grown(some.X[:1], tags, new)
    with pytest.raises(LearnerError, match="Codes"):
        ridge.kernel(some.X, None)
