# SPDX-License-Identifier: MIT
"""Helpers for pictures of animals: rounded bodies, eyes, and out-of-focus leaves."""

from __future__ import annotations

import numpy as np

from focal_photos.resources.scenes.canvas import (
    Color,
    Image,
    Mask,
    Rng,
    add_light,
    blur,
    color,
    disc,
    gradient,
    mix,
    noise,
    pick,
    smoothstep,
)
from focal_photos.resources.scenes.light import Light


def rounded(
    rng: Rng,
    shape: tuple[int, int],
    mask: Mask,
    paint: Color,
    *,
    fur: float = 0.06,
) -> Image:
    """Return a surface (h, w, 3) that looks round within its mask, lit from above and from the left."""
    soft = blur(mask, 0.035 * shape[0])
    dy, dx = np.gradient(soft)
    lit = np.clip(dy + 0.6 * dx, -0.06, 0.06) / 0.06
    tone = 0.92 + 0.15 * lit + 0.12 * (soft - 0.7) + fur * noise(rng, shape, 7.0, octaves=3, stretch=0.45)
    return np.asarray(np.clip(paint * tone[..., None], 0, 1), np.float32)


def leafy(rng: Rng, shape: tuple[int, int], light: Light) -> Image:
    """Return a background of far out-of-focus leaves and lights."""
    height, width = shape
    palette = (
        ("8fb56a", "c9cf86", "5f8f5a", "a9b98a", "d9b27a", "7f9f94")
        if light.name != "winter"
        else ("dfe8ee", "b9c9d4", "eef3f6", "9fb3bd")
    )
    scene = gradient(shape, [(0, pick(rng, *palette)), (1, pick(rng, *palette) * 0.6)]) * np.clip(
        light.ambient * 1.05, 0, 1
    )
    for cell in (0.6, 0.28):
        patch = blur(smoothstep(noise(rng, shape, cell * height, octaves=2), -0.2, 1.4), 0.03 * width)
        scene = mix(scene, pick(rng, *palette) * light.ambient, 0.6 * patch)
    for _ in range(int(rng.integers(10, 26))):
        ring = disc(shape, width * rng.random(), height * rng.random(), width * rng.uniform(0.015, 0.06))
        scene = add_light(scene, 0.6 * light.sun * light.ambient + 0.2, rng.uniform(0.05, 0.22) * blur(ring, 1.2))
    return scene


def eye(scene: Image, x: float, y: float, r: float, iris: Color) -> Image:
    """Paint a round eye with a glint."""
    shape = scene.shape[:2]
    scene = mix(scene, iris, disc(shape, x, y, r))
    scene = mix(scene, color("070606"), disc(shape, x, y, 0.62 * r))
    return add_light(scene, color("ffffff"), disc(shape, x - 0.35 * r, y - 0.35 * r, max(0.28 * r, 0.9)))
