# SPDX-License-Identifier: MIT
from __future__ import annotations

from datetime import datetime
from pathlib import Path

from focal_photos.browser.catalog.facts.records import Information, Reading, Waiting, Written
from focal_photos.browser.catalog.library import Library
from tests.browser.catalog.albums import id_of, scan, write

CAMERA = Information("Canon EOS 5D", "EF 50mm f/1.8", "1/250 s  f/2.8  ISO 400", 48.1, -11.5)


NOTHING = Written()


def reading(library: Library, photo: int, written: Written = NOTHING, information: Information = CAMERA) -> Reading:
    return Reading(photo, library.photos.get([photo])[0].content_hash, "a.xmp 7 1", written, information)


def test_photos_count_as_unread_until_read(library: Library, photos: list[int]) -> None:
    assert library.information.unread().tolist() == photos
    library.information.record([reading(library, photo) for photo in photos[:2]])
    assert library.information.unread().tolist() == photos[2:]
    assert library.information.of(photos[:3]) == {photos[0]: CAMERA, photos[1]: CAMERA, photos[2]: Information()}
    assert library.information.sidecars() == dict.fromkeys(photos[:2], "a.xmp 7 1")
    assert library.journal.undo_label() is None


def test_an_edited_photo_is_unread_again(library: Library, album: Path) -> None:
    write(album, {"a.jpg": "one", "b.jpg": "two"})
    root = library.roots.add(album)
    scan(library, root)
    a, b = (id_of(library, album / name) for name in ("a.jpg", "b.jpg"))
    library.information.record([reading(library, a), reading(library, b)])
    write(album, {"a.jpg": "edited"})
    scan(library, root)
    assert library.information.unread().tolist() == [a]


def test_read_metadata_waits_for_its_import(library: Library, photos: list[int]) -> None:
    a, b, *_ = photos
    first, second = Written(("sea",), 3, "Red"), Written(("sea", "dög"), -1)
    library.information.record([reading(library, a, first), reading(library, b)])
    assert library.information.waiting() == [Waiting(a, Written(), first), Waiting(b, Written(), Written())]
    library.information.note_taken_over(library.information.waiting()[:1])
    assert [one.photo_id for one in library.information.waiting()] == [b]
    library.information.record([reading(library, a, second)])
    assert library.information.waiting()[0] == Waiting(a, first, second)
    assert library.database.check() == []


def test_a_date_is_stored_if_decoding_finds_none(library: Library, photos: list[int]) -> None:
    a, b, *_ = photos
    moment = datetime(2024, 5, 31, 12)
    for photo in (a, b):
        one = reading(library, photo)
        library.information.record([Reading(photo, one.content_hash, "", one.written, CAMERA, moment)])
    other = datetime(2023, 1, 1)
    library.photos.set_descriptions([(a, 1, 1, None), (b, 1, 1, other)])
    assert [photo.taken for photo in library.photos.get([a, b])] == [moment, other]
    library.information.record([Reading(b, reading(library, b).content_hash, "", Written(), CAMERA, moment)])
    assert library.photos.get([b])[0].taken == other


def test_metadata_inherited_by_an_edited_copy_is_not_new(library: Library, album: Path) -> None:
    write(album, {"a.jpg": "one", "b.jpg": "one"})
    root = library.roots.add(album)
    scan(library, root)
    a = id_of(library, album / "a.jpg")
    written = Written(("sea",), 2, "Red")
    library.information.record([reading(library, a, written)])
    library.information.note_taken_over(library.information.waiting())
    write(album, {"b.jpg": "edited"})
    (b,) = scan(library, root)[2].new
    assert library.information.unread().tolist() == [b]
    library.information.record([reading(library, b, Written(("sea", "sun")))])
    assert library.information.waiting() == [Waiting(b, written, Written(("sea", "sun")))]


def test_cameras_are_listed_with_photo_counts(library: Library, photos: list[int]) -> None:
    library.information.record([reading(library, photo) for photo in photos[:2]])
    library.information.record([reading(library, photos[2], NOTHING, Information())])
    assert library.information.cameras() == [("Canon EOS 5D", 2)]
    library.roots.remove(library.roots.all()[0].id)
    assert library.information.cameras() == []
