# SPDX-License-Identifier: MIT
"""Small libraries of a few classes, drawn from the photo sets without sharing classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tests.benchmarks.common.described_photos import Described, described
from tests.benchmarks.common.photo_sets import Ints

CLASS_SETS: Final = (("corel5k", "Corel-5k", 10, 100), ("caltech101", "Caltech-101", 20, 60))
"""Folder and name of each photo set, number of classes per library, and maximum number of photos per class."""


@dataclass(frozen=True)
class ClassSet:
    """Photos of a few classes."""

    name: str
    """E.g. "Corel-5k, 10 classes (1)"."""
    photos: Described
    """Photos of these classes; classes are numbered 0, 1, ... in the order drawn."""


def class_sets(descriptors: Sequence[str], sets: int = 3, seed: int = 0) -> Iterator[ClassSet]:
    """Yield sets of Corel-5k classes (its CDs) and Caltech-101 classes (its folders); skip missing photo sets.

    Parameters
    ----------
    descriptors : sequence of str
        Names of descriptors. Vocabularies and mixtures are learned from the whole photo set.
    sets : int
        Number of sets per photo set.
    seed : int
        Seed of the draw of classes and photos.
    """
    for folder, name, classes, most in CLASS_SETS:
        photos = described(folder, descriptors)
        if photos is None:
            continue
        rng = np.random.default_rng(seed)
        drawn = rng.permutation(int(photos.classes.max()) + 1)[: sets * classes].reshape(sets, classes)
        for number, chosen in enumerate(drawn, start=1):
            rows = [rng.permutation(np.flatnonzero(photos.classes == one))[:most] for one in chosen.tolist()]
            yield ClassSet(f"{name}, {classes} classes ({number})", part(photos, rows))


def part(photos: Described, rows: Sequence[Ints]) -> Described:
    """Return the photos of the given rows, a list of rows for each class; classes are numbered in this order."""
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
