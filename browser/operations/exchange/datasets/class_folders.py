"""A folder per class, as torchvision, Keras and scikit-learn read it: ``beach/1.jpg``, ``dog/7.jpg``.

A photo with several tags lies in the folder of each of them, one without tags in none; what is read is joined again by
the photos' contents. A tag is one folder, whatever its name: ``animal/dog`` is ``animal%2Fdog``, so that a reader who
looks at the first level alone finds the same classes as one who looks at the last. Folders within folders are read as
such tags too.
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
    """Yield each photo in a folder of a class with the name of that folder; those beside the folders have none.

    Raises
    ------
    OperationError
        The folder cannot be read, or holds no photo in a folder of a class.
    """
    number = 0
    for name in image_files(folder):
        classes = name.parts[:-1]
        if classes:
            number += 1
            yield TaggedFile(number, (Path(name),), ("/".join(map(plain_name, classes)),))
    if not number:
        raise OperationError(f"{folder} has no folders with photos: name the folder above those of the classes.")


class Writer(PhotoWriter):
    """Puts each photo into the folders of its tags."""

    def __init__(self, folder: Path, media: Media) -> None:
        self._folder = folder
        self._media = media
        self._names = Names()
        folder.mkdir()

    def add(self, photo: ExportedPhoto) -> str:
        """Write one photo."""
        if photo.file is None:
            return "Its file is not there."
        if not photo.record["tags"]:
            return "It has no tag, so no folder is its own."
        if any(not fits(safe_name(tag)) for tag in photo.record["tags"]):
            return "One of its tags is too long for the name of a folder."
        own = PurePosixPath(photo.record["file_name"]).name
        for tag in photo.record["tags"]:
            name = self._names.free(PurePosixPath(safe_name(tag), own))
            problem = place(photo.file, self._folder / name, self._media)
            if problem:
                return problem
        return ""
