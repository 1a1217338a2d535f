# SPDX-License-Identifier: MIT
"""Flower scenes: close up in front of a blurred garden, or as a field under the sky."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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
    finish,
    glow,
    gradient,
    mix,
    noise,
    pick,
    plane,
    polygon,
    profile,
    rotated,
    smoothstep,
    strokes,
    vary,
)
from focal_photos.resources.scenes.light import Light, choose_light, paint_sky
from focal_photos.resources.scenes.picture import Picture
from focal_photos.resources.scenes.props import pine


@dataclass(frozen=True)
class _Kind:
    """A flower: petals per ring, rings, pointedness of petals, share of the heart, colours of petals and heart."""

    name: str
    petals: tuple[int, int]
    rings: int
    point: float
    heart: float
    colors: tuple[str, ...]
    inner: str
    center: str


_KINDS = (
    _Kind("daisy", (15, 22), 1, 0.45, 0.24, ("fbfaf4", "f7f3ff", "fff4f7"), "e9ead0", "f2bd2a"),
    _Kind("sunflower", (17, 23), 2, 1.0, 0.40, ("f7c41f", "f2ab1c"), "e07d10", "4a2c16"),
    _Kind("poppy", (4, 5), 2, 0.28, 0.16, ("e2382c", "ee5a35", "d42a3a"), "8f1420", "231a20"),
    _Kind("cosmos", (8, 8), 1, 0.35, 0.15, ("e979b5", "c95bb0", "f4b5d4", "fdf1f7"), "b13f8f", "f0c02f"),
    _Kind("gerbera", (22, 28), 3, 0.6, 0.20, ("f2663f", "f38fb0", "f9c846", "e14b6e"), "c93a2f", "5b2a24"),
    _Kind("dahlia", (11, 14), 6, 0.75, 0.05, ("b5306a", "d9465f", "8e3a9c", "f0a04b", "efe2f2"), "6d1546", "f0d27a"),
    _Kind("rose", (5, 6), 6, 0.2, 0.04, ("c9213f", "f19ab0", "fae3d2", "e8b23d", "fdf6f0"), "7f0f26", "f3dfae"),
    _Kind("anemone", (6, 8), 2, 0.3, 0.20, ("5e63c9", "8c6fd1", "d65f9d", "f4f3fb"), "e9e6fa", "1f2238"),
)


def flower(rng: Rng) -> Picture:
    """Paint one to several blossoms close up, or a field of them."""
    if rng.random() < 0.28:
        return _field(rng)
    shape = [(360, 480), (480, 360), (400, 400)][rng.choice(3, p=[0.5, 0.3, 0.2])]
    height, width = shape
    light = choose_light(rng, noon=0.5, golden=0.24, overcast=0.1, dawn=0.12, night=0.04)
    kind = _KINDS[rng.integers(len(_KINDS))]
    scene = _garden(rng, shape, light)
    petal = pick(rng, *kind.colors)
    strength = np.clip(light.ambient * 1.02, 0, 1)

    # Out-of-focus blossoms of the same kind first, then the ones in focus.
    for sigma, count, size in ((7.0, int(rng.integers(1, 4)), 0.16), (3.0, int(rng.integers(0, 3)), 0.2)):
        layer, cover = np.zeros((*shape, 3), np.float32), np.zeros(shape, np.float32)
        for _ in range(count):
            place = (width * rng.uniform(0.0, 1.0), height * rng.uniform(0.05, 0.8))
            layer, cover = _blossom(
                rng, layer, cover, kind, place, height * size * rng.uniform(0.6, 1.1), petal, strength
            )
        if count:
            soft = blur(cover, sigma)
            scene = mix(scene, blur(layer, sigma) / np.maximum(soft, 1e-3)[..., None], soft)
    count = int(rng.choice([1, 1, 1, 2, 3]))
    for i in range(count):
        radius = height * (rng.uniform(0.30, 0.40) if count == 1 else rng.uniform(0.17, 0.25))
        x = width * (rng.uniform(0.38, 0.62) if count == 1 else (i + 0.5) / count + rng.uniform(-0.06, 0.06))
        y = height * rng.uniform(0.36, 0.52)
        scene = _stem(rng, scene, x, y, radius, strength)
        tint = petal if rng.random() < 0.7 else pick(rng, *kind.colors)
        scene, _ = _blossom(rng, scene, np.ones(shape, np.float32), kind, (x, y), radius, tint, strength)
    tags = {"flower", f"plant/flower/{kind.name}", "close-up"}
    if rng.random() < 0.25:
        tags.add("dew")
        scene = _dew(rng, scene)
    return Picture(finish(rng, scene, vignette=0.45, bloom=0.3), light, tags)


def _garden(rng: Rng, shape: tuple[int, int], light: Light) -> Image:
    """Paint far out-of-focus greens and lights."""
    height, width = shape
    greens = [pick(rng, "2f5a2e", "4c7a35", "6f9a45", "27493a", "8fae5a", "3a6b52") * light.ambient for _ in range(3)]
    scene = gradient(shape, [(0, greens[0] * 1.1), (0.5, greens[1]), (1, greens[2] * 0.55)])
    for cell in (0.55, 0.3):
        patch = smoothstep(noise(rng, shape, cell * height, octaves=2), -0.3, 1.4)
        other = pick(rng, "a9c46c", "d8d69a", "567f4a", "1f3d2c", "7aa6a0", "e3c98a") * light.ambient
        scene = mix(scene, other, 0.55 * blur(patch, 0.03 * width))
    for _ in range(int(rng.integers(8, 22))):
        r = width * rng.uniform(0.015, 0.06)
        ring = disc(shape, width * rng.random(), height * rng.random() * 0.9, r)
        scene = add_light(
            scene, 0.5 * light.sun + 0.5 * greens[int(rng.integers(3))], rng.uniform(0.06, 0.28) * blur(ring, 1.2)
        )
    if light.height > 0:
        scene = add_light(scene, light.sun, 0.45 * glow(shape, width * rng.random(), -0.05 * height, 0.6 * width))
    return scene


def _stem(rng: Rng, scene: Image, x: float, y: float, radius: float, strength: Color) -> Image:
    shape = scene.shape[:2]
    height = shape[0]
    green = pick(rng, "4d7d35", "5f8f3f", "3f6b3a") * strength
    foot = x + rng.uniform(-0.5, 0.5) * radius
    spine = curve((x, y), (x + rng.uniform(-0.2, 0.2) * radius, 0.5 * (y + height)), (foot, height + 20), points=30)
    scene = mix(scene, green * 0.75, strokes(shape, [spine], max(3.0, 0.09 * radius)))
    scene = mix(scene, green * 1.15, strokes(shape, [spine - (0.015 * radius + 0.5, 0)], max(1.0, 0.03 * radius)))
    for side in (-1, 1):
        if rng.random() < 0.75:
            at = spine[int(rng.integers(12, 22))]
            reach, rise = radius * rng.uniform(0.8, 1.3), radius * rng.uniform(0.1, 0.6)
            tip = at + np.array((side * reach, -rise))
            middle = 0.5 * (at + tip)
            upper = curve(tuple(at), (middle[0], middle[1] - 0.32 * radius), tuple(tip), points=20)
            lower = curve(tuple(tip), (middle[0], middle[1] + 0.26 * radius), tuple(at), points=20)
            scene = mix(scene, green * 0.95, polygon(shape, np.concatenate([upper, lower])))
            rib = curve(tuple(at), (middle[0], middle[1] - 0.03 * radius), tuple(tip), points=20)
            scene = mix(scene, green * 0.7, polygon(shape, np.concatenate([rib, lower])) * 0.7)
            scene = mix(scene, np.minimum(green * 1.4, 1), strokes(shape, [rib], 1.0) * 0.6)
    return scene


def _blossom(
    rng: Rng,
    scene: Image,
    cover: Mask,
    kind: _Kind,
    place: tuple[float, float],
    radius: float,
    tint: Color,
    strength: Color,
) -> tuple[Image, Mask]:
    """Paint one blossom from above, ring by ring; return the scene and the mask covered so far."""
    height, width = scene.shape[:2]
    reach = 1.15 * radius
    top, bottom = (int(np.clip(e, 0, height)) for e in (place[1] - reach, place[1] + reach))
    left, right = (int(np.clip(e, 0, width)) for e in (place[0] - reach, place[0] + reach))
    if bottom - top < 4 or right - left < 4:
        return scene, cover
    window = np.s_[top:bottom, left:right]
    scene, cover = scene.copy(), cover.copy()
    center = (place[0] - left, place[1] - top)
    scene[window], cover[window] = _rings(rng, scene[window], cover[window], kind, center, radius, tint, strength)
    return scene, cover


def _rings(
    rng: Rng,
    scene: Image,
    cover: Mask,
    kind: _Kind,
    place: tuple[float, float],
    radius: float,
    tint: Color,
    strength: Color,
) -> tuple[Image, Mask]:
    shape = scene.shape[:2]
    y, x = coordinates(shape)
    squash, turn = rng.uniform(0.78, 1.0), rng.uniform(0, np.pi)
    dx, dy = x - place[0], y - place[1]
    u = dx * np.cos(turn) + dy * np.sin(turn)
    v = (dy * np.cos(turn) - dx * np.sin(turn)) / squash
    r, theta = np.hypot(u, v) / radius, np.arctan2(v, u)
    count = int(rng.integers(kind.petals[0], kind.petals[1] + 1))
    fibre = noise(rng, (1, 720), 1.0, octaves=1, stretch=5)[0]
    veins = fibre[((theta + np.pi) * (719 / (2 * np.pi))).astype(np.intp)]
    wobble = noise(rng, shape, max(0.3 * radius, 4), octaves=3)
    inner = color(kind.inner)
    for ring in range(kind.rings):
        share = ring / max(kind.rings, 1)
        size = 1.0 - 0.88 * share if kind.rings > 3 else 1.0 - 0.30 * share
        phase = theta * count / (2 * np.pi) + 0.5 * ring + 0.13 * ring * rng.random() + 0.05 * wobble
        part = phase - np.round(phase)  # across the petal, -0.5..0.5
        edge = size * (1 - 0.55 * np.abs(2 * part) ** (2.6 - 1.4 * kind.point)) * (1 + 0.03 * wobble)
        edge = edge if kind.point < 0.9 else size * (1 - np.abs(2 * part) ** 1.3 * 0.75)
        mask = smoothstep(edge - r, -0.012, 0.012)
        shadow = smoothstep(edge * 1.05 + 0.06 - r, -0.05, 0.10)
        if ring:
            scene = mix(scene, scene * np.float32(0.55), 0.55 * shadow * (1 - mask) * cover)
        along = np.clip(r / size, 0, 1)
        base = mix(
            np.broadcast_to(inner, (*shape, 3)).astype(np.float32),
            tint * (1 - 0.05 * ring % 0.15),
            smoothstep(along, 0.05, 0.65),
        )
        # One side of each petal is under its neighbour; the middle is a shallow groove.
        tone = 1.0 - 0.30 * smoothstep(part, 0.12, 0.5) - 0.10 * np.exp(-((part / 0.06) ** 2)) + 0.05 * veins
        tone = tone * (0.82 + 0.24 * along) * (1 + 0.10 * (-dy - dx) / radius)
        tone = tone * (1 - 0.30 * share if kind.rings > 3 else 1.0)
        scene = mix(scene, np.clip(base * tone[..., None], 0, 1) * strength, mask)
        cover = np.maximum(cover, mask)
    heart = kind.heart
    if heart > 0:
        seeds = noise(rng, shape, max(0.05 * radius, 2), octaves=2)
        mask = smoothstep(heart - r, -0.012, 0.012)
        dome = (
            0.75
            + 0.35 * smoothstep(r, heart, 0.3 * heart)
            + 0.20 * seeds
            - 0.25 * np.exp(-((r / (0.35 * heart)) ** 2)) * (kind.rings > 1)
        )
        scene = mix(scene, scene * np.float32(0.6), 0.6 * smoothstep(heart * 1.35 - r, 0, 0.12) * (1 - mask))
        scene = mix(scene, np.clip(color(kind.center) * dome[..., None], 0, 1) * strength, mask)
        cover = np.maximum(cover, mask)
    return scene, cover


def _dew(rng: Rng, scene: Image) -> Image:
    shape = scene.shape[:2]
    height, width = shape
    for _ in range(int(rng.integers(10, 24))):
        r = rng.uniform(1.5, 4.5)
        x, y = width * rng.uniform(0.25, 0.75), height * rng.uniform(0.2, 0.7)
        scene = mix(scene, scene * np.float32(0.72), 0.8 * disc(shape, x + 0.3 * r, y + 0.4 * r, r))
        scene = add_light(scene, color("ffffff"), 0.25 * disc(shape, x, y, r))
        scene = add_light(scene, color("ffffff"), 0.95 * disc(shape, x - 0.35 * r, y - 0.35 * r, 0.28 * r))
    return scene


def _field(rng: Rng) -> Picture:
    """Paint rows of blossoms that extend to the horizon."""
    shape = [(360, 480), (320, 480), (270, 480)][rng.choice(3)]
    height, width = shape
    light = choose_light(rng, noon=0.5, golden=0.22, sunset=0.18, dawn=0.1)
    horizon = height * rng.uniform(0.32, 0.5)
    scene, _ = paint_sky(rng, shape, horizon, light)
    hills = horizon - 0.03 * height * (1 + profile(rng, width, width / 2, octaves=4).clip(-1))
    mask = np.clip(coordinates(shape)[0] - hills[None, :] + 0.5, 0, 1)
    scene = mix(scene, 0.5 * light.horizon + 0.5 * pick(rng, "5f7d5a", "6f8a6a", "577083") * light.ambient, mask)
    outlines = [
        pine(rng, x, horizon + 2, height * rng.uniform(0.03, 0.07))
        for x in rng.uniform(0, width, int(rng.integers(0, 40)))
    ]
    if outlines:
        scene = mix(scene, color("3c5a44") * light.ambient * 0.8, polygon(shape, *outlines))
    name, palette = [
        ("tulip", ("e23b3b", "f6c430", "e878a8", "f4f0ea", "8a3fa0", "f0803c")),
        ("poppy", ("e2382c",)),
        ("lavender", ("8a6fd0", "7659bd")),
        ("sunflower", ("f5bd1f",)),
    ][rng.integers(4)]
    y, x = coordinates(shape)
    far = np.clip((y - horizon) / (height - horizon), 0, 1)
    row = (x - width * rng.uniform(0.3, 0.7)) / (0.02 * width + far * width * 0.85) * rng.uniform(5, 8)
    row = row + 0.25 * plane(rng, shape, horizon, 30) * far
    place = np.floor(row)
    ridge = np.cos(2 * np.pi * (row - place - 0.5)) * 0.5 + 0.5
    heads = plane(rng, shape, horizon, 5, stretch=1.0, octaves=2)
    green = pick(rng, "3f6b33", "557d3a") * light.ambient
    ground = np.clip(green * (0.8 + 0.2 * heads[..., None]), 0, 1)
    scene = mix(scene, ground.astype(np.float32), np.broadcast_to(smoothstep(y, horizon - 1, horizon + 1), shape))
    paints = np.stack([vary(rng, color(palette[i % len(palette)]), 0.04) for i in range(24)])
    bed = paints[np.mod(place, 24).astype(np.intp) if len(palette) > 1 else np.zeros(shape, np.intp)]
    bed = np.clip(bed * (1 + 0.20 * heads)[..., None], 0, 1) * (0.15 + 0.85 * light.ambient)
    dense = (
        smoothstep(ridge + 0.28 * heads, 0.35, 0.75)
        if rng.random() < 0.75 or len(palette) > 1
        else smoothstep(heads, 0.0, 0.5)
    )
    scene = mix(scene, bed.astype(np.float32), dense * smoothstep(y, horizon, horizon + 4))
    scene = mix(
        scene,
        light.horizon,
        (0.5 * np.exp(-far * 9) * (y > horizon)).astype(np.float32) * np.ones((1, width), np.float32),
    )
    tags = {"flower", "field", f"plant/flower/{name}"}
    if rng.random() < 0.3:
        tags.add("windmill")
        scene = _windmill(rng, scene, width * rng.choice([0.2, 0.8]), horizon + 3, 0.34 * height, light)
    return Picture(finish(rng, scene), light, tags)


def _windmill(rng: Rng, scene: Image, x: float, foot: float, tall: float, light: Light) -> Image:
    shape = scene.shape[:2]
    strength = light.ambient * (0.4 if light.low_sun else 0.9)
    wall = pick(rng, "8a6a55", "d8cdbd", "6f7a72") * strength
    hub = (x, foot - 0.72 * tall)
    body = [
        (x - 0.17 * tall, foot),
        (x - 0.10 * tall, foot - 0.7 * tall),
        (x + 0.10 * tall, foot - 0.7 * tall),
        (x + 0.17 * tall, foot),
    ]
    scene = mix(scene, wall, polygon(shape, body))
    scene = mix(
        scene, wall * 0.7, polygon(shape, [(x + 0.03 * tall, foot), (x + 0.02 * tall, foot - 0.7 * tall), *body[2:]])
    )
    cap = curve((x - 0.12 * tall, foot - 0.69 * tall), (x, foot - 0.95 * tall), (x + 0.12 * tall, foot - 0.69 * tall))
    scene = mix(scene, color("5a4034") * strength, polygon(shape, cap))
    sails, arms = [], []
    for angle in rng.uniform(0, np.pi / 2) + np.arange(4) * np.pi / 2:
        sail = np.array([(0.1, 0.0), (0.48, 0.0), (0.48, 0.08), (0.1, 0.08)])
        sails.append(rotated(sail * tall, angle) + np.array(hub))
        arms.append(rotated(np.array([(0.0, 0.0), (0.48, 0.0)]) * tall, angle) + np.array(hub))
    scene = mix(scene, color("f1e9da") * strength, 0.75 * polygon(shape, *sails))
    return mix(scene, color("4a382c") * strength, strokes(shape, arms, 1.6))
