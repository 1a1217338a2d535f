# SPDX-License-Identifier: MIT
"""Read photos with known tags, which are mixed into the questions of an audit."""

from __future__ import annotations

from pathlib import Path

from focal_photos.browser.catalog.facts.tags import TagNameError, ancestors, normalise
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange import json_lines_format
from focal_photos.browser.operations.exchange.datasets import class_folders
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.photos.find import PhotoFinder


def read_planted(library: Library, path: Path) -> dict[int, set[str]]:
    """Return the known tags of photos by photo id, with the tags above them.

    Parameters
    ----------
    path : pathlib.Path
        A folder with one folder of photos for each tag, or JSON Lines with `path` and `tags`. The photos may be copies
        of those in the library.

    Raises
    ------
    OperationError
        If it cannot be read, a photo is not in the library, or a tag is invalid.
    """
    is_folder = path.is_dir()
    folder = path if is_folder else path.parent
    aliases = {one.name: one.tag for one in library.vocabulary.aliases()}
    finder = PhotoFinder(library)
    found: dict[int, set[str]] = {}
    with finder.at_once():
        for line in class_folders.read(path) if is_folder else json_lines_format.read_tags(path):
            photo_id = finder.find(line.content_hash, [str(folder / file) for file in line.files])
            if photo_id is None:
                raise OperationError("{0} is not in the library: index its folder first.", folder / line.files[0])
            try:
                names = [aliases.get(name, name) for name in map(normalise, line.tags)]
            except TagNameError as error:
                raise OperationError("{0}, line {1}: {2}", path, line.line, error) from error
            found.setdefault(photo_id, set()).update(*([name, *ancestors(name)] for name in names))
    if not found:
        raise OperationError("{0} names no photos.", path)
    return found
