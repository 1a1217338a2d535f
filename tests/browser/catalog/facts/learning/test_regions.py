# SPDX-License-Identifier: MIT
from __future__ import annotations

import sqlite3

import pytest

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library, LibraryError, UnknownPhotoError


def test_a_photo_has_at_most_one_region(library: Library, photos: list[int]) -> None:
    one, other = Region(0.1, 0.2, 0.5, 0.75), Region(0, 0, 1, 1)
    assert library.regions.of(photos[0]) is None
    assert library.regions.set(photos[0], one).label == "Learn from a part of the photo"
    assert not library.regions.set(photos[0], one)
    library.regions.set(photos[0], other)
    library.regions.set(photos[1], one)
    assert library.regions.all() == {photos[0]: other, photos[1]: one}
    assert library.regions.set(photos[0], None).label == "Use the whole photo again"
    assert library.regions.of(photos[0]) is None
    for _ in range(2):
        library.journal.undo()
    assert library.regions.all() == {photos[0]: other}
    library.journal.undo()
    assert library.regions.of(photos[0]) == one


def test_invalid_regions_are_refused(library: Library, photos: list[int]) -> None:
    with pytest.raises(UnknownPhotoError):
        library.regions.set(99, Region(0, 0, 1, 1))
    for sides in ((0.5, 0, 0.5, 1), (0, 0.9, 1, 0.1), (-0.1, 0, 1, 1), (0, 0, 1, 1.01)):
        with pytest.raises((LibraryError, sqlite3.IntegrityError)):
            library.regions.set(photos[0], Region(*sides))
    assert library.regions.all() == {}
