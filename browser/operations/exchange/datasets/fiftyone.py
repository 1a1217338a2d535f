# SPDX-License-Identifier: MIT
"""FiftyOne's image classification and detection: photos in ``data/``, and ``labels.json`` beside it.

According to https://docs.voxel51.com/user_guide/dataset_creation/datasets.html, *FiftyOneImageClassificationDataset*:
the entry of each file, by its path in ``data/`` without suffix, is one label or a list of labels. A label is an index
into ``classes``, a name, or an object with ``label``. In a *FiftyOneImageDetectionDataset*, the labels are objects with
``bounding_box``: left, top, width and height in fractions of the photo.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

from focal_photos.browser.operations.exchange.datasets import shapes
from focal_photos.browser.operations.exchange.datasets.documents import as_text, wrong
from focal_photos.browser.operations.exchange.datasets.json_document import json_document
from focal_photos.browser.operations.exchange.datasets.media import Names, image_files, place
from focal_photos.browser.operations.exchange.escapes import dumped
from focal_photos.browser.operations.exchange.file_contents import ExportedPhoto, FoundBox, TaggedFile
from focal_photos.browser.operations.exchange.file_format import Media, PhotoWriter

_LABELS: Final = "labels.json"
_DATA: Final = "data"
_BOX: Final = "bounding_box"


def read(folder: Path) -> Iterator[TaggedFile]:
    """Yield the entry of each file in ``labels.json``; if ``data/`` lacks the file, a photo of that name is meant.

    Raises
    ------
    OperationError
        If it cannot be read or has another format.
    """
    table = folder / _LABELS
    classes = _classes(table)
    data = folder / _DATA
    files = {str(name.with_suffix("")): Path(_DATA, name) for name in image_files(data)} if data.is_dir() else {}
    with json_document(table) as document:
        for section in document.sections("the document"):
            if section != "labels":
                document.skip()
                continue
            for number, name in enumerate(document.members("labels"), start=1):
                target = document.value()
                targets = target if isinstance(target, list) else [] if target is None else [target]
                labels = [_label(table, one, classes) for one in targets]
                drawn = tuple(
                    FoundBox(label, shapes.from_corner(one[_BOX]), shapes.FRACTIONS, bool(one.get("mask")))
                    for label, one in zip(labels, targets, strict=True)
                    if isinstance(one, dict) and _BOX in one
                )
                boxed = tuple(dict.fromkeys(box.label for box in drawn))
                tags = tuple(
                    label
                    for label, one in zip(labels, targets, strict=True)
                    if not (isinstance(one, dict) and _BOX in one)
                )
                key = as_text(table, name, "a name").removeprefix("./")
                file = files.get(key, Path(name))
                yield TaggedFile(number, (file,), tags, boxes=boxed, drawn=drawn, any_folder=key not in files)
            return  # the rest was read before


def _classes(table: Path) -> list[Any] | None:
    """Return the classes, which may follow the labels; raise unless there are labels."""
    classes, has_labels = None, False
    with json_document(table) as document:
        for section in document.sections("the document"):
            if section == "classes":
                classes = document.value()
            else:
                has_labels |= section == "labels" and document.is_object()
                document.skip()
    if not has_labels:
        raise wrong(table, "it has no labels")
    if classes is not None and not isinstance(classes, list):
        raise wrong(table, "its classes are no list")
    return classes


def _label(table: Path, target: Any, classes: list[Any] | None) -> str:
    if isinstance(target, dict):
        target = target.get("label")
    if isinstance(target, int) and not isinstance(target, bool):
        if classes is None or not 0 <= target < len(classes):
            raise wrong(table, f"its classes have no number {target}")
        target = classes[target]
    return as_text(table, target, "a label")


Target = tuple[str, list[float] | None]
"""A label, and left, top, width and height of its box; None: it is of the whole photo."""


class Writer(PhotoWriter):
    """Writes the photos to ``data/`` and collects their tags for ``labels.json``."""

    def __init__(self, folder: Path, media: Media) -> None:
        self._folder = folder
        self._media = media
        self._names = Names(with_suffix=False)
        self._labels: dict[str, list[Target]] = {}
        (folder / _DATA).mkdir(parents=True)

    def add(self, photo: ExportedPhoto) -> str:
        """Write one photo."""
        if photo.file is None:
            return "Its file is missing."
        name = self._names.free(PurePosixPath(photo.record["file_name"]))
        problem = place(photo.file, self._folder / _DATA / name, self._media)
        if not problem:
            self._labels[str(name.with_suffix(""))] = self.targets(photo)
        return problem

    def targets(self, photo: ExportedPhoto) -> list[Target]:
        """Return the labels of a photo, and the box of each."""
        return [(tag, None) for tag in photo.record["tags"]]

    def finish(self) -> None:
        """Write ``labels.json``."""
        classes = sorted({tag for targets in self._labels.values() for tag, _ in targets})
        numbers = {tag: number for number, tag in enumerate(classes)}
        # A list per photo, which FiftyOne reads as several labels; photos without tags have no label.
        labels = {
            name: [numbers[tag] if sides is None else {"label": numbers[tag], _BOX: sides} for tag, sides in targets]
            or None
            for name, targets in self._labels.items()
        }
        text = dumped({"classes": classes, "labels": labels})
        (self._folder / _LABELS).write_text(text, encoding="ascii")


class DetectionWriter(Writer):
    """Writes the boxes of photos instead of their tags."""

    def targets(self, photo: ExportedPhoto) -> list[Target]:
        """Return the names of a photo's boxes, and the boxes."""
        return [
            (tag, [region.x0, region.y0, region.x1 - region.x0, region.y1 - region.y0])
            for region, tag in shapes.named(photo.boxes)
        ]
