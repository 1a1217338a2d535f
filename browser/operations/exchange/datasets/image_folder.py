# SPDX-License-Identifier: MIT
"""Hugging Face's ``imagefolder``: photos in a folder, with ``metadata.jsonl`` or ``metadata.csv``.

According to https://huggingface.co/docs/datasets/image_dataset, *ImageFolder*: ``file_name`` is relative to the folder
of the table; all other columns are data.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from focal_photos.browser.operations.exchange import csv_format, json_lines_format
from focal_photos.browser.operations.exchange.datasets.media import Names, files_below, place
from focal_photos.browser.operations.exchange.escapes import dumped
from focal_photos.browser.operations.exchange.file_contents import ExportedPhoto, TaggedFile
from focal_photos.browser.operations.exchange.file_format import Media, PhotoWriter
from focal_photos.browser.operations.jobs.errors import OperationError

_TABLES: Final = {"metadata.jsonl": json_lines_format.read_tags, "metadata.csv": csv_format.read_tags}
_FIELDS: Final = ("tags", "width", "height", "taken", "hash", "rejected", "rating", "label")


def read(folder: Path) -> Iterator[TaggedFile]:
    """Yield the entries of the tables in a folder and below it (``train/metadata.csv``).

    Raises
    ------
    OperationError
        If there is no table, or one cannot be read.
    """
    tables = [name for name in files_below(folder, {".jsonl", ".csv"}) if name.name in _TABLES]
    if not tables:
        raise OperationError("{0} has neither metadata.jsonl nor metadata.csv: name the folder that holds one.", folder)
    for table in tables:
        for line in _TABLES[table.name](folder / table):
            # Copies of photos are identified by content; the table's own folder takes precedence over paths elsewhere.
            yield dataclasses.replace(line, files=tuple(Path(table.parent) / file for file in line.files))


class Writer(PhotoWriter):
    """Writes the photos to the folder, and a line for each to ``metadata.jsonl``."""

    def __init__(self, folder: Path, media: Media) -> None:
        self._folder = folder
        self._media = media
        self._names = Names()
        folder.mkdir()
        self._table = (folder / "metadata.jsonl").open("w", encoding="ascii", newline="\n")

    def add(self, photo: ExportedPhoto) -> str:
        """Write one photo."""
        if photo.file is None:
            return "Its file is missing."
        name = self._names.free(PurePosixPath(photo.record["file_name"]))
        problem = place(photo.file, self._folder / name, self._media)
        if not problem:
            line = {"file_name": str(name), **{field: photo.record[field] for field in _FIELDS}}
            self._table.write(dumped(line) + "\n")
        return problem

    def close(self) -> None:
        """Close the table."""
        self._table.close()
