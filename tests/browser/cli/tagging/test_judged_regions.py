# SPDX-License-Identifier: MIT
"""``focal judge --box``: judgements of parts of photos."""

from __future__ import annotations

import pytest

from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album

BOX = ".1,.2,.5,.4"


def test_parts_are_judged_listed_and_cleared(indexed: Focal, album: Album) -> None:
    focal, one, two = (album.path(f"warm/{number}.jpg") for number in range(3))
    done = indexed.json("judge", focal, one, two, "--similar", "--box", BOX, "--other-box", "0,0,.5,1")
    assert done == {
        "focal": str(focal),
        "box": [0.1, 0.2, 0.5, 0.4],
        "verdict": "similar",
        "images": [str(one), str(two)],
        "other_boxes": [[0.0, 0.0, 0.5, 1.0]] * 2,
        "changed": 2,
    }
    judged = indexed("judge", focal, two, "--dissimilar", "--box", BOX, "--other-box", "0.5,0,.5,1")
    assert judged == "Mark 1 photo as dissimilar\n"
    listed = indexed.json("judge", "--list")["regions"]
    assert [(line["focal"], line["box"], line["other"], line["other_box"], line["verdict"]) for line in listed] == [
        (str(focal), [0.1, 0.2, 0.5, 0.4], str(one), [0.0, 0.0, 0.5, 1.0], "similar"),
        (str(focal), [0.1, 0.2, 0.5, 0.4], str(two), [0.5, 0.0, 0.5, 1.0], "dissimilar"),
    ]
    assert indexed.json("judge", one, "--list")["regions"] == []
    assert f"dissimilar  {focal} 0.1,0.2,0.5,0.4  {two} 0.5,0,0.5,1" in indexed("judge", focal, "--list")
    assert indexed.json("judge", focal, two, "--clear", "--box", BOX)["changed"] == 1
    assert len(indexed.json("judge", "--list")["regions"]) == 1
    indexed("undo")
    indexed("undo")
    assert [line["verdict"] for line in indexed.json("judge", "--list")["regions"]] == ["similar", "similar"]


def test_the_part_that_a_search_finds_is_judged(indexed: Focal, album: Album) -> None:
    focal, one = album.path("warm/0.jpg"), album.path("warm/1.jpg")
    indexed("judge", focal, one, "--similar", "--box", BOX, code=1)
    assert "focal descriptors --on fisher_windows" in indexed.err
    indexed("descriptors", "--on", "fisher_windows")
    indexed("index")
    (ranked,) = [line for line in indexed.json("rank", focal, "--box", BOX)["results"] if line["path"] == str(one)]
    done = indexed.json("judge", focal, one, "--similar", "--box", BOX)
    assert done["other_boxes"] == [pytest.approx(ranked["box"], abs=1e-3)]
    again = indexed.json("rank", focal, "--box", BOX)
    assert (again["judgements"], again["results"][0]["path"]) == (1, str(one))
    assert indexed.json("rank", focal, "--box", BOX, "--without-judgements")["judgements"] == 0


def test_a_metric_that_does_not_rank_parts_is_reported(indexed: Focal, album: Album) -> None:
    focal = album.path("warm/0.jpg")
    indexed("descriptors", "--on", "fisher_windows")
    indexed("index")
    indexed("tag", "--add", "warm", album.path("warm/0.jpg"), album.path("warm/1.jpg"))
    indexed("tag", "--add", "cold", album.path("cold/0.jpg"), album.path("cold/1.jpg"))
    indexed("train", "--learner", "rca")
    found = indexed.json("rank", focal, "--box", BOX)
    assert found["metric"] == "euclidean"
    assert "does not rank parts of photos: too few boxes, tags and judgements" in indexed.err
    assert indexed.json("rank", focal, "--box", BOX, "--metric", "rca")["metric"] == "rca-1"
    assert "does not rank parts" not in indexed.err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--similar", "--box", BOX], "at least one other photo"),
        (["b.jpg", "--box", BOX], "--similar, --dissimilar or --clear"),
        (["b.jpg", "--looks-alike", "--box", BOX], "--similar, --dissimilar or --clear"),
        (["b.jpg", "--similar", "--text", "boat", "--box", BOX], "--similar, --dissimilar or --clear"),
        (["b.jpg", "--similar", "--other-box", BOX], "add --box"),
        (["b.jpg", "--similar", "--box", "0,0,2,1"], "shares of its sides"),
        (["b.jpg", "--list"], "no more than a focal image"),
        (["--list", "--box", BOX], "no more than a focal image"),
        (["--list", "--similar"], "not allowed with"),
    ],
)
def test_wrong_options_are_refused(indexed: Focal, words: list[str], problem: str) -> None:
    indexed("judge", "a.jpg", *words, code=2)
    assert problem in indexed.err


def test_a_photo_is_not_judged_against_a_part_of_itself(indexed: Focal, album: Album) -> None:
    focal = album.path("warm/0.jpg")
    indexed("judge", focal, focal, "--similar", "--box", BOX, "--other-box", BOX, code=1)
    assert "cannot be judged against itself" in indexed.err
