# SPDX-License-Identifier: MIT
"""Truncated files: the available part is decoded, with a warning that tells how much it is."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from focal_photos.features.decoding.decode import decode
from focal_photos.features.decoding.incomplete import decodable_part
from focal_photos.features.decoding.limits import DecodeLimits, IncompleteImageError, UnreadableImageError

PARTIAL = DecodeLimits(partial=True)


def picture(width: int = 320, height: int = 240) -> Image.Image:
    """Return a picture without uniform rows."""
    rows, columns = np.mgrid[:height, :width]
    rgb = np.stack([columns * 255 / width, rows * 255 / height, 200 - (rows + columns) / 4], axis=-1)
    noise = np.random.default_rng(0).normal(0, 12, rgb.shape)
    return Image.fromarray(np.clip(rgb + noise, 0, 255).astype(np.uint8))


def file(kind: str, image: Image.Image | None = None, **how: Any) -> bytes:
    buffer = io.BytesIO()
    (image or picture()).save(buffer, kind, **how)
    return buffer.getvalue()


@pytest.mark.parametrize("how", [{}, {"subsampling": 0}, {"restart_marker_rows": 1}])
@pytest.mark.parametrize("share", [0.3, 0.5, 0.8])
def test_a_truncated_jpeg_gives_its_upper_rows(share: float, how: dict[str, Any]) -> None:
    content = file("JPEG", quality=90, **how)
    whole = decode(content, side=None)
    part = decode(content[: round(share * len(content))], side=None, limits=PARTIAL)
    assert part.header.width == 320
    assert part.header.height == part.rgb.shape[0]
    assert part.header.height / 240 == pytest.approx(share, abs=0.12)
    assert f"only {round(100 * part.header.height / 240)} %" in part.header.warning
    sure = part.header.height - 1  # colours of the last row are interpolated with the row below
    assert np.array_equal(part.rgb[:sure], whole.rgb[:sure])


def test_a_truncated_jpeg_is_refused_unless_parts_are_allowed() -> None:
    content = file("JPEG")
    with pytest.raises(IncompleteImageError, match="its end is missing"):
        decode(content[: len(content) // 2])
    assert not decode(content, limits=PARTIAL).header.warning


def test_a_progressive_jpeg_with_its_first_scan_is_decoded_with_less_detail() -> None:
    content = file("JPEG", progressive=True, quality=90)
    part = decode(content[: round(0.6 * len(content))], side=None, limits=PARTIAL)
    assert part.rgb.shape[:2] == (240, 320)
    assert "lacks detail" in part.header.warning


@pytest.mark.parametrize("progressive", [False, True])
def test_a_jpeg_truncated_anywhere_gives_a_complete_part_or_none(*, progressive: bool) -> None:
    content = file("JPEG", picture(64, 48), progressive=progressive)
    shares = []
    for end in range(4, len(content) - 2, 7):
        found = decodable_part(content[:end])
        if found is not None:
            assert decode(found[0]).rgb.shape[1] == 64
        shares.append(0.0 if found is None else found[1])
    assert shares[0] == 0
    assert shares[-1] == 1
    assert shares == sorted(shares)


def test_a_part_is_rotated_and_reduced() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    content = file("JPEG", picture(800, 600), exif=exif.tobytes(), quality=90)
    part = decode(content[: len(content) // 2], side=100, limits=PARTIAL)
    assert part.header.height == 800
    assert part.header.width == pytest.approx(300, abs=70)
    assert part.rgb.shape[0] == 100


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "P", "1", "I;16"])
def test_a_truncated_png_gives_its_upper_rows(mode: str) -> None:
    image = picture()
    if mode == "I;16":
        image = Image.fromarray(np.asarray(image.convert("L")).astype(np.uint16) * 200)
    else:
        image = image.convert(mode)
    content = file("PNG", image)
    whole = decode(content, side=None)
    part = decode(content[: round(0.7 * len(content))], side=None, limits=PARTIAL)
    rows = part.header.height
    assert 120 < rows < 230
    assert np.array_equal(part.rgb, whole.rgb[:rows])
    assert f"only {round(100 * rows / 240)} %" in part.header.warning


@pytest.mark.slow
def test_a_part_without_pixels_is_refused() -> None:
    for content in (file("JPEG")[:300], file("PNG")[:40], file("GIF")[:500]):
        with pytest.raises(UnreadableImageError):
            decode(content, limits=PARTIAL)
