# SPDX-License-Identifier: MIT
"""Helpers for beaches and boats: the colours of the sea, and headlands at the horizon."""

from __future__ import annotations

import numpy as np

from focal_photos.resources.scenes.canvas import (
    Image,
    Rng,
    below,
    mix,
    noise,
    pick,
    profile,
    smoothstep,
)
from focal_photos.resources.scenes.light import Light, haze

TROPICAL = ("0f8fa8", "1597a5", "0b7fa0")
"""Colours of warm water."""

NORTHERN = ("1d5a78", "24566b", "2b6470")
"""Colours of cold water."""


def headlands(rng: Rng, scene: Image, horizon: float, light: Light) -> Image:
    """Paint up to three headlands at the sea's horizon, clearer when nearer."""
    shape = scene.shape[:2]
    height, width = shape
    x = np.arange(width) / width
    for i in range(int(rng.integers(0, 4))):
        side = rng.choice([-1, 1])
        reach = rng.uniform(0.2, 0.75)
        envelope = smoothstep(x if side < 0 else 1 - x, reach, reach - 0.5)
        tall = height * rng.uniform(0.05, 0.17) * (0.5 + 0.3 * i)
        line = horizon - envelope * tall * (0.75 + 0.22 * profile(rng, width, width / 3)) + 1
        mask = below(shape, line) * (1 - below(shape, np.full(width, horizon)))
        land = pick(rng, "4c6b4a", "5d6b58", "6b6a5a", "50675f") * light.ambient
        texture = noise(rng, shape, 16, octaves=5)
        scene = mix(scene, np.clip(land * (1 + 0.18 * texture[..., None]), 0, 1), mask)
        scene = haze(scene, mask, light, rng.uniform(0.35, 0.7) - 0.1 * i)
    return scene
