from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NotInLibraryError
from focal_photos.browser.operations.photos.find import find_photo, find_photos
from tests.browser.operations.album import Album


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


def test_a_photo_that_is_not_there_or_not_in_the_library_is_named(indexed: Library, tmp_path: Path) -> None:
    with pytest.raises(NotInLibraryError, match=r"nothing\.jpg is not there"):
        find_photos(indexed, [tmp_path / "nothing.jpg"])
    stranger = Album(tmp_path / "elsewhere").draw("x.jpg", seed=12345)
    with pytest.raises(NotInLibraryError, match="run focal index"):
        find_photos(indexed, [stranger])
