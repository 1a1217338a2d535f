# SPDX-License-Identifier: MIT
"""Real libraries and real photo files for the tests of operations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.enabled import set_enabled
from tests.browser.copies import copied_with_photos, opened_copy
from tests.browser.operations import local_album
from tests.browser.operations.album import FAMILIES, Album
from tests.browser.operations.three_kinds import EACH, KINDS
from tests.conftest import MadeOnce


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
def indexed(made_once: MadeOnce, album: Album, tmp_path: Path) -> Iterator[Library]:
    """Library of 12 indexed photos, 6 of each of two kinds: ``warm/0.jpg`` ... and ``cold/0.jpg`` ... ."""

    def fill(folder: Path) -> None:
        photos = Album(folder / "photos")
        photos.draw_kinds()
        photos.index(folder / "library")

    with Library.open(copied_with_photos(made_once("twelve", fill), album.folder, tmp_path / "library")) as opened:
        yield opened


@pytest.fixture
def striped(striped_folder: Path, tmp_path: Path) -> Iterator[Library]:
    """Library of 48 photos with tags that the untrained distance can hardly distinguish."""
    with opened_copy(striped_folder, tmp_path / "library") as library:
        yield library


@pytest.fixture(scope="session")
def three_folder(made_once: MadeOnce) -> Path:
    """Library of 14 photos of each of three kinds, without tags. Tests must not change it or the photos."""

    def fill(folder: Path) -> None:
        photos = Album(folder / "photos")
        photos.draw_kinds(KINDS, EACH)
        photos.index(folder / "library")

    return made_once("three", fill) / "library"


@pytest.fixture
def three(three_folder: Path, tmp_path: Path) -> Iterator[Library]:
    """Copy of the library of three kinds."""
    with opened_copy(three_folder, tmp_path / "library") as library:
        yield library


@pytest.fixture(scope="session")
def patched_folder(made_once: MadeOnce) -> Path:
    """Library of `local_album.make`. Tests must not change it."""
    return made_once("patches", local_album.make) / "library"


@pytest.fixture(scope="session")
def trained_folder(made_once: MadeOnce) -> Path:
    """Library of `local_album.trained`. Tests must not change it."""
    return made_once("local distances", local_album.trained) / "library"
