# SPDX-License-Identifier: MIT
"""Find folders whose new photos are unlike all tagged ones, where questions about new kinds pay off most."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.unlike import unlike

MIN_PHOTOS: Final = 10
"""Minimum number of unlike photos in a reported folder."""

SHARE: Final = 0.2
"""Minimum share of unlike photos in a reported folder."""

_REPORTED: Final = "review.unlike_told"


@dataclass(frozen=True)
class UnlikeFolder:
    """A folder with many new photos that are unlike all tagged ones."""

    folder: Path
    """The deepest folder that contains all new photos of one root."""
    unlike: int
    """Number of unlike photos."""
    photos: int
    """Number of new photos."""


def unlike_folders(library: Library, ranker: Ranker, photo_ids: NDArray[np.int64]) -> Job[list[UnlikeFolder]]:
    """Find folders whose new photos are unlike all tagged ones; each library reports a folder once.

    Parameters
    ----------
    library : Library
        Stores the reported folders, unless it is read-only.
    photo_ids : ndarray of int64, shape (n,)
        New photos.

    Returns
    -------
    list of UnlikeFolder
        By ascending number of unlike photos.

    Raises
    ------
    OperationError
        As for `Ranker.gallery`.
    """
    reported = [name for name in library.settings.get(_REPORTED, []) if isinstance(name, str)]
    found = []
    for folder, ids in _by_folder(library, photo_ids):
        if len(ids) >= MIN_PHOTOS and str(folder) not in reported:
            count = len((yield from unlike(library, ranker, ids.tolist())))
            if count >= max(MIN_PHOTOS, SHARE * len(ids)):
                found.append(UnlikeFolder(folder, count, len(ids)))
    if found and not library.read_only:
        library.settings.set(_REPORTED, [*reported, *(str(one.folder) for one in found)])
    return sorted(found, key=lambda one: one.unlike)


def _by_folder(library: Library, photo_ids: NDArray[np.int64]) -> Iterator[tuple[Path, NDArray[np.int64]]]:
    """Yield the photos of each root with the deepest folder that contains them all."""
    folders = [path.parent for path in library.photos.paths(photo_ids.tolist())]
    left = np.ones(len(folders), dtype=bool)
    # In nested roots, a photo belongs to the deepest one.
    for root in sorted(library.roots.all(), key=lambda one: -len(one.path.parts)):
        inside = left & np.array([folder.is_relative_to(root.path) for folder in folders], dtype=bool)
        if inside.any():
            here = [str(folders[row]) for row in np.flatnonzero(inside)]
            yield Path(os.path.commonpath(here)), photo_ids[inside]
            left &= ~inside
