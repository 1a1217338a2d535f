# SPDX-License-Identifier: MIT
"""Forest scenes."""

from __future__ import annotations

import numpy as np

from focal_photos.resources.scenes.canvas import (
    Color,
    Image,
    Mask,
    Rng,
    add_light,
    below,
    blur,
    color,
    coordinates,
    curve,
    finish,
    glow,
    gradient,
    mix,
    noise,
    pick,
    plane,
    polygon,
    profile,
    smoothstep,
    vary,
)
from focal_photos.resources.scenes.light import Light, choose_light, paint_sky
from focal_photos.resources.scenes.picture import Picture
from focal_photos.resources.scenes.props import paint_person, pine


def forest(rng: Rng) -> Picture:
    """Paint trunks with a path, or misty conifers in layers."""
    shape = [(360, 480), (480, 360), (320, 480)][rng.choice(3, p=[0.5, 0.35, 0.15])]
    light = choose_light(rng, noon=0.3, golden=0.2, dawn=0.16, overcast=0.08, winter=0.16, sunset=0.06, night=0.04)
    if rng.random() < 0.36 or light.low_sun or light.dark:  # too dark among trunks
        return _misty_pines(rng, shape, light)
    return _among_trunks(rng, shape, light)


def _misty_pines(rng: Rng, shape: tuple[int, int], light: Light) -> Picture:
    height, width = shape
    scene, sun = paint_sky(rng, shape, 0.5 * height, light)
    scene = mix(scene, light.horizon, np.float32(0.35))
    rows = int(rng.integers(4, 7))
    green = pick(rng, "21402f", "2b4a38", "1f3b36", "35502f")
    for i in range(rows):
        near = i / (rows - 1)
        foot = height * (0.42 + 0.62 * near)
        hill = foot + 0.05 * height * profile(rng, width, width / 1.5, octaves=3)
        tall = height * (0.12 + 0.34 * near**1.3)
        mask = below(shape, hill)
        step = tall * (0.22 + 0.10 * near)
        for x in np.arange(-step, width + step, step):
            place = float(np.clip(x + rng.normal(0, 0.4 * step), 0, width - 1))
            mask = np.maximum(
                mask, polygon(shape, pine(rng, place, float(hill[int(place)]) + 3, tall * rng.uniform(0.6, 1.25)))
            )
        tint = vary(rng, green, 0.05) * light.ambient * (0.5 if light.low_sun else 1.0) * (1.15 - 0.25 * near)
        veil = 0.80 * (1 - near) ** 1.1
        relief = 1 + 0.16 * (1 - veil) * noise(rng, shape, 3 + 5 * near, octaves=2, stretch=2.5)
        paint = (tint + (light.horizon - tint) * veil) * relief[..., None]
        scene = mix(scene, paint.astype(np.float32), mask)
        if light.name == "winter":
            frost = mask * smoothstep(noise(rng, shape, 3 + 4 * near, octaves=3, stretch=2.6), -0.1, 1.1)
            scene = mix(scene, light.horizon * 0.4 + 0.6 * color("f4f8fb"), 0.75 * frost)
        if i < rows - 1:
            y, _ = coordinates(shape)
            fog = np.exp(-(((y - foot - 0.04 * height) / (0.10 * height)) ** 2)) * smoothstep(
                noise(rng, shape, 0.2 * height, octaves=4, stretch=3), -1.6, 1.2
            )
            scene = mix(scene, light.horizon * (0.7 + 0.3 * light.lit), 0.62 * fog)
    if sun[1] > -height:
        scene = add_light(scene, light.sun, 0.28 * glow(shape, sun[0], sun[1], 0.4 * width))
    tags = {"forest", "plant/tree/pine", "mist"}
    if light.name == "winter":
        tags.add("snow")
    return Picture(finish(rng, scene), light, tags)


def _among_trunks(rng: Rng, shape: tuple[int, int], light: Light) -> Picture:
    height, width = shape
    season = "winter" if light.name == "winter" else str(rng.choice(["summer", "autumn"], p=[0.6, 0.4]))
    leaves = {
        "summer": ("5f8f34", "7da63f", "4a7a35", "94b552"),
        "autumn": ("d9822b", "e3a53a", "b8502a", "c96a24"),
        "winter": ("c9d6e0", "dde7ee", "b7c6d2", "e9f0f5"),
    }[season]
    horizon = height * rng.uniform(0.5, 0.6)
    bright = light.ambient
    air = vary(
        rng, color("e9efbf") if season == "summer" else color("fbe3b0") if season == "autumn" else color("f3f7fa"), 0.03
    ) * (0.25 + 0.75 * bright)
    scene = gradient(shape, [(0, pick(rng, *leaves) * 0.75 * bright), (horizon / height, air), (1, air * 0.8)])
    x_sun = width * rng.uniform(0.25, 0.75)
    scene = add_light(scene, light.sun * bright, 0.75 * glow(shape, x_sun, 0.55 * horizon, 0.26 * width))
    for cell, sigma, amount in ((26, 5, 0.55), (14, 2.5, 0.5)):
        clump = smoothstep(noise(rng, shape, cell, octaves=3), 0.0, 1.0) * smoothstep(
            coordinates(shape)[0], horizon * 1.02, horizon * 0.75
        )
        scene = mix(scene, pick(rng, *leaves) * bright * rng.uniform(0.7, 1.0), amount * blur(clump, sigma))

    scene = _forest_floor(rng, scene, horizon, season, bright)
    pale = rng.random() < 0.45  # birches
    bark = pick(rng, "e9e6df", "d8d6cf") if pale else pick(rng, "4d3b2d", "5a4938", "3f342b")
    layers = 4
    for i in range(layers):
        near = i / (layers - 1)
        foot = horizon + (height - horizon) * (0.03 + 0.75 * near**1.7)
        thick = width * (0.006 + 0.035 * near**1.6)
        for _ in range(int([9, 7, 5, 3][i] * rng.uniform(0.7, 1.3))):
            x = width * rng.uniform(-0.02, 1.02)
            if near > 0.6 and abs(x / width - 0.5) < 0.2:
                x += 0.25 * width * np.sign(x / width - 0.5)
            scene = _trunk(
                rng,
                scene,
                x,
                foot * rng.uniform(0.98, 1.03),
                thick * rng.uniform(0.7, 1.4),
                bark,
                pale,
                bright,
                air,
                0.72 * (1 - near),
                x_sun,
            )
        if season != "winter" or near < 0.5:
            scene = _leaves(rng, scene, pick(rng, *leaves) * bright * (1.05 - 0.35 * near), horizon, near)
    if light.name in {"golden", "dawn", "noon"} and rng.random() < 0.75:
        scene = _rays(rng, scene, x_sun, light)
    tags = {"forest", "plant/tree/birch" if pale else "plant/tree/beech"}
    tags |= {"autumn"} if season == "autumn" else {"snow"} if season == "winter" else set()
    if rng.random() < 0.2:
        foot = height * rng.uniform(0.74, 0.84)
        scene = paint_person(rng, scene, width * rng.uniform(0.44, 0.56), foot, 0.22 * height, bright * 0.85)
        tags.add("people")
    return Picture(finish(rng, scene, vignette=0.4), light, tags)


def _forest_floor(rng: Rng, scene: Image, horizon: float, season: str, bright: Color) -> Image:
    shape = scene.shape[:2]
    height, width = shape
    soil = {
        "summer": ("56713a", "6b7d43", "4f6238"),
        "autumn": ("b0692f", "c07f3a", "94552b"),
        "winter": ("e4ecf2", "d7e1ea"),
    }[season]
    litter = plane(rng, shape, horizon - 0.04 * height, 6, stretch=1.3, octaves=4)
    light = plane(rng, shape, horizon - 0.04 * height, 34, stretch=2.5, octaves=3)
    depth = 0.05 if season == "winter" else 0.16
    ground = pick(rng, *soil) * (1 + depth * litter + 0.14 * light)[..., None] * bright * 0.92
    y, x = coordinates(shape)
    line = horizon + 0.015 * height * profile(rng, width, width / 2, octaves=4)
    scene = mix(scene, ground.astype(np.float32), below(shape, line, 0.05 * height))
    far = np.clip((y - horizon) / (height - horizon), 0, 1)
    bend = rng.uniform(-0.3, 0.3) * width
    middle = width * 0.5 + bend * np.sin(2.4 * (1 - far) ** 1.5) * (1 - 0.3 * far)
    half = width * (0.012 + 0.20 * far**1.25)
    edge = np.abs(x - middle) / half + 0.10 * litter
    path = smoothstep(edge, 1.15, 0.8) * below(shape, np.full(width, horizon + 2))
    way = {"summer": color("b59f77"), "autumn": color("a88a66"), "winter": color("c3ced8")}[season]
    return mix(
        scene, (vary(rng, way) * (1 + 0.07 * litter + 0.12 * light)[..., None] * bright).astype(np.float32), 0.85 * path
    )


def _trunk(
    rng: Rng,
    scene: Image,
    x: float,
    foot: float,
    thick: float,
    bark: Color,
    pale: bool,
    bright: Color,
    air: Color,
    veil: float,
    x_sun: float,
) -> Image:
    shape = scene.shape[:2]
    height, _ = shape
    top = x + rng.normal(0, 0.04) * height
    bow = 0.5 * (x + top) + rng.normal(0, 0.015) * height
    spine = curve((x, foot), (bow, 0.5 * foot), (top, -6), points=14)
    taper = np.linspace(1.0, 0.6, 14) * thick
    taper[0] *= 1.5
    taper[1] *= 1.12
    across = np.stack([taper, np.zeros(14)], axis=1)

    def strip(a: float, b: float) -> Mask:
        return polygon(shape, np.concatenate([spine + a * across, (spine + b * across)[::-1]]))

    tone = bark * bright
    shade, lit = tone * 0.62, np.minimum(tone * 1.18, 1)
    side = 1 if x_sun > x else -1
    whole = strip(-1, 1)
    scene = mix(scene, shade + (air - shade) * veil, whole)
    for a, b, share in ((-0.1, 1.0, 0.45), (0.3, 0.95, 0.6)):
        scene = mix(scene, lit + (air - lit) * veil, share * strip(side * a, side * b))
    if thick > 3:
        grain = noise(rng, shape, 4, octaves=2, stretch=2.5) if pale else noise(rng, shape, 22, octaves=3, stretch=0.12)
        marks = smoothstep(grain, 1.0, 1.7) if pale else smoothstep(grain, 0.3, 1.6)
        scene = mix(scene, color("2b2824") * bright, whole * marks * (0.75 if pale else 0.5) * (1 - veil))
    return scene


def _leaves(rng: Rng, scene: Image, tint: Color, horizon: float, near: float) -> Image:
    """Paint a layer of foliage hanging from above; the nearest one is large, dark and sparse."""
    shape = scene.shape[:2]
    y, _ = coordinates(shape)
    fall = smoothstep(y, horizon * (1.0 - 0.35 * near), 0)
    field = noise(rng, shape, 46 + 50 * near, octaves=6, gain=0.72)
    mask = smoothstep(field + 2.4 * fall - 2.0, 0.0, 0.35) * smoothstep(fall, 0.0, 0.12)
    speckle = noise(rng, shape, 5, octaves=2)
    paint = np.clip(tint * (1 + 0.22 * speckle)[..., None], 0, 1)
    return mix(scene, paint, 0.85 * mask)


def _rays(rng: Rng, scene: Image, x_sun: float, light: Light) -> Image:
    shape = scene.shape[:2]
    height, width = shape
    origin = (x_sun, -0.25 * height)
    beams = []
    for angle in rng.uniform(-0.7, 0.7, int(rng.integers(5, 10))):
        spread = rng.uniform(0.015, 0.05)
        far = 1.5 * height
        beams.append(
            [
                origin,
                *((origin[0] + far * np.sin(a), origin[1] + far * np.cos(a)) for a in (angle - spread, angle + spread)),
            ]
        )
    mask = np.zeros(shape, np.float32)
    for beam in beams:
        mask = mask + polygon(shape, beam)
    y, _ = coordinates(shape)
    return add_light(
        scene, light.sun, 0.30 * blur(np.clip(mask, 0, 1), 0.012 * width) * smoothstep(y, 0.95 * height, 0.1 * height)
    )
