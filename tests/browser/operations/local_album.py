# SPDX-License-Identifier: MIT
"""A small library of photos with patches, for the tests of local distances."""

from __future__ import annotations

from pathlib import Path

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.local.learner import LOCAL, SOURCES
from focal_photos.browser.operations.training.train import train
from tests.browser.operations.album import Album

KINDS = ("warm", "cold")
EACH = 6
UNTAGGED = ("warm/5.jpg", "cold/5.jpg")


def make(folder: Path, *, patches: bool = True, tags: bool = True) -> Path:
    """Index 6 photos of each of two kinds, tag 5 of each with their kind, and return the library's folder.

    The photos are in ``folder / "photos"``: ``warm/0.jpg`` ... and ``cold/0.jpg`` ... .
    """
    album = Album(folder / "photos")
    album.draw_kinds(KINDS, EACH)
    with Library.open(album.index(folder / "library", ("color_moments", *(SOURCES if patches else ())))) as library:
        if tags:
            for kind in KINDS:
                library.tags.change(library.photos.ids(f"path:{kind}")[: EACH - 1], [kind])
    return folder / "library"


def trained(folder: Path) -> Path:
    """Make such a library, train local distances in it and return its folder."""
    made = make(folder)
    with Library.open(made) as library:
        finish(train(library, LOCAL))
    return made


def number(library: Library, name: str) -> int:
    """Return the id of the photo whose path has a given end."""
    (found,) = (photo.id for photo in library.photos.get(library.photos.ids()) if str(photo.path).endswith(name))
    return found


def names(library: Library, ids: object) -> list[str]:
    """Return the folder names of photos, which are their kinds."""
    return [path.parent.name for path in library.photos.paths(ids)]  # type: ignore[arg-type]
