# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np

from focal_photos.learners.core.groups import one_class_each, shared_groups, triplets
from focal_photos.learners.core.side_information import SideInformation

DOGS_AND_CATS = SideInformation.from_tags(
    # animal, dog, cat, mine
    [[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
)


def test_groups_are_shared_tags_then_chunklets() -> None:
    side = DOGS_AND_CATS | SideInformation(similar=np.array([[5, 6], [6, 4]]))
    rows, groups, tags = shared_groups(side, 7)
    np.testing.assert_array_equal(rows, np.arange(7))
    assert tags == 3
    np.testing.assert_array_equal(groups.toarray()[:, 3], [0, 0, 0, 0, 1, 1, 1])
    np.testing.assert_array_equal(groups.toarray()[:5, :3], [[1, 1, 0], [1, 1, 0], [1, 0, 1], [1, 0, 1], [1, 0, 0]])


def test_a_photo_belongs_to_its_smallest_group() -> None:
    rows, classes = one_class_each(DOGS_AND_CATS, 7)
    np.testing.assert_array_equal(rows, np.arange(6))
    assert classes[0] == classes[1]
    assert classes[2] == classes[3]
    assert len(np.unique(classes)) == 4  # dog, cat, animal, and the photo with a unique tag


def test_a_photo_judged_dissimilar_is_its_own_class() -> None:
    rows, classes = one_class_each(SideInformation(np.array([[0, 1]]), np.array([[0, 3]])), 5)
    np.testing.assert_array_equal(rows, [0, 1, 3])
    assert classes[0] == classes[1] != classes[2]


def test_the_classes_of_very_many_photos_come_from_a_seeded_sample() -> None:
    labels = SideInformation.from_labels(np.arange(300) % 5)
    rows, classes = one_class_each(labels, 300, 100, seed=1)
    assert len(rows) == len(classes) == 100
    np.testing.assert_array_equal(classes, rows % 5)
    np.testing.assert_array_equal(rows, one_class_each(labels, 300, 100, seed=1)[0])


def test_every_judgement_makes_triplets() -> None:
    side = SideInformation(np.array([[0, 1], [4, 5]]), np.array([[0, 2], [7, 8]]))
    found = triplets(side, 20).tolist()
    assert [0, 1, 2] in found
    assert [7, 7, 8] in found  # a photo is nearer to itself than to a dissimilar one
    lonely = [(i, j, k) for i, j, k in found if i == 4]
    assert lonely
    assert all(j == 5 and k not in (4, 5) for _, j, k in lonely)


def test_a_random_photo_is_never_one_judged_similar() -> None:
    side = SideInformation(similar=np.array([[0, 1], [2, 0]]))
    assert all(k == 3 for _, _, k in triplets(side, 4))


def test_tags_give_the_triplets_of_the_side_information() -> None:
    side = SideInformation.from_labels(np.arange(40) % 3) | SideInformation(np.array([[0, 3]]), np.array([[0, 1]]))
    expected = {tuple(row) for row in side.triplets(5).tolist()}
    assert {tuple(row) for row in triplets(side, 40, 5).tolist()} == expected
    assert len(expected) > 100


def test_given_triplets_are_included() -> None:
    assert triplets(SideInformation(relative=np.array([[3, 1, 2]])), 5).tolist() == [[3, 1, 2]]


def test_no_side_information_gives_no_triplets() -> None:
    assert triplets(SideInformation(), 5).shape == (0, 3)
