# SPDX-License-Identifier: MIT
"""Find boxes that show the same part of a photo, or the same picture in several photos."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.facts.learning.items import item_of
from focal_photos.browser.catalog.facts.records import Box, Photo, Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.duplicates.find_duplicates import STAGE, Group, GroupKind, largest_first, made
from focal_photos.browser.operations.duplicates.keeper import Member
from focal_photos.browser.operations.duplicates.near_pairs import near_pairs
from focal_photos.browser.operations.duplicates.same_picture import Pictures
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.photos.thumbnail import thumbnail
from focal_photos.learners.tags.likely_frames import overlaps_of

OVERLAP: Final = 0.8
"""Intersection over union above which two boxes of a photo frame the same part."""

SAME_TAG_OVERLAP: Final = 0.5
"""The same for boxes with the same tag: two such things rarely overlap more, whereas users draw loosely."""

_MIN_ROW_CORRELATION: Final = 0.8  # correlation of the rows below which crops are not compared further
_SHAPE: Final = 1.25  # largest ratio of the proportions of two crops of the same picture
_LEAST_DETAIL: Final = 1.0  # grey levels, root mean square
_SIDE: Final = 16

_Sketches = dict[tuple[str, Region], NDArray[np.float32] | None]
_SKETCHES: Final = CacheEntry[_Sketches]("grey values of boxes")


def find_duplicate_boxes(library: Library) -> Job[list[Group]]:
    """Find groups of boxes that show the same.

    Two boxes of one photo do if their overlap (intersection over union) is more than `OVERLAP`, or `SAME_TAG_OVERLAP`
    if they have the same tag; two boxes of different photos, if they have about the same proportions and the parts of
    the thumbnails show the same picture (`browser.operations.duplicates.same_picture`). Connected pairs form one group.
    Boxes of missing photos, and of photos edited to another size since, are left out.

    Returns
    -------
    list of Group
        Largest first. The proposed box of each has a name, or else is the largest.
    """
    yield Meter(STAGE).state()
    boxes = [box for box in library.boxes.all() if not box.uncertain]
    photos = {photo.id: photo for photo in library.photos.get({box.photo_id for box in boxes}) if not photo.missing}
    boxes = [box for box in boxes if box.photo_id in photos]

    def search(report: Callable[[float], None]) -> list[tuple[int, int]]:
        return [*_drawn_twice(boxes), *_same_pictures(library, boxes, photos, report)]

    pairs = set((yield from in_thread(STAGE, search, keeps=False)))
    different = library.not_duplicates.of_boxes()
    places = {item_of(box.id): place for place, box in enumerate(boxes)}
    pairs -= {(places[b], places[a]) for a, b in different if a in places and b in places}
    one, other = np.array(sorted(pairs), np.intp).reshape(-1, 2).T
    graph = scipy.sparse.csr_array((np.ones(len(one)), (one, other)), shape=(len(boxes), len(boxes)))
    groups = defaultdict(list)
    for part, box in zip(scipy.sparse.csgraph.connected_components(graph, directed=False)[1], boxes, strict=True):
        groups[part].append(_member(box, photos[box.photo_id]))
    return sorted((made(GroupKind.COPIES, some) for some in groups.values() if len(some) > 1), key=largest_first)


def _drawn_twice(boxes: Sequence[Box]) -> list[tuple[int, int]]:
    """Return the places of boxes of one photo that frame the same thing, smaller first."""
    by_photo = defaultdict(list)
    for place, box in enumerate(boxes):
        by_photo[box.photo_id].append(place)
    found = []
    for places in by_photo.values():
        sides = np.array([_sides(boxes[place].region) for place in places])
        tags = np.array([boxes[place].tag or "" for place in places])
        least = np.where((tags[:, None] == tags) & (tags != ""), SAME_TAG_OVERLAP, OVERLAP)
        for one, other in np.argwhere(np.triu(overlaps_of(sides, sides) > least, 1)):
            found.append((places[one], places[other]))
    return found


def _same_pictures(
    library: Library, boxes: Sequence[Box], photos: dict[int, Photo], report: Callable[[float], None]
) -> list[tuple[int, int]]:
    """Return the places of boxes of different photos that show the same picture, smaller first."""
    items = [item_of(box.id) for box in boxes]
    pictures = Pictures(partial(thumbnail, library), dict(zip(items, boxes, strict=True)))
    known, sketches = library.cache.get(_SKETCHES, None) or {}, _Sketches()
    for place, box in enumerate(boxes):
        report(0.7 * place / len(boxes))
        key = photos[box.photo_id].content_hash, box.region
        sketches[key] = known[key] if key in known else _sketch(pictures, items[place])
    library.cache.put(_SKETCHES, None, sketches)
    found = [sketches[photos[box.photo_id].content_hash, box.region] for box in boxes]
    places = [place for place, row in enumerate(found) if row is not None]
    rows = [row for row in found if row is not None]
    if not rows:
        return []
    one, other, _ = near_pairs(
        np.stack(rows), np.sqrt(2 - 2 * _MIN_ROW_CORRELATION), progress=lambda share: report(0.7 + 0.1 * share)
    )
    pairs = []
    for number, pair in enumerate(zip(one.tolist(), other.tolist(), strict=True)):
        report(0.8 + 0.2 * number / len(one))
        first, second = (places[row] for row in pair)
        if boxes[first].photo_id == boxes[second].photo_id:
            continue
        shapes = [_shape(boxes[place], photos) for place in (first, second)]
        if max(shapes) <= _SHAPE * min(shapes) and pictures.same(items[first], items[second]):
            pairs.append((first, second))
    return pairs


def _sketch(pictures: Pictures, item: int) -> NDArray[np.float32] | None:
    """Return coarse grey values of a box, float32 (256,) of mean 0 and unit length; None without structure.

    Without their linear trend, because skies with the same gradient would otherwise be alike.
    """
    cuts = pictures.cuts(item)
    if cuts is None:
        return None
    side = round(np.sqrt(cuts.shape[1]))
    part = side // _SIDE
    coarse = cuts[0].reshape(_SIDE, part, _SIDE, part).mean(axis=(1, 3))
    along = np.linspace(-1, 1, _SIDE)
    along /= np.linalg.norm(along)
    coarse = coarse - coarse.mean()
    coarse = coarse - np.outer(coarse.mean(axis=1) @ along * along, np.ones(_SIDE))
    coarse = coarse - np.outer(np.ones(_SIDE), coarse.mean(axis=0) @ along * along)
    length = float(np.linalg.norm(coarse))
    return np.asarray(coarse.ravel() / length, np.float32) if length > _LEAST_DETAIL * _SIDE else None


def _sides(region: Region) -> tuple[float, float, float, float]:
    return region.x0, region.y0, region.x1, region.y1


def _shape(box: Box, photos: dict[int, Photo]) -> float:
    """Return the width of a box divided by its height, in pixels."""
    photo, region = photos[box.photo_id], box.region
    return (region.x1 - region.x0) * (photo.width or 1) / ((region.y1 - region.y0) * (photo.height or 1))


def _member(box: Box, photo: Photo) -> Member:
    region = box.region
    pixels = (region.x1 - region.x0) * (photo.width or 0) * (region.y1 - region.y0) * (photo.height or 0)
    return Member(item_of(box.id), round(pixels), 0, None, 0.0, None, box.photo_id, box.tag)
