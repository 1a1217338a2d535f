# SPDX-License-Identifier: MIT
from __future__ import annotations

import sqlite3

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library, UnknownPhotoError
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind


def test_photos_are_rotated_together_and_back(library: Library, photos: list[int]) -> None:
    a, b, c = photos[:3]
    assert library.turns.of([a, b]) == {a: 0, b: 0}
    assert library.turns.turn([a, b, a], 1) == ChangeSet(
        "Rotate 2 photos right", frozenset({Kind.TURNS}), frozenset({a, b})
    )
    assert library.turns.turn([b], -2).label == "Rotate 1 photo upside down"
    assert library.turns.turn([c], 3).label == "Rotate 1 photo left"
    assert library.turns.of(photos[:3]) == {a: 1, b: 3, c: 3}
    library.turns.turn([b], 1)
    assert library.turns.all() == {a: 1, c: 3}, "upright photos are not listed as rotated"
    assert not library.turns.turn([a], 4)
    assert not library.turns.turn([], 1)


def test_a_rotation_is_one_step(library: Library, photos: list[int]) -> None:
    library.turns.turn(photos[:2], 1)
    library.turns.turn(photos[1:3], 1)
    undone = library.journal.undo()
    assert (undone.kinds, undone.photo_ids) == (frozenset({Kind.TURNS}), frozenset(photos[1:3]))
    assert library.turns.all() == dict.fromkeys(photos[:2], 1)
    library.journal.redo()
    assert library.turns.all() == dict(zip(photos[:3], (1, 2, 1), strict=True))


def test_rotations_are_dropped_in_one_step(library: Library, photos: list[int]) -> None:
    library.turns.turn(photos[:2], 1)
    library.turns.turn(photos[1:2], 1)
    dropped = library.turns.drop(photos[:3])
    assert dropped == ChangeSet("Remove the rotation of 2 photos", frozenset({Kind.TURNS}), frozenset(photos[:2]))
    assert library.turns.all() == {}
    assert not library.turns.drop(photos)
    library.journal.undo()
    assert library.turns.all() == {photos[0]: 1, photos[1]: 2}
    assert library.turns.drop(photos[:1]).label == "Remove the rotation of 1 photo"


def test_invalid_rotations_are_refused(library: Library, photos: list[int]) -> None:
    with pytest.raises(UnknownPhotoError):
        library.turns.turn([photos[0], 99], 1)
    assert library.turns.all() == {}
    with pytest.raises(sqlite3.IntegrityError), library.journal.action("Turn") as action:
        action.put("turned", {"photo_id": photos[0]}, {"quarters": 4, "at": ""})


def test_aspects_are_those_of_the_shown_photos(library: Library, photos: list[int]) -> None:
    a, b, c = photos[:3]
    library.photos.set_descriptions([(a, 300, 200, None), (b, 200, 400, None), (c, 300, 100, None)])
    ids = np.array([a, b, c, photos[3]])

    def shown() -> list[float]:
        return [round(float(aspect), 3) for aspect in library.photos.aspects(ids)]

    assert shown() == [1.5, 0.5, 3, 1]
    library.turns.turn([a, b, photos[3]], 1)
    assert shown() == [0.667, 2, 3, 1]
    library.turns.turn([b, c], 1)
    assert shown() == [0.667, 0.5, 0.333, 1]
    library.journal.undo()
    assert shown() == [0.667, 2, 3, 1]
    assert library.photos._columns().aspects.check() is None
    library.photos.set_descriptions([(photos[3], 400, 100, None)])
    assert shown() == [0.667, 2, 3, 0.25], "also for a photo that was rotated before it was described"
