# SPDX-License-Identifier: MIT
from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import Job, finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.mapping.lay_out import MAX_ARRANGED, PhotoMap, lay_out, principal_components
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.training.train import train
from tests.browser.operations.album import Album
from tests.browser.operations.jobs.waiting import stands_in, until


def kinds(library: Library, found: PhotoMap) -> list[str]:
    return [path.parent.name for path in library.photos.paths(found.ids.tolist())]


def nearest(found: PhotoMap) -> np.ndarray:
    """Return the nearest other row on the map for each row."""
    far = ((found.places[:, None] - found.places[None]) ** 2).sum(axis=2)
    np.fill_diagonal(far, np.inf)
    return np.asarray(far.argmin(axis=1))


def files(library: Library) -> list[Path]:
    return sorted((library.path / "derived").glob("map-*.npz"))


def lay_out_here(
    library: Library,
    ranker: Ranker,
    *,
    start: PhotoMap | None = None,
    tell: Callable[[PhotoMap], None] | None = None,
    most: int = MAX_ARRANGED,
) -> Job[PhotoMap]:
    """Lay out in a thread, as most tests need no process."""
    return lay_out(library, ranker, start=start, tell=tell, most=most, in_subprocess=False)


@pytest.mark.parametrize("most", [100, 8])
def test_similar_photos_are_near_each_other(indexed: Library, most: int) -> None:
    found = finish(lay_out_here(indexed, Ranker(indexed), most=most))
    kind = np.array(kinds(indexed, found))
    np.testing.assert_array_equal(kind[nearest(found)], kind)
    assert found.places.dtype == np.float32
    assert found.places.shape == (12, 2)
    if most > 12:
        assert (np.ptp(found.places, axis=0)).max() == pytest.approx(1, abs=1e-5)
        np.testing.assert_allclose(found.places.min(axis=0) + found.places.max(axis=0), 0, atol=1e-5)
    else:
        assert np.count_nonzero(found.typical) == 8


def test_a_map_is_cached_until_its_file_is_damaged(indexed: Library) -> None:
    ranker = Ranker(indexed)
    told: list[PhotoMap] = []
    first = finish(lay_out_here(indexed, ranker, tell=told.append))
    assert len(told) == 30  # intermediate maps
    assert all(np.isfinite(one.places).all() and len(one.ids) == 12 for one in told)
    again = finish(lay_out_here(indexed, ranker, tell=told.append))
    np.testing.assert_array_equal(again.places, first.places)
    assert len(told) == 30
    (file,) = files(indexed)
    file.write_bytes(file.read_bytes()[:100])
    mended = finish(lay_out_here(indexed, ranker))
    np.testing.assert_array_equal(mended.places, first.places)  # the same photos give the same map
    np.savez(file.with_suffix(""), ids=first.ids, places=np.full((12, 2), np.nan, np.float32), typical=first.typical)
    np.testing.assert_array_equal(finish(lay_out_here(indexed, ranker)).places, first.places)


def test_new_photos_are_placed_near_their_neighbours_and_the_others_stay(indexed: Library, album: Album) -> None:
    first = finish(lay_out_here(indexed, Ranker(indexed)))
    for number, name in ((20, "warm"), (21, "cold")):
        album.draw(f"{name}/{number}.jpg", kind=name, seed=number)
    finish(index(indexed, [album.folder], backend="threads", workers=1))
    grown = finish(lay_out_here(indexed, Ranker(indexed)))
    assert len(grown.ids) == 14
    old = np.isin(grown.ids, first.ids)
    np.testing.assert_array_equal(grown.places[old], first.places)
    kind = np.array(kinds(indexed, grown))
    np.testing.assert_array_equal(kind[nearest(grown)], kind)
    # The cached map grows too.
    np.testing.assert_array_equal(finish(lay_out_here(indexed, Ranker(indexed))).places, grown.places)


def test_many_new_photos_make_a_new_map(indexed: Library, album: Album) -> None:
    first = finish(lay_out_here(indexed, Ranker(indexed)))
    for number in range(20, 24):
        album.draw(f"warm/{number}.jpg", kind="warm", seed=number)
    finish(index(indexed, [album.folder], backend="threads", workers=1))
    grown = finish(lay_out_here(indexed, Ranker(indexed)))
    assert not np.array_equal(grown.places[np.isin(grown.ids, first.ids)], first.places)
    kind = np.array(kinds(indexed, grown))
    assert (kind[nearest(grown)] == kind).mean() > 0.9


def test_a_map_for_another_metric_starts_from_the_previous_positions(indexed: Library, album: Album) -> None:
    for number in range(3):
        for kind in ("warm", "cold"):
            photo = indexed.photos.by_path(album.path(f"{kind}/{number}.jpg"))
            assert photo is not None
            indexed.tags.change([photo.id], [kind])
    ranker = Ranker(indexed)
    before = finish(lay_out_here(indexed, ranker))
    finish(train(indexed, "rca"))
    turned = PhotoMap(before.metric, before.ids, before.places[:, ::-1] * np.float32(-1), before.typical)
    found = []
    for start in (before, turned):
        found.append(finish(lay_out_here(indexed, ranker, start=start)))
        np.testing.assert_array_equal(finish(lay_out_here(indexed, ranker)).places, found[-1].places)
        for file in files(indexed):
            file.unlink()
    warm = np.array(kinds(indexed, before)) == "warm"

    def direction(one: PhotoMap) -> np.ndarray:
        way = one.places[warm].mean(axis=0) - one.places[~warm].mean(axis=0)
        return np.asarray(way / np.linalg.norm(way))

    assert direction(found[0]) @ direction(before) > 0.5
    assert direction(found[1]) @ direction(turned) > 0.5


def test_maps_of_removed_metrics_are_deleted(indexed: Library) -> None:
    old = indexed.path / "derived" / "map-metric-9-abc.npz"
    old.write_bytes(b"")
    finish(lay_out_here(indexed, Ranker(indexed)))
    assert len(files(indexed)) == 1
    assert not old.exists()


def test_a_map_of_one_or_three_photos_is_possible(library: Library, album: Album) -> None:
    album.draw("a.jpg", kind="warm", seed=1)
    finish(index(library, [album.folder], backend="threads", workers=1))
    alone = finish(lay_out_here(library, Ranker(library)))
    np.testing.assert_array_equal(alone.places, [[0, 0]])
    for number, kind in enumerate(("warm", "cold")):
        album.draw(f"{kind}.jpg", kind=kind, seed=number + 5)
    finish(index(library, [album.folder], backend="threads", workers=1))
    three = finish(lay_out_here(library, Ranker(library)))
    assert len(np.unique(three.places, axis=0)) == 3


def test_a_map_needs_indexed_photos(library: Library) -> None:
    with pytest.raises(OperationError, match="index"):
        finish(lay_out_here(library, Ranker(library)))


def test_laying_out_can_be_cancelled(indexed: Library) -> None:
    begun, go_on, seen = threading.Event(), threading.Event(), []

    def tell(found: PhotoMap) -> None:
        seen.append(found)
        begun.set()
        assert go_on.wait(60)

    job = lay_out_here(indexed, Ranker(indexed), tell=tell)
    while not begun.is_set():
        next(job)
    here = threading.current_thread()

    def let_go_on() -> None:
        until(lambda: stands_in(here, "in_thread", "join"))  # the job is closed and waits for the computation
        go_on.set()

    thread = threading.Thread(target=let_go_on)
    thread.start()
    job.close()
    thread.join()
    assert len(seen) == 1
    assert files(indexed) == []


@pytest.fixture
def cannot_be_laid_out_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openTSNE", None)


@pytest.mark.usefixtures("cannot_be_laid_out_here")
@pytest.mark.parametrize("most", [100, 8])
def test_a_subprocess_computes_the_map(indexed: Library, most: int) -> None:
    shares: list[int] = []
    told: list[PhotoMap] = []
    job = lay_out(indexed, Ranker(indexed), tell=told.append, most=most)
    found = finish(job, lambda progress: shares.append(progress.done))
    assert shares == sorted(shares)
    assert told
    assert all(len(one.ids) == min(12, most) and np.isfinite(one.places).all() for one in told)
    kind = np.array(kinds(indexed, found))
    np.testing.assert_array_equal(kind[nearest(found)], kind)
    np.testing.assert_array_equal(finish(lay_out(indexed, Ranker(indexed))).places, found.places)  # cached


def test_the_subprocess_gives_the_same_map_as_this_process(indexed: Library) -> None:
    here = finish(lay_out_here(indexed, Ranker(indexed)))
    for file in files(indexed):
        file.unlink()
    there = finish(lay_out(indexed, Ranker(indexed)))
    np.testing.assert_array_equal(there.ids, here.ids)
    np.testing.assert_array_equal(there.typical, here.typical)
    np.testing.assert_allclose(there.places, here.places, atol=0.02)


def test_the_map_is_computed_here_if_no_process_can_be_started(
    indexed: Library, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no python"))
    found = finish(lay_out(indexed, Ranker(indexed)))
    kind = np.array(kinds(indexed, found))
    np.testing.assert_array_equal(kind[nearest(found)], kind)


def test_rows_that_are_not_stored_are_laid_out_in_this_process(indexed: Library) -> None:
    path, ids = indexed.path, indexed.photos.ids()
    indexed.vectors.remove(Ranker(indexed).gallery().loaded.key)
    indexed.close()
    with Library.open(path, read_only=True) as library:
        found = finish(lay_out(library, Ranker(library)))
    np.testing.assert_array_equal(found.ids, ids)
    assert not list((path / "derived").glob("map-*"))


def test_principal_components_are_those_of_the_metric(indexed: Library) -> None:
    ranker = Ranker(indexed)
    found = finish(principal_components(indexed, ranker))
    rows = np.asarray(ranker.gallery(as_trained=True).rows, dtype=np.float64)
    centered = rows - rows.mean(axis=0)
    _, vectors = np.linalg.eigh(centered.T @ centered)
    expected = centered @ vectors[:, [-1, -2, -3]]
    assert found.places.shape == (12, 3)
    assert np.linalg.norm(found.places, axis=1).max() == pytest.approx(0.5, abs=1e-5)
    scale = 2 * np.linalg.norm(expected, axis=1).max()
    np.testing.assert_allclose(np.abs(found.places), np.abs(expected) / scale, atol=1e-4)
    assert files(indexed) == []
    again = finish(principal_components(indexed, Ranker(indexed)))
    np.testing.assert_array_equal(again.places, found.places)
