# SPDX-License-Identifier: MIT
"""The data that a tile of the grid shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QImage

from focal_photos.browser.catalog.facts.learning.items import box_ids_of, item_of
from focal_photos.browser.catalog.facts.records import Box, Photo, Region, Relation, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.photos.offline import offline_root, offline_roots
from focal_photos.browser.operations.ranking.queries.query import DroppedImage
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from focal_photos.features.decoding import formats

SMALL_TILE: Final = PixelSize(128, 96)
"""Size of the thumbnails in lists, such as the trail and the suggestions, in device pixels."""


@dataclass(frozen=True)
class PhotoCard:
    """One photo with its metadata.

    Attributes
    ----------
    away : bool
        Whether its file is in an offline folder and cannot be opened.
    """

    photo: Photo
    tags: tuple[str, ...] = ()
    """Its tags, sorted."""
    suggestions: int = 0
    offline: bool = False
    rating: int | None = None
    """1 to 5, or -1 for rejected."""
    label: str | None = None
    quarters: int = 0
    """Clockwise quarter turns by which the user rotated the display."""
    boxes: tuple[Box, ...] = ()
    """Its boxes, in the unrotated photo."""
    region: Region | None = None
    """Of a box, in the unrotated photo; None for a whole photo."""

    @property
    def name(self) -> str:
        """File name for the screen; undecodable bytes are replaced."""
        return shown(self.photo.path.name)


@dataclass(frozen=True)
class TileState:
    """The data that the delegate paints on one tile."""

    photo_id: int
    row: int
    """`photo_id` and `row`: the photo, and its place in the grid (0 is first)."""
    card: PhotoCard | None
    """None until its page is fetched."""
    image: QImage | None
    """None until it is loaded; a null image if there is none."""
    score: float | None
    """Distance to the focal image, >= 0; None if the grid is not ranked."""
    mark: Verdict | None
    """The judgement against the focal image."""
    is_focal: bool
    rose: int
    """Number of places by which it rose since the metric changed; negative if it fell."""
    folded: int
    """Number of duplicates that it represents."""
    relations: frozenset[Relation] = frozenset()
    """Judgements beside `mark`: it looks like the focal image, or is nearer to it than another photo."""
    window: Region | None = None
    """In a ranking by a region: the matching part of the photo as displayed."""
    enlarged: QImage | None = None
    """A larger picture of the photo, of which the tile shows only the matching part; None for the whole photo."""


def shown(text: str) -> str:
    """Return a file name as drawable text: no lone surrogates, no control characters."""
    if text.isprintable():  # false for lone surrogates
        return text
    clean = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in clean)


def image_title(image: Path | bytes) -> str:
    """Return the title of an image from outside the library: its file name, or how it was given."""
    if isinstance(image, Path):
        return shown(image.name)
    if isinstance(image, DroppedImage):
        return QCoreApplication.translate("photos", "Dropped image")
    return QCoreApplication.translate("photos", "Pasted image")


def is_named_as_image(path: str) -> bool:
    """Return whether the suffix of a file is that of a supported image; the file itself is not read."""
    return Path(path).suffix.lower() in formats.IMAGE_SUFFIXES


def fetch_cards(library: Library, items: Sequence[int]) -> dict[int, PhotoCard]:
    """Read the cards of photos and boxes (`catalog.facts.learning.items`), in a background thread.

    The card of a box is that of its photo, with the name of the box as its only tag. Boxes that no longer exist are
    absent; a photo that does not exist raises `UnknownPhotoError`.
    """
    framed = {item_of(box.id): box for box in library.boxes.get(box_ids_of(items))}
    ids = list(dict.fromkeys([*(item for item in items if item > 0), *(box.photo_id for box in framed.values())]))
    tags = library.tags.of(ids)
    suggestions = library.suggestions.of(ids)
    marks = library.marks.of(ids)
    turns = library.rotations.of(ids)
    boxes = library.boxes.of(ids)
    roots = offline_roots(library)
    cards = {
        photo.id: PhotoCard(
            photo,
            tuple(sorted(tags.get(photo.id, ()))),
            len(suggestions.get(photo.id, ())),
            offline_root(photo.path, roots) is not None,
            marks[photo.id].rating,
            marks[photo.id].label,
            turns[photo.id],
            tuple(boxes.get(photo.id, ())),
        )
        for photo in library.photos.get(ids)
    }
    of_boxes = {
        item: replace(cards[box.photo_id], tags=(box.tag,) if box.tag else (), region=box.region)
        for item, box in framed.items()
    }
    return {item: cards[item] for item in items if item > 0} | of_boxes
