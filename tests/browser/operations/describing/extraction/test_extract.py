# SPDX-License-Identifier: MIT
from __future__ import annotations

import multiprocessing
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import description_plan
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.describing.extraction.extract import extract
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.photos.scan import scan
from focal_photos.browser.operations.workers.photo_tasks import PhotoTask, describe_photo
from focal_photos.browser.operations.workers.sandbox import sandbox
from focal_photos.features.table import DESCRIPTORS
from tests.browser.operations.album import FAMILIES, Album

CHOSEN = [DESCRIPTORS[name] for name in FAMILIES]


def scanned(library: Library, album: Album) -> None:
    finish(scan(library, [album.folder]))


def lacking(library: Library) -> int:
    ids = library.photos.ids("-failed -missing")
    stores = [library.vectors.store(str(d.key), d.dimension) for d in CHOSEN]
    return sum(len(store.missing(ids)) for store in stores) + len(library.photos.undescribed())


def children_of_this_process() -> list[int]:
    return [int(pid) for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()]


def test_vectors_thumbnail_size_and_date_are_stored(library: Library, album: Album) -> None:
    path = album.draw("a.jpg", size=(120, 80))
    exif = Image.Exif()
    exif[0x0112] = 6  # rotated by 90 degrees
    exif[0x0132] = "2024:05:06 07:08:09"
    Image.open(path).save(path, exif=exif)
    scanned(library, album)
    report = finish(extract(library))
    assert (report.done, report.failed) == (1, [])
    assert set(report.seconds) == {"decode", *FAMILIES, "thumbnail", "write"}
    (photo,) = library.photos.get(library.photos.ids())
    assert (photo.width, photo.height) == (80, 120)
    assert str(photo.taken) == "2024-05-06 07:08:09"
    thumbnail = library.thumbnails.get(photo.id)
    assert thumbnail is not None
    assert thumbnail[:2] == b"\xff\xd8"
    expected = describe_photo(PhotoTask(photo.id, path, FAMILIES), description_plan(library)).description
    assert expected is not None
    for descriptor in CHOSEN:
        row = library.vectors.store(str(descriptor.key), descriptor.dimension).rows([photo.id])[0]
        np.testing.assert_array_equal(row, expected.vectors[descriptor.name].astype(np.float16))  # as stored


def test_worker_processes_and_the_calling_thread_give_the_same_vectors(library: Library, album: Album) -> None:
    paths = album.draw_many(20)
    scanned(library, album)
    report = finish(extract(library, workers=2))
    assert (report.done, lacking(library)) == (20, 0)
    photo = library.photos.by_path(paths[3])
    assert photo is not None
    here = describe_photo(PhotoTask(photo.id, paths[3], FAMILIES), description_plan(library)).description
    assert here is not None
    for descriptor in CHOSEN:
        row = library.vectors.store(str(descriptor.key), descriptor.dimension).rows([photo.id])[0]
        np.testing.assert_array_equal(row, here.vectors[descriptor.name].astype(np.float16))
    assert finish(extract(library)).done == 0


def test_broken_photos_are_listed_with_a_reason_and_do_not_stop_the_others(library: Library, album: Album) -> None:
    album.draw("good.jpg")
    whole = album.draw("truncated.png").read_bytes()
    album.path("truncated.png").write_bytes(whole[:40])
    album.path("empty.jpg").write_bytes(b"")
    album.path("text.jpg").write_text("no picture")
    album.path("drawing.jpg").write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n")
    scanned(library, album)
    report = finish(extract(library))
    assert report.done == 1
    reasons = {path.name: reason for path, reason in report.failed}
    assert set(reasons) == {"truncated.png", "empty.jpg", "text.jpg", "drawing.jpg"}
    assert "empty" in reasons["empty.jpg"]
    assert "PostScript" in reasons["drawing.jpg"]
    assert {path.name for path, _ in library.photos.failed()} == set(reasons)
    assert finish(extract(library)).failed == []  # not tried again


def test_a_missing_file_is_reported_and_tried_again_later(library: Library, album: Album) -> None:
    path = album.draw("a.jpg")
    scanned(library, album)
    content = path.read_bytes()
    path.unlink()
    report = finish(extract(library))
    assert report.done == 0
    assert "cannot be read" in report.failed[0][1]
    assert library.photos.failed() == []
    path.write_bytes(content)
    assert finish(extract(library)).done == 1


def test_only_lacking_vectors_are_computed(library: Library, album: Album) -> None:
    album.draw_many(3)
    scanned(library, album)
    assert finish(extract(library, names=["gabor"])).done == 3
    report = finish(extract(library))
    assert report.done == 3
    assert "gabor" not in report.seconds
    ids = library.photos.ids()
    library.vectors.forget(ids[:1])
    report = finish(extract(library))
    assert (report.done, lacking(library)) == (1, 0)


def test_no_reading_stage_is_reported_if_there_is_nothing_to_read(library: Library, album: Album) -> None:
    album.draw_many(3)
    scanned(library, album)
    finish(extract(library, workers=1))
    told = list(extract(library, workers=1))
    assert not [progress for progress in told if progress.total == 0 or progress.stage == "Reading photos"]


def test_photos_that_can_be_ranked_are_completed_before_new_photos(library: Library, album: Album) -> None:
    album.draw_many(40)
    scanned(library, album)
    ids = library.photos.ids().tolist()
    with closing(extract(library, names=FAMILIES[:1], workers=1, first=lambda: ids[-4:])) as job:
        for progress in job:
            if progress.done >= 8:
                break
    known = set(library.photos.ids().tolist()) - set(library.photos.undescribed().tolist())
    assert 8 <= len(known) < 40
    told = [progress for progress in extract(library, workers=1) if progress.message]
    stages = [progress.stage for progress in told]
    assert stages == sorted(stages, reverse=True)
    assert set(stages) == {"Refining rankings", "Reading photos"}
    sharpened = [progress for progress in told if progress.stage == "Refining rankings"]
    assert (sharpened[-1].done, sharpened[-1].total) == (len(known), len(known))
    assert (told[-1].done, told[-1].total) == (40 - len(known), 40 - len(known))
    assert lacking(library) == 0


def test_a_photo_whose_row_was_not_written_is_described_again(library: Library, album: Album) -> None:
    album.draw("a.jpg")
    scanned(library, album)
    finish(extract(library))
    with library.database.transaction() as connection:
        connection.execute("UPDATE photo SET width = NULL, height = NULL")
    assert finish(extract(library)).done == 1
    assert lacking(library) == 0


def test_unknown_and_disabled_descriptors_are_refused(library: Library) -> None:
    with pytest.raises(OperationError, match="no descriptor 'smell'"):
        finish(extract(library, names=["smell"]))
    set_enabled(library, ["gabor"])
    with pytest.raises(OperationError, match="color_moments is switched off"):
        finish(extract(library, names=["color_moments"]))


@pytest.mark.slow
def test_cancelling_saves_finished_photos_and_ends_the_processes(library: Library, album: Album) -> None:
    album.draw_many(120)
    scanned(library, album)
    job = extract(library, workers=2)
    for progress in job:
        if progress.done >= 16:
            break
    job.close()
    assert multiprocessing.active_children() == []
    done = 120 - len(library.photos.undescribed())
    assert 16 <= done < 120
    report = finish(extract(library, workers=2))
    assert (report.done, lacking(library)) == (120 - done, 0)


@pytest.mark.slow
@pytest.mark.usefixtures("no_idle_processes")
def test_a_few_photos_are_described_in_the_cached_process(library: Library, album: Album) -> None:
    album.draw_many(3)
    scanned(library, album)
    workers: set[int] = set()
    for _ in extract(library):
        for pid in children_of_this_process():
            if b"worker_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                workers.add(pid)
    assert workers
    assert workers <= set(sandbox().pids)  # a worker of an earlier test may have died
    assert lacking(library) == 0


def test_a_missing_photo_is_not_tried(library: Library, album: Album) -> None:
    gone, there = album.draw("gone.jpg", seed=1), album.draw("there.jpg", seed=2)
    finish(scan(library, [album.folder]))
    gone.unlink()
    finish(scan(library))
    report = finish(extract(library))
    assert (report.done, report.failed) == (1, [])
    gone.write_bytes(there.read_bytes() + b"\0")  # a file that returns is described
    finish(scan(library))
    assert finish(extract(library)).done == 1
