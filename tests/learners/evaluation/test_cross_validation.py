# SPDX-License-Identifier: MIT
from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from focal_photos.learners import LEARNERS, create
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.learner.base import DistanceLearner
from focal_photos.learners.core.measures import average_precision, ndcgs_at_k
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.evaluation.cross_validation import (
    Measure,
    Trial,
    _precision,
    chance,
    cross_validate,
    distance_matrix,
    examine,
    fitting_k,
    reranked_distance_matrix,
)
from focal_photos.learners.evaluation.protocols import GALLERIES, make_protocol
from focal_photos.learners.evaluation.results import MEASURES, LearnerResult, best_threshold, compare, compare_order
from focal_photos.learners.galleries.reciprocal import build
from focal_photos.learners.galleries.row_gallery import gallery_rows, row_gallery

N = 120
LABELS = np.arange(N) % 3


def points(noise: float = 4.0) -> np.ndarray:
    """Three classes in two columns, obscured by ten columns of noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((N, 12))
    X[:, :2] += 6 * np.array([[0, 0], [1, 0], [0, 1]])[LABELS]
    X[:, 2:] *= noise
    return X


def judged(focal: int = 20) -> SideInformation:
    rng = np.random.default_rng(1)
    similar: list[tuple[int, int]] = []
    dissimilar: list[tuple[int, int]] = []
    for query in rng.permutation(N)[:focal]:
        others = rng.permutation(np.delete(np.arange(N), query))[:8]
        for other in others:
            (similar if LABELS[other] == LABELS[query] else dissimilar).append((query, other))
    return SideInformation(np.array(similar), np.array(dissimilar))


def learners(*names: str) -> dict[str, DistanceLearner]:
    return {name: create(name) for name in names}


def test_training_on_tags_beats_euclidean_and_the_gain_is_paired() -> None:
    protocol = make_protocol(N, SideInformation.from_labels(LABELS))
    found = cross_validate(learners("euclidean", "tag-ratio"), points(), protocol)
    assert [*found] == ["euclidean", "tag-ratio"]
    gain = compare(found["tag-ratio"], found["euclidean"], "precision")
    assert gain is not None
    assert gain.gain > 5 * gain.error > 0
    ours, theirs = (np.concatenate(found[name].queries["precision"]) for name in ("tag-ratio", "euclidean"))
    assert gain.gain == pytest.approx(ours.mean() - theirs.mean())
    assert gain.error == pytest.approx(np.std(ours - theirs, ddof=1) / N**0.5)
    assert compare(found["euclidean"], found["euclidean"], "precision") == (0, 0)
    level = chance(protocol)
    assert level is not None
    assert level == pytest.approx((40 - 1) / (N - 1), abs=0.02)


def test_a_learner_without_gain_from_shared_neighbours_ranks_without_them() -> None:
    protocol = make_protocol(N, SideInformation.from_labels(LABELS))
    again, plain = (cross_validate(learners("dist-boost"), points(), protocol, rerank=some) for some in (True, False))
    for one, other in zip(again["dist-boost"].curves, plain["dist-boost"].curves, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", ["euclidean", "oasis"])
def test_reranked_measures_agree_with_the_reranked_results(name: str) -> None:
    X, side = points(1.0), SideInformation.from_labels(LABELS)
    protocol = make_protocol(N, side)
    outcome = cross_validate(learners(name), X, protocol, k=7, rerank=True)[name]
    plain = cross_validate(learners(name), X, protocol, k=7)[name]
    compared = 0
    for number, fold in enumerate(protocol.folds):
        fitted = create(name).fit(X, fold.side)
        rows = gallery_rows(fitted, X)
        gallery = row_gallery(fitted, rows)
        graph = build(gallery)
        D = reranked_distance_matrix(fitted, X, fold.queries, fold.gallery)
        place = {int(row): j for j, row in enumerate(fold.gallery)}
        for i, query in enumerate(fold.queries):
            found, distances = graph.rank(gallery, rows[query], own=int(query))
            shown = np.isin(found, fold.gallery)
            found, distances = found[shown], distances[shown]
            here = np.array([D[i, place[row]] for row in found])
            np.testing.assert_allclose(here[2:], distances[2:], atol=1e-4)
            assert (np.diff(here) >= -1e-4).all()
            assert found[0] == query
            if np.diff(distances[1:9]).min() > 1e-4:  # rounding may swap nearly equal distances
                compared += 1
                right = LABELS[found[1:8]] == LABELS[query]
                assert outcome.queries["precision"][number][i] == pytest.approx(right.mean())
    assert compared > 20
    assert outcome.order == plain.order  # judgements are compared by the distance itself


def test_the_measures_agree_with_the_ranking() -> None:
    X, side = points(1.0), SideInformation.from_labels(LABELS)
    protocol = make_protocol(N, side)
    outcome = cross_validate(learners("euclidean"), X, protocol, k=7)["euclidean"]
    for number, fold in enumerate(protocol.folds):
        relevant, auc = [], []
        for query in fold.queries:
            others = fold.gallery[fold.gallery != query]
            distances = np.linalg.norm(X[others] - X[query], axis=1)
            truth = LABELS[others] == LABELS[query]
            relevant.append(truth[np.argsort(distances)])
            auc.append(roc_auc_score(truth, -distances))
        expected = {
            "precision": float(np.mean(np.asarray(relevant, dtype=bool)[..., :7])),
            "average_precision": average_precision(relevant),
            "ndcg": ndcgs_at_k(relevant, 7).mean(),
            "auc": np.mean(auc),
        }
        for measure in MEASURES:
            assert outcome.queries[measure][number].mean() == pytest.approx(expected[measure])
        assert outcome.curves[number][6] == pytest.approx(expected["precision"])
        assert outcome.recalls[number].shape == (11,)
    over = outcome.spread("precision")
    assert over is not None
    assert over.sd == pytest.approx(np.std([some.mean() for some in outcome.queries["precision"]], ddof=1))


def test_the_training_photos_can_be_the_gallery_too() -> None:
    side = SideInformation.from_labels(LABELS)
    gains = {}
    for kind in GALLERIES:
        protocol = make_protocol(N, side, gallery=kind)
        found = cross_validate(learners("kml-dml", "euclidean"), points(1.0), protocol)
        gain = compare(found["kml-dml"], found["euclidean"], "average_precision")
        assert gain is not None
        gains[kind] = gain
    # Training photos are found much better than others, which measures on them would hide.
    assert gains["tagged"].gain - gains["held-out"].gain > 3 * (gains["tagged"].error + gains["held-out"].error)


def test_held_out_judgements_are_ordered() -> None:
    side = judged()
    protocol = make_protocol(N, side)
    found = cross_validate(learners("euclidean", "rca"), points(), protocol)
    better = compare_order(found["rca"], found["euclidean"], protocol)
    assert better is not None
    assert better.gain > better.error > 0
    for outcome in found.values():
        right, of = outcome.judged_right
        assert of == len(side.similar) + len(side.dissimilar) == protocol.judgements
        assert 0.5 * of < right < of
        assert outcome.spread("precision") is None
        assert compare(outcome, outcome, "precision") is None
    assert chance(protocol) is None


def test_rank_shares_are_the_share_of_nearer_photos() -> None:
    X, side = points(1.0), judged()
    protocol = make_protocol(N, side)
    outcome = cross_validate(learners("euclidean"), X, protocol)["euclidean"]
    assert len(protocol.reference) == N
    for fold, shares in zip(protocol.folds, outcome.similar, strict=True):
        for (query, other), share in zip(fold.similar, shares, strict=True):
            distances = np.linalg.norm(np.delete(X, query, axis=0) - X[query], axis=1)
            own = np.linalg.norm(X[other] - X[query])
            nearer, tied = (distances < own - 1e-9).sum(), (np.abs(distances - own) <= 1e-9).sum()
            assert share == pytest.approx((nearer + tied / 2) / (N - 1))


def test_the_order_is_defined_for_judgements_of_one_kind() -> None:
    only = SideInformation(judged().similar)
    protocol = make_protocol(N, only)
    outcome = cross_validate(learners("euclidean"), points(0.1), protocol)["euclidean"]
    order = outcome.order
    assert order is not None
    assert 0.8 < order < 1  # nearer than almost any other photo
    assert outcome.judged_right == (0, 0)  # a threshold needs both kinds
    same = compare_order(outcome, outcome, protocol)
    assert same == (0, 0)
    none = LearnerResult("none", dissimilar=[np.array([0.5])])
    assert none.order is None
    assert compare_order(none, none, protocol) is None


@pytest.mark.parametrize(("similar", "dissimilar"), [(1, 3), (3, 1)])
def test_the_error_is_infinite_with_a_single_judgement_of_a_kind(similar: int, dissimilar: int) -> None:
    """Without it there is nothing to compare, so its influence is unknown."""
    pairs = np.array([[0, 1 + each] for each in range(similar + dissimilar)])
    protocol = make_protocol(20, SideInformation(pairs[:similar], pairs[similar:]), 2)
    sizes = [(len(fold.similar), len(fold.dissimilar)) for fold in protocol.folds]
    ours, theirs = (
        LearnerResult(
            str(share), similar=[np.full(s, share) for s, _ in sizes], dissimilar=[np.full(d, 0.5) for _, d in sizes]
        )
        for share in (0.1, 0.9)
    )
    found = compare_order(ours, theirs, protocol)
    assert found == (1.0, np.inf)


def test_the_order_counts_half_of_the_ties() -> None:
    outcome = LearnerResult("x", similar=[np.array([0.1]), np.array([0.5])], dissimilar=[np.array([0.3, 0.5])])
    assert outcome.order == (1 + 1 + 0 + 0.5) / 4


def test_the_threshold_is_in_the_middle_of_the_widest_gap() -> None:
    assert best_threshold(np.array([0.1, 0.2]), np.array([0.6, 0.9])) == pytest.approx(0.4)
    assert best_threshold(np.array([0.1, 0.2, 0.7]), np.array([0.3, 0.8, 0.9])) == pytest.approx(0.75)
    assert best_threshold(np.array([0.2, 0.2]), np.array([0.0])) > 0.2


def test_a_learner_that_cannot_be_trained_gives_the_reason_and_the_others_continue() -> None:
    protocol = make_protocol(N, judged())
    found = cross_validate(learners("tag-ratio", "euclidean", "kernel"), points(), protocol)
    assert "it needs tags" in found["tag-ratio"].reason
    assert found["tag-ratio"].order is None
    assert found["kernel"].order is not None
    assert not found["kernel"].reason


@pytest.mark.parametrize("name", ["dist-boost", "oasis", "kernel-weighted"])
def test_distances_of_learners_without_an_embedding_are_computed(name: str) -> None:
    X = points()
    learner = create(name)
    if "families" in learner.get_params():
        learner.set_params(families=(FeatureFamily("a", 0, 6, False), FeatureFamily("b", 6, 12, False)))
    learner.fit(X, SideInformation.from_labels(LABELS))
    D = distance_matrix(learner, X[:5], X[20:60])
    expected = np.array([learner.distances_from(query, X[20:60]) for query in X[:5]])
    np.testing.assert_allclose(D, expected, rtol=1e-4, atol=1e-5 * expected.max())


def test_a_learner_with_a_limit_is_trained_on_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    kind = LEARNERS["rca"]
    learn = kind._learn

    def spy(self: DistanceLearner, X: np.ndarray, *rest: object) -> object:
        seen.append(len(X))
        return learn(self, X, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(kind, "rows", 50)
    monkeypatch.setattr(kind, "_learn", spy)
    cross_validate(learners("rca"), points(), make_protocol(N, SideInformation.from_labels(LABELS)))
    assert seen == [50] * 3


def test_k_is_limited_by_the_smallest_gallery() -> None:
    protocol = make_protocol(51, SideInformation.from_labels(np.arange(51) % 2))
    assert [len(fold.gallery) for fold in protocol.folds] == [17] * 3
    assert fitting_k(protocol, 10) == 4
    assert fitting_k(protocol, 2) == 2
    assert fitting_k(make_protocol(12, SideInformation.from_labels([0, 1] * 6)), 10) == 1
    assert fitting_k(make_protocol(N, judged()), 10) == 10  # no gallery, so no limit


def test_progress_rises_and_can_cancel() -> None:
    shares: list[float] = []
    protocol = make_protocol(N, SideInformation.from_labels(LABELS))
    cross_validate(learners("euclidean", "rca"), points(), protocol, progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1

    def stop(share: float) -> None:
        if share > 0.4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cross_validate(learners("euclidean", "rca"), points(), protocol, progress=stop)


def test_the_error_of_the_order_is_the_jackknife_error() -> None:
    # Only similar pairs, one for each focal image: the jackknife gives the standard error of a mean.
    pairs = np.array([[i, 10 + i] for i in range(8)])
    protocol = make_protocol(20, SideInformation(similar=pairs), 2)
    shares = [np.random.default_rng(seed).random((2, 4)) for seed in (0, 1)]
    ours, theirs = (LearnerResult(str(k), similar=list(shares[k]), dissimilar=[np.empty(0)] * 2) for k in (0, 1))
    assert [len(fold.similar) for fold in protocol.folds] == [4, 4]
    found = compare_order(ours, theirs, protocol)
    difference = (shares[1] - shares[0]).ravel()
    assert found is not None
    assert found.gain == pytest.approx(difference.mean())
    assert found.error == pytest.approx(difference.std(ddof=1) / np.sqrt(8))


def test_learners_that_share_computations_rank_like_individual_ones() -> None:
    """Some learners share scatters and use them differently, others have different scatters; folds differ in training
    data.
    """
    said = judged()
    protocol = make_protocol(
        N, SideInformation(said.similar, said.dissimilar, SideInformation.from_labels(LABELS).tags)
    )
    parameters: list[dict[str, Any]] = [
        {},
        {"ridge": 1.0},
        {"euclidean_blend": 0.0},
        {"gamma": 0.5},
        {"n_components": 5},
        {"exact": 40, "landmarks": 30},
    ]
    of_one: list[dict[str, Any]] = [
        {"similar_prior": 5.0},
        {"dissimilar_prior": 1.0},
        {"use_dissimilar": False},
        {"dissimilar_exponent": 0.2},
    ]
    several: dict[str, DistanceLearner] = {
        f"{name} {number}": create(name, **some)
        for name, more in (("tag-ratio-kernel", []), ("kernel", of_one))
        for number, some in enumerate([*parameters, *more])
    }
    together = cross_validate(several, points(), protocol)
    seen = set()
    for name, learner in several.items():
        alone = LearnerResult(name)
        for fold in protocol.folds:
            examine(alone, learner, points(), protocol, fold, 10)
        for measure in MEASURES:
            found = np.concatenate(together[name].queries[measure])
            np.testing.assert_array_equal(found, np.concatenate(alone.queries[measure]))
        np.testing.assert_array_equal(np.concatenate(together[name].similar), np.concatenate(alone.similar))
        seen.add(float(np.concatenate(alone.similar).mean()))
    assert len(seen) == len(several), "all are different"


@pytest.mark.parametrize("rerank", [False, True])
def test_computing_some_measures_gives_the_same_values(rerank: bool) -> None:
    side = SideInformation.from_labels(LABELS) | judged()
    # Coordinates on a coarse grid, so that many distances are equal.
    X, protocol = np.round(points(0.1)).astype(np.float32), make_protocol(N, side)
    names = ("euclidean", "rca")
    whole = cross_validate(learners(*names), X, protocol, k=7, rerank=rerank)
    choices: list[list[Measure]] = [["precision"], ["order"], ["precision", "order"]]
    for only in choices:
        found = cross_validate(learners(*names), X, protocol, k=7, rerank=rerank, only=only)
        for name in names:
            kept, one = whole[name], found[name]
            asked, judgements = "precision" in only, "order" in only
            for values, expected, wanted in (
                (one.queries["precision"], kept.queries["precision"], asked),
                (one.similar, kept.similar, judgements),
                (one.dissimilar, kept.dissimilar, judgements),
            ):
                assert len(values) == (3 if wanted else 0)
                for mine, his in zip(values, expected, strict=wanted):
                    np.testing.assert_array_equal(mine, his)
            assert not one.curves
            assert not one.queries["average_precision"]


@given(st.integers(2, 12), st.integers(1, 15), st.integers(0, 2**16))
def test_the_precision_of_ties_follows_a_stable_sort(n: int, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    D = rng.integers(0, 3, (4, n)).astype(np.float64)
    D[np.arange(4), rng.integers(0, n, 4)] = np.inf
    relevant = rng.random((4, n)) < 0.5
    first = [np.argsort(row, kind="stable")[: min(k, n - 1)] for row in D]
    expected = [known[rows].mean() for known, rows in zip(relevant, first, strict=True)]
    np.testing.assert_allclose(_precision(D, relevant, k), expected)


def test_a_pickled_trial_gives_the_same_result() -> None:
    protocol = make_protocol(N, SideInformation.from_labels(LABELS) | judged())
    trial = Trial(points(), protocol, 7, True, ["order"])
    found, there = (one.result("rca", create("rca"), 0) for one in (trial, pickle.loads(pickle.dumps(trial))))
    assert not there.queries["precision"]
    assert not found.queries["precision"]
    for mine, theirs in ((found.similar, there.similar), (found.dissimilar, there.dissimilar)):
        np.testing.assert_array_equal(mine, theirs)
