# SPDX-License-Identifier: MIT
"""``focal pick``."""

from __future__ import annotations

from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album


def test_photos_are_picked_for_a_goal(indexed: Focal, album: Album) -> None:
    one = indexed.json("pick", "--goal", "typical", "--count", "2")
    assert (one["goal"], one["seed"], one["considered"], len(one["photos"])) == ("typical", 0, 10, 2)
    assert indexed("pick", "--goal", "typical", "--count", "2").splitlines() == one["photos"]
    diverse = indexed.json("pick", "--goal", "diverse", "--count", "4", "--seed", "1", "--query", "path:warm")
    assert all("/warm/" in path for path in diverse["photos"])
    assert diverse == indexed.json("pick", "--goal", "diverse", "--count", "4", "--seed", "1", "--query", "path:warm")
    photo = album.path("warm/0.jpg")
    near = indexed.json("pick", "--goal", f"near:{photo}", "--count", "3")
    ranked = indexed.json("rank", photo, "--limit", "3")["results"]
    assert near["photos"] == [each["path"] for each in ranked]
    assert (near["focal"], one["focal"]) == (str(photo), None)


def test_a_wrong_goal_and_a_lack_of_tags_are_errors(indexed: Focal, album: Album) -> None:
    for goal in ("nice", "near", "near:"):
        indexed("pick", "--goal", goal, code=2)
        assert "near:FILE" in indexed.err
    indexed("pick", code=2)
    indexed("pick", "--goal", "balanced", code=1)
    assert "tag a few photos" in indexed.err
    indexed("tag", album.path("warm/0.jpg"), "+warm")
    assert indexed.json("pick", "--goal", "balanced")["photos"] == [str(album.path("warm/0.jpg"))]
    indexed("pick", "--goal", "odd", "--query", "tag:nothing", code=1)
    assert "no described photos" in indexed.err
