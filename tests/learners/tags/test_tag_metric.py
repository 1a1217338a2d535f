# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError, NotFittedError
from focal_photos.learners.persistence import load, save
from focal_photos.learners.tags.tag_metric import TagMetric
from tests.examples import examples

Floats = NDArray[np.float64]
SEA, BEACH, PLANE, JET, UNUSED = range(5)
TAGS = np.array([[1, 1, 0, 0, 0]] * 3 + [[1, 0, 0, 0, 0]] + [[0, 0, 1, 1, 0]] * 3 + [[0, 0, 1, 0, 0], [0, 0, 0, 0, 0]])


def slow(tags: Floats, c: float, vectors: str) -> Floats:
    """Return squared distances as in the paper, from the tag vectors of the photos."""
    A_R = tags / np.maximum(tags.sum(axis=1, keepdims=True), 1)
    A_C = tags / tags.sum(axis=0)
    B = A_R.T @ A_C
    np.testing.assert_allclose(B.sum(axis=0), 1)
    Y = np.eye(tags.shape[1]) if vectors == "identity" else (tags / np.linalg.norm(tags, axis=0)).T
    R = Y - B.T @ Y
    S = R.T @ R
    # The mean eigenvalue is over the space spanned by the tags.
    M = np.linalg.inv(np.eye(len(S)) + S / (c * np.trace(S) / np.linalg.matrix_rank(Y)))
    difference = Y[:, None] - Y[None]
    return np.asarray(np.einsum("ijk,kl,ijl->ij", difference, M, difference))


@pytest.mark.parametrize("most", [1, 5])
@pytest.mark.parametrize("vectors", ["photos", "identity"])
@pytest.mark.parametrize("c", [0.1, 5.0])
def test_distances_agree_with_a_slow_form(vectors: str, c: float, most: int) -> None:
    """With 0/1 and with counts."""
    rng = np.random.default_rng(0)
    tags = np.where(rng.random((40, 7)) < 0.3, rng.integers(1, most + 1, (40, 7)), 0).astype(np.float64)
    metric = TagMetric(c, vectors).fit(tags)  # type: ignore[arg-type]
    got = np.stack([metric.distances(j) for j in range(7)])
    np.testing.assert_allclose(got**2, slow(tags, c, vectors), atol=1e-5)


def test_tags_used_together_are_near() -> None:
    metric = TagMetric().fit(TAGS)
    for tag, partner in ((SEA, BEACH), (BEACH, SEA), (PLANE, JET), (JET, PLANE)):
        related = metric.related(tag)
        assert related[0][0] == partner
        assert [d for _, d in related] == sorted(d for _, d in related)
        assert UNUSED not in [j for j, _ in related]
        assert tag not in [j for j, _ in related]
    assert len(metric.related(SEA, 1)) == 1


def test_an_unused_tag_is_far_from_all_others() -> None:
    metric = TagMetric().fit(TAGS)
    assert metric.related(UNUSED) == []
    np.testing.assert_array_equal(metric.distances(UNUSED), [np.inf] * 4 + [0])
    assert metric.distances(SEA)[UNUSED] == np.inf


def test_the_most_frequent_tags_are_used_above_the_limit() -> None:
    metric = TagMetric(limit=2).fit(TAGS)
    np.testing.assert_array_equal(metric.tags_, [SEA, PLANE])
    assert [j for j, _ in metric.related(SEA)] == [PLANE]
    assert metric.related(JET) == []


@settings(max_examples=examples(40))
@given(seed=st.integers(0, 10_000), vectors=st.sampled_from(["photos", "identity"]))
def test_the_distance_is_a_metric_for_any_tags(seed: int, vectors: str) -> None:
    rng = np.random.default_rng(seed)
    tags = sp.csr_array(rng.random((rng.integers(1, 20), rng.integers(1, 9))) < rng.random())
    if not tags.nnz:
        return
    metric = TagMetric(vectors=vectors).fit(tags)  # type: ignore[arg-type]
    u = metric.tags_
    D = np.stack([metric.distances(int(j))[u] for j in u])
    assert np.isfinite(D).all()
    np.testing.assert_array_equal(D, D.T)
    assert (np.diag(D) == 0).all()
    assert (D[:, :, None] <= D[:, None, :] + D[None].transpose(0, 2, 1) + 1e-6).all()
    again = TagMetric(vectors=vectors).fit(tags)  # type: ignore[arg-type]
    np.testing.assert_array_equal(again.embedding_, metric.embedding_)


def test_a_loaded_metric_is_the_same(tmp_path: Path) -> None:
    metric = TagMetric().fit(TAGS)
    save(tmp_path / "tags.npz", tags=metric)
    again = load(tmp_path / "tags.npz")["tags"]
    assert isinstance(again, TagMetric)
    assert again.related(SEA) == metric.related(SEA)


def test_invalid_input_is_refused() -> None:
    with pytest.raises(LearnerError, match="No photo carries a tag"):
        TagMetric().fit(np.zeros((3, 2)))
    with pytest.raises(LearnerError, match="finite number of times"):
        TagMetric().fit(-TAGS)
    with pytest.raises(LearnerError, match="regularization must be above 0"):
        TagMetric(0.0).fit(TAGS)
    with pytest.raises(LearnerError, match="vectors must be"):
        TagMetric(vectors="words").fit(TAGS)  # type: ignore[arg-type]
    with pytest.raises(LearnerError, match=r"no tag 5: tags are numbered 0\.\.4"):
        TagMetric().fit(TAGS).distances(5)
    with pytest.raises(NotFittedError, match="call fit first"):
        TagMetric().related(0)
