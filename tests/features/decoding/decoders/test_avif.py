# SPDX-License-Identifier: MIT
"""AVIF files that Pillow's strict decoder refuses."""

from __future__ import annotations

import io
from contextlib import suppress

import numpy as np
import pytest
from PIL import AvifImagePlugin, Image

from focal_photos.features.decoding.decode import decode, probe
from focal_photos.features.decoding.decoders.avif import Avif
from focal_photos.features.decoding.limits import DecodeLimits, ImageError, ImageTooLargeError
from tests.features.pictures import file_bytes, scene
from tests.features.varieties import SIZE, lenient_avifs


def test_transparency_without_a_size_is_decoded_in_the_right_orientation() -> None:
    files = list(lenient_avifs())
    assert len(files) == 8
    for number, variety in enumerate(files, start=1):
        with pytest.raises(SyntaxError):
            AvifImagePlugin.AvifImageFile(io.BytesIO(variety.content))
        image = decode(variety.content)
        assert probe(variety.content) == image.header
        exif = Image.Exif()
        exif[274] = number
        strict = decode(file_bytes(scene(*SIZE), "AVIF", quality=100, exif=exif.tobytes()))
        assert (image.header.width, image.header.height) == (strict.header.width, strict.header.height)
        assert np.abs(image.rgb.astype(int) - strict.rgb).mean() < 1


@pytest.mark.parametrize("subsampling", ["4:4:4", "4:2:0", "4:0:0"])
def test_both_decoders_give_the_same_picture(subsampling: str, monkeypatch: pytest.MonkeyPatch) -> None:
    exif = Image.Exif()
    exif[274], exif[306] = 6, "2024:05:17 08:30:59"
    content = file_bytes(scene(), "AVIF", subsampling=subsampling, exif=exif.tobytes())
    strict = decode(content)
    monkeypatch.setattr("focal_photos.features.decoding.decoders.avif.AvifImagePlugin.AvifImageFile", Avif)
    lenient = decode(content)
    assert lenient.header == strict.header == probe(content)
    assert np.abs(lenient.rgb.astype(int) - strict.rgb).max() <= 1


@pytest.mark.parametrize("bits", [10, 12])
def test_deep_values_span_the_full_range(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    imagecodecs = pytest.importorskip("imagecodecs")
    values = np.repeat(np.linspace(0, 2**bits - 1, 64 * 48).astype(np.uint16).reshape(48, 64, 1), 3, axis=2)
    content = bytes(imagecodecs.avif_encode(values, level=100, bitspersample=bits))
    monkeypatch.setattr("focal_photos.features.decoding.decoders.avif.AvifImagePlugin.AvifImageFile", Avif)
    shown = decode(content).rgb
    assert np.abs(shown - np.rint(values * (255 / (2**bits - 1)))).max() <= 1


def test_limits_are_respected_and_damage_is_refused() -> None:
    content = next(iter(lenient_avifs())).content
    with pytest.raises(ImageTooLargeError):
        decode(content, limits=DecodeLimits(max_pixels=SIZE[0] * SIZE[1] - 1))
    for end in (20, 200, len(content) - 30):
        with pytest.raises(ImageError):
            decode(content[:end])
    rng = np.random.default_rng(0)
    for _ in range(100):
        damaged = bytearray(content)
        for place in rng.integers(0, 400, 4):
            damaged[place] = rng.integers(256)
        with suppress(ImageError):  # and no other error
            decode(bytes(damaged))
