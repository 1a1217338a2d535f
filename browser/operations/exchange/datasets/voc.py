# SPDX-License-Identifier: MIT
"""Pascal VOC image sets: for each class, a list of all photos with 1 (positive), -1 (negative) or 0 (undecided).

According to M. Everingham, J. Winn, *The PASCAL Visual Object Classes Challenge 2012 Development Kit*, 8.1: the image
sets are in ``ImageSets/Main/<class>_<set>.txt``, the photos in ``JPEGImages/``, the boxes of objects in
``Annotations/`` (in pixels, the first of which is 1; both ends belong to the box); a photo with only difficult objects
of a class has 0. ``labelmap.txt`` lists the classes for readers that need it (CVAT, Datumaro).

Focal writes photos that carry a tag, which the user has therefore seen, to the set ``trainval``, with 1 for their tags,
0 for open suggestions, and -1 for all other classes.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final
from xml.sax.saxutils import escape

from focal_photos.browser.operations.exchange.datasets import shapes
from focal_photos.browser.operations.exchange.datasets.documents import wrong
from focal_photos.browser.operations.exchange.datasets.media import (
    Names,
    files_below,
    fits,
    image_files,
    place,
    plain_name,
    safe_name,
)
from focal_photos.browser.operations.exchange.datasets.xml_document import Elements, read_xml
from focal_photos.browser.operations.exchange.escapes import INVISIBLE
from focal_photos.browser.operations.exchange.file_contents import ExportedPhoto, FoundBox, TaggedFile
from focal_photos.browser.operations.exchange.file_format import Media, PhotoWriter
from focal_photos.browser.operations.exchange.text_lines import text_lines
from focal_photos.browser.operations.jobs.errors import OperationError

_SETS: Final = "ImageSets/Main"
_PHOTOS: Final = "JPEGImages"
_OBJECTS: Final = "Annotations"
_SET: Final = "trainval"
_BLANK: Final = re.compile(rf"[\s{INVISIBLE}]")
_VALUES: Final = ("1", "-1", "0")


def read(folder: Path) -> Iterator[TaggedFile]:
    """Yield the classes for which each photo has 1 in any of its sets; objects in ``Annotations/`` are boxes.

    Programs for drawing boxes write no class sets: photos with objects only follow the others.

    Parameters
    ----------
    folder : pathlib.Path
        Folder that contains ``ImageSets``, such as ``VOCdevkit/VOC2012``.

    Raises
    ------
    OperationError
        If there is neither a class set nor a file of objects, or one cannot be read.
    """
    tags: dict[str, list[str]] = {}
    sets = files_below(folder / _SETS, {".txt"}) if (folder / _SETS).is_dir() else ()
    tables = [name for name in sets if len(name.parts) == 1 and "_" in name.stem]
    with_objects = list(files_below(folder / _OBJECTS, {".xml"})) if (folder / _OBJECTS).is_dir() else []
    if not tables and not with_objects:
        raise OperationError(
            "{0} has neither lists {1}/<class>_<set>.txt nor objects {2}/<photo>.xml: "
            "name the folder that holds ImageSets.",
            folder,
            _SETS,
            _OBJECTS,
        )
    for table in tables:
        name = plain_name(table.stem.rsplit("_", 1)[0])
        for number, line in enumerate(text_lines(folder / _SETS / table), start=1):
            words = line.split()
            if not words:
                continue
            if len(words) != 2 or words[1] not in _VALUES:
                raise wrong(folder / _SETS / table, f"line {number} is not a photo's name and 1, 0 or -1")
            found = tags.setdefault(words[0], [])
            if words[1] == "1" and name not in found:
                found.append(name)
    for name_of_objects in with_objects:
        tags.setdefault(str(name_of_objects.with_suffix("")), [])
    photos = folder / _PHOTOS
    files = {str(name.with_suffix("")): Path(_PHOTOS, name) for name in image_files(photos)} if photos.is_dir() else {}
    for number, (name, classes) in enumerate(tags.items(), start=1):
        file = files.get(name, Path(f"{name}.jpg"))
        objects = _objects(folder, name)
        yield TaggedFile(
            number,
            (file,),
            tuple(classes),
            boxes=tuple(dict.fromkeys(box.label for box in objects)),
            drawn=tuple(box for box in objects if box.sides != _NO_BOX),
            any_folder=name not in files,
        )


def _objects(folder: Path, name: str) -> tuple[FoundBox, ...]:
    """Return a photo's objects, except difficult ones."""
    file = folder / _OBJECTS / f"{name}.xml"
    inside = not {"..", "/"} & set(PurePosixPath(name).parts)
    if not inside or not os.path.isfile(file):  # noqa: PTH113  Path.is_file raises where a name is too long for a file
        return ()
    elements = _Objects(file)
    found = list(read_xml(elements))
    size = shapes.size_of(elements.size.get("width"), elements.size.get("height"))
    return tuple(FoundBox(plain_name(name), sides, size) for name, sides in found)


class _Objects(Elements[tuple[str, tuple[float, float, float, float]]]):
    """Collects the names and sides of objects, except difficult ones."""

    _TEXTS: Final = ("name", "difficult")

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.size: dict[str, str] = {}
        """Texts of the width and height of the image."""
        self._begun: list[dict[str, str]] = []
        self._text: list[str] | None = None
        self._into: dict[str, str] = {}

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Start an object, or a text in it; only the first text of each kind counts."""
        inside = self.open[-1] if self.open else ""
        super().start(name, attributes)
        self._keep_text(inside)
        if name == "object":
            self._begun.append({})
            return
        if inside == "size" and not self._begun:
            self._into = self.size
        elif self._begun and (
            (inside == "object" and name in self._TEXTS) or (inside == "bndbox" and self.open[-3] == "object")
        ):
            self._into = self._begun[-1]
        else:
            return
        if name not in self._into:
            self._text = []

    def data(self, text: str) -> None:
        """Collect a piece of a text."""
        if self._text is not None:
            self._text.append(text)

    def end(self, name: str) -> None:
        """Finish an object or a text in it."""
        super().end(name)
        self._keep_text(name)
        if name == "object":
            said = self._begun.pop()
            if said.get("name") and said.get("difficult") != "1":
                self.found.append((said["name"], _sides(said)))

    def _keep_text(self, name: str) -> None:
        """Store the collected text of an object's element, up to the first nested element."""
        if self._text is not None:
            self._into[name] = "".join(self._text).strip()
            self._text = None


_NO_BOX: Final = (0.0, 0.0, 0.0, 0.0)  # of an object without a box


def _sides(said: Mapping[str, str]) -> tuple[float, float, float, float]:
    corners = [said.get(name) for name in ("xmin", "ymin", "xmax", "ymax")]
    if all(corner is None for corner in corners):
        return _NO_BOX
    left, top, right, bottom = shapes.sides_of(corners)
    return left - 1, top - 1, right, bottom


class Writer(PhotoWriter):
    """Writes the photos to ``JPEGImages/`` and collects their tags for the lists."""

    def __init__(self, folder: Path, media: Media) -> None:
        self._folder = folder
        self._media = media
        self._names = Names(with_suffix=False)
        self._photos: dict[str, tuple[frozenset[str], frozenset[str]]] = {}  # tags and open suggestions
        (folder / _PHOTOS).mkdir(parents=True)

    def add(self, photo: ExportedPhoto) -> str:
        """Write one photo."""
        if photo.file is None:
            return "Its file is missing."
        if not photo.record["tags"]:
            return "It has no tag, so its classes are unknown."
        if any(not fits(_list_of(tag)) for tag in photo.record["tags"]):
            return "One of its tags is too long for the name of a file."
        # One folder, without blanks, which end a name in the lists, and without control characters.
        plain = _BLANK.sub("_", "_".join(PurePosixPath(photo.record["file_name"]).parts).strip("/"))
        name = self._names.free(PurePosixPath(plain))
        problem = place(photo.file, self._folder / _PHOTOS / name, self._media)
        if not problem and photo.boxes and photo.record["width"] and photo.record["height"]:
            self._write_objects(photo, name)
        if not problem:
            suggested = frozenset(one.tag for one in photo.suggestions)
            self._photos[name.stem] = (frozenset(photo.record["tags"]), suggested)
        return problem

    def _write_objects(self, photo: ExportedPhoto, name: PurePosixPath) -> None:
        """Write the boxes of a photo."""
        record, objects = photo.record, []
        for region, tag in shapes.named(photo.boxes):
            x0, y0, x1, y1 = shapes.in_pixels(region, record)
            left, top = min(math.floor(x0 + 0.5), record["width"] - 1), min(math.floor(y0 + 0.5), record["height"] - 1)
            right, bottom = max(math.floor(x1 + 0.5), left + 1), max(math.floor(y1 + 0.5), top + 1)
            objects.append(
                f"<object><name>{escape(safe_name(tag))}</name><pose>Unspecified</pose><truncated>0</truncated>"
                f"<difficult>0</difficult><bndbox><xmin>{left + 1}</xmin><ymin>{top + 1}</ymin>"
                f"<xmax>{right}</xmax><ymax>{bottom}</ymax></bndbox></object>"
            )
        file = self._folder / _OBJECTS / name.with_suffix(".xml")
        file.parent.mkdir(parents=True, exist_ok=True)
        _write(
            file,
            [
                f"<annotation><folder>{_PHOTOS}</folder><filename>{escape(str(name))}</filename><size>"
                f"<width>{record['width']}</width><height>{record['height']}</height><depth>3</depth></size>"
                "<segmented>0</segmented>",
                *objects,
                "</annotation>",
            ],
        )

    def finish(self) -> None:
        """Write the lists."""
        sets = self._folder / _SETS
        sets.mkdir(parents=True)
        classes = sorted({tag for tags, _ in self._photos.values() for tag in tags})
        _write(sets / f"{_SET}.txt", self._photos)
        for tag in classes:
            _write(
                sets / _list_of(tag),
                (
                    f"{name} {' 1' if tag in tags else ' 0' if tag in suggested else '-1'}"
                    for name, (tags, suggested) in self._photos.items()
                ),
            )
        _write(
            self._folder / "labelmap.txt",
            ["# label:color_rgb:parts:actions", "background:0,0,0::", *(f"{safe_name(tag)}:::" for tag in classes)],
        )


def _list_of(tag: str) -> str:
    """Return the file name of the list of a class."""
    return f"{safe_name(tag)}_{_SET}.txt"


def _write(file: Path, lines: Iterable[str]) -> None:
    with file.open("w", encoding="utf-8", errors="surrogateescape", newline="\n") as stream:
        stream.writelines(f"{line}\n" for line in lines)
