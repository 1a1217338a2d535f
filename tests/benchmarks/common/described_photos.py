# SPDX-License-Identifier: MIT
"""Vectors of all descriptors for the photos of a set, computed once and cached."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
import scipy.sparse as sp
from numpy.typing import NDArray

from focal_photos.browser.operations.ranking.space import shows_foreground, unfitted_space
from focal_photos.browser.operations.workers.describe_photos import describe_photos
from focal_photos.browser.operations.workers.photo_tasks import PhotoTask
from focal_photos.features.base import CodeDescriptor, GlobalDescriptor
from focal_photos.features.decoding.decode import decode
from focal_photos.features.description import DescriptionPlan
from focal_photos.features.table import CODE_DESCRIPTORS, DESCRIPTORS
from focal_photos.learners.core.feature_space import FeatureFamily, FeatureSpace
from tests.benchmarks.common.photo_sets import Floats, Ints, PhotoSet, photo_set, read_split, read_tags, ready

CACHE = Path(os.environ.get("FOCAL_BENCH_CACHE", platformdirs.user_cache_path("focal-bench")))
"""Folder of the cached vectors."""

_VOCABULARY = 400


@dataclass(frozen=True)
class Described:
    """A set of photos and their vectors.

    Attributes
    ----------
    photos : PhotoSet
        Files and classes.
    vectors : dict of str to ndarray of float32, (n, d)
        Raw vectors by name of the descriptor: not scaled and not reduced.
    tags : csr_array, shape (n, m), or None
        Tags of Corel-5k.
    tag_names : list of str
        Names of the columns of `tags`.
    test : ndarray of bool, shape (n,), or None
        For Corel-5k: the published test photos of the annotation benchmark.
    codes : ndarray of uint8, shape (n, c), or None
        Codes of the requested code descriptors.
    """

    photos: PhotoSet
    vectors: dict[str, Floats]
    tags: sp.csr_array | None
    tag_names: list[str]
    test: np.ndarray[tuple[int], np.dtype[np.bool_]] | None
    codes: NDArray[np.uint8] | None = None

    @property
    def classes(self) -> Ints:
        """Class of each photo, 0, 1, ...; intp (n,)."""
        return self.photos.classes

    def families(self, names: Sequence[str] | None = None) -> tuple[FeatureFamily, ...]:
        """Return the families of the columns of `stacked`."""
        found, start = [], 0
        for name in names or self.vectors:
            stop = start + self.vectors[name].shape[1]
            found.append(FeatureFamily(name, start, stop, DESCRIPTORS[name].is_count))
            start = stop
        return tuple(found)

    def stacked(self, names: Sequence[str] | None = None) -> Floats:
        """Return the raw vectors of the families side by side, float32 (n, sum of d)."""
        return np.concatenate([self.vectors[name] for name in names or self.vectors], axis=1)

    def space(
        self, train: Ints, names: Sequence[str] | None = None, components: int | None = None, *, wide: bool = False
    ) -> tuple[FeatureSpace, Floats]:
        """Return a feature space fitted to the training rows alone, and all photos in this space.

        The space is that of a library or, if `wide`, that of its tags. With `components`, all families have this number
        of components and the same variance, without whitening.
        """
        X, chosen = self.stacked(names), list(names or self.vectors)
        descriptors = [DESCRIPTORS[name] for name in chosen]
        foreground = shows_foreground(descriptors, X[train])
        space = unfitted_space(descriptors, chosen, wide=wide, foreground=foreground)
        if components is not None:
            space = FeatureSpace(self.families(names), components=components)
        return space.fit(X[train]), space.transform(X)


def described(name: str, descriptors: Sequence[str], codes: Sequence[str] = ()) -> Described | None:
    """Describe a photo set, or load it from the cache; print a message and return None if the set is missing.

    Vocabularies are learned from 400 photos, drawn with a seed, as in a library that holds the whole set.
    """
    photos = photo_set(name)
    return None if photos is None else described_set(name, photos, descriptors, codes)


def described_set(name: str, photos: PhotoSet, descriptors: Sequence[str], codes: Sequence[str] = ()) -> Described:
    """Describe photos, or load them from the cache, which identifies them by `name` and number; see `described`."""
    CACHE.mkdir(parents=True, exist_ok=True)
    versions = {one: (DESCRIPTORS | CODE_DESCRIPTORS)[one].version for one in (*descriptors, *codes)}
    files = {one: CACHE / f"{name}-{len(photos.files)}-{one}-{version}.npy" for one, version in versions.items()}
    lacking = [one for one, file in files.items() if not file.exists()]
    if lacking:
        _describe(photos, {one: files[one] for one in lacking})
    vectors: dict[str, Floats] = {one: np.load(files[one]) for one in descriptors}
    coded = np.concatenate([np.load(files[one]) for one in codes], axis=1) if codes else None
    tags, tag_names, test = None, [], None
    if (photos.folder / "tags.csv").exists():
        relative = [file.relative_to(photos.folder).as_posix() for file in photos.files]
        by_file = read_tags(photos.folder)
        tag_names = sorted({tag for file in relative for tag in by_file.get(file, [])})
        column = {tag: j for j, tag in enumerate(tag_names)}
        i, j = np.array([(i, column[tag]) for i, file in enumerate(relative) for tag in by_file.get(file, [])]).T
        tags = sp.csr_array((np.ones(len(i)), (i, j)), shape=(len(relative), len(column)))
        split = read_split(photos.folder)
        test = np.array([split.get(file) == "test" for file in relative])
    return Described(photos, vectors, tags, tag_names, test, coded)


def _describe(photos: PhotoSet, files: dict[str, Path]) -> None:
    print(f"describing {len(photos.files)} photos of {photos.folder.name}: {', '.join(files)}", flush=True)
    n = len(photos.files)
    sample = np.sort(np.random.default_rng(0).choice(n, min(_VOCABULARY, n), replace=False))
    fitted = ready([decode(photos.files[i]) for i in sample], list(files))
    chosen = [one for name in files if isinstance(one := fitted[name], GlobalDescriptor | CodeDescriptor)]
    found: dict[str, NDArray[Any]] = {
        one.name: np.zeros((n, one.dimension), np.uint8 if isinstance(one, CodeDescriptor) else np.float32)
        for one in chosen
    }
    tasks = [PhotoTask(i, file, tuple(found)) for i, file in enumerate(photos.files)]
    for outcomes in describe_photos(tasks, DescriptionPlan(tuple(chosen), thumbnail_side=None)):
        for outcome in outcomes:
            if outcome.description is None:
                raise RuntimeError(f"{outcome.task.path}: {outcome.failure}")
            for name, vector in (outcome.description.vectors | outcome.description.codes).items():
                found[name][outcome.task.photo_id] = vector
    for name, vectors in found.items():
        np.save(files[name], vectors)
