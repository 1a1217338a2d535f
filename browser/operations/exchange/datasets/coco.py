"""COCO's JSON of objects, read only: its annotations are boxes, and tags of the whole photo only where that is wanted.

After https://cocodataset.org/#format-data: ``images`` with ``file_name``, ``categories`` with ``name``, ``annotations``
with ``image_id``, ``category_id`` and ``bbox``. An annotation without a box, an outline or points, as some programs
write for classification, is a tag.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.operations.exchange.datasets.documents import as_objects, as_text, read_json, wrong
from focal_photos.browser.operations.exchange.file_contents import TaggedFile

_PARTS: Final = ("bbox", "segmentation", "keypoints")


def read(path: Path) -> Iterator[TaggedFile]:
    """Yield each image with its tags, and what its boxes are called.

    Raises
    ------
    OperationError
        The file cannot be read, or lacks something of the above.
    """
    found = read_json(path)
    if not isinstance(found, dict) or "images" not in found or "annotations" not in found:
        raise wrong(path, "it has no images and annotations, as a file of COCO has")
    categories = {
        _number(path, one, "id"): as_text(path, one.get("name"), "the name of a category")
        for one in as_objects(path, found.get("categories"), "categories")
    }
    tags: dict[int, dict[str, None]] = {}
    boxes: dict[int, dict[str, None]] = {}
    for one in as_objects(path, found["annotations"], "annotations"):
        category = categories.get(_number(path, one, "category_id"))
        if category is None:
            raise wrong(path, f"there is no category {one['category_id']}")
        into = boxes if any(one.get(key) for key in _PARTS) else tags
        into.setdefault(_number(path, one, "image_id"), {})[category] = None
    for number, image in enumerate(as_objects(path, found["images"], "images"), start=1):
        name = as_text(path, image.get("file_name"), "the file_name of an image")
        own = _number(path, image, "id")
        yield TaggedFile(
            number, (Path(name),), tuple(tags.get(own, ())), boxes=tuple(boxes.get(own, ())), any_folder=True
        )


def _number(path: Path, found: dict[str, Any], key: str) -> int:
    number = found.get(key)
    if isinstance(number, bool) or not isinstance(number, int):
        raise wrong(path, f"{key} is no whole number")
    return number
