# SPDX-License-Identifier: MIT
"""Moved, renamed, edited, copied, vanished and swapped files, with real files and a simple scan."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import FoundFile, Root, Verdict
from focal_photos.browser.catalog.library import Library, LibraryError
from tests.browser.catalog.albums import found, id_of, scan, write


@pytest.fixture
def root(library: Library, album: Path) -> Root:
    write(album, {"a.jpg": "first", "b.jpg": "second"})
    root = library.roots.add(album)
    scan(library, root)
    library.tags.change([id_of(library, album / "a.jpg")], ["beach"])
    return root


def test_a_moved_file_keeps_everything(library: Library, root: Root) -> None:
    photo, other = library.photos.ids().tolist()
    library.judgements.set(photo, [other], Verdict.SIMILAR)
    (root.path / "new").mkdir()
    (root.path / "a.jpg").rename(root.path / "new" / "renamed.jpg")
    new, vanished, changed = scan(library, root)
    assert (new.new, new.placed, vanished.moved, vanished.missing, changed.changed) == ((), (photo,), (photo,), (), ())
    assert id_of(library, root.path / "new" / "renamed.jpg") == photo
    assert library.photos.get([photo])[0].path == root.path / "new" / "renamed.jpg"
    assert library.tags.of([photo]) == {photo: ["beach"]}
    assert library.judgements.of(photo) == {other: Verdict.SIMILAR}


def test_a_missing_file_keeps_its_data_and_is_found_again(library: Library, root: Root) -> None:
    photo = id_of(library, root.path / "a.jpg")
    (root.path / "a.jpg").unlink()
    _, vanished, _ = scan(library, root)
    assert vanished.missing == (photo,)
    assert library.photos.get([photo])[0].missing
    assert library.photos.ids("missing").tolist() == [photo]
    write(root.path, {"elsewhere.jpg": "first"})
    new, _, _ = scan(library, root)
    assert (new.new, new.placed) == ((), (photo,))
    assert not library.photos.get([photo])[0].missing
    assert library.tags.of([photo]) == {photo: ["beach"]}


def test_an_edited_file_keeps_its_photo_and_loses_derived_data(library: Library, root: Root) -> None:
    photo, other = library.photos.ids().tolist()
    old = library.photos.get([photo])[0]
    library.photos.set_descriptions([(photo, 4, 3, None)])
    store = library.vectors.store("gabor", 2)
    store.append([photo, other], np.ones((2, 2)))
    library.thumbnails.put_many({photo: b"old", other: b"other"})
    write(root.path, {"a.jpg": "edited!"})
    _, _, changed = scan(library, root)
    assert changed.changed == (photo,)
    now = library.photos.get([photo])[0]
    assert now.content_hash != old.content_hash
    assert (now.bytes, now.width, now.height, now.failure) == (7, None, None, None)
    assert library.tags.of([photo]) == {photo: ["beach"]}
    assert store.ids.tolist() == [other]
    assert library.thumbnails.get(photo) is None
    assert library.thumbnails.get(other) == b"other"
    assert library.photos.count() == 2


def test_vectors_of_a_closed_store_are_forgotten_too(place: Path, library: Library, root: Root) -> None:
    photo = id_of(library, root.path / "a.jpg")
    library.vectors.store("metric-x", 2).append([photo], np.ones((1, 2)))
    library.close()
    write(root.path, {"a.jpg": "edited!"})
    with Library.open(place) as again:
        scan(again, root)
        assert again.vectors.store("metric-x", 2).missing([photo]).tolist() == [photo]


def test_an_edited_copy_becomes_a_separate_photo_with_the_tags(library: Library, root: Root) -> None:
    photo = id_of(library, root.path / "a.jpg")
    write(root.path, {"copy.jpg": "first"})
    new, _, _ = scan(library, root)
    assert (new.new, new.placed) == ((), (photo,))
    write(root.path, {"copy.jpg": "edited copy"})
    _, _, changed = scan(library, root)
    (edited,) = changed.new
    assert changed.changed == ()
    assert edited != photo
    assert library.tags.of([photo, edited]) == {photo: ["beach"], edited: ["beach"]}
    assert [tag.count for tag in library.tags.all()] == [2]


def test_a_file_renamed_and_edited_under_its_old_name_is_two_photos(library: Library, root: Root) -> None:
    """The original keeps its identity in either order of the two files in a batch."""
    photo = id_of(library, root.path / "a.jpg")
    edited, original = found(root, "a.jpg", b"edited!", 2), found(root, "a_original.jpg", b"first")
    recorded = library.files.record([edited, original])
    (new,) = recorded.new
    assert id_of(library, root.path / "a_original.jpg") == photo
    assert id_of(library, root.path / "a.jpg") == new
    assert library.tags.of([photo, new]) == {photo: ["beach"], new: ["beach"]}


def test_the_original_of_an_edited_photo_is_found_later(library: Library, root: Root) -> None:
    photo = id_of(library, root.path / "a.jpg")
    library.files.record([found(root, "a.jpg", b"edited!", 2)])
    (again,) = library.files.record([found(root, "backup.jpg", b"first")]).new
    assert again != photo
    assert library.tags.of([photo, again]) == {photo: ["beach"], again: ["beach"]}


def test_a_reverted_edit_is_the_same_photo(library: Library, root: Root) -> None:
    photo = library.photos.get([id_of(library, root.path / "a.jpg")])[0]
    library.files.record([found(root, "a.jpg", b"edited!", 2)])
    recorded = library.files.record([found(root, "a.jpg", b"first", 3)])
    assert recorded.changed == (photo.id,)
    assert library.photos.get([photo.id])[0] == photo


def test_swapped_files_keep_their_photos(library: Library, root: Root) -> None:
    first, second = library.photos.ids().tolist()
    library.files.record([found(root, "a.jpg", b"second", 2), found(root, "b.jpg", b"first", 2)])
    assert id_of(library, root.path / "a.jpg") == second
    assert id_of(library, root.path / "b.jpg") == first
    assert not any(photo.missing for photo in library.photos.get([first, second]))
    assert library.photos.ids().tolist() == [second, first]
    assert library.tags.of([first]) == {first: ["beach"]}


def test_a_photo_overwritten_by_another_is_missing_and_found_again(library: Library, root: Root) -> None:
    first, second = library.photos.ids().tolist()
    library.files.record([found(root, "a.jpg", b"second", 2)])
    lost = library.photos.get([first])[0]
    assert (lost.missing, lost.path) == (True, root.path / "a.jpg")
    assert library.photos.ids("missing").tolist() == [first]
    assert library.photos.ids("a.jpg").tolist() == library.photos.ids().tolist() == [second, first]
    assert library.tags.of([first]) == {first: ["beach"]}
    library.files.record([found(root, "restored.jpg", b"first")])
    assert id_of(library, root.path / "restored.jpg") == first
    assert library.photos.count("missing") == 0
    assert library.database.check() == []


def test_touching_a_file_changes_nothing(library: Library, root: Root) -> None:
    recorded = library.files.record([found(root, "a.jpg", b"first", 99)])
    assert recorded.new == recorded.changed == recorded.placed == ()
    assert library.files.known(root.id)[b"a.jpg"].mtime_ns == 99


def test_an_unreadable_known_file_keeps_its_photo(library: Library, root: Root) -> None:
    photo = id_of(library, root.path / "a.jpg")
    library.files.record([FoundFile(root.id, b"a.jpg", 5, 2, None, "No permission.")])
    assert id_of(library, root.path / "a.jpg") == photo
    assert library.files.known(root.id)[b"a.jpg"].failure == "No permission."
    assert library.photos.failed() == [(root.path / "a.jpg", "No permission.")]
    library.files.record([found(root, "a.jpg", b"first", 2)])
    assert library.photos.failed() == []


def test_the_known_files_of_all_folders_are_all_known_files(library: Library, root: Root) -> None:
    write(root.path, {"in/c.jpg": "third", "in/deep/d.jpg": "fourth", "in-between/e.jpg": "fifth"})
    scan(library, root)
    known = library.files.known(root.id)
    assert library.files.folders(root.id) == {b"", b"in", b"in/deep", b"in-between"}
    assert library.files.folders(root.id, b"in") == {b"in", b"in/deep"}
    assert library.files.inside(root.id, b"in") == {b"in/c.jpg": known[b"in/c.jpg"]}
    every = [library.files.inside(root.id, folder) for folder in library.files.folders(root.id)]
    assert {path: file for one in every for path, file in one.items()} == known
    assert sum(map(len, every)) == len(known) == 5


def test_only_present_files_can_be_marked_missing(library: Library, root: Root) -> None:
    assert library.files.mark_missing(root.id, [b"a.jpg", b"none.jpg"]).missing != ()
    assert library.files.mark_missing(root.id, [b"a.jpg"]).missing == ()


def test_if_derived_data_cannot_be_forgotten_the_edit_is_not_recorded(library: Library, root: Root) -> None:
    photo = library.photos.get([id_of(library, root.path / "a.jpg")])[0]
    library.vectors.close()
    with pytest.raises(LibraryError):
        library.files.record([found(root, "a.jpg", b"edited!", 2)])
    assert library.photos.get([photo.id])[0] == photo
    assert library.files.known(root.id)[b"a.jpg"].bytes == photo.bytes


def test_an_edited_file_has_no_former_place(library: Library, root: Root) -> None:
    """Its path still holds the same photo."""
    photo = id_of(library, root.path / "a.jpg")
    write(root.path, {"a.jpg": "edited!"})
    scan(library, root)
    assert library.photos.ids("missing").tolist() == []
    assert library.photos.files(photo) == [root.path / "a.jpg"]
    assert library.database.rows("SELECT * FROM former_place") == []
