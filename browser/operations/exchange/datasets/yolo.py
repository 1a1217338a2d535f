# SPDX-License-Identifier: MIT
"""YOLO's object detection: photos in ``images/``, a text file with boxes for each in ``labels/``, and ``data.yaml``.

According to https://docs.ultralytics.com/datasets/detect: a line of a text file is the number of a class and the
centre, width and height of a box, in fractions of the photo. More numbers are an outline (x, y, x, y, ...).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

from focal_photos.browser.operations.exchange.datasets.documents import opened, wrong
from focal_photos.browser.operations.exchange.datasets.media import Names, files_below, image_files, place
from focal_photos.browser.operations.exchange.datasets.shapes import FRACTIONS, around, named, numbers
from focal_photos.browser.operations.exchange.file_contents import ExportedPhoto, FoundBox, TaggedFile
from focal_photos.browser.operations.exchange.file_format import Media, PhotoWriter
from focal_photos.browser.operations.exchange.text_lines import text_lines
from focal_photos.browser.operations.jobs.errors import OperationError

_TABLE: Final = "data.yaml"
_PHOTOS, _LABELS = "images", "labels"
_MAX_TABLE_BYTES: Final = 1 << 20  # bytes of the table of classes


def read(folder: Path) -> Iterator[TaggedFile]:
    """Yield the photo of each text file in a folder ``labels``, with its boxes.

    Parameters
    ----------
    folder : pathlib.Path
        Folder with one table of classes, ``data.yaml`` or another name.

    Raises
    ------
    OperationError
        If there is no such table or text file, or one cannot be read.
    """
    tables = sorted(path for path in folder.glob("*.y*ml") if path.suffix in (".yaml", ".yml"))
    if not tables:
        raise OperationError("{0} has no {1}: name the folder that holds it.", folder, _TABLE)
    classes = _classes(tables[0])
    photos = {str(name.with_suffix("")): Path(name) for name in image_files(folder)}
    found = [name for name in files_below(folder, {".txt"}) if _LABELS in name.parts[:-1]]
    if not found:
        raise OperationError("{0} has no folder {1} with text files: name the folder that holds it.", folder, _LABELS)
    for number, name in enumerate(found, start=1):
        at = len(name.parts) - 1 - name.parts[::-1].index(_LABELS)
        key = str(PurePosixPath(*name.parts[:at], _PHOTOS, *name.parts[at + 1 :]).with_suffix(""))
        drawn = tuple(_boxes(folder / name, classes))
        labels = tuple(dict.fromkeys(box.label for box in drawn))
        file = photos.get(key, Path(name.stem))
        yield TaggedFile(number, (file,), (), boxes=labels, drawn=drawn, any_folder=True)


def _classes(table: Path) -> dict[int, str]:
    import yaml

    try:
        with opened(table) as stream:
            content = stream.read(_MAX_TABLE_BYTES + 1)
        if len(content) > _MAX_TABLE_BYTES:
            raise wrong(table, f"it has more than {_MAX_TABLE_BYTES:,} bytes")
        document = yaml.safe_load(content)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise wrong(table, "it is no YAML") from error
    names: Any = document.get("names") if isinstance(document, dict) else None
    if isinstance(names, list):
        names = dict(enumerate(names))
    if not isinstance(names, dict) or not all(type(number) is int for number in names):
        raise wrong(table, "it has no names of classes")
    return {number: str(name) for number, name in names.items()}


def _boxes(file: Path, classes: dict[int, str]) -> Iterator[FoundBox]:
    for number, line in enumerate(text_lines(file), start=1):
        words = line.split()
        if not words:
            continue
        if not words[0].isdecimal() or int(words[0]) not in classes:
            raise wrong(file, f"line {number} does not begin with the number of a class")
        label, places = classes[int(words[0])], numbers(words[1:], len(words) - 1)
        if len(places) in (4, 5):  # the fifth is a confidence
            x, y, width, height = places[:4]
            width, height = (side if side >= 0 else math.nan for side in (width, height))
            yield FoundBox(label, (x - width / 2, y - height / 2, x + width / 2, y + height / 2), FRACTIONS)
        elif len(places) >= 6 and len(places) % 2 == 0:
            outline = around(list(zip(places[::2], places[1::2], strict=True)))
            yield FoundBox(label, outline, FRACTIONS, is_outline=True)
        else:
            raise wrong(file, f"line {number} is no box and no outline")


class Writer(PhotoWriter):
    """Writes the photos and their boxes, and collects the classes for ``data.yaml``."""

    def __init__(self, folder: Path, media: Media) -> None:
        self._folder = folder
        self._media = media
        self._names = Names(with_suffix=False)
        self._classes: dict[str, int] = {}
        for part in (_PHOTOS, _LABELS):
            (folder / part).mkdir(parents=True)

    def add(self, photo: ExportedPhoto) -> str:
        """Write one photo; one without boxes has an empty text file, which trains the background."""
        if photo.file is None:
            return "Its file is missing."
        name = self._names.free(PurePosixPath(photo.record["file_name"]))
        problem = place(photo.file, self._folder / _PHOTOS / name, self._media)
        if not problem:
            lines = []
            for region, tag in named(photo.boxes):
                number = self._classes.setdefault(tag, len(self._classes))
                x, y = (region.x0 + region.x1) / 2, (region.y0 + region.y1) / 2
                lines.append(f"{number} {x:.8f} {y:.8f} {region.x1 - region.x0:.8f} {region.y1 - region.y0:.8f}\n")
            file = self._folder / _LABELS / name.with_suffix(".txt")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(lines), encoding="ascii")
        return problem

    def finish(self) -> None:
        """Write ``data.yaml``."""
        import yaml

        names = {number: tag for tag, number in self._classes.items()}
        document = {"path": ".", "train": _PHOTOS, "val": _PHOTOS, "nc": len(names), "names": names}
        text = yaml.safe_dump(document, sort_keys=False)  # other characters than ASCII are escaped
        (self._folder / _TABLE).write_text(text, encoding="ascii")
