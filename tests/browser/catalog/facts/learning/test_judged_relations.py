# SPDX-License-Identifier: MIT
"""Relative judgements and visual pairs in the catalogue."""

from __future__ import annotations

import pytest

from focal_photos.browser.catalog.facts.records import Relation
from focal_photos.browser.catalog.library import Library, UnknownPhotoError
from focal_photos.browser.catalog.store.changes import Kind


def _all(library: Library) -> list[tuple[int, int, int | None]]:
    return [(one.focal_id, one.other_id, one.than_id) for one in library.judged_relations.all()]


def test_relations_are_recorded_undone_and_redone(library: Library, photos: list[int]) -> None:
    a, b, c, d, *_ = photos
    changes = library.judged_relations.set([(a, b, None), (a, c, None), (a, a, None)], holds=True)
    assert changes.kinds == {Kind.JUDGEMENTS}
    assert changes.photo_ids == {a, b, c}
    assert str(changes.label) == "Mark 2 photos as looking alike"
    changes = library.judged_relations.set([(a, b, d), (a, b, a)], holds=True)
    assert changes.photo_ids == {a, b, d}
    assert str(changes.label) == "Mark 1 photo as nearer than another"
    assert _all(library) == [(a, b, None), (a, c, None), (a, b, d)]
    assert [one.relation for one in library.judged_relations.all()] == [Relation.LOOKS_ALIKE] * 2 + [Relation.NEARER]
    library.journal.undo()
    assert library.judged_relations.count() == 2
    library.journal.redo()
    assert library.judged_relations.count() == 3
    assert library.photos.ids("judged").tolist() == [a, b, c, d]
    assert library.judgements.counts() == {a: 3, b: 2, c: 1, d: 1}


def test_the_opposite_of_a_relative_judgement_replaces_it(library: Library, photos: list[int]) -> None:
    a, b, c, *_ = photos
    library.judged_relations.set([(a, b, c)], holds=True)
    library.judged_relations.set([(a, c, b)], holds=True)
    assert _all(library) == [(a, c, b)]
    library.journal.undo()
    assert _all(library) == [(a, b, c)]
    assert not library.judged_relations.set([(a, b, c)], holds=True), "it is known"
    assert not library.judged_relations.set([(b, a, c)], holds=False), "it is of another focal image"
    library.judged_relations.set([(a, b, c)], holds=False)
    assert _all(library) == []


def test_an_unknown_photo_is_refused(library: Library, photos: list[int]) -> None:
    with pytest.raises(UnknownPhotoError):
        library.judged_relations.set([(photos[0], photos[1], 999)], holds=True)
    assert _all(library) == []
