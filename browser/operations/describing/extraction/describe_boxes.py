# SPDX-License-Identifier: MIT
"""Describe boxes like photos: each is cut out of its photo. The descriptions are saved as derived data."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Box, Photo
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.atomic_file import atomic_file
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.descriptors import decode_limits, ready_descriptors
from focal_photos.browser.operations.describing.settings import SECONDS
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.workers.describe_photos import describe_photos
from focal_photos.browser.operations.workers.photo_tasks import PhotoTask
from focal_photos.features.base import CodeDescriptor, GlobalDescriptor
from focal_photos.features.description import Description, DescriptionPlan

_FILE: Final = "boxes.npz"  # in `derived/`
_STAGE: Final = Text("Describing boxes")
_SPARE: Final = 2  # times the number of boxes; of more descriptions, those of other boxes are dropped

_Vectors = dict[str, tuple[NDArray[np.float16], NDArray[np.uint8]]]
"""Vectors and codes of boxes, by the photo's content and the place."""


class BoxDescriptions(NamedTuple):
    """Boxes with their descriptions."""

    boxes: list[Box]
    """The n boxes."""
    vectors: NDArray[np.float16]
    """Global descriptors, side by side; shape (n, d)."""
    codes: NDArray[np.uint8]
    """Codes of signs, side by side; shape (n, c), with c = 0 if the library has none."""


def describe_boxes(
    library: Library, boxes: Sequence[Box], families: Sequence[GlobalDescriptor]
) -> Job[BoxDescriptions]:
    """Describe boxes that were not described before, and return the descriptions of all.

    Each photo is decoded in a worker. Closing the job keeps what is described.

    Parameters
    ----------
    boxes : sequence of Box
        Those of missing and unreadable photos are left out unless they were described before.
    families : sequence of GlobalDescriptor
        Ready descriptors, in the order of their columns.
    """
    signs = [one for one in ready_descriptors(library) if isinstance(one, CodeDescriptor) and one.kind == "signs"]
    plan = DescriptionPlan(
        (*families, *signs), decode_limits(library), thumbnail_side=None, seconds_per_photo=SECONDS.get(library)
    )
    keys = [str(one.key) for one in plan.descriptors]
    file = library.path / "derived" / _FILE
    photos = {photo.id: photo for photo in library.photos.get({box.photo_id for box in boxes})}
    places = {box.id: _place(box, photos[box.photo_id]) for box in boxes}
    known = _read(file, keys)
    tasks = {
        place: PhotoTask(box.id, photos[box.photo_id].path, tuple(plan.by_name), part=_sides(box))
        for box in boxes
        if (place := places[box.id]) not in known and not photos[box.photo_id].missing
    }
    meter = Meter(_STAGE, len(tasks))
    yield meter.state()
    try:
        with closing(describe_photos(list(tasks.values()), plan)) as described:
            for results in described:
                for one in results:
                    if one.description is not None:
                        known[places[one.task.photo_id]] = _row(one.description, plan)
                yield meter.advance(len(results))
    finally:
        if len(known) > _SPARE * len(places):
            known = {place: known[place] for place in places.values() if place in known}
        if meter.done and known and not library.read_only:
            _write(file, keys, known)
    found = [box for box in boxes if places[box.id] in known]
    rows = [known[places[box.id]] for box in found]
    if not rows:
        return BoxDescriptions([], np.empty((0, 0), np.float16), np.empty((0, 0), np.uint8))
    return BoxDescriptions(found, np.stack([vectors for vectors, _ in rows]), np.stack([codes for _, codes in rows]))


def _row(description: Description, plan: DescriptionPlan) -> tuple[NDArray[np.float16], NDArray[np.uint8]]:
    vectors = [description.vectors[one.name] for one in plan.global_descriptors]
    codes = [description.codes[one.name] for one in plan.code_descriptors]
    return np.concatenate(vectors).astype(np.float16), np.concatenate([*codes, np.empty(0, np.uint8)])


def _sides(box: Box) -> tuple[float, float, float, float]:
    return box.region.x0, box.region.y0, box.region.x1, box.region.y1


def _place(box: Box, photo: Photo) -> str:
    """Return the key of a box among the descriptions: it changes with the content of the photo and the region."""
    return json.dumps([photo.content_hash, *_sides(box)])


def _read(file: Path, keys: Sequence[str]) -> _Vectors:
    """Return the saved descriptions by these descriptors; empty if there are none or they are damaged."""
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            if arrays["keys"].tolist() != list(keys):
                return {}
            places, vectors, codes = arrays["places"].tolist(), arrays["vectors"], arrays["codes"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return {}
    if (vectors.dtype, codes.dtype) != (np.float16, np.uint8) or not len(places) == len(vectors) == len(codes):
        return {}
    return dict(zip(places, zip(vectors, codes, strict=True), strict=True)) if np.isfinite(vectors).all() else {}


def _write(file: Path, keys: Sequence[str], known: _Vectors) -> None:
    vectors, codes = (np.stack(rows) for rows in zip(*known.values(), strict=True))
    with suppress(OSError), atomic_file(file) as stream:  # if the disk is full, boxes are described again next time
        np.savez(stream, keys=list(keys), places=list(known), vectors=vectors, codes=codes)
