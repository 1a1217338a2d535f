# SPDX-License-Identifier: MIT
"""City scenes, as a skyline over water or along a street, mostly at night."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from focal_photos.resources.scenes.canvas import (
    Color,
    Image,
    Mask,
    Rng,
    Sketch,
    add_light,
    blur,
    color,
    coordinates,
    curve,
    disc,
    displaced,
    finish,
    glow,
    mix,
    noise,
    pick,
    plane,
    smoothstep,
    strokes,
    vary,
)
from focal_photos.resources.scenes.light import Light, choose_light, haze, paint_sky, paint_water
from focal_photos.resources.scenes.picture import Picture
from focal_photos.resources.scenes.props import paint_person

_WINDOW_COLORS = ("ffd58a", "ffbf66", "ffe3b0")
_NEON = ("ff5fa2", "58d6ff", "ffd257", "8affc1", "c08bff", "ff8a4c")


def city(rng: Rng) -> Picture:
    """Paint a skyline behind a river, or a street between lit houses."""
    light = choose_light(rng, night=0.5, dusk=0.2, sunset=0.12, golden=0.08, noon=0.06, winter=0.04)
    if rng.random() < 0.6:
        return _skyline(rng, light)
    return _street(rng, light)


def _skyline(rng: Rng, light: Light) -> Picture:
    shape = [(360, 480), (320, 480), (270, 480), (480, 360)][rng.choice(4, p=[0.5, 0.2, 0.15, 0.15])]
    height, width = shape
    shore = height * rng.uniform(0.6, 0.74)
    scene, sun = paint_sky(rng, shape, shore, light)
    if light.dark or light.name == "dusk":  # the city lights illuminate the air above
        y, _ = coordinates(shape)
        scene = add_light(
            scene,
            pick(rng, "c8743a", "a05a78", "3f6fa8"),
            0.8 * smoothstep(y, 0.1 * shore, shore) * np.ones((1, width), np.float32),
        )
    lamps = 0.75 if light.dark else 0.6 if light.name == "dusk" else 0.28 if light.name == "sunset" else 0.0
    rows = 3
    for i in range(rows):
        near = i / (rows - 1)
        scene = _block(rng, scene, shore, near, light, lamps)
        if i < rows - 1:
            y, _ = coordinates(shape)
            veil = smoothstep(y, shore - 0.45 * height, shore) * np.ones((1, width), np.float32)
            scene = haze(scene, veil, light, 0.22 if light.dark else 0.4)
    tags = {"city", "architecture", "skyline"}
    if rng.random() < 0.85:
        tags |= {"water", "river"}
        if rng.random() < 0.35:
            tags.add("bridge")
            scene = _bridge(rng, scene, shore, light, lamps)
        deep = pick(rng, "10243a", "1b2f45", "24404f")
        scene = paint_water(rng, scene, shore, light, sun, deep=deep, waves=rng.uniform(0.15, 0.45))
    else:
        tags.add("park")
        scene = _park(rng, scene, shore, light, lamps)
    return Picture(finish(rng, scene, bloom=0.6 if lamps else 0.25), light, tags)


def _block(rng: Rng, scene: Image, shore: float, near: float, light: Light, lamps: float) -> Image:
    """Paint one row of buildings; nearer rows are lower and darker."""
    shape = scene.shape[:2]
    height, width = shape
    peak = width * rng.uniform(0.25, 0.75)
    sketch, beacons = Sketch(scene), []
    x = -width * 0.05
    while x < width:
        w = width * rng.uniform(0.035, 0.085) * (0.9 + 0.5 * near)
        rise = 0.35 + 0.65 * np.exp(-(((x + w / 2 - peak) / (0.28 * width)) ** 2))
        tall = height * rng.uniform(0.12, 0.56) * rise * (1 - 0.45 * near)
        top = shore - max(tall, 0.05 * height)
        wall = pick(rng, "5a6272", "6b6259", "4c5a6b", "7c7268", "58606a", "8a7f74")
        tone = wall * light.ambient * (0.75 if lamps else 1.0) * (1.1 - 0.25 * near)
        outline = _tower(rng, x, top, w, shore)
        sketch.fill(tone, outline)
        sketch.fill(tone * 0.72, outline[outline[:, 0] >= x + 0.62 * w])
        if rng.random() < 0.3:
            tip = top - rng.uniform(0.03, 0.09) * height
            sketch.fill(tone * 0.6, [(x + w / 2 - 0.7, top), (x + w / 2, tip), (x + w / 2 + 0.7, top)])
            beacons.append((x + w / 2, tip))
        glass = tone * 0.55 if lamps else tone * 0.6 + 0.25 * light.middle
        _windows(rng, sketch, (x, top, x + w, shore), lamps * rng.uniform(0.5, 1.2), glass)
        x += w * rng.uniform(0.85, 1.15)
    scene = sketch.done()
    if lamps:
        for place in beacons:
            scene = add_light(scene, color("ff4b3e"), 0.9 * glow(shape, *place, 1.6))
    return scene


def _tower(rng: Rng, x: float, top: float, w: float, foot: float) -> NDArray[np.float64]:
    """Return an outline with enough points to be cut at any column."""
    form = rng.integers(5)
    right = x + w
    corners = [(x, foot), (x, top), (right, top), (right, foot)]
    if form == 0:  # set back
        a, b, step = x + 0.2 * w, right - 0.2 * w, top + 0.14 * (foot - top)
        corners = [(x, foot), (x, step), (a, step), (a, top), (b, top), (b, step), (right, step), (right, foot)]
    elif form == 1:  # slanted
        corners = [(x, foot), (x, top + 0.25 * w), (right, top - 0.25 * w), (right, foot)]
    elif form == 2:  # spire
        apex = [(x + 0.3 * w, top), (x + 0.5 * w, top - 0.9 * w), (x + 0.7 * w, top)]
        corners = [(x, foot), (x, top), *apex, (right, top), (right, foot)]
    closed = np.array([*corners, corners[0]])
    t = np.arange(len(closed) * 12 - 11) / 12
    return np.stack([np.interp(t, np.arange(len(closed)), closed[:, i]) for i in (0, 1)], axis=1)


def _windows(rng: Rng, sketch: Sketch, box: tuple[float, float, float, float], lamps: float, glass: Color) -> None:
    """Fill a front (x0, y0, x1, y1) with windows, some of them lit."""
    left, top, right, foot = box
    across, down = rng.uniform(4.0, 6.5), rng.uniform(5.0, 8.0)
    columns, rows = np.arange(left + 3, right - 3.5, across), np.arange(top + 5, foot - 5, down)
    on = rng.random((len(rows), len(columns))) < lamps * 0.75
    if rng.random() < 0.3:  # offices: whole floors are lit
        on = on | (rng.random((len(rows), 1)) < lamps * 0.3)
    lamp = pick(rng, *_WINDOW_COLORS, "e9f3ff")
    w, h = 0.55 * across, 0.55 * down
    for y, floor in zip(rows, on, strict=True):
        for x, lit in zip(columns, floor, strict=True):
            shown = lamp * rng.uniform(0.55, 1.0) if lit else glass
            sketch.fill(shown, [(x, y), (x + w, y), (x + w, y + h), (x, y + h)])


def _bridge(rng: Rng, scene: Image, shore: float, light: Light, lamps: float) -> Image:
    shape = scene.shape[:2]
    height, width = shape
    tone = pick(rng, "3a3f4a", "6b4038", "4a5560") * light.ambient * 0.8
    deck = shore - 0.05 * height
    towers = (0.22 * width, 0.78 * width)
    top = deck - 0.27 * height
    lines: list[ArrayLike] = [[(0, deck), (width, deck)]]
    widths = [4.0]
    for x in towers:
        lines += [
            [(x - 5, shore), (x - 4, top)],
            [(x + 5, shore), (x + 4, top)],
            [(x - 5, top + 12), (x + 5, top + 12)],
        ]
        widths += [3.0, 3.0, 2.0]
    middle = curve((towers[0], top), (width / 2, 2 * deck - top - 12), (towers[1], top), points=40)
    left = curve((-0.2 * width, deck - 8), (0.1 * width, deck), (towers[0], top), points=24)
    right = left * (-1, 1) + np.array((width, 0))
    for cable in (middle, left, right):
        lines.append(cable)
        widths.append(1.4)
        lines += [[p, (p[0], deck)] for p in cable[::2]]
        widths += [0.5] * len(cable[::2])
    scene = mix(scene, tone, strokes(shape, lines, widths))
    if lamps:
        for x in np.arange(6, width, 17):
            scene = add_light(scene, color("ffd9a0"), glow(shape, float(x), deck - 3, 2.6))
    return scene


def _park(rng: Rng, scene: Image, shore: float, light: Light, lamps: float) -> Image:
    shape = scene.shape[:2]
    height, width = shape
    lawn = pick(rng, "4f6b3a", "5a7440") if light.name != "winter" else color("dfe7ee")
    ground = lawn * light.ambient * (1 + 0.12 * plane(rng, shape, shore - 10, 7))[..., None]
    scene = mix(
        scene,
        ground.astype(np.float32),
        np.broadcast_to(smoothstep(coordinates(shape)[0], shore - 1, shore + 1), shape),
    )
    leaves = noise(rng, shape, 12, octaves=4, gain=0.7)
    crowns = ("3f6a38", "557a3a", "49703a") if rng.random() < 0.7 else ("c07a35", "b8602f", "cf9a3f")
    for _ in range(int(rng.integers(8, 15))):
        x, r = rng.uniform(0, width), height * rng.uniform(0.035, 0.085)
        foot = shore + rng.uniform(0.0, 0.12) * height
        tree = smoothstep(
            1 - np.hypot(coordinates(shape)[1] - x, (coordinates(shape)[0] - foot + 1.3 * r) / 1.1) / r + 0.16 * leaves,
            -0.05,
            0.1,
        )
        scene = mix(scene, color("4b3a2c") * light.ambient, strokes(shape, [[(x, foot), (x, foot - r)]], 0.16 * r))
        leaf = pick(rng, *crowns) if light.name != "winter" else color("d5dee6")
        scene = mix(scene, np.clip(leaf * light.ambient * (1 + 0.2 * leaves)[..., None], 0, 1), tree)
    if lamps:
        for x in np.arange(0.06 * width, width, 0.11 * width):
            scene = add_light(scene, color("ffd59a"), glow(shape, x + rng.normal(0, 6), shore + 0.08 * height, 9, 1.3))
    return scene


def _street(rng: Rng, light: Light) -> Picture:
    shape = [(480, 360), (360, 480)][rng.choice(2, p=[0.6, 0.4])]
    height, width = shape
    eye = height * rng.uniform(0.5, 0.6)
    x0 = width * rng.uniform(0.42, 0.58)
    scene, _ = paint_sky(rng, shape, eye, light)
    lamps = 1.0 if light.dark else 0.7 if light.low_sun else 0.0
    rainy = lamps > 0 and rng.random() < 0.6
    if lamps:
        scene = add_light(scene, pick(rng, "ffb36b", "ff8f80", "8fb7ff"), 0.7 * glow(shape, x0, eye, 0.22 * width))
    for side in (-1, 1):
        scene = _house_row(rng, scene, x0, eye, side, light, lamps)
    scene = _roadway(rng, scene, x0, eye, light, lamps, rainy)
    tags = {"city", "street", "architecture"}
    if rng.random() < 0.6:
        tags.add("people")
        for _ in range(int(rng.integers(2, 7))):
            far = rng.uniform(0.12, 0.55)
            foot = eye + (height - eye) * far
            x = x0 + rng.choice([-1, 1]) * width * rng.uniform(0.35, 0.62) * far * 1.15
            scene = paint_person(
                rng, scene, float(x), foot, 0.78 * (foot - eye) + 4, light.ambient * (0.6 if lamps else 0.95)
            )
    if lamps:
        tags.add("lights")
        scene = _traffic(rng, scene, x0, eye)
    if rainy:
        tags.add("rain")
    return Picture(finish(rng, scene, bloom=0.8 if lamps else 0.25, vignette=0.4), light, tags)


def _house_row(rng: Rng, scene: Image, x0: float, eye: float, side: int, light: Light, lamps: float) -> Image:
    """Paint fronts along one side, each a quadrilateral with the vanishing point (x0, eye)."""
    shape = scene.shape[:2]
    height, width = shape
    edges = [0.05]
    while edges[-1] < 1.25:
        edges.append(edges[-1] * rng.uniform(1.35, 1.75) + 0.02)
    span = 1.12 * max(x0, width - x0)
    sketch, signs = Sketch(scene), np.zeros(scene.shape, np.float32)
    for near, far in zip(edges[:0:-1], edges[-2::-1], strict=True):
        roof = rng.uniform(0.75, 1.35) * height

        def quad(u0: float, u1: float, v0: float, v1: float, roof: float = roof) -> list[tuple[float, float]]:
            """Return a part of the front: u is the distance, v goes from the street (0) to the roof (1)."""
            return [
                (x0 + side * span * (0.10 + 0.90 * u), eye + height * u * 0.405 - v * (0.405 * height + roof) * u)
                for u, v in ((u0, v0), (u0, v1), (u1, v1), (u1, v0))
            ]

        wall = pick(rng, "b08a6a", "8d6f62", "a9a094", "7f8794", "b5705a", "c4b08f")
        tone = wall * light.ambient * (0.8 if lamps else 1.0) * (0.75 if side > 0 else 1.0)
        veil = float(np.clip(0.55 - 0.8 * far, 0, 0.5))
        tone = tone + (light.horizon - tone) * veil
        sketch.fill(tone, quad(near, far, 0, 1))
        glass = tone * 0.5 if lamps else 0.45 * tone + 0.25 * light.middle
        lamp = pick(rng, *_WINDOW_COLORS)
        floors, bays = int(rng.integers(5, 9)), max(1, round(7.0 * (near - far) / (near + far)))
        for f in range(1, floors):
            for b in range(bays):
                u0, u1 = (far + (near - far) * (b + k) / bays for k in (0.22, 0.78))
                lit = rng.random() < 0.5 * lamps
                shown = lamp * rng.uniform(0.7, 1) if lit else glass
                sketch.fill(shown, quad(u0, u1, (f + 0.22) / floors, (f + 0.8) / floors))
        inner, outer = far + 0.12 * (near - far), near - 0.12 * (near - far)
        shop = quad(inner, outer, 0.05 / floors, 0.8 / floors)
        if not lamps:
            sketch.fill(pick(rng, "6d4a3c", "3f5a52", "5a4a63", "7a6a4a") * light.ambient, shop)
            continue
        plates = [(pick(rng, *_NEON, *_WINDOW_COLORS), shop)]
        if rng.random() < 0.6:
            v = rng.uniform(1.2, 2.6) / floors
            u0, u1 = (far + k * (near - far) for k in (0.3, 0.42))
            plates.append((pick(rng, *_NEON), quad(u0, u1, v, v + 0.5)))
        for paint, plate in plates:
            sketch.fill(paint * 0.95, plate)
            cv2.fillPoly(signs, [np.rint(plate).astype(np.int32)], paint.tolist())
    scene = sketch.done()
    return 1 - (1 - np.clip(scene, 0, 1)) * (1 - 0.6 * blur(signs, 0.025 * width)) if lamps else scene


def _roadway(rng: Rng, scene: Image, x0: float, eye: float, light: Light, lamps: float, rainy: bool) -> Image:
    shape = scene.shape[:2]
    height, width = shape
    y, x = coordinates(shape)
    far = np.clip((y - eye) / (height - eye), 0, 1)
    reach = 1.12 * max(x0, width - x0)
    half = reach * (0.10 + 0.90 * far * (height - eye) / (0.405 * height))
    ground = smoothstep(half - np.abs(x - x0), -1, 1) * smoothstep(y, eye, eye + 2)
    grain = plane(rng, shape, eye, 5, stretch=1.5)
    asphalt = (color("5b5d63") * light.ambient * (0.6 if lamps else 1.0)) * (1 + 0.10 * grain)[..., None]
    if light.name == "winter":
        asphalt = color("cdd6de") * light.ambient * (1 + 0.06 * grain)[..., None]
    road: Image = asphalt.astype(np.float32)
    pavement = smoothstep(np.abs(x - x0) - 0.62 * half, -1, 1)
    road = mix(road, np.clip(road * 1.35 + 0.03, 0, 1), pavement)
    dashes = smoothstep(0.018 * half - np.abs(x - x0), -0.8, 0.8) * (np.mod(2.2 / np.maximum(far, 0.02), 1) < 0.5)
    road = mix(road, color("e9e4d2") * light.ambient, 0.75 * dashes)
    if lamps:  # the wet street reflects the scene above, upside down and stretched
        ripple = plane(rng, shape, eye, 7, stretch=1.2)
        source_y = np.clip(eye - (y - eye) * 0.75 + ripple * 10 * far, 0, height - 1).astype(np.float32)
        source_x = (x + 6 * ripple * far).astype(np.float32)
        mirror = displaced(scene, source_x, source_y)
        mirror = np.asarray(cv2.blur(mirror, (3, 25)), np.float32)
        road = 1 - (1 - road) * (1 - (0.75 if rainy else 0.35) * mirror)
    return mix(scene, road, ground)


def _traffic(rng: Rng, scene: Image, x0: float, eye: float) -> Image:
    """Paint headlights and tail lights, street lamps, and out-of-focus lights."""
    shape = scene.shape[:2]
    height, width = shape
    lights: list[tuple[Mask, str]] = []
    for _ in range(int(rng.integers(2, 6))):
        far = rng.uniform(0.05, 0.5)
        y = eye + 0.75 * (height - eye) * far
        side = rng.choice([-1, 1])
        x = x0 + side * width * 0.24 * far
        code = "ff3b2f" if side > 0 else "fff1cf"
        apart = 0.11 * width * far
        lights += [(glow(shape, x + k * apart, y, 1.5 + 9 * far, 1.2), code) for k in (-1, 1)]
    for side in (-1, 1):
        for far in (0.12, 0.25, 0.5, 0.95):
            x, y = x0 + side * 0.52 * width * far, eye - 0.42 * height * far
            foot = eye + 0.40 * height * far
            scene = mix(
                scene,
                color("1c1d22"),
                strokes(
                    shape, [[(x, foot), (x, y), (x - side * 0.05 * width * far, y - 0.01 * height)]], 0.6 + 3 * far
                ),
            )
            lights.append((glow(shape, x - side * 0.05 * width * far, y, 3 + 16 * far, 1.1), "ffd9a0"))
    for mask, code in lights:
        scene = add_light(scene, color(code), mask)
    if rng.random() < 0.4:
        for _ in range(int(rng.integers(4, 11))):
            r = width * rng.uniform(0.012, 0.04)
            ring = disc(shape, rng.uniform(0, width), rng.uniform(0.1, 0.95) * height, r)
            scene = add_light(scene, vary(rng, pick(rng, *_NEON, *_WINDOW_COLORS)), 0.28 * blur(ring, 0.8))
    return scene
