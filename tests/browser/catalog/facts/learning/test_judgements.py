# SPDX-License-Identifier: MIT
from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library, UnknownPhotoError
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind


def test_judgements_are_set_and_removed(library: Library, photos: list[int]) -> None:
    changes = library.judgements.set(photos[0], np.array(photos[1:3]), Verdict.SIMILAR)
    assert changes == ChangeSet("Mark 2 photos as similar", frozenset({Kind.JUDGEMENTS}), frozenset(photos[:3]))
    library.judgements.set(photos[0], [photos[1]], Verdict.DISSIMILAR)
    assert library.judgements.of(photos[0]) == {photos[1]: Verdict.DISSIMILAR, photos[2]: Verdict.SIMILAR}
    assert library.judgements.of(photos[1]) == {}
    assert library.judgements.set(photos[0], photos, None).label == "Unmark 2 photos"
    assert library.judgements.all() == []


def test_the_focal_image_is_never_judged_against_itself(library: Library, photos: list[int]) -> None:
    assert not library.judgements.set(photos[0], [photos[0]], Verdict.SIMILAR)
    library.judgements.set(photos[0], photos, Verdict.SIMILAR)
    assert library.judgements.count() == 4


def test_the_same_verdict_again_keeps_its_date(library: Library, photos: list[int]) -> None:
    library.judgements.set(photos[0], [photos[1]], Verdict.SIMILAR)
    before = library.judgements.all()
    assert not library.judgements.set(photos[0], [photos[1]], Verdict.SIMILAR)
    changes = library.judgements.set(photos[0], photos[1:3], Verdict.SIMILAR)
    assert changes.label == "Mark 1 photo as similar"
    assert library.judgements.all()[:1] == before


def test_an_unknown_photo_is_refused(library: Library, photos: list[int]) -> None:
    with pytest.raises(UnknownPhotoError):
        library.judgements.set(photos[0], [photos[1], 99], Verdict.SIMILAR)
    with pytest.raises(UnknownPhotoError):
        library.judgements.set(99, [photos[1]], Verdict.SIMILAR)
    assert library.judgements.count() == 0


def test_count_since_accepts_any_time_zone(library: Library, photos: list[int]) -> None:
    start = datetime.now(UTC)
    library.judgements.set(photos[0], photos[1:3], Verdict.SIMILAR)
    middle = datetime.now(UTC)
    library.judgements.set(photos[1], [photos[0]], Verdict.SIMILAR)
    assert library.judgements.count_since(start) == 3
    assert library.judgements.count_since(middle) == 1
    assert library.judgements.count_since(middle.astimezone(datetime.now(UTC).astimezone().tzinfo)) == 1
    assert library.judgements.count_since(datetime.now(UTC)) == 0
    assert library.judgements.all()[-1].at - middle < timedelta(seconds=60)
