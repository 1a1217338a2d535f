# SPDX-License-Identifier: MIT
"""Cats on a window sill."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from focal_photos.resources.scenes.animals.wildlife import rounded
from focal_photos.resources.scenes.canvas import (
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
    mix,
    noise,
    pick,
    polygon,
    profile,
    smoothstep,
    strokes,
    vary,
)
from focal_photos.resources.scenes.light import Light, choose_light, paint_sky
from focal_photos.resources.scenes.picture import Picture


def cat(rng: Rng) -> Picture:
    """Paint a cat that sits on a window sill."""
    shape = [(480, 360), (400, 400), (360, 480)][rng.choice(3)]
    height, width = shape
    light = choose_light(rng, noon=0.4, golden=0.3, winter=0.12, night=0.18)
    scene = _window(rng, shape, light)
    tone = np.clip(0.55 + 0.45 * light.ambient, 0, 1)
    size, cx = 0.37 * min(height, width) * rng.uniform(0.9, 1.1), width * rng.uniform(0.4, 0.6)
    foot = height * 0.90
    fur = pick(rng, "d98f45", "5b5752", "2b2725", "efe8dc", "8f8579", "c9a37a") * tone
    pale, dark = np.minimum(fur * 1.2 + 0.10, 1), fur * 0.55
    cy = foot - 1.42 * size

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(cx + u * size, cy + v * size) for u, v in points]

    flip = float(rng.choice([-1, 1]))
    tail = curve(*at((flip * 0.45, 1.30), (flip * 1.25, 1.45), (flip * 1.05, 0.75), (flip * 0.98, 0.55)), points=30)
    shadow = blur(disc(shape, cx, foot, 0.8 * size, 0.09 * size), 5)
    scene = mix(scene, scene * np.float32(0.5), 0.8 * shadow)
    tail_mask = strokes(shape, [tail], 0.16 * size)
    scene = mix(scene, rounded(rng, shape, tail_mask, fur * 0.9), tail_mask)
    left = np.concatenate(
        [
            curve(*at((0, 0.15), (-0.42, 0.18), (-0.42, 0.62)), points=16),
            curve(*at((-0.42, 0.62), (-0.72, 1.05), (-0.58, 1.42), (0, 1.42)), points=20),
        ]
    )
    body = polygon(shape, np.concatenate([left, (left * (-1, 1) + (2 * cx, 0))[::-1]]))
    scene = mix(scene, rounded(rng, shape, body, fur), body)
    tabby = rng.random() < 0.6
    if tabby:
        bands = [
            curve(*at((s * 0.66, v), (s * 0.45, v + 0.04), (s * 0.26, v - 0.03)), points=10)
            for s in (-1, 1)
            for v in np.arange(0.62, 1.3, 0.13)
        ]
        scene = mix(scene, dark, 0.6 * blur(strokes(shape, bands, 0.05 * size), 1.2) * body)
    bib = blur(disc(shape, *at((0, 0.62))[0], 0.22 * size, 0.38 * size), 0.04 * size)
    scene = mix(scene, rounded(rng, shape, body, pale), 0.7 * bib * body)
    for s in (-1, 1):
        leg = polygon(
            shape,
            np.concatenate(
                [
                    curve(*at((s * 0.03, 0.85), (s * 0.05, 1.2), (s * 0.02, 1.43)), points=8),
                    curve(*at((s * 0.30, 1.43), (s * 0.32, 1.2), (s * 0.28, 0.85)), points=8),
                ]
            ),
        )
        scene = mix(scene, rounded(rng, shape, leg, fur * 0.97), blur(leg, 1.0) * 0.85)
        paw = disc(shape, *at((s * 0.16, 1.38))[0], 0.17 * size, 0.085 * size)
        scene = mix(scene, rounded(rng, shape, paw, pale), paw)
        ear = polygon(shape, at((s * 0.42, -0.18), (s * 0.44, -0.66), (s * 0.08, -0.36)))
        scene = mix(scene, rounded(rng, shape, ear, fur * 0.92), ear)
        scene = mix(
            scene,
            color("d99a94") * tone,
            0.8 * blur(polygon(shape, at((s * 0.37, -0.24), (s * 0.39, -0.54), (s * 0.16, -0.34))), 1.0),
        )
    head = np.maximum(
        disc(shape, *at((0, -0.05))[0], 0.50 * size, 0.40 * size),
        disc(shape, *at((0, 0.08))[0], 0.47 * size, 0.30 * size),
    )
    scene = mix(
        scene,
        scene * np.float32(0.65),
        0.6 * blur(disc(shape, *at((0, 0.26))[0], 0.36 * size, 0.2 * size), 0.05 * size) * body,
    )
    scene = mix(scene, rounded(rng, shape, head, fur), head)
    if tabby:
        marks = [at((u, -0.42), (0.7 * u, -0.22)) for u in (-0.16, 0.0, 0.16)] + [
            at((s * 0.48, v), (s * 0.30, v + 0.03)) for s in (-1, 1) for v in (0.02, 0.12)
        ]
        scene = mix(scene, dark, 0.65 * blur(strokes(shape, marks, 0.04 * size), 1.0) * head)
    iris = pick(rng, "b9c93f", "e0a930", "5fa8b0", "7fb05a")
    for s in (-1, 1):
        muzzle = blur(disc(shape, *at((s * 0.09, 0.17))[0], 0.13 * size, 0.10 * size), 1.5)
        scene = mix(scene, pale, 0.9 * muzzle)
        lids = np.concatenate(
            [
                curve(*at((s * 0.10, -0.02), (s * 0.18, -0.17), (s * 0.32, -0.07)), points=14),
                curve(*at((s * 0.32, -0.07), (s * 0.22, 0.06), (s * 0.10, -0.02)), points=14),
            ]
        )
        eye = polygon(shape, lids)
        scene = mix(scene, color("1a1513"), strokes(shape, [np.concatenate([lids, lids[:1]])], 2.2))
        scene = mix(scene, iris, eye)
        ex, ey = at((s * 0.205, -0.055))[0]
        scene = mix(
            scene, color("0b0908"), disc(shape, ex, ey, (0.06 if light.dark else 0.028) * size, 0.085 * size) * eye
        )
        scene = add_light(scene, color("ffffff"), disc(shape, ex - 0.03 * size, ey - 0.03 * size, max(0.018 * size, 1)))
    scene = mix(scene, color("c97f7a") * tone, polygon(shape, at((-0.055, 0.075), (0.055, 0.075), (0, 0.135))))
    mouth = [curve(*at((0, 0.135), (s * 0.03, 0.23), (s * 0.12, 0.20)), points=10) for s in (-1, 1)]
    scene = mix(scene, dark * 0.6, strokes(shape, mouth, 1.4))
    whiskers = [
        curve(*at((s * 0.16, 0.15 + 0.03 * k), (s * 0.45, 0.10 + 0.06 * k), (s * 0.72, 0.08 + 0.12 * k)), points=12)
        for s in (-1, 1)
        for k in (-1, 0, 1)
    ]
    scene = mix(scene, color("fbf8f2") * tone, 0.75 * strokes(shape, whiskers, 0.7))
    return Picture(finish(rng, scene, vignette=0.4), light, {"animal", "animal/cat", "pet", "indoors"})


def _window(rng: Rng, shape: tuple[int, int], light: Light) -> Image:
    """Paint a window sill with the weather outside."""
    height, width = shape
    view, _ = paint_sky(rng, shape, 0.62 * height, light)
    hills = 0.55 * height + 0.04 * height * profile(rng, width, width / 2, octaves=4)
    land = pick(rng, "5f7f4a", "7a9458") if light.name != "winter" else color("e4ebf1")
    view = blur(mix(view, land * light.ambient, below(shape, hills)), 3.5)
    if light.dark:
        for _ in range(26):
            spot = disc(shape, width * rng.random(), height * rng.uniform(0.4, 0.72), width * rng.uniform(0.008, 0.025))
            view = add_light(view, pick(rng, "ffc46b", "ff9a5a", "8fd0ff"), 0.6 * blur(spot, 1.5))
    tone = np.clip(0.45 + 0.55 * light.ambient, 0, 1)
    frame, sill = pick(rng, "e9e2d5", "8a6547", "c9c2b8", "5d6b70") * tone, 0.84 * height
    bars: list[ArrayLike] = [
        [(0, 0), (width, 0)],
        [(0, 0), (0, height)],
        [(width, 0), (width, height)],
        [(0.5 * width, 0), (0.5 * width, height)],
        [(0, 0.36 * height), (width, 0.36 * height)],
    ]
    for line, thick in zip(bars, (20, 26, 26, 13, 9), strict=True):
        view = mix(view, frame, strokes(shape, [line], thick))
        edge = np.array(line, np.float64) + thick / 2
        view = mix(view, frame * 0.7, strokes(shape, [edge], 2.0))
    for s in (0, 1):  # curtains
        reach = width * rng.uniform(0.08, 0.16)
        x = coordinates(shape)[1] if s == 0 else width - coordinates(shape)[1]
        folds = 0.8 + 0.2 * np.cos(x / width * 2 * np.pi * 14 + rng.uniform(0, 6))
        cloth = vary(rng, color("d9c7a9"), 0.02) * tone
        mask = np.broadcast_to(smoothstep(reach - x, -2, 2), shape)
        view = mix(view, np.broadcast_to(cloth * folds[..., None], (*shape, 3)), 0.93 * mask)
    y, _ = coordinates(shape)
    grain = noise(rng, shape, 4, octaves=3, stretch=9)
    wood = pick(rng, "a9744a", "8f6a4c", "c79b6b") * tone * (0.95 + 0.06 * grain)[..., None]
    view = mix(view, np.clip(wood, 0, 1).astype(np.float32), np.broadcast_to(np.clip(y - sill + 0.5, 0, 1), shape))
    return mix(view, wood * 0.6, np.broadcast_to(np.exp(-(((y - sill) / 3.0) ** 2)), shape) * 0.5)
