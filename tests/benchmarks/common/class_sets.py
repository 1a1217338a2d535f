"""Small libraries drawn from the photo sets: some classes each, no class in two of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tests.benchmarks.common.described_photos import Described, described
from tests.benchmarks.common.photo_sets import Ints

CLASS_SETS: Final = (("corel5k", "Corel-5k", 10, 100), ("caltech101", "Caltech-101", 20, 60))
"""Folder, name, classes of a set, and the most photos that are taken of a class."""


@dataclass(frozen=True)
class ClassSet:
    """Photos of some classes.

    Attributes
    ----------
    name : str
        E.g. "Corel-5k, 10 classes (1)".
    photos : Described
        Of these classes only; classes are 0, 1, ... as drawn.
    """

    name: str
    photos: Described


def class_sets(descriptors: Sequence[str], sets: int = 3, seed: int = 0) -> Iterator[ClassSet]:
    """Yield sets of classes: of Corel-5k by its CDs, of Caltech-101 by its folders; absent photo sets yield none.

    Parameters
    ----------
    descriptors : sequence of str
        Names; the photos are described once, vocabularies and mixtures are learned from the whole photo set.
    sets : int
        Of each photo set.
    seed : int
        Of the draw of the classes and of the photos.
    """
    for folder, name, classes, most in CLASS_SETS:
        photos = described(folder, descriptors)
        if photos is None:
            continue
        rng = np.random.default_rng(seed)
        drawn = rng.permutation(int(photos.classes.max()) + 1)[: sets * classes].reshape(sets, classes)
        for number, chosen in enumerate(drawn, start=1):
            rows = [rng.permutation(np.flatnonzero(photos.classes == one))[:most] for one in chosen.tolist()]
            yield ClassSet(f"{name}, {classes} classes ({number})", _part(photos, rows))


def _part(photos: Described, rows: Sequence[Ints]) -> Described:
    """Return some photos: those of a class after those of another."""
    taken = np.concatenate(rows)
    classes = np.repeat(np.arange(len(rows)), [len(some) for some in rows])
    names = [photos.photos.names[int(photos.classes[some[0]])] for some in rows]
    files = [photos.photos.files[row] for row in taken.tolist()]
    return Described(
        replace(photos.photos, files=files, classes=classes.astype(np.intp), names=names),
        {name: vectors[taken] for name, vectors in photos.vectors.items()},
        None if photos.tags is None else photos.tags[taken],
        photos.tag_names,
        None if photos.test is None else photos.test[taken],
        None if photos.codes is None else photos.codes[taken],
    )
