# SPDX-License-Identifier: MIT
"""Butterflies on a flower head, seen from above."""

from __future__ import annotations

import numpy as np

from focal_photos.resources.scenes.animals.wildlife import leafy
from focal_photos.resources.scenes.canvas import (
    Rng,
    blur,
    color,
    coordinates,
    curve,
    disc,
    finish,
    mix,
    noise,
    pick,
    polygon,
    rotated,
    strokes,
)
from focal_photos.resources.scenes.light import choose_light
from focal_photos.resources.scenes.picture import Picture


def butterfly(rng: Rng) -> Picture:
    """Draw a butterfly with spread wings on a flower."""
    shape = [(360, 480), (400, 400), (480, 360)][rng.choice(3)]
    height, width = shape
    light = choose_light(rng, noon=0.65, golden=0.35)
    scene = leafy(rng, shape, light)
    tone = np.clip(0.3 + 0.7 * light.ambient, 0, 1)
    cx, cy = width * rng.uniform(0.42, 0.58), height * rng.uniform(0.42, 0.52)
    size = 0.36 * min(height, width) * rng.uniform(0.9, 1.15)
    green = pick(rng, "5f8f3f", "6f9a4a") * tone
    scene = mix(
        scene,
        green,
        strokes(
            shape, [curve((cx, cy + 0.2 * size), (cx + 0.1 * size, height * 0.8), (cx - 0.1 * size, height + 10))], 5.0
        ),
    )
    for _ in range(46):  # a flower head under it
        angle, far = rng.uniform(0, 2 * np.pi), 0.42 * size * np.sqrt(rng.random())
        blossom = disc(
            shape, cx + 1.5 * far * np.cos(angle), cy + 0.34 * size + 0.6 * far * np.sin(angle), 0.055 * size
        )
        scene = mix(scene, pick(rng, "c88fd9", "e8a0c0", "b07acb", "f0c4dc") * tone, blossom)
    main = pick(rng, "f08a24", "3f7fd0", "f2c52e", "d8473a", "7fc4c9", "f3efe2") * tone
    dark = pick(rng, "2a1c16", "1d2230") * tone
    tilt, fold = rng.uniform(-0.5, 0.5), rng.uniform(0.75, 1.0)
    wings = {
        "upper": np.concatenate(
            [
                curve((0.04, -0.05), (0.35, -1.0), (1.15, -0.95), (1.08, -0.42), points=26),
                curve((1.08, -0.42), (0.95, 0.02), (0.04, 0.05), points=20),
            ]
        ),
        "lower": np.concatenate(
            [
                curve((0.04, 0.02), (0.75, -0.08), (0.98, 0.28), (0.62, 0.72), points=26),
                curve((0.62, 0.72), (0.30, 0.80), (0.03, 0.16), points=20),
            ]
        ),
    }
    for sign in (-1, 1):
        for name in ("lower", "upper"):
            outline = rotated(wings[name] * (sign * fold, 1) * size, tilt) + np.array((cx, cy))
            wing = polygon(shape, outline)
            scene = mix(scene, scene * np.float32(0.6), 0.35 * blur(wing, 0.05 * size) * (1 - wing))
            scene = mix(scene, dark, wing)
            middle = outline.mean(axis=0)
            inner = polygon(shape, middle + (outline - middle) * 0.80 - (middle - (cx, cy)) * 0.06)
            y, x = coordinates(shape)
            out = np.hypot(x - cx, y - cy) / size
            shades = np.clip(main * (1.18 - 0.34 * out + 0.05 * noise(rng, shape, 4, octaves=2))[..., None], 0, 1)
            scene = mix(scene, shades.astype(np.float32), inner)
            ends = outline[4:40:5]
            veins = [np.stack([(cx, cy), e]) for e in ends]
            scene = mix(scene, dark, 0.65 * strokes(shape, veins, 1.0) * wing)
            for e in outline[8:44:4]:
                spot = (cx, cy) + (e - (cx, cy)) * 0.925
                scene = mix(
                    scene, color("faf6ea") * tone, disc(shape, float(spot[0]), float(spot[1]), 0.022 * size) * wing
                )
    body = rotated(
        np.stack([0.05 * np.sin(np.linspace(0, 2 * np.pi, 30)), 0.12 - 0.36 * np.cos(np.linspace(0, 2 * np.pi, 30))], 1)
        * size,
        tilt,
    ) + np.array((cx, cy))
    scene = mix(scene, dark * 0.9, polygon(shape, body))
    feelers = [
        rotated(curve((0, -0.22), (s * 0.1, -0.5), (s * 0.26, -0.62)) * size, tilt) + np.array((cx, cy))
        for s in (-1, 1)
    ]
    scene = mix(scene, dark, strokes(shape, feelers, 1.4))
    return Picture(finish(rng, scene, vignette=0.35), light, {"animal", "animal/insect", "butterfly", "close-up"})
