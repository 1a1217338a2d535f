# SPDX-License-Identifier: MIT
"""``focal boxes``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.queries.by_region import prepare_regions
from focal_photos.features import table
from tests.browser.catalog.albums import id_of
from tests.browser.cli.command_line import Focal
from tests.browser.copies import copied_with_photos
from tests.browser.operations.album import Album
from tests.browser.operations.small_table import small_table
from tests.browser.operations.tagging.boxes.test_suggest_boxes import draw, region_of
from tests.conftest import MadeOnce
from tests.features.fitted.test_fisher_windows import BARE


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


@pytest.fixture
def things(made_once: MadeOnce, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[tuple[Focal, Path]]:
    """Library of photos with things of two kinds, ``photos/0-0.png`` ..., four of each with a box."""

    def fill(folder: Path) -> None:
        draw(folder / "photos")
        with Library.open(folder / "library") as library:
            set_enabled(library, ["mean", BARE.shape.name, BARE.color.name])
            prepare_regions(library)
            finish(index(library, [folder / "photos"], backend="threads", workers=1))
            library.boxes.add(
                (id_of(library, folder / "photos" / f"{kind}-{number}.png"), region_of(number), f"kind{kind}")
                for kind in range(2)
                for number in range(4)
            )

    with small_table():
        table.DESCRIPTORS.update({one.name: one for one in (BARE.shape, BARE.color)})
        table.CODE_DESCRIPTORS[BARE.name] = BARE
        made = copied_with_photos(made_once("boxes-on-things", fill), tmp_path / "photos", tmp_path / "library")
        yield Focal(made, capsys), tmp_path / "photos"


def test_boxes_are_suggested_and_accepted(things: tuple[Focal, Path]) -> None:
    focal, photos = things
    found = focal.json("boxes", "suggest", "--min-confidence", "0.05", "--tag", "kind1")
    assert found["changed"] == 0
    first = found["suggestions"][0]
    assert first["tag"] == "kind1"
    assert Path(first["path"]).name.startswith("1-")
    assert 0.05 <= first["confidence"] <= 1
    assert all(0 <= side <= 1 for side in first["box"])
    sure = [one["confidence"] for one in found["suggestions"]]
    assert sure == sorted(sure, reverse=True)
    only = focal.json("boxes", "suggest", photos / "1-5.png", "--min-confidence", "0")["suggestions"]
    assert {one["path"] for one in only} == {str(photos / "1-5.png")}
    assert "nothing to suggest" in focal("boxes", "suggest", "--min-confidence", "1")
    before = len(focal.json("boxes")["boxes"])
    done = focal.json("boxes", "suggest", "--min-confidence", "0.05", "--tag", "kind1", "--accept")
    assert done == {"suggestions": found["suggestions"], "changed": len(found["suggestions"])}
    boxes = focal.json("boxes")["boxes"]
    assert len(boxes) == before + len(found["suggestions"])
    assert {one["source"] for one in boxes[before:]} == {"accepted"}
    focal("undo")
    assert len(focal.json("boxes")["boxes"]) == before


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["suggest", "--remove", "1"], "suggest stands alone"),
        (["--accept"], "write focal boxes suggest"),
        (["--min-confidence", ".8"], "write focal boxes suggest"),
        (["suggest", "--min-confidence", "80"], "not a number from 0 to 1"),
    ],
)
def test_wrong_options_of_suggestions_are_refused(indexed: Focal, words: list[str], problem: str) -> None:
    indexed("boxes", *words, code=2)
    assert problem in indexed.err


def test_without_named_boxes_nothing_is_suggested(things: tuple[Focal, Path]) -> None:
    focal, _ = things
    focal("boxes", "suggest", "--tag", "cat", code=1)
    assert "No box is named" in focal.err
