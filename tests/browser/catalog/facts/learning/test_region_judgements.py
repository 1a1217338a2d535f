# SPDX-License-Identifier: MIT
"""Judgements of regions in the catalogue."""

from __future__ import annotations

import pytest

from focal_photos.browser.catalog.facts.records import Region, Verdict
from focal_photos.browser.catalog.library import Library, UnknownPhotoError
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.errors import LibraryError

LEFT, RIGHT = Region(0.0, 0.0, 0.5, 1.0), Region(0.5, 0.25, 1.0, 0.75)


def test_regions_are_judged_and_judgements_are_removed(library: Library, photos: list[int]) -> None:
    a, b, c, *_ = photos
    judged = library.region_judgements
    changes = judged.set(a, LEFT, [(b, RIGHT), (c, LEFT)], Verdict.SIMILAR)
    assert changes == ChangeSet("Mark 2 photos as similar", frozenset({Kind.JUDGEMENTS}), frozenset({a, b, c}))
    judged.set(a, LEFT, [(b, RIGHT)], Verdict.DISSIMILAR)
    assert judged.of(a, LEFT) == {b: Verdict.DISSIMILAR, c: Verdict.SIMILAR}
    assert judged.of(a, RIGHT) == judged.of(b, LEFT) == {}
    assert [(one.photo_id, one.region, one.other_id, one.other_region, one.verdict) for one in judged.all()] == [
        (a, LEFT, c, LEFT, Verdict.SIMILAR),
        (a, LEFT, b, RIGHT, Verdict.DISSIMILAR),
    ]
    assert judged.count() == 2
    assert judged.set(a, LEFT, [(b, LEFT), (c, LEFT)], None).label == "Unmark 2 photos"
    assert judged.all() == []
    assert not judged.set(a, LEFT, [(b, RIGHT)], None)


def test_a_new_judgement_replaces_the_region_found_before(library: Library, photos: list[int]) -> None:
    a, b, *_ = photos
    library.region_judgements.set(a, LEFT, [(b, RIGHT)], Verdict.SIMILAR)
    first = library.region_judgements.all()
    assert not library.region_judgements.set(a, LEFT, [(b, RIGHT)], Verdict.SIMILAR)
    assert library.region_judgements.all() == first
    assert library.region_judgements.set(a, LEFT, [(b, RIGHT), (b, LEFT)], Verdict.SIMILAR).photo_ids == {a, b}
    (one,) = library.region_judgements.all()
    assert one.other_region == LEFT
    assert one.at > first[0].at


def test_a_region_read_from_text_is_the_same(library: Library, photos: list[int]) -> None:
    a, b, *_ = photos
    region = Region(1 / 3, -0.0, 1 / 3 + 0.1, 1.0)
    library.region_judgements.set(a, region, [(b, RIGHT)], Verdict.SIMILAR)
    assert library.region_judgements.of(a, Region(0.3333333, 0.0, 0.4333333, 1.0)) == {b: Verdict.SIMILAR}
    assert library.region_judgements.all()[0].region == Region(0.333333, 0.0, 0.433333, 1.0)
    assert library.database.check() == []


def test_judgements_of_regions_are_undone_and_redone(library: Library, photos: list[int]) -> None:
    a, b, c, *_ = photos
    before = library.region_judgements.state()
    changes = library.region_judgements.set(a, LEFT, [(b, RIGHT), (c, RIGHT)], Verdict.SIMILAR)
    library.region_judgements.set(a, LEFT, [(b, LEFT)], Verdict.DISSIMILAR)
    after = library.region_judgements.all()
    library.journal.undo()
    assert library.journal.undo() == changes
    assert library.region_judgements.state() == before
    library.journal.redo()
    assert library.region_judgements.of(a, LEFT) == dict.fromkeys((b, c), Verdict.SIMILAR)
    library.journal.redo()
    assert library.region_judgements.all() == after


def test_unknown_photos_and_empty_regions_are_refused(library: Library, photos: list[int]) -> None:
    a, b, *_ = photos
    judge = library.region_judgements.set
    for query, found in ((99, b), (a, 99)):
        with pytest.raises(UnknownPhotoError):
            judge(query, LEFT, [(found, RIGHT)], Verdict.SIMILAR)
    for region in (Region(0.5, 0.0, 0.5, 1.0), Region(0.5, 0.0, 0.5000001, 1.0), Region(0.0, 0.0, 1.5, 1.0)):
        with pytest.raises(LibraryError, match="A region must lie inside the photo"):
            judge(a, region, [(b, RIGHT)], Verdict.SIMILAR)
        with pytest.raises(LibraryError, match="A region must lie inside the photo"):
            judge(a, LEFT, [(b, region)], Verdict.SIMILAR)
    assert not judge(a, LEFT, [(a, RIGHT)], Verdict.SIMILAR), "the queried photo itself"
    assert library.region_judgements.all() == []


def test_photos_of_judged_regions_count_as_judged(library: Library, photos: list[int]) -> None:
    a, b, c, *_ = photos
    library.region_judgements.set(a, LEFT, [(b, RIGHT)], Verdict.SIMILAR)
    library.judgements.set(a, [c], Verdict.SIMILAR)
    assert library.photos.ids("judged").tolist() == [a, b, c]
    assert library.judgements.counts() == {a: 2, b: 1, c: 1}
