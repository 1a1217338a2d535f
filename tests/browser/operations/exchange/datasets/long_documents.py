# SPDX-License-Identifier: MIT
"""Write documents of any length for each data set that is read as a stream, and measure the memory for reading them.

The program reads a short document and then a long one. It prints the growth of its peak memory in bytes and the number
of photos found.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from focal_photos.browser.operations.exchange.formats import FORMATS

Pieces = Iterator[str]
"""Yield the pieces of a document in order."""


def _repeated(before: str, piece: Callable[[int], str], between: str, after: str) -> Callable[[int], Pieces]:
    def pieces(size: int) -> Pieces:
        yield before
        written = number = 0
        while written < size:
            text = (between if number else "") + piece(number)
            written, number = written + len(text), number + 1
            yield text
        yield after

    return pieces


def _annotation(number: int) -> str:
    outline = ", ".join(f"{number % 640}.{corner}5" for corner in range(12))
    return (
        f'{{"id": {number}, "image_id": {number // 7 % 1000}, "category_id": {number % 3}, "bbox": [1.5, 2, 3, 4], '
        f'"segmentation": [[{outline}]]}}'
    )


def _task(number: int) -> str:
    result = '{"value": {"choices": ["sea"]}, "from_name": "tags", "to_name": "image", "type": "choices"}'
    return f'{{"id": {number}, "data": {{"image": "a/{number}.jpg"}}, "annotations": [{{"result": [{result}]}}]}}'


_IMAGES: Final = ", ".join(f'{{"id": {number}, "file_name": "{number}.jpg"}}' for number in range(1000))
_CATEGORIES: Final = ", ".join(f'{{"id": {number}, "name": "kind {number}"}}' for number in range(3))

DOCUMENTS: Final[dict[str, tuple[str, Callable[[int], Pieces]]]] = {
    "cvat, images": (
        "cvat",
        _repeated(
            "<annotations>",
            lambda number: f'<image id="{number}" name="a/{number}.jpg"><tag label="sea"/><box label="dog"/></image>\n',
            "",
            "</annotations>",
        ),
    ),
    "cvat, one image": (
        "cvat",
        _repeated(
            '<annotations><image name="a.jpg">', lambda _: '<tag label="sea"/>\n', "", "</image></annotations>"
        ),
    ),
    "cvat, another element": (
        "cvat",
        _repeated(
            "<annotations><meta>", lambda _: "<label><name>x</name></label>", "",
            '</meta><image name="a.jpg"/></annotations>',
        ),
    ),
    "voc, objects": (
        "voc",
        _repeated(
            "<annotation>", lambda _: "<object><name>dog</name><difficult>0</difficult></object>\n", "", "</annotation>"
        ),
    ),
    "voc, other elements": (
        "voc",
        _repeated("<annotation><object><name>dog</name>", lambda _: "<part/>", "", "</object></annotation>"),
    ),
    "coco": (
        "coco",
        _repeated(
            f'{{"images": [{_IMAGES}], "annotations": [', _annotation, ", ", f'], "categories": [{_CATEGORIES}]}}'
        ),
    ),
    "coco, images last": (
        "coco",
        _repeated(
            f'{{"annotations": [{_annotation(0)}], "info": [', lambda _: '{"a": 1}', ",",
            f'], "categories": [{_CATEGORIES}], "images": [{_IMAGES}]}}',
        ),
    ),
    "labelstudio, tasks": ("labelstudio", _repeated("[", _task, ",\n", "]")),
    "labelstudio, one task": (
        "labelstudio",
        _repeated(
            '[{"data": {"image": "a.jpg"}, "annotations": [{"result": [{"value": {"format": "rle", "rle": [',
            lambda number: str(number % 256), ", ",
            ']}, "brushlabels": ["dog"], "type": "brushlabels"}]}]}]',
        ),
    ),
    "fiftyone": (
        "fiftyone",
        _repeated('{"labels": {', lambda number: f'"photo {number}": [0, 1]', ", ", '}, "classes": ["sea", "dog"]}'),
    ),
}  # fmt: skip
"""Formats by name, each with a function that yields a document of about a given number of characters."""


def write_document(folder: Path, name: str, size: int) -> Path:
    """Write a document and return the path to import: a file, or the folder of a data set."""
    form, pieces = DOCUMENTS[name]
    file = folder / {"voc": "Annotations/a.xml", "fiftyone": "labels.json"}.get(form, "document")
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8") as stream:
        stream.writelines(pieces(size))
    return folder if FORMATS[form].is_folder else file


def peak() -> int:
    """Return the peak memory of this process in bytes."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found is not None
    return 1024 * int(found[1])


def main() -> None:
    folder, name, size = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    reader = FORMATS[DOCUMENTS[name][0]].tags
    assert reader is not None
    short, long = (write_document(folder / str(length), name, length) for length in (1, size))
    for _ in reader.read(short):
        pass
    before = peak()
    count = sum(1 for _ in reader.read(long))
    print(peak() - before, count)


if __name__ == "__main__":
    main()
