# SPDX-License-Identifier: MIT
"""Drop the rotation of photos whose files another program has since rotated to the upright position.

A user's rotation applies to the picture in the file at that time. When the file changes, the two pictures are compared.
If they are the same except for their orientation, the rotation is dropped as a journal step. Crops, other exposures and
other pictures keep it.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Photo
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet

_NOTED: Final = "turned.edited"
_SIDE: Final = 8
_MIN_CORRELATION: Final = 0.8  # minimum correlation of equal pictures
_PROPORTIONS: Final = 0.03  # maximum difference of log aspect ratios of equal pictures


def note_edited(library: Library, photo_ids: Mapping[int, int]) -> None:
    """Record the appearance of photos whose files have changed, before their thumbnails are deleted.

    Parameters
    ----------
    photo_ids : mapping of int to int
        The photos, and the ids under which to record them: the same, or those of the photos now in their files.
    """
    rotated = library.rotations.all()
    known = [number for number in photo_ids if number in rotated]
    if not known:
        return
    noted: dict[str, Any] = dict(library.settings.get(_NOTED, {}))
    for photo in library.photos.get(known):
        seen = _seen(library.thumbnails.get(photo.id))
        # Photos not described since an earlier edit still have the record of that time.
        if photo.width and photo.height:
            noted[str(photo.id)] = [photo.width, photo.height, None if seen is None else seen.ravel().tolist()]
        after = photo_ids[photo.id]
        if after != photo.id and str(photo.id) in noted:
            noted[str(after)] = noted[str(photo.id)]
    library.settings.set(_NOTED, noted)


def follow_rotated_files(library: Library) -> ChangeSet:
    """Drop the rotations of photos whose files were rotated since; photos that are not described yet must wait.

    Returns
    -------
    ChangeSet
        Recorded in the journal; empty if nothing changed.
    """
    noted = {number: former for number, former in library.settings.get(_NOTED, {}).items() if _is_note(number, former)}
    if not noted:
        return ChangeSet()
    known = set(library.photos.ids().tolist())
    photos = [photo for photo in library.photos.get([int(i) for i in noted if int(i) in known]) if photo.width]
    upright = [photo.id for photo in photos if _is_turned(library, photo, noted[str(photo.id)])]
    changes = library.rotations.drop(upright)
    done = {str(photo.id) for photo in photos} | {number for number in noted if int(number) not in known}
    library.settings.set(_NOTED, {number: known for number, known in noted.items() if number not in done} or None)
    return changes


def _is_note(number: str, former: object) -> bool:
    """Return whether an entry has the format of `note_edited`: width, height, and a small picture or None."""
    match former:
        case [int(width), int(height), pixels] if number.isdecimal() and min(width, height) > 0:
            return pixels is None or (
                isinstance(pixels, list)
                and len(pixels) == _SIDE * _SIDE * 3
                and all(isinstance(one, int | float) for one in pixels)
            )
    return False


def _is_turned(library: Library, photo: Photo, former: list[Any]) -> bool:
    """Return whether a photo is the same as before in another orientation."""
    width, height, pixels = former
    before, now = np.log(width / height), np.log((photo.width or 1) / (photo.height or 1))
    positions = []
    if abs(now - before) < _PROPORTIONS:
        positions += [0, 2]
    if abs(now + before) < _PROPORTIONS:
        positions += [1, 3]
    seen = _seen(library.thumbnails.get(photo.id))
    if pixels is None or seen is None:  # without pictures, only exchanged sides show a rotation
        return positions == [1, 3]
    looks = np.asarray(pixels, np.float64).reshape(_SIDE, _SIDE, 3)
    likeness = {quarters: _likeness(np.rot90(looks, -quarters), seen) for quarters in positions}
    best = max(likeness, key=likeness.__getitem__, default=0)
    return best != 0 and likeness[best] > _MIN_CORRELATION


def _likeness(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return the correlation of two pictures; 0 if either is of a single colour."""
    a, b = one - one.mean(axis=(0, 1)), other - other.mean(axis=(0, 1))
    size = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / size if size > 1 else 0.0


def _seen(thumbnail: bytes | None) -> NDArray[np.float64] | None:
    """Return a picture reduced to 8 by 8 colours, 0..255, ignoring its aspect ratio; None if there is none."""
    from PIL import Image, UnidentifiedImageError

    if thumbnail is None:
        return None
    try:
        small = Image.open(io.BytesIO(thumbnail)).convert("RGB").resize((_SIDE, _SIDE), Image.Resampling.BOX)
    except (OSError, UnidentifiedImageError):
        return None
    return np.asarray(small, np.float64).round()
