# SPDX-License-Identifier: MIT
"""Mountain scenes."""

from __future__ import annotations

import cv2
import numpy as np

from focal_photos.resources.scenes.canvas import (
    Color,
    Image,
    Rng,
    below,
    blur,
    color,
    coordinates,
    finish,
    mix,
    noise,
    pick,
    plane,
    polygon,
    profile,
    shifted,
    smoothstep,
)
from focal_photos.resources.scenes.light import Light, choose_light, paint_sky, paint_water
from focal_photos.resources.scenes.picture import Picture
from focal_photos.resources.scenes.props import gulls, paint_person, pine


def mountain(rng: Rng) -> Picture:
    """Paint layered ranges and snow, with a lake, a meadow or a snow field in front."""
    shape = [(360, 480), (320, 480), (480, 360)][rng.choice(3, p=[0.55, 0.3, 0.15])]
    height, width = shape
    light = choose_light(
        rng, noon=0.26, golden=0.16, sunset=0.14, dusk=0.08, dawn=0.1, winter=0.14, overcast=0.06, night=0.06
    )
    tags = {"mountain"}
    horizon = height * rng.uniform(0.62, 0.74)
    scene, sun = paint_sky(rng, shape, 0.75 * horizon, light)
    rock = pick(rng, "6d7075", "7a6f66", "5f6b78", "86796b")
    ranges = int(rng.integers(3, 6))
    snow = rng.uniform(0.25, 0.75) if light.name != "winter" else 0.02
    for i in range(ranges):
        near = i / (ranges - 1)
        top = horizon - height * (0.52 - 0.40 * near) * rng.uniform(0.75, 1.1)
        scene = _range(rng, scene, top, horizon, near, rock, light, sun, snow)
    if snow < 0.55:
        tags.add("snow")
    ground = rng.choice(["lake", "meadow", "pines"], p=[0.42, 0.33, 0.25])
    if light.name == "winter":
        tags |= {"snow", "winter"}
    if ground == "lake":
        tags |= {"water", "lake"}
        scene = _tree_line(rng, scene, horizon, 0.05 * height, light)
        deep = pick(rng, "1d4e5f", "2a6a74", "27455c")
        scene = paint_water(rng, scene, horizon, light, sun, deep=deep, waves=rng.uniform(0.02, 0.25))
    else:
        scene = _meadow(
            rng, scene, horizon, light, flowers=ground == "meadow" and light.name in {"noon", "golden", "dawn"}
        )
        tags.add("meadow" if light.name != "winter" else "snow")
    if ground == "pines" or rng.random() < 0.4:
        scene = _foreground_pines(rng, scene, light)
        tags.add("plant/tree/pine")
    if rng.random() < 0.22:
        foot = height * rng.uniform(0.86, 0.95)
        strength = 0.4 if light.low_sun or light.dark else 0.95
        scene = paint_person(rng, scene, width * rng.uniform(0.25, 0.75), foot, 0.17 * height, light.ambient * strength)
        tags |= {"people", "hiking"}
    if rng.random() < 0.2:
        birds = gulls(
            rng, shape, (0.1 * width, 0.05 * height, 0.9 * width, 0.35 * height), int(rng.integers(2, 6)), 0.013 * width
        )
        scene = mix(scene, light.ambient * 0.25, birds)
    return Picture(finish(rng, scene), light, tags)


def _range(
    rng: Rng,
    scene: Image,
    top: float,
    foot: float,
    near: float,
    rock: Color,
    light: Light,
    sun: tuple[float, float],
    snow: float,
) -> Image:
    shape = scene.shape[:2]
    height, width = shape
    y, x = coordinates(shape)
    rise = (foot - top) * 0.42
    line = (
        top
        + rise * 0.8
        + rise
        * (-0.25 if near > 0.7 else -0.42)
        * profile(rng, width, width * rng.uniform(0.3, 0.55), gain=0.48, octaves=7)
    )
    peak, spread = width * rng.uniform(0.1, 0.9), width * rng.uniform(0.16, 0.34)
    line = line - (1 - near) * rise * 0.9 * np.exp(-np.abs(x[0] - peak) / spread)
    line = np.minimum(line, foot - 2)
    mask = below(shape, line)
    depth = np.maximum(y - line, 0)

    # Faces descend from the ridge: its light and shade, extended downwards along wavering lines.
    slope = np.gradient(blur(line[None, :], 2.0)[0])
    side = 1.0 if sun[0] > width / 2 else -1.0
    wander = noise(rng, shape, 0.14 * height, octaves=5, stretch=0.8, gain=0.6)
    place = np.clip(x + 0.28 * depth * wander + 5 * wander, 0, width - 1).astype(np.float32)
    facing = cv2.remap((side * slope)[None, :].astype(np.float32), place, np.zeros_like(place), cv2.INTER_LINEAR)
    crags = wander - shifted(wander, 3 * side, 2)
    lit = smoothstep(0.9 * facing + 0.9 * crags, -0.75, 0.75)

    forested = near > 0.55
    base = rock if not forested else pick(rng, "3f5a3c", "4a6340", "39533f")
    if forested and light.name == "winter":
        base = color("a9b8c4")
    dark = base * (0.30 + 0.10 * light.zenith)
    stone = mix(np.broadcast_to(dark, scene.shape).astype(np.float32), base * 1.3 * (0.5 + 0.5 * light.sun), lit)
    if not forested or light.name == "winter":
        level = smoothstep(top + (1.0 - snow) * 1.5 * rise + 0.06 * height * wander - y, -6, 12)
        level = np.ones(shape, np.float32) if snow < 0.1 else level
        white = mix(np.broadcast_to(color("7f97b8"), scene.shape).astype(np.float32), 0.35 + 0.62 * light.sun, lit)
        stone = mix(stone, white, level * smoothstep(crags + 0.3 * facing, 2.4, 0.4) * 0.95)
    body = stone * light.ambient
    far = 0.5 * (1 - near) ** 1.3
    valley = smoothstep(depth, 0, 0.8 * max(foot - top, 1)) * 0.45 * (1 - 0.4 * near)
    veil = np.clip(far + valley, 0, 0.92)
    body = mix(
        body.astype(np.float32), light.horizon * (0.75 + 0.25 * light.ambient), veil * np.ones(shape, np.float32)
    )
    return mix(scene, body, mask)


def _tree_line(rng: Rng, scene: Image, foot: float, tall: float, light: Light) -> Image:
    shape = scene.shape[:2]
    width = shape[1]
    outlines = [
        pine(rng, x, foot + 1, tall * rng.uniform(0.5, 1.2))
        for x in np.arange(0, width, tall * 0.28)
        if rng.random() < 0.8
    ]
    dark = pick(rng, "23402f", "2c4733", "2f4a3a") * light.ambient
    if light.name == "winter":
        dark = color("6f8794") * light.ambient
    return mix(scene, dark * (0.6 if light.low_sun else 1.0), polygon(shape, *outlines))


def _meadow(rng: Rng, scene: Image, horizon: float, light: Light, *, flowers: bool) -> Image:
    shape = scene.shape[:2]
    height, width = shape
    for i in range(3):
        line = (
            horizon
            + (height - horizon) * (0.02 + 0.26 * i)
            + 0.02 * height * (1 + i) * profile(rng, width, width / 1.3, octaves=3)
        )
        grass = pick(rng, "6f8f3a", "87994a", "5d8440", "9aa24f")
        if light.name == "winter":
            grass = color("e6edf3")
        blades = plane(rng, shape, horizon - 0.1 * height, 7, stretch=0.9, octaves=4)
        swell = plane(rng, shape, horizon - 0.1 * height, 40, stretch=2, octaves=3)
        strength = 0.04 if light.name == "winter" else 0.13
        ground = grass * (0.86 + 0.08 * i) * (1 + strength * blades + 0.08 * swell)[..., None] * light.ambient
        scene = mix(scene, ground.astype(np.float32), below(shape, line, 1.5))
    if flowers:
        dots = np.zeros(shape, np.float32)
        n = 260
        rows = horizon + (height - horizon) * (0.18 + 0.82 * rng.random(n) ** 0.8)
        for row, column in zip(rows, rng.uniform(0, width, n), strict=True):
            r = 0.6 + 2.6 * ((row - horizon) / (height - horizon)) ** 1.5
            cv2.circle(dots, (int(column), int(row)), max(1, round(r)), float(rng.uniform(0.6, 1)), -1)
        paint = pick(rng, "f6d743", "e8504f", "f4f1ff", "b784d9", "f2a1c0")
        scene = mix(scene, paint * (0.3 + 0.7 * light.ambient), np.clip(blur(dots, 0.5), 0, 1))
    return scene


def _foreground_pines(rng: Rng, scene: Image, light: Light) -> Image:
    shape = scene.shape[:2]
    height, width = shape
    tint = pick(rng, "1d3527", "23402b", "2a4632") * light.ambient * (0.4 if light.low_sun else 0.9)
    mask = np.zeros(shape, np.float32)
    for _ in range(int(rng.integers(4, 10))):
        side = rng.choice([0.0, 1.0])
        x = width * np.clip(side + (0.5 - side) * rng.random() ** 1.5 * 0.75, 0, 1)
        mask = np.maximum(
            mask, polygon(shape, pine(rng, x, height * rng.uniform(0.95, 1.08), height * rng.uniform(0.28, 0.62)))
        )
    relief = 1 + 0.22 * noise(rng, shape, 6, octaves=3, stretch=2.2)
    scene = mix(scene, (tint * relief[..., None]).astype(np.float32), mask)
    if light.name == "winter":
        loaded = mask * smoothstep(noise(rng, shape, 6, octaves=3, stretch=2.6), -0.2, 0.9)
        scene = mix(scene, color("f2f6fa"), 0.85 * loaded)
    return scene
