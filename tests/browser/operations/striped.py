# SPDX-License-Identifier: MIT
"""Library with tags that the untrained distance can hardly distinguish."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.families import space_families
from tests.browser.operations.album import Album

KINDS = ("lying", "standing")


def draw(folder: Path, count: int) -> None:
    """Draw photos in any colour with faint lying or standing stripes: ``lying/00.png``, ``standing/01.png``, ..."""
    rng = np.random.default_rng(0)
    for number in range(count):
        stripes = 3 * np.sin(np.arange(48) * 0.9 + rng.random() * 6)
        grey = stripes[:, None] if number % 2 == 0 else stripes[None, :]
        pixels = rng.integers(40, 215, 3) + grey[..., None] + rng.normal(0, 2, (48, 48, 1))
        path = folder / KINDS[number % 2] / f"{number:02}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).save(path)


def make(folder: Path, photos: Path, count: int = 48) -> None:
    """Index drawn photos into a new library, and tag two thirds by the direction of their stripes."""
    draw(photos, count)
    with Library.open(Album(photos).index(folder)) as library:
        for kind in KINDS:
            ids = library.photos.ids(f"path:{kind}")
            library.tags.change(ids[: 2 * len(ids) // 3], [kind])


def judge_some(library: Library, focal: int) -> None:
    """Judge four photos of the same kind and four of the other kind against each of several focal images."""
    lying, standing = (library.photos.ids(f"path:{kind}").tolist() for kind in KINDS)
    for number in range(focal):
        own, other = (lying, standing) if number % 2 == 0 else (standing, lying)
        query = own[number]
        library.judgements.set(query, own[number + 1 : number + 5], Verdict.SIMILAR)
        library.judgements.set(query, other[number : number + 4], Verdict.DISSIMILAR)


def describe_by_lot(library: Library) -> None:
    """Give the photos random vectors that are exact in half precision.

    Otherwise the gains of random tags would depend on the last digits of descriptions, which differ between processors.
    """
    random = np.random.default_rng(5)
    ids = library.photos.ids()
    for family in space_families(library):
        rows = random.integers(1, 256, (len(ids), family.dimension)) / 64
        library.vectors.store(str(family.key), family.dimension).append(ids, rows)
    for file in (library.path / "derived").rglob("space-*"):  # of the previous vectors
        file.unlink()
