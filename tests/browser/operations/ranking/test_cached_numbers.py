# SPDX-License-Identifier: MIT
"""Numbers that depend on all photos are computed once, and again when the photos change."""

from __future__ import annotations

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.files.checked_json import read_checked, write_checked
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.cached_numbers import cached_number
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.learners.galleries.reciprocal import scale_of
from focal_photos.learners.galleries.row_gallery import Gallery
from tests.browser.operations.album import Album


def worked_out(library: Library, name: str, stamp: str, number: float) -> bool:
    """Return whether a number had to be computed."""
    asked = []

    def find() -> float:
        asked.append(name)
        return number

    assert cached_number(library, name, stamp, find) == number
    return bool(asked)


def test_a_number_is_computed_if_it_or_its_stamp_is_new(library: Library) -> None:
    assert worked_out(library, "one", "a", 0.1)
    assert worked_out(library, "other", "a", 2.0)
    assert not worked_out(library, "one", "a", 0.1)
    assert worked_out(library, "one", "b", 0.3)
    assert not worked_out(library, "other", "a", 2.0)
    for number in range(40):
        assert worked_out(library, f"metric {number}", "a", float(number))
    assert len(read_checked(library.path / "derived" / "numbers.json")) < 40


@pytest.mark.parametrize("content", [{}, 3, {"one": 3}, [["one", "a"]], [["one", "a", "x"]]])
def test_a_cache_of_another_version_is_ignored(library: Library, content: object) -> None:
    write_checked(library.path / "derived" / "numbers.json", content)
    assert worked_out(library, "one", "a", 0.1)
    assert not worked_out(library, "one", "a", 0.1)


def test_a_cached_number_with_a_changed_digit_is_computed_again(library: Library) -> None:
    assert worked_out(library, "one", "a", 0.125)
    path = library.path / "derived" / "numbers.json"
    path.write_bytes(path.read_bytes().replace(b"0.125", b"0.525"))
    assert worked_out(library, "one", "a", 0.125)


def test_a_read_only_library_stores_no_number(library: Library) -> None:
    path = library.path
    library.close()
    with Library.open(path, read_only=True) as reading:
        assert worked_out(reading, "one", "a", 0.1)
        assert worked_out(reading, "one", "a", 0.1)


def test_the_scale_of_distances_is_computed_once_until_photos_are_added(
    library: Library, album: Album, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    def counted(gallery: Gallery) -> float:
        calls.append(len(gallery))
        return scale_of(gallery)

    monkeypatch.setattr("focal_photos.browser.operations.ranking.galleries.gallery.scale_of", counted)
    album.draw_many(8)
    finish(index(library, [album.folder], backend="threads", workers=1))
    photo = int(library.photos.ids()[0])
    first = Ranker(library).rank(photo)
    again = Ranker(library).rank(photo)
    assert len(calls) == 1
    np.testing.assert_array_equal(first.distances, again.distances)
    album.draw("another.jpg")
    finish(index(library, [album.folder], backend="threads", workers=1))
    Ranker(library).rank(photo)
    assert len(calls) == 2
