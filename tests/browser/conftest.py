"""Fixtures for the tests of the command line: a library, and new worker processes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from focal_photos.browser.operations.workers.idle_processes import idle_processes
from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album


@pytest.fixture
def album(tmp_path: Path) -> Album:
    folder = Album(tmp_path / "photos")
    for kind in ("warm", "cold"):
        for number in range(5):
            folder.draw(f"{kind}/{number}.jpg", kind=kind, seed=number)
    return folder


@pytest.fixture
def no_idle_processes() -> Iterator[None]:
    """Neither use processes of an earlier job during the test nor keep any afterwards."""
    idle_processes().end()
    yield
    idle_processes().end()


@pytest.fixture
def here(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Focal:
    return Focal(tmp_path / "library", capsys)


@pytest.fixture
def indexed(here: Focal, album: Album) -> Focal:
    here("index", album.folder, "--descriptors", "color_moments,color_coherence,gabor")
    return here
