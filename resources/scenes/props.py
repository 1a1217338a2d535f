# SPDX-License-Identifier: MIT
"""Objects used in several kinds of scenes: trees, people, birds, sails. Functions return outlines and masks."""

from __future__ import annotations

import numpy as np

from focal_photos.resources.scenes.canvas import (
    Color,
    Image,
    Mask,
    Points,
    Rng,
    blur,
    curve,
    disc,
    mix,
    noise,
    pick,
    polygon,
    rotated,
    smoothstep,
    strokes,
)


def pine(rng: Rng, x: float, foot: float, height: float) -> Points:
    """Return the outline of a conifer."""
    levels = int(np.clip(height / 7, 4, 16))
    width = height * rng.uniform(0.17, 0.25)
    left, right = [(x, foot - height)], [(x, foot - height)]
    for i in range(1, levels + 1):
        y = foot - height + height * 0.94 * i / levels
        reach = width * (i / levels) ** 0.85
        for side, sign in ((left, -1), (right, 1)):
            out = reach * rng.uniform(0.8, 1.15)
            side.append((x + sign * out, y + 0.012 * height))
            side.append((x + sign * out * 0.5, y - 0.012 * height))
    trunk = 0.02 * height
    left += [(x - trunk, foot - 0.06 * height), (x - trunk, foot)]
    right += [(x + trunk, foot - 0.06 * height), (x + trunk, foot)]
    return np.array(left + right[::-1])


def crown(
    rng: Rng, shape: tuple[int, int], x: float, y: float, radius: float, *, loose: float = 0.5
) -> tuple[Mask, Mask]:
    """Return the mask of a leafy crown around a point, and the light on each point (0..1, from the upper left)."""
    rows, columns = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    body = np.full(shape, -9.0, np.float32)
    lit = np.zeros(shape, np.float32)
    for _ in range(9):
        angle, far = rng.uniform(0, 2 * np.pi), radius * 0.62 * np.sqrt(rng.random())
        cx, cy = x + 1.15 * far * np.cos(angle), y + 0.85 * far * np.sin(angle)
        r = radius * rng.uniform(0.35, 0.6)
        ball = 1 - np.hypot(columns - cx, rows - cy) / r
        lit = np.where(ball > body, 0.55 - 0.45 * ((columns - cx) * 0.5 + (rows - cy)) / r, lit)
        body = np.maximum(body, ball)
    leaves = noise(rng, shape, max(radius * 0.22, 3), octaves=4, gain=0.7)
    mask = smoothstep(body + 0.16 * loose * leaves, -0.06, 0.06)
    return mask, np.clip(lit + 0.22 * leaves, 0, 1).astype(np.float32)


def palm(rng: Rng, shape: tuple[int, int], x: float, foot: float, height: float, lean: float) -> tuple[Mask, Mask]:
    """Return the masks of a palm's trunk and of its fronds."""
    top = (x + lean * height, foot - height)
    spine = curve((x, foot), (x + 0.15 * lean * height, foot - 0.6 * height), top, points=20)
    thick = np.linspace(0.034, 0.018, 20) * height
    trunk = polygon(
        shape,
        np.concatenate([spine + np.stack([thick, 0 * thick], 1), (spine - np.stack([thick, 0 * thick], 1))[::-1]]),
    )
    lines, widths = [], []
    for angle in np.linspace(-0.3, np.pi + 0.3, 9) + rng.normal(0, 0.14, 9):
        length = height * rng.uniform(0.42, 0.56)
        dx, dy = np.cos(angle) * length, -np.sin(angle) * length
        rib = curve(
            top,
            (top[0] + 0.55 * dx, top[1] + 0.75 * dy - 0.16 * length),
            (top[0] + dx, top[1] + dy * 0.55 + 0.42 * length),
            points=26,
        )
        lines.append(rib)
        widths.append(max(1.0, 0.012 * height))
        for i in range(2, 26):
            along = rib[i] - rib[i - 1]
            along = along / max(np.hypot(*along), 1e-6)
            leaf = 0.125 * height * np.sin(np.pi * (0.12 + 0.88 * i / 26)) ** 0.8
            for side in (-1, 1):
                tip = rib[i] + leaf * (0.7 * along + side * 0.6 * np.array([-along[1], along[0]]) + (0, 0.3))
                lines.append(np.stack([rib[i], tip]))
                widths.append(0.6)
    return trunk, strokes(shape, lines, widths)


def person(rng: Rng, x: float, feet: float, height: float) -> list[Points]:
    """Return the outlines of a distant person, standing or walking."""
    stride = rng.uniform(0.02, 0.16) * height
    lean = rng.uniform(-0.02, 0.02) * height
    hip, shoulder = feet - 0.48 * height, feet - 0.82 * height
    t = np.linspace(0, 2 * np.pi, 20)
    head = np.stack([x + lean + 0.065 * height * np.cos(t), feet - 0.92 * height + 0.08 * height * np.sin(t)], 1)
    w = 0.085 * height
    skirt = rng.random() < 0.35
    flare = 0.15 * height if skirt else 0.075 * height
    body = np.array(
        [
            (x - w, shoulder),
            (x + w, shoulder),
            (x + 0.075 * height, hip - 0.1 * height),
            (x + flare, hip + (0.16 * height if skirt else 0.03 * height)),
            (x - flare, hip + (0.16 * height if skirt else 0.03 * height)),
            (x - 0.075 * height, hip - 0.1 * height),
        ]
    )
    parts = [
        head,
        body,
        _limb((x - 0.035 * height, hip), (x - stride, feet), 0.038 * height),
        _limb((x + 0.035 * height, hip), (x + stride, feet), 0.038 * height),
    ]
    swing = rng.uniform(0.06, 0.16) * height
    hand, arm = hip + 0.02 * height, shoulder + 0.02 * height
    sides = ((x + side * w * 0.9, x + side * (w + swing)) for side in (-1, 1))
    parts += [_limb((top, arm), (low, hand), 0.026 * height) for top, low in sides]
    return parts


def paint_person(rng: Rng, scene: Image, x: float, feet: float, height: float, ambient: Color) -> Image:
    """Paint a clothed person with a shadow into the scene; `ambient` is the light."""
    shape = scene.shape[:2]
    shadow = blur(disc(shape, x + 0.25 * height, feet, 0.35 * height, 0.035 * height), 1.2)
    scene = mix(scene, scene * np.float32(0.6), 0.8 * shadow)
    head, body, *limbs = person(rng, x, feet, height)
    skin = pick(rng, "c68a63", "8d5b3f", "e0ac82") * ambient
    cloth = pick(rng, "c94f4f", "2f6f9f", "f1e3c6", "37474f", "e2a33b", "6b8f71") * ambient
    trousers = pick(rng, "2f3b4c", "4b3f35", "5a6673", "7a6a55") * ambient
    hair = pick(rng, "2b211b", "5a3d28", "8a6a3f") * ambient
    scene = mix(scene, trousers, polygon(shape, *limbs[:2]))
    scene = mix(scene, skin, polygon(shape, *limbs[2:]))
    scene = mix(scene, cloth, polygon(shape, body))
    scene = mix(scene, skin, polygon(shape, head))
    return mix(scene, hair, polygon(shape, head[10:]))


def _limb(start: tuple[float, float], end: tuple[float, float], width: float) -> Points:
    a, b = np.array(start), np.array(end)
    along = (b - a) / max(np.hypot(*(b - a)), 1e-6)
    across = np.array([-along[1], along[0]]) * width
    return np.stack([a + across, a - across, b - 0.7 * across, b + 0.7 * across])


def gulls(rng: Rng, shape: tuple[int, int], box: tuple[float, float, float, float], count: int, size: float) -> Mask:
    """Return the mask of flying birds within a box (x0, y0, x1, y1)."""
    outlines = []
    for _ in range(count):
        x, y = rng.uniform(box[0], box[2]), rng.uniform(box[1], box[3])
        span = size * rng.uniform(0.6, 1.3)
        lift, tilt = rng.uniform(0.15, 0.5), rng.normal(0, 0.25)
        upper = np.concatenate(
            [
                curve((-1, 0.1), (-0.55, -lift * 1.6), (0, 0), points=8),
                curve((0, 0), (0.55, -lift * 1.6), (1, 0.1), points=8),
            ]
        )
        lower = np.concatenate(
            [
                curve((1, 0.1), (0.5, -lift * 1.1), (0.12, 0.17), points=8),
                curve((-0.12, 0.17), (-0.5, -lift * 1.1), (-1, 0.1), points=8),
            ]
        )
        outlines.append(rotated(np.concatenate([upper, lower]) * span, tilt) + np.array((x, y)))
    mask = np.zeros(shape, np.float32)
    for outline in outlines:
        mask = np.maximum(mask, polygon(shape, outline))
    return mask
