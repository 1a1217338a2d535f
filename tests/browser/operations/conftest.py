"""Real libraries and real photo files for the tests of operations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from tests.browser.operations.album import Album

FAMILIES = ("color_moments", "color_coherence", "gabor")
"""Descriptors of the photos in these tests, fixed so that the tests are independent of the table."""


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library") as opened:
        set_enabled(opened, FAMILIES)
        yield opened


@pytest.fixture
def album(tmp_path: Path) -> Album:
    """Empty folder that can draw photos into itself."""
    folder = tmp_path / "photos"
    folder.mkdir()
    return Album(folder)


@pytest.fixture
def indexed(library: Library, album: Album) -> Library:
    """Library of 12 indexed photos, 6 of each of two kinds: ``warm/0.jpg`` ... and ``cold/0.jpg`` ... ."""
    for kind in ("warm", "cold"):
        for number in range(6):
            album.draw(f"{kind}/{number}.jpg", kind=kind, seed=number)
    finish(index(library, [album.folder]))
    return library
