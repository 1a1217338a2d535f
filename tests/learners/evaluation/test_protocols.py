# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.evaluation.protocols import GALLERIES, Protocol, make_protocol, restrict, training_rows


def sessions(focal: int, others: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Judgements of some focal images, each with `others` similar and `others` dissimilar photos, all distinct."""
    rows = np.random.default_rng(1).permutation(n)[: focal * (2 * others + 1)].reshape(focal, -1)
    pairs = np.array([(row[0], other) for row in rows for other in row[1:]])
    is_similar = np.tile(np.arange(2 * others) < others, focal)
    return pairs[is_similar], pairs[~is_similar]


def both(n: int = 90) -> SideInformation:
    """Photos of three classes, a quarter of them untagged, with judgements of twelve focal images."""
    labels = np.where(np.arange(n) % 4 > 0, np.arange(n) % 3, -1)
    return SideInformation(*sessions(12, 2, n), SideInformation.from_labels(labels).tags)


def test_every_tagged_photo_is_held_out_once_and_every_judgement_at_most_once() -> None:
    side = both()
    protocol = make_protocol(90, side)
    queries = np.concatenate([fold.queries for fold in protocol.folds])
    np.testing.assert_array_equal(np.sort(queries), side.tagged)
    for kind in ("similar", "dissimilar"):
        held = np.concatenate([getattr(fold, kind) for fold in protocol.folds])
        assert sorted(map(tuple, held)) == sorted(map(tuple, getattr(side, kind)))
    assert protocol.by_focal
    assert protocol.judgements == len(side.similar) + len(side.dissimilar)


def test_held_out_photos_and_judgements_are_not_training_data() -> None:
    side = both()
    for fold in make_protocol(90, side).folds:
        assert fold.side.tags is not None
        assert not np.isin(fold.queries, fold.side.tagged).any()
        assert not np.isin(fold.gallery, fold.side.tagged).any()
        held = np.concatenate([fold.similar, fold.dissimilar])
        left = np.concatenate([fold.side.similar, fold.side.dissimilar])
        assert len(held)
        assert len(left)
        hidden = np.concatenate([fold.queries, held[:, 0]])
        assert not np.isin(left, hidden).any()
        assert not np.isin(held[:, 0], fold.side.tagged).any()
        # The rest is unchanged.
        assert {*map(tuple, left)} < {*map(tuple, np.concatenate([side.similar, side.dissimilar]))}


def test_each_tag_is_in_every_fold() -> None:
    labels = np.repeat(np.arange(5), 6)
    protocol = make_protocol(30, SideInformation.from_labels(labels))
    for fold in protocol.folds:
        np.testing.assert_array_equal(np.bincount(labels[fold.queries]), [2] * 5)


def test_photos_that_share_a_tag_are_relevant_except_the_query() -> None:
    side = both()
    assert side.tags is not None
    dense = side.tags.toarray() > 0
    for kind in GALLERIES:
        for fold in make_protocol(90, side, gallery=kind).folds:
            assert len(fold.gallery) == len(fold.queries if kind == "held-out" else side.tagged)
            np.testing.assert_array_equal(fold.gallery[fold.places], fold.queries)
            for query, relevant, gains in zip(fold.queries, fold.relevant, fold.gains, strict=True):
                shares = (dense[fold.gallery] & dense[query]).any(axis=1) & (fold.gallery != query)
                np.testing.assert_array_equal(relevant, shares)
                np.testing.assert_allclose(gains, shares.astype(float))  # one tag per photo: the cosine is 1


def test_photos_without_a_common_tag_are_not_queries() -> None:
    labels = np.concatenate([np.repeat([0, 1], 8), np.arange(2, 12)])
    protocol = make_protocol(26, SideInformation.from_labels(labels), folds=2)
    assert max(np.concatenate([fold.queries for fold in protocol.folds])) < 16


def test_judgements_of_few_focal_images_are_held_out_pair_by_pair() -> None:
    similar = np.array([(0, other) for other in range(1, 7)] + [(1, 0)])
    dissimilar = np.array([(0, other) for other in range(7, 13)])
    protocol = make_protocol(20, SideInformation(similar, dissimilar))
    assert not protocol.by_focal
    for fold in protocol.folds:
        assert len(fold.side.similar) + len(fold.similar) == 7
        assert len(fold.dissimilar) == 2
        held = {frozenset(pair) for pair in fold.similar.tolist()}
        # (0, 1) is held out together with (1, 0)
        assert held.isdisjoint(frozenset(pair) for pair in fold.side.similar.tolist())
    # Nor do tags reveal the held-out pairs.
    tagged = SideInformation(similar, dissimilar, SideInformation.from_labels(np.arange(20) % 2).tags)
    for fold in make_protocol(20, tagged).folds:
        assert not np.isin(0, fold.side.tagged)


def test_few_photos_give_fewer_folds() -> None:
    def folds(protocol: Protocol) -> int:
        return len(protocol.folds)

    assert folds(make_protocol(8, SideInformation.from_labels([0, 1] * 4))) == 2
    assert folds(make_protocol(40, SideInformation.from_labels([0, 1] * 20), 5)) == 5
    with pytest.raises(LearnerError, match="tag 8 photos"):
        make_protocol(7, SideInformation.from_labels([0] * 7))
    with pytest.raises(LearnerError, match="judge 4 pairs"):
        make_protocol(7, SideInformation(np.array([[0, 1], [0, 2], [0, 3]])))
    with pytest.raises(LearnerError, match="At least 2 folds"):
        make_protocol(40, SideInformation.from_labels([0, 1] * 20), 1)
    # Enough judgements but too few tags: all tags are training data, and no tagged photo is a query.
    few = SideInformation(*sessions(6, 2, 40), SideInformation.from_labels([0] * 5 + [-1] * 35).tags)
    protocol = make_protocol(40, few)
    assert protocol.queries == 0
    assert folds(protocol) == 3


def test_the_same_seed_makes_the_same_folds() -> None:
    one, again, other = (make_protocol(90, both(), seed=seed) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one.folds[0].gallery, again.folds[0].gallery)
    assert set(one.folds[0].gallery) != set(other.folds[0].gallery)


def test_side_information_can_be_restricted_to_rows() -> None:
    tags = sp.csr_array(np.eye(6))
    side = restrict(SideInformation(np.array([[1, 4], [0, 5]]), np.array([[4, 3]]), tags), np.array([1, 3, 4]))
    np.testing.assert_array_equal(side.similar, [[0, 2]])
    np.testing.assert_array_equal(side.dissimilar, [[2, 1]])
    assert side.tags is not None
    np.testing.assert_array_equal(side.tags.toarray(), np.eye(6)[[1, 3, 4]])
    assert len(restrict(SideInformation(), np.array([2])).similar) == 0
    told = SideInformation(relative=np.array([[1, 3, 4], [1, 2, 4]]), visual=np.array([[4, 1], [0, 1]]))
    side = restrict(told, np.array([1, 3, 4]))
    assert side.relative.tolist() == [[0, 1, 2]]
    assert side.visual.tolist() == [[2, 0]]


def test_training_rows_prefer_judged_to_tagged_to_other_photos() -> None:
    side = both()
    judged = np.unique(np.concatenate([side.similar, side.dissimilar]))
    rows = training_rows(side, 90, len(judged) + 5)
    assert len(rows) == len(judged) + 5
    assert set(judged) < set(rows)
    assert np.isin(np.setdiff1d(rows, judged), side.tagged).all()
    assert len(training_rows(side, 90, 1)) == len(judged)
    np.testing.assert_array_equal(training_rows(side, 90, 90), np.arange(90))
