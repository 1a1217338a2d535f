# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from numpy.typing import NDArray

from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.reciprocal import build
from focal_photos.learners.galleries.sparse_rows import SparseRows
from focal_photos.learners.tags import label_spreading
from focal_photos.learners.tags.label_spreading import Spreading, SpreadTags, mutual_graph, spread_tags, weight_of
from focal_photos.learners.tags.tag_ridge import TagRidge

Ints = NDArray[np.intp]


def rings(n: int = 60) -> tuple[NDArray[np.float32], Ints]:
    """Return photos on two rings, one inside the other."""
    rng = np.random.default_rng(0)
    kind = np.repeat([0, 1], n)
    angle = np.tile(2 * np.pi * np.arange(n) / n, 2)
    X = np.stack([np.cos(angle), np.sin(angle)], axis=1) * (1 + 1.5 * kind[:, None])
    return (X + rng.normal(0, 0.02, X.shape)).astype(np.float32), kind


def graph_of(X: NDArray[np.float32]) -> sp.csr_array:
    return mutual_graph(build(FloatGallery(X)).weights)


def tags_of(kind: Ints) -> sp.csr_array:
    return sp.csr_array(np.eye(int(kind.max()) + 1)[kind])


def spread(X: NDArray[np.float32], kind: Ints, rows: Ints) -> SpreadTags:
    found = spread_tags(Spreading(graph_of(X)), rows, tags_of(kind[rows]), 0.1)
    assert found is not None
    return found


def test_the_graph_is_symmetric_with_eigenvalues_up_to_1_and_without_loops() -> None:
    W = graph_of(rings()[0]).toarray()
    assert pytest.approx(W.T, abs=1e-6) == W
    assert not W.diagonal().any()
    assert np.abs(np.linalg.eigvalsh(W)).max() <= 1 + 1e-5


def test_edges_are_the_smaller_weights_divided_by_the_roots_of_both_sums() -> None:
    V = np.array([[0.4, 0.5, 0.1, 0], [0.3, 0.3, 0.4, 0], [0, 0.2, 0.8, 0], [0.5, 0.5, 0, 0]], np.float32)
    rows = sp.csr_array(V)
    W = mutual_graph(SparseRows(rows.indptr, rows.indices, rows.data)).toarray()
    expected = np.zeros((4, 4))
    expected[0, 1] = expected[1, 0] = 0.3 / np.sqrt(0.3 * 0.5)
    expected[1, 2] = expected[2, 1] = 0.2 / np.sqrt(0.5 * 0.2)
    assert pytest.approx(expected, abs=1e-6) == W


def test_columns_are_those_of_the_inverse_and_are_computed_once() -> None:
    graph = graph_of(rings()[0])
    exact = np.linalg.inv(np.eye(120) - 0.95 * graph.toarray().astype(np.float64))
    spreading = Spreading(graph)
    for rows in (np.array([3, 70]), np.array([3, 40, 70, 119]), np.array([40])):
        assert spreading.of(rows) == pytest.approx(exact[:, rows], abs=0.02)
    before = spreading.of(np.array([40, 41]))[:, 0].copy()
    assert np.array_equal(spreading.of(np.array([40]))[:, 0], before)


def test_one_tagged_photo_of_each_ring_names_all_others() -> None:
    X, kind = rings()
    terms = spread(X, kind, np.array([5, 65])).terms
    assert (terms.argmax(axis=1) == kind).all()


def test_left_out_terms_are_those_without_the_photo_or_its_kind() -> None:
    X, kind = rings()
    rows = np.array([5, 20, 65, 90])
    found = spread(X, kind, rows)
    for at, row in enumerate(rows.tolist()):
        others = np.delete(rows, at)
        without = spread(X, kind, others)
        # The other tags have one photo less, which changes the weight: compare shares.
        assert found.left_out[at] / found.weight == pytest.approx(without.terms[row] / without.weight, abs=0.03)
        assert found.kind_left_out[at, kind[row]] == found.kind_left_out.min()


def test_terms_follow_the_definition_for_unequal_numbers_of_tagged_photos() -> None:
    X, kind = rings()
    rows, temperature = np.array([90, 5, 65, 100, 20, 119]), 0.1  # two and four photos
    kind = np.where(np.arange(len(kind)) == 119, 2, kind)  # one photo of a third kind
    tags, spreading = tags_of(kind[rows]), Spreading(graph_of(X))
    found = spread_tags(spreading, rows, tags, temperature)
    assert found is not None
    assert found.weight == weight_of(tags)
    columns = {row: spreading.of(np.array([row]))[:, 0].astype(np.float64) for row in rows.tolist()}

    def terms(photo: int, seeds: list[int], without_kind: int | None = None) -> NDArray[np.float64]:
        f = np.zeros(3)
        for c in set(range(3)) - {without_kind}:
            own = [columns[row] for row in seeds if kind[row] == c]
            f[c] = sum(one[photo] for one in own) / max(sum(one.sum() for one in own), 1e-30)
        logs = np.log(f / max(f.sum(), 1e-30) + 0.001)
        return np.asarray(temperature * found.weight * (logs - logs.max()))

    seeds = rows.tolist()
    assert found.terms == pytest.approx(np.array([terms(photo, seeds) for photo in range(len(X))]), abs=1e-3)
    left_out = [terms(row, [other for other in seeds if other != row]) for row in seeds]
    assert found.left_out == pytest.approx(np.array(left_out), abs=1e-3)
    kind_left_out = [terms(row, seeds, int(kind[row])) for row in seeds]
    assert found.kind_left_out == pytest.approx(np.array(kind_left_out), abs=1e-3)


def test_the_weight_falls_with_the_number_of_tagged_photos_and_needs_exclusive_tags() -> None:
    weights = [weight_of(tags_of(np.repeat(np.arange(4), each))) for each in (1, 2, 3)]
    assert weights == [4, 1, 0]
    assert weight_of(sp.csr_array(np.ones((5, 1)))) == 0
    assert weight_of(sp.csr_array(np.ones((5, 3)))) == 0
    assert weight_of(sp.csr_array(np.ones((1, 1)))) == 0
    assert weight_of(sp.csr_array([[1, 1, 0], [0, 0, 1]])) == 0


def test_labels_are_not_spread_beyond_the_limit_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    X, kind = rings()
    rows, spreading = np.array([5, 65]), Spreading(graph_of(X))
    for cells, is_spread in ((2 * len(X), True), (2 * len(X) - 1, False)):
        monkeypatch.setattr(label_spreading, "_CELLS", cells)
        assert (spread_tags(spreading, rows, tags_of(kind[rows]), 0.1) is not None) is is_spread


def test_photos_that_nothing_reaches_keep_their_scores() -> None:
    X, kind = rings()
    far = np.concatenate([X, 100 + X]).astype(np.float32)
    terms = spread(far, np.concatenate([kind, kind]), np.array([5, 65])).terms[120:]
    assert not terms.any()


def test_mixing_changes_the_left_out_scores_of_the_regression_alike() -> None:
    X, kind = rings()
    rows = np.array([5, 20, 65, 90])
    found = spread(X, kind, rows)
    ridge = TagRidge().fit(X[rows], tags_of(kind[rows]))
    before, others = ridge.left_out_.tags.copy(), ridge.kind_left_out_
    assert others is not None
    found.mix_into(ridge)
    assert ridge.left_out_.tags == pytest.approx(found.mixed(before, found.left_out))
    assert ridge.kind_left_out_ is not None
    assert ridge.kind_left_out_.tags == pytest.approx(found.mixed(others.tags, found.kind_left_out))
    scores = ridge.scores(X).tags
    mixed = found.mixed(scores, found.terms)
    assert mixed == pytest.approx((scores + found.terms) / (1 + 0.5 * 1))
    single = spread(X, kind, np.array([5, 65]))
    assert single.mixed(scores, single.terms) == pytest.approx((scores + single.terms) / (1 + 0.5 * 4))
    assert (mixed.argmax(axis=1) == kind).mean() > (ridge.scores(X).tags.argmax(axis=1) == kind).mean()
