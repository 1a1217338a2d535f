# SPDX-License-Identifier: MIT
from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NotInLibraryError
from focal_photos.browser.operations.photos import files_there
from focal_photos.browser.operations.photos.find import PhotoFinder, find_photo, find_photos
from tests.browser.operations.album import Album
from tests.browser.operations.counted import counted


def test_a_photo_is_found_by_path_link_and_content(indexed: Library, album: Album, tmp_path: Path) -> None:
    path = album.path("warm/0.jpg")
    found = find_photo(indexed, path)
    assert found is not None
    link = tmp_path / "link"
    link.symlink_to(album.folder)
    copy = tmp_path / "copy.jpg"
    shutil.copy(path, copy)
    for other in (link / "warm" / "0.jpg", copy, path.parent / ".." / "warm" / "0.jpg"):
        assert find_photo(indexed, other) == found
    assert find_photos(indexed, [path, copy, path]) == [found.id]


def test_a_missing_or_unknown_photo_is_reported(indexed: Library, tmp_path: Path) -> None:
    with pytest.raises(NotInLibraryError, match=r"nothing\.jpg is not there"):
        find_photos(indexed, [tmp_path / "nothing.jpg"])
    stranger = Album(tmp_path / "elsewhere").draw("x.jpg", seed=12345)
    with pytest.raises(NotInLibraryError, match="run focal index"):
        find_photos(indexed, [stranger])


# ---------------------------------------------------------------- rows of a table
@pytest.fixture
def strange_paths(indexed: Library, album: Album, tmp_path: Path) -> list[str]:
    """Return paths of photos, of other files, and texts that cannot be a file name."""
    outside = tmp_path / "outside"
    (outside / "deep" / "er").mkdir(parents=True)
    (outside / "link").symlink_to(album.folder)
    (outside / "again").symlink_to(outside / "link")
    (outside / "deep" / "up").symlink_to(album.folder / "warm")
    (outside / "photo.jpg").symlink_to(album.path("warm/0.jpg"))
    (outside / "nothing.jpg").symlink_to(outside / "gone.jpg")
    (outside / "round").symlink_to(outside / "round")
    shutil.copy(album.path("warm/1.jpg"), outside / "copy.jpg")
    (outside / "stranger.jpg").write_bytes(b"none")
    album.path("warm/2.jpg").unlink()  # known, but missing
    names = [
        "copy.jpg", "COPY.jpg", "photo.jpg", "nothing.jpg", "stranger.jpg", "gone.jpg", "round", "round/x.jpg", "deep",
        "link/warm/0.jpg", "link/warm/2.jpg", "again/warm/2.jpg", "again/cold/9.jpg", "deep/up/../cold/0.jpg",
        "deep/../link/cold/0.jpg", "deep/er/../../copy.jpg", "deep/up/0.jpg", "./copy.jpg", "deep//up//0.jpg",
        "copy.jpg/x.jpg", "photo.jpg/../x.jpg", "..", ".", "a\0b.jpg", "\ud800.jpg", "\udcff.jpg", "x" * 300,
        "a/" * 3000 + "c.jpg", "link/" + "b/" * 200 + "c.jpg", "",
    ]  # fmt: skip
    return [
        *(f"{outside}/{name}" for name in names),
        *(f"{album.folder}/{name}" for name in ("warm/0.jpg", "warm/2.jpg", "warm/none.jpg", "none/0.jpg")),
        "relative.jpg",
        "/",
    ]


@pytest.mark.parametrize("few", [0, 4])
def test_many_rows_find_the_same_photos_as_single_paths(
    indexed: Library, strange_paths: list[str], few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files_there, "_MAX_SINGLE_LOOKUPS", few)
    finder = PhotoFinder(indexed)
    found = []
    for path in strange_paths * 2:
        photo = find_photo(indexed, Path(path))
        assert finder.find(None, [path]) == (None if photo is None else photo.id), path
        found.append(photo)
    assert 8 < len([photo for photo in found if photo is not None]) // 2 < len(strange_paths)


def test_the_cache_limits_do_not_change_the_results(
    indexed: Library, strange_paths: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = [PhotoFinder(indexed).find(None, [path]) for path in strange_paths]
    for limit in ("_MAX_SINGLE_LOOKUPS", "_MOST_NAMES", "_MOST_FOLDERS", "_MOST_PARTS"):
        monkeypatch.setattr(files_there, limit, 1)
        finder = PhotoFinder(indexed)
        assert [finder.find(None, [path]) for path in strange_paths] == wanted, limit


def test_the_content_takes_precedence_over_the_files_in_their_order(indexed: Library, album: Album) -> None:
    first, second = find_photos(indexed, [album.path("warm/0.jpg"), album.path("warm/1.jpg")])
    hashes = indexed.photos.content_hashes([first, second])
    files = [str(album.path(name)) for name in ("none.jpg", "warm/1.jpg", "warm/0.jpg")]
    finder = PhotoFinder(indexed)
    with finder.at_once():
        assert finder.find(hashes[first], files) == first
        assert finder.find("0" * 32, files) == second
        assert finder.find("\N{SNOWMAN}", files) == second
        assert finder.find(None, []) is None


def test_many_missing_files_need_few_file_system_calls(
    indexed: Library, album: Album, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    for name in ("stat", "lstat", "open", "scandir", "readlink"):
        monkeypatch.setattr(os, name, counted(getattr(os, name), calls))
    finder = PhotoFinder(indexed)
    for number in range(1000):
        for place in (album.folder / "warm", album.folder, "/nowhere/at/all", f"/nowhere/{number}"):
            assert finder.find(None, [f"{place}/unknown {number}.jpg"]) is None
    assert len(calls) < 100  # a few for each folder above the files, at any depth
    known = len(calls)
    for _ in range(1000):
        assert finder.find(None, [str(album.path("warm/0.jpg"))]) is not None
    assert len(calls) == known


def test_rows_that_alternate_between_large_folders_list_each_folder_once(
    indexed: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
        for number in range(300):
            (folder / f"{number}.txt").touch()
    monkeypatch.setattr(files_there, "_MOST_NAMES", 500)  # space for one of them
    calls: list[str] = []
    monkeypatch.setattr(os, "scandir", counted(os.scandir, calls))
    finder = PhotoFinder(indexed)
    for number in range(500):
        for folder in folders:
            assert finder.find(None, [f"{folder}/unknown {number}.jpg"]) is None
    assert 2 < len(calls) < 50
