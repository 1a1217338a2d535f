from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.base import clone

from learners.core.errors import LearnerError
from learners.galleries.float_gallery import FloatGallery
from learners.persistence import load, save
from learners.tags.tag_propagation import TagPropagation, TagVotes
from learners.tags.weighted_tag_propagation import (
    Likelihood,
    NeighborVotes,
    WeightedTagPropagation,
    deviations_by_tag,
)

Floats = NDArray[np.float64]
SEA, SKY, DOG = range(3)
#                              sea sky dog
TAGS = sp.csr_array(np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0]], dtype=float))


def library(n: int = 900, seed: int = 0, copies: int = 1) -> tuple[NDArray[np.float32], sp.csr_array]:
    """Photos in a space of six dimensions; a tag is there with a chance that depends on the place."""
    X = np.random.default_rng(seed).normal(size=(n, 6))
    chance = np.column_stack([1 / (1 + np.exp(-2 * X[:, 0])), 0.4 / (1 + np.exp(-3 * X[:, 1])), np.full(n, 0.1)])
    chance = np.tile(chance, (1, copies))
    tags = np.random.default_rng(seed + 1).random(chance.shape) < chance
    return X.astype(np.float32), sp.csr_array(tags.astype(float))


def asked(X: NDArray[np.float32], rows: NDArray[np.intp], k: int) -> tuple[NDArray[np.intp], NDArray[np.floating]]:
    return FloatGallery(X).rank_many(X[rows], k, skip=rows)


def dense(votes: TagVotes) -> Floats:
    return np.asarray(votes.confidence.toarray())


def test_before_learning_it_votes_as_plain_propagation_does() -> None:
    X, tags = library(200)
    found = asked(X, np.arange(30), 20)
    plain = TagPropagation().propagate(*found, tags)
    votes = WeightedTagPropagation(rarity=0.4).propagate(*found, tags)
    np.testing.assert_allclose(dense(votes), dense(plain), atol=1e-9)
    np.testing.assert_allclose(votes.score.toarray(), plain.score.toarray(), atol=1e-9)
    np.testing.assert_array_equal(votes.witnesses(3, 0), plain.witnesses(3, 0))


def test_votes_by_rank_fall_from_the_first() -> None:
    votes = WeightedTagPropagation("rank").propagate(np.array([[1, 0, 2]]), np.ones((1, 3)), TAGS)
    w = np.array([1, 1 / 2, 1 / 3]) / (1 + 1 / 2 + 1 / 3)
    np.testing.assert_allclose(dense(votes), [[w[0] + w[1], w[1], w[2]]])


def slow_shares(neighbors: NDArray[np.intp], far: Floats, tags: Floats, rejected: Floats, theta: Floats) -> Floats:
    """Shares of votes by three loops; far (q, k, f)."""
    shares = np.zeros((len(neighbors), tags.shape[1]))
    for i, row in enumerate(neighbors):
        voting = [s for s, j in enumerate(row) if j >= 0 and (tags[j].any() or rejected[j].any())]
        if not voting:
            continue
        near, most = far[i, voting].min(axis=0), far[i, voting].max(axis=0)
        scale = np.maximum(near, most / 20)
        scale[scale == 0] = 1
        e = {s: float(np.exp(-theta @ ((far[i, s] - near) / scale))) for s in voting}
        for s in voting:
            shares[i] += e[s] / sum(e.values()) * (tags[row[s]] - rejected[row[s]])
    return np.clip(shares, 0, 1)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), f=st.integers(1, 3))
def test_votes_are_those_of_the_slow_form(seed: int, f: int) -> None:
    rng = np.random.default_rng(seed)
    tags = (rng.random((9, 4)) < 0.4).astype(float)
    rejected = (rng.random((9, 4)) < 0.2) * (1 - tags)
    neighbors = rng.integers(-1, 9, (5, 6))
    far = np.sort(rng.random((5, 6, f)) * rng.integers(0, 2, (5, 6, 1)), axis=1)
    votes = WeightedTagPropagation().propagate(neighbors, far, sp.csr_array(tags), rejected=sp.csr_array(rejected))
    np.testing.assert_allclose(dense(votes), slow_shares(neighbors, far, tags, rejected, np.full(f, 8 / f)), atol=1e-9)
    assert (votes.confidence.data > 0).all()


def problem(weights: Literal["distance", "rank"], f: int = 2, seed: int = 0) -> Likelihood:
    rng = np.random.default_rng(seed)
    signs = sp.csr_array((rng.random((30, 5)) < 0.3) * 1.0 - (rng.random((30, 5)) < 0.05))
    votes = NeighborVotes.of(rng.integers(-1, 30, (12, 8)), signs)
    phi = rng.random((12, 8, f))
    p = len(votes.tag)
    rest = np.column_stack([rng.normal(size=p), np.ones(p)])
    truth = (rng.random(p) < 0.4).astype(float)
    return Likelihood(votes, phi, rest, truth, rng.random(p) + 0.5, np.full(f, 2.0), weights)


@pytest.mark.parametrize("seed", range(5))
def test_the_gradient_is_that_of_finite_differences(seed: int) -> None:
    likelihood = problem("distance", seed=seed)
    at = np.array([1.3, 0.4, 0.9, 0.7, -0.2, 0.1])
    gradient, information = likelihood.derivatives(at)
    for t in range(len(at)):
        step = np.zeros(len(at))
        step[t] = 1e-6
        slope = (likelihood.value(at + step) - likelihood.value(at - step)) / 2e-6
        assert gradient[t] == pytest.approx(slope, rel=1e-4, abs=1e-5)
    assert np.linalg.eigvalsh(information)[0] > 0


@pytest.mark.parametrize("weights", ["distance", "rank"])
def test_the_likelihood_ends_at_a_maximum(weights: Literal["distance", "rank"]) -> None:
    likelihood = problem(weights)
    best, (before, after) = likelihood.maximize()
    assert after >= before
    gradient, _ = likelihood.derivatives(best)
    bound = ~likelihood.free_sign & (best == 0)
    assert np.abs(gradient[~bound]).max() < 0.1
    assert (gradient[bound] <= 1e-6).all()
    assert (best[~likelihood.free_sign] >= 0).all()


@pytest.mark.parametrize("weights", ["distance", "rank"])
def test_learning_raises_the_likelihood(weights: Literal["distance", "rank"]) -> None:
    X, tags = library()
    rows = np.arange(0, 900, 2)
    before, after = WeightedTagPropagation(weights, k=40).fit(*asked(X, rows, 40), tags, rows).likelihood_
    assert after > before


def test_a_metric_that_says_nothing_gets_no_weight() -> None:
    X, tags = library()
    rows = np.arange(900)
    rng = np.random.default_rng(0)
    neighbors = (rows[:, None] + rng.integers(1, 900, (900, 100))) % 900  # any photos, near or far
    distances = np.linalg.norm(X[rows][:, None, :2] - X[neighbors][:, :, :2], axis=2) + 1
    noise = rng.random(distances.shape) + 1
    both = np.stack([distances.astype(np.float64), noise], axis=2)
    theta = WeightedTagPropagation(k=100).fit(neighbors, both, tags, rows).theta_
    assert theta[1] < 0.5 * theta[0]


def test_confidence_is_how_often_a_tag_is_right() -> None:
    X, tags = library(1600)
    gallery, known = FloatGallery(X[:1200]), tags[:1200]
    rows = np.arange(0, 1200, 2)
    propagation = WeightedTagPropagation(k=50).fit(*gallery.rank_many(X[rows], 50, skip=rows), known, rows)
    confidence = propagation.propagate(*gallery.rank_many(X[1200:], 50), known).confidence.tocoo()
    right = tags[1200:][confidence.row, confidence.col]
    for low, high in ((0, 0.15), (0.15, 0.3), (0.3, 0.5), (0.5, 1)):
        inside = (confidence.data >= low) & (confidence.data < high)
        assert inside.sum() > 30
        assert right[inside].mean() == pytest.approx(confidence.data[inside].mean(), abs=0.1)
    bare = TagPropagation(k=50).propagate(*gallery.rank_many(X[1200:], 50), known).confidence.tocoo()
    assert np.mean((bare.data - tags[1200:][bare.row, bare.col]) ** 2) > np.mean((confidence.data - right) ** 2)


def test_a_rejection_among_the_neighbours_lowers_the_confidence() -> None:
    X, tags = library()
    rows = np.arange(0, 900, 2)
    propagation = WeightedTagPropagation(k=40).fit(*asked(X, rows, 40), tags, rows)
    found = asked(X, np.arange(1), 40)
    before = dense(propagation.propagate(*found, tags))
    others = [int(j) for j in found[0][0] if not tags[j, 0] and tags[[j]].nnz]
    rejected = sp.csr_array((np.ones(len(others)), (np.array(others), np.zeros(len(others), int))), shape=tags.shape)
    after = dense(propagation.propagate(*found, tags, rejected=rejected))
    assert after[0, 0] < before[0, 0]
    np.testing.assert_allclose(after[0, 1:], before[0, 1:])


def test_a_rejection_weighs_as_a_presence_where_absences_weigh_less() -> None:
    X, tags = library(600)
    rows = np.arange(300)
    neighbors, distances = FloatGallery(X[300:]).rank_many(X[rows], 20)  # asked photos are nobody's neighbours
    refused = np.zeros(tags.shape)
    refused[:300:2, 0] = 1 - tags[:300:2, [0]].toarray().ravel()
    refused[np.diff(tags.indptr) == 0] = 0
    without = WeightedTagPropagation(k=20, balance=1.0).fit(neighbors + 300, distances, tags, rows)
    heard = clone(without).fit(neighbors + 300, distances, tags, rows, rejected=sp.csr_array(refused))
    before, after = (dense_score(votes, neighbors + 300, distances, tags, refused) for votes in (without, heard))
    assert after < before
    counted = clone(without).set_params(balance=0.0).fit(neighbors + 300, distances, tags, rows)
    again = clone(counted).fit(neighbors + 300, distances, tags, rows, rejected=sp.csr_array(refused))
    np.testing.assert_array_equal(again.deviations_, counted.deviations_)  # all places have full weight already


def test_of_a_photo_with_nothing_but_rejections_only_these_are_known() -> None:
    X, tags = library(600)
    carried = np.diff(tags.indptr) > 0
    tags = tags[np.flatnonzero(carried)]
    X, n = X[carried], int(carried.sum())
    bare = np.arange(0, n, 3)  # these lose their tags, and were asked about the first alone
    refused = np.zeros(tags.shape)
    refused[bare, 0] = 1 - tags[bare][:, [0]].toarray().ravel()
    bare = bare[refused[bare, 0] > 0]
    left = tags.toarray()
    left[bare] = 0
    rows = np.arange(n)
    found = asked(X, rows, 20)
    known = np.setdiff1d(rows, bare)
    kept = sp.csr_array(left), sp.csr_array(refused)
    fitted = [
        WeightedTagPropagation(k=20).fit(found[0][some], found[1][some], kept[0], some, rejected=kept[1])
        for some in (rows, known)
    ]
    heard, deaf = (dense(one.propagate(*found, kept[0], rejected=kept[1])) for one in fitted)
    assert heard[:, 0].mean() < deaf[:, 0].mean() - 0.01  # the first tag was wrong for them
    np.testing.assert_allclose(heard[:, 1:], deaf[:, 1:], atol=0.1)  # of the others they signs nothing


def dense_score(
    votes: WeightedTagPropagation,
    neighbors: NDArray[np.intp],
    far: NDArray[np.floating],
    tags: sp.csr_array,
    refused: Floats,
) -> float:
    """Return the mean log odds of the refused tag before it is calibrated."""
    raw = clone(votes)
    for attribute in ("theta_", "pooled_", "deviations_", "mean_", "coefficients_"):
        setattr(raw, attribute, getattr(votes, attribute))
    raw.coefficients_ = np.array([1.0, 0.0, 0.0])
    confidence = dense(raw.propagate(neighbors, far, tags))[:, 0]
    refused_rows = refused[: len(neighbors), 0] > 0
    return float(confidence[refused_rows].mean() - confidence[~refused_rows].mean())


def test_a_tag_that_was_given_after_all_stands() -> None:
    found = np.array([[1, 0, 2]]), np.array([[1.0, 1.5, 2.0]])
    plain = WeightedTagPropagation().propagate(*found, TAGS)
    np.testing.assert_array_equal(dense(WeightedTagPropagation().propagate(*found, TAGS, rejected=TAGS)), dense(plain))


def test_tags_differ_in_how_far_votes_are_to_be_trusted() -> None:
    X, tags = library(1200)
    votes_lie = tags.toarray()
    votes_lie[:, 1] = np.random.default_rng(3).random(1200) < 0.3  # a tag that has nothing to do with the place
    known = sp.csr_array(votes_lie)
    rows = np.arange(1200)
    propagation = WeightedTagPropagation(k=40, pull=1.0).fit(*asked(X, rows, 40), known, rows)
    assert propagation.deviations_[1, 0] < propagation.deviations_[0, 0]


def test_evidence_is_heard_and_must_be_given_to_both() -> None:
    X, tags = library()
    rows = np.arange(900)
    found = asked(X, rows, 40)
    knows = tags.toarray() + np.random.default_rng(0).normal(size=tags.shape)
    propagation = WeightedTagPropagation(k=40).fit(*found, tags, rows, evidence=knows)
    assert propagation.pooled_[2] > 0.5
    assert propagation.likelihood_[1] > WeightedTagPropagation(k=40).fit(*found, tags, rows).likelihood_[1]
    first = dense(propagation.propagate(*found, tags, evidence=knows))
    assert (dense(propagation.propagate(*found, tags, evidence=knows + 1)) >= first).all()
    with pytest.raises(LearnerError, match="Evidence must be given to both"):
        propagation.propagate(*found, tags)
    with pytest.raises(LearnerError, match="one row for each of 900 photos"):
        propagation.propagate(*found, tags, evidence=knows[:5])


def test_a_handful_of_photos_and_none() -> None:
    tags = sp.csr_array(np.array([[1.0], [1.0], [1.0]]))
    neighbors = np.array([[1, 2], [0, 2], [0, 1]])
    propagation = WeightedTagPropagation().fit(neighbors, np.ones((3, 2)), tags, np.arange(3))
    confidence = propagation.propagate(neighbors, np.ones((3, 2)), tags).confidence.data
    assert ((confidence > 0.5) & (confidence < 0.999)).all()
    nothing = WeightedTagPropagation().fit(np.empty((0, 2), int), np.empty((0, 2)), tags, np.empty(0, int))
    assert nothing.propagate(np.array([[0]]), np.ones((1, 1)), tags).confidence[0, 0] == pytest.approx(0.5, abs=0.01)
    assert nothing.propagate(np.empty((2, 0), int), np.empty((2, 0)), tags).top() == [[], []]
    untagged = WeightedTagPropagation("rank").fit(neighbors, np.ones((3, 2)), sp.csr_array((3, 2)), np.arange(3))
    assert untagged.propagate(neighbors, np.ones((3, 2)), sp.csr_array((3, 2))).confidence.nnz == 0


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), weights=st.sampled_from(["distance", "rank"]), balance=st.floats(0, 1))
def test_whatever_the_tags_confidence_is_a_share(
    seed: int, weights: Literal["distance", "rank"], balance: float
) -> None:
    rng = np.random.default_rng(seed)
    n, m, k = rng.integers(1, 15), rng.integers(1, 5), rng.integers(1, 8)
    tags = sp.csr_array((rng.random((n, m)) < rng.random()).astype(float))
    rejected = sp.csr_array((rng.random((n, m)) < 0.2).astype(float))
    neighbors = rng.integers(-1, n, (n, k))
    neighbors[neighbors == np.arange(n)[:, None]] = -1
    far = rng.integers(0, 3, (n, k)).astype(float)
    propagation = WeightedTagPropagation(weights, balance=balance)
    propagation.fit(neighbors, far, tags, np.arange(n), rejected=rejected)
    confidence = propagation.propagate(neighbors, far, tags, rejected=rejected).confidence
    assert np.isfinite(confidence.data).all()
    assert ((confidence.data >= 0) & (confidence.data <= 1)).all()


def test_saved_and_loaded_it_gives_the_same_votes(tmp_path: Path) -> None:
    X, tags = library(200)
    rows = np.arange(200)
    found = asked(X, rows, 20)
    propagation = WeightedTagPropagation(k=20).fit(*found, tags, rows)
    save(tmp_path / "votes.npz", votes=propagation)
    again: Any = load(tmp_path / "votes.npz")["votes"]
    np.testing.assert_array_equal(dense(again.propagate(*found, tags)), dense(propagation.propagate(*found, tags)))


def test_what_does_not_fit_is_refused() -> None:
    propagation = WeightedTagPropagation()
    with pytest.raises(LearnerError, match="differ in shape"):
        propagation.propagate(np.zeros((1, 2), int), np.zeros((1, 3)), TAGS)
    with pytest.raises(LearnerError, match="outside the 4 photos"):
        propagation.propagate(np.array([[4]]), np.ones((1, 1)), TAGS)
    with pytest.raises(LearnerError, match="tags and rejections differ"):
        propagation.propagate(np.array([[0]]), np.ones((1, 1)), TAGS, rejected=TAGS[:2])
    for wrong in (np.nan, -1.0, np.inf):
        with pytest.raises(LearnerError, match="finite and not negative"):
            propagation.propagate(np.array([[0]]), np.array([[wrong]]), TAGS)
    with pytest.raises(LearnerError, match="must not be its own neighbour"):
        propagation.fit(np.array([[0, 1]]), np.ones((1, 2)), TAGS, np.array([0]))
    with pytest.raises(LearnerError, match="2 rows and neighbours of 1"):
        propagation.fit(np.array([[0, 1]]), np.ones((1, 2)), TAGS, np.array([0, 1]))
    with pytest.raises(LearnerError, match="weights must be"):
        WeightedTagPropagation("near").propagate(np.array([[0]]), np.ones((1, 1)), TAGS)  # type: ignore[arg-type]
    with pytest.raises(LearnerError, match="folds at least 2"):
        WeightedTagPropagation(folds=1).propagate(np.array([[0]]), np.ones((1, 1)), TAGS)
    fitted = propagation.fit(np.array([[1, 2]]), np.ones((1, 2)), TAGS, np.array([0]))
    with pytest.raises(LearnerError, match="other tags or under other metrics"):
        fitted.propagate(np.array([[0]]), np.ones((1, 1, 2)), TAGS)


def test_it_learns_with_a_photo_s_own_tags_left_out_of_their_counts() -> None:
    X, tags = library(60)
    rows = np.flatnonzero(np.diff(tags.indptr))
    neighbors, distances = asked(X, rows, 10)
    learner = WeightedTagPropagation(balance=0.0).fit(neighbors, distances, tags, rows)
    votes = NeighborVotes.of(neighbors, tags)
    carried = tags.toarray() > 0
    places = list(zip(rows[votes.photo], votes.tag, strict=True))
    others = np.array([np.delete(carried[:, tag], photo).sum() for photo, tag in places])
    right = np.array([float(carried[place]) for place in places])
    rest = np.column_stack([np.log(np.maximum(others, 0.5) / len(rows)), np.ones(len(places))])
    _, phi = learner._collect(neighbors, distances, tags, None)
    expected, _ = Likelihood(votes, phi, rest, right, np.ones(len(right)), learner._start(1), "distance").maximize()
    np.testing.assert_allclose(np.concatenate([learner.theta_, learner.pooled_]), expected, rtol=1e-6)


def test_the_slope_of_a_tag_stays_above_half_of_that_of_all() -> None:
    rng = np.random.default_rng(0)
    centred = rng.normal(size=400)
    falls = (centred + 0.3 * rng.normal(size=400) < 0).astype(float)
    tag = np.zeros(400, dtype=np.intp)
    (a, _), (other, _) = deviations_by_tag(centred, centred, falls, np.ones(400), tag, 2, pull=1.0)
    assert a == -0.5
    assert other == 0.0
