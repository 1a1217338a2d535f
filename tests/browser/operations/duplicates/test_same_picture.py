# SPDX-License-Identifier: MIT
from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from focal_photos.browser.operations.duplicates.same_picture import MIN_CORRELATION, Pictures, correlation, cuts


def scene(seed: int, size: tuple[int, int] = (240, 160)) -> Image.Image:
    """Draw smooth shapes, as in photos."""
    rng = np.random.default_rng(seed)
    coarse = Image.fromarray(rng.integers(0, 256, (10, 14, 3), dtype=np.uint8))
    return coarse.resize(size, Image.Resampling.BICUBIC)


def jpeg(image: Image.Image, quality: int = 90) -> bytes:
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=quality)
    return stream.getvalue()


def alike(one: Image.Image, other: Image.Image, quality: int = 90) -> float:
    prints = cuts(jpeg(one)), cuts(jpeg(other, quality))
    assert prints[0] is not None
    assert prints[1] is not None
    return correlation(prints[0], prints[1])


@pytest.mark.parametrize("seed", range(5))
def test_a_resized_compressed_or_cropped_copy_is_the_same_picture(seed: int) -> None:
    photo = scene(seed)
    assert alike(photo, photo.resize((90, 60))) > 0.99
    assert alike(photo, photo, quality=15) > 0.98
    for cut in (0.015, 0.03, 0.05):
        box = (round(cut * 240), round(cut * 160), round((1 - cut) * 240), round((1 - cut) * 160))
        assert alike(photo, photo.crop(box)) >= MIN_CORRELATION
        assert alike(photo.crop(box), photo) >= MIN_CORRELATION, "either picture may be the cropped one"
    dark = Image.fromarray((np.asarray(photo) * 0.6 + 30).astype(np.uint8))
    assert alike(photo, dark) > 0.99, "brightness and contrast do not matter"


def test_another_picture_is_not_the_same() -> None:
    photo = scene(0)
    assert alike(photo, scene(1)) < 0.6
    assert alike(photo, photo.transpose(Image.Transpose.FLIP_LEFT_RIGHT)) < MIN_CORRELATION
    assert alike(photo, photo.crop((60, 40, 240, 160))) < MIN_CORRELATION, "a quarter of the picture is missing"
    negative = Image.fromarray(255 - np.asarray(photo))
    assert alike(photo, negative) < 0


def test_a_frame_does_not_make_pictures_the_same() -> None:
    """Photos of products on a light background, and slides, share most of their pixels."""

    def framed(seed: int) -> Image.Image:
        inner = Image.fromarray((np.asarray(scene(seed, (120, 80))) * 0.4).astype(np.uint8))
        picture = Image.new("RGB", (240, 160), (255, 255, 255))
        picture.paste(inner, (60, 40))
        return picture

    assert alike(framed(0), framed(1)) < MIN_CORRELATION
    for quality in (90, 15):
        assert alike(framed(0), framed(0), quality) > 0.98
    assert alike(framed(0), framed(0).crop((7, 5, 233, 155))) >= MIN_CORRELATION


def test_a_picture_without_structure_matches_nothing() -> None:
    assert cuts(None) is None
    assert cuts(b"no picture") is None
    assert cuts(jpeg(Image.new("RGB", (60, 40), (90, 120, 30)))) is None
    grey = jpeg(Image.new("L", (60, 40), 128))
    pictures = Pictures({1: grey, 2: grey}.get)
    assert not pictures.same(1, 2)
    assert not pictures.same(1, 3)


def test_pictures_are_read_once() -> None:
    files = {number: jpeg(scene(number % 2)) for number in range(4)}
    read: list[int] = []

    def get(photo_id: int) -> bytes:
        read.append(photo_id)
        return files[photo_id]

    pictures = Pictures(get)
    assert pictures.same(0, 2)
    assert not pictures.same(0, 1)
    assert pictures.same(3, 1)
    assert sorted(read) == [0, 1, 2, 3]
