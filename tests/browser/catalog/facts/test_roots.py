# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.records import Root
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import Kind
from focal_photos.browser.catalog.store.errors import LibraryError
from tests.browser.catalog.albums import id_of, scan, write


@pytest.fixture
def nested(album: Path) -> Path:
    write(album, {"a.jpg": "1", "in/b.jpg": "2", "in/deep/c.jpg": "3"})
    return album


def test_a_repeated_root_or_subfolder_is_the_same_root(library: Library, nested: Path) -> None:
    root = library.roots.add(nested)
    assert library.roots.add(nested) == root
    assert library.roots.add(nested / "in" / ".." / "in") == root
    assert library.roots.all() == [root]
    assert library.roots.containing(nested / "in" / "b.jpg") == (root, Path("in/b.jpg"))
    assert library.roots.containing(nested) == (root, Path())
    assert library.roots.containing(nested.parent) is None


def test_a_folder_with_a_similar_name_is_another_root(library: Library, album: Path) -> None:
    other = album.with_name(album.name + "2")
    other.mkdir()
    library.roots.add(album)
    library.roots.add(other)
    assert [root.path for root in library.roots.all()] == [album, other]


def test_a_parent_root_absorbs_its_subfolders(library: Library, nested: Path) -> None:
    deep = library.roots.add(nested / "in" / "deep")
    scan(library, deep)
    inner = library.roots.add(nested / "in")
    photo = id_of(library, nested / "in" / "deep" / "c.jpg")
    library.tags.change([photo], ["kept"])
    outer = library.roots.add(nested)
    assert library.roots.all() == [outer]
    assert inner.id != outer.id
    new, _, changed = scan(library, outer)
    assert (len(new.new), len(changed.changed)) == (2, 0)
    assert id_of(library, nested / "in" / "deep" / "c.jpg") == photo
    assert library.tags.of([photo]) == {photo: ["kept"]}
    assert library.roots.folders(outer.id) == [(Path(), 3), (Path("in"), 2), (Path("in/deep"), 1)]
    assert set(library.files.known(outer.id)) == {b"a.jpg", b"in/b.jpg", b"in/deep/c.jpg"}
    assert set(library.files.known(outer.id, b"in")) == {b"in/b.jpg", b"in/deep/c.jpg"}
    assert library.database.check() == []


def test_a_removed_root_leaves_its_photos_as_missing(library: Library, nested: Path) -> None:
    root = library.roots.add(nested)
    scan(library, root)
    photo = id_of(library, nested / "a.jpg")
    library.tags.change([photo], ["kept"])
    changes = library.roots.remove(root.id)
    assert changes.kinds == {Kind.ROOTS, Kind.PHOTOS}
    assert not library.roots.remove(root.id)
    assert library.roots.all() == []
    assert library.photos.get([photo])[0].missing
    assert library.photos.get([photo])[0].path == nested / "a.jpg"
    assert library.photos.count("missing") == library.photos.count() == 3
    again = library.roots.add(nested)
    assert again == root
    scan(library, again)
    assert not library.photos.get([photo])[0].missing
    assert library.tags.of([photo]) == {photo: ["kept"]}


def test_a_subfolder_of_a_removed_root_can_be_added(library: Library, nested: Path) -> None:
    """The records of the removed outer root must not affect the inner one."""
    outer = library.roots.add(nested)
    scan(library, outer)
    photo = id_of(library, nested / "in" / "b.jpg")
    library.tags.change([photo], ["kept"])
    library.roots.remove(outer.id)
    write(nested, {"in/b.jpg": "another content"})
    inner = library.roots.add(nested / "in")
    scan(library, inner)
    other = id_of(library, nested / "in" / "b.jpg")
    assert other != photo
    assert library.roots.add(nested).id == outer.id
    scan(library, outer)
    assert id_of(library, nested / "in" / "b.jpg") == other
    assert library.photos.get([photo])[0].missing
    assert library.photos.get([photo])[0].path == nested / "in" / "b.jpg"
    assert library.tags.of([photo]) == {photo: ["kept"]}
    assert library.photos.count() == 4
    assert library.database.check() == []


def test_later_photos_share_the_folder_of_a_merged_root(library: Library, nested: Path) -> None:
    scan(library, library.roots.add(nested / "in"))
    outer = library.roots.add(nested)
    write(nested, {"in/late.jpg": "4", "in/deep/late.jpg": "5"})
    scan(library, outer)
    assert library.roots.folders(outer.id) == [(Path(), 5), (Path("in"), 4), (Path("in/deep"), 2)]


def test_a_folder_moves_to_any_place_that_does_not_contain_its_root(library: Library, nested: Path) -> None:
    root = library.roots.add(nested)
    scan(library, root)
    for target in (nested, nested.parent):
        with pytest.raises(LibraryError, match="a folder of the library, is in"):
            library.roots.relocate(root.id, Path("in"), target)
    library.roots.relocate(root.id, Path("in"), nested / "moved")
    assert set(library.files.known(root.id)) == {b"a.jpg", b"moved/b.jpg", b"moved/deep/c.jpg"}
    for target in (nested.parent, nested / "below", nested):  # a whole root may contain its former place
        library.roots.relocate(root.id, Path(), target)
        assert library.roots.all() == [Root(root.id, target)]


def test_no_folder_moves_into_or_around_another_root(library: Library, nested: Path, tmp_path: Path) -> None:
    root, outer = library.roots.add(nested), tmp_path / "outer"
    (outer / "other").mkdir(parents=True)
    other = library.roots.add(outer / "other")
    for below in (Path(), Path("in")):
        for target in (other.path, other.path / "below", outer):
            with pytest.raises(LibraryError, match="overlap"):
                library.roots.relocate(root.id, below, target)
    assert {each.path for each in library.roots.all()} == {nested, other.path}
