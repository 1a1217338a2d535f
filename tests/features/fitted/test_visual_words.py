# SPDX-License-Identifier: MIT
from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfTransformer

from focal_photos.features.base import FittedState, NotFittedError
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.visual_words import VisualWords
from focal_photos.features.local.orb import Orb
from focal_photos.features.local.sift import Sift
from tests.examples import examples
from tests.features.pictures import scene

Samples = list[NDArray[np.float32]]


def photos(count: int, rows: int = 30, seed: int = 0) -> Samples:
    """Return random local vectors of photos; each photo has a different number of them."""
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(rows + i, 128)).astype(np.float32) for i in range(count)]


def counts(samples: Samples, words: NDArray[np.generic]) -> NDArray[np.int64]:
    """Return how often each word is the nearest, one distance at a time."""
    found = np.zeros((len(samples), len(words)), np.int64)
    for photo, vectors in zip(found, samples, strict=True):
        for vector in vectors:
            photo[np.argmin([np.linalg.norm(vector - word) for word in np.asarray(words, np.float64)])] += 1
    return found


def test_agrees_with_tf_idf_of_scikit_learn_over_slowly_found_words() -> None:
    samples = photos(12)
    fitted = VisualWords(Sift(), 20).fit(samples)
    # Square roots are taken of the counts, not of the document frequencies.
    found = counts(samples, fitted.fitted_state()["words"])
    expected = TfidfTransformer(norm="l2", smooth_idf=True).fit(found).transform(np.sqrt(found)).toarray()
    np.testing.assert_allclose([fitted.from_local(vectors) for vectors in samples], expected, atol=1e-6)


def test_weights_count_all_photos_of_the_sample_including_those_without_points() -> None:
    samples = [*photos(5), np.zeros((0, 128), np.float32)]
    state = VisualWords(Sift(), 8).fit(samples).fitted_state()
    df = (counts(samples, state["words"]) > 0).sum(axis=0)
    np.testing.assert_allclose(np.asarray(state["weights"], np.float64), np.log(7 / (1 + df)) + 1, rtol=1e-6)


def test_a_photo_is_described_by_its_local_vectors() -> None:
    fitted = VisualWords(Sift(), 16).fit(photos(4))
    image = WorkingImage.from_array(scene(200, 150))
    vectors = Sift().extract(image).vectors
    assert len(vectors) > 10
    np.testing.assert_array_equal(fitted.extract(image), fitted.from_local(vectors))


def test_local_vectors_are_computed_once_for_all_vocabularies() -> None:
    image = WorkingImage.from_array(scene(200, 150))
    few, many = (VisualWords(Sift(), words).fit(photos(4)) for words in (8, 16))
    few.extract(image)
    # The cache is used: with its arrays set to zero, the second vocabulary finds no points.
    found = image.cached(Sift(), lambda: Sift().extract(image))
    assert len(found) > 10
    object.__setattr__(found, "vectors", found.vectors[:0])
    assert not many.extract(image).any()


@settings(max_examples=examples(40))
@given(st.lists(st.integers(0, 12), max_size=6), st.integers(1, 30), st.integers(0, 2**32 - 1))
def test_any_sample_gives_unit_vectors_and_zero_columns_for_missing_words(
    sizes: list[int], words: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    samples = [rng.normal(size=(size, 128)).astype(np.float32) for size in sizes]
    fitted = VisualWords(Sift(), words).fit(samples, seed=seed)
    known = len(fitted.fitted_state()["words"])
    assert known == min(words, sum(sizes))
    for vectors in [*samples, np.zeros((0, 128), np.float32)]:
        bag = fitted.from_local(vectors)
        assert bag.shape == (words,)
        assert bag.min() >= 0
        assert not bag[known:].any()
        assert np.linalg.norm(bag) == pytest.approx(1 if len(vectors) else 0, abs=1e-5)


@given(arrays(np.float32, st.tuples(st.integers(1, 20), st.just(128)), elements=st.floats(-1, 1, width=32)))
def test_neither_the_order_of_points_nor_duplicating_all_points_matters(vectors: NDArray[np.float32]) -> None:
    fitted = VisualWords(Sift(), 16).fit(photos(3))
    bag = fitted.from_local(vectors)
    np.testing.assert_array_equal(fitted.from_local(vectors[::-1]), bag)
    np.testing.assert_allclose(fitted.from_local(np.repeat(vectors, 2, axis=0)), bag, atol=1e-6)


def test_clusters_become_words() -> None:
    rng = np.random.default_rng(0)
    groups = rng.normal(size=(6, 128)) * 10
    samples = [
        (groups[rng.integers(0, 6, 40)] + rng.normal(size=(40, 128)) * 0.01).astype(np.float32) for _ in range(20)
    ]
    fitted = VisualWords(Sift(), 24).fit(samples)
    words = np.asarray(fitted.fitted_state()["words"])
    # Each cluster has its own words, and no word is between two clusters.
    nearest = np.linalg.norm(words[:, None] - groups[None], axis=2)
    assert set(nearest.argmin(axis=1)) == set(range(6))
    assert nearest.min(axis=1).max() < 1


def test_equal_samples_and_seeds_give_equal_vocabularies_and_other_seeds_others() -> None:
    bare = VisualWords(Orb(), 10)
    samples = [np.rint(np.abs(np.resize(vectors, (40, 256)))) for vectors in photos(5)]
    assert bare.fit(samples, seed=1).key == bare.fit(samples, seed=1).key
    assert bare.fit(samples, seed=1).key != bare.fit(samples, seed=2).key


def test_key_follows_words_local_descriptor_and_state() -> None:
    bare = VisualWords(Sift(), 200)
    assert str(bare.key).startswith("sift_words_200-")
    others = [
        VisualWords(Sift(), 1000),
        VisualWords(Orb(), 200),
        VisualWords(Sift(points=400), 200),
        bare.fit(photos(2)),
    ]
    assert len({descriptor.key.digest for descriptor in (bare, *others)}) == 5


def test_it_can_be_pickled_and_rebuilt_from_its_state() -> None:
    fitted = VisualWords(Sift(), 12).fit(photos(3))
    assert pickle.loads(pickle.dumps(fitted)) == fitted
    rebuilt = VisualWords(Sift(), 12).with_state(FittedState(fitted.fitted_state().arrays))
    assert rebuilt.key == fitted.key


def test_needs_to_be_fitted() -> None:
    with pytest.raises(NotFittedError, match="not fitted"):
        VisualWords(Sift(), 5).extract(WorkingImage.from_array(scene()))


@pytest.mark.parametrize("words", [0, -200])
def test_bad_parameters_are_refused(words: int) -> None:
    with pytest.raises(ValueError, match="at least 1 word"):
        VisualWords(Sift(), words)
