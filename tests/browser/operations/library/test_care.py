# SPDX-License-Identifier: MIT
"""Indexing as a whole, checking, thumbnails and the demo album."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from focal_photos.browser.catalog.arrays.record_files import index_path
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import ready_descriptors, vector_store
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.check import CheckReport, check
from focal_photos.browser.operations.library.demo import demo
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.photos.thumbnail import preview, thumbnail
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.space import current_space, described, space_key, stores
from focal_photos.browser.operations.training.train import train
from focal_photos.features.base import GlobalDescriptor
from tests.browser.catalog.damage import spoil_header
from tests.browser.operations.album import Album


# ---------------------------------------------------------------- index
def test_the_report_counts_files_new_photos_and_failures(library: Library, album: Album) -> None:
    album.draw("a.jpg")
    album.path("broken.jpg").write_bytes(b"\xff\xd8\xff broken")
    report = finish(index(library, [album.folder]))
    assert (report.photos, report.new) == (2, 2)
    assert [path for path, _ in report.failed] == [album.path("broken.jpg")]
    assert report.stages["decode"] > 0
    again = finish(index(library, [album.folder]))
    assert (again.photos, again.new, again.failed, again.stages) == (2, 0, report.failed, {})


def test_failures_in_other_folders_are_not_listed(library: Library, album: Album) -> None:
    album.draw("good/a.jpg")
    album.path("bad").mkdir()
    album.path("bad/b.jpg").write_bytes(b"broken")
    finish(index(library, [album.folder]))
    assert finish(index(library, [album.path("good")])).failed == []
    assert len(finish(index(library)).failed) == 1


def test_retry_describes_broken_photos_again(library: Library, album: Album) -> None:
    album.path("a.jpg").write_bytes(b"broken")
    finish(index(library, [album.folder]))
    (photo_id,) = library.photos.ids("failed")
    library.photos.set_failures([(int(photo_id), "an older program could not read it")])
    report = finish(index(library, retry=True))
    assert "older program" not in report.failed[0][1]


def test_indexing_stores_the_coordinates_for_rankings(indexed: Library) -> None:
    keys = indexed.vectors.keys()
    (key,) = [key for key in keys if key.startswith("space-")]
    store = indexed.vectors.open(key)
    assert store is not None
    assert len(store) == 12


def test_every_stage_reports_progress(library: Library, album: Album) -> None:
    album.draw_many(5)
    stages = {progress.stage for progress in index(library, [album.folder])}
    metadata = {"Looking for sidecars", "Reading metadata", "Importing ratings and tags"}
    assert stages - metadata == {
        "Scanning files",
        "Reading new photos",
        "Looking for photos to describe",
        "Reading photos",
        "Preparing the ranking",
    }
    assert stages >= metadata


# ---------------------------------------------------------------- check
def run_check(library: Library) -> CheckReport:
    return finish(check(library))


def test_a_sound_library_has_nothing_to_report(indexed: Library) -> None:
    indexed.tags.change(indexed.photos.ids()[:6].tolist(), ["one"])
    indexed.tags.change(indexed.photos.ids()[6:].tolist(), ["two"])
    finish(train(indexed))
    assert run_check(indexed) == CheckReport()


def test_damaged_vectors_are_computed_again(indexed: Library, album: Album) -> None:
    before = Ranker(indexed).rank(album.path("warm/0.jpg"))
    store = stores(indexed)[1]
    path = indexed.path
    indexed.close()
    for file in (path / "derived" / "vectors").glob(f"{store.key}*"):
        if file.stat().st_size > 10_000:
            content = bytearray(file.read_bytes())
            content[6000] ^= 0xFF
            file.write_bytes(content)
    with Library.open(path) as library:
        report = run_check(library)
        assert report.problems == []
        assert any("1 vectors" in line for line in report.repaired)
        assert len(described(library)) == 12
        after = Ranker(library).rank(album.path("warm/0.jpg"))
        np.testing.assert_allclose(np.sort(after.distances), np.sort(before.distances), atol=1e-5)
        assert run_check(library) == CheckReport()


def test_a_damaged_metric_is_a_problem(indexed: Library) -> None:
    indexed.tags.change(indexed.photos.ids()[:6].tolist(), ["one"])
    metric = finish(train(indexed))
    path = indexed.metrics.path(metric)
    assert path is not None
    path.unlink()
    report = run_check(indexed)
    assert len(report.problems) == 1
    assert "kernel-1" in report.problems[0]


def test_vectors_without_a_photo_are_deleted(indexed: Library) -> None:
    store = stores(indexed)[0]
    store.append([9999], np.zeros((1, store.dimension), np.float32))
    report = run_check(indexed)
    assert any("belonged to no photo" in line for line in report.repaired)
    assert len(store.missing([9999])) == 1


def test_unneeded_derived_data_is_deleted(indexed: Library) -> None:
    indexed.vectors.store("gabor-0-00000000", 4).append([1], np.zeros((1, 4), np.float32))
    indexed.vectors.store("space-0000000000000000", 4).append([1], np.zeros((1, 4), np.float32))
    torn = indexed.path / "metrics" / ".kernel-1.npz.1234.tmp"
    torn.write_bytes(b"torn")
    os.utime(torn, (0, 0))
    assert run_check(indexed) == CheckReport()
    keys = indexed.vectors.keys()
    assert not {"gabor-0-00000000", "space-0000000000000000"} & set(keys)
    assert list((indexed.path / "metrics").iterdir()) == []


def test_coordinates_in_use_are_not_deleted(indexed: Library) -> None:
    Ranker(indexed).rank(1)
    keys = set(indexed.vectors.keys())
    assert space_key(current_space(indexed)) in keys
    assert run_check(indexed) == CheckReport()
    assert set(indexed.vectors.keys()) == keys


def test_data_of_an_undone_metric_is_not_deleted(indexed: Library) -> None:
    set_enabled(indexed, ("color_moments", "color_coherence", "gabor", "lbp"))
    finish(index(indexed))
    indexed.tags.change(indexed.photos.ids()[:6].tolist(), ["cold"])
    indexed.tags.change(indexed.photos.ids()[6:].tolist(), ["warm"])
    metric = finish(train(indexed, "kernel"))
    indexed.journal.undo()
    set_enabled(indexed, ("color_moments",))
    assert finish(check(indexed)) == CheckReport([], [])
    indexed.journal.redo()
    assert indexed.metrics.current() == metric
    assert finish(check(indexed)) == CheckReport([], [])
    assert len(Ranker(indexed).rank(1).photo_ids) == 11


def test_checking_a_read_only_library_changes_nothing(indexed: Library) -> None:
    with Library.open(indexed.path, read_only=True) as reader:
        assert run_check(reader) == CheckReport()


# ---------------------------------------------------------------- pictures
def test_a_missing_thumbnail_is_made_again(indexed: Library) -> None:
    photo_id = int(indexed.photos.ids()[0])
    before = thumbnail(indexed, photo_id)
    assert before is not None
    indexed.thumbnails.forget([photo_id])
    assert thumbnail(indexed, photo_id) == before
    assert indexed.thumbnails.get(photo_id) == before


def test_a_broken_or_missing_photo_has_no_picture(indexed: Library, album: Album) -> None:
    album.path("broken.jpg").write_bytes(b"broken")
    finish(index(indexed))
    broken = int(indexed.photos.ids("failed")[0])
    assert thumbnail(indexed, broken) is None
    with pytest.raises(OperationError, match="cannot be shown"):
        preview(indexed, broken, 100)
    album.draw("good.jpg").replace(album.path("broken.jpg"))
    assert thumbnail(indexed, broken) is None, "the next indexing reads the file again"
    photo_id = int(indexed.photos.ids("-failed")[0])
    indexed.thumbnails.forget([photo_id])
    indexed.photos.paths([photo_id])[0].unlink()
    assert thumbnail(indexed, photo_id) is None


def test_a_preview_has_the_requested_size(library: Library, album: Album) -> None:
    path = album.draw("big.png", size=(640, 400))
    finish(index(library, [album.folder]))
    photo_id = int(library.photos.ids()[0])
    assert preview(library, photo_id, 160).shape == (100, 160, 3)
    np.testing.assert_array_equal(preview(library, photo_id, 4000), np.asarray(Image.open(path)))


# ---------------------------------------------------------------- demo
@pytest.mark.slow
def test_the_demo_album_is_drawn_once_and_partly_tagged(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    report = finish(demo(library, folder, count=16, workers=2))
    assert (report.index.photos, report.index.failed, report.tagged) == (16, [], 12)
    assert library.photos.count("untagged") == 4
    files = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    library.tags.change(library.photos.ids().tolist(), remove=["beach"])
    again = finish(demo(library, folder, count=16))
    assert (again.index.new, again.tagged) == (0, 0)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == files


# ---------------------------------------------------------------- faults of the disk
def test_unreadable_vectors_are_computed_again(indexed: Library) -> None:
    store = stores(indexed)[0]
    path = indexed.path
    before = store.rows(indexed.photos.ids()).copy()
    indexed.close()
    spoil_header(index_path(path / "derived" / "vectors", store.key), "text")
    with Library.open(path) as library:
        report = run_check(library)
        assert report.problems == []
        assert report.repaired == [f"12 vectors of {store.key} were lost."]
        np.testing.assert_array_equal(stores(library)[0].rows(library.photos.ids()), before)
        assert run_check(library) == CheckReport()


def test_damaged_thumbnails_are_made_again(indexed: Library) -> None:
    ids = indexed.photos.ids().tolist()
    path = indexed.path
    indexed.close()
    file = path / "derived" / "thumbnails.sqlite"
    with sqlite3.connect(file) as database:
        database.execute("UPDATE thumbnail SET jpeg = zeroblob(length(jpeg)) WHERE photo_id = ?", (ids[0],))
    database.close()
    with Library.open(path) as library:
        assert run_check(library).repaired == ["1 thumbnails were damaged."]
        assert len(library.thumbnails.missing(ids)) <= 1
        picture = thumbnail(library, ids[0])
        assert picture is not None
        assert run_check(library) == CheckReport()


def test_an_unreadable_unneeded_store_is_reported_and_deleted(indexed: Library) -> None:
    indexed.vectors.store("gabor-0-00000000", 4).append([1], np.zeros((1, 4), np.float32))
    path = indexed.path
    indexed.close()
    spoil_header(index_path(path / "derived" / "vectors", "gabor-0-00000000"), "flip")
    with Library.open(path, read_only=True) as reader:
        (problem,) = run_check(reader).problems
        assert problem.startswith("The vectors gabor-0-00000000 could not be read. Check the library while no other")
    with Library.open(path) as library:
        assert run_check(library).repaired == ["The vectors gabor-0-00000000 could not be read."]
        assert run_check(library) == CheckReport()
        assert library.vectors.open("gabor-0-00000000") is None


def test_a_check_converts_old_vectors_to_16_bits(indexed: Library) -> None:
    (family,) = [one for one in ready_descriptors(indexed) if one.name == "color_moments"]
    assert isinstance(family, GlobalDescriptor)
    store = vector_store(indexed, family)
    ids, rows = store.snapshot()
    indexed.vectors.remove(store.key)
    old = indexed.vectors.store(store.key, store.dimension)  # as earlier versions stored them
    exact = rows * np.float32(1.0001)
    old.append(ids, exact)
    assert not old.half
    report = finish(check(indexed))
    assert (report.problems, report.repaired) == ([], [])
    assert old.half
    np.testing.assert_array_equal(old.rows(ids), exact.astype(np.float16))
