# SPDX-License-Identifier: MIT
"""Output paths given by the user: no photo and no file of the library is overwritten."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album


def contents(*folders: Path) -> dict[Path, str]:
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
    return {file: hashlib.sha256(file.read_bytes()).hexdigest() for file in files if "lock" not in file.name}


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_an_export_overwrites_no_photo_and_no_file_of_the_library(
    indexed: Focal, album: Album, tmp_path: Path, force: tuple[str, ...]
) -> None:
    photo = album.path("warm/0.jpg")
    link = tmp_path / "link.csv"
    link.symlink_to(photo)
    new = album.path("not-indexed.png")
    new.write_bytes(b"a photo that came after the indexing")
    before = contents(album.folder)
    catalogue = (indexed.library / "catalog.sqlite").read_bytes()
    for path, words in (
        (photo, "is a photo"),
        (link, "is a photo"),
        (new, "is a photo"),
        (indexed.library / "catalog.sqlite", "is in the library"),
        (indexed.library / "new.csv", "is in the library"),
    ):
        indexed("export", "--output", path, *force, code=1)
        assert words in indexed.err
    assert contents(album.folder) == before
    assert (indexed.library / "catalog.sqlite").read_bytes() == catalogue


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_photo_is_protected_under_every_path_to_its_folder(
    indexed: Focal, tmp_path: Path, force: tuple[str, ...]
) -> None:
    """The folder is indexed through a link, and a photo was added to it after indexing."""
    real, linked = tmp_path / "real", tmp_path / "linked"
    real.mkdir()
    linked.symlink_to(real)
    Album(real).draw("a.jpg")
    indexed("index", linked)
    (real / "new.png").write_bytes(b"a photo that came after the indexing")
    for path in (real / "new.png", linked / "new.png", real / "a.jpg"):
        indexed("export", "--output", path, *force, code=1)
        assert "is a photo" in indexed.err
    assert (real / "new.png").read_bytes() == b"a photo that came after the indexing"


def test_a_plot_overwrites_no_photo(indexed: Focal, album: Album) -> None:
    picture = album.path("warm/0.png")
    picture.write_bytes(b"a photo")
    for name in ("warm/0.jpg", "warm/1.jpg", "cold/0.jpg", "cold/1.jpg"):
        indexed("tag", album.path(name), f"+{name[:4]}")
    indexed("evaluate", "--plot", picture, code=1)
    assert "is a photo" in indexed.err
    assert picture.read_bytes() == b"a photo"


def test_tables_are_replaced_but_other_files_only_with_force(indexed: Focal, tmp_path: Path) -> None:
    table, empty, letter = tmp_path / "table.csv", tmp_path / "empty", tmp_path / "letter.odt"
    table.write_text("old")
    empty.touch()
    letter.write_text("dear")
    for path in (table, empty, tmp_path / "new.txt"):
        assert indexed.json("export", "--output", path)["lines"] == 10
    indexed("export", "--output", letter, code=1)
    assert "--force replaces it" in indexed.err
    assert letter.read_text() == "dear"
    indexed("export", "--output", letter, "--force")
    assert letter.read_text().startswith("path,")


def test_a_photo_linked_from_another_folder_is_protected_too(here: Focal, album: Album, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere" / "photo.jpg"
    target.parent.mkdir()
    target.write_bytes(album.path("warm/0.jpg").read_bytes())
    album.path("warm/0.jpg").unlink()
    album.path("warm/0.jpg").symlink_to(target)
    here("index", album.folder, "--descriptors", "color_moments")
    before = target.read_bytes()
    here("export", "--output", album.path("warm/0.jpg"), "--force", code=1)
    assert "is a photo" in here.err
    assert target.read_bytes() == before
