# SPDX-License-Identifier: MIT
"""Draws photos for tests."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index

FAMILIES = ("color_moments", "color_coherence", "gabor")
"""Descriptors of the photos in these tests, fixed so that the tests are independent of the table."""

_KINDS = {"warm": (210, 90, 40), "cold": (40, 90, 210), "green": (60, 170, 60)}


class Album:
    """Folder of drawn photos. The same name, kind and seed give the same bytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, name: str) -> Path:
        return self.folder / name

    def draw(self, name: str, *, kind: str = "warm", seed: int | None = None, size: tuple[int, int] = (96, 64)) -> Path:
        """Draw one photo: soft blobs around the colour of the kind, and stripes in its direction."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels(kind, zlib.crc32(name.encode()) if seed is None else seed, size)).save(path)
        return path

    def draw_kinds(self, kinds: Sequence[str] = ("warm", "cold"), each: int = 6) -> None:
        """Draw some photos of each kind: ``warm/0.jpg`` ... and ``cold/0.jpg`` ... ."""
        for kind in kinds:
            for number in range(each):
                self.draw(f"{kind}/{number}.jpg", kind=kind, seed=number)

    def index(self, library: Path, names: Sequence[str] = FAMILIES) -> Path:
        """Index the photos into a new library, in this process and by these descriptors, and return its folder."""
        with Library.open(library) as opened:
            set_enabled(opened, names)
            finish(index(opened, [self.folder], backend="threads", workers=1))
        return library

    def draw_many(self, count: int, *, kind: str = "warm") -> list[Path]:
        return [self.draw(f"{kind}-{number:03}.jpg", kind=kind, seed=number) for number in range(count)]


def pixels(kind: str, seed: int, size: tuple[int, int] = (96, 64)) -> NDArray[np.uint8]:
    """Return the pixels (h, w, 3) of a drawn photo."""
    rng = np.random.default_rng([seed, zlib.crc32(kind.encode())])
    width, height = size
    y, x = np.mgrid[0:height, 0:width]
    angle = 0.3 if kind == "warm" else 1.7
    stripes = np.sin((x * np.cos(angle) + y * np.sin(angle)) / (2.5 + rng.random()) + rng.random() * 6)
    blob = np.exp(-(((x - rng.integers(width)) ** 2 + (y - rng.integers(height)) ** 2) / (width * 4.0)))
    shade = 0.7 + 0.2 * stripes + 0.3 * blob
    color = np.array(_KINDS[kind]) + rng.integers(-15, 16, 3)
    noise = rng.normal(0, 4, (height, width, 1))
    drawn: NDArray[np.uint8] = np.clip(shade[..., None] * color + noise, 0, 255).astype(np.uint8)
    return drawn
