# SPDX-License-Identifier: MIT
from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.indexed_gallery import MAX_RANKED, IndexedGallery, RowIndex
from focal_photos.learners.galleries.inverted_file import AXES, InvertedFile
from tests.examples import examples

N, SKIPPED = 6000, 100


def clusters(n: int = N, d: int = 16, seed: int = 0) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    centers = rng.normal(size=(60, d))
    return (centers[rng.integers(0, 60, n)] + 0.4 * rng.normal(size=(n, d))).astype(np.float32)


@pytest.fixture(scope="module")
def points() -> NDArray[np.float32]:
    return clusters()


@pytest.fixture(scope="module")
def numbers() -> NDArray[np.int64]:
    """Ids that differ from the row numbers: in another order, with gaps."""
    return np.random.default_rng(1).permutation(2 * N)[:N].astype(np.int64)


@pytest.fixture(scope="module")
def file(points: NDArray[np.float32], numbers: NDArray[np.int64]) -> InvertedFile:
    """Inverted file of all points except the last hundred."""
    return InvertedFile.build(points[:-SKIPPED], numbers[:-SKIPPED])


@pytest.fixture
def indexed(points: NDArray[np.float32], numbers: NDArray[np.int64], file: InvertedFile) -> IndexedGallery:
    gallery = IndexedGallery(points)
    places = np.full(2 * N, -1, dtype=np.int32)
    places[numbers] = np.arange(N, dtype=np.int32)
    gallery.index = RowIndex(file, places, np.arange(N - SKIPPED, N))
    return gallery


def test_nearly_all_nearest_rows_are_found_with_exact_distances(
    points: NDArray[np.float32], indexed: IndexedGallery
) -> None:
    exact, found = FloatGallery(points), []
    for row in range(0, N, 200):
        rows, distances = indexed.rank(points[row], 200)
        np.testing.assert_array_equal(distances, exact.distances(points[row], rows))
        assert (np.diff(distances) >= 0).all()
        assert len(set(rows.tolist())) == 200
        assert rows[0] == row
        found.append(np.isin(exact.rank(points[row], 200)[0], rows).mean())
    assert np.mean(found) > 0.97


def test_rows_missing_in_the_file_are_candidates_for_every_query(
    points: NDArray[np.float32], indexed: IndexedGallery
) -> None:
    for row in (N - SKIPPED, N - 1):
        assert indexed.rank(points[row], 3)[0][0] == row


def test_removed_rows_are_not_found(
    points: NDArray[np.float32], numbers: NDArray[np.int64], indexed: IndexedGallery
) -> None:
    # The first thousand are removed: row numbers are smaller, and the file knows more ids than there are rows.
    gallery = IndexedGallery(points[1000:])
    assert indexed.index is not None
    places = np.full(int(numbers[1000:].max()) + 1, -1, dtype=np.int32)
    places[numbers[1000:]] = np.arange(N - 1000, dtype=np.int32)
    gallery.index = RowIndex(indexed.index.file, places, np.arange(N - 1000 - SKIPPED, N - 1000))
    rows, distances = gallery.rank(points[3], 50)
    np.testing.assert_array_equal(distances, FloatGallery(points[1000:]).distances(points[3], rows))
    exact = FloatGallery(points[1000:]).rank(points[3], 50)[0]
    assert np.isin(exact, rows).mean() > 0.9


def test_a_removed_row_is_not_mistaken_for_the_last_row() -> None:
    Z = clusters(1500, 8)
    gallery = IndexedGallery(Z[:1400])
    file = InvertedFile.build(Z, np.arange(1500))
    gallery.index = RowIndex(file, np.where(np.arange(1500) < 1400, np.arange(1500), -1).astype(np.int32), np.arange(0))
    rows, _ = gallery.rank(Z[1399], 5)
    assert rows[0] == 1399
    assert rows.min() >= 0
    assert len(set(rows.tolist())) == 5


@pytest.mark.parametrize("k", [None, 0, MAX_RANKED + 1, N + 5])
def test_long_rankings_compare_all_rows(points: NDArray[np.float32], indexed: IndexedGallery, k: int | None) -> None:
    assert not indexed.serves(k)
    for got, wanted in zip(indexed.rank(points[5], k), FloatGallery(points).rank(points[5], k), strict=True):
        np.testing.assert_array_equal(got, wanted)


def test_the_longest_ranking_of_the_index_is_known(points: NDArray[np.float32], indexed: IndexedGallery) -> None:
    assert indexed.serves(MAX_RANKED)
    assert len(indexed.rank(points[5], MAX_RANKED)[0]) == MAX_RANKED


@settings(max_examples=examples(30))
@given(share=st.sampled_from([0.0005, 0.01, 0.3, 0.9]), k=st.integers(1, 300), seed=st.integers(0, 3))
def test_only_allowed_rows_are_found_and_as_many_as_possible(share: float, k: int, seed: int) -> None:
    Z, file = _built()
    gallery = IndexedGallery(Z)
    ids = np.arange(3000)
    gallery.index = RowIndex(file, ids.astype(np.int32), ids[:0])
    allowed = np.random.default_rng(seed).random(3000) < share
    rows, distances = gallery.rank(Z[1], k, allowed=allowed)
    exact, far = FloatGallery(Z).rank(Z[1], k, allowed=allowed)
    assert allowed[rows].all()
    assert len(rows) == len(exact)
    assert (distances >= far).all(), "no sample is nearer"
    if share < 0.1:  # the index proposes too few of them: all are compared
        np.testing.assert_array_equal(rows, exact)


@cache
def _built() -> tuple[NDArray[np.float32], InvertedFile]:
    """Return points and their inverted file, shared by all examples, which do not change them."""
    Z = clusters(3000, 8)
    return Z, InvertedFile.build(Z, np.arange(3000))


def test_more_coordinates_than_axes_are_projected() -> None:
    assert AXES == 128
    Z = clusters(2000, 200)
    file = InvertedFile.build(Z, np.arange(2000))
    assert file.dimension == 200
    exact = FloatGallery(Z).rank(Z[4], 20)[0]
    assert np.isin(exact, file.candidates(Z[4], 200)).mean() > 0.9
    file.remove(np.arange(10))
    assert len(file) == 1990
    file.add(Z[:5], np.arange(5000, 5005))
    assert len(file) == 1995
    assert file.candidates(Z[4], 1)[0] == 5004


def test_a_written_file_is_the_same_mapped_or_read(
    tmp_path: Path, points: NDArray[np.float32], file: InvertedFile
) -> None:
    path = tmp_path / "x.faiss"
    file.write(path)
    for mapped in (True, False):
        read = InvertedFile.read(path, mapped=mapped)
        assert len(read) == len(file)
        np.testing.assert_array_equal(read.candidates(points[9], 70), file.candidates(points[9], 70))
    grown = InvertedFile.read(path, mapped=False)
    grown.add(points[:1] + 50, np.array([77_777]))
    assert grown.candidates(points[0] + 50, 1).tolist() == [77_777]
    grown.remove(np.array([77_777, 88_888]))
    assert len(grown) == len(file)
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(LearnerError, match=r"x\.faiss"):
        InvertedFile.read(path)


def test_candidates_are_unique_and_limited(points: NDArray[np.float32], file: InvertedFile) -> None:
    found = file.candidates(points[0], 123)
    assert len(set(found.tolist())) == 123
    # One of many lists has fewer candidates than requested; no -1 fills the gap.
    everything = file.candidates(points[0], 10 * N)
    assert len(everything) <= N - SKIPPED
    assert everything.min() >= 0


def test_progress_rises_to_1_and_may_cancel() -> None:
    Z = clusters(1500, 4)
    shares: list[float] = []
    InvertedFile.build(Z, np.arange(1500), progress=shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) > 5

    def stop(share: float) -> None:
        if share > 0.1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        InvertedFile.build(Z, np.arange(1500), progress=stop)


def test_no_row_is_read_before_it_is_needed() -> None:
    Z = clusters(1500, 4)
    ids = np.arange(1500)
    file = InvertedFile.build(Z, ids)
    Z[700:] = np.nan
    gallery = IndexedGallery(Z)
    with pytest.raises(LearnerError, match="NaN"):
        gallery.rank(np.zeros(4, np.float32))
    gallery = IndexedGallery(Z)
    near = np.flatnonzero(np.linalg.norm(Z[:700] - Z[0], axis=1) < 1)
    gallery.index = RowIndex(file, np.where(np.isin(ids, near), ids, -1).astype(np.int32), ids[:0])
    assert gallery.rank(Z[0], 3)[0][0] == 0


def test_too_few_points_and_a_missing_package_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LearnerError, match="1000"):
        InvertedFile.build(clusters(999, 4), np.arange(999))
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(LearnerError, match=r"'.\[index\]'"):
        InvertedFile.build(clusters(1500, 4), np.arange(1500))


def test_distant_allowed_rows_are_not_left_to_the_index() -> None:
    # Lists on a line, of which one is searched. The query is at its edge. Allowed are the three farthest rows of this
    # list and three of the next list, which are nearer.
    places = np.linspace(0, 10, 2000)
    Z = np.column_stack([places, np.zeros(2000)]).astype(np.float32)
    ids = np.arange(2000)
    gallery = IndexedGallery(Z)
    file = InvertedFile(InvertedFile.build(Z, ids).index, probes=1)
    gallery.index = RowIndex(file, ids.astype(np.int32), ids[:0])
    row = next(row for row in range(500, 2000) if row + 1 not in file.candidates(Z[row], 2000))
    proposed = np.sort(file.candidates(Z[row], 2000))
    assert len(proposed) > 12, "the list continues on the other side"
    assert proposed[-1] == row
    allowed = np.isin(ids, [*proposed[:3], row + 1, row + 2, row + 3])
    np.testing.assert_array_equal(gallery.rank(Z[row], 2, allowed=allowed)[0], [row + 1, row + 2])
