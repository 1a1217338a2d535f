# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.marks import MarkError, clean_label, rating_in_words
from focal_photos.browser.catalog.facts.records import Mark
from focal_photos.browser.catalog.library import Library, UnknownPhotoError
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from tests.browser.catalog.albums import id_of, scan, write


def test_photos_are_rated_and_labelled_in_one_step(library: Library, photos: list[int]) -> None:
    a, b, c, *_ = photos
    changes = library.marks.set([a, b, a], rating=4, label=" To   Do ")
    assert changes == ChangeSet("Rate and label 2 photos: ★★★★, To Do", frozenset({Kind.MARKS}), frozenset({a, b}))
    assert library.marks.of([b, c, b]) == {b: Mark(4, "To Do"), c: Mark()}
    assert library.journal.undo().photo_ids == {a, b}
    assert library.marks.of([a]) == {a: Mark()}
    library.journal.redo()
    assert library.marks.of([a]) == {a: Mark(4, "To Do")}


def test_rating_and_label_are_independent(library: Library, photos: list[int]) -> None:
    (a, *_) = photos
    assert library.marks.set([a], rating=-1).label == "Rate 1 photo: rejected"
    assert library.marks.set([a], label="Red").label == "Label 1 photo: Red"
    assert library.marks.of([a]) == {a: Mark(-1, "Red")}
    assert library.marks.set([a], rating=0).label == "Remove the rating of 1 photo"
    assert library.marks.of([a]) == {a: Mark(None, "Red")}
    assert library.marks.set([a], label="").label == "Remove the label of 1 photo"
    assert library.marks.of([a]) == {a: Mark()}
    assert library.database.rows("SELECT * FROM mark") == []


def test_only_changes_are_steps(library: Library, photos: list[int]) -> None:
    a, b, *_ = photos
    library.marks.set([a], rating=3)
    assert library.marks.set([a], rating=3) == ChangeSet()
    assert library.marks.set([a], rating=None, label=None).label == "Rate and label 1 photo: none, no label"
    assert library.marks.set([], rating=3) == library.marks.set([a]) == ChangeSet()
    library.marks.set([b], rating=3)
    assert library.marks.set([a, b], rating=3).label == "Rate 1 photo: ★★★"


@pytest.mark.parametrize("rating", [-2, 6, 99])
def test_an_invalid_rating_is_refused(library: Library, photos: list[int], rating: int) -> None:
    with pytest.raises(MarkError, match=f"no rating {rating}: use 1 to 5"):
        library.marks.set(photos, rating=rating)
    assert library.journal.undo_label() is None


@pytest.mark.parametrize("label", ["a\0b", "x" * 101, "\ud800"])
def test_an_invalid_label_is_refused(library: Library, photos: list[int], label: str) -> None:
    with pytest.raises(MarkError):
        library.marks.set(photos, label=label)


def test_labels_are_normalised() -> None:
    assert clean_label("  Gru\u0308n\n hell ") == "Grün hell"
    assert clean_label("x" * 100) == "x" * 100


def test_an_unknown_photo_is_refused(library: Library, photos: list[int]) -> None:
    with pytest.raises(UnknownPhotoError):
        library.marks.set([*photos, 77], rating=1)
    assert library.marks.of(photos)[photos[0]] == Mark()


def test_labels_are_listed_with_photo_counts(library: Library, photos: list[int]) -> None:
    library.marks.set(photos[:3], label="Red")
    library.marks.set(photos[3:4], label="Blue")
    assert library.marks.labels() == [("Blue", 1), ("Red", 3)]
    library.roots.remove(library.roots.all()[0].id)
    assert library.marks.labels() == []


def test_ratings_have_words() -> None:
    assert [rating_in_words(rating) for rating in (None, 0, -1, 1, 5)] == ["none", "none", "rejected", "★", "★★★★★"]


def test_an_edited_copy_keeps_rating_and_label(library: Library, album: Path) -> None:
    write(album, {"a.jpg": "one", "b.jpg": "one"})
    root = library.roots.add(album)
    scan(library, root)
    library.marks.set([id_of(library, album / "a.jpg")], rating=5, label="Red")
    write(album, {"b.jpg": "edited"})
    recorded = scan(library, root)[2]
    assert library.marks.of(recorded.new) == {recorded.new[0]: Mark(5, "Red")}
    assert library.database.check() == []
