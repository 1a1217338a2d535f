# SPDX-License-Identifier: MIT
"""Unusual folders that a file system allows: walked, watched and scanned by single paths."""
# ruff: noqa: PTH102, PTH108, PTH118, PTH123, PTH208

from __future__ import annotations

import os
import queue
from collections.abc import Sequence
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.photos.relocate import plan_relocation, relocate
from focal_photos.browser.operations.photos.scan import differing, scan, scan_paths
from focal_photos.browser.operations.photos.watch import FolderWatch
from tests.browser.operations.album import Album
from tests.browser.operations.photos.test_scan import without_root_rights

WAIT = 60.0


class Watch:
    """Watch on a library that scans reported changes until the library has a given number of photos."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._changes: queue.Queue[Sequence[Path]] = queue.Queue()
        self._states: queue.Queue[object] = queue.Queue()
        self._watch = FolderWatch(
            library,
            lambda paths, _: self._changes.put(paths),
            self._states.put,
            quiet=0.05,
            presence=0.05,
        )

    def __enter__(self) -> Watch:
        self._watch.start()
        self._states.get(timeout=WAIT)
        return self

    def __exit__(self, *_: object) -> None:
        self._watch.close()

    def scan_until(self, present: int) -> None:
        while self._library.photos.count("-missing") != present:
            finish(scan_paths(self._library, self._changes.get(timeout=WAIT)))


def all_known(library: Library) -> bool:
    return not any(True for root in library.roots.all() for _ in differing(library, root))


def test_odd_names_are_scanned_and_watched(library: Library, album: Album) -> None:
    composed, decomposed = "caf\u00e9.jpg", "cafe\u0301.jpg"
    names = [
        *(b"line\nbreak.jpg", b"latin-\xe9\xff.jpg", b"\x01\x1b[31m.jpg", b"%_'\"`$(x).jpg", b" .jpg", b"-rf.jpg"),
        *(b"Twin.jpg", b"twin.jpg", b"TWIN.JPG"),
        *(composed.encode(), decomposed.encode()),
        "\u202egpj.exe.jpg".encode(),
        b"x" * 251 + b".jpg",
    ]
    album.draw("a.jpg")
    finish(scan(library, [album.folder]))
    top = os.fsencode(album.folder)
    with Watch(library) as watch:
        for number, name in enumerate(names):
            folder = os.path.join(top, name[:-4] + b"-folder")
            if len(name) < 240:
                os.mkdir(folder)
                with open(os.path.join(folder, name), "wb") as stream:
                    stream.write(b"in folder %d" % number)
            with open(os.path.join(top, name), "wb") as stream:
                stream.write(b"photo %d" % number)
        watch.scan_until(2 * len(names))
        paths = {os.fsencode(path) for path in library.photos.paths(library.photos.ids("-missing"))}
        assert {os.path.join(top, name) for name in names} <= paths
        assert all_known(library)
        for name in names:
            os.unlink(os.path.join(top, name))
        watch.scan_until(len(names))
    assert all_known(library)
    assert library.database.check() == []


def test_renaming_by_case_or_normal_form_only_preserves_photos(library: Library, album: Album) -> None:
    first, second = album.draw("Photo.jpg", seed=1), album.draw("caf\u00e9.jpg", seed=2)
    finish(scan(library, [album.folder]))
    ids = sorted(library.photos.ids().tolist())
    library.tags.change(ids, ["kept"])
    first.rename(album.path("photo.JPG"))
    second.rename(album.path("cafe\u0301.jpg"))
    with Watch(library) as watch:
        while {path.name for path in library.photos.paths(ids)} != {"photo.JPG", "cafe\u0301.jpg"}:
            finish(scan_paths(library, watch._changes.get(timeout=WAIT)))
    assert sorted(library.photos.ids("-missing").tolist()) == ids
    assert library.tags.of(ids) == {number: ["kept"] for number in ids}


def test_circular_links_are_followed_once(library: Library, album: Album, tmp_path: Path) -> None:
    album.draw("a/b.jpg")
    album.path("a/self").symlink_to(album.path("a/self"))
    album.path("a/up").symlink_to(album.folder)
    album.path("one").symlink_to(album.path("two"))
    album.path("two").symlink_to(album.path("one"))
    album.path("a/circle").symlink_to("../a")
    finish(scan(library, [album.folder]))
    with Watch(library) as watch:
        album.path("later").symlink_to(album.path("a"))
        album.draw("a/c.jpg")
        watch.scan_until(2)
    finish(scan_paths(library, [album.path("later"), album.path("a/up"), album.path("one"), album.path("a/self")]))
    assert library.photos.count() == 2
    assert all_known(library)


def make_deep(top: Path, levels: int, name: bytes) -> int:
    """Make nested folders deeper than a path can be long, with a photo in each tenth; return the number of photos."""
    photos = 0
    descriptor = os.open(top, os.O_RDONLY)
    try:
        for level in range(levels):
            os.mkdir(name, dir_fd=descriptor)
            below = os.open(name, os.O_RDONLY, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
            if level % 10 == 0:
                photo = os.open(b"p.jpg", os.O_CREAT | os.O_WRONLY, dir_fd=descriptor)
                os.write(photo, b"photo %d" % level)
                os.close(photo)
                photos += 1
    finally:
        os.close(descriptor)
    return photos


def remove_deep(top: Path, name: bytes) -> None:
    """Remove the folders of `make_deep`, which are too deep for shutil."""
    levels = [os.open(top, os.O_RDONLY)]
    try:
        while True:
            try:
                levels.append(os.open(name, os.O_RDONLY, dir_fd=levels[-1]))
            except FileNotFoundError:
                break
        while levels:
            for each in os.listdir(levels[-1]):
                (os.rmdir if each.encode() == name else os.unlink)(each, dir_fd=levels[-1])
            os.close(levels.pop())
    finally:
        for descriptor in levels:
            os.close(descriptor)


@pytest.mark.slow
def test_folders_500_levels_deep_are_scanned_and_watched(library: Library, album: Album) -> None:
    """The names have one letter, so that all paths fit."""
    album.draw("a.jpg")
    photos = make_deep(album.folder, 500, b"d")
    finish(scan(library, [album.folder]))
    assert library.photos.count() == photos + 1
    with Watch(library) as watch:
        deepest = Path(album.folder, *["d"] * 500, "new.jpg")
        deepest.write_bytes(b"new")
        watch.scan_until(photos + 2)
    target = album.folder.with_name("moved")
    album.folder.rename(target)
    relocate(library, finish(plan_relocation(library, album.folder, target)))
    assert finish(scan(library)).missing == 0


def test_folders_too_deep_for_a_path_do_not_stop_a_scan(library: Library, album: Album) -> None:
    album.draw("a.jpg")
    name = b"a-name-of-forty-letters-for-a-deep-folder"
    try:
        make_deep(album.folder, 300, name)
        report = finish(scan(library, [album.folder]))
        assert "too long" in report.unreadable[-1][1]
        known = library.photos.count()
        assert known > 5
        with Watch(library) as watch:
            album.draw("b.jpg")
            watch.scan_until(known + 1)
        assert all_known(library)
    finally:
        remove_deep(album.folder, name)


def test_a_folder_without_permission_is_skipped_and_watched_once_it_is_readable(tmp_path: Path) -> None:
    def body() -> None:
        album = Album(tmp_path / "photos")
        album.draw("a.jpg")
        closed = album.draw("closed/c.jpg").parent
        with Library.open(tmp_path / "library") as library:
            finish(scan(library, [album.folder]))
            closed.chmod(0)
            try:
                finish(scan_paths(library, [closed, closed / "c.jpg"]))
                assert library.photos.count("missing") == 0
                with Watch(library) as watch:
                    album.draw("b.jpg")
                    watch.scan_until(3)
            finally:
                closed.chmod(0o755)
            assert finish(scan(library)).missing == 0

    without_root_rights(body)


@pytest.mark.slow
@pytest.mark.parametrize("count", [3000])
def test_one_new_file_in_a_large_folder_is_noticed(library: Library, album: Album, count: int) -> None:
    """Only the new file is examined."""
    for number in range(count):
        album.path(f"{number}.jpg").write_bytes(b"%d" % number)
    finish(scan(library, [album.folder]))
    new = album.draw("new.jpg")
    report = finish(scan_paths(library, [new]))
    assert (report.total, report.new) == (1, 1)
    with Watch(library) as watch:
        for number in range(count):
            album.path(f"{number}.jpg").rename(album.path(f"moved-{number}.jpg"))
        album.path("last.jpg").write_bytes(b"last")
        watch.scan_until(count + 2)
        while not all_known(library):
            finish(scan_paths(library, watch._changes.get(timeout=WAIT)))
    assert library.photos.count("missing") == 0
