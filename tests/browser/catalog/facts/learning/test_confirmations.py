# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library, UnknownPhotoError


def test_a_confirmed_tag_counts_while_the_photo_has_it(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:2], ["sea"])
    assert library.confirmations.confirm_tag(photos[0], "sea").label == "Confirm tag: sea"
    assert not library.confirmations.confirm_tag(photos[2], "sea"), "a photo without the tag cannot confirm it"
    assert not library.confirmations.confirm_tag(photos[0], "unknown")
    assert library.confirmations.tags() == {(photos[0], "sea")}
    library.tags.change(photos[:1], remove=["sea"])
    assert library.confirmations.tags() == set()
    library.journal.undo()
    assert library.confirmations.tags() == {(photos[0], "sea")}
    library.journal.undo()
    assert library.confirmations.tags() == set()
    with pytest.raises(UnknownPhotoError):
        library.confirmations.confirm_tag(99, "sea")


def test_a_confirmed_judgement_counts_for_its_verdict(library: Library, photos: list[int]) -> None:
    focal, other, third, *_ = photos
    library.judgements.set(focal, [other], Verdict.SIMILAR)
    assert library.confirmations.confirm_judgement(focal, other)
    assert not library.confirmations.confirm_judgement(other, focal), "the reverse pair is a different judgement"
    assert not library.confirmations.confirm_judgement(focal, third)
    assert library.confirmations.judgements() == {(focal, other): Verdict.SIMILAR}
    library.judgements.set(focal, [other], Verdict.DISSIMILAR)
    assert library.confirmations.judgements() == {}
    library.confirmations.confirm_judgement(focal, other)
    assert library.confirmations.judgements() == {(focal, other): Verdict.DISSIMILAR}
    for _ in range(2):
        library.journal.undo()
    assert library.confirmations.judgements() == {(focal, other): Verdict.SIMILAR}
    with pytest.raises(UnknownPhotoError):
        library.confirmations.confirm_judgement(focal, 99)


def test_confirming_does_not_read_other_confirmations(
    library: Library, photos: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library may hold thousands of confirmations, and an import adds them one by one."""
    library.tags.change(photos, ["sea"])
    library.judgements.set(photos[0], photos[1:], Verdict.SIMILAR)
    read: list[int] = []
    rows = library.database.rows

    def counted(sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        found = rows(sql, parameters)
        if "confirmed" in sql:
            read.append(len(found))
        return found

    monkeypatch.setattr(library.database, "rows", counted)
    for photo in photos[1:]:
        assert library.confirmations.confirm_tag(photo, "sea")
        assert not library.confirmations.confirm_tag(photo, "sea"), "the tag is confirmed already"
        assert library.confirmations.confirm_judgement(photos[0], photo)
        assert not library.confirmations.confirm_judgement(photos[0], photo)
    assert max(read, default=0) <= 1
