# SPDX-License-Identifier: MIT
"""Animal scenes: songbirds, owls, butterflies, cats, deer and fish."""

from __future__ import annotations

from focal_photos.resources.scenes.animals.birds import owl, songbird
from focal_photos.resources.scenes.animals.butterflies import butterfly
from focal_photos.resources.scenes.animals.cats import cat
from focal_photos.resources.scenes.animals.deer import deer
from focal_photos.resources.scenes.animals.fish import fish
from focal_photos.resources.scenes.canvas import Rng
from focal_photos.resources.scenes.picture import Picture


def animal(rng: Rng) -> Picture:
    """Paint one of the animals."""
    draw = (songbird, owl, butterfly, cat, deer, fish)[rng.choice(6, p=[0.2, 0.13, 0.15, 0.17, 0.18, 0.17])]
    return draw(rng)
