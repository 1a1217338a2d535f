# SPDX-License-Identifier: MIT
from __future__ import annotations

from datetime import UTC, datetime

import pytest

from focal_photos.browser.catalog.facts.learning.audits import AuditStratum, DrawnPhoto, NotDrawnError, TagAudit
from focal_photos.browser.catalog.library import Library, UnknownPhotoError
from focal_photos.browser.catalog.store.changes import Kind


def audit(tag: str) -> TagAudit:
    strata = AuditStratum(0, 5, 0.125), AuditStratum(7, 3, 0.875)
    return TagAudit(tag, "folder:a", 8, True, strata, "0" * 16, datetime.now(UTC))


def test_an_audit_is_stored_as_drawn(library: Library, photos: list[int]) -> None:
    a, c = photos[:2]
    drawn = [DrawnPhoto("fox", c, 7), DrawnPhoto("fox", a, 0), DrawnPhoto("cat", a, 7)]
    changes = library.audits.begin([audit("fox"), audit("cat"), audit("owl")], drawn)
    assert changes.label == "Start audit: 2 tags"
    assert (changes.kinds, changes.photo_ids) == (frozenset({Kind.AUDITS}), frozenset({a, c}))
    assert [one.tag for one in library.audits.all()] == ["cat", "fox", "owl"]
    fox = library.audits.all()[1]
    assert fox == audit("fox")._replace(at=fox.at)
    assert library.audits.drawn() == [drawn[2], *drawn[:2]], "sorted by tag, then in the order drawn"
    assert library.tags.all() == [], "an audit alone adds no tag"
    with pytest.raises(UnknownPhotoError):
        library.audits.begin([audit("fox")], [DrawnPhoto("fox", 999, 0)])


def test_answers_can_be_undone(library: Library, photos: list[int]) -> None:
    a, b = photos[:2]
    library.audits.begin([audit("fox")], [DrawnPhoto("fox", a, 7), DrawnPhoto("fox", b, 0)])
    assert library.audits.answer("fox", {a: True, b: False}).label == "Audit fox: 2 photos"
    assert [one.present for one in library.audits.drawn()] == [True, False]
    assert library.audits.answer("fox", {b: True}).label == "Audit fox: 1 photo"
    library.journal.undo()
    assert [one.present for one in library.audits.drawn()] == [True, False]
    library.journal.undo()
    assert [one.present for one in library.audits.drawn()] == [None, None]
    library.journal.redo()
    assert [one.present for one in library.audits.drawn()] == [True, False]


def test_only_drawn_photos_can_be_answered(library: Library, photos: list[int]) -> None:
    a, b = photos[:2]
    library.audits.begin([audit("fox")], [DrawnPhoto("fox", a, 7)])
    for tag, photo_id in (("fox", b), ("cat", a)):
        with pytest.raises(NotDrawnError):
            library.audits.answer(tag, {photo_id: True})
    assert [one.present for one in library.audits.drawn()] == [None]


def test_a_new_audit_replaces_the_old_one_until_undo(library: Library, photos: list[int]) -> None:
    a, b = photos[:2]
    library.audits.begin([audit("fox"), audit("cat")], [DrawnPhoto("fox", a, 7)])
    library.audits.answer("fox", {a: True})
    library.audits.begin([audit("fox")], [DrawnPhoto("fox", b, 0)])
    assert library.audits.drawn() == [DrawnPhoto("fox", b, 0)]
    assert [one.tag for one in library.audits.all()] == ["fox"]
    library.journal.undo()
    assert library.audits.drawn() == [DrawnPhoto("fox", a, 7, True)]
    assert [one.tag for one in library.audits.all()] == ["cat", "fox"]


def test_a_renamed_tag_keeps_its_audit(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:1], ["fox"])
    library.audits.begin([audit("fox")], [DrawnPhoto("fox", photos[0], 7)])
    library.vocabulary.rename("fox", "animal/fox")
    assert [one.tag for one in library.audits.drawn()] == ["animal/fox"]


def test_answers_survive_a_restart(library: Library, photos: list[int]) -> None:
    library.audits.begin([audit("fox")], [DrawnPhoto("fox", photos[0], 7)])
    library.audits.answer("fox", {photos[0]: False})
    path = library.path
    library.close()
    with Library.open(path) as again:
        assert again.audits.drawn() == [DrawnPhoto("fox", photos[0], 7, False)]
        again.journal.undo()
        assert again.audits.drawn() == [DrawnPhoto("fox", photos[0], 7)]
