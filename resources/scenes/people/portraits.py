# SPDX-License-Identifier: MIT
"""Portrait scenes: head and shoulders in soft light in front of a blurred background."""

from __future__ import annotations

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
    polygon,
    smoothstep,
    vary,
)
from focal_photos.resources.scenes.light import LIGHTS, Light, choose_light
from focal_photos.resources.scenes.people.faces import Head, face, features, glasses
from focal_photos.resources.scenes.people.hair import beard, hair_before, hair_behind
from focal_photos.resources.scenes.picture import Picture

_SKINS = (
    ("e6bd9f", "a9664a"),
    ("dba981", "985738"),
    ("cf9668", "85492b"),
    ("a56a43", "5f331d"),
    ("6f452d", "38200f"),
    ("ecc9b1", "b57860"),
)
_HAIR = ("1d1714", "3a261a", "6a4326", "a8763e", "d8b878", "8d3f22", "8f8d8b", "2a2a33")


def portrait(rng: Rng) -> Picture:
    """Paint a portrait that faces the camera."""
    shape = [(480, 360), (400, 400), (360, 480)][rng.choice(3, p=[0.6, 0.25, 0.15])]
    height, width = shape
    place = str(rng.choice(["studio", "garden", "evening", "beach", "snow"], p=[0.3, 0.25, 0.2, 0.13, 0.12]))
    light = {
        "studio": LIGHTS["noon"],
        "garden": choose_light(rng, noon=0.6, golden=0.4),
        "evening": choose_light(rng, night=0.6, dusk=0.4),
        "beach": choose_light(rng, golden=0.5, sunset=0.5),
        "snow": LIGHTS["winter"],
    }[place]
    scene = _background(rng, shape, place, light)
    b = height * rng.uniform(0.20, 0.245) * (1.0 if height >= width else 1.12)
    head = Head(
        width * rng.uniform(0.44, 0.56),
        height * rng.uniform(0.40, 0.46),
        b * rng.uniform(0.71, 0.79),
        b,
        float(rng.uniform(-1, 1)),
    )
    skin, deep = (vary(rng, color(code), 0.03) for code in _SKINS[rng.integers(len(_SKINS))])
    tone = np.clip(0.6 + 0.4 * light.ambient, 0, 1) if place != "studio" else np.ones(3, np.float32)
    skin, deep = skin * tone, deep * tone
    hair = pick(rng, *_HAIR) * tone
    side = 1.0 if rng.random() < 0.5 else -1.0  # side of the light
    style = str(
        rng.choice(
            ["short", "long", "bob", "bun", "curly", "bald", "hat", "scarf"],
            p=[0.2, 0.19, 0.13, 0.12, 0.14, 0.05, 0.1, 0.07],
        )
    )
    if place == "snow":
        style = "hat" if rng.random() < 0.7 else style
    bearded = style in {"short", "bald", "hat", "curly"} and rng.random() < 0.4

    scene = hair_behind(rng, scene, head, style, hair)
    cloth = pick(rng, "c0453c", "2f5d8a", "efe6d5", "3d6b57", "e0a93b", "4a4456", "d98aa0", "6f87a8", "23272e") * tone
    scene = _shoulders(rng, scene, head, cloth, skin, deep, side)
    scene = face(rng, scene, head, skin, deep, side)
    scene = features(rng, scene, head, skin, deep, hair, tone)
    if bearded:
        scene = beard(rng, scene, head, hair)
    scene = hair_before(rng, scene, head, style, hair, side)
    tags = {"people", "portrait"}
    if rng.random() < 0.2:
        tags.add("glasses")
        scene = glasses(rng, scene, head)
    if bearded:
        tags.add("beard")
    tags |= {"hat"} if style == "hat" else set()
    tags |= (
        {"snow"}
        if place == "snow"
        else {"garden"}
        if place == "garden"
        else {"lights"}
        if place == "evening"
        else set()
    )
    rim = light.sun if place != "studio" else color("fff4e6")
    scene = add_light(scene, rim, 0.16 * glow(shape, width * (0.5 + 0.62 * side), 0.2 * height, 0.45 * width))
    return Picture(finish(rng, scene, vignette=0.4, grain=0.010), light, tags)


def _background(rng: Rng, shape: tuple[int, int], place: str, light: Light) -> Image:
    height, width = shape
    if place == "studio":
        base = pick(rng, "5b6b7a", "8a6f63", "b9a98f", "46545a", "7d8a70", "a8828c", "d5cdbf", "2f3b4f")
        scene = gradient(shape, [(0, base * 0.85), (1, base * 0.6)])
        scene = add_light(scene, base * 1.2, 0.75 * glow(shape, 0.5 * width, 0.42 * height, 0.5 * width))
        return np.clip(scene * (1 + 0.03 * noise(rng, shape, 60, octaves=3))[..., None], 0, 1).astype(np.float32)
    if place == "garden":
        scene = (
            gradient(shape, [(0, pick(rng, "9cc069", "7fae6a", "c9cf86")), (1, pick(rng, "2f5535", "41683c"))])
            * light.ambient
        )
    elif place == "evening":
        scene = gradient(shape, [(0, light.zenith * 1.3), (0.6, light.middle * 0.9), (1, color("171320"))])
    elif place == "beach":
        scene = gradient(
            shape,
            [
                (0, light.middle),
                (0.42, light.horizon),
                (0.45, light.middle * 0.7),
                (0.75, light.middle * 0.55),
                (1, color("c9a06a") * light.ambient),
            ],
        )
    else:
        scene = gradient(shape, [(0, light.middle), (0.5, light.horizon), (1, color("eef3f7"))])
    for cell in (0.4, 0.2):
        patch = smoothstep(noise(rng, shape, cell * height, octaves=2), 0.0, 1.6)
        other = {
            "garden": ("d9e39a", "35603d", "f0d9a0"),
            "evening": ("3a2f5e", "5a3350", "152038"),
            "beach": ("ffd9a0", "d98a7a"),
            "snow": ("ffffff", "b9cbd9", "5f7a80"),
        }[place]
        scene = mix(scene, pick(rng, *other), 0.5 * blur(patch, 0.02 * width))
    lights = {
        "garden": ("fff3c0", "e9f5c5", "c9e59a"),
        "evening": ("ffc46b", "ff8f5a", "7fd0ff", "ff6fa0", "ffe9b0"),
        "beach": ("ffe6b0", "ffd08a"),
        "snow": ("ffffff", "eaf3fa"),
    }[place]
    for _ in range(int(rng.integers(14, 34))):
        ring = disc(shape, width * rng.random(), height * rng.random() * 0.85, width * rng.uniform(0.012, 0.065))
        scene = add_light(
            scene, pick(rng, *lights), rng.uniform(0.15, 0.5) * (1.3 if place == "evening" else 0.6) * blur(ring, 1.0)
        )
    if place == "snow":
        flakes = np.zeros(shape, np.float32)
        for _ in range(60):
            flakes = np.maximum(
                flakes,
                rng.uniform(0.4, 0.9)
                * glow_spot(shape, width * rng.random(), height * rng.random(), rng.uniform(1, 3.5)),
            )
        scene = add_light(scene, color("ffffff"), flakes)
    return scene


def glow_spot(shape: tuple[int, int], x: float, y: float, radius: float) -> Mask:
    """Return a soft flake."""
    return blur(disc(shape, x, y, radius), 0.8)


def _shoulders(rng: Rng, scene: Image, head: Head, cloth: Color, skin: Color, deep: Color, side: float) -> Image:
    shape = scene.shape[:2]
    height, _ = shape
    bottom = (height - head.y) / head.b + 0.1
    broad = rng.uniform(1.75, 2.15)
    neck = np.concatenate(
        [
            curve(*head.at((-0.52, 0.55), (-0.46, 1.15), (-0.75, 1.52)), points=12),
            curve(*head.at((0.75, 1.52), (0.46, 1.15), (0.52, 0.55)), points=12),
        ]
    )
    left = curve(*head.at((-0.5, 1.28), (-1.45, 1.40), (-broad, 1.72), (-broad - 0.18, bottom)), points=24)
    torso = np.concatenate([left, (left * (-1, 1) + (2 * head.x, 0))[::-1]])
    body = polygon(shape, torso)
    y, x = coordinates(shape)
    fold = noise(rng, shape, 0.5 * head.b, octaves=3, stretch=0.5)
    tone = (
        0.80
        + 0.22 * side * np.clip((x - head.x) / (2.2 * head.a), -1, 1)
        + 0.05 * fold
        - 0.25 * smoothstep(y, head.y + 1.6 * head.b, height * 1.1)
    )
    scene = mix(scene, np.clip(cloth * tone[..., None], 0, 1), body)
    cut = str(rng.choice(["round", "v", "collar", "high"]))
    depth = {"round": 1.72, "v": 1.9, "collar": 1.9, "high": 1.35}[cut]
    opening = np.concatenate(
        [
            curve(*head.at((-0.66, 1.24), (-0.50 if cut != "v" else -0.3, depth), (0.0, depth)), points=14),
            curve(*head.at((0.0, depth), (0.50 if cut != "v" else 0.3, depth), (0.66, 1.24)), points=14),
        ]
    )
    chest = np.maximum(polygon(shape, neck), polygon(shape, opening))
    scene = mix(
        scene, deep + (skin - deep) * (0.62 + 0.2 * side * np.clip((x - head.x) / head.a, -1, 1))[..., None], chest
    )
    shadow = blur(
        disc(shape, head.x - 0.08 * side * head.a, head.y + 0.78 * head.b, 0.62 * head.a, 0.52 * head.b), 0.07 * head.b
    )
    scene = mix(scene, deep * 0.85, 0.75 * shadow * chest)
    if cut in {"collar", "v"}:
        for sign in (-1, 1):
            flap = head.at(
                (sign * 0.60, 1.18), (sign * 0.98, 1.42), (sign * 0.55, 2.02), (0.02 * sign, 2.02), (sign * 0.50, 1.50)
            )
            scene = mix(
                scene, np.clip(cloth * 1.18 + 0.03, 0, 1) * (1.0 if sign == side else 0.85), polygon(shape, flap)
            )
    elif cut == "high":
        band = head.at((-0.62, 1.12), (0.62, 1.12), (0.78, 1.50), (-0.78, 1.50))
        scene = mix(scene, cloth * 0.9, polygon(shape, band))
    return scene
