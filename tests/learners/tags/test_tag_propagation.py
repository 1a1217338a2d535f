from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

from learners.core.errors import LearnerError
from learners.core.logistic import calibrate
from learners.galleries.float_gallery import FloatGallery
from learners.tags.tag_propagation import TagPropagation, smoothed

SEA, SKY, DOG = range(3)
#                              sea sky dog
TAGS = sp.csr_array(np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0]], dtype=float))


def test_a_vote_by_hand() -> None:
    votes = TagPropagation(sharpness=2.0).propagate(np.array([[1, 0, 2]]), np.array([[1.0, 1.5, 2.0]]), TAGS)
    w = np.array([1, exp(-2 * 0.5), exp(-2 * 1.0)])
    w /= w.sum()
    np.testing.assert_allclose(votes.confidence.toarray(), [[w[0] + w[1], w[1], w[2]]])
    np.testing.assert_array_equal(votes.witnesses(0, SEA), [1, 0])
    np.testing.assert_array_equal(votes.witnesses(0, SKY), [0])
    np.testing.assert_array_equal(votes.witnesses(0, DOG), [2])


def test_the_unit_of_distance_does_not_matter() -> None:
    near, far = (
        TagPropagation().propagate(np.array([[1, 0, 2]]), unit * np.array([[1.0, 1.5, 2.0]]), TAGS)
        for unit in (1e-3, 1e3)
    )
    np.testing.assert_allclose(near.confidence.toarray(), far.confidence.toarray())


def test_a_copy_decides_alone() -> None:
    votes = TagPropagation().propagate(np.array([[2, 0, 1]]), np.array([[0.0, 1.0, 1.0]]), TAGS)
    assert votes.confidence[0, DOG] > 0.99
    equal = TagPropagation().propagate(np.array([[2, 0]]), np.zeros((1, 2)), TAGS)
    np.testing.assert_allclose(equal.confidence.toarray(), [[0.5, 0.5, 0.5]])


def test_photos_without_tags_and_missing_neighbours_do_not_vote() -> None:
    full = TagPropagation().propagate(np.array([[3, 2, -1]]), np.array([[0.1, 1.0, np.inf]]), TAGS)
    np.testing.assert_allclose(full.confidence.toarray(), [[0, 0, 1]])
    np.testing.assert_array_equal(full.witnesses(0, DOG), [2])
    nobody = TagPropagation().propagate(np.array([[3, -1]]), np.ones((1, 2)), TAGS)
    assert nobody.confidence.nnz == 0
    assert nobody.top() == [[]]


def test_only_the_first_k_are_asked() -> None:
    votes = TagPropagation(k=1).propagate(np.array([[1, 0, 2]]), np.ones((1, 3)), TAGS)
    np.testing.assert_allclose(votes.confidence.toarray(), [[1, 0, 0]])
    np.testing.assert_array_equal(votes.witnesses(0, SKY), [])


def test_no_neighbours_at_all() -> None:
    votes = TagPropagation().propagate(np.empty((2, 0), dtype=int), np.empty((2, 0)), TAGS)
    assert votes.top() == [[], []]


def test_the_best_tags_are_the_most_confident_first() -> None:
    votes = TagPropagation(sharpness=2.0, rarity=0).propagate(np.array([[1, 0, 2]]), np.array([[1.0, 1.5, 2.0]]), TAGS)
    assert [tag for tag, _ in votes.top(5)[0]] == [SEA, SKY, DOG]
    assert [tag for tag, _ in votes.top(1)[0]] == [SEA]
    assert [tag for tag, _ in votes.top(5, minimum=0.2)[0]] == [SEA, SKY]
    carried = sp.csr_array(np.array([[1, 0, 0]]))
    assert [tag for tag, _ in votes.top(5, exclude=carried)[0]] == [SKY, DOG]
    assert votes.top(1)[0][0][1] == pytest.approx(votes.confidence[0, SEA])


def test_rarity_lets_rare_tags_in() -> None:
    tags = sp.csr_array(np.array([[1, 0]] * 99 + [[0, 1]], dtype=float))
    asked = np.array([[0, 99]]), np.array([[1.0, 1.01]])
    assert TagPropagation(rarity=0).propagate(*asked, tags).top(1)[0][0][0] == 0
    assert TagPropagation(rarity=0.5).propagate(*asked, tags).top(1)[0][0][0] == 1


def library(n: int = 1600, seed: int = 0) -> tuple[NDArray[np.float32], sp.csr_array]:
    """Photos in a space of six dimensions; a tag is there with a chance that depends on the place."""
    X = np.random.default_rng(seed).normal(size=(n, 6))
    chance = np.column_stack([1 / (1 + np.exp(-2 * X[:, 0])), 0.4 / (1 + np.exp(-3 * X[:, 1])), np.full(n, 0.1)])
    tags = np.random.default_rng(seed + 1).random((n, 3)) < chance
    return X.astype(np.float32), sp.csr_array(tags.astype(float))


def test_calibrated_confidence_is_how_often_a_tag_is_right() -> None:
    X, tags = library()
    gallery, known = FloatGallery(X[:1200]), tags[:1200]
    propagation = TagPropagation(k=50)
    rows = np.arange(0, 1200, 2)
    propagation.fit(*gallery.rank_many(X[rows], 50, skip=rows), known, rows)
    votes = propagation.propagate(*gallery.rank_many(X[1200:], 50), known)
    confidence, truth = votes.confidence.tocoo(), tags[1200:]
    right = truth[confidence.row, confidence.col]
    assert confidence.data.min() >= 0
    assert confidence.data.max() <= 1
    for low, high in ((0, 0.15), (0.15, 0.3), (0.3, 0.5), (0.5, 1)):
        inside = (confidence.data >= low) & (confidence.data < high)
        assert inside.sum() > 30
        assert right[inside].mean() == pytest.approx(confidence.data[inside].mean(), abs=0.12)
    bare = TagPropagation(k=50).propagate(*gallery.rank_many(X[1200:], 50), known).confidence
    assert np.mean((bare.data - right) ** 2) > np.mean((confidence.data - right) ** 2)


def test_calibration_on_a_handful_of_photos_stays_modest() -> None:
    tags = sp.csr_array(np.array([[1.0], [1.0], [1.0]]))
    rows = np.arange(3)
    neighbors = np.array([[1, 2], [0, 2], [0, 1]])
    propagation = TagPropagation().fit(neighbors, np.ones((3, 2)), tags, rows)
    confidence = propagation.propagate(neighbors, np.ones((3, 2)), tags).confidence.data
    assert (confidence > 0.5).all()
    assert (confidence < 0.99).all()
    nothing = TagPropagation().fit(np.empty((0, 2), int), np.empty((0, 2)), tags, np.empty(0, int))
    np.testing.assert_allclose(nothing.coefficients_, [1, 0, 0, 0])  # odds equal to the share
    share = nothing.propagate(np.array([[0]]), np.ones((1, 1)), tags).confidence[0, 0]
    assert log(share / (1 - share)) == pytest.approx(log(1))


def test_more_votes_never_lower_the_confidence() -> None:
    X, tags = library(300)
    gallery = FloatGallery(X)
    # Tags that have nothing to do with the votes: without the bound the slope could be negative.
    noise = sp.csr_array((np.random.default_rng(1).random((300, 3)) < 0.3).astype(float))
    rows = np.arange(300)
    found = gallery.rank_many(X, 20, skip=rows)
    for known in (noise, tags):
        propagation = TagPropagation(k=20).fit(*found, known, rows)
        assert (propagation.coefficients_[:2] >= 0).all()
    assert propagation.coefficients_[:2].max() > 0.2


def test_what_does_not_fit_is_refused() -> None:
    propagation = TagPropagation()
    with pytest.raises(LearnerError, match="differ in shape"):
        propagation.propagate(np.zeros((1, 2), int), np.zeros((1, 3)), TAGS)
    with pytest.raises(LearnerError, match="outside the 4 photos"):
        propagation.propagate(np.array([[4]]), np.ones((1, 1)), TAGS)
    for wrong in (np.nan, -1.0, np.inf):
        with pytest.raises(LearnerError, match="finite and not negative"):
            propagation.propagate(np.array([[0]]), np.array([[wrong]]), TAGS)
    with pytest.raises(LearnerError, match="must not be its own neighbour"):
        propagation.fit(np.array([[0, 1]]), np.ones((1, 2)), TAGS, np.array([0]))
    with pytest.raises(LearnerError, match="2 rows and neighbours of 1"):
        propagation.fit(np.array([[0, 1]]), np.ones((1, 2)), TAGS, np.array([0, 1]))


def test_photos_with_nothing_but_rejections_lower_the_confidence() -> None:
    tags = sp.csr_array(np.array([[1.0, 0], [1, 0], [1, 0], [1, 0], [0, 0], [0, 0]]))
    rejected = sp.csr_array(np.array([[0.0, 0]] * 4 + [[1, 0], [1, 0]]))
    neighbors = np.array([[1, 2], [0, 2], [0, 1], [0, 1], [0, 1], [2, 3]])
    found = neighbors, np.ones((6, 2)), tags, np.arange(6)
    heard = TagPropagation().fit(*found, rejected=rejected)
    deaf = TagPropagation().fit(neighbors[:4], np.ones((4, 2)), tags, np.arange(4))
    asked = neighbors[:1], np.ones((1, 2)), tags
    assert heard.propagate(*asked).confidence[0, 0] < deaf.propagate(*asked).confidence[0, 0] - 0.1
    assert deaf.propagate(*asked).confidence[0, 0] <= 5 / 6  # four photos allow no more


def test_the_confidence_is_learned_with_a_photo_s_own_tags_left_out_of_their_counts() -> None:
    rng = np.random.default_rng(3)
    truth = rng.random((40, 6)) < np.linspace(0.05, 0.4, 6)
    truth[~truth.any(axis=1), 5] = True
    distances = np.sort(rng.random((40, 8)) + 0.1, axis=1)
    neighbors = np.array([rng.permutation(np.delete(np.arange(40), i))[:8] for i in range(40)])
    tags = sp.csr_array(truth.astype(float))
    shares = TagPropagation().propagate(neighbors, distances, tags).confidence.toarray()
    design, right, photo = [], [], []
    for i, j in np.argwhere(shares > 0):
        others = np.delete(truth[:, j], i).sum()
        design.append([log(max(shares[i, j], 1e-3)), shares[i, j], log(max(others, 0.5) / 40), 1.0])
        right.append(float(truth[i, j]))
        photo.append(i)
    expected = calibrate(
        np.array(design),
        smoothed(np.array(right), np.array(photo)),
        np.array([1.0, 0.0, 0.0, 0.0]),
        np.array([True, True, False, False]),
    )
    learned = TagPropagation().fit(neighbors, distances, tags, np.arange(40))
    np.testing.assert_allclose(learned.coefficients_, expected, atol=1e-9)
