# SPDX-License-Identifier: MIT
"""Songbirds and owls."""

from __future__ import annotations

import numpy as np

from focal_photos.resources.scenes.animals.wildlife import eye, leafy, rounded
from focal_photos.resources.scenes.canvas import (
    Image,
    Rng,
    blur,
    color,
    curve,
    disc,
    finish,
    mix,
    noise,
    pick,
    polygon,
    rotated,
    strokes,
    vary,
)
from focal_photos.resources.scenes.light import Light, choose_light, paint_sky
from focal_photos.resources.scenes.picture import Picture
from focal_photos.resources.scenes.props import pine

_SHAPES = [(360, 480), (320, 480), (480, 360), (400, 400)]


def songbird(rng: Rng) -> Picture:
    """Paint a songbird on a branch."""
    shape = _SHAPES[rng.choice(4)]
    height, width = shape
    light = choose_light(rng, noon=0.45, golden=0.25, winter=0.22, dawn=0.08)
    scene = leafy(rng, shape, light)
    y = height * rng.uniform(0.66, 0.76)
    scene = _branch(rng, scene, y, light, leaves=rng.random() < 0.7)
    size, flip = 0.30 * min(height, width) * rng.uniform(0.85, 1.15), float(rng.choice([-1, 1]))
    cx, cy = width * rng.uniform(0.42, 0.58), y - 0.62 * size
    back, belly, cap = [
        ("4f7fb5", "e8a15a", "3a5f96"),
        ("7a5b45", "d9583a", "5a4636"),
        ("6b8f3f", "f0d24a", "23262b"),
        ("c23b32", "d9625a", "7f1f22"),
        ("5f6670", "f2eee6", "22252b"),
        ("e2b02f", "f4d864", "2a2a2a"),
    ][rng.integers(6)]
    tone = np.clip(0.3 + 0.7 * light.ambient, 0, 1)
    colors = [vary(rng, color(c), 0.03) * tone for c in (back, belly, cap)]

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(cx + flip * u * size, cy + v * size) for u, v in points]

    legs = [at((0.02, 0.5), (0.0, 0.66)), at((0.16, 0.5), (0.17, 0.66))]
    scene = mix(scene, color("4a3a30") * tone, strokes(shape, legs, max(2.0, 0.025 * size)))
    tail = polygon(shape, at((-0.40, 0.12), (-1.15, 0.42), (-1.18, 0.55), (-1.05, 0.58), (-0.30, 0.36)))
    scene = mix(scene, rounded(rng, shape, tail, colors[0] * 0.7), tail)
    body = polygon(
        shape,
        np.concatenate(
            [
                curve(*at((0.34, -0.52), (0.82, -0.15), (0.72, 0.52), (0.05, 0.58)), points=24),
                curve(*at((0.05, 0.58), (-0.5, 0.55), (-0.75, 0.1), (-0.25, -0.25), (0.05, -0.60)), points=24),
            ]
        ),
    )
    head = disc(shape, *at((0.24, -0.46))[0], 0.36 * size, 0.34 * size)
    whole = np.maximum(body, head)
    scene = mix(scene, rounded(rng, shape, whole, colors[0], fur=0.05), whole)
    front = polygon(
        shape,
        np.concatenate(
            [
                curve(*at((0.42, -0.36), (0.86, -0.05), (0.72, 0.52), (0.05, 0.58)), points=24),
                curve(*at((0.05, 0.58), (0.05, 0.2), (0.42, -0.36)), points=16),
            ]
        ),
    )
    scene = mix(scene, rounded(rng, shape, whole, colors[1], fur=0.05), blur(front, 0.02 * size) * whole)
    crown = polygon(
        shape,
        np.concatenate(
            [
                curve(*at((-0.10, -0.42), (0.05, -0.90), (0.55, -0.85), (0.58, -0.52)), points=20),
                curve(*at((0.58, -0.52), (0.2, -0.55), (-0.10, -0.42)), points=12),
            ]
        ),
    )
    scene = mix(scene, rounded(rng, shape, whole, colors[2], fur=0.05), blur(crown, 0.012 * size) * whole)
    wing = polygon(
        shape,
        np.concatenate(
            [
                curve(*at((0.20, -0.18), (-0.25, -0.22), (-0.85, 0.42)), points=20),
                curve(*at((-0.85, 0.42), (-0.2, 0.52), (0.22, 0.12), (0.20, -0.18)), points=20),
            ]
        ),
    )
    scene = mix(scene, scene * np.float32(0.7), 0.5 * blur(wing, 0.04 * size) * whole * (1 - wing))
    scene = mix(scene, rounded(rng, shape, wing, colors[0] * 0.8, fur=0.07), wing)
    feathers = [
        curve(
            *at((0.10 - 0.1 * k, -0.05 + 0.05 * k), (-0.25, 0.08 + 0.07 * k), (-0.75 + 0.08 * k, 0.40 + 0.02 * k)),
            points=14,
        )
        for k in range(5)
    ]
    scene = mix(scene, colors[0] * 0.45, 0.7 * strokes(shape, feathers, 1.4) * wing)
    scene = mix(scene, np.minimum(colors[1] * 1.1, 1), 0.6 * strokes(shape, [feathers[1] + (0, -2)], 2.0) * wing)
    beak = polygon(shape, at((0.55, -0.52), (0.86, -0.43), (0.55, -0.38)))
    scene = mix(scene, color("3a332c") * tone, beak)
    scene = eye(scene, *at((0.38, -0.50))[0], 0.055 * size, color("1a1412"))
    tags = {"animal", "animal/bird", "wildlife"} | ({"snow"} if light.name == "winter" else set())
    return Picture(finish(rng, scene, vignette=0.4), light, tags)


def owl(rng: Rng) -> Picture:
    """Paint an owl that looks out of the night or the snow."""
    shape = [(480, 360), (400, 400), (360, 480)][rng.choice(3)]
    height, width = shape
    light = choose_light(rng, night=0.6, dusk=0.25, winter=0.15)
    if light.name == "winter":
        scene = leafy(rng, shape, light)
    else:
        scene, _ = paint_sky(rng, shape, 0.85 * height, light)
        trees = np.concatenate(
            [[pine(rng, x, height + 5, height * rng.uniform(0.15, 0.4))] for x in rng.uniform(0, width, 1)]
        )
        outlines = [pine(rng, x, height + 5, height * rng.uniform(0.12, 0.36)) for x in np.linspace(0, width, 12)]
        scene = mix(scene, light.zenith * 0.5 + light.middle * 0.15, blur(polygon(shape, *trees, *outlines), 2.5))
    tone = np.clip(0.45 + 0.55 * light.ambient, 0, 1)
    y = height * rng.uniform(0.76, 0.84)
    scene = _branch(rng, scene, y, light, leaves=False)
    size = 0.40 * min(height, width) * rng.uniform(0.85, 1.1)
    cx, cy = width * rng.uniform(0.42, 0.58), y - 0.86 * size
    plumage = pick(rng, "8a6a4a", "a08468", "6f6257", "c9b79f", "e9e4dc") * tone
    dark, pale = plumage * 0.5, np.minimum(plumage * 1.35 + 0.06, 1)

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(cx + u * size, cy + v * size) for u, v in points]

    left = np.concatenate(
        [
            curve(*at((0, -0.66), (-0.30, -0.68), (-0.52, -0.88), (-0.50, -0.45)), points=16),
            curve(*at((-0.50, -0.45), (-0.72, 0.35), (-0.42, 0.92), (0.0, 0.95)), points=24),
        ]
    )
    body = polygon(shape, np.concatenate([left, (left * (-1, 1) + (2 * cx, 0))[::-1]]))
    scene = mix(scene, rounded(rng, shape, body, plumage, fur=0.06), body)
    chest = disc(shape, *at((0, 0.35))[0], 0.36 * size, 0.56 * size)
    scene = mix(scene, rounded(rng, shape, body, pale), 0.75 * blur(chest, 0.05 * size) * body)
    flecks = [
        curve(*at((u - 0.05, v), (u, v + 0.07), (u + 0.05, v)), points=8)
        for v in np.arange(0.05, 0.85, 0.14)
        for u in np.arange(-0.28, 0.29, 0.14) + (0.07 if round(v / 0.14) % 2 else 0)
    ]
    scene = mix(scene, dark, 0.6 * strokes(shape, flecks, max(1.5, 0.02 * size)) * body)
    for sign in (-1, 1):
        wing = polygon(
            shape,
            np.concatenate(
                [
                    curve(*at((sign * 0.46, -0.25), (sign * 0.78, 0.3), (sign * 0.40, 0.95)), points=20),
                    curve(*at((sign * 0.40, 0.95), (sign * 0.30, 0.4), (sign * 0.46, -0.25)), points=16),
                ]
            ),
        )
        scene = mix(scene, rounded(rng, shape, wing, plumage * 0.72), wing)
        face = disc(shape, *at((sign * 0.22, -0.32))[0], 0.27 * size, 0.29 * size)
        scene = mix(scene, pale * 0.95, 0.85 * blur(face, 0.02 * size))
        ex, ey = at((sign * 0.21, -0.32))[0]
        scene = mix(scene, dark * 0.7, disc(shape, ex, ey, 0.155 * size))
        scene = eye(scene, ex, ey, 0.135 * size, pick(rng, "f2b21c", "f5c93a", "e8862a"))
    scene = mix(scene, color("3b3128") * tone, polygon(shape, at((-0.055, -0.22), (0.055, -0.22), (0, -0.06))))
    toes = [at((s * 0.18 + k, 0.90), (s * 0.18 + k, 1.0)) for s in (-1, 1) for k in (-0.05, 0, 0.05)]
    scene = mix(scene, color("b59a6a") * tone, strokes(shape, toes, max(2.5, 0.035 * size)))
    return Picture(finish(rng, scene, vignette=0.45), light, {"animal", "animal/bird", "animal/bird/owl", "wildlife"})


def _branch(rng: Rng, scene: Image, y: float, light: Light, *, leaves: bool) -> Image:
    shape = scene.shape[:2]
    height, width = shape
    spine = curve(
        (-10, y + rng.uniform(-0.06, 0.06) * height),
        (0.5 * width, y + 0.02 * height),
        (width + 10, y + rng.uniform(-0.10, 0.10) * height),
        points=40,
    )
    thick = np.linspace(0.030, 0.016, 40)[:, None] * height * (0, 1)
    wood = pick(rng, "6b4f3a", "5a4636", "7a6350") * light.ambient
    mask = polygon(shape, np.concatenate([spine - thick, (spine + thick)[::-1]]))
    bark = noise(rng, shape, 5, octaves=3, stretch=3)
    scene = mix(scene, np.clip(wood * (0.85 + 0.22 * bark)[..., None], 0, 1), mask)
    scene = mix(scene, np.minimum(wood * 1.5, 1), 0.5 * strokes(shape, [spine - 0.7 * thick], 2.0))
    if light.name == "winter":
        scene = mix(scene, color("f6f9fb"), strokes(shape, [spine - 1.0 * thick], 0.022 * height))
    elif leaves:
        green = pick(rng, "5f8f3f", "7fa34a", "c98a3a", "4c7d44") * light.ambient
        for i in rng.integers(2, 38, int(rng.integers(5, 11))):
            angle, length = rng.uniform(-1.2, 1.2) + rng.choice([0, np.pi]), height * rng.uniform(0.05, 0.10)
            leaf = np.concatenate(
                [curve((0, 0), (0.5, -0.38), (1, 0), points=12), curve((1, 0), (0.5, 0.38), (0, 0), points=12)]
            )
            scene = mix(scene, green * rng.uniform(0.75, 1.2), polygon(shape, rotated(leaf * length, angle) + spine[i]))
            scene = mix(
                scene,
                green * 0.7,
                strokes(shape, [rotated(np.array([(0, 0), (1, 0)]) * length, angle) + spine[i]], 1.0),
            )
    return scene
