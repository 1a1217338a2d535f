# SPDX-License-Identifier: MIT
"""Paint for the demo album: noise, gradients, soft masks, planes in perspective, and the finishing.

Images are float32 (h, w, 3), masks float32 (h, w), both nominally 0..1; colours are sRGB. Functions do not modify their
inputs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Image = NDArray[Any]
Mask = NDArray[Any]
Color = NDArray[Any]
Points = NDArray[Any]
Rng = np.random.Generator

_SUBPIXEL = 4  # OpenCV draws at sixteenths of a pixel


def color(code: str) -> Color:
    """Return ``"f4a261"`` as three numbers in 0..1."""
    return np.array([int(code[i : i + 2], 16) for i in (0, 2, 4)], np.float32) / 255


def vary(rng: Rng, base: Color, amount: float = 0.05) -> Color:
    """Return a similar colour."""
    varied: Color = np.clip(base * (1 + rng.normal(0, amount)) + rng.normal(0, amount / 2, 3), 0, 1)
    return varied.astype(np.float32)


def pick(rng: Rng, *codes: str) -> Color:
    """Return one of the colours, slightly varied."""
    return vary(rng, color(codes[rng.integers(len(codes))]))


def smoothstep(x: Mask | float, low: Mask | float, high: Mask | float) -> Mask:
    """Rise smoothly from 0 at `low` to 1 at `high` (which may be the smaller one)."""
    t = np.clip((np.asarray(x, np.float32) - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t), np.float32)


def mix(under: Image, over: ArrayLike, mask: ArrayLike) -> Image:
    """Blend a colour (3,) or an image (h, w, 3) over an image, by a mask (h, w) or a single share."""
    m = np.broadcast_to(np.asarray(mask, np.float32), under.shape[:2])
    paint = np.asarray(over, np.float32)
    result = under.copy()
    place = extent(m)
    if place is None:
        return result
    part = result[place]
    if paint.ndim == 1:  # several times faster than broadcasting over three channels
        levels = np.array([*paint, 0], np.float64)
        difference = np.asarray(cv2.subtract(levels, np.ascontiguousarray(part)), np.float32)
    else:
        difference = np.broadcast_to(paint, under.shape)[place] - part
    difference *= _threefold(m[place])
    part += difference
    return result


def add_light(image: Image, light: ArrayLike, mask: Mask) -> Image:
    """Add light of a colour by screen blending, which brightens within 0..1."""
    result = image.copy()
    place = extent(mask, 0.004)
    if place is None:
        return result
    part = result[place]
    np.clip(part, 0, 1, out=part)
    missing = np.asarray(cv2.multiply(1 - part, np.append(np.asarray(light, np.float64), 0)), np.float32)
    missing *= _threefold(np.clip(mask[place], 0, 1))
    part += missing
    return result


def extent(mask: Mask, floor: float = 0.0) -> tuple[slice, slice] | None:
    """Return the rows and columns that contain all of a mask above `floor`; None if there is nothing."""
    rows = np.flatnonzero((mask > floor).any(axis=1))
    if len(rows) == 0:
        return None
    columns = np.flatnonzero((mask[rows[0] : rows[-1] + 1] > floor).any(axis=0))
    return slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)


def coordinates(shape: tuple[int, int]) -> tuple[Mask, Mask]:
    """Return row numbers (h, 1) and column numbers (1, w)."""
    return np.arange(shape[0], dtype=np.float32)[:, None], np.arange(shape[1], dtype=np.float32)[None, :]


def gradient(shape: tuple[int, int], stops: Sequence[tuple[float, Color]]) -> Image:
    """Blend colours from top (0) to bottom (1)."""
    y = np.linspace(0, 1, shape[0])
    places = [place for place, _ in stops]
    column = np.stack([np.interp(y, places, [c[i] for _, c in stops]) for i in range(3)], axis=-1)
    return np.repeat(column.astype(np.float32)[:, None], shape[1], axis=1)


def noise(
    rng: Rng, shape: tuple[int, int], cell: float, *, octaves: int = 4, stretch: float = 1.0, gain: float = 0.5
) -> Mask:
    """Return fractal noise of mean 0 and deviation 1.

    Parameters
    ----------
    rng : Generator
        Random generator.
    shape : tuple of int
        Height and width.
    cell : float
        Size in pixels of the coarsest feature, vertically; `stretch` times as much horizontally.
    octaves : int
        Number of octaves; each has half the size of the previous one and `gain` times its strength.
    stretch, gain : float
        See above.
    """
    height, width = shape
    total = np.zeros(shape, np.float32)
    strength = 1.0
    for octave in range(octaves):
        size = max(cell / 2**octave, 1.0)
        rows, columns = int(height / size) + 2, int(width / (size * stretch)) + 2
        layer = rng.random((rows, columns), np.float32)
        total += strength * cv2.resize(layer, (width, height), interpolation=cv2.INTER_CUBIC)
        strength *= gain
    deviation = float(total.std())
    standard: Mask = (total - total.mean()) / (deviation if deviation > 0 else 1.0)
    return standard


def profile(rng: Rng, width: int, cell: float, *, octaves: int = 6, gain: float = 0.5) -> Mask:
    """Return a fractal line (width,) of mean 0 and deviation 1, for a coast, a ridge or a shore."""
    x = np.arange(width)
    total = np.zeros(width)
    for octave in range(octaves):
        step = max(cell / 2**octave, 2.0)
        knots = np.arange(-step, width + 2 * step, step)
        total += gain**octave * np.interp(x, knots + rng.uniform(0, step), rng.random(len(knots)))
    standard: Mask = ((total - total.mean()) / max(float(total.std()), 1e-6)).astype(np.float32)
    return standard


def below(shape: tuple[int, int], line: ArrayLike, feather: float = 1.0) -> Mask:
    """Return the mask of the area below a line of row numbers (w,)."""
    y, _ = coordinates(shape)
    mask: Mask = np.clip((y - np.asarray(line, np.float32)[None, :]) / feather + 0.5, 0, 1)
    return mask


def polygon(shape: tuple[int, int], *outlines: ArrayLike) -> Mask:
    """Return the mask of filled outlines, each (n, 2) points x, y, with smooth edges."""
    mask = np.zeros(shape, np.uint8)
    for outline in outlines:
        cv2.fillPoly(mask, [_fixed(outline)], 255, cv2.LINE_AA, _SUBPIXEL)
    return mask.astype(np.float32) / 255


def strokes(shape: tuple[int, int], lines: Sequence[ArrayLike], widths: Sequence[float] | float) -> Mask:
    """Return the mask of open lines, each (n, 2) points x, y.

    Antialiasing makes them up to two pixels wider; widths below 1 pixel become faint.
    """
    mask = np.zeros(shape, np.uint8)
    each = [widths] * len(lines) if isinstance(widths, (int, float)) else widths
    for line, width in zip(lines, each, strict=True):
        strength = 255 * min(1.0, max(width, 0.15))
        cv2.polylines(mask, [_fixed(line)], False, strength, max(1, round(width)), cv2.LINE_AA, _SUBPIXEL)
    return mask.astype(np.float32) / 255


class Sketch:
    """Many small flat shapes on one scene, much faster than blending each over the whole scene.

    Parameters
    ----------
    scene : ndarray (h, w, 3)
        Background; `done` returns it with the shapes.
    """

    def __init__(self, scene: Image) -> None:
        self._scene = scene
        self._pixels = (np.clip(scene, 0, 1) * 255).astype(np.uint8)
        self._mask = np.zeros(scene.shape[:2], np.uint8)

    def fill(self, paint: ArrayLike, *outlines: ArrayLike) -> None:
        """Fill outlines, each (n, 2) points x, y, with a colour."""
        levels = tuple(float(c) for c in np.clip(np.asarray(paint) * 255, 0, 255))
        for outline in outlines:
            points = [_fixed(outline)]
            cv2.fillPoly(self._pixels, points, levels, cv2.LINE_AA, _SUBPIXEL)
            cv2.fillPoly(self._mask, points, 255, cv2.LINE_AA, _SUBPIXEL)

    def done(self) -> Image:
        """Return the scene with the shapes on it."""
        # The edges of the shapes are blended already; the mask protects the rest from rounding to 8 bits.
        return mix(self._scene, self._pixels.astype(np.float32) / 255, self._mask > 0)


def disc(shape: tuple[int, int], x: float, y: float, rx: float, ry: float | None = None, angle: float = 0.0) -> Mask:
    """Return the mask of an ellipse; the angle is in radians, clockwise on the screen."""
    t = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    points = np.stack([rx * np.cos(t), (rx if ry is None else ry) * np.sin(t)], axis=-1)
    return polygon(shape, rotated(points, angle) + np.array((x, y)))


def rotated(points: ArrayLike, angle: float) -> NDArray[np.float64]:
    """Rotate points (n, 2) around the origin, clockwise on the screen (y points down)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(np.asarray(points, np.float64) @ np.array([[c, s], [-s, c]]))


def curve(*controls: tuple[float, float], points: int = 24) -> NDArray[np.float64]:
    """Return a Bezier curve (points, 2) through the first and the last control point."""
    t = np.linspace(0, 1, points)[:, None]
    level = [np.asarray(c, np.float64)[None, :] for c in controls]
    while len(level) > 1:
        level = [a + (b - a) * t for a, b in pairwise(level)]
    return level[0]


def glow(shape: tuple[int, int], x: float, y: float, radius: float, power: float = 1.0) -> Mask:
    """Return light that decreases from a point: exp(-(distance / radius) ** power)."""
    reach = radius * 5.6 ** (1 / power)  # below 0.4 % outside
    top, bottom = (int(np.clip(e, 0, shape[0])) for e in (y - reach, y + reach + 1))
    left, right = (int(np.clip(e, 0, shape[1])) for e in (x - reach, x + reach + 1))
    light = np.zeros(shape, np.float32)
    rows, columns = np.arange(top, bottom, dtype=np.float32), np.arange(left, right, dtype=np.float32)
    squared = ((rows - y) ** 2)[:, None] + (columns - x) ** 2
    light[top:bottom, left:right] = np.exp(-((squared / radius**2) ** (power / 2)))
    return light


def blur(image: Image | Mask, sigma: float) -> Image | Mask:
    """Blur by a Gaussian; large ones at a reduced size, which looks the same."""
    if sigma <= 0:
        return image
    if sigma > 6:
        factor = 4 if sigma > 12 else 2
        height, width = image.shape[:2]
        small = cv2.resize(image, (max(1, width // factor), max(1, height // factor)), interpolation=cv2.INTER_AREA)
        small = cv2.GaussianBlur(small, (0, 0), sigma / factor)
        return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.float32)


def displaced(image: Image | Mask, x: Mask, y: Mask) -> Image | Mask:
    """Resample each pixel from columns `x` and rows `y` (h, w), mirrored at the borders."""
    across, down = (np.ascontiguousarray(np.broadcast_to(a, image.shape[:2]), np.float32) for a in (x, y))
    return np.asarray(cv2.remap(image, across, down, cv2.INTER_LINEAR, None, cv2.BORDER_REFLECT_101), np.float32)


def shifted(mask: Mask, right: float, down: float) -> Mask:
    """Move a mask, mirrored at the borders."""
    matrix = np.array([[1, 0, right], [0, 1, down]], np.float32)
    size = (mask.shape[1], mask.shape[0])
    return np.asarray(cv2.warpAffine(mask, matrix, size, borderMode=cv2.BORDER_REFLECT_101), np.float32)


def plane(
    rng: Rng, shape: tuple[int, int], horizon: float, cell: float, *, stretch: float = 1.0, octaves: int = 4
) -> Mask:
    """Return noise on a plane in perspective: the ground below the horizon, the ceiling of clouds above it.

    Parameters
    ----------
    rng : Generator
        Random generator.
    shape : tuple of int
        Height and width of the whole image.
    horizon : float
        Row of the horizon, at which the plane is mirrored.
    cell, stretch, octaves
        See `noise`; in pixels at a distance of `shape[0] / 2` from the horizon.
    """
    height, width = shape
    texture = noise(rng, (384, 512), cell, octaves=octaves, stretch=stretch)
    y, x = coordinates(shape)
    distance = 0.5 * height / np.maximum(np.abs(y - horizon), 1.5)
    u = _folded((x - width / 2) * np.minimum(distance, 24) + 256, 512)
    v = np.ascontiguousarray(np.broadcast_to(_folded(150 * distance, 384), shape))
    sampled = cv2.remap(texture, u, v, cv2.INTER_LINEAR)
    # Near the horizon the texture is finer than a pixel, so it fades out to avoid flicker.
    return np.asarray(sampled, np.float32) * smoothstep(np.abs(y - horizon), 0, 0.12 * height)


def _folded(position: Mask, size: int) -> Mask:
    """Reflect positions into 0..size - 1, so that a texture continues without a seam."""
    span = size - 1
    rounds = np.floor(position / (2 * span))
    return np.asarray(span - np.abs(position - 2 * span * rounds - span), np.float32)


def finish(
    rng: Rng, image: Image, *, vignette: float = 0.25, grain: float = 0.012, bloom: float = 0.25
) -> NDArray[np.uint8]:
    """Apply a photographic finish: bloom of the lights, a darker rim, a gentle contrast curve and film grain."""
    image = np.clip(image, 0, 1)
    height, width = image.shape[:2]
    bright = image * _threefold(smoothstep(image.max(axis=2), 0.7, 1.0))
    image = image + bloom * (1 - image) * blur(bright, 0.03 * width)
    y, x = coordinates((height, width))
    radius = ((x / width - 0.5) ** 2 + (y / height - 0.5) ** 2) * 2
    image *= _threefold(1 - vignette * radius**1.5)
    image += 0.35 * image * (1 - image) * (2 * image - 1)
    image += _threefold(grain * rng.standard_normal((height, width), np.float32))
    return np.asarray(np.rint(np.clip(image, 0, 1) * 255), np.uint8)


def _threefold(mask: Mask) -> Image:
    m = np.ascontiguousarray(mask)
    return np.asarray(cv2.merge((m, m, m)), np.float32)


def _fixed(points: ArrayLike) -> NDArray[np.int32]:
    return np.asarray(np.rint(np.asarray(points, np.float64) * 2**_SUBPIXEL), np.int32).reshape(-1, 1, 2)
