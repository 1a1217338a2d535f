# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest

from focal_photos.browser.catalog.library import Library, UnknownPhotoError
from focal_photos.browser.catalog.store.changes import Kind


def test_several_photos_are_marked_as_no_duplicates_of_each_other(library: Library, photos: list[int]) -> None:
    a, b, c, d = photos[:4]
    changes = library.not_duplicates.add([c, a, b, a])
    assert changes.label == "Not duplicates: 3 photos"
    assert changes.kinds == {Kind.DUPLICATES}
    assert changes.photo_ids == {a, b, c}
    assert library.not_duplicates.all() == [(a, b), (a, c), (b, c)]
    assert not library.not_duplicates.add([a, b])
    library.not_duplicates.add([d, a])
    assert library.not_duplicates.all() == [(a, b), (a, c), (a, d), (b, c)]


def test_marking_no_duplicates_is_one_step(library: Library, photos: list[int]) -> None:
    a, b, c = photos[:3]
    library.not_duplicates.add([a, b])
    library.not_duplicates.add([a, b, c])
    library.journal.undo()
    assert library.not_duplicates.all() == [(a, b)]
    library.journal.redo()
    assert len(library.not_duplicates.all()) == 3


def test_unknown_photos_are_refused(library: Library, photos: list[int]) -> None:
    with pytest.raises(UnknownPhotoError):
        library.not_duplicates.add([photos[0], 999])
    assert library.not_duplicates.all() == []


def test_an_incomplete_photo_is_listed_until_its_content_changes(library: Library, photos: list[int]) -> None:
    a, b = photos[:2]
    library.photos.set_incomplete([(a, "half"), (b, "less detail")])
    assert [reason for _, reason in library.photos.incomplete()] == ["half", "less detail"]
    assert [photo.incomplete for photo in library.photos.get([b, a])] == ["less detail", "half"]
    assert library.photos.get([a])[0].failure is None
    library.photos.set_incomplete([(a, None)])
    assert [photo.incomplete for photo in library.photos.get([a, b])] == [None, "less detail"]


def test_boxes_are_marked_as_no_duplicates_in_one_step(library: Library, photos: list[int]) -> None:
    changes = library.not_duplicates.add([-3, -1, -2])
    assert changes.label == "Not duplicates: 3 boxes"
    assert changes.kinds == {Kind.DUPLICATES}
    assert library.not_duplicates.of_boxes() == [(-3, -2), (-3, -1), (-2, -1)]
    assert library.not_duplicates.all() == [], "these are no photos"
    assert not library.not_duplicates.add([-1, -2])
    library.not_duplicates.add([-4, -1])
    assert library.not_duplicates.of_boxes()[0] == (-4, -1)
    assert library.journal.undo().kinds == {Kind.DUPLICATES}
    library.journal.undo()
    assert library.not_duplicates.of_boxes() == []
    library.settings.set("duplicates.not_boxes", "damaged")
    assert library.not_duplicates.of_boxes() == []
