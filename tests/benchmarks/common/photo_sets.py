# SPDX-License-Identifier: MIT
"""Photo sets of the quality benchmarks, and descriptor distances as defined by their sources."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from focal_photos.features.base import Descriptor, Distance, Fitted, LocalFeatures
from focal_photos.features.decoding.formats import IMAGE_SUFFIXES
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.fitted.fisher_vectors import FisherVector
from focal_photos.features.table import CODE_DESCRIPTORS, DESCRIPTORS, LOCAL_DESCRIPTORS

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]

BESIDE = Path(__file__).resolve().parents[4] / "shared" / "data"
"""Folder of the sets unless the environment variable FOCAL_DATA names another."""

_NOT_A_CLASS = "BACKGROUND_Google"


@dataclass(frozen=True)
class PhotoSet:
    """Photos in folders, one folder per class."""

    folder: Path
    files: list[Path]
    """Sorted; only files of a class."""
    classes: Ints
    """Class of each file, 0, 1, ..; shape (n,)."""
    names: list[str]
    """Names of the classes."""


def data_folder() -> Path:
    """Return the folder that holds the photo sets."""
    return Path(os.environ.get("FOCAL_DATA", BESIDE))


def photo_set(name: str) -> PhotoSet | None:
    """Return the set in the folder `name`; print a message and return None if it is missing."""
    folder = data_folder() / name
    if not folder.is_dir():
        print(f"{name}: skipped, there is no folder {folder} (set FOCAL_DATA).")
        return None
    files = sorted(
        file for file in folder.rglob("*") if file.suffix.lower() in IMAGE_SUFFIXES and file.parent.name != _NOT_A_CLASS
    )
    names, classes = np.unique([file.parent.name for file in files], return_inverse=True)
    return PhotoSet(folder, files, classes.astype(np.intp), [str(label) for label in names])


def read_tags(folder: Path) -> dict[str, list[str]]:
    """Return the tags of a set by relative path of the photo."""
    with (folder / "tags.csv").open(encoding="utf-8") as stream:
        return {row["file"]: [tag for tag in row["tags"].split(";") if tag] for row in csv.DictReader(stream)}


def read_split(folder: Path) -> dict[str, str]:
    """Return "train" or "test" by relative path of the photo: the published split of Corel-5k."""
    with (folder / "split.csv").open(encoding="utf-8") as stream:
        return {row["file"]: row["split"] for row in csv.DictReader(stream)}


def splits(classes: Ints, train: int, test: int, seeds: int) -> Iterator[tuple[Ints, Ints]]:
    """Yield random splits with `train` photos of each class for training and up to `test` others for testing.

    Yields
    ------
    train, test : ndarray of intp
        Row numbers.
    """
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        taken: tuple[list[Ints], list[Ints]] = ([], [])
        for label in range(int(classes.max()) + 1):
            rows = rng.permutation(np.flatnonzero(classes == label))
            taken[0].append(rows[:train])
            taken[1].append(rows[train : train + test])
        yield np.concatenate(taken[0]), np.concatenate(taken[1])


def distances(A: Floats, B: Floats, kind: Distance) -> Floats:
    """Return the distances between all rows of A (n, d) and B (m, d), as the descriptor's source defines them."""
    if kind == "l1":
        return np.concatenate([cdist(part, B, "cityblock") for part in _parts(A)]).astype(np.float32)
    if kind == "chi2":
        return np.concatenate([_chi2(part, B) for part in _parts(A, 16)])
    if kind == "cosine":
        A, B = (M / np.maximum(np.linalg.norm(M, axis=1, keepdims=True), 1e-12) for M in (A, B))
    squares = np.square(A).sum(1)[:, None] + np.square(B).sum(1) - 2 * (A @ B.T)
    result: Floats = np.sqrt(np.maximum(squares, 0)).astype(np.float32)
    return result


def _chi2(A: Floats, B: Floats) -> Floats:
    sums = A[:, None] + B
    result: Floats = (np.square(A[:, None] - B) / np.where(sums > 0, sums, 1)).sum(-1).astype(np.float32)
    return result


def _parts(A: Floats, rows: int = 256) -> Iterator[Floats]:
    for start in range(0, len(A), rows):
        yield A[start : start + rows]


def ready(photos: Sequence[WorkingImage], names: Sequence[str] | None = None) -> dict[str, Descriptor]:
    """Return global, local and code descriptors by name, fitted to the photos where necessary.

    Parameters
    ----------
    photos : sequence of WorkingImage
    names : sequence of str, optional
        Names of descriptors; all if omitted.
    """
    collected: dict[Descriptor, list[Floats]] = {}
    complete: dict[Descriptor, Descriptor] = {}

    def completed(descriptor: Descriptor) -> Descriptor:
        """Return a descriptor with all its parts fitted."""
        if descriptor not in complete:
            whole = descriptor
            parts = {one.name: getattr(whole, one.name) for one in fields(whole)}
            changes = {name: completed(part) for name, part in parts.items() if isinstance(part, FisherVector)}
            whole = replace(whole, **changes)
            if isinstance(whole, Fitted):
                source = whole.learned_from
                if source not in collected:
                    found = [source.extract(photo) for photo in photos]
                    collected[source] = [f.vectors if isinstance(f, LocalFeatures) else f[None] for f in found]
                whole = whole.fit(collected[source])
            assert isinstance(whole, Descriptor)
            complete[descriptor] = whole
        return complete[descriptor]

    every: dict[str, Descriptor] = {**DESCRIPTORS, **LOCAL_DESCRIPTORS, **CODE_DESCRIPTORS}
    return {name: completed(one) for name, one in every.items() if names is None or name in names}
