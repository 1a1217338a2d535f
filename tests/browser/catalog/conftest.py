# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from focal_photos.browser.catalog.arrays.codes import Codes
from focal_photos.browser.catalog.arrays.patches import Patches
from focal_photos.browser.catalog.arrays.vectors import Vectors
from focal_photos.browser.catalog.library import Library
from tests.browser.catalog.albums import enter


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return the folder of a library that does not exist yet."""
    return tmp_path / "library"


@pytest.fixture
def library(place: Path) -> Iterator[Library]:
    with Library.open(place) as opened:
        yield opened


@pytest.fixture
def album(tmp_path: Path) -> Path:
    folder = tmp_path / "album"
    folder.mkdir()
    return folder


@pytest.fixture
def photos(library: Library, album: Path) -> list[int]:
    """Return the ids of five photos, a.jpg to e.jpg."""
    return enter(library, album, [f"{letter}.jpg" for letter in "abcde"])


@pytest.fixture
def vectors(tmp_path: Path) -> Vectors:
    return Vectors(tmp_path / "vectors")


@pytest.fixture
def patches(tmp_path: Path) -> Patches:
    return Patches(tmp_path / "patches")


@pytest.fixture
def codes(tmp_path: Path) -> Codes:
    return Codes(tmp_path / "codes")
