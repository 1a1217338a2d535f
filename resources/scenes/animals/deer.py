# SPDX-License-Identifier: MIT
"""Deer in a meadow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focal_photos.resources.scenes.animals.wildlife import rounded
from focal_photos.resources.scenes.canvas import (
    Image,
    Mask,
    Rng,
    add_light,
    below,
    color,
    coordinates,
    curve,
    disc,
    finish,
    glow,
    mix,
    noise,
    pick,
    plane,
    polygon,
    profile,
    smoothstep,
    strokes,
)
from focal_photos.resources.scenes.light import Light, choose_light, paint_sky
from focal_photos.resources.scenes.picture import Picture
from focal_photos.resources.scenes.props import pine


def deer(rng: Rng) -> Picture:
    """Paint one to three deer in a meadow before misty woods."""
    shape = [(360, 480), (320, 480), (270, 480)][rng.choice(3)]
    height, width = shape
    light = choose_light(rng, golden=0.25, sunset=0.22, dawn=0.25, noon=0.13, winter=0.15)
    horizon = 0.6 * height
    scene, sun = paint_sky(rng, shape, horizon, light)
    for i in range(3):
        foot = height * (0.56 + 0.07 * i)
        line = foot + 0.03 * height * profile(rng, width, width / 1.5, octaves=4)
        outlines = [
            pine(
                rng,
                x,
                float(line[int(np.clip(x, 0, width - 1))]) + 4,
                height * (0.10 + 0.06 * i) * rng.uniform(0.6, 1.3),
            )
            for x in rng.uniform(0, width, 34 - 6 * i)
        ]
        tint = pick(rng, "3a5040", "46583f") * light.ambient * (0.5 if light.low_sun else 1)
        veil = 0.72 - 0.2 * i
        scene = mix(
            scene, tint + (light.horizon - tint) * veil, np.maximum(below(shape, line), polygon(shape, *outlines))
        )
    ground = height * rng.uniform(0.76, 0.84)
    line = ground + 0.02 * height * profile(rng, width, width / 1.5, octaves=3)
    grass = pick(rng, "7d8f45", "a39a4f", "6f8a4a") if light.name != "winter" else color("e9eff4")
    strength = light.ambient * (0.55 if light.low_sun else 1.0)
    blades = plane(rng, shape, horizon, 5, stretch=0.6)
    turf = np.clip(grass * (1 + (0.05 if light.name == "winter" else 0.18) * blades)[..., None] * strength, 0, 1)
    scene = mix(scene, turf.astype(np.float32), below(shape, line, 2))
    if light.height >= 0:
        scene = add_light(scene, light.sun, 0.25 * glow(shape, sun[0], horizon, 0.4 * width))
    count = int(rng.choice([1, 1, 2, 3]))
    for i, place in enumerate(
        rng.permutation(np.linspace(0.25, 0.75, count)) if count > 1 else [rng.uniform(0.35, 0.65)]
    ):
        tall = height * (0.5 if count == 1 else 0.36) * rng.uniform(0.85, 1.1)
        foot = float(line[int(place * width)]) + height * rng.uniform(0.02, 0.07)
        scene = _one_deer(rng, scene, width * place, foot, tall, light, antlers=i == 0)
    stems = [
        curve((x, y), (x + rng.normal(0, 3), y - 6), (x + rng.normal(0, 6), y - rng.uniform(6, 20)), points=6)
        for x, y in zip(rng.uniform(0, width, 240), rng.uniform(ground + 4, height + 8, 240), strict=True)
    ]
    scene = mix(scene, grass * strength * 0.8, 0.7 * strokes(shape, stems, 0.8))
    y, _ = coordinates(shape)
    fog = np.exp(-(((y - ground + 0.05 * height) / (0.07 * height)) ** 2)) * smoothstep(
        noise(rng, shape, 0.2 * height, octaves=3, stretch=4), -1.2, 1.5
    )
    scene = mix(scene, light.horizon, (0.55 if light.name == "dawn" else 0.22) * fog)
    tags = {"animal", "animal/deer", "wildlife", "meadow"} | ({"snow"} if light.name == "winter" else set())
    return Picture(finish(rng, scene), light, tags)


def _one_deer(rng: Rng, scene: Image, x: float, foot: float, tall: float, light: Light, *, antlers: bool) -> Image:
    shape = scene.shape[:2]
    flip = float(rng.choice([-1, 1]))
    coat = pick(rng, "8a5f3c", "9a7048", "7a5538") * light.ambient * (0.22 if light.low_sun else 0.85)

    def at(*points: tuple[float, float]) -> NDArray[np.float64]:
        return np.array([(x + flip * u * tall, foot - v * tall) for u, v in points])

    def bend(*points: tuple[float, float]) -> NDArray[np.float64]:
        return curve(*[tuple(p) for p in at(*points)], points=14)

    far_legs = [
        at((-0.26, 0.42), (-0.22, 0.42), (-0.185, 0.2), (-0.205, 0.01), (-0.235, 0.01), (-0.225, 0.2)),
        at((0.17, 0.42), (0.23, 0.42), (0.215, 0.2), (0.225, 0.02), (0.195, 0.02), (0.18, 0.2)),
    ]
    scene = mix(scene, coat * 0.65, polygon(shape, *far_legs))
    near_legs = [
        at(
            (-0.37, 0.45),
            (-0.25, 0.45),
            (-0.275, 0.30),
            (-0.335, 0.2),
            (-0.305, 0.0),
            (-0.34, 0.0),
            (-0.375, 0.2),
            (-0.345, 0.30),
        ),
        at((0.20, 0.42), (0.30, 0.45), (0.275, 0.2), (0.285, 0.0), (0.25, 0.0), (0.24, 0.2)),
    ]
    body = np.concatenate(
        [
            bend((-0.37, 0.42), (-0.45, 0.68), (-0.2, 0.64), (0.10, 0.64)),
            bend((0.10, 0.64), (0.22, 0.68), (0.28, 0.92)),
            bend((0.40, 0.85), (0.36, 0.6), (0.31, 0.40)),
            bend((0.31, 0.40), (0.05, 0.34), (-0.15, 0.40), (-0.37, 0.42)),
        ]
    )
    head = np.concatenate(
        [
            bend((0.26, 0.90), (0.29, 1.02), (0.40, 0.98)),
            bend((0.40, 0.98), (0.50, 0.93), (0.56, 0.86)),
            bend((0.56, 0.86), (0.52, 0.82), (0.38, 0.82)),
        ]
    )
    ear = bend((0.27, 0.97), (0.14, 1.06), (0.14, 1.0)), bend((0.14, 1.0), (0.18, 0.93), (0.28, 0.94))
    tail = at((-0.36, 0.58), (-0.43, 0.52), (-0.41, 0.44), (-0.36, 0.48))
    whole = polygon(shape, *near_legs, body, head, np.concatenate(ear))
    scene = mix(scene, rounded(rng, shape, whole, coat, fur=0.05), whole)
    scene = mix(scene, np.minimum(coat * 1.5 + 0.05, 1), polygon(shape, tail))
    lines = []
    if antlers:
        for du in (0.0, 0.05):
            lines += [
                bend((0.31 + du, 0.98), (0.22 + du, 1.12), (0.30 + du, 1.30)),
                bend((0.265 + du, 1.09), (0.34 + du, 1.12), (0.40 + du, 1.16)),
                bend((0.265 + du, 1.18), (0.18 + du, 1.22), (0.15 + du, 1.28)),
                bend((0.275 + du, 1.2), (0.34 + du, 1.22), (0.38 + du, 1.28)),
            ]
        scene = mix(scene, coat * 0.7 + 0.04, strokes(shape, lines, max(1.6, 0.016 * tall)))
    scene = mix(scene, color("0c0908"), _spot(shape, at((0.405, 0.925)), max(0.012 * tall, 1)))
    return mix(scene, coat * 0.4, _spot(shape, at((0.548, 0.865)), max(0.018 * tall, 1)))


def _spot(shape: tuple[int, int], place: NDArray[np.float64], radius: float) -> Mask:
    return disc(shape, float(place[0, 0]), float(place[0, 1]), radius)
