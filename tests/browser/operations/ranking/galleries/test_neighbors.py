# SPDX-License-Identifier: MIT
from __future__ import annotations

import pickle
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.settings import RERANK
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.galleries.gallery import StoredRows
from focal_photos.browser.operations.ranking.galleries.neighbors import find_neighbors, row_prints, wants_neighbors
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.training.train import train
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.galleries.reciprocal import build, find_nearest
from tests.browser.catalog.albums import id_of
from tests.browser.operations.album import Album
from tests.browser.operations.ranking.test_ranker import kinds


@pytest.fixture
def large(indexed: Library, monkeypatch: pytest.MonkeyPatch) -> Library:
    """Library of 12 photos that counts as too large for finding all neighbourhoods immediately."""
    for room in ("gallery", "neighbors"):
        monkeypatch.setattr(f"focal_photos.browser.operations.ranking.galleries.{room}.MAX_RERANKED", 8)
    return indexed


def files(library: Library) -> list[Path]:
    return sorted((library.path / "derived").glob("neighbors-*.npz"))


def test_rankings_use_shared_neighbours_unless_that_is_switched_off(indexed: Library, album: Album) -> None:
    ranker, focal = Ranker(indexed), id_of(indexed, album.path("warm/2.jpg"))
    again, plain = ranker.rank(focal), ranker.rank(focal, rerank=False)
    gallery = ranker.gallery()
    row = gallery.row_of(focal)
    assert row is not None
    rows, distances = build(gallery.gallery).rank(gallery.gallery, gallery.rows[row], own=row)
    np.testing.assert_array_equal(again.photo_ids, gallery.ids[rows[1:]])
    np.testing.assert_array_equal(again.distances, distances[1:])
    assert (again.reranked, plain.reranked) == (True, False)
    assert not again.provisional
    np.testing.assert_array_equal(plain.photo_ids, gallery.ids[gallery.gallery.rank(gallery.rows[row])[0][1:]])
    RERANK.set(indexed, False)
    np.testing.assert_array_equal(ranker.rank(focal).distances, plain.distances)
    np.testing.assert_array_equal(ranker.rank(focal, rerank=True).distances, again.distances)


def test_outside_images_and_filtered_photos_are_reranked(indexed: Library, album: Album, tmp_path: Path) -> None:
    outside = Album(tmp_path / "outside").draw("x.png", kind="cold", seed=77)
    ranker = Ranker(indexed)
    everything = ranker.rank(outside)
    assert everything.reranked
    assert kinds(indexed, everything.photo_ids) == ["cold"] * 6 + ["warm"] * 6
    assert (np.diff(everything.distances) >= 0).all()
    few = everything.photo_ids[[8, 3, 5]]
    among = ranker.rank(outside, among=few)
    np.testing.assert_array_equal(among.photo_ids, everything.photo_ids[[3, 5, 8]])
    np.testing.assert_array_equal(among.distances, everything.distances[[3, 5, 8]])
    np.testing.assert_array_equal(ranker.rank(outside, limit=2).photo_ids, everything.photo_ids[:2])


def test_neighbourhoods_of_the_nearest_photos_are_used_until_all_are_known(large: Library, album: Album) -> None:
    ranker, focal = Ranker(large), id_of(large, album.path("warm/2.jpg"))
    before = ranker.rank(focal)
    assert (before.reranked, before.provisional) == (True, True)
    gallery = ranker.gallery()
    neighbors = gallery.neighbors
    assert neighbors.of_all is None
    first = neighbors.around(gallery.rows[0])
    assert neighbors.around(gallery.rows[0].copy()) is first, "computed once for the last query"
    assert neighbors.around(gallery.rows[1]) is not first
    job = ranker.find_neighbors()
    assert next(job).stage == "Comparing neighbourhoods"
    assert finish(job)
    after = ranker.rank(focal)
    assert (after.reranked, after.provisional) == (True, False)
    assert kinds(large, after.photo_ids) == kinds(large, before.photo_ids) == ["warm"] * 5 + ["cold"] * 6
    gallery = ranker.gallery()
    row = gallery.row_of(focal)
    assert row is not None
    expected = build(gallery.gallery).rank(gallery.gallery, gallery.rows[row], own=row)
    np.testing.assert_array_equal(after.distances, expected[1][1:])
    assert not finish(ranker.find_neighbors())


def test_a_subprocess_finds_the_neighbourhoods_of_many_photos(
    large: Library, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    here, there = Ranker(large), Ranker(large)
    assert finish(here.find_neighbors(in_subprocess=True))  # few photos: in this process
    (file,) = files(large)
    file.unlink()
    monkeypatch.setattr("focal_photos.browser.operations.ranking.galleries.neighbors._MIN_SUBPROCESS_PHOTOS", 8)
    with monkeypatch.context() as patched:
        cannot_search_here(patched)
        shares: list[int] = []
        assert finish(there.find_neighbors(in_subprocess=True), lambda progress: shares.append(progress.done))
    assert shares == sorted(shares)
    assert len(files(large)) == 1  # stored
    found, expected = there.gallery().neighbors.of_all, here.gallery().neighbors.of_all
    assert found is not None
    assert expected is not None
    np.testing.assert_array_equal(found.nearest.rows, expected.nearest.rows)
    np.testing.assert_array_equal(found.weights.indices, expected.weights.indices)
    np.testing.assert_allclose(found.weights.data, expected.weights.data, rtol=1e-5)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no python"))
    files(large)[0].unlink()
    again = Ranker(large)
    assert finish(again.find_neighbors(in_subprocess=True))  # in this process if no subprocess can be started
    assert again.gallery().neighbors.of_all is not None


def test_a_learner_is_not_pickled_but_read_from_its_file(large: Library, album: Album) -> None:
    for kind in ("warm", "cold"):
        photos = [id_of(large, album.path(f"{kind}/{place}.jpg")) for place in range(4)]
        large.tags.change(photos, [kind])
    finish(train(large, "rca"))
    gallery = Ranker(large).gallery()
    stored = StoredRows.of(large, gallery)
    assert stored.learner is not None
    there = pickle.loads(pickle.dumps(stored))
    assert there.learner is None
    rows = there.read()
    np.testing.assert_array_equal(rows, gallery.rows)
    np.testing.assert_array_equal(there.gallery(rows).rank(rows[0])[0], gallery.gallery.rank(gallery.rows[0])[0])


def cannot_search_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError("this process searches itself")

    for name in ("find_nearest", "build"):
        monkeypatch.setattr(f"focal_photos.browser.operations.ranking.galleries.neighbors.{name}", fail)


def test_similarities_agree_with_the_ranking_with_and_without_all_neighbourhoods(large: Library, album: Album) -> None:
    ranker, focal = Ranker(large), id_of(large, album.path("warm/2.jpg"))
    for found in (False, True):
        if found:
            finish(ranker.find_neighbors())
        gallery, ranking = ranker.gallery(), ranker.rank(focal)
        rows = np.array([gallery.row_of(focal), gallery.row_of(int(ranking.photo_ids[0])), 11])
        places = np.array([gallery.row_of(int(photo_id)) for photo_id in ranking.photo_ids])
        similar = gallery.similarities(rows)
        assert similar.shape == (12, 3)
        np.testing.assert_allclose(similar[places, 0], 1 - ranking.distances, atol=1e-5)
        np.testing.assert_allclose(similar[rows], similar[rows].T, atol=1e-5)
        np.testing.assert_allclose(np.diag(similar[rows]), 1, atol=1e-6)
        np.testing.assert_array_equal(gallery.similarities(rows, places[:4]), similar[places[:4]])
        weights = np.array([1.5, -0.5, 0.25])
        np.testing.assert_allclose(gallery.similarity_sums(rows, weights), similar @ weights, atol=1e-5)


def test_a_cancelled_search_stores_nothing_and_can_be_repeated(large: Library) -> None:
    ranker = Ranker(large)
    job = ranker.find_neighbors()
    next(job)
    job.close()
    assert files(large) == []
    assert ranker.gallery().neighbors.of_all is None
    assert finish(ranker.find_neighbors())
    assert len(files(large)) == 1


def test_nothing_is_found_if_the_setting_is_off(large: Library, album: Album) -> None:
    RERANK.set(large, False)
    ranker = Ranker(large)
    assert not ranker.rank(album.path("warm/0.jpg")).provisional
    assert not finish(ranker.find_neighbors())
    assert files(large) == []


def test_neighbourhoods_stored_by_a_window_are_used_immediately(large: Library, album: Album) -> None:
    outside = Album(album.folder.parent / "outside").draw("x.png", kind="cold", seed=77)
    focals = [id_of(large, album.path(f"{kind}/{place}.jpg")) for kind in ("warm", "cold") for place in range(6)]
    before = Ranker(large).rank(focals[2])
    assert (before.provisional, before.among_nearest) == (True, True)
    window = Ranker(large)
    finish(window.find_neighbors())
    later = Ranker(large)
    queries: list[int | Path] = [*focals, outside]
    for focal in queries:
        for limit in (None, 3):
            expected, found = window.rank(focal, limit=limit), later.rank(focal, limit=limit)
            assert (expected.provisional, expected.among_nearest) == (False, False)
            assert (found.provisional, found.among_nearest) == (True, False)  # the others are not found yet
            np.testing.assert_array_equal(found.photo_ids, expected.photo_ids)
            np.testing.assert_array_equal(found.distances, expected.distances)
    assert later.gallery().neighbors.of_all is None
    assert finish(later.find_neighbors())
    assert not later.rank(focals[2]).provisional


@pytest.mark.parametrize("what", ["deleted", "damaged", "of other photos", "of a former version"])
def test_outdated_neighbourhoods_are_not_used(large: Library, album: Album, what: str) -> None:
    finish(Ranker(large).find_neighbors())
    (file,) = files(large)
    if what == "deleted":
        file.unlink()
    elif what == "damaged":
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
    elif what == "of other photos":
        kept = file.read_bytes()
        album.draw("warm/0.jpg", kind="cold", seed=60)
        finish(index(large, backend="threads", workers=1))
        Ranker(large).rank(album.path("warm/0.jpg"))
        assert file.read_bytes() == kept
    else:
        with np.load(file) as arrays:
            np.savez(file, prints=arrays["prints"], rows=arrays["rows"], reach=arrays["reach"])
    focal = id_of(large, album.path("cold/2.jpg"))
    found = Ranker(large).rank(focal)
    assert found.among_nearest
    away = file.with_suffix(".away")
    if file.exists():
        file.rename(away)
    expected = Ranker(large).rank(focal)
    np.testing.assert_array_equal(found.photo_ids, expected.photo_ids)
    np.testing.assert_array_equal(found.distances, expected.distances)
    if away.exists():
        away.rename(file)
    finish(Ranker(large).find_neighbors())
    assert not Ranker(large).rank(focal).among_nearest


def test_libraries_above_the_limit_use_only_the_nearest(large: Library) -> None:
    gallery = Ranker(large).gallery()
    assert wants_neighbors(gallery, 12)
    assert not wants_neighbors(gallery, 11)
    assert not finish(find_neighbors(large, gallery, most=11))
    assert gallery.neighbors.of_all is None


def test_neighbourhoods_are_stored_and_extended_with_the_library(
    large: Library, album: Album, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish(Ranker(large).find_neighbors())
    (file,) = files(large)
    before = file.stat().st_mtime_ns
    searched: list[int] = []
    real = FloatGallery.rank_many

    def count(self: FloatGallery, queries: np.ndarray, k: int, **more: np.ndarray) -> object:
        searched.append(len(queries))
        return real(self, queries, k, **more)

    monkeypatch.setattr(FloatGallery, "rank_many", count)
    ranker = Ranker(large)
    assert finish(ranker.find_neighbors())
    assert searched == []
    assert file.stat().st_mtime_ns == before
    # A new photo and an edited one.
    album.draw("cold/6.jpg", kind="cold", seed=6)
    album.draw("warm/0.jpg", kind="cold", seed=60)
    finish(index(large, backend="threads", workers=1))
    ranker = Ranker(large)
    assert ranker.rank(album.path("cold/6.jpg")).provisional
    searched.clear()
    assert finish(ranker.find_neighbors())
    gallery = ranker.gallery()
    assert 2 <= sum(searched) < len(gallery.ids)
    graph = gallery.neighbors.of_all
    assert graph is not None
    expected = find_nearest(gallery.gallery)
    np.testing.assert_array_equal(graph.nearest.rows, expected.rows)
    np.testing.assert_array_equal(graph.nearest.reach, expected.reach)


@pytest.mark.parametrize("damage", ["cut", "other", "range"])
def test_damaged_neighbourhoods_are_found_again(large: Library, damage: str) -> None:
    finish(Ranker(large).find_neighbors())
    (file,) = files(large)
    with np.load(file) as arrays:
        kept = dict(arrays)
    if damage == "cut":
        file.write_bytes(file.read_bytes()[:-200])
    elif damage == "other":
        np.savez(file, prints=kept["prints"], rows=kept["rows"].astype(np.float32), reach=kept["reach"])
    else:
        np.savez(file, prints=kept["prints"], rows=kept["rows"] + 1, reach=kept["reach"])
    ranker = Ranker(large)
    assert finish(ranker.find_neighbors())
    graph = ranker.gallery().neighbors.of_all
    assert graph is not None
    np.testing.assert_array_equal(graph.nearest.rows, kept["rows"])
    with np.load(file) as arrays:
        np.testing.assert_array_equal(arrays["rows"], kept["rows"])


def test_a_read_only_library_keeps_neighbourhoods_in_memory(large: Library, album: Album) -> None:
    Ranker(large).rank(album.path("warm/0.jpg"))  # stores the coordinates
    large.close()
    with Library.open(large.path, read_only=True) as reader:
        ranker = Ranker(reader)
        assert finish(ranker.find_neighbors())
        assert not ranker.rank(album.path("warm/0.jpg")).provisional
        assert files(reader) == []


def test_each_metric_has_its_own_neighbourhoods(large: Library, album: Album) -> None:
    focal = id_of(large, album.path("warm/2.jpg"))
    large.judgements.set(focal, [id_of(large, album.path("warm/1.jpg"))], Verdict.SIMILAR)
    large.judgements.set(focal, [id_of(large, album.path("cold/1.jpg"))], Verdict.DISSIMILAR)
    ranker = Ranker(large)
    finish(ranker.find_neighbors())
    metric = finish(train(large, "kernel"))
    assert ranker.rank(focal).provisional
    assert finish(ranker.find_neighbors())
    assert len(files(large)) == 2
    assert not ranker.rank(focal, "euclidean").provisional
    trained = ranker.gallery()
    rows = np.ascontiguousarray(trained.rows * np.float32(2))
    ranker.galleries.move(metric, replace(trained, rows=rows, gallery=FloatGallery(rows)), "moved")
    kept = [file.read_bytes() for file in files(large)]
    assert ranker.gallery().neighbors.of_all is None
    assert ranker.rank(focal).provisional
    assert finish(ranker.find_neighbors())
    assert not ranker.rank(focal).provisional
    assert [file.read_bytes() for file in files(large)] == kept


def test_a_learner_without_gain_ranks_without_neighbourhoods(large: Library, album: Album) -> None:
    for kind in ("warm", "cold"):
        large.tags.change([id_of(large, album.path(f"{kind}/{i}.jpg")) for i in range(4)], add=[kind])
    finish(train(large, "dist-boost"))
    ranker, focal = Ranker(large), id_of(large, album.path("warm/5.jpg"))
    ranking = ranker.rank(focal)
    assert (ranking.reranked, ranking.provisional) == (False, False)
    np.testing.assert_array_equal(ranking.distances, ranker.rank(focal, rerank=False).distances)
    assert len(ranker.shared_neighbors(focal, int(ranking.photo_ids[0]))) == 0
    assert not finish(ranker.find_neighbors())


def test_neighbourhoods_of_removed_rows_are_deleted(large: Library, album: Album) -> None:
    finish(Ranker(large).find_neighbors())
    gone = large.path / "derived" / "neighbors-space-0123.npz"
    gone.write_bytes(b"of a space that is no more")
    album.draw("warm/7.jpg", kind="warm", seed=7)
    finish(index(large, backend="threads", workers=1))
    finish(Ranker(large).find_neighbors())
    assert not gone.exists()
    assert len(files(large)) == 1


def test_why_near_names_neighbours_of_both_photos(large: Library, album: Album, tmp_path: Path) -> None:
    ranker, focal = Ranker(large), id_of(large, album.path("warm/2.jpg"))
    other = int(ranker.rank(focal).photo_ids[0])
    finish(ranker.find_neighbors())
    shared = ranker.shared_neighbors(focal, other)
    assert len(shared) > 0
    assert not {focal, other} & set(shared.tolist())
    assert set(kinds(large, shared)) == {"warm"}
    gallery = ranker.gallery()
    one, two = gallery.row_of(focal), gallery.row_of(other)
    assert one is not None
    assert two is not None
    ids, weights = gallery.shared_neighbors(one, two)
    np.testing.assert_array_equal(ids, shared)
    assert (np.diff(weights) <= 0).all()
    assert 0 < weights.sum() <= 1
    np.testing.assert_array_equal(ranker.shared_neighbors(focal, other, limit=1), shared[:1])
    assert len(ranker.shared_neighbors(focal, id_of(large, album.path("cold/1.jpg")))) == 0
    RERANK.set(large, False)
    assert len(ranker.shared_neighbors(focal, other)) == 0
    RERANK.set(large, True)
    elsewhere = Album(tmp_path / "elsewhere")
    theirs = [elsewhere.draw(f"{copy}.png", kind="warm", seed=2) for copy in range(3)]
    finish(index(large, [elsewhere.folder], backend="threads", workers=1))
    copies = [id_of(large, path) for path in theirs]
    before = {one: ranker.shared_neighbors(focal, one) for one in ranker.rank(focal).photo_ids.tolist()}
    assert any(np.isin(some, copies).any() for some in before.values())
    large.roots.remove(next(root.id for root in large.roots.all() if root.path == elsewhere.folder))
    for one, some in before.items():
        np.testing.assert_array_equal(ranker.shared_neighbors(focal, one), some[~np.isin(some, copies)])


def test_the_nearest_photo_of_the_metric_comes_first_for_any_id(indexed: Library) -> None:
    gallery = Ranker(indexed).gallery()
    rows = np.random.default_rng(0).normal(size=(60, 3)).astype(np.float32)
    for ids in (np.arange(60), np.arange(60)[::-1].copy()):
        drawn = replace(gallery, ids=ids.astype(np.int64), rows=rows, gallery=FloatGallery(rows))
        graph, moved = build(drawn.gallery), 0
        for own in range(60):
            found, distances = drawn.nearest(rows[own], own=own, rerank=True)
            first = graph.first_of(own)
            if first is not None:
                similar = drawn.similarities(np.array([own]))[:, 0]
                similar[own] = -1
                moved += first != similar.argmax()
                assert found[1] == ids[first]
                assert distances[1] < distances[2]
                assert drawn.nearest(rows[own], 2, own=own, rerank=True)[0].tolist() == found[:2].tolist()
        assert moved


def test_a_fingerprint_depends_on_the_photo_and_its_row_only() -> None:
    rng = np.random.default_rng(0)
    ids, rows = np.array([3, 4, 9, 12]), rng.random((4, 5), dtype=np.float32)
    prints = row_prints(ids, rows)
    order = np.array([2, 0, 3, 1])
    np.testing.assert_array_equal(row_prints(ids[order], rows[order]), prints[order])
    others = row_prints(np.array([4, 3, 9, 13]), rows)  # the same rows for other photos
    assert (others != prints).tolist() == [True, True, False, True]
    changed = rows.copy()
    changed[1, 4] = np.nextafter(changed[1, 4], np.float32(2))
    assert (row_prints(ids, changed) != prints).tolist() == [False, True, False, False]
    assert len(np.unique(row_prints(ids, np.repeat(rows[:1], 4, axis=0)))) == 4
