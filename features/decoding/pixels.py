# SPDX-License-Identifier: MIT
"""Conversion of pixels of any kind to 8-bit sRGB, upright and at the requested size."""

from __future__ import annotations

import functools
import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms

from focal_photos.features.decoding.exif import Orientation

_WHITE = (255, 255, 255)
_TIFF_PHOTOMETRIC = 262
_STRIP = 256  # rows
_FULL_SCALES = tuple(2**bits - 1 for bits in (8, 10, 12, 14, 16))


# Pillow rotates counter-clockwise, EXIF names the required clockwise rotation: 6 is ROTATE_270.
_TRANSPOSE = {
    Orientation.MIRRORED: Image.Transpose.FLIP_LEFT_RIGHT,
    Orientation.HALF_TURN: Image.Transpose.ROTATE_180,
    Orientation.FLIPPED: Image.Transpose.FLIP_TOP_BOTTOM,
    Orientation.TRANSPOSED: Image.Transpose.TRANSPOSE,
    Orientation.TURNED_RIGHT: Image.Transpose.ROTATE_270,
    Orientation.TRANSVERSED: Image.Transpose.TRANSVERSE,
    Orientation.TURNED_LEFT: Image.Transpose.ROTATE_90,
}


def to_rgb(image: Image.Image, size: tuple[int, int], orientation: Orientation) -> NDArray[np.uint8]:
    """Convert a loaded image of any mode to pixels.

    Parameters
    ----------
    image : Image
        Loaded image, possibly reduced by its decoder.
    size : tuple of int
        Requested width and height before rotation; not larger than the image.
    orientation : Orientation
        Rotation to apply.

    Returns
    -------
    ndarray of uint8, shape (h, w, 3)
        sRGB, composited on white. It may be read-only.
    """
    profile = image.info.get("icc_profile")
    image = _eight_bit(image)
    if image.size != size:  # before the colour conversion, which costs more per pixel
        image = image.resize(size, Image.Resampling.HAMMING, reducing_gap=2.0)
    alpha = image.getchannel("A") if image.mode == "RGBA" else None
    image = _to_srgb(image.convert("RGB") if alpha is not None else image, profile)
    if alpha is not None:
        background = Image.new("RGB", image.size, _WHITE)
        background.paste(image, mask=alpha)
        image = background
    if orientation in _TRANSPOSE:
        image = image.transpose(_TRANSPOSE[orientation])
    return np.asarray(image)


def _eight_bit(image: Image.Image) -> Image.Image:
    """Convert an image to one of the modes L, RGB, RGBA, CMYK, LAB or YCbCr, which can be resized."""
    if image.mode.startswith("I") or image.mode == "F":
        return Image.fromarray(gray_levels(np.asarray(image), full_range=image.format == "PNG"))
    if image.mode == "La":  # premultiplied grey, which Pillow only converts to grey with alpha
        image = image.convert("LA")
    if image.has_transparency_data:
        return image if image.mode == "RGBA" else image.convert("RGBA")
    if image.mode in {"L", "RGB", "CMYK", "LAB", "YCbCr"}:
        return image
    return image.convert("L" if image.mode == "1" else "RGB")


def gray_levels(values: NDArray[Any], *, full_range: bool = False) -> NDArray[np.uint8]:
    """Scale grey of 16 or 32 bits, or real numbers, to 0..255.

    16 bits in a PNG span 0..65535 by definition (`full_range`). Other files may store the 10, 12 or 14 bits of a sensor
    in 16: the smallest of these ranges that contains the brightest pixel is used. Real numbers in 0..1 are shares of
    white. All other values (negative, larger, not finite) are stretched from the finite minimum to the finite maximum.
    """
    real_numbers = values.dtype.kind == "f"
    # In strips, because several real-number copies of a large photo would take 20 bytes per pixel.
    strips = [slice(top, top + _STRIP) for top in range(0, len(values), _STRIP)]
    extremes = [found for strip in strips if (found := _extremes(values[strip])) is not None]
    low = min((least for least, _ in extremes), default=0.0)
    high = max((most for _, most in extremes), default=1.0)
    if real_numbers and low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    elif not real_numbers and low >= 0 and high <= _FULL_SCALES[-1]:
        low = 0.0
        high = _FULL_SCALES[-1] if full_range else next(float(s) for s in _FULL_SCALES if high <= s)
    span = high - low
    levels = np.empty(values.shape, np.uint8)
    for strip in strips:
        real = np.nan_to_num(values[strip].astype(np.float32), nan=low, posinf=high, neginf=low)
        levels[strip] = np.rint((real - low) * (255 / span if span > 0 else 0))
    return levels


def _extremes(values: NDArray[Any]) -> tuple[float, float] | None:
    """Return the finite minimum and maximum as float32; None if there are no finite values."""
    real = values.astype(np.float32)
    finite = real[np.isfinite(real)]
    return (float(finite.min()), float(finite.max())) if finite.size else None


def _to_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Convert to RGB by the ICC profile; without a usable profile, values count as sRGB, CMYK or grey."""
    transform = _transform(profile, image.mode) if profile or image.mode == "LAB" else None
    if transform is not None:
        return transform.apply(image)
    return image if image.mode == "RGB" else image.convert("RGB")


@functools.lru_cache(maxsize=32)
def _transform(profile: bytes | None, mode: str) -> ImageCms.ImageCmsTransform | None:
    """Return the conversion to sRGB; None if it changes nothing or the profile does not fit."""
    try:
        if mode == "LAB":
            source = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB"))
            return ImageCms.ImageCmsTransform(source, _srgb(), mode, "RGB")
        opened = ImageCms.ImageCmsProfile(io.BytesIO(profile or b""))
        if mode == "RGB" and "sRGB" in ImageCms.getProfileDescription(opened):
            return None
        return ImageCms.ImageCmsTransform(opened, _srgb(), mode, "RGB")
    except (ImageCms.PyCMSError, OSError, ValueError):
        return None


@functools.lru_cache(maxsize=1)
def _srgb() -> ImageCms.ImageCmsProfile:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
