# SPDX-License-Identifier: MIT
"""Photos from several very different sets, described as one library with one vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from focal_photos.resources.demo_album import draw_demo_album
from tests.benchmarks.common.described_photos import CACHE, Described, described_set
from tests.benchmarks.common.photo_sets import Ints, PhotoSet, photo_set

EACH: Final = 40
"""Number of photos per class; smaller classes are left out."""

CLASSES: Final = 40
"""Maximum number of classes per set."""

DRAWN: Final = 200
"""Number of drawn photos, from the demo album."""

_SETS: Final = ("corel5k", "caltech101", "scene15")
_DEMO: Final = "demo"


def demo_album() -> Path:
    """Return the folder of the demo album with `DRAWN` photos, drawn if it is missing; a folder for each kind."""
    folder = CACHE / f"demo-album-{DRAWN}"
    if not (folder / "tags.csv").exists():
        folder.mkdir(parents=True, exist_ok=True)
        draw_demo_album(folder, count=DRAWN)
    return folder


def worlds(descriptors: Sequence[str], codes: Sequence[str] = ()) -> tuple[Described, dict[str, Ints]] | None:
    """Describe photos of Corel-5k, Caltech-101, the fifteen scenes and the demo album together.

    Parameters
    ----------
    descriptors, codes : sequence of str

    Returns
    -------
    photos : Described
        `EACH` photos of each class, and `DRAWN` drawn photos of class -1.
    rows : dict of str to ndarray of intp
        Rows of each world by its name.
    None
        If a set is missing.
    """
    files: list[Path] = []
    classes: list[Ints] = []
    names: list[str] = []
    rows: dict[str, Ints] = {}
    for name in _SETS:
        found = photo_set(name)
        if found is None:
            return None
        rng = np.random.default_rng(0)
        enough = np.flatnonzero(np.bincount(found.classes) >= EACH)
        kept = np.sort(rng.permutation(enough)[:CLASSES])
        chosen = [rng.permutation(np.flatnonzero(found.classes == one))[:EACH] for one in kept]
        taken = np.sort(np.concatenate(chosen))
        rows[name] = np.arange(len(files), len(files) + len(taken))
        files += [found.files[row] for row in taken]
        classes.append(found.classes[taken] + len(names))
        names += found.names
    drawn = sorted(demo_album().rglob("*.jpg"))
    rows[_DEMO] = np.arange(len(files), len(files) + len(drawn))
    files += drawn
    classes.append(np.full(len(drawn), -1, np.intp))
    photos = PhotoSet(CACHE / "worlds", files, np.concatenate(classes), names)
    return described_set("worlds", photos, descriptors, codes), rows
