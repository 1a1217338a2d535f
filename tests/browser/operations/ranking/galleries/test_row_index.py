# SPDX-License-Identifier: MIT
"""Index of a large library: building, storing and extending it, and the cases in which it is not used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.settings import INDEX_FROM
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.galleries.row_index import (
    attach_stored,
    find_index,
    wants_index,
    why_without_index,
)
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.indexed_gallery import IndexedGallery
from focal_photos.learners.galleries.inverted_file import InvertedFile
from tests.browser.catalog.albums import id_of
from tests.browser.operations.album import Album

N = 1500
Make = Callable[..., MetricGallery]


def rows_of(n: int, seed: int = 0) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(30, 12))[rng.integers(0, 30, n)] + 0.3 * rng.normal(size=(n, 12))).astype(np.float32)


@pytest.fixture
def make(indexed: Library) -> Make:
    """Return a function that makes galleries of many synthetic rows under the key of the library's own rows."""
    INDEX_FROM.set(indexed, 1000)
    first = Ranker(indexed).gallery()

    def gallery(rows: NDArray[np.float32], ids: NDArray[np.int64] | None = None) -> MetricGallery:
        ids = np.arange(1, len(rows) + 1) if ids is None else ids
        return replace(first, ids=ids, rows=rows, gallery=IndexedGallery(rows))

    return gallery


def files(library: Library) -> list[Path]:
    return sorted((library.path / "derived").glob("index-*"))


def listed(gallery: MetricGallery) -> InvertedFile:
    assert isinstance(gallery.gallery, IndexedGallery)
    assert gallery.gallery.index is not None
    return gallery.gallery.index.file


def nearest(gallery: MetricGallery, row: int, k: int = 5) -> list[int]:
    """Return the ids nearest to a row according to the index."""
    searched = gallery.gallery
    assert isinstance(searched, IndexedGallery)
    assert searched.serves(k)
    return [int(each) for each in gallery.ids[searched.rank(gallery.rows[row], k)[0]]]


def test_an_index_is_built_stored_and_used_again(indexed: Library, make: Make) -> None:
    gallery = make(rows_of(N))
    assert wants_index(indexed, gallery)
    assert "builds an index" in why_without_index(indexed, gallery)
    assert finish(find_index(indexed, gallery))
    assert [path.suffix for path in files(indexed)] == [".faiss", ".npz"]
    assert not wants_index(indexed, gallery)
    assert not why_without_index(indexed, gallery)
    exact = FloatGallery(gallery.rows).rank(gallery.rows[7], 40)[0]
    assert np.isin(gallery.ids[exact], nearest(gallery, 7, 40)).mean() > 0.9
    # Another gallery of the same rows uses it immediately; later changes are searched for once.
    again = make(rows_of(N))
    attach_stored(indexed, again)
    assert not why_without_index(indexed, again)
    assert wants_index(indexed, again)
    assert nearest(again, 7, 40) == nearest(gallery, 7, 40)
    before = [path.stat().st_mtime_ns for path in files(indexed)]
    assert not finish(find_index(indexed, again))
    assert not wants_index(indexed, again)
    assert [path.stat().st_mtime_ns for path in files(indexed)] == before, "an unchanged index is not written again"


def test_added_edited_and_removed_photos_are_handled(indexed: Library, make: Make) -> None:
    finish(find_index(indexed, make(rows_of(N))))
    # Photos 1 to 100 are removed, 101 has changed and therefore moves to the end, and ten are new.
    ids = np.concatenate([np.arange(102, N + 1), [101], np.arange(N + 1, N + 11)])
    rows = np.concatenate([rows_of(N)[101:], rows_of(11, seed=5) + 20])
    gallery = make(rows, ids)
    attach_stored(indexed, gallery)
    assert nearest(gallery, len(ids) - 1)[0] == N + 10, "a new photo is a candidate before it is indexed"
    assert set(nearest(gallery, 0, 50)) <= set(ids.tolist())
    assert len(listed(gallery)) == N
    assert not finish(find_index(indexed, gallery)), "an index exists already"
    assert len(listed(gallery)) == len(ids)
    assert 101 in nearest(gallery, N - 101, 3), "the photo is found by its new content"
    assert nearest(gallery, len(ids) - 1)[0] == N + 10
    assert isinstance(gallery.gallery, IndexedGallery)
    assert gallery.gallery.index is not None
    assert not len(gallery.gallery.index.unlisted)
    # The written index has the same content.
    again = make(rows, ids)
    attach_stored(indexed, again)
    assert len(listed(again)) == len(ids)
    assert nearest(again, 3, 60) == nearest(gallery, 3, 60)


def test_removed_photos_leave_the_stored_index_although_none_were_added(indexed: Library, make: Make) -> None:
    finish(find_index(indexed, make(rows_of(N))))
    ids, rows = np.arange(101, N + 1), rows_of(N)[100:]
    gallery = make(rows, ids)
    attach_stored(indexed, gallery)
    assert not finish(find_index(indexed, gallery)), "an index exists already"
    again = make(rows, ids)
    attach_stored(indexed, again)
    assert len(listed(gallery)) == len(listed(again)) == len(ids)


def test_centres_are_fitted_again_when_the_library_has_grown_enough(
    indexed: Library, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[int] = []
    build = InvertedFile.build

    def noted(points: NDArray[np.float32], ids: NDArray[np.int64], **given: object) -> InvertedFile:
        built.append(len(ids))
        return build(points, ids, **given)  # type: ignore[arg-type]

    monkeypatch.setattr(InvertedFile, "build", noted)
    for count in (N, 4 * N, 4 * N + 1, 4 * N + 2):
        finish(find_index(indexed, make(rows_of(count))))
    assert built == [N, 4 * N + 1]


@pytest.mark.parametrize("suffix", [".faiss", ".npz"])
@pytest.mark.parametrize("damage", ["cut", "gone", "other"])
def test_a_damaged_index_is_built_again(indexed: Library, make: Make, suffix: str, damage: str) -> None:
    finish(find_index(indexed, make(rows_of(N))))
    (path,) = (path for path in files(indexed) if path.suffix == suffix)
    content = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(content[:-9] if damage == "cut" else content[:50] + b"?" * 50 + content[100:])
    gallery = make(rows_of(N))
    attach_stored(indexed, gallery)
    assert isinstance(gallery.gallery, IndexedGallery)
    assert gallery.gallery.index is None
    assert why_without_index(indexed, gallery)
    assert finish(find_index(indexed, gallery))
    assert len(listed(gallery)) == N


def test_no_index_is_wanted_for_small_libraries_or_if_switched_off(indexed: Library, make: Make) -> None:
    gallery = make(rows_of(N))
    for limit, wanted in ((N - 1, True), (N, False), (0, False)):
        INDEX_FROM.set(indexed, limit)
        assert wants_index(indexed, gallery) is wanted
        assert bool(why_without_index(indexed, gallery)) is wanted
    assert not finish(find_index(indexed, gallery))
    assert not files(indexed)


def test_without_the_package_all_rows_are_compared_and_the_reason_is_given(
    indexed: Library, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish(find_index(indexed, make(rows_of(N))))
    monkeypatch.setattr("focal_photos.browser.operations.ranking.galleries.row_index.faiss_installed", lambda: False)
    gallery = make(rows_of(N))
    attach_stored(indexed, gallery)
    assert not wants_index(indexed, gallery)
    assert "1,500 photos" in why_without_index(indexed, gallery)
    assert "'.[index]'" in why_without_index(indexed, gallery)


def test_a_metric_without_coordinates_compares_all_rows_and_gives_the_reason(indexed: Library, make: Make) -> None:
    gallery = replace(make(rows_of(N)), gallery=FloatGallery(rows_of(N)))
    assert not wants_index(indexed, gallery)
    assert "cannot use an index" in why_without_index(indexed, gallery)


def test_a_read_only_library_uses_a_stored_index_and_builds_none(
    indexed: Library, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexed, "read_only", True)
    assert not wants_index(indexed, make(rows_of(N)))
    assert not finish(find_index(indexed, make(rows_of(N))))
    assert not files(indexed)
    monkeypatch.setattr(indexed, "read_only", False)
    finish(find_index(indexed, make(rows_of(N))))
    monkeypatch.setattr(indexed, "read_only", True)
    gallery = make(rows_of(N))
    attach_stored(indexed, gallery)
    assert nearest(gallery, 3)[0] == 4
    assert not wants_index(indexed, gallery)


def test_indexes_of_deleted_rows_are_deleted(indexed: Library, make: Make) -> None:
    other = make(rows_of(N))
    finish(find_index(indexed, replace(other, loaded=replace(other.loaded, key="metric-gone-0"))))
    finish(find_index(indexed, make(rows_of(N))))
    assert not any("gone" in path.name for path in files(indexed))
    assert len(files(indexed)) == 2


def test_rankings_of_the_library_use_the_index(indexed: Library, album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focal_photos.learners.galleries.inverted_file.MIN_POINTS", 2)
    focal = id_of(indexed, album.path("warm/2.jpg"))
    exact = Ranker(indexed).rank(focal, limit=4)
    assert (exact.by_index, exact.wants_index, exact.why_all) == (False, False, "")
    INDEX_FROM.set(indexed, 5)
    ranker = Ranker(indexed)
    before = ranker.rank(focal, limit=4)
    assert not before.by_index
    assert before.wants_index
    assert "12 photos" in before.why_all
    assert not finish(ranker.find_neighbors()), "the shown ranking stays"
    after, whole = ranker.rank(focal, limit=4), ranker.rank(focal)
    assert after.by_index
    assert not whole.by_index, "a whole ranking compares all photos"
    assert (after.wants_index, after.why_all) == (False, "")
    for one in (before, after):
        np.testing.assert_array_equal(one.photo_ids, exact.photo_ids)
        np.testing.assert_array_equal(one.distances, exact.distances)
    indexed.judgements.set(focal, [int(whole.photo_ids[-1])], Verdict.SIMILAR)
    assert not ranker.rank(focal, limit=4).by_index, "a ranking with judgements compares all photos"
    assert ranker.rank(focal, limit=4, by_judgements=False).by_index
    indexed.judgements.set(focal, [int(whole.photo_ids[-1])], None)
    fresh = Ranker(indexed).rank(focal, limit=4)
    assert fresh.by_index, "the next process has the index at once"
    np.testing.assert_array_equal(fresh.photo_ids, exact.photo_ids)


def test_a_stored_index_with_removed_photos_at_the_end_is_usable(indexed: Library, make: Make) -> None:
    finish(find_index(indexed, make(rows_of(N))))
    gallery = make(rows_of(N)[:-50])
    attach_stored(indexed, gallery)
    assert nearest(gallery, N - 51)[0] == N - 50
    assert max(nearest(gallery, N - 51, 40)) <= N - 50


def test_a_swapped_index_of_other_rows_is_refused(indexed: Library, make: Make) -> None:
    finish(find_index(indexed, make(rows_of(N))))
    (path,) = (path for path in files(indexed) if path.suffix == ".faiss")
    size = path.stat().st_size
    InvertedFile.build(rows_of(N, seed=9), np.arange(1, N + 1)).write(path)
    assert path.stat().st_size == size
    gallery = make(rows_of(N))
    attach_stored(indexed, gallery)
    assert why_without_index(indexed, gallery)
