# SPDX-License-Identifier: MIT
"""COCO's object annotations in JSON: boxes of photos.

According to https://cocodataset.org/#format-data: ``images`` with ``file_name``, ``categories`` with ``name``,
``annotations`` with ``image_id``, ``category_id`` and ``bbox`` (left, top, width and height in pixels). An annotation
without box, outline or points, as some programs write for classification, is a tag. Focal writes the tags of a photo
into its image as ``tags``, because some readers require a box for each annotation.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from focal_photos.browser.operations.exchange.datasets import shapes
from focal_photos.browser.operations.exchange.datasets.documents import as_object, as_text, wrong
from focal_photos.browser.operations.exchange.datasets.json_document import json_document
from focal_photos.browser.operations.exchange.escapes import dumped
from focal_photos.browser.operations.exchange.file_contents import ExportedPhoto, FoundBox, TaggedFile
from focal_photos.browser.operations.exchange.file_format import Media, PhotoWriter

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PARTS: Final = ("bbox", "segmentation", "keypoints")
_TAG, _PLACE, _BOX, _OUTLINE = range(4)
_MAX_ID: Final = 1 << 63
_SECTIONS: Final = ("images", "annotations", "categories")


def read(path: Path) -> Iterator[TaggedFile]:
    """Yield each image with its tags and the labels of its boxes.

    The sections may be in any order: the annotations are read in a first pass, the images in a second.

    Raises
    ------
    OperationError
        If the file cannot be read, or lacks one of these parts.
    """
    annotations = _annotations(path)
    with json_document(path) as document:
        for section in document.sections("the document"):
            if section != "images":
                document.skip()
                continue
            for number in document.items("images"):
                image = as_object(path, document.value(), f"image {number}")
                name = as_text(path, image.get("file_name"), "the file_name of an image")
                size = shapes.size_of(image.get("width"), image.get("height"))
                tags, boxes, drawn = annotations.of(_number(path, image, "id"), size)
                own = image.get("tags")
                more = own if isinstance(own, list) and all(isinstance(tag, str) for tag in own) else []
                tags = tuple(dict.fromkeys([*tags, *more]))
                yield TaggedFile(number, (Path(name),), tags, boxes=boxes, drawn=drawn, any_folder=True)
            return  # the rest was read before


class _Annotations(NamedTuple):
    """Annotations sorted by image: image and category ids, kinds, boxes, and the category names."""

    images: NDArray[np.int64]
    categories: NDArray[np.int64]
    kinds: NDArray[np.int8]
    """Whether each marks no place, a place without extent, a box or an outline."""
    sides: NDArray[np.float32]
    """Shape (n, 4)."""
    names: dict[int, str]

    def of(
        self, image: int, size: tuple[float, float] | None
    ) -> tuple[tuple[str, ...], tuple[str, ...], tuple[FoundBox, ...]]:
        """Return the tags of an image, the labels of its boxes, and the boxes."""
        images = self.images.data
        here = slice(bisect_left(images, image), bisect_right(images, image))
        labels = [self.names[category] for category in self.categories[here].tolist()]
        kinds = self.kinds[here].tolist()
        drawn = tuple(
            FoundBox(label, (x0, y0, x1, y1), size, is_outline=kind == _OUTLINE)
            for label, kind, (x0, y0, x1, y1) in zip(labels, kinds, self.sides[here].tolist(), strict=True)
            if kind >= _BOX
        )
        tags, boxes = (
            tuple(dict.fromkeys(label for label, kind in zip(labels, kinds, strict=True) if bool(kind) is marked))
            for marked in (False, True)
        )
        return tags, boxes, drawn


def _annotations(path: Path) -> _Annotations:
    """Read all sections except the images."""
    names: dict[int, str] = {}
    images, categories, kinds, sides = array("q"), array("q"), array("b"), array("f")
    missing = set(_SECTIONS)
    with json_document(path) as document:
        for section in document.sections("the document"):
            missing.discard(section)
            if section == "categories":
                for number in document.items(section):
                    one = as_object(path, document.value(), f"category {number}")
                    names[_number(path, one, "id")] = as_text(path, one.get("name"), "the name of a category")
            elif section == "annotations":
                for number in document.items(section):
                    one = as_object(path, document.value(), f"annotation {number}")
                    images.append(_number(path, one, "image_id"))
                    categories.append(_number(path, one, "category_id"))
                    kind, place = _place(one)
                    kinds.append(kind)
                    sides.extend(place)
            else:
                document.skip()
    if missing:
        raise wrong(path, f"it has no {' and no '.join(sorted(missing))}, so it is not a COCO file")
    for category in set(categories):
        if category not in names:
            raise wrong(path, f"there is no category {category}")
    order = np.argsort(np.frombuffer(images, np.int64), kind="stable")
    return _Annotations(
        np.frombuffer(images, np.int64)[order],
        np.frombuffer(categories, np.int64)[order],
        np.frombuffer(kinds, np.int8)[order],
        np.frombuffer(sides, np.float32).reshape(-1, 4)[order],
        names,
    )


def _place(one: dict[str, Any]) -> tuple[int, tuple[float, float, float, float]]:
    """Return the kind of an annotation and its sides."""
    outline = one.get("segmentation")
    if one.get("bbox"):
        return _OUTLINE if outline else _BOX, shapes.from_corner(one["bbox"])
    if isinstance(outline, list) and outline and all(isinstance(part, list) for part in outline):
        return _OUTLINE, shapes.around([part[at : at + 2] for part in outline for at in range(0, len(part), 2)])
    return _PLACE if any(one.get(key) for key in _PARTS) else _TAG, (0.0, 0.0, 0.0, 0.0)


def _number(path: Path, found: dict[str, Any], key: str) -> int:
    number = found.get(key)
    if isinstance(number, bool) or not isinstance(number, int) or not -_MAX_ID <= number < _MAX_ID:
        raise wrong(path, f"{key} is no whole number of at most 64 bits")
    return number


class Writer(PhotoWriter):
    """Writes the images one by one, and collects annotations and categories for the end."""

    def __init__(self, file: Path, media: Media) -> None:
        del media  # photo files are not copied
        self._stream = file.open("w", encoding="ascii", newline="\n")
        self._stream.write('{"info": {"description": "Focal"}, "images": [')
        self._images = 0
        self._annotations: list[str] = []
        self._categories: dict[str, int] = {}

    def add(self, photo: ExportedPhoto) -> str:
        """Write one photo."""
        record = photo.record
        if record["width"] is None or record["height"] is None:
            return "Its size is unknown: it is not described yet, or cannot be decoded."
        image = {key: record[key] for key in ("file_name", "width", "height", "tags")}
        self._stream.write((",\n" if self._images else "\n") + dumped({"id": self._images + 1, **image}))
        self._images += 1
        for region, tag in shapes.named(photo.boxes):
            x0, y0, x1, y1 = shapes.in_pixels(region, record)
            annotation = {
                "id": len(self._annotations) + 1,
                "image_id": self._images,
                "category_id": self._categories.setdefault(tag, len(self._categories) + 1),
                "bbox": [x0, y0, round(x1 - x0, 2), round(y1 - y0, 2)],
                "area": round((x1 - x0) * (y1 - y0), 2),
                "segmentation": [],
                "iscrowd": 0,
            }
            self._annotations.append(dumped(annotation))
        return ""

    def finish(self) -> None:
        """Write annotations and categories."""
        categories = [dumped({"id": number, "name": tag}) for tag, number in self._categories.items()]
        self._stream.write('\n], "annotations": [\n' + ",\n".join(self._annotations))
        self._stream.write('\n], "categories": [\n' + ",\n".join(categories) + "\n]}\n")

    def close(self) -> None:
        """Close the file."""
        self._stream.close()
