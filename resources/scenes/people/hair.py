# SPDX-License-Identifier: MIT
"""Hair, hats, scarves and beards of portraits."""

from __future__ import annotations

import numpy as np

from focal_photos.resources.scenes.canvas import (
    Color,
    Image,
    Rng,
    add_light,
    blur,
    color,
    coordinates,
    curve,
    disc,
    glow,
    mix,
    noise,
    pick,
    polygon,
    smoothstep,
)
from focal_photos.resources.scenes.people.faces import Head, outline


def hair_behind(rng: Rng, scene: Image, head: Head, style: str, hair: Color) -> Image:
    """Paint the hair behind neck and shoulders."""
    shape = scene.shape[:2]
    if style in {"short", "bald", "hat"}:
        return scene
    if style == "bun":
        knot = disc(shape, head.x + 0.12 * head.turn * head.a, head.y - 1.22 * head.b, 0.42 * head.a, 0.34 * head.b)
        return mix(scene, _strands(rng, shape, hair * 0.85, False), knot)
    length = {
        "long": rng.uniform(1.7, 2.3),
        "bob": rng.uniform(0.75, 1.0),
        "curly": rng.uniform(0.6, 1.2),
        "scarf": 1.5,
    }[style]
    if style == "scarf":
        return scene
    wide = {"long": 1.28, "bob": 1.32, "curly": 1.5}[style]
    left = curve(*head.at((0, -1.2), (-wide - 0.12, -1.2), (-wide, 0.0), (-wide - 0.02, length)), points=30)
    mass = np.concatenate([left, (left * (-1, 1) + (2 * head.x, 0))[::-1]])
    mask = polygon(shape, mass)
    if style == "curly":
        y, x = coordinates(shape)
        around = 1 - np.hypot((x - head.x) / (1.48 * head.a), (y - head.y + 0.15 * head.b) / (1.32 * head.b))
        mask = smoothstep(around + 0.055 * noise(rng, shape, 12, octaves=2), -0.03, 0.03)
    return mix(scene, _strands(rng, shape, hair * 0.7, style == "curly"), mask)


def hair_before(rng: Rng, scene: Image, head: Head, style: str, hair: Color, side: float) -> Image:
    """Paint the hair, hat or scarf on the forehead."""
    shape = scene.shape[:2]
    y, x = coordinates(shape)
    if style == "bald":
        return add_light(
            scene,
            color("ffffff"),
            0.25 * glow(shape, head.x + 0.25 * side * head.a, head.y - 0.72 * head.b, 0.3 * head.a, 2),
        )
    if style == "scarf":
        left = np.concatenate(
            [
                curve(*head.at((0, -1.16), (-1.25, -1.2), (-1.25, 0.2), (-0.95, 1.3)), points=30),
                curve(*head.at((-0.95, 1.3), (-0.8, 1.75), (0, 1.8)), points=12),
            ]
        )
        outer = np.concatenate([left, (left * (-1, 1) + (2 * head.x, 0))[::-1]])
        hole = outline(Head(head.x, head.y + 0.08 * head.b, 0.86 * head.a, 0.88 * head.b, 0), 0.8)
        mask = np.clip(polygon(shape, outer) - polygon(shape, hole), 0, 1)
        folds = noise(rng, shape, 60, octaves=2, stretch=1.5)
        tint = pick(rng, "b5525c", "3f6f8a", "4a8f8f", "7a5a8c", "4f7d6a", "c77a95")
        tone = 0.88 + 0.05 * folds + 0.18 * side * np.clip((x - head.x) / head.a, -1, 1)
        return mix(scene, np.clip(tint * tone[..., None], 0, 1), mask)
    if style == "hat":
        brim = 0.38
        for sign in (-1, 1):
            lock = curve(*head.at((sign * 0.99, -0.45), (sign * 1.08, -0.1), (sign * 0.93, 0.2)), points=12)
            back = curve(*head.at((sign * 0.93, 0.2), (sign * 0.90, -0.15), (sign * 0.70, -0.45)), points=12)
            scene = mix(scene, hair * 0.9, polygon(shape, np.concatenate([lock, back])))
        crown = np.concatenate(
            [
                curve(*head.at((-1.06, -brim), (-1.15, -1.35), (0, -1.38)), points=20),
                curve(*head.at((0, -1.38), (1.15, -1.35), (1.06, -brim)), points=20),
            ]
        )
        tint = pick(rng, "b83a3a", "2f4f7d", "e8e0d0", "4d6b4a", "d59a34", "33343a")
        knit = 0.07 * np.cos((x - head.x) * 2 * np.pi / 9) * np.ones_like(y)
        tone = 0.9 + knit + 0.2 * side * np.clip((x - head.x) / head.a, -1, 1)
        scene = mix(scene, np.clip(tint * tone[..., None], 0, 1), polygon(shape, crown))
        band = np.concatenate(
            [
                curve(*head.at((-1.09, -brim), (0, -brim - 0.12), (1.09, -brim)), points=16),
                curve(*head.at((1.06, -brim - 0.24), (0, -brim - 0.36), (-1.06, -brim - 0.24)), points=16),
            ]
        )
        scene = mix(scene, np.clip(tint * 0.82 * tone[..., None], 0, 1), polygon(shape, band))
        ball = smoothstep(
            1
            - np.hypot(x - head.x, y - head.y + 1.45 * head.b) / (0.26 * head.a)
            + 0.1 * noise(rng, shape, 6, octaves=2),
            -0.05,
            0.1,
        )
        return mix(
            scene, np.clip(color("f4efe6") * (0.9 + 0.1 * noise(rng, shape, 4, octaves=2))[..., None], 0, 1), ball
        )
    part = rng.uniform(-0.5, 0.5)
    down = {"short": 0.05, "long": 0.75, "bob": 0.62, "bun": -0.02, "curly": 0.05}[style]
    line = -0.62 if style in {"short", "curly"} else -0.55
    left = np.concatenate(
        [
            curve(*head.at((part, -1.14), (-1.18, -1.22), (-1.16, -0.2), (-1.08, down)), points=26),
            curve(*head.at((-1.08, down), (-0.92, down - 0.2), (-0.86, -0.30), (part - 0.1, line - 0.22)), points=22),
        ]
    )
    right = np.concatenate(
        [
            curve(*head.at((part - 0.1, line - 0.22), (0.80, -0.50), (0.90, down - 0.35), (1.08, down)), points=22),
            curve(*head.at((1.08, down), (1.16, -0.2), (1.18, -1.22), (part, -1.14)), points=26),
        ]
    )
    mask = np.maximum(polygon(shape, left, right), polygon(shape, np.concatenate([left, right])))
    if style == "short":
        tuft = noise(rng, (1, shape[1]), 1.0, octaves=1, stretch=7)[0] * 0.03 * head.b
        fringe = smoothstep(
            head.y - (0.66 + 0.06 * np.cos((x - head.x) / head.a * 1.6)) * head.b + tuft[None, :] - y, -1.0, 1.0
        )
        mask = np.maximum(
            mask,
            polygon(shape, outline(Head(head.x, head.y - 0.06 * head.b, 1.07 * head.a, 1.08 * head.b, 0), 0.8))
            * fringe,
        )
    if style == "curly":
        mask = smoothstep(blur(mask, 0.05 * head.b) + 0.10 * noise(rng, shape, 9, octaves=2), 0.42, 0.58)
    shades = _strands(rng, shape, hair, style == "curly")
    shine = np.exp(-(((y - head.y + 0.82 * head.b) / (0.13 * head.b)) ** 2)) * np.exp(
        -(((x - head.x - 0.35 * side * head.a) / (0.6 * head.a)) ** 2)
    )
    shades = np.clip(
        shades * (0.88 + 0.30 * side * np.clip((x - head.x) / (1.4 * head.a), -1, 1) + 0.35 * shine)[..., None], 0, 1
    )
    scene = mix(scene, scene * np.float32(0.7), 0.6 * blur(mask, 0.035 * head.b) * (1 - mask))
    return mix(scene, shades, mask)


def _strands(rng: Rng, shape: tuple[int, int], hair: Color, curly: bool) -> Image:
    grain = noise(rng, shape, 9, octaves=3) if curly else noise(rng, shape, 40, octaves=4, stretch=0.09, gain=0.75)
    sheen = noise(rng, shape, 70, octaves=2, stretch=1.5)
    shades = np.clip(
        hair * (1 + (0.20 - 0.10 * float(hair.mean())) * grain + 0.12 * sheen)[..., None] + 0.012 * sheen[..., None],
        0,
        1,
    )
    return shades.astype(np.float32)


def beard(rng: Rng, scene: Image, head: Head, hair: Color) -> Image:
    """Paint a full beard around the mouth."""
    shape = scene.shape[:2]
    outer = polygon(shape, outline(Head(head.x, head.y + 0.05 * head.b, 1.0 * head.a, 1.03 * head.b, 0), 0.76))
    y, x = coordinates(shape)
    top = 0.40 - 0.42 * np.clip(np.abs(x - head.x) / head.a - 0.55, 0, 1)
    mask = outer * smoothstep((y - head.y) / head.b, top, top + 0.10)
    mouth = disc(shape, head.x + 0.08 * head.turn * head.a, head.y + 0.62 * head.b, 0.40 * head.a, 0.12 * head.b)
    grain = noise(rng, shape, 5, octaves=3)
    return mix(
        scene,
        np.clip(hair * (1 + 0.2 * grain)[..., None], 0, 1),
        np.clip(mask - 0.9 * blur(mouth, 1.5), 0, 1) * (0.82 + 0.06 * grain),
    )
