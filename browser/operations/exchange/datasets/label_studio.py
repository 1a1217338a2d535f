# SPDX-License-Identifier: MIT
"""Label Studio's JSON: one task per photo, with tags as an annotation and suggestions as scored predictions.

According to https://labelstud.io/guide/task_format and https://labelstud.io/guide/predictions. The project's labelling
configuration is `CONFIGURATION`, with a ``<Choice>`` for each tag and a ``<Label>`` for each tag of a box.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import parse_qs, quote, unquote, urlsplit

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.operations.exchange.datasets import shapes
from focal_photos.browser.operations.exchange.datasets.documents import as_object, as_objects, as_text, wrong
from focal_photos.browser.operations.exchange.datasets.json_document import json_document
from focal_photos.browser.operations.exchange.escapes import dumped
from focal_photos.browser.operations.exchange.file_contents import (
    ExportedPhoto,
    FoundBox,
    Record,
    ScoredTag,
    TaggedFile,
)
from focal_photos.browser.operations.exchange.file_format import Media, PhotoWriter

CONFIGURATION: Final = (
    '<View><Image name="image" value="$image"/>'
    '<Choices name="tags" toName="image" choice="multiple"><Choice value="…"/></Choices>'
    '<RectangleLabels name="boxes" toName="image"><Label value="…"/></RectangleLabels></View>'
)
_FROM, _BOXES, _TO = "tags", "boxes", "image"
_SKIPPED_KEYS: Final = frozenset({"rle", "points", "vertices", "brushDataURL", "predictions", "drafts"})
"""Keys of possibly long parts of a task that are not read: outlines, predictions and drafts."""
_LOCAL: Final = "/data/local-files/"
_UPLOAD: Final = re.compile(r"/data/upload/(?:\d+/)?(?:[0-9a-f]{8}-)?")


def read(path: Path) -> Iterator[TaggedFile]:
    """Yield the tags of each task: the choices in all its annotations except cancelled ones, without predictions.

    Raises
    ------
    OperationError
        If the file cannot be read or contains no tasks.
    """
    with json_document(path) as document:
        for number in document.items("the document"):
            task = as_object(path, document.value(without=_SKIPPED_KEYS), f"task {number}")
            yield _tagged_file(path, number, task)
        document.end()


def _tagged_file(path: Path, number: int, task: Mapping[str, Any]) -> TaggedFile:
    """Return the content of a task."""
    data = task.get("data")
    if not isinstance(data, dict):
        raise wrong(path, f"task {number} has no data")
    tags: dict[str, None] = {}
    boxes: dict[str, None] = {}
    drawn: list[FoundBox] = []
    for annotation in as_objects(path, task.get("annotations") or [], f"annotations of task {number}"):
        if annotation.get("was_cancelled"):
            continue
        for result in as_objects(path, annotation.get("result") or [], f"a result of task {number}"):
            _take(path, result, tags, boxes, drawn)
    content = data.get("hash")
    return TaggedFile(
        number,
        _files(path, data, number),
        tuple(tags),
        content if isinstance(content, str) else None,
        boxes=tuple(boxes),
        drawn=tuple(drawn),
        any_folder=True,
    )


def _take(
    path: Path, result: Mapping[str, Any], tags: dict[str, None], boxes: dict[str, None], drawn: list[FoundBox]
) -> None:
    """Add the names in a result: choices and taxonomies apply to the whole photo, ``...labels`` to parts."""
    kind, value = result.get("type"), result.get("value")
    if not isinstance(kind, str) or not isinstance(value, dict):
        return
    names = value.get(kind, [])
    if kind not in ("choices", "taxonomy") and not kind.endswith("labels"):
        return
    if not isinstance(names, list):
        raise wrong(path, f"{kind} are no list")
    into = boxes if kind.endswith("labels") else tags
    size = shapes.size_of(result.get("original_width"), result.get("original_height"))
    sides = _sides(kind, value, size or _PER_CENT)
    for name in names:
        whole = "/".join(as_text(path, part, kind) for part in name) if isinstance(name, list) else name
        into[as_text(path, whole, kind)] = None
        if sides is not None:
            is_outline = kind != "rectanglelabels" or bool(value.get("rotation"))
            drawn.append(FoundBox(whole, sides, size or _PER_CENT, is_outline))


_PER_CENT: Final = (100.0, 100.0)


def _sides(kind: str, value: Mapping[str, Any], size: tuple[float, float]) -> tuple[float, float, float, float] | None:
    """Return the sides of a shape, or of the smallest box around it; None if it has no extent.

    Label Studio gives places in per cent of the photo, and turns a rectangle about its first corner.
    """

    def scaled(values: tuple[float, ...]) -> list[float]:
        return [part * size[place % 2] / 100 for place, part in enumerate(values)]

    match kind:
        case "rectanglelabels":
            corner = scaled(shapes.from_corner([value.get(name) for name in ("x", "y", "width", "height")]))
            (degrees,) = shapes.numbers([value.get("rotation") or 0], 1)
            left, top, right, bottom = corner
            return shapes.around_turned(corner, degrees, (left, top)) if degrees else (left, top, right, bottom)
        case "ellipselabels":
            x, y, width, height = scaled(shapes.numbers([value.get(name) for name in ("x", "y", "radiusX", "radiusY")]))
            return x - width, y - height, x + width, y + height
        case "polygonlabels":
            points = value.get("points")
            found = [shapes.numbers(point, 2) for point in points] if isinstance(points, list) else []
            return shapes.around([scaled(point) for point in found])
    return None


def _files(path: Path, data: Mapping[str, Any], number: int) -> tuple[Path, ...]:
    """Return the files that the data of a task may denote."""
    found = data.get(_TO)
    if not isinstance(found, str):
        found = next((one for one in data.values() if isinstance(one, str) and "/" in one), data.get("file_name"))
    text = as_text(path, found, f"the image of task {number}")
    try:
        parts = urlsplit(text)
    except ValueError as error:  # brackets that are invalid in an address
        raise wrong(path, f"the image of task {number} is no path") from error
    name = unquote(parts.path)
    local = parse_qs(parts.query).get("d", [])
    if parts.path.startswith(_LOCAL) and local:
        name = local[0]
    elif upload := _UPLOAD.match(name):
        name = name[upload.end() :]
    elif parts.scheme:
        name = name.lstrip("/") if parts.netloc else name
    if "\0" in name or not name:
        raise wrong(path, f"the image of task {number} is no path")
    return (Path(name),)


class Writer(PhotoWriter):
    """Writes one task per photo."""

    def __init__(self, file: Path, media: Media) -> None:
        del media  # photo files are not copied
        self._stream = file.open("w", encoding="ascii", newline="\n")
        self._count = 0

    def add(self, photo: ExportedPhoto) -> str:
        """Write one photo."""
        self._stream.write("[\n" if not self._count else ",\n")
        self._stream.write(dumped(_task(photo)))
        self._count += 1
        return ""

    def finish(self) -> None:
        """Finish the list."""
        self._stream.write("\n]\n" if self._count else "[]\n")

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def _task(photo: ExportedPhoto) -> dict[str, Any]:
    name = PurePosixPath(photo.record["file_name"])
    place = quote(str(name).encode("utf-8", "surrogateescape"))
    tags = list(photo.record["tags"])
    boxes = [_rectangle(region, tag, photo.record) for region, tag in shapes.named(photo.boxes)]
    return {
        "data": {_TO: f"{_LOCAL}?d={place}", "hash": photo.record["hash"]},
        "annotations": [{"result": [*([_choices(tags)] if tags else []), *boxes]}] if tags or boxes else [],
        "predictions": _predictions(photo.suggestions),
    }


def _predictions(suggestions: tuple[ScoredTag, ...]) -> list[dict[str, Any]]:
    """Return a prediction per metric, scored by its most confident tag, with a score for each tag."""
    by_metric: dict[str, list[ScoredTag]] = {}
    for one in suggestions:
        by_metric.setdefault(f"focal {one.metric or 'unknown'}", []).append(one)
    return [
        {
            "model_version": version,
            "score": max(one.confidence for one in found),
            "result": [{**_choices([one.tag]), "score": one.confidence} for one in found],
        }
        for version, found in by_metric.items()
    ]


def _choices(tags: list[str]) -> dict[str, Any]:
    return {"from_name": _FROM, "to_name": _TO, "type": "choices", "value": {"choices": tags}}


def _rectangle(region: Region, tag: str, record: Record) -> dict[str, Any]:
    sides = {
        "x": 100 * region.x0,
        "y": 100 * region.y0,
        "width": 100 * (region.x1 - region.x0),
        "height": 100 * (region.y1 - region.y0),
    }
    size = {"original_width": record["width"], "original_height": record["height"]} if record["width"] else {}
    value = {**sides, "rotation": 0, "rectanglelabels": [tag]}
    return {"from_name": _BOXES, "to_name": _TO, "type": "rectanglelabels", **size, "image_rotation": 0, "value": value}
