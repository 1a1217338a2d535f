# SPDX-License-Identifier: MIT
"""Distractors: photos of other sets, then crops, mirrors and mixtures of them, described in blocks and cached."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from focal_photos.features.base import GlobalDescriptor
from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.image import WorkingImage
from focal_photos.features.table import DESCRIPTORS
from tests.benchmarks.common.described_photos import CACHE
from tests.benchmarks.common.photo_sets import Floats, PhotoSet, ready

BLOCK = 1000
"""Distractors that are described and saved together."""

_VERSION = 1  # to be raised when other distractors are made from the same photos
_VOCABULARY = 400
_SIDE = 192  # longest side in pixels, that of Corel-5k


def distractors(sources: Sequence[PhotoSet], bed: PhotoSet, names: Sequence[str], count: int) -> Floats:
    """Return the raw vectors of distractors, float32 (count, sum of d), the families of `names` side by side.

    The first are the photos of the sources themselves, in random order, the others `variant`s of them. All have a
    longest side of 192 pixels. Descriptors with vocabularies learn them from 400 photos of the bed, as
    `described_photos.described` does. Blocks that are not in the cache are described, in this process, and saved.

    Parameters
    ----------
    bed : PhotoSet
        The photos among which the distractors are mixed.
    count : int
        A multiple of `BLOCK`.
    """
    files = [file for source in sources for file in source.files]
    order = np.random.default_rng(_VERSION).permutation(len(files))
    files = [files[i] for i in order]
    key = repr((_VERSION, len(files), bed.folder.name, [(name, DESCRIPTORS[name].version) for name in names]))
    digest = hashlib.sha256(key.encode()).hexdigest()[:12]
    CACHE.mkdir(parents=True, exist_ok=True)
    blocks = [CACHE / f"distractors-{digest}-{first}.npy" for first in range(0, count, BLOCK)]
    lacking = [number for number, block in enumerate(blocks) if not block.exists()]
    fitted = _fitted(bed, names) if lacking else []
    for number in lacking:
        found = [_vector(fitted, picture(files, i)) for i in range(number * BLOCK, (number + 1) * BLOCK)]
        unfinished = blocks[number].with_suffix(".part.npy")
        np.save(unfinished, np.stack(found))
        unfinished.replace(blocks[number])
        print(f"described {(number + 1) * BLOCK} of {count} distractors", flush=True)
    return np.concatenate([np.load(block) for block in blocks])


def picture(files: Sequence[Path], number: int) -> WorkingImage:
    """Return a distractor: the photo of this number, or a variant of photos if there are fewer."""
    pixels = decode(files[number]).rgb if number < len(files) else variant(files, np.random.default_rng(number))
    height, width = pixels.shape[:2]
    scale = _SIDE / max(height, width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return WorkingImage.from_array(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False))


def variant(files: Sequence[Path], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return a crop of a photo, mirrored or not, or the weighted mean of two crops of different photos.

    A crop takes between .6 and .95 of each side. The weight of the first photo of a mixture is between .3 and .7.
    """
    first, second = rng.choice(len(files), 2, replace=False)
    one = _crop(files[first], rng)
    if rng.random() < 0.5:
        return one
    other = cv2.resize(_crop(files[second], rng), one.shape[1::-1], interpolation=cv2.INTER_AREA)
    weight = rng.uniform(0.3, 0.7)
    return np.asarray(np.round(weight * one + (1 - weight) * other.astype(np.float64)), dtype=np.uint8)


def _crop(file: Path, rng: np.random.Generator) -> NDArray[np.uint8]:
    pixels = decode(file).rgb
    sides = np.array(pixels.shape[:2])
    kept = np.maximum(1, np.round(sides * rng.uniform(0.6, 0.95, 2))).astype(int)
    top, left = (int(rng.integers(whole - part + 1)) for whole, part in zip(sides, kept, strict=True))
    cropped = pixels[top : top + kept[0], left : left + kept[1]]
    return np.ascontiguousarray(cropped[:, ::-1] if rng.random() < 0.5 else cropped)


def _fitted(bed: PhotoSet, names: Sequence[str]) -> list[GlobalDescriptor]:
    n = len(bed.files)
    sample = np.sort(np.random.default_rng(0).choice(n, min(_VOCABULARY, n), replace=False))
    found = ready([decode(bed.files[i]) for i in sample], names)
    return [one for name in names if isinstance(one := found[name], GlobalDescriptor)]


def _vector(descriptors: Sequence[GlobalDescriptor], photo: WorkingImage) -> Floats:
    return np.concatenate([one.extract(photo) for one in descriptors]).astype(np.float32, copy=False)
