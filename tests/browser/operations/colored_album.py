# SPDX-License-Identifier: MIT
"""Photos of one colour each, and a library whose image-and-text network knows the names of the colours."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from PIL import Image

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.networks import add_network
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from tests.features.network.made_networks import COLORS, write_color_network

EACH: Final = 3
"""Number of photos of each colour."""


def draw(folder: Path, colors: tuple[str, ...] = tuple(COLORS), each: int = EACH, seed: int = 0) -> None:
    """Write ``red/0.png`` ...: one main colour, and a share of a second colour that grows with the number."""
    rng = np.random.default_rng(seed)
    for color in colors:
        (folder / color).mkdir(parents=True, exist_ok=True)
        for number in range(each):
            pixels = np.empty((40, 60, 3))
            pixels[:] = COLORS[color]
            pixels[:, : 4 * number] = COLORS["white" if color != "white" else "black"]
            noisy = np.clip(pixels + rng.normal(0, 0.02, pixels.shape), 0, 1)
            Image.fromarray((noisy * 255).round().astype(np.uint8)).save(folder / color / f"{number}.png")


def color_entry(folder: Path, name: str = "colors") -> dict[str, object]:
    """Write the files of the network to a folder and return its entry."""
    images, texts, tokenizer = write_color_network(folder)
    return {"name": name, "file": str(images), "text": {"file": str(texts), "tokenizer": str(tokenizer)}}


def add_colors(library: Library, folder: Path, networks: Path) -> None:
    """Index photos of all colours, with the network among the descriptors."""
    draw(folder)
    add_network(library, color_entry(networks))
    finish(index(library, [folder], backend="threads", workers=1))
