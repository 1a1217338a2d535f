from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from tests.browser.copies import opened_copy
from tests.browser.operations.album import Album
from tests.browser.operations.three_kinds import EACH, KINDS
from tests.browser.operations.two_worlds import draw_two_worlds


@pytest.fixture(scope="module")
def indexed_three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Library for `three`, shared by all tests of a file."""
    folder, album = tmp_path_factory.mktemp("three") / "library", Album(tmp_path_factory.mktemp("photos"))
    album.draw_kinds(KINDS, EACH)
    album.index(folder)
    return folder


@pytest.fixture
def three(indexed_three: Path, tmp_path: Path) -> Iterator[Library]:
    """14 photos of each of three kinds, without tags."""
    with opened_copy(indexed_three, tmp_path / "library") as library:
        yield library


@pytest.fixture(scope="module")
def indexed_two_worlds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Library for `two_worlds`, shared by all tests of a file."""
    folder = tmp_path_factory.mktemp("worlds")
    draw_two_worlds(folder / "photos", folder / "library")
    return folder / "library"


@pytest.fixture
def two_worlds(indexed_two_worlds: Path, tmp_path: Path) -> Iterator[Library]:
    """14 photos of each of three kinds and 42 of another world, without tags."""
    with opened_copy(indexed_two_worlds, tmp_path / "library") as library:
        yield library
