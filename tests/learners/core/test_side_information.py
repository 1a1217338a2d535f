# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.side_information import SideInformation

TAGS = np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0], [0, 0, 1]])


def dense(side: SideInformation) -> list[list[float]]:
    assert side.tags is not None
    rows: list[list[float]] = side.tags.toarray().tolist()
    return rows


def test_each_label_becomes_one_tag() -> None:
    assert dense(SideInformation.from_labels([7, 3, 7, -1])) == [[0, 1], [1, 0], [0, 1], [0, 0]]
    assert dense(SideInformation.from_labels(["sea", "dog"])) == [[0, 1], [1, 0]]


def test_tags_are_zeros_and_ones_or_counts() -> None:
    for tags in (TAGS, TAGS * 5):
        side = SideInformation.from_tags(sp.csr_array(tags))
        assert dense(side) == tags.tolist()
        np.testing.assert_array_equal(side.tagged, [0, 1, 2, 4])
    assert dense(SideInformation.from_tags(TAGS != 0)) == TAGS.tolist()


def test_only_side_information_without_entries_is_empty() -> None:
    assert SideInformation().is_empty
    assert SideInformation.from_tags(np.zeros((3, 2))).is_empty
    assert not SideInformation(similar=np.array([[0, 1]])).is_empty
    assert not SideInformation.from_labels([0]).is_empty
    assert not SideInformation(relative=np.array([[0, 1, 2]])).is_empty


@pytest.mark.parametrize(
    ("side", "message"),
    [
        (SideInformation(similar=np.array([[0, 5]])), r"similar pair names a photo outside 0\.\.4"),
        (SideInformation(dissimilar=np.array([[-1, 0]])), "dissimilar pair names a photo outside"),
        (SideInformation(visual=np.array([[0, 5]])), r"visual pair names a photo outside 0\.\.4"),
        (SideInformation(similar=np.array([[2, 2]])), "joins a photo with itself"),
        (SideInformation(similar=np.array([0, 1])), r"shape \(pairs, 2\)"),
        (SideInformation(similar=np.array([[0.0, 1.0]])), "must be integers"),
        (SideInformation(relative=np.array([[0, 1]])), r"shape \(triplets, 3\)"),
        (SideInformation(relative=np.array([[0, 1, 5]])), r"A triplet names a photo outside 0\.\.4"),
        (SideInformation(relative=np.array([[0, 1, 0]])), "names a photo twice"),
        (SideInformation.from_labels([0, 1]), "of 2 photos, the samples of 5"),
        (SideInformation(tags=sp.csr_array(-TAGS)), "finite values above 0"),
    ],
)
def test_invalid_side_information_is_refused(side: SideInformation, message: str) -> None:
    with pytest.raises(LearnerError, match=message):
        side.check(5)


def test_side_information_can_be_joined() -> None:
    a = SideInformation(np.array([[0, 1]]), np.array([[2, 3]]), SideInformation.from_tags([[1, 0], [0, 0]]).tags)
    b = SideInformation(np.array([[4, 5]]), tags=SideInformation.from_tags([[0, 0], [0, 1]]).tags)
    both = a | b
    assert both.similar.tolist() == [[0, 1], [4, 5]]
    assert both.dissimilar.tolist() == [[2, 3]]
    assert dense(both) == [[1, 0], [0, 1]]
    assert dense(SideInformation.from_tags([[3, 0], [1, 2]]) | SideInformation.from_tags([[1, 4], [2, 0]])) == [
        [3, 4],
        [2, 2],
    ]
    relative = SideInformation(relative=np.array([[0, 1, 2]]))
    assert (a | relative | relative).relative.tolist() == [[0, 1, 2], [0, 1, 2]]
    visual = SideInformation(visual=np.array([[0, 1]]))
    assert (relative | visual).absolute().visual.tolist() == [[0, 1]]
    assert (a | SideInformation()).tags is a.tags
    assert (SideInformation() | a).tags is a.tags
    with pytest.raises(LearnerError, match="cannot be joined"):
        a | SideInformation.from_labels([0])


def test_pairs_from_tags_share_a_tag_or_none() -> None:
    rng = np.random.default_rng(0)
    tags = (rng.random((50, 6)) < 0.25).astype(int)
    side = SideInformation.from_tags(tags)
    pairs = side.pairs(8, seed=1)
    shared = (tags[pairs.similar[:, 0]] * tags[pairs.similar[:, 1]]).sum(axis=1)
    assert len(pairs.similar) > 100
    assert (shared > 0).all()
    shared = (tags[pairs.dissimilar[:, 0]] * tags[pairs.dissimilar[:, 1]]).sum(axis=1)
    assert len(pairs.dissimilar) > 100
    assert (shared == 0).all()
    assert np.isin(pairs.dissimilar, side.tagged).all()
    for drawn in (pairs.similar, pairs.dissimilar):
        assert len({tuple(sorted(pair)) for pair in drawn.tolist()}) == len(drawn)
    again = side.pairs(8, seed=1)
    np.testing.assert_array_equal(again.similar, pairs.similar)
    np.testing.assert_array_equal(again.dissimilar, pairs.dissimilar)
    assert side.pairs(8, seed=2).similar.tolist() != pairs.similar.tolist()


def test_rare_and_frequent_tags_are_drawn_equally_often() -> None:
    tags = np.zeros((60, 2))
    tags[:, 0] = 1
    tags[:6, 1] = 1  # six photos have the rare tag too
    pairs = SideInformation.from_tags(tags).pairs(10, seed=0).similar
    of_rare_photos = pairs[pairs[:, 0] < 6]
    # it would be a tenth if partners were drawn from all photos with any common tag
    assert (of_rare_photos[:, 1] < 6).mean() > 0.25


def test_a_judgement_overrules_tags() -> None:
    judged = SideInformation(np.array([[0, 2]]), np.array([[1, 0]]))
    side = judged | SideInformation.from_tags(TAGS)
    pairs = side.pairs(20, seed=0)
    assert pairs.similar[0].tolist() == [0, 2]
    assert pairs.dissimilar[0].tolist() == [1, 0]
    assert {0, 1} not in [set(pair) for pair in pairs.similar.tolist()]
    assert [set(pair) for pair in pairs.dissimilar.tolist()].count({0, 2}) == 0


def test_judged_pairs_have_the_total_weight_of_those_from_tags() -> None:
    judged = SideInformation(np.array([[0, 2], [1, 2]]))
    pairs = (judged | SideInformation.from_tags(np.ones((40, 1)))).pairs(5)
    assert pairs.similar_weights[:2].tolist() == [1, 1]
    assert pairs.similar_weights[2:].sum() == pytest.approx(2)
    assert len(pairs.dissimilar) == 0
    alone = SideInformation.from_tags(np.ones((40, 1))).pairs(5)
    assert (alone.similar_weights == 1).all()


def test_without_tags_the_pairs_are_the_judged_ones() -> None:
    side = SideInformation(np.array([[0, 1]]), np.array([[0, 2]]))
    pairs = side.pairs()
    assert (pairs.similar.tolist(), pairs.dissimilar.tolist()) == ([[0, 1]], [[0, 2]])


def test_triplets_of_judgements_are_all_combinations() -> None:
    side = SideInformation(np.array([[0, 1], [0, 2], [5, 6]]), np.array([[0, 3], [7, 8]]))
    assert side.triplets().tolist() == [[0, 1, 3], [0, 2, 3]]


def test_given_triplets_are_unchanged() -> None:
    side = SideInformation(np.array([[0, 1]]), np.array([[0, 3]]), relative=np.array([[4, 5, 6]]))
    assert side.triplets().tolist() == [[4, 5, 6], [0, 1, 3]]


def test_given_triplets_become_pairs_without_contradictions() -> None:
    relative = np.array([[0, 1, 2], [0, 2, 3], [0, 1, 4], [5, 6, 7], [5, 6, 7], [8, 7, 9]])
    side = SideInformation(np.array([[9, 8]]), relative=relative).absolute()
    assert side.similar.tolist() == [[9, 8], [0, 1], [5, 6], [8, 7]]  # 2 is nearer than 3 and farther than 1
    assert side.dissimilar.tolist() == [[0, 3], [0, 4], [5, 7]]  # 8 and 9 were judged
    assert not len(side.relative)
    assert side.absolute() is side


def test_triplets_from_tags_share_a_tag_with_the_second_and_none_with_the_third() -> None:
    tags = (np.random.default_rng(0).random((40, 6)) < 0.25).astype(int)
    triplets = SideInformation.from_tags(tags).triplets(4, seed=0)
    i, j, k = triplets.T
    assert len(triplets) > 50
    assert ((tags[i] * tags[j]).sum(axis=1) > 0).all()
    assert ((tags[i] * tags[k]).sum(axis=1) == 0).all()


def test_chunklets_join_chains_of_similar_pairs_and_equal_tags() -> None:
    side = SideInformation(similar=np.array([[0, 1], [1, 2]]))
    assert side.chunklets(5).tolist() == [0, 0, 0, -1, -1]
    assert SideInformation.from_tags(TAGS).chunklets(5).tolist() == [-1, -1, 0, -1, 0]
    joined = SideInformation(similar=np.array([[3, 4]])) | SideInformation.from_tags(TAGS)
    assert joined.chunklets(5).tolist() == [-1, -1, 0, 0, 0]
    assert SideInformation.from_labels([2, 0, 2, 0]).chunklets(4).tolist() == [0, 1, 0, 1]
    assert SideInformation().chunklets(2).tolist() == [-1, -1]


def test_the_order_of_stored_tags_does_not_affect_chunklets() -> None:
    # Photos 0 and 2 have the tags 0 and 2, stored in opposite orders; photo 1 has other tags.
    tags = sp.csr_array((np.ones(6), [0, 2, 0, 1, 2, 0], [0, 2, 4, 6]), shape=(3, 3))
    assert not tags.has_sorted_indices
    assert SideInformation(tags=tags).chunklets(3).tolist() == [0, -1, 0]


@pytest.mark.parametrize("labels", [3, [[0, 1], [1, 0]]])
def test_labels_need_one_dimension(labels: object) -> None:
    with pytest.raises(LearnerError, match="labels must have one dimension"):
        SideInformation.from_labels(labels)  # type: ignore[arg-type]


def test_labels_may_be_missing() -> None:
    labels = np.array(["sea", None, "wood", float("nan"), "sea"], dtype=object)
    tags = SideInformation.from_labels(labels).tags
    assert tags is not None
    np.testing.assert_array_equal(tags.toarray(), [[1, 0], [0, 0], [0, 1], [0, 0], [1, 0]])
    numbers = SideInformation.from_labels(np.array([7, None, 3], dtype=object)).tags
    assert numbers is not None
    np.testing.assert_array_equal(numbers.toarray(), [[0, 1], [0, 0], [1, 0]])
