# SPDX-License-Identifier: MIT
from __future__ import annotations

import ctypes
import hashlib
import os
import random
import shutil
import sqlite3
import struct
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.pauses import pausing_by
from focal_photos.browser.operations.jobs.progress import Job, finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.photos.forget_folder import forget_folder
from focal_photos.browser.operations.photos.scan import ScanReport, differing, scan, scan_paths
from focal_photos.browser.operations.photos.unsupported_files import in_words, passed_over
from focal_photos.browser.operations.photos.walk import WalkedFile, WalkFailure, walk
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.suggest import suggest
from focal_photos.browser.operations.training.train import train
from tests.browser.catalog.albums import id_of
from tests.browser.operations.album import Album
from tests.features.decoding.decoders.test_photoshop import psd
from tests.features.pictures import file_bytes, scene
from tests.features.raw_files import dng


def without_root_rights(body: Callable[[], None]) -> None:
    """Run a function without the capabilities of root to read and write everything; without root, call it directly.

    The function still owns its files. Only the thread that runs it loses the capabilities.
    """
    if os.geteuid() != 0:
        body()
        return

    def drop_and_run() -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this thread
        sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; then the same for capabilities above 31
        assert libc.capget(header, sets) == 0
        sets[0] &= ~(1 << 1 | 1 << 2)  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        assert libc.capset(header, sets) == 0, os.strerror(ctypes.get_errno())
        body()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(drop_and_run).result()


def run(library: Library, *folders: Path) -> ScanReport:
    return finish(scan(library, folders))


def names(library: Library, query: str = "") -> list[str]:
    return [path.name for path in library.photos.paths(library.photos.ids(query))]


def later(path: Path) -> None:
    """Set a modification time that is certainly different."""
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 2_000_000_000))


def test_photos_are_found_by_suffix_in_all_folders_that_are_not_hidden(library: Library, album: Album) -> None:
    for name in ("a.jpg", "b/c.PNG", "b/d.webp", ".hidden.jpg", ".thumbs/e.jpg", "b/.git/f.jpg"):
        album.draw(name)
    album.path("notes.txt").write_text("no photo")
    album.path("b/folder.jpg").mkdir()
    report = run(library, album.folder)
    assert (report.new, report.total, report.unreadable) == (3, 3, [])
    assert names(library) == ["a.jpg", "c.PNG", "d.webp"]


def test_photos_without_a_known_suffix_are_found_by_content(library: Library, album: Album) -> None:
    odd = [album.path(name) for name in ("no-suffix", "deep/IMG.0001", "photo.dat")]
    for seed, path in enumerate(odd):
        album.draw(f"{seed}.jpg", seed=seed).rename(album.path("moving"))
        path.parent.mkdir(exist_ok=True)
        album.path("moving").rename(path)
    for name in ("README", "photo.txt", "photo.jpg~", "data.bin"):
        album.path(name).write_bytes(b"\xff\xd8\xff" if name.startswith("photo") else b"neither")
    report = run(library, album.folder)
    assert (report.new, report.total, sorted(report.misnamed)) == (3, 3, sorted(odd))
    assert run(library).anything is False
    ids = sorted(library.photos.ids().tolist())
    odd[0].rename(album.path("other-name"))
    assert (run(library).placed, sorted(library.photos.ids("-missing").tolist())) == (1, ids)
    later(odd[1])
    odd[2].unlink()
    report = finish(scan_paths(library, [odd[1], odd[2], album.path("README")]))
    assert (report.missing, report.new, report.total) == (1, 0, 1)
    assert list(differing(library, library.roots.all()[0])) == []


def test_an_unreadable_photo_with_another_suffix_is_not_missing(tmp_path: Path) -> None:
    def body() -> None:
        album = Album(tmp_path / "photos")
        album.draw("a.jpg").rename(album.path("no-suffix"))
        with Library.open(tmp_path / "library") as library:
            run(library, album.folder)
            album.path("no-suffix").chmod(0)
            assert run(library).missing == 0
            assert finish(scan_paths(library, [album.path("no-suffix")])).missing == 0

    without_root_rights(body)


def test_unsupported_pictures_and_videos_are_counted_by_kind(library: Library, album: Album) -> None:
    album.draw("a.jpg")
    for name in ("a.MP4", "b.mp4", "deep/c.svg", ".hidden.mp4", ".git/d.mp4", "notes.txt", "table.csv", "mp4"):
        album.path(name).parent.mkdir(exist_ok=True)
        album.path(name).write_bytes(b"anything")
    album.path("folder.mov").mkdir()
    report = run(library, album.folder)
    assert report.passed_over == {".mp4": 2, ".svg": 1}
    assert report.newly_unsupported
    assert passed_over(library) == {album.folder: {".mp4": 2, ".svg": 1}}
    again = run(library, album.folder)
    assert (again.passed_over, again.newly_unsupported) == (report.passed_over, False)
    assert not again.anything
    album.path("b.mp4").unlink()
    assert not run(library, album.folder).newly_unsupported, "fewer files are not reported"
    assert passed_over(library) == {album.folder: {".mp4": 1, ".svg": 1}}
    album.path("e.mp4").touch()
    assert run(library, album.folder).newly_unsupported
    part = run(library, album.path("deep"))
    assert (part.passed_over, part.newly_unsupported) == ({".svg": 1}, False)
    assert passed_over(library) == {album.folder: {".mp4": 2, ".svg": 1}}, "the count of a part is not stored"


def test_unsupported_files_are_recorded_for_each_folder(library: Library, album: Album, tmp_path: Path) -> None:
    other = Album(tmp_path / "other")
    for each in (album, other):
        each.draw("a.jpg")
    album.path("a.mp4").touch()
    other.path("a.exr").touch()
    assert run(library, album.folder, other.folder).passed_over == {".mp4": 1, ".exr": 1}
    assert passed_over(library) == {album.folder: {".mp4": 1}, other.folder: {".exr": 1}}
    forget_folder(library, album.folder)
    assert passed_over(library) == {other.folder: {".exr": 1}}
    other.path("a.exr").unlink()
    run(library, other.folder)
    assert passed_over(library) == {}


def test_unsupported_files_are_described_in_words() -> None:
    assert in_words({}) == ""
    assert in_words({".mp4": 1}) == "1 file of a type that Focal does not support: 1 .mp4"
    assert in_words({".mp4": 3, ".ai": 9}) == "12 files of types that Focal does not support: 9 .ai, 3 .mp4"
    many = {f".{letter}": 1 for letter in "jihgfedcba"}
    assert in_words(many).endswith("1 .a, 1 .b, 1 .c, 1 .d, 1 .e, 1 .f, 1 .g, 1 .h, …")


def test_no_file_is_read_again_if_its_size_and_time_are_unchanged(library: Library, album: Album) -> None:
    path = album.draw("a.jpg")
    run(library, album.folder)
    status = path.stat()
    other = album.draw("a.jpg", seed=99).read_bytes()[: status.st_size].ljust(status.st_size, b"\0")
    path.write_bytes(other)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert run(library, album.folder) == ScanReport(total=1)


def test_scheduling_is_checked_before_each_file(library: Library, album: Album) -> None:
    for number in range(7):
        album.draw(f"{number}.jpg")
    seen: list[int] = []
    for _ in range(2):  # new photos, and known ones
        with pausing_by(lambda: seen.append(0)):
            finish(scan(library, [album.folder]))
        assert len(seen) >= 7
        seen.clear()


def test_scheduling_is_checked_before_each_file_of_other_kinds_too(library: Library, album: Album) -> None:
    album.draw("a.jpg")
    for number in range(500):
        album.path(f"{number}.txt").touch()
    run(library, album.folder)
    seen: list[int] = []
    with pausing_by(lambda: seen.append(0)):
        assert run(library, album.folder) == ScanReport(total=1)
    assert len(seen) >= 500


def test_a_large_folder_is_listed_in_parts_and_walked_in_order(album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{number}.jpg" for number in random.Random(0).sample(range(1000), 100)]
    for name in names:
        album.path(name).touch()
    monkeypatch.setattr("focal_photos.browser.operations.photos.walk._PART", 7)
    asked: list[int] = []
    walked = walk(os.fsencode(album.folder), {".jpg"}, pause=lambda: asked.append(0))
    assert len(asked) == 0
    first = next(walked)
    assert len(asked) == 1 + 15, "once per part, and for the first entry"
    assert [os.fsdecode(found.path) for found in (first, *walked)] == sorted(names)
    assert len(asked) == 100 + 15


def test_a_moved_file_keeps_its_photo(library: Library, album: Album) -> None:
    path = album.draw("a.jpg")
    run(library, album.folder)
    number = id_of(library, path)
    target = album.path("deep/er/b.jpg")
    target.parent.mkdir(parents=True)
    path.rename(target)
    report = run(library, album.folder)
    assert (report.new, report.moved, report.missing, report.total) == (0, 1, 0, 1)
    assert id_of(library, target) == number


def test_files_that_swap_names_keep_their_photos(library: Library, album: Album) -> None:
    one, other = album.draw("a.jpg"), album.draw("b.jpg", size=(96, 72))
    run(library, album.folder)
    before = id_of(library, one), id_of(library, other)
    one.rename(album.path("c.jpg"))
    other.rename(one)
    album.path("c.jpg").rename(other)
    later(one)
    later(other)
    report = run(library, album.folder)
    assert report.new == report.missing == 0
    assert (id_of(library, other), id_of(library, one)) == before


def test_an_edited_file_keeps_its_photo_and_is_described_again(library: Library, album: Album) -> None:
    path = album.draw("a.jpg")
    run(library, album.folder)
    number = id_of(library, path)
    library.tags.change([number], ["beach"])
    album.draw("a.jpg", seed=7)
    later(path)
    report = run(library, album.folder)
    assert (report.new, report.changed) == (0, 1)
    assert id_of(library, path) == number
    assert library.tags.of([number]) == {number: ["beach"]}


def test_a_deleted_file_is_missing_and_its_photo_loses_nothing(library: Library, album: Album) -> None:
    path = album.draw("a.jpg")
    album.draw("b.jpg")
    run(library, album.folder)
    number = id_of(library, path)
    library.tags.change([number], ["beach"])
    content = path.read_bytes()
    path.unlink()
    assert run(library, album.folder).missing == 1
    assert names(library, "missing") == ["a.jpg"]
    assert library.tags.of([number]) == {number: ["beach"]}
    path.write_bytes(content)
    assert run(library, album.folder).new == 0
    assert names(library, "missing") == []
    assert id_of(library, path) == number


def test_two_files_with_the_same_content_are_one_photo(library: Library, album: Album) -> None:
    path = album.draw("a.jpg")
    shutil.copy(path, album.path("copy.jpg"))
    report = run(library, album.folder)
    assert (report.new, report.total) == (1, 2)
    assert id_of(library, path) == id_of(library, album.path("copy.jpg"))


def test_an_offline_root_changes_nothing(library: Library, album: Album, tmp_path: Path) -> None:
    album.draw("a.jpg")
    run(library, album.folder)
    album.folder.rename(tmp_path / "elsewhere")
    report = run(library)
    assert [path for path, _ in report.unreadable] == [album.folder]
    assert "connect its drive" in report.unreadable[0][1]
    album.folder.mkdir()  # mount point of an offline drive
    report = run(library)
    assert "may be disconnected" in report.unreadable[0][1]
    assert names(library, "missing") == []


def test_a_deleted_folder_inside_a_root_makes_its_photos_missing(library: Library, album: Album) -> None:
    album.draw("a.jpg")
    album.draw("gone/b.jpg")
    run(library, album.folder)
    shutil.rmtree(album.path("gone"))
    assert run(library, album.path("gone")).missing == 1
    assert names(library, "missing") == ["b.jpg"]


def test_a_part_of_a_root_can_be_scanned_alone(library: Library, album: Album) -> None:
    album.draw("a.jpg")
    album.draw("part/b.jpg")
    run(library, album.folder)
    album.draw("c.jpg")
    album.draw("part/d.jpg")
    album.path("a.jpg").unlink()
    report = run(library, album.path("part"))
    assert (report.new, report.missing, report.total) == (1, 0, 2)
    assert [root.path for root in library.roots.all()] == [album.folder]


def test_a_folder_named_twice_or_inside_another_is_scanned_once(library: Library, album: Album) -> None:
    album.draw("part/b.jpg")
    report = run(library, album.path("part"), album.folder, album.folder)
    assert (report.new, report.total) == (1, 1)
    assert [root.path for root in library.roots.all()] == [album.folder]


def test_an_unknown_folder_is_refused(library: Library, album: Album) -> None:
    with pytest.raises(OperationError, match="is not there"):
        run(library, album.path("nowhere"))
    with pytest.raises(OperationError, match="a file, not a folder"):
        run(library, album.draw("a.jpg"))
    with pytest.raises(OperationError, match="no photo folder yet"):
        run(library)


def test_a_cancelled_scan_saves_its_finished_part_and_can_be_resumed(library: Library, album: Album) -> None:
    album.draw_many(600)
    job = scan(library, [album.folder])
    for progress in job:
        if progress.stage == "Reading new photos" and progress.done:
            break
    job.close()
    first = library.photos.count()
    assert 0 < first < 600
    assert library.database.check() == []
    report = run(library, album.folder)
    assert (first + report.new, library.photos.count()) == (600, 600)


def test_progress_counts_up_to_the_total(library: Library, album: Album) -> None:
    album.draw_many(300)
    seen = [p for p in scan(library, [album.folder]) if p.stage == "Reading new photos" and p.done]
    assert [p.done for p in seen] == sorted(p.done for p in seen)
    assert (seen[-1].done, seen[-1].total) == (300, 300)


def test_file_names_need_not_be_valid_text(library: Library, album: Album) -> None:
    odd = [b"line\nbreak.jpg", b"latin-\xe9.jpg", "日本.jpg".encode(), b" blank .jpg"]
    for number, name in enumerate(odd):
        source = album.draw("x.jpg", seed=number)
        source.rename(album.path(os.fsdecode(name)))
    assert run(library, album.folder).new == 4
    found = {os.fsencode(path.name) for path in library.photos.paths(library.photos.ids())}
    assert found == set(odd)


def test_files_and_folders_without_permission_are_reported(tmp_path: Path) -> None:
    def body() -> None:
        album = Album(tmp_path / "photos")
        inside, closed = album.draw("locked/a.jpg"), album.draw("closed.jpg")
        with Library.open(tmp_path / "library") as library:
            run(library, album.folder)
            closed.chmod(0)
            later(closed)
            inside.parent.chmod(0)
            report = run(library, album.folder)
            inside.parent.chmod(0o755)
            assert dict(report.unreadable) == {
                inside.parent: "Focal may not read this folder: change its permissions.",
                closed: "Focal may not read this file: change its permissions.",
            }
            assert report.missing == 0
            assert names(library, "missing") == []

    without_root_rights(body)


def test_a_file_that_is_readable_again_is_read(tmp_path: Path) -> None:
    def body() -> None:
        album = Album(tmp_path / "photos")
        path = album.draw("a.jpg")
        with Library.open(tmp_path / "library") as library:
            run(library, album.folder)
            later(path)
            path.chmod(0)
            assert len(run(library, album.folder).unreadable) == len(library.photos.failed()) == 1
            path.chmod(0o644)
            assert run(library, album.folder).unreadable == library.photos.failed() == []

    without_root_rights(body)


def test_an_unreadable_file_is_reported_with_its_reason(library: Library, album: Album) -> None:
    album.draw("a.jpg")
    album.path("broken.jpg").symlink_to(album.path("nothing"))
    report = run(library, album.folder)
    assert report.new == 1
    assert [path.name for path, _ in report.unreadable] == ["broken.jpg"]
    assert "The link leads to no file" in report.unreadable[0][1]


def test_symbolic_links_are_followed_once(album: Album, tmp_path: Path) -> None:
    outside = Album(tmp_path / "outside")
    outside.draw("o.jpg")
    album.draw("a.jpg")
    album.draw("sub/b.jpg")
    album.path("again.jpg").symlink_to(album.path("a.jpg"))
    album.path("loop").symlink_to(album.folder)
    album.path("sub/up").symlink_to("..")
    album.path("everything").symlink_to(tmp_path)
    album.path("out").symlink_to(outside.folder)
    album.path("out-too").symlink_to(outside.folder)
    album.path("single.jpg").symlink_to(outside.path("o.jpg"))
    elsewhere = Album(tmp_path / "elsewhere").draw("e.jpg")
    album.path("one.jpg").symlink_to(elsewhere)
    album.path("two.jpg").symlink_to(elsewhere)
    found = [f.path for f in walk(os.fsencode(album.folder), {".jpg"}) if isinstance(f, WalkedFile)]
    assert found == [b"a.jpg", b"sub/b.jpg", b"out/o.jpg", b"one.jpg"]


def test_a_folder_is_reported_before_it_is_read(album: Album) -> None:
    album.draw("a.jpg")
    album.draw("sub/b.jpg")
    named: list[bytes] = []

    def enter(folder: bytes) -> None:
        named.append(folder)
        album.draw(os.path.join(os.fsdecode(folder), "new.jpg"), seed=len(named))  # noqa: PTH118

    files = [f.path for f in walk(os.fsencode(album.folder), {".jpg"}, entering=enter) if isinstance(f, WalkedFile)]
    assert named == [b"", b"sub"]
    assert files == [b"a.jpg", b"new.jpg", b"sub/b.jpg", b"sub/new.jpg"]


def test_a_folder_that_cannot_be_listed_is_reported(tmp_path: Path) -> None:
    assert list(walk(os.fsencode(tmp_path / "no"), {".jpg"})) == [
        WalkFailure(b"", "The folder cannot be read: No such file or directory.", is_folder=True)
    ]


def test_a_pipe_is_not_a_photo(library: Library, album: Album) -> None:
    os.mkfifo(album.path("pipe.jpg"))
    started = time.monotonic()
    assert run(library, album.folder).total == 0
    assert time.monotonic() - started < 60


def the_loop(place: Path) -> None:
    """Index, judge, tag, train, rank and suggest with a photo folder that is read-only."""
    album = Album(place / "photos")
    paths = [*album.draw_many(3), *album.draw_many(3, kind="cold")]
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in paths}
    album.folder.chmod(0o555)
    try:
        with Library.open(place / "library") as library:
            assert finish(index(library, [album.folder])).failed == []
            ids = library.photos.ids().tolist()
            library.tags.change(ids[:2], ["cold"])
            library.judgements.set(ids[0], ids[1:2], Verdict.SIMILAR)
            finish(train(library))
            ranker = Ranker(library)
            assert len(ranker.rank(ids[0]).photo_ids) == 5
            assert finish(suggest(library, ranker)).photos == 4
        assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in paths} == before
        assert sorted(album.folder.iterdir()) == sorted(paths)
    finally:
        album.folder.chmod(0o755)


def test_the_program_works_with_a_read_only_photo_folder(tmp_path: Path) -> None:
    without_root_rights(lambda: the_loop(tmp_path))


def test_a_failed_write_ends_the_scan_and_preserves_earlier_batches(library: Library, album: Album) -> None:
    album.draw_many(300)
    job = scan(library, [album.folder])
    for progress in job:
        if progress.stage == "Reading new photos" and progress.done:
            break
    with library.database.transaction() as connection:
        connection.execute("CREATE TRIGGER full BEFORE INSERT ON photo BEGIN SELECT raise(ABORT, 'no room'); END")
    with pytest.raises(sqlite3.Error):
        finish(job)
    assert library.photos.count() == 256


def test_a_link_without_the_suffix_of_a_photo_is_not_followed(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "walked", tmp_path / "elsewhere"
    folder.mkdir()
    target = Album(elsewhere).draw("x.jpg")
    (folder / "notes.txt").symlink_to(target)
    (folder / "photo.jpg").symlink_to(target)
    found = list(walk(os.fsencode(folder), {".jpg"}))
    assert [one.path for one in found] == [b"photo.jpg"]


def test_a_file_that_vanishes_during_the_walk_is_reported(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.jpg").write_bytes(b"photo")
    walked = walk(os.fsencode(tmp_path), [".jpg"])
    assert isinstance(next(walked), WalkedFile)
    (tmp_path / "b.jpg").unlink()
    assert [type(found) for found in walked] == [WalkFailure, WalkedFile]


def scan_until_an_edited_file_is_next(library: Library, album: Album) -> tuple[Path, Job[ScanReport]]:
    """Return an edited file, and a scan that has walked past it, read a new file and will read the edited file next."""
    edited = album.draw("edited.jpg")
    run(library, album.folder)
    album.draw("edited.jpg", seed=5, size=(40, 40))
    album.draw("new.jpg", seed=6)
    steps = scan(library, [album.folder])
    next(step for step in steps if step.done == 1)
    return edited, steps


def test_a_file_that_vanishes_between_walk_and_reading_is_reported_and_stays_a_photo(
    library: Library, album: Album
) -> None:
    edited, steps = scan_until_an_edited_file_is_next(library, album)
    number = id_of(library, edited)
    edited.unlink()
    report = finish(steps)
    assert report.unreadable == [(edited, "The file cannot be read: No such file or directory.")]
    assert id_of(library, edited) == number
    assert run(library, album.folder).missing == 1
    assert names(library, "missing") == ["edited.jpg"]


def test_progress_is_reported_while_a_file_is_read_slowly(
    library: Library, album: Album, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, steps = scan_until_an_edited_file_is_next(library, album)
    arrived = threading.Event()
    digest = hashlib.file_digest

    def slow(*arguments: Any) -> Any:
        arrived.wait()  # a slow disk
        return digest(*arguments)

    monkeypatch.setattr(hashlib, "file_digest", slow)
    seen = [next(steps), next(steps), next(steps)]
    assert [step.done for step in seen] == [1, 1, 1]
    arrived.set()
    report = finish(steps)
    assert (report.new, report.changed, report.unreadable) == (1, 1, [])


def test_a_file_replaced_by_a_pipe_does_not_block_the_scan(library: Library, album: Album) -> None:
    edited, steps = scan_until_an_edited_file_is_next(library, album)
    number = id_of(library, edited)
    edited.unlink()
    os.mkfifo(edited)
    report = finish(steps)
    assert report.unreadable == [(edited, "The file cannot be read: it is not a regular file.")]
    assert id_of(library, edited) == number


def test_a_photo_moved_into_a_new_root_is_found_there(library: Library, album: Album, tmp_path: Path) -> None:
    """Its old folder exists but is not scanned: the existing path must win over the missing one."""
    album.draw("stays.jpg")
    moved = album.draw("a.jpg")
    run(library, album.folder)
    number = id_of(library, moved)
    target = tmp_path / "target"
    target.mkdir()
    moved.rename(target / "a.jpg")
    report = run(library, target)
    assert (report.new, report.moved) == (0, 1)
    assert library.photos.paths([number]) == [target / "a.jpg"]
    assert not library.photos.get([number])[0].missing


def test_a_drive_that_goes_offline_during_the_walk_loses_nothing(
    library: Library, album: Album, tmp_path: Path
) -> None:
    album.draw("a.jpg")
    album.draw("sub/b.jpg")
    run(library, album.folder)
    job = scan(library)
    next(job)  # the folder exists
    album.folder.rename(tmp_path / "aside")
    album.folder.mkdir()  # the empty mount point
    report = finish(job)
    assert report.missing == 0
    assert names(library, "missing") == []
    assert [path for path, _ in report.unreachable] == [album.folder]


def test_a_newly_offline_folder_is_reported_once(library: Library, album: Album, tmp_path: Path) -> None:
    other = Album(tmp_path / "other")
    for each in (album, other):
        each.draw("a.jpg", seed=len(str(each.folder)))
    assert run(library, album.folder, other.folder).newly_unreachable == []
    album.folder.rename(tmp_path / "aside")
    assert run(library).newly_unreachable == [album.folder]
    again = run(library)
    assert ([path for path, _ in again.unreachable], again.newly_unreachable) == ([album.folder], [])
    other.folder.rename(tmp_path / "aside too")
    assert run(library).newly_unreachable == [other.folder]
    assert run(library, other.folder).newly_unreachable == []
    (tmp_path / "aside").rename(album.folder)
    assert run(library).newly_unreachable == []
    album.folder.rename(tmp_path / "aside")
    assert run(library).newly_unreachable == [album.folder], "the folder was online in between"


# ---------------------------------------------------------------------- single paths
def run_paths(library: Library, *paths: Path) -> ScanReport:
    return finish(scan_paths(library, paths))


def test_only_the_given_paths_are_compared(library: Library, album: Album) -> None:
    album.draw("a.jpg")
    album.draw("sub/b.jpg")
    run(library, album.folder)
    album.draw("new.jpg")
    album.draw("unseen.jpg")
    album.path("a.jpg").unlink()
    report = run_paths(library, album.path("new.jpg"), album.path("a.jpg"), album.path("notes.txt"))
    assert (report.new, report.missing, report.total) == (1, 1, 1)
    assert names(library, "-missing") == ["new.jpg", "b.jpg"]


def test_hidden_and_outside_paths_are_skipped(library: Library, album: Album, tmp_path: Path) -> None:
    album.draw("a.jpg")
    run(library, album.folder)
    outside = Album(tmp_path / "photos-too").draw("x.jpg")
    assert run_paths(library, album.draw(".hidden/h.jpg"), album.draw(".h.jpg"), outside) == ScanReport()
    assert run_paths(library, album.path("a.jpg")) == ScanReport(total=1)


def test_files_and_folders_can_replace_each_other(library: Library, album: Album) -> None:
    album.draw("was-file.jpg")
    album.draw("was-folder.jpg/in.jpg")
    run(library, album.folder)
    album.path("was-file.jpg").unlink()
    shutil.rmtree(album.path("was-folder.jpg"))
    album.draw("was-file.jpg/now-in.jpg", seed=1)
    album.draw("was-folder.jpg", seed=2)
    report = run_paths(library, album.path("was-file.jpg"), album.path("was-folder.jpg"))
    assert (report.new, report.missing) == (2, 2)
    assert sorted(names(library, "missing")) == ["in.jpg", "was-file.jpg"]


def test_an_offline_path_is_reported_and_loses_nothing(library: Library, album: Album, tmp_path: Path) -> None:
    path = album.draw("a.jpg")
    run(library, album.folder)
    album.folder.rename(tmp_path / "aside")
    report = run_paths(library, path)
    assert [root for root, _ in report.unreachable] == [album.folder]
    assert names(library, "missing") == []


def test_linked_folders_and_files_are_scanned_by_path(library: Library, album: Album, tmp_path: Path) -> None:
    outside = Album(tmp_path / "outside")
    outside.draw("sub/o.jpg")
    single = Album(tmp_path / "single").draw("s.jpg")
    album.draw("a.jpg")
    run(library, album.folder)
    album.path("linked").symlink_to(outside.folder)
    album.path("s.jpg").symlink_to(single)
    album.path("again.jpg").symlink_to(album.path("a.jpg"))
    album.path("loop").symlink_to(album.folder)
    made = [album.path(name) for name in ("s.jpg", "again.jpg")]
    assert run_paths(library, *made).new == 1
    assert run_paths(library, album.path("linked"), album.path("loop")).new == 1
    assert sorted(names(library)) == ["a.jpg", "o.jpg", "s.jpg"]
    assert run(library).missing == 0


def state_of(library: Library) -> dict[str, tuple[bool, tuple[str, ...]]]:
    """Return for each content whether its photo is missing, and the paths of its files."""
    return {
        photo.content_hash: (photo.missing, tuple(str(path) for path in library.photos.files(photo.id)))
        for photo in library.photos.get(library.photos.ids())
    }


@pytest.mark.parametrize("seed", range(6))
def test_scanning_changed_paths_gives_the_same_as_a_full_scan(tmp_path: Path, album: Album, seed: int) -> None:
    """Files and folders are created, written, moved and deleted, and the library is informed of the changed paths."""
    rng = random.Random(seed)
    with Library.open(tmp_path / "told") as told, Library.open(tmp_path / "walked") as walked:
        for number in range(12):
            album.draw(f"{number % 3}/{number}.jpg", seed=number)
        run(told, album.folder)
        run(walked, album.folder)
        for step in range(12):
            changed: list[Path] = []
            for _ in range(rng.randint(1, 4)):
                there = sorted(path for path in album.folder.rglob("*") if path.is_file() or rng.random() < 0.3)
                path = rng.choice(there)
                target = album.path(f"{rng.choice('0123')}/{rng.choice('abc')}{rng.choice(['', '/x'])}{step}.jpg")
                target.parent.mkdir(parents=True, exist_ok=True)
                match rng.choice(("write", "move", "copy", "delete")):
                    case "write":
                        target.write_bytes(b"%d" % rng.randint(0, 20))
                        changed.append(target)
                    case "move" if not target.exists() and not target.is_relative_to(path):
                        path.rename(target)
                        changed += [path, target]
                    case "copy" if path.is_file() and not target.exists():
                        shutil.copy(path, target)
                        changed.append(target)
                    case "delete" if len(there) > 6:
                        shutil.rmtree(path) if path.is_dir() else path.unlink()
                        changed.append(path)
                changed.append(target.parent)
            run_paths(told, *changed)
            assert list(differing(told, told.roots.all()[0])) == []
            run(walked)
            assert state_of(told) == state_of(walked)


def test_a_photo_that_replaced_another_one_in_another_root_is_found_there(
    library: Library, album: Album, tmp_path: Path
) -> None:
    """To the scan, its new path is an edited file, and it does not look in the old folder."""
    album.draw("stays.jpg")
    moved = album.draw("a.jpg")
    other = Album(tmp_path / "second")
    target = other.draw("x.jpg", size=(40, 40))
    run(library, album.folder, other.folder)
    number, replaced = id_of(library, moved), id_of(library, target)
    moved.replace(target)
    later(target)
    report = run(library, other.folder)
    assert (report.new, report.moved) == (0, 1)
    assert library.photos.paths([number]) == [target]
    assert not library.photos.get([number])[0].missing
    assert library.photos.get([replaced])[0].missing


def test_formats_without_a_signature_are_found_by_unambiguous_content(library: Library, album: Album) -> None:
    rgb = scene(40, 30)
    photos = {
        "pixmap": file_bytes(rgb, "PPM"),
        "greys.dat": file_bytes(rgb[..., 0], "PPM"),
        "bits": file_bytes(Image.fromarray(rgb[..., 0]).convert("1"), "PPM"),
        "plain": b"P2\n# greys\n2 2\n255\n0 10\n20 255\n",
        "targa": file_bytes(rgb, "TGA"),
        "targa-runs": file_bytes(rgb, "TGA", compression="tga_rle"),
        "targa-1": file_bytes(rgb, "TGA")[:-26],  # the first version of the format has no footer
        "raw.fuji": b"FUJIFILMCCD-RAW 0201" + bytes(200),
    }
    others = {
        "words": b"P2 640 480 are the sizes of the picture\n",
        "list": b"P5 12 7 255 8\n",
        "long-list": b"P5 2 3 4 and more words than six bytes\n",
        "bits-of-text": b"P1 3 goals in the first period\n",
        "targa-cut-off": file_bytes(rgb, "TGA")[:-400],
        "values": struct.pack("<40I", *range(2, 42)),
        "exif": b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 274, 3, 1, 6, 0, 0),
        "bitmap-of-words": b"BMW is a car, and no bitmap",
    }
    for name, content in (photos | others).items():
        album.path(name).write_bytes(content)
    run(library, album.folder)
    assert sorted(names(library)) == sorted(photos)


@pytest.mark.parametrize("name", ["missing", "unknown.dat", "wrong.{other}", "doubled.{own}.{own}", "upper.{OWN}"])
def test_every_format_is_found_under_every_name(library: Library, album: Album, name: str) -> None:
    rgb = scene(40, 30)
    kinds = {"jpg": "JPEG", "png": "PNG", "webp": "WEBP", "tif": "TIFF", "gif": "GIF", "bmp": "BMP", "dib": "DIB"}
    kinds |= {"avif": "AVIF", "heic": "HEIF", "jp2": "JPEG2000", "ppm": "PPM", "tga": "TGA"}
    contents = {suffix: file_bytes(rgb, kind) for suffix, kind in kinds.items()}
    contents |= {"psd": psd(rgb.transpose(2, 0, 1)), "dng": dng(rgb)}
    wanted = []
    for suffix, content in contents.items():
        other = "png" if suffix == "jpg" else "jpg"
        wanted.append(album.path(f"{suffix}/{name.format(own=suffix, OWN=suffix.upper(), other=other)}"))
        wanted[-1].parent.mkdir()
        wanted[-1].write_bytes(content)
        (wanted[-1].parent / f"{suffix}_original").write_bytes(content)  # a copy made by another program
    run(library, album.folder)
    assert sorted(library.photos.paths(library.photos.ids())) == sorted(wanted)


def test_a_photo_found_by_content_is_missing_once_its_file_has_other_content(library: Library, album: Album) -> None:
    for number in range(2):
        album.draw(f"{number}.jpg", seed=number).rename(album.path(f"blob{number}"))
    run(library, album.folder)
    for number in range(2):
        album.path(f"blob{number}").write_bytes(b"no picture any more")
    report = finish(scan_paths(library, [album.path("blob0")]))
    assert (report.missing, report.changed, report.unreadable) == (1, 0, [])
    report = run(library)
    assert (report.missing, report.changed, names(library, "-missing")) == (1, 0, [])


def test_links_to_photos_with_other_suffixes_are_treated_alike_by_scan_and_watch(
    library: Library, album: Album, tmp_path: Path
) -> None:
    album.draw("a.jpg", seed=1).rename(album.path("blob"))
    album.draw("b.jpg", seed=2).rename(tmp_path / "elsewhere")
    (tmp_path / "text").write_text("no photo")
    links = {"of-blob.jpg": album.path("blob"), "latest": tmp_path / "elsewhere", "letter": tmp_path / "text"}
    for name, target in {**links, "nowhere": tmp_path / "gone"}.items():
        album.path(name).symlink_to(target)
    report = run(library, album.folder)
    assert (sorted(names(library, "-missing")), report.unreadable) == (["blob", "latest"], [])
    report = finish(scan_paths(library, [album.path(name) for name in links]))
    assert report.anything is False
    assert run(library).anything is False
