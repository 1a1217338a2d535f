"""``focal boxes``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album


def test_boxes_are_drawn_moved_named_and_removed(indexed: Focal, album: Album) -> None:
    photo, other = album.path("warm/0.jpg"), album.path("cold/0.jpg")
    assert indexed.json("boxes") == {"boxes": [], "changed": 0}
    found = indexed.json("boxes", photo, "--add", ".1,.2,.5,.4", "--add", "0,0,1,1", "--tag", "dog")
    assert found["changed"] == 1
    assert [(box["id"], box["path"], box["box"], box["tag"]) for box in found["boxes"]] == [
        (1, str(photo), [0.1, 0.2, 0.5, 0.4], "dog"),
        (2, str(photo), [0.0, 0.0, 1.0, 1.0], "dog"),
    ]
    assert "Draw 1 box" in indexed("boxes", other, "--add", "0.25,0.25,0.5,0.5")
    assert len(indexed.json("boxes")["boxes"]) == 3
    assert len(indexed.json("boxes", other)["boxes"]) == 1
    assert indexed.json("boxes", "--move", "3", "0,0,.5,.5")["boxes"][2]["box"] == [0.0, 0.0, 0.5, 0.5]
    assert indexed.json("boxes", "--name", "2", "3", "--tag", "cat")["changed"] == 2
    assert [box["tag"] for box in indexed.json("boxes")["boxes"]] == ["dog", "cat", "cat"]
    assert [tag["tag"] for tag in indexed.json("tags")["tags"]] == ["cat", "dog"]
    assert indexed.json("boxes", "--name", "2")["boxes"][1]["tag"] is None
    assert "(no name)" in indexed("boxes", "--remove", "1")
    assert [tag["tag"] for tag in indexed.json("tags")["tags"]] == ["cat"]
    indexed("undo")
    assert [box["id"] for box in indexed.json("boxes")["boxes"]] == [1, 2, 3]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--add", "0,0,1,1"], "name the photo"),
        (["--remove", "1", "--name", "1"], "stand alone"),
        (["--remove", "1", "--tag", "dog"], "--tag names the boxes of --add or --name"),
        (["--move", "one", "0,0,1,1"], "not one 0,0,1,1"),
        (["--move", "1", "0,0,2,1"], "not 1 0,0,2,1"),
        (["--add", "0,0,640,480"], "shares of its sides"),
    ],
)
def test_wrong_options_are_refused(indexed: Focal, words: list[str], problem: str) -> None:
    indexed("boxes", *words, code=2)
    assert problem in indexed.err


def test_a_box_that_does_not_exist_is_refused(indexed: Focal) -> None:
    indexed("boxes", "--remove", "7", code=1)
    assert "There is no box with the number 7" in indexed.err


def test_an_export_counts_boxes_without_a_name(indexed: Focal, album: Album, tmp_path: Path) -> None:
    indexed("boxes", album.path("warm/0.jpg"), "--add", ".1,.2,.5,.4", "--tag", "dog")
    indexed("export", "--format", "coco", "--output", tmp_path / "one.json")
    assert "without a name" not in indexed.err
    indexed("boxes", album.path("warm/0.jpg"), "--add", ".5,.2,.5,.4")
    indexed("export", "--format", "coco", "--output", tmp_path / "two.json")
    assert "boxes without a name are left out (1): focal boxes --name names them" in indexed.err
