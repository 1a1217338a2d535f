"""``focal tags``."""

from __future__ import annotations

from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album


def test_tags_and_those_that_go_with_one(indexed: Focal, album: Album) -> None:
    photos = [album.path(f"warm/{i}.jpg") for i in range(4)]
    assert indexed.json("tags") == {"tags": []}
    indexed("tag", *photos[:2], "+sea", "+beach")
    indexed("tag", *photos[2:], "+sea", "+boat")
    indexed("tag", photos[3], "+sailing")
    assert indexed.json("tags")["tags"][:2] == [{"tag": "beach", "photos": 2}, {"tag": "boat", "photos": 2}]
    assert indexed("tags").splitlines()[0].split() == ["2", "beach"]
    answer = indexed.json("tags", "--related", "boat", "--limit", "2")
    assert answer["tag"] == "boat"
    assert [(one["tag"], one["photos"]) for one in answer["related"]] == [("sailing", 1), ("sea", 2)]
    assert indexed("tags", "--related", "boat").splitlines()[0].endswith("sailing (1)")
    indexed("tags", "--related", "moon", code=1)
    assert "No photo carries the tag moon" in indexed.err
    indexed("tags", "--related", "a//b", code=1)
    assert "one between all slashes" in indexed.err
