# SPDX-License-Identifier: MIT
"""Boat scenes, on the open sea or in front of a harbour town."""

from __future__ import annotations

import numpy as np

from focal_photos.resources.scenes.canvas import (
    Color,
    Image,
    Mask,
    Rng,
    Sketch,
    color,
    coordinates,
    curve,
    displaced,
    finish,
    mix,
    pick,
    plane,
    polygon,
    smoothstep,
    strokes,
)
from focal_photos.resources.scenes.landscapes.coast import NORTHERN, TROPICAL, headlands
from focal_photos.resources.scenes.light import Light, choose_light, paint_sky, paint_water
from focal_photos.resources.scenes.picture import Picture
from focal_photos.resources.scenes.props import gulls


def boat(rng: Rng) -> Picture:
    """Paint sailing boats and fishing boats, on the open sea or in front of a harbour town."""
    shape = [(360, 480), (320, 480), (480, 360)][rng.choice(3, p=[0.6, 0.2, 0.2])]
    height, width = shape
    light = choose_light(rng, noon=0.28, golden=0.18, sunset=0.22, dusk=0.1, overcast=0.1, dawn=0.08, night=0.06)
    tags = {"boat", "sea", "water"}
    horizon = height * rng.uniform(0.42, 0.6)
    scene, sun = paint_sky(rng, shape, horizon, light)
    scene = headlands(rng, scene, horizon, light)
    harbour = rng.random() < 0.4
    if harbour:
        tags.add("harbour")
        scene = _town(rng, scene, horizon, light)
        waves = rng.uniform(0.08, 0.25)
    else:
        waves = rng.uniform(0.2, 0.85)
    fishing = rng.random() < 0.35
    tags.add("boat/fishing" if fishing else "boat/sailing")

    # Painted back to front; objects in the water are mirrored with the scene above each waterline.
    above = scene
    count = int(rng.integers(3, 7)) if harbour else int(rng.choice([1, 1, 2, 3]))
    lines = np.sort(horizon + (height - horizon) * rng.uniform(0.03, 0.42, count))
    if count == 1:
        lines = np.array([horizon + (height - horizon) * rng.uniform(0.15, 0.4)])
    places = rng.permutation(np.linspace(0.16, 0.84, count)) if count > 1 else rng.uniform(0.32, 0.68, 1)
    deep = pick(rng, *NORTHERN, *TROPICAL)
    scene = paint_water(rng, above, horizon, light, sun, deep=deep, waves=waves)
    for line, place in zip(lines, places, strict=True):
        size = width * (0.10 + 0.36 * (line - horizon) / (height - horizon)) * (1.5 if count == 1 else 1.0)
        draw = _fishing_boat if fishing and rng.random() < 0.8 else _sailing_boat
        scene = _afloat(rng, scene, draw, width * place, float(line), size, light, waves)
    if rng.random() < 0.4:
        birds = gulls(
            rng, shape, (0.1 * width, 0.06 * height, 0.9 * width, 0.8 * horizon), int(rng.integers(2, 8)), 0.018 * width
        )
        scene = mix(scene, light.ambient * (0.25 if light.low_sun else 0.95), birds)
    return Picture(finish(rng, scene), light, tags)


def _town(rng: Rng, scene: Image, horizon: float, light: Light) -> Image:
    """Draw a row of painted houses at the quay."""
    height, width = scene.shape[:2]
    sketch = Sketch(scene)
    lamps = light.dark or light.name == "dusk"
    glass = color("ffd27a") if lamps else color("3d4a57") * light.ambient
    x = -10.0
    while x < width:
        w, tall = width * rng.uniform(0.04, 0.095), height * rng.uniform(0.055, 0.125)
        wall = pick(rng, "e8b98a", "d9776a", "f0e2c8", "8fb3c0", "e6cf7a", "c9d6c2", "b8655a") * light.ambient
        roof = pick(rng, "8c4a36", "6e4a3f", "5b5f66") * light.ambient
        top = horizon - tall
        sketch.fill(wall, [(x, horizon), (x, top), (x + w, top), (x + w, horizon)])
        sketch.fill(wall * 0.8, [(x + 0.8 * w, horizon), (x + 0.8 * w, top), (x + w, top), (x + w, horizon)])
        sketch.fill(roof, [(x - 1, top), (x + 0.5 * w, top - 0.35 * w), (x + w + 1, top)])
        for y in np.arange(top + 5, horizon - 7, 11):
            for a in np.arange(x + 4, x + w - 5, 9):
                shown = glass if lamps and rng.random() < 0.7 else wall * 0.45
                sketch.fill(shown, [(a, y), (a + 3, y), (a + 3, y + 4.5), (a, y + 4.5)])
        x += w
    quay = [(0, horizon - 3), (width, horizon - 3), (width, horizon + 2), (0, horizon + 2)]
    sketch.fill(color("7d7468") * light.ambient, quay)
    return sketch.done()


def _afloat(
    rng: Rng, scene: Image, draw: object, x: float, line: float, size: float, light: Light, waves: float
) -> Image:
    """Draw a boat and its upside-down, rippled mirror image."""
    shape = scene.shape[:2]
    parts: list[tuple[Mask, Color]] = draw(rng, shape, x, line, size, light)  # type: ignore[operator]
    y, columns = coordinates(shape)
    wobble = plane(rng, shape, line - 0.3 * shape[0], 7, stretch=4, octaves=3)
    back_y = 2 * line - y - 0.02 * size + wobble * (1.0 + 5 * waves)
    back_x = columns + wobble * (0.6 + 4 * waves)
    fade = (0.75 - 0.45 * waves) * np.exp(-np.maximum(y - line, 0) / (0.9 * size))
    for mask, paint in parts:
        mirror = displaced(mask, back_x, back_y)
        scene = mix(scene, paint * 0.72, mirror * fade * np.clip(y - line + 0.5, 0, 1))
    wake = np.exp(-(((y - line - 1) / (0.012 * size + 1)) ** 2)) * np.exp(-(((columns - x) / (0.55 * size)) ** 4))
    for mask, paint in parts:
        scene = mix(scene, paint, mask)
    return mix(scene, np.minimum(light.ambient * 1.1, 1), (0.15 + 0.5 * waves) * wake * smoothstep(wobble, -1, 1))


def _sailing_boat(
    rng: Rng, shape: tuple[int, int], x: float, line: float, size: float, light: Light
) -> list[tuple[Mask, Color]]:
    shade = light.ambient * (0.45 if light.low_sun else 1.0)
    hull = pick(rng, "f4f1ea", "1f3a5f", "7b2d26", "e8e4d8", "2e5e4e") * shade
    sail = pick(rng, "fdfaf2", "fdfaf2", "f6d7a7", "d9583f") * np.minimum(shade * 1.08, 1)
    flip = int(rng.choice([-1, 1]))
    deck, mast = line - 0.11 * size, line - 1.18 * size * rng.uniform(0.85, 1.1)

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x + flip * px * size, py) for px, py in points]

    body = at((-0.46, deck), (0.52, deck - 0.05 * size), (0.36, line + 0.012 * size), (-0.38, line + 0.012 * size))
    stripe = at(
        (-0.45, deck + 0.03 * size),
        (0.49, deck - 0.015 * size),
        (0.475, deck + 0.005 * size),
        (-0.44, deck + 0.05 * size),
    )
    cabin = at((-0.22, deck), (-0.18, deck - 0.07 * size), (0.12, deck - 0.085 * size), (0.18, deck - 0.02 * size))
    main = np.concatenate(
        [
            curve(*at((0.02, mast), (-0.30, 0.5 * (mast + deck)), (-0.42, deck - 0.09 * size))),
            at((0.02, deck - 0.09 * size)),
        ]
    )
    fore = np.concatenate(
        [
            curve(*at((0.05, mast + 0.06 * size), (0.34, 0.45 * mast + 0.55 * deck), (0.5, deck - 0.07 * size))),
            at((0.08, deck - 0.1 * size)),
        ]
    )
    pole = strokes(shape, [at((0.035, deck), (0.035, mast - 0.03 * size))], max(1.0, 0.014 * size))
    parts = [
        (pole, color("5a4634") * shade),
        (polygon(shape, body), hull),
        (polygon(shape, stripe), hull * 0.55),
        (polygon(shape, cabin), color("efe9dc") * shade * 0.9),
    ]
    if rng.random() < 0.8:
        seams = [
            at((0.02, deck - k * size), (-0.40 + 0.36 * k, deck - k * size - 0.02 * size)) for k in (0.3, 0.5, 0.7)
        ]
        belly = smoothstep(np.abs(np.arange(shape[1])[None, :] - (x - flip * 0.1 * size)) / size, 0.35, 0.0)
        full = polygon(shape, main)
        parts += [
            (full, sail * 0.9),
            (full * belly, sail),
            (strokes(shape, seams, 0.4) * full, sail * 0.8),
            (polygon(shape, fore), sail * 0.97),
        ]
    else:
        parts.append(
            (
                strokes(
                    shape,
                    [
                        at((-0.4, deck - 0.1 * size), (0.03, deck - 0.12 * size)),
                        at((0.5, deck), (0.035, mast)),
                        at((-0.44, deck), (0.035, mast)),
                    ],
                    0.8,
                ),
                color("5a4634") * shade,
            )
        )
    return parts


def _fishing_boat(
    rng: Rng, shape: tuple[int, int], x: float, line: float, size: float, light: Light
) -> list[tuple[Mask, Color]]:
    shade = light.ambient * (0.45 if light.low_sun else 1.0)
    hull = pick(rng, "2468a2", "c8443a", "2f7d5b", "e0a530", "f0efe9") * shade
    trim, house = color("f4efe3") * shade, pick(rng, "f4efe3", "e6eef0") * shade
    flip = int(rng.choice([-1, 1]))
    deck = line - 0.13 * size

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x + flip * px * size, line - py * size) for px, py in points]

    side = np.concatenate(
        [at((-0.5, 0.17)), curve(*at((-0.5, 0.17), (0.1, 0.08), (0.56, 0.27))), at((0.42, -0.015), (-0.42, -0.015))]
    )
    rail = np.concatenate(
        [curve(*at((-0.5, 0.17), (0.1, 0.08), (0.56, 0.27))), curve(*at((0.55, 0.23), (0.1, 0.045), (-0.49, 0.135)))]
    )
    low = at((-0.455, 0.05), (0.475, 0.07), (0.42, -0.015), (-0.42, -0.015))
    cabin = at((-0.3, 0.1), (-0.3, 0.4), (-0.02, 0.4), (0.02, 0.1))
    roof = at((-0.34, 0.4), (-0.33, 0.44), (0.02, 0.44), (0.03, 0.4))
    panes = [at((a, 0.27), (a, 0.36), (a + 0.065, 0.36), (a + 0.065, 0.27)) for a in (-0.27, -0.18, -0.09)]
    rig = strokes(
        shape,
        [
            at((0.22, 0.12), (0.22, 0.75)),
            at((0.22, 0.7), (0.52, 0.27)),
            at((0.22, 0.7), (-0.16, 0.44)),
            at((0.22, 0.35), (0.45, 0.6)),
        ],
        max(1.0, 0.012 * size),
    )
    glass = color("ffd98a") if light.dark or light.name == "dusk" else color("3b5566") * shade
    del deck
    return [
        (rig, color("6b5a48") * shade),
        (polygon(shape, cabin), house),
        (polygon(shape, roof), hull * 0.7),
        (polygon(shape, *panes), glass),
        (polygon(shape, side), hull),
        (polygon(shape, low), hull * 0.5),
        (polygon(shape, rail), trim),
    ]
