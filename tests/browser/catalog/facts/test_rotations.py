# SPDX-License-Identifier: MIT
from __future__ import annotations

import sqlite3

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library, UnknownPhotoError
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind


def test_photos_are_rotated_together_and_back(library: Library, photos: list[int]) -> None:
    a, b, c = photos[:3]
    assert library.rotations.of([a, b]) == {a: 0, b: 0}
    assert library.rotations.rotate([a, b, a], 1) == ChangeSet(
        "Rotate 2 photos right", frozenset({Kind.ROTATIONS}), frozenset({a, b})
    )
    assert library.rotations.rotate([b], -2).label == "Rotate 1 photo upside down"
    assert library.rotations.rotate([c], 3).label == "Rotate 1 photo left"
    assert library.rotations.of(photos[:3]) == {a: 1, b: 3, c: 3}
    library.rotations.rotate([b], 1)
    assert library.rotations.all() == {a: 1, c: 3}, "upright photos are not listed as rotated"
    assert not library.rotations.rotate([a], 4)
    assert not library.rotations.rotate([], 1)


def test_a_rotation_is_one_step(library: Library, photos: list[int]) -> None:
    library.rotations.rotate(photos[:2], 1)
    library.rotations.rotate(photos[1:3], 1)
    undone = library.journal.undo()
    assert (undone.kinds, undone.photo_ids) == (frozenset({Kind.ROTATIONS}), frozenset(photos[1:3]))
    assert library.rotations.all() == dict.fromkeys(photos[:2], 1)
    library.journal.redo()
    assert library.rotations.all() == dict(zip(photos[:3], (1, 2, 1), strict=True))


def test_rotations_are_dropped_in_one_step(library: Library, photos: list[int]) -> None:
    library.rotations.rotate(photos[:2], 1)
    library.rotations.rotate(photos[1:2], 1)
    dropped = library.rotations.drop(photos[:3])
    assert dropped == ChangeSet("Remove the rotation of 2 photos", frozenset({Kind.ROTATIONS}), frozenset(photos[:2]))
    assert library.rotations.all() == {}
    assert not library.rotations.drop(photos)
    library.journal.undo()
    assert library.rotations.all() == {photos[0]: 1, photos[1]: 2}
    assert library.rotations.drop(photos[:1]).label == "Remove the rotation of 1 photo"


def test_invalid_rotations_are_refused(library: Library, photos: list[int]) -> None:
    with pytest.raises(UnknownPhotoError):
        library.rotations.rotate([photos[0], 99], 1)
    assert library.rotations.all() == {}
    with pytest.raises(sqlite3.IntegrityError), library.journal.action("Turn") as action:
        action.put("turned", {"photo_id": photos[0]}, {"quarters": 4, "at": ""})


def test_aspects_are_those_of_the_shown_photos(library: Library, photos: list[int]) -> None:
    a, b, c = photos[:3]
    library.photos.set_descriptions([(a, 300, 200, None), (b, 200, 400, None), (c, 300, 100, None)])
    ids = np.array([a, b, c, photos[3]])

    def shown() -> list[float]:
        return [round(float(aspect), 3) for aspect in library.photos.aspects(ids)]

    assert shown() == [1.5, 0.5, 3, 1]
    library.rotations.rotate([a, b, photos[3]], 1)
    assert shown() == [0.667, 2, 3, 1]
    library.rotations.rotate([b, c], 1)
    assert shown() == [0.667, 0.5, 0.333, 1]
    library.journal.undo()
    assert shown() == [0.667, 2, 3, 1]
    assert library.photos._columns().aspects.check() is None
    library.photos.set_descriptions([(photos[3], 400, 100, None)])
    assert shown() == [0.667, 2, 3, 0.25], "also for a photo that was rotated before it was described"
