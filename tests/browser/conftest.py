# SPDX-License-Identifier: MIT
"""Fixtures for the tests of the command line and others: libraries, and new worker processes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import backups
from focal_photos.browser.operations.workers.idle_processes import idle_processes
from tests.browser.cli.command_line import Focal
from tests.browser.copies import copied_with_photos
from tests.browser.operations import striped
from tests.browser.operations.album import Album
from tests.conftest import MadeOnce


@pytest.fixture
def album(tmp_path: Path) -> Album:
    folder = Album(tmp_path / "photos")
    folder.draw_kinds(each=5)
    return folder


@pytest.fixture(scope="session")
def striped_folder(made_once: MadeOnce) -> Path:
    """Library of `striped.make`. Tests must not change it."""
    return made_once("striped", lambda folder: striped.make(folder / "library", folder / "photos")) / "library"


@pytest.fixture
def old_backup(library_folder: Path) -> Path:
    """Return the folder of a library whose only backup was made 40 days ago and never verified."""
    with Library.open(library_folder) as library:
        library.back_up()
    (one,) = backups.all_in(library_folder / "backups")
    stamp = (one.at - timedelta(days=40)).strftime("%Y%m%dT%H%M%S%f")
    for path in (one.path, one.manifest):
        path.rename(path.with_name(f"catalog-{one.number:06d}-{stamp}-v{one.version}{path.suffix}"))
    return library_folder


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
def indexed(made_once: MadeOnce, here: Focal, album: Album) -> Focal:
    """Return the command line of a library in which the album is indexed."""

    def fill(folder: Path) -> None:
        shutil.copytree(album.folder, folder / "photos")
        Album(folder / "photos").index(folder / "library")

    copied_with_photos(made_once("ten", fill), album.folder, here.library)
    return here
