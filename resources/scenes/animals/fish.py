# SPDX-License-Identifier: MIT
"""Fish over a reef."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focal_photos.resources.scenes.animals.wildlife import rounded
from focal_photos.resources.scenes.canvas import (
    Color,
    Image,
    Rng,
    add_light,
    below,
    blur,
    color,
    coordinates,
    curve,
    disc,
    finish,
    gradient,
    mix,
    noise,
    pick,
    plane,
    polygon,
    profile,
    rotated,
    smoothstep,
    strokes,
)
from focal_photos.resources.scenes.light import LIGHTS
from focal_photos.resources.scenes.picture import Picture


def fish(rng: Rng) -> Picture:
    """Paint a fish or a shoal over a reef."""
    shape = [(360, 480), (320, 480), (400, 400)][rng.choice(3)]
    height, width = shape
    y, _ = coordinates(shape)
    light = LIGHTS["noon"]
    scene = gradient(
        shape,
        [
            (0, pick(rng, "5fd0e0", "4fb8d8", "6fd6cf")),
            (0.45, pick(rng, "1f86b0", "1a78a8", "1f8f9f")),
            (1, pick(rng, "0a3358", "0b2f4f", "0c4050")),
        ],
    )
    rays = np.zeros(shape, np.float32)
    origin = width * rng.uniform(0.1, 0.9)
    for angle in rng.uniform(-0.8, 0.8, 9):
        spread, far = rng.uniform(0.012, 0.045), 1.6 * height
        rays = rays + polygon(
            shape,
            [
                (origin, -0.4 * height),
                *(
                    (origin + far * np.sin(a), -0.4 * height + far * np.cos(a))
                    for a in (angle - spread, angle + spread)
                ),
            ],
        )
    scene = add_light(
        scene, color("d9fbff"), 0.34 * blur(np.clip(rays, 0, 1), 0.015 * width) * smoothstep(y, 0.9 * height, 0)
    )
    caustic = 1 - np.abs(plane(rng, shape, 1.25 * height, 22, octaves=2)) * 2.2
    scene = add_light(scene, color("e9ffff"), 0.25 * np.clip(caustic, 0, 1) * smoothstep(y, 0.25 * height, 0))
    scene = _reef(rng, scene)
    bands = [
        ("f28a24", "fdf8ee"),
        ("f2cf2e", "2a2f3a"),
        ("3f6fd9", "f2d23a"),
        ("e85a6f", "fbe3d0"),
        ("8f6fd0", "f0c4e8"),
        ("dfe6ee", "2f3f55"),
    ]
    count = int(rng.choice([1, 2, 3, 5, 9]))
    main, stripe = bands[rng.integers(len(bands))]
    flip = float(rng.choice([-1, 1]))
    for _ in range(count):
        size = width * (0.36 if count == 1 else 0.24 if count < 4 else 0.13) * rng.uniform(0.8, 1.15)
        px, py = width * rng.uniform(0.2, 0.8), height * rng.uniform(0.2, 0.68)
        scene = _one_fish(rng, scene, px, py, size, flip if rng.random() < 0.85 else -flip, color(main), color(stripe))
    for _ in range(int(rng.integers(0, 26))):
        bx, by, r = width * rng.random(), height * rng.random(), rng.uniform(1.0, 5.0)
        scene = add_light(
            scene,
            color("e9ffff"),
            0.35 * (disc(shape, bx, by, r) - 0.7 * disc(shape, bx + 0.2 * r, by + 0.2 * r, 0.75 * r)),
        )
    return Picture(finish(rng, scene, vignette=0.45), light, {"animal", "animal/fish", "water", "sea", "underwater"})


def _reef(rng: Rng, scene: Image) -> Image:
    shape = scene.shape[:2]
    height, width = shape
    for i in range(3):
        line = height * (0.80 + 0.06 * i) + 0.05 * height * profile(rng, width, width / 3, octaves=5)
        rock = pick(rng, "2f4f5f", "3a4a5a", "4a4f55") * (0.7 + 0.2 * i)
        mask = below(shape, line)
        relief = noise(rng, shape, 14, octaves=4)
        scene = mix(scene, np.clip(rock * (1 + 0.22 * relief)[..., None], 0, 1), mask * (0.75 + 0.1 * i))
        for _ in range(int(rng.integers(3, 7))):
            px = int(rng.integers(0, width))
            foot, tall = float(line[px]) + 6, height * rng.uniform(0.06, 0.17)
            paint = pick(rng, "e8637a", "f2a14a", "b56fd0", "f0d060", "5fc4a0", "e9879f")
            form = rng.integers(3)
            if form == 0:  # branching
                lines = [
                    curve(
                        (px, foot),
                        (px + rng.normal(0, 0.2) * tall, foot - 0.5 * tall),
                        (px + rng.uniform(-0.7, 0.7) * tall, foot - tall * rng.uniform(0.6, 1.0)),
                        points=10,
                    )
                    for _ in range(9)
                ]
                coral = strokes(shape, lines, max(2.5, 0.09 * tall))
            elif form == 1:  # a dome
                coral = disc(shape, px, foot - 0.1 * tall, 0.7 * tall, 0.5 * tall)
            else:  # sea grass
                paint = pick(rng, "3f8f5f", "5fa870", "2f7f6f")
                lines = [
                    curve(
                        (px + k, foot),
                        (px + k + rng.normal(0, 6), foot - 0.5 * tall),
                        (px + k + rng.normal(0, 14), foot - 1.2 * tall),
                        points=10,
                    )
                    for k in np.linspace(-0.3, 0.3, 8) * tall
                ]
                coral = strokes(shape, lines, 2.5)
            shade = np.clip(paint * (0.45 + 0.2 * i) * (1 + 0.15 * noise(rng, shape, 4, octaves=2))[..., None], 0, 1)
            scene = mix(scene, shade, coral * 0.92)
    return scene


def _one_fish(
    rng: Rng, scene: Image, x: float, y: float, size: float, flip: float, main: Color, stripe: Color
) -> Image:
    shape = scene.shape[:2]
    deep, tilt = rng.uniform(0.30, 0.42), rng.normal(0, 0.12)

    def place(points: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(rotated(points * (flip, 1) * size, tilt) + np.array((x, y)))

    top = curve((0.5, 0), (0.25, -1.25 * deep), (-0.15, -0.8 * deep), (-0.36, -0.05), points=26)
    under = curve((-0.36, 0.05), (-0.15, 0.8 * deep), (0.25, 1.25 * deep), (0.5, 0), points=26)
    body = polygon(shape, place(np.concatenate([top, under])))
    tail = polygon(
        shape,
        place(
            np.concatenate(
                [
                    curve((-0.33, 0), (-0.5, -0.1), (-0.66, -0.8 * deep), points=10),
                    curve((-0.56, 0), (-0.6, 0.4 * deep), (-0.66, 0.8 * deep), points=8),
                    curve((-0.66, 0.8 * deep), (-0.5, 0.1), (-0.33, 0), points=10),
                ]
            )
        ),
    )
    dorsal = polygon(
        shape,
        place(
            np.concatenate(
                [
                    curve((0.22, -0.72 * deep), (-0.05, -1.6 * deep), (-0.30, -0.62 * deep), points=16),
                    curve((-0.30, -0.3 * deep), (0, -0.6 * deep), (0.22, -0.62 * deep), points=8),
                ]
            )
        ),
    )
    anal = polygon(
        shape,
        place(
            np.concatenate(
                [
                    curve((0.08, 0.78 * deep), (-0.12, 1.45 * deep), (-0.30, 0.5 * deep), points=14),
                    curve((-0.28, 0.2 * deep), (-0.1, 0.5 * deep), (0.08, 0.6 * deep), points=8),
                ]
            )
        ),
    )
    fins = np.maximum.reduce([tail, dorsal, anal])
    fin_rays = 1 + 0.12 * noise(rng, shape, 3, octaves=2, stretch=3)
    scene = mix(scene, np.clip(main * 0.85 * fin_rays[..., None], 0, 1), 0.88 * fins)
    scales = 1 + 0.06 * noise(rng, shape, 3, octaves=2)
    surface = rounded(rng, shape, body, main, fur=0.03) * scales[..., None]
    belly = smoothstep(coordinates(shape)[0], y, y + 0.4 * deep * size) * np.ones((1, shape[1]), np.float32)
    surface = mix(np.clip(surface, 0, 1).astype(np.float32), np.minimum(main * 1.15 + 0.08, 1), 0.35 * belly)
    scene = mix(scene, surface, body)
    for u in (0.22, -0.02, -0.22) if rng.random() < 0.7 else (0.12,):
        band = place(
            np.array(
                [
                    (u - 0.04, -1.3 * deep),
                    (u + 0.04, -1.3 * deep),
                    (u + 0.055, 0),
                    (u + 0.04, 1.3 * deep),
                    (u - 0.04, 1.3 * deep),
                    (u - 0.025, 0),
                ]
            )
        )
        scene = mix(scene, rounded(rng, shape, body, stripe, fur=0.02), polygon(shape, band) * body)
    gill = place(curve((0.30, -0.5 * deep), (0.22, 0), (0.30, 0.5 * deep)))
    scene = mix(scene, main * 0.6, 0.5 * strokes(shape, [gill], 1.4) * body)
    fin = polygon(
        shape,
        place(
            np.concatenate(
                [
                    curve((0.18, 0.05), (-0.02, 0.02), (-0.08, 0.24), points=10),
                    curve((-0.08, 0.24), (0.1, 0.28), (0.2, 0.14), points=10),
                ]
            )
        ),
    )
    scene = mix(scene, np.minimum(main * 1.1, 1), 0.8 * fin)
    ex, ey = place(np.array([(0.375, -0.18 * deep)]))[0]
    scene = mix(scene, color("f7f3ea"), disc(shape, ex, ey, 0.040 * size))
    scene = mix(scene, color("0c0b0d"), disc(shape, ex, ey, 0.027 * size))
    return add_light(scene, color("ffffff"), disc(shape, ex - 0.01 * size, ey - 0.012 * size, max(0.009 * size, 0.7)))
