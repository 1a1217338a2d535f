# SPDX-License-Identifier: MIT
"""Times of day and weathers, their skies, and water that reflects them."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
    displaced,
    glow,
    gradient,
    mix,
    noise,
    plane,
    shifted,
    smoothstep,
    vary,
)


@dataclass(frozen=True)
class Light:
    """One mood of light."""

    name: str
    """Key in `LIGHTS`."""
    zenith: Color
    middle: Color
    horizon: Color
    """`zenith`, `middle` and `horizon`: colours of the sky from top to bottom."""
    sun: Color
    """Colour of the sun or moon and its light."""
    height: float
    """Height of the sun above the horizon as a share of the sky; negative if invisible."""
    ambient: Color
    """Factor of the ground's own colours."""
    lit: Color
    shaded: Color
    """`lit` and `shaded`: the two sides of a cloud."""
    clouds: float
    """Typical cover, 0..1."""
    tags: tuple[str, ...]
    """Tags of every photo in this light."""
    hour: int
    """Typical hour of the day, for the date of the photo."""

    @property
    def dark(self) -> bool:
        """True at night."""
        return self.name == "night"

    @property
    def low_sun(self) -> bool:
        """True when things are silhouettes against the sky."""
        return self.name in {"sunset", "dusk"}


def _light(name: str, codes: str, height: float, clouds: float, tags: tuple[str, ...], hour: int) -> Light:
    z, m, h, s, a, lit, shaded = (color(code) for code in codes.split())
    return Light(name, z, m, h, s, height, a, lit, shaded, clouds, tags, hour)


LIGHTS = {
    light.name: light
    for light in (
        # name      zenith middle horizon sun   ambient lit   shaded
        _light("noon", "2f78c4 6db0e4 cfe8f5 fff6dc ffffff ffffff b9c9d8", 1.10, 0.45, (), 13),
        _light("overcast", "8c9aa6 a9b4bd ccd2d6 f2f2ee c9cfd6 dde2e6 8d97a1", -1, 0.95, ("clouds",), 15),
        _light("golden", "4f86b8 b9c6c4 fbdca3 fff0b8 ffdfb0 fff1d2 c09c86", 0.35, 0.45, ("evening",), 18),
        _light("sunset", "3b3a72 c8586a ffb05c ffe39a a8706a ffb072 6c3f63", 0.10, 0.60, ("sunset",), 20),
        _light("dusk", "1c2453 6a4c8c f09a8f ffc6a0 6f6590 e49aa5 473d70", -1, 0.50, ("sunset",), 21),
        _light("night", "060b1f 10204a 2a3f74 dfe8ff 3b4a76 3c4f80 141d3d", 0.70, 0.35, ("night",), 23),
        _light("dawn", "8fa9c9 d9c3cd fbe3d2 fff4e4 d9d0d6 fff0ea b7aebf", 0.18, 0.35, ("morning", "mist"), 6),
        _light("winter", "88aacb b9cfe0 e9eff3 fffdf4 dfe9f5 ffffff b5c3d1", 0.40, 0.55, ("winter",), 12),
    )
}


def choose_light(rng: Rng, **weights: float) -> Light:
    """Choose one of the lights by weight, with slightly varied colours."""
    names = list(weights)
    chances = np.array([weights[name] for name in names])
    base = LIGHTS[names[rng.choice(len(names), p=chances / chances.sum())]]
    return replace(
        base,
        zenith=vary(rng, base.zenith, 0.06),
        middle=vary(rng, base.middle, 0.05),
        horizon=vary(rng, base.horizon, 0.04),
    )


def paint_sky(
    rng: Rng, shape: tuple[int, int], horizon: float, light: Light, *, clouds: float | None = None
) -> tuple[Image, tuple[float, float]]:
    """Paint the sky over the whole image.

    Parameters
    ----------
    rng : Generator
        Random generator.
    shape : tuple of int
        Height and width.
    horizon : float
        Row of the horizon.
    light : Light
        The mood.
    clouds : float, optional
        Cover 0..1 instead of that of the mood.

    Returns
    -------
    image, sun : ndarray (h, w, 3), tuple of float
        The sky, and x and y of the sun (far above the image if hidden).
    """
    height, width = shape
    reach = max(horizon / height, 0.05)
    sky = gradient(shape, [(0, light.zenith), (0.55 * reach, light.middle), (reach, light.horizon), (1, light.horizon)])
    x = width * rng.uniform(0.15, 0.85)
    y = horizon * (1 - light.height * rng.uniform(0.75, 1.15)) if light.height >= 0 else -2.0 * height
    if light.dark:
        sky = _stars(rng, sky, horizon)
    if light.height >= 0:
        sky = add_light(sky, light.sun, 0.55 * glow(shape, x, y, 0.32 * width))
    cover = light.clouds * rng.uniform(0.4, 1.3) if clouds is None else clouds
    sky, open_sky = _clouds(rng, sky, horizon, light, min(cover, 1.0), (x, y))
    if light.height >= 0:
        size = width * (0.028 if light.dark else 0.022 if light.height > 0.3 else 0.036)
        rows, columns = coordinates(shape)
        face = smoothstep(np.hypot(rows - y, columns - x), size + 1, size - 1)
        if light.dark:
            face = face * (0.88 + 0.06 * noise(rng, shape, 10, octaves=2))
        sky = mix(sky, light.sun, face * (0.35 + 0.65 * open_sky))
        sky = add_light(sky, light.sun, 0.7 * glow(shape, x, y, 2.2 * size))
    return sky, (x, y)


def paint_water(
    rng: Rng,
    scene: Image,
    shore: float,
    light: Light,
    sun: tuple[float, float],
    *,
    deep: Color,
    waves: float = 0.5,
) -> Image:
    """Paint water below a row: a rippled mirror of the scene above it, its own colour, and the sun's glitter.

    Parameters
    ----------
    rng : Generator
        Random generator.
    scene : ndarray (h, w, 3)
        Scene to mirror.
    shore : float
        Row of the upper edge of the water.
    light : Light
        The mood.
    sun : tuple of float
        x and y of the sun.
    deep : Color
        Colour of the water seen from above.
    waves : float
        From 0, a mirror, to 1, the open sea.
    """
    height, width = scene.shape[:2]
    y, x = coordinates((height, width))
    far = np.clip((y - shore) / max(height - shore, 1), 0, 1)
    swell = plane(rng, (height, width), shore, 16, stretch=3.5)
    ripple = plane(rng, (height, width), shore, 5, stretch=4, octaves=3)
    surface = 0.65 * swell + 0.35 * ripple

    source_x = x + 9 * waves * surface * (0.3 + far)
    source_y = 2 * shore - y + surface * (3 + 34 * waves * far) - 2
    source_y = np.abs(np.minimum(source_y, shore - 1))
    mirror = displaced(scene, source_x, source_y)
    share = np.clip(0.9 - (0.3 + 0.45 * waves) * far**0.7 + 0.12 * waves * surface, 0.05, 1)
    tint = deep * light.ambient
    water = mix(np.broadcast_to(tint, scene.shape).astype(np.float32), mirror * 0.94, share)
    water = water * (1 + (0.05 + 0.10 * waves) * surface)[..., None]
    if sun[1] > -height:
        path = np.exp(-(((x - sun[0]) / (width * (0.03 + 0.10 * far))) ** 2))
        sparkle = smoothstep(ripple + 0.4 * swell, 0.5, 1.7)
        strength = (0.9 if light.height < 0.45 else 0.45) * (1 - 0.55 * far)
        water = add_light(water, light.sun, (path * (0.25 + sparkle) * strength).astype(np.float32))
    return mix(scene, water, np.broadcast_to(np.clip(y - shore + 0.5, 0, 1), (height, width)))


def haze(image: Image, mask: Mask, light: Light, amount: float) -> Image:
    """Blend a part of the scene with haze."""
    return mix(image, light.horizon, mask * np.float32(amount))


def _stars(rng: Rng, sky: Image, horizon: float) -> Image:
    height, width = sky.shape[:2]
    field = np.zeros((height, width), np.float32)
    n = int(rng.integers(120, 320))
    rows, columns = (rng.random(n) * horizon * 0.95).astype(int), rng.integers(0, width, n)
    field[np.clip(rows, 0, height - 1), columns] = rng.random(n, np.float32) ** 2 + 0.15
    field += 1.6 * blur(field, 0.7)
    band = smoothstep(noise(rng, (height, width), 0.4 * height, octaves=5), 0.2, 2.2)
    return add_light(add_light(sky, color("5a6fae"), 0.35 * band), color("f4f6ff"), np.clip(field, 0, 1))


def _clouds(
    rng: Rng, sky: Image, horizon: float, light: Light, cover: float, sun: tuple[float, float]
) -> tuple[Image, Mask]:
    """Return the sky with clouds, and the share of it that remains visible."""
    height, width = sky.shape[:2]
    if cover < 0.05:
        return sky, np.ones((height, width), np.float32)
    if rng.random() < 0.5:  # a ceiling in perspective, or upright heaps
        density = plane(rng, (height, width), horizon, 60, stretch=1.6, octaves=6)
    else:
        density = noise(rng, (height, width), 0.3 * height, octaves=6, stretch=2.2)
    y, _ = coordinates((height, width))
    threshold = 1.5 - 2.6 * cover
    thickness = smoothstep(density, threshold, threshold + 1.5)
    # Light comes from the sun's side: compare with the density slightly nearer to it.
    dx = 7.0 if sun[0] > width / 2 else -7.0
    nearer = shifted(density, -dx, 5 if sun[1] < horizon / 2 else -4)
    bright = smoothstep(density - nearer, -0.7, 0.8)
    body = mix(np.broadcast_to(light.shaded, sky.shape).astype(np.float32), light.lit, bright)
    body = mix(body, light.horizon, 0.35 * smoothstep(y, 0.4 * horizon, horizon) * np.ones((1, width), np.float32))
    seen = (thickness * (0.92 - 0.5 * smoothstep(y, 0.6 * horizon, horizon))).astype(np.float32)
    return mix(sky, body, seen), 1 - seen
