# SPDX-License-Identifier: MIT
"""Faces: the position of the head, its skin and its features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.resources.scenes.canvas import (
    Color,
    Image,
    Mask,
    Rng,
    add_light,
    blur,
    color,
    coordinates,
    curve,
    disc,
    glow,
    mix,
    pick,
    polygon,
    smoothstep,
    strokes,
)


@dataclass(frozen=True)
class Head:
    """Position of the head: centre, half width and half height in pixels, and sideways orientation (-1..1)."""

    x: float
    y: float
    a: float
    b: float
    turn: float

    def at(self, *points: tuple[float, float]) -> list[tuple[float, float]]:
        """Convert points in half widths and half heights from the centre to pixels."""
        return [(self.x + u * self.a, self.y + v * self.b) for u, v in points]


def outline(head: Head, jaw: float) -> NDArray[np.float64]:
    """Return the outline (80, 2) of a face; `jaw` is the width of the chin, 0..1."""
    t = np.linspace(0, 2 * np.pi, 80, endpoint=False)
    u, v = np.sin(t), -np.cos(t)
    lower = np.clip(v, 0, 1)
    u = u * (1 - (1 - jaw) * lower**1.7)
    return np.stack([head.x + u * head.a, head.y + v * head.b * (1 + 0.02 * lower)], axis=1)


def _relief(shape: tuple[int, int], head: Head, side: float) -> Mask:
    """Return the amount of light on each point of a round head, 0..1."""
    y, x = coordinates(shape)
    u, v = (x - head.x) / (1.15 * head.a), (y - head.y) / (1.25 * head.b)
    z = np.sqrt(np.clip(1 - u * u - v * v, 0, 1))
    return np.clip(0.30 + 0.42 * side * u - 0.30 * v + 0.62 * z, 0, 1).astype(np.float32)


def face(rng: Rng, scene: Image, head: Head, skin: Color, deep: Color, side: float) -> Image:
    """Paint ears and skin, lit from one side (-1 left, 1 right)."""
    shape = scene.shape[:2]
    for sign in (-1, 1):
        ear = disc(shape, head.x + sign * 0.98 * head.a, head.y + 0.08 * head.b, 0.14 * head.a, 0.2 * head.b)
        inner = disc(shape, head.x + sign * 0.99 * head.a, head.y + 0.09 * head.b, 0.07 * head.a, 0.12 * head.b)
        scene = mix(mix(scene, 0.75 * skin + 0.25 * deep, ear), deep, 0.5 * inner)
    face = polygon(shape, outline(head, rng.uniform(0.66, 0.8)))
    light = _relief(shape, head, side)
    surface = mix(np.broadcast_to(deep, scene.shape).astype(np.float32), skin, smoothstep(light, 0.05, 0.75))
    surface = mix(surface, np.clip(skin * 1.06 + 0.01, 0, 1), 0.5 * smoothstep(light, 0.72, 1.0))
    scene = mix(scene, surface, face)
    blush = np.clip(skin * np.array([1.06, 0.80, 0.80], np.float32), 0, 1)
    for sign in (-1, 1):
        cheek = glow(
            shape, head.x + (sign * 0.52 + 0.06 * head.turn) * head.a, head.y + 0.32 * head.b, 0.26 * head.a, 2
        )
        scene = mix(scene, blush, 0.45 * cheek * face)
    return scene


def features(rng: Rng, scene: Image, head: Head, skin: Color, deep: Color, hair: Color, tone: Color) -> Image:
    """Paint eyes, brows, nose and mouth."""
    shape = scene.shape[:2]
    shift = 0.07 * head.turn
    iris = pick(rng, "4a2f1d", "3a5f7d", "4d6b3c", "6b4a2a", "22180f") * tone
    open_eye = rng.uniform(0.075, 0.10)
    lid = deep * 0.45
    for sign in (-1, 1):
        ex, ey = shift + sign * 0.40, 0.02
        socket = glow(shape, head.x + ex * head.a, head.y + (ey - 0.05) * head.b, 0.25 * head.a, 2)
        scene = mix(scene, deep, 0.28 * socket)
        upper = curve(*head.at((ex - 0.20, ey + 0.015), (ex, ey - 1.9 * open_eye), (ex + 0.20, ey + 0.005)), points=16)
        lower = curve(*head.at((ex + 0.20, ey + 0.005), (ex, ey + 1.25 * open_eye), (ex - 0.20, ey + 0.015)), points=16)
        white = polygon(shape, np.concatenate([upper, lower]))
        scene = mix(scene, color("f4f1ee") * tone * 0.96, white)
        cx, cy = head.at((ex + 0.02 * head.turn, ey - 0.01))[0]
        r = 0.115 * head.a
        scene = mix(scene, iris, white * disc(shape, cx, cy, r))
        scene = mix(scene, iris * 1.5, white * disc(shape, cx, cy + 0.3 * r, 0.6 * r) * 0.5)
        scene = mix(scene, color("0d0b0b"), white * disc(shape, cx, cy, 0.45 * r))
        scene = mix(scene, color("ffffff"), disc(shape, cx - 0.35 * r, cy - 0.35 * r, max(0.24 * r, 0.8)))
        scene = mix(scene, deep * 0.6, white * smoothstep(coordinates(shape)[0], cy - 0.2 * r, cy - 1.1 * r) * 0.45)
        scene = mix(scene, lid, strokes(shape, [upper], max(1.0, 0.022 * head.b)))
        scene = mix(scene, deep * 0.8, 0.5 * strokes(shape, [lower], 1.0))
        brow = curve(
            *head.at((ex - sign * 0.20, -0.17), (ex + sign * 0.02, -0.29), (ex + sign * 0.26, -0.17)), points=16
        )
        thick = np.linspace(0.035, 0.012, 16)[:, None] * head.b * (0, 1)
        scene = mix(scene, hair * 0.75, 0.9 * polygon(shape, np.concatenate([brow - thick, (brow + thick)[::-1]])))
    nx = shift * 1.5
    bridge = curve(*head.at((nx - 0.06, -0.05), (nx - 0.10, 0.2), (nx - 0.13, 0.36)), points=12)
    scene = mix(scene, deep, 0.30 * blur(strokes(shape, [bridge], 0.05 * head.b), 0.02 * head.b))
    scene = mix(
        scene, np.clip(skin * 1.15 + 0.03, 0, 1), 0.55 * glow(shape, *head.at((nx + 0.02, 0.30))[0], 0.07 * head.a, 2)
    )
    base = curve(*head.at((nx - 0.15, 0.355), (nx, 0.455), (nx + 0.15, 0.355)), points=14)
    scene = mix(scene, deep * 0.8, 0.6 * blur(strokes(shape, [base], max(1.2, 0.022 * head.b)), 0.8))
    # The mouth: two lips and the line between them, with a varying smile.
    smile, full = rng.uniform(0.0, 0.075), rng.uniform(0.045, 0.075)
    lips = np.clip(skin * np.array([0.92, 0.58, 0.56], np.float32), 0, 1)
    if rng.random() < 0.35:
        lips = pick(rng, "b8323f", "c75a6a", "a0404a") * tone
    mx, my, w = shift * 1.2, 0.60, rng.uniform(0.30, 0.38)
    corner_l, corner_r, middle = (mx - w, my - smile), (mx + w, my - smile), (mx, my + 1.1 * smile)
    line = curve(*head.at(corner_l, (mx, my + 2.2 * smile), corner_r), points=20)
    top = curve(
        *head.at(
            corner_l,
            (mx - 0.12, my - 1.8 * full + smile),
            (mx, my - 0.7 * full + smile),
            (mx + 0.12, my - 1.8 * full + smile),
            corner_r,
        ),
        points=24,
    )
    under = curve(*head.at(corner_l, (mx, my + 2.6 * full + 2.2 * smile), corner_r), points=20)
    scene = mix(scene, lips * 0.85, polygon(shape, np.concatenate([top, line[::-1]])))
    scene = mix(scene, lips, polygon(shape, np.concatenate([line, under[::-1]])))
    if smile > 0.045:
        teeth = curve(
            *head.at((mx - 0.75 * w, my - 0.5 * smile), (mx, my + 3.6 * smile), (mx + 0.75 * w, my - 0.5 * smile)),
            points=20,
        )
        inner = line[3:-3]
        scene = mix(scene, color("f6f1ea") * tone, polygon(shape, np.concatenate([inner, teeth[::-1]])) * 0.95)
    scene = mix(scene, deep * 0.55, 0.85 * strokes(shape, [line], 1.2))
    scene = add_light(
        scene, color("ffffff"), 0.22 * glow(shape, *head.at((middle[0], my + 1.1 * full + smile))[0], 0.09 * head.a, 2)
    )
    return mix(scene, deep, 0.25 * glow(shape, *head.at((mx, my + 0.17))[0], 0.13 * head.a, 2))


def glasses(rng: Rng, scene: Image, head: Head) -> Image:
    """Paint glasses on a face."""
    shape = scene.shape[:2]
    frame = pick(rng, "1d1b1b", "6b3a24", "8a8d92")
    shift = 0.07 * head.turn
    rings, t = [], np.linspace(0, 2 * np.pi, 40)
    squarish = rng.uniform(0.6, 1.0)
    for sign in (-1, 1):
        u = np.sign(np.cos(t)) * np.abs(np.cos(t)) ** squarish * 0.30
        v = np.sign(np.sin(t)) * np.abs(np.sin(t)) ** squarish * 0.19
        rings.append(np.stack([head.x + (shift + sign * 0.40 + u) * head.a, head.y + (0.03 + v) * head.b], axis=1))
    glass = polygon(shape, *rings)
    scene = add_light(scene, color("dfeaf2"), 0.10 * glass)
    lines: list[ArrayLike] = [
        *rings,
        curve(*head.at((shift - 0.11, 0.0), (shift, -0.06), (shift + 0.11, 0.0))),
        *(head.at((shift + s * 0.70, -0.02), (s * 0.98, -0.04)) for s in (-1, 1)),
    ]
    return mix(scene, frame, strokes(shape, lines, max(2.0, 0.028 * head.b)))
