# SPDX-License-Identifier: MIT
"""Some 700 real files that are difficult for image programs; skipped if they are not available."""

from __future__ import annotations

import csv
import os
import re
import time
import warnings
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from focal_photos.features.decoding.decode import decode, probe
from focal_photos.features.decoding.image import ImageHeader
from focal_photos.features.decoding.limits import (
    ImageError,
    ImageTooLargeError,
    UnreadableImageError,
    UnsupportedFormatError,
)

FOLDER = Path(os.environ.get("FOCAL_DATA", Path(__file__).resolve().parents[4] / "shared" / "data")) / "odd_files"
# Files that no decoder can show: a raw file without pixels and preview, and HEIC files of a few bytes.
CUT_OFF = {"exiv2/IMG_1361.dng", "exiv2/issue_1793_poc.heic", "exiv2/pr_2612_poc.heic"}
LISTED_FORMATS = {"JPEG", "MPO", "PNG", "WEBP", "TIFF", "GIF", "BMP", "AVIF", "PSD", "JPEG2000", "PPM", "TGA"}

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the collection of odd files is not here: set FOCAL_DATA to the folder that holds it"
)


def index() -> list[dict[str, str]]:
    with (FOLDER / "INDEX.csv").open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.slow
def test_every_file_is_decoded_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subprocess.Popen", None)
    files = sorted(file for file in FOLDER.rglob("*") if file.is_file())
    assert len(files) > 600
    refused, slow = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for file in files:
            start = time.perf_counter()
            try:
                image = decode(file)
                assert max(image.rgb.shape) <= 384
                assert probe(file) == image.header, file
            except ImageError as error:
                refused.append((file, str(error)))
            if time.perf_counter() - start > 20:
                slow.append(file)
    assert slow == []
    assert all(message.endswith(".") and file.name not in message for file, message in refused)
    assert len(refused) < len(files) / 2


def test_listed_formats_that_pillow_reads_are_read() -> None:
    rows = [row for row in index() if row["pillow"] == "ok" and row["format"] in LISTED_FORMATS]
    assert len(rows) > 400
    for row in rows:
        decode(FOLDER / row["file"])


@pytest.mark.slow
def test_heic_and_raw_files_are_read() -> None:
    rows = [row["file"] for row in index() if {"heif", "raw"} & set(row["features"].split(";"))]
    assert set(rows) > CUT_OFF
    for name in rows:
        if name in CUT_OFF:
            with pytest.raises(UnreadableImageError):
                decode(FOLDER / name)
        else:
            image = decode(FOLDER / name)
            assert image.header.format == "HEIF"
            assert image.rgb.std() > 5 or name == "exiv2/Sony.HIF", name  # taken in the dark
    taken = datetime(2020, 12, 29, 14, 24, 45)
    assert probe(FOLDER / "exiv2/IMG_1361.dng") == ImageHeader("RAW", 3024, 4032, taken, orientation=6)


@pytest.mark.slow
def test_heic_files_of_a_rotated_camera_have_the_right_orientation() -> None:
    for name in ("1_top_left", "3_bottom_right", "6_right_top", "8_left-bottom"):
        image = decode(FOLDER / f"exiv2/issue_9292_sony_{name}.HIF")
        assert (image.header.width > image.header.height) == (name[0] in "13")
        assert image.rgb.shape[1] > image.rgb.shape[0] if name[0] in "13" else image.rgb.shape[0] > image.rgb.shape[1]


def test_all_postscript_is_refused_by_name() -> None:
    files = [row["file"] for row in index() if row["format"] == "EPS"]
    assert files
    for file in files:
        with pytest.raises(UnsupportedFormatError, match="PostScript"):
            decode(FOLDER / file)


def test_decompression_bombs_are_refused_as_too_large() -> None:
    files = [row["file"] for row in index() if row["features"] == "bomb"]
    assert files
    for file in files:
        with pytest.raises(ImageTooLargeError):
            decode(FOLDER / file)


@pytest.mark.parametrize("view", ["Landscape", "Portrait"])
def test_the_orientation_examples_have_the_right_orientation(view: str) -> None:
    folder = FOLDER / "exif-orientation-examples"
    with Image.open(folder / f"{view}_1.jpg") as stored:  # orientation 1: as stored
        upright = np.asarray(stored.convert("RGB").resize((stored.width // 10, stored.height // 10)), np.float64)
        size = stored.size
    files = sorted(folder.glob(f"{view}_[1-8].jpg"))
    assert len(files) == 8
    for file in files:
        image = decode(file)
        assert (image.header.width, image.header.height) == size
        assert probe(file) == image.header
        seen = np.asarray(Image.fromarray(image.rgb).resize((upright.shape[1], upright.shape[0])), np.float64)
        difference = np.abs(seen - upright).mean()
        turned = [np.abs(np.flip(seen, axes) - upright).mean() for axes in (0, 1, (0, 1))]
        assert difference < 6, file.name  # each has its number drawn on it
        assert difference < 0.5 * min(turned)
    assert all(re.fullmatch(rf"{view}_\d\.jpg", file.name) for file in files)
