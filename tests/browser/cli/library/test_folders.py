# SPDX-License-Identifier: MIT
"""``focal relocate`` and ``focal missing`` on a separate library and folders."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album
from tests.guide import documented, fits


@pytest.fixture
def album(tmp_path: Path) -> Album:
    """Draw an album that is nested so deeply that a search around it stays within the test's folder."""
    folder = Album(tmp_path / "home" / "pictures" / "photos")
    folder.draw_kinds(each=5)
    return folder


def test_a_folder_is_compared_relocated_and_restored(indexed: Focal, album: Album, tmp_path: Path) -> None:
    target = tmp_path / "other"
    album.folder.rename(target)
    (target / "warm/0.jpg").unlink()
    (target / "warm/1.jpg").write_bytes(b"another")
    said = indexed.json("relocate", album.folder, target, "--dry-run")
    assert fits(documented("relocate")[0], said)
    assert (said["photos"], said["found"], said["done"]) == (10, 8, False)
    assert (said["absent"], said["differing"]) == (["warm/0.jpg"], ["warm/1.jpg"])
    assert indexed.lines("list")[0]["path"] == str(album.path("cold/0.jpg"))
    text = indexed("relocate", album.folder, target)
    assert "8 of 10 photos exist there" in text
    assert "missing: warm/0.jpg\ndifferent photo: warm/1.jpg" in text
    assert "focal undo takes it back" in text
    listed = {line["path"]: line["missing"] for line in indexed.lines("list", "missing")}
    assert listed == {str(target / "warm/0.jpg"): True}
    assert indexed.json("index")["new"] == 0, "the changed content counts as an edit"
    assert indexed.json("undo") == {"undone": "Relocate other"}
    assert indexed.lines("list")[0]["path"] == str(album.path("cold/0.jpg"))


def test_copies_count_as_files_and_not_as_photos(indexed: Focal, album: Album) -> None:
    shutil.copytree(album.path("warm"), album.path("again"))
    assert "10 photos in 15 files, 0 new, 0 failed" in indexed("index")
    said = indexed.json("index", album.path("again"))
    assert (said["photos"], said["files"]) == (5, 5)
    assert len(indexed.lines("list")) == 10


def test_wrong_arguments_are_one_line_with_a_hint(indexed: Focal, album: Album, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert indexed("relocate", album.folder, tmp_path / "empty", code=1) == ""
    assert indexed.err.count("\n") == 1
    assert "Name the folder that contains them now" in indexed.err


def test_missing_photos_are_listed_found_and_forgotten(indexed: Focal, album: Album, tmp_path: Path) -> None:
    assert indexed("missing") == "No photo is missing.\n"
    indexed("tag", album.path("warm/1.jpg"), "+sun")
    target = album.folder.with_name("else")
    album.path("cold").rename(target)
    for number in (0, 1):
        album.path(f"warm/{number}.jpg").unlink()
    indexed("index")
    said = indexed.json("missing")
    assert fits(documented("missing")[0], said)
    assert [Path(photo["path"]).name for photo in said["missing"]] == [f"{n}.jpg" for n in (0, 1, 2, 3, 4, 0, 1)]
    assert said["missing"][6]["tags"] == ["sun"]
    assert said["proposals"] == [{"kind": "relocate", "old": str(album.path("cold")), "new": str(target), "photos": 5}]
    text = indexed("missing")
    assert f"Proposed: {album.path('cold')} seems to be {target} now" in text
    said = indexed.json("missing", "--accept", "--forget")
    assert (said["accepted"], said["forgotten"]) == (1, 1)
    said = indexed.json("missing")
    assert [photo["tags"] for photo in said["missing"]] == [["sun"]]
    assert "(sun)" in indexed("missing")
    assert indexed.json("missing", "--forget")["forgotten"] == 0
    assert indexed.json("missing", "--forget", "--with-work")["forgotten"] == 1
    assert indexed.json("missing")["missing"] == []
    indexed("undo")
    assert len(indexed.json("missing")["missing"]) == 1
    indexed("missing", "--with-work", code=2)


def test_the_folder_to_search_is_an_argument(indexed: Focal, album: Album, tmp_path: Path) -> None:
    far = tmp_path / "far" / "deep"
    far.mkdir(parents=True)
    shutil.move(album.path("cold/3.jpg"), far / "IMG.jpg")
    indexed("index")
    assert indexed.json("missing")["proposals"] == []
    (only,) = indexed.json("missing", tmp_path / "far")["proposals"]
    assert (only["kind"], only["new"]) == ("same-content", str(far / "IMG.jpg"))
    assert "the same content is at" in indexed("missing", tmp_path / "far")
