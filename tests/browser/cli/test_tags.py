"""``focal tags``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from browser.cli import main
from tests.browser.operations.album import Album


def test_tags_and_those_that_go_with_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    album = Album(tmp_path / "photos")
    photos = [str(album.draw(f"{i}.jpg", seed=i)) for i in range(4)]
    library = str(tmp_path / "library")

    def focal(*words: str, code: int = 0) -> str:
        assert main([*words, "--library", library]) == code
        captured = capsys.readouterr()
        return captured.err if code else captured.out

    def read(*words: str) -> Any:
        return json.loads(focal(*words, "--json"))

    focal("index", str(album.folder), "--descriptors", "color_moments")
    assert read("tags") == {"tags": []}
    focal("tag", *photos[:2], "+sea", "+beach")
    focal("tag", *photos[2:], "+sea", "+boat")
    focal("tag", photos[3], "+sailing")
    assert read("tags")["tags"][:2] == [{"tag": "beach", "photos": 2}, {"tag": "boat", "photos": 2}]
    assert focal("tags").splitlines()[0].split() == ["2", "beach"]
    answer = read("tags", "--related", "boat", "--limit", "2")
    assert answer["tag"] == "boat"
    assert [(one["tag"], one["photos"]) for one in answer["related"]] == [("sailing", 1), ("sea", 2)]
    assert focal("tags", "--related", "boat").splitlines()[0].endswith("sailing (1)")
    assert "No photo carries the tag moon" in focal("tags", "--related", "moon", code=1)
    assert "one between all slashes" in focal("tags", "--related", "a//b", code=1)
