"""COCO's object annotations in JSON, read only: the labels of boxes become tags of the photo only on request.

According to https://cocodataset.org/#format-data: ``images`` with ``file_name``, ``categories`` with ``name``,
``annotations`` with ``image_id``, ``category_id`` and ``bbox``. An annotation without box, outline or points, as some
programs write for classification, is a tag.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from focal_photos.browser.operations.exchange.datasets.documents import as_object, as_text, wrong
from focal_photos.browser.operations.exchange.datasets.json_document import json_document
from focal_photos.browser.operations.exchange.file_contents import TaggedFile

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PARTS: Final = ("bbox", "segmentation", "keypoints")
_LARGEST: Final = 1 << 63
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
                tags, boxes = annotations.of(_number(path, image, "id"))
                yield TaggedFile(number, (Path(name),), tags, boxes=boxes, any_folder=True)
            return  # the rest was read before


class _Annotations(NamedTuple):
    """Annotations sorted by image: image and category ids, whether each marks a place, and the category names."""

    images: NDArray[np.int64]
    categories: NDArray[np.int64]
    boxed: NDArray[np.int8]
    names: dict[int, str]

    def of(self, image: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the tags of an image and the labels of its boxes."""
        images = self.images.data
        here = slice(bisect_left(images, image), bisect_right(images, image))
        found: tuple[dict[str, None], dict[str, None]] = {}, {}
        for category, is_box in zip(self.categories[here].tolist(), self.boxed[here].tolist(), strict=True):
            found[is_box][self.names[category]] = None
        return tuple(found[0]), tuple(found[1])


def _annotations(path: Path) -> _Annotations:
    """Read all sections except the images."""
    names: dict[int, str] = {}
    images, categories, boxed = array("q"), array("q"), array("b")
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
                    boxed.append(any(one.get(key) for key in _PARTS))
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
        np.frombuffer(boxed, np.int8)[order],
        names,
    )


def _number(path: Path, found: dict[str, Any], key: str) -> int:
    number = found.get(key)
    if isinstance(number, bool) or not isinstance(number, int) or not -_LARGEST <= number < _LARGEST:
        raise wrong(path, f"{key} is no whole number of at most 64 bits")
    return number
