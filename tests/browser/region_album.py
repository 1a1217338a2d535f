# SPDX-License-Identifier: MIT
"""Photos with a drawn object somewhere on a soft background, for searches by a region."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.describing.settings import FOLD
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.queries import by_region

SIZE: Final = (288, 192)
KINDS: Final = ("rings", "bars")
MORE_KINDS: Final = (*KINDS, "squares")
EACH: Final = 4
_OBJECT: Final = (72, 64)
_CORNERS: Final = ((20, 30), (180, 20), (170, 100), (30, 105))


def draw(kind: str, number: int) -> Image.Image:
    """Draw rings, bars or squares on a white card, at one of four places."""
    rng = np.random.default_rng([number, len(kind)])
    low = rng.integers(60, 200, (4, 6, 3)).astype(np.uint8)
    image = Image.fromarray(low).resize(SIZE, Image.Resampling.BICUBIC)
    pen = ImageDraw.Draw(image)
    (left, top), (width, height) = _CORNERS[number % len(_CORNERS)], _OBJECT
    pen.rectangle((left, top, left + width, top + height), fill=(235, 235, 225))
    if kind == "rings":
        for radius in range(30, 2, -7):
            x, y = left + width // 2, top + height // 2
            pen.ellipse((x - radius, y - radius, x + radius, y + radius), outline=(170, 20, 20), width=3)
    elif kind == "squares":
        for x in range(left + 4, left + width - 10, 16):
            for y in range(top + 4, top + height - 10, 16):
                pen.rectangle((x, y, x + 8, y + 8), fill=(20, 30, 150))
    else:
        for x in range(-height, width, 11):
            ends = (left + max(x, 0), top + max(-x, 0), left + min(x + height, width), top + min(height, width - x))
            pen.line(ends, fill=(10, 110, 30), width=4)
    return image


def place(number: int) -> Region:
    """Return the place of the object in the photos of this number."""
    (left, top), (width, height) = _CORNERS[number % len(_CORNERS)], _OBJECT
    return Region(left / SIZE[0], top / SIZE[1], (left + width) / SIZE[0], (top + height) / SIZE[1])


def make(folder: Path, *, prepared: bool, each: int = EACH, kinds: Sequence[str] = KINDS) -> None:
    """Index some photos of each kind, with or without preparing searches by a region."""
    (folder / "photos").mkdir()
    for kind in kinds:
        for number in range(each):
            draw(kind, number).save(folder / "photos" / f"{kind}_{number}.png")
    with Library.open(folder / "library") as library:
        set_enabled(library, ["color_moments"])
        FOLD.set(library, False)
        if prepared:
            by_region.prepare_regions(library)
        finish(index(library, [folder / "photos"], backend="threads", workers=1))
