# SPDX-License-Identifier: MIT
"""A library of two unlike worlds: soft photos of three kinds, and sharp coloured squares."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image

from tests.browser.operations.album import Album
from tests.browser.operations.three_kinds import EACH, KINDS

FOREIGN: Final = 42
"""Number of photos of the other world."""


def draw_two_worlds(folder: Path, library: Path) -> None:
    """Draw `EACH` photos of each of `KINDS` and `FOREIGN` others, and index them."""
    album = Album(folder)
    album.draw_kinds(KINDS, EACH)
    for number in range(FOREIGN):
        draw_squares(folder / f"foreign/{number}.png", number)
    Album(folder).index(library)


def draw_squares(path: Path, seed: int) -> None:
    """Draw squares of random strong colours."""
    rng = np.random.default_rng(seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    side = int(rng.choice([4, 8, 16]))
    small = (rng.random((64 // side, 96 // side, 3)) > 0.5) * 255
    Image.fromarray(small.astype(np.uint8).repeat(side, axis=0).repeat(side, axis=1)).save(path)
