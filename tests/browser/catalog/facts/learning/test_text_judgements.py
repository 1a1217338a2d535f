# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library, UnknownPhotoError
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.errors import LibraryError

BOAT = "a red boat"


def test_judgements_against_texts_are_set_and_removed(library: Library, photos: list[int]) -> None:
    changes = library.text_judgements.set(BOAT, photos[:2], Verdict.SIMILAR)
    assert changes == ChangeSet("Mark 2 photos as similar", frozenset({Kind.JUDGEMENTS}), frozenset(photos[:2]))
    library.text_judgements.set(BOAT, [photos[0]], Verdict.DISSIMILAR)
    assert library.text_judgements.of(BOAT) == {photos[0]: Verdict.DISSIMILAR, photos[1]: Verdict.SIMILAR}
    assert library.text_judgements.of("a red") == {}
    assert library.judgements.all() == []
    assert library.text_judgements.set(BOAT, photos, None).label == "Unmark 2 photos"
    assert library.text_judgements.all() == []


def test_texts_that_differ_only_in_spaces_are_equal(library: Library, photos: list[int]) -> None:
    library.text_judgements.set("  a red\n boat ", [photos[0]], Verdict.SIMILAR)
    assert library.text_judgements.of(BOAT) == library.text_judgements.of("a  red boat") == {photos[0]: Verdict.SIMILAR}
    assert library.text_judgements.of("A red boat") == {}
    assert library.text_judgements.all()[0].text == BOAT
    library.text_judgements.set("odd \udce9\0 text", [photos[0]], Verdict.SIMILAR)
    assert library.text_judgements.of("odd \udce9\0 text") == {photos[0]: Verdict.SIMILAR}


def test_the_same_verdict_again_keeps_its_date(library: Library, photos: list[int]) -> None:
    library.text_judgements.set(BOAT, [photos[0]], Verdict.SIMILAR)
    before = library.text_judgements.all()
    assert not library.text_judgements.set(BOAT, [photos[0]], Verdict.SIMILAR)
    changes = library.text_judgements.set(BOAT, photos[:2], Verdict.SIMILAR)
    assert changes.label == "Mark 1 photo as similar"
    assert library.text_judgements.all()[:1] == before


def test_judgements_against_texts_are_undone_and_redone(library: Library, photos: list[int]) -> None:
    library.text_judgements.set(BOAT, photos[:2], Verdict.SIMILAR)
    undone = library.journal.undo()
    assert undone is not None
    assert undone.kinds == frozenset({Kind.JUDGEMENTS})
    assert undone.photo_ids == frozenset(photos[:2])
    assert library.text_judgements.of(BOAT) == {}
    library.journal.redo()
    assert len(library.text_judgements.of(BOAT)) == 2


def test_unknown_photos_and_empty_texts_are_refused(library: Library, photos: list[int]) -> None:
    with pytest.raises(UnknownPhotoError):
        library.text_judgements.set(BOAT, [photos[0], 99], Verdict.SIMILAR)
    with pytest.raises(LibraryError, match="no text"):
        library.text_judgements.set("  ", [photos[0]], Verdict.SIMILAR)
    assert not library.text_judgements.set(BOAT, [], Verdict.SIMILAR)
    assert library.text_judgements.all() == []


def test_photos_judged_against_a_text_count_as_judged(library: Library, photos: list[int]) -> None:
    """The filter finds them, and missing photos with text judgements are not forgotten as photos without work."""
    library.text_judgements.set(BOAT, [photos[2]], Verdict.SIMILAR)
    library.judgements.set(photos[0], [photos[2]], Verdict.SIMILAR)
    assert library.photos.ids("judged").tolist() == [photos[0], photos[2]]
    assert library.judgements.counts() == {photos[0]: 1, photos[2]: 2}
