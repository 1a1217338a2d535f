# SPDX-License-Identifier: MIT
"""Beach scenes."""

from __future__ import annotations

import numpy as np

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
    glow,
    mix,
    noise,
    pick,
    plane,
    polygon,
    profile,
    smoothstep,
    strokes,
    vary,
)
from focal_photos.resources.scenes.landscapes.coast import NORTHERN, TROPICAL, headlands
from focal_photos.resources.scenes.light import Light, choose_light, paint_sky, paint_water
from focal_photos.resources.scenes.picture import Picture
from focal_photos.resources.scenes.props import gulls, paint_person, palm


def beach(rng: Rng) -> Picture:
    """Paint sand, surf and sky, with palms, parasols and people."""
    shape = [(360, 480), (320, 480), (270, 480)][rng.choice(3, p=[0.6, 0.25, 0.15])]
    height, width = shape
    light = choose_light(rng, noon=0.34, golden=0.16, sunset=0.22, dusk=0.08, overcast=0.1, dawn=0.05, night=0.05)
    tags = {"beach", "sea", "water", "sand"}
    horizon = height * rng.uniform(0.36, 0.5)
    tropical = rng.random() < 0.55 and light.name != "overcast"
    scene, sun = paint_sky(rng, shape, horizon, light, clouds=None if rng.random() < 0.7 else 0.25)
    scene = headlands(rng, scene, horizon, light)
    deep = pick(rng, *(TROPICAL if tropical else NORTHERN))
    scene = paint_water(rng, scene, horizon, light, sun, deep=deep, waves=rng.uniform(0.35, 0.8))
    scene = _breakers(rng, scene, horizon, light)
    scene = _sand(rng, scene, horizon, light, sun, deep)

    dark = light.ambient * (0.32 if light.low_sun or light.dark else 0.75)
    if rng.random() < 0.45:
        scene = _parasols(rng, scene, light)
        tags.add("parasol")
    if rng.random() < 0.55:
        tags.add("people")
        for _ in range(int(rng.integers(1, 6))):
            foot = height * rng.uniform(0.72, 0.93)
            tall = 0.34 * (foot - horizon) * rng.uniform(0.85, 1.1)
            x = width * rng.uniform(0.06, 0.94)
            scene = paint_person(
                rng, scene, x, foot, tall, light.ambient * (0.35 if light.low_sun or light.dark else 0.95)
            )
    if tropical and rng.random() < 0.75:
        tags |= {"plant/tree/palm"}
        side = int(rng.choice([-1, 1]))
        for _ in range(int(rng.integers(1, 4))):
            x = width * (0.5 + side * rng.uniform(0.27, 0.52))
            tall = height * rng.uniform(0.55, 0.85)
            trunk, fronds = palm(rng, shape, x, height * rng.uniform(0.88, 1.02), tall, -side * rng.uniform(0.0, 0.35))
            bark, leaf = vary(rng, color("8a6a4a")), pick(rng, "3d6b2f", "4f7d33", "2f5d35")
            scene = mix(scene, bark * dark * (0.8 + 0.2 * noise(rng, shape, 5, octaves=2)[..., None] * 0.4), trunk)
            scene = mix(scene, leaf * dark, fronds)
    if rng.random() < 0.35:
        birds = gulls(
            rng, shape, (0.1 * width, 0.06 * height, 0.9 * width, 0.8 * horizon), int(rng.integers(2, 9)), 0.016 * width
        )
        scene = mix(scene, light.ambient * (0.25 if light.low_sun else 0.9 if rng.random() < 0.5 else 0.35), birds)
    return Picture(finish(rng, scene), light, tags)


def _breakers(rng: Rng, scene: Image, horizon: float, light: Light) -> Image:
    """Paint lines of white water parallel to the shore."""
    shape = scene.shape[:2]
    height, width = shape
    y, _ = coordinates(shape)
    torn = plane(rng, shape, horizon, 9, stretch=2.5)
    for _ in range(int(rng.integers(2, 5))):
        far = rng.uniform(0.18, 0.5)
        line = horizon + (height - horizon) * far + 2.5 * (1 + 5 * far) * profile(rng, width, width / 2)
        thick = 1.2 + 9 * far**1.5
        crest = np.exp(-(((y - line) / thick) ** 2)) * smoothstep(
            torn + 0.9 * profile(rng, width, width / 5), -0.2, 1.0
        )
        scene = mix(scene, light.ambient * 0.98, 0.85 * crest)
    return scene


def _sand(rng: Rng, scene: Image, horizon: float, light: Light, sun: tuple[float, float], deep: Color) -> Image:
    shape = scene.shape[:2]
    height, width = shape
    y, _ = coordinates(shape)
    x = np.arange(width) / width
    slope = rng.uniform(-0.3, 0.3)
    line = horizon + (height - horizon) * (
        rng.uniform(0.45, 0.62) + slope * (x - 0.5) + 0.035 * profile(rng, width, width / 1.5, octaves=4)
    )
    sand = pick(rng, "e9d3a6", "e3c493", "f0dfbf", "d8bc8e")
    grains = noise(rng, shape, 3, octaves=2)
    dunes = plane(rng, shape, horizon, 26, stretch=2.2, octaves=5)
    ground = sand * (1 + 0.055 * dunes + 0.025 * grains)[..., None] * light.ambient
    # Wet sand near the water is darker and reflects the sky.
    wet = np.exp(-np.maximum(y - line, 0) / (0.10 * height))
    mirrored = np.broadcast_to(light.horizon * 0.6 + light.middle * 0.4, scene.shape)
    ground = mix(ground.astype(np.float32), ground * np.float32(0.62), wet * 0.9)
    ground = mix(ground, mirrored, 0.38 * wet)
    if sun[1] > -height and light.height < 0.45:
        ground = add_light(ground, light.sun, 0.5 * wet * glow(shape, sun[0], float(line.mean()), 0.22 * width))
    # The sand is visible through shallow water.
    shallow = np.exp(-np.maximum(line - y, 0) / (0.06 * height)) * (1 - below(shape, line))
    scene = mix(scene, (0.5 * deep + 0.5 * sand) * light.ambient * 1.05, 0.45 * shallow)
    scene = mix(scene, ground, below(shape, line, 1.5))
    torn = plane(rng, shape, horizon, 8, stretch=1.8)
    for offset, strength in ((0.0, 1.0), (-0.055, 0.7), (-0.13, 0.45)):
        edge = line + offset * height + 0.008 * height * profile(rng, width, width / 6)
        lace = np.exp(-(np.maximum(edge - y, 0) / (0.022 * height))) * np.clip(edge - y + 0.5, 0, 1)
        lace = lace * smoothstep(torn, -1.2 + 0.7 * (1 - strength), 0.6)
        scene = mix(scene, np.minimum(light.ambient * 1.05, 1), strength * lace)
    return scene


def _parasols(rng: Rng, scene: Image, light: Light) -> Image:
    shape = scene.shape[:2]
    height, width = shape
    for foot in np.sort(rng.uniform(0.76, 0.95, int(rng.integers(1, 4)))) * height:
        x, r = width * rng.uniform(0.1, 0.9), 0.095 * height * (foot / height)
        shadow = blur(disc(shape, x + 0.9 * r, foot + 0.1 * r, 1.2 * r, 0.25 * r), 2.5)
        scene = mix(scene, scene * np.float32(0.62), shadow)
        scene = mix(
            scene, light.ambient * 0.85, strokes(shape, [[(x, foot), (x - 0.08 * r, foot - 1.9 * r)]], 0.07 * r + 1)
        )
        main, other = pick(rng, "d94f45", "2a9d8f", "e9b44c", "3a7ca5", "f28482"), color("fbf6ea")
        apex = (x - 0.1 * r, foot - 2.45 * r)
        rim = [
            (x - 0.1 * r + 1.35 * r * np.cos(a), foot - 1.65 * r + 0.16 * r * np.sin(a))
            for a in np.linspace(np.pi, 0, 9)
        ]
        for i in range(8):
            bow_a, bow_b = (
                0.5 * (np.array(apex) + rim[j]) + (0.28 * (rim[j][0] - apex[0]) * 0.6, -0.24 * r) for j in (i, i + 1)
            )
            side = curve(apex, tuple(bow_a), rim[i], points=8)
            back = curve(rim[i + 1], tuple(bow_b), apex, points=8)
            shade = 1.05 - 0.06 * i
            scene = mix(
                scene, (main if i % 2 else other) * light.ambient * shade, polygon(shape, np.concatenate([side, back]))
            )
    return scene
