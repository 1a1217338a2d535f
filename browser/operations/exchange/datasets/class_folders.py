# SPDX-License-Identifier: MIT
"""One folder per class, as read by torchvision, Keras and scikit-learn: ``beach/1.jpg``, ``dog/7.jpg``.

A photo with several tags is in the folder of each, a photo without tags in none; when reading, copies are joined by
content. Each tag is a single folder: ``animal/dog`` is ``animal%2Fdog``, so that readers of the first or of the last
level find the same classes. Nested folders are also read as hierarchical tags.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from focal_photos.browser.operations.exchange.datasets.media import (
    Names,
    fits,
    image_files,
    place,
    plain_name,
    safe_name,
)
from focal_photos.browser.operations.exchange.file_contents import ExportedPhoto, TaggedFile
from focal_photos.browser.operations.exchange.file_format import Media, PhotoWriter
from focal_photos.browser.operations.jobs.errors import OperationError


def read(folder: Path) -> Iterator[TaggedFile]:
    """Yield each photo in a class folder with the name of that folder; photos outside are ignored.

    Raises
    ------
    OperationError
        If the folder cannot be read, or no class folder contains a photo.
    """
    number = 0
    for name in image_files(folder):
        classes = name.parts[:-1]
        if classes:
            number += 1
            yield TaggedFile(number, (Path(name),), ("/".join(map(plain_name, classes)),))
    if not number:
        raise OperationError("{0} has no folders with photos: name the folder above those of the classes.", folder)


class Writer(PhotoWriter):
    """Writes each photo to the folders of its tags."""

    def __init__(self, folder: Path, media: Media) -> None:
        self._folder = folder
        self._media = media
        self._names = Names()
        folder.mkdir()

    def add(self, photo: ExportedPhoto) -> str:
        """Write one photo."""
        if photo.file is None:
            return "Its file is missing."
        if not photo.record["tags"]:
            return "It has no tag, so it has no folder."
        if any(not fits(safe_name(tag)) for tag in photo.record["tags"]):
            return "One of its tags is too long for the name of a folder."
        own = PurePosixPath(photo.record["file_name"]).name
        for tag in photo.record["tags"]:
            name = self._names.free(PurePosixPath(safe_name(tag), own))
            problem = place(photo.file, self._folder / name, self._media)
            if problem:
                return problem
        return ""
