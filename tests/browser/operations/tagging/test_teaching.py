# SPDX-License-Identifier: MIT
"""Tags, judgements, undo, and finding photos."""

from __future__ import annotations

import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.facts.tags import TagNameError
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import Kind
from focal_photos.browser.catalog.store.errors import UnknownPhotoError


def entries(library: Library) -> int:
    (count,) = library.database.row("SELECT count(*) FROM journal WHERE undone = 0") or (0,)
    return int(count)


# ---------------------------------------------------------------- tags
def test_several_photos_are_tagged_in_one_step(indexed: Library) -> None:
    ids = indexed.photos.ids()[:3].tolist()
    changes = indexed.tags.change(ids, ["beach", "sea"])
    assert changes.photo_ids == frozenset(ids)
    assert Kind.TAGS in changes.kinds
    assert entries(indexed) == 1
    indexed.tags.change(ids[:1], remove=["sea"])
    assert indexed.tags.of(ids) == {ids[0]: ["beach"], ids[1]: ["beach", "sea"], ids[2]: ["beach", "sea"]}
    assert indexed.journal.undo().label == "Untag 1 photo: sea"
    assert indexed.journal.undo().photo_ids == frozenset(ids)
    assert not indexed.journal.undo()
    assert indexed.journal.redo().label.startswith("Tag 3 photos")
    assert indexed.tags.of(ids[:1]) == {ids[0]: ["beach", "sea"]}


def test_an_invalid_name_or_an_unknown_photo_changes_nothing(indexed: Library) -> None:
    ids = indexed.photos.ids()[:1].tolist()
    with pytest.raises(TagNameError):
        indexed.tags.change(ids, ["good", "a//b"])
    with pytest.raises(UnknownPhotoError):
        indexed.tags.change([*ids, 9999], ["good"])
    assert indexed.tags.of(ids) == {ids[0]: []}
    assert entries(indexed) == 0


# ---------------------------------------------------------------- judgements
def test_judgements_can_be_made_changed_and_removed(indexed: Library) -> None:
    focal, one, two = indexed.photos.ids()[:3].tolist()
    changes = indexed.judgements.set(focal, [one, two], Verdict.SIMILAR)
    assert changes.label == "Mark 2 photos as similar"
    indexed.judgements.set(focal, [two], Verdict.DISSIMILAR)
    assert indexed.judgements.of(focal) == {one: Verdict.SIMILAR, two: Verdict.DISSIMILAR}
    indexed.judgements.set(focal, [one], None)
    assert indexed.judgements.of(focal) == {two: Verdict.DISSIMILAR}
    indexed.journal.undo()
    indexed.journal.undo()
    assert indexed.judgements.of(focal) == {one: Verdict.SIMILAR, two: Verdict.SIMILAR}
