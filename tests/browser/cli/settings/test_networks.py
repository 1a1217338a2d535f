# SPDX-License-Identifier: MIT
"""``focal networks``, ``focal rank --text`` and ``focal judge --text``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from focal_photos.features.network.backends import version_of
from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album
from tests.browser.operations.colored_album import EACH, draw
from tests.browser.operations.own_descriptors import write_network
from tests.features.network.made_networks import COLORS, SIDE, VALUES, write_color_network

BOAT = "a red boat"


@pytest.fixture
def colors(here: Focal, tmp_path: Path) -> Focal:
    """Return a library of photos of all colours with a network for text queries."""
    draw(tmp_path / "photos")
    images, texts, tokenizer = write_color_network(tmp_path / "networks")
    here("index", tmp_path / "photos", "--descriptors", "color_moments")
    here("networks", "--add", images, "--name", "colors", "--text", texts, "--tokenizer", tokenizer)
    here("index", tmp_path / "photos")
    return here


def fails(focal: Focal, *arguments: str | Path) -> str:
    """Run a command that must fail and return its error message."""
    with pytest.raises(AssertionError, match="focal"):
        focal(*arguments)
    return focal.err


def kinds(found: list[dict[str, str]]) -> list[str]:
    return [Path(one["path"]).parent.name for one in found]


def test_a_network_is_added_tried_renamed_and_removed(colors: Focal, tmp_path: Path) -> None:
    (one,) = colors.json("networks")["networks"]
    assert (one["name"], one["title"], one["on"]) == ("colors", "Network colors", True)
    assert (one["size"], one["dimension"], one["photos"]) == ([SIDE, SIDE], VALUES, EACH * len(COLORS))
    assert one["backend"] == f"onnxruntime {version_of('onnxruntime')}"
    assert (one["file"], one["text"]) == tuple(
        str(tmp_path / "networks" / name) for name in ("images.onnx", "texts.onnx")
    )
    listed = colors("networks")
    assert "images and texts" in listed
    assert "onnxruntime" in listed
    tried = colors.json("networks", "--try", "colors")
    assert (tried["tried"], tried["unreadable"], tried["dimension"]) == (10, 0, VALUES)
    assert tried["photos"] == EACH * len(COLORS)
    assert tried["library_bytes"] == 4 * VALUES * tried["photos"]
    assert tried["seconds"] >= 0
    assert tried["library_seconds"] > 0
    assert "10 photos tried" in colors("networks", "--try", "colors")
    key = colors.json("descriptors")["descriptors"][-1]["key"]
    (renamed,) = colors.json("networks", "--rename", "colors", "  My   colours ")["networks"]
    assert (renamed["name"], renamed["title"], renamed["photos"]) == ("colors", "My colours", EACH * len(COLORS))
    last = colors.json("descriptors")["descriptors"][-1]
    assert (last["title"], last["key"]) == ("My colours", key)
    assert colors.json("networks", "--rename", "colors", "")["networks"][0]["title"] == "Network colors"
    assert colors.json("networks", "--remove", "colors")["networks"] == []
    assert "There is no network yet" in colors("networks")
    assert (tmp_path / "networks" / "images.onnx").is_file()


def test_check_reports_the_runtime_of_networks(colors: Focal, tmp_path: Path) -> None:
    assert colors.json("check")["networks"] == {"colors": f"onnxruntime {version_of('onnxruntime')}"}
    assert "The network colors is run by onnxruntime" in colors("check")
    (tmp_path / "networks" / "images.onnx").unlink()
    assert "The network colors cannot be used: The file of the network colors cannot be read" in colors("check", code=1)


def test_options_override_a_configuration(indexed: Focal, tmp_path: Path) -> None:
    net, config = write_network(tmp_path / "net.onnx"), tmp_path / "preprocessor_config.json"
    said = {"size": 10, "crop_size": 8, "do_center_crop": True, "image_mean": [0.5] * 3, "image_std": [0.25] * 3}
    config.write_text(json.dumps(said))
    indexed("networks", "--add", net, "--name", "net", "--config", config, "--mean", "1,2,3", "--unit-length")
    (kept,) = indexed.json("settings", "networks")["value"]
    assert (kept["width"], kept["height"], kept["share"], kept["mean"]) == (8, 8, 0.8, [1, 2, 3])
    assert kept["scale"] == pytest.approx([4 / 255] * 3)
    assert kept["unit_length"] is True
    config.write_text("nothing")
    message = fails(indexed, "networks", "--add", net, "--name", "net", "--config", config)
    assert "preprocessor_config.json cannot be used" in message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--name", "net"], "put --add FILE before them"),
        (["--add", "net.onnx"], "add --name NAME"),
        (["--add", "net.onnx", "--name", "net", "--text", "text.onnx"], "give --text and --tokenizer"),
        (["--add", "net.onnx", "--name", "net", "--context", "9"], "are about a half for texts"),
        (["--try", "net"], "There is no network 'net'; there are: none"),
        (["--rename", "net", "x"], "There is no network 'net'"),
        (["--remove", "net"], "There is no network 'net'"),
        (["--add", "net.onnx", "--name", "net"], "There is no file net.onnx"),
    ],
)
def test_errors_are_reported(indexed: Focal, options: list[str], message: str) -> None:
    assert message in fails(indexed, "networks", *options)


def test_a_text_can_rank_be_judged_and_be_explained(colors: Focal, tmp_path: Path) -> None:
    found = colors.json("rank", "--text", f"  {BOAT} ")
    assert found["text"] == BOAT
    assert found["judgements"] == 0
    assert kinds(found["results"])[:EACH] == ["red"] * EACH
    assert len(found["results"]) == EACH * len(COLORS)
    some = colors.json("rank", "--text", BOAT, "--query", "path:blue or path:green", "--limit", "2")["results"]
    assert len(some) == 2
    assert set(kinds(some)) <= {"blue", "green"}
    blue = tmp_path / "photos" / "blue" / "0.png"
    judged = colors.json("judge", "--text", BOAT, blue, "--similar")
    assert judged == {"text": BOAT, "verdict": "similar", "images": [str(blue)], "changed": 1}
    again = colors.json("rank", "--text", BOAT, "--why", "--limit", "3")
    assert again["judgements"] == 1
    assert again["results"][0]["path"] == str(blue)
    for one in again["results"]:
        assert [part["kind"] for part in one["parts"]] == ["family", "judgements"]
        assert one["parts"][0]["title"] == "Network colors"
        assert sum(part["value"] for part in one["parts"]) == pytest.approx(one["distance"], abs=1e-4)
    assert "Network colors" in colors("rank", "--text", BOAT, "--why", "--limit", "1")
    assert kinds(colors.json("rank", "--text", BOAT, "--without-judgements")["results"])[:EACH] == ["red"] * EACH
    colors("undo")
    assert colors.json("rank", "--text", BOAT)["judgements"] == 0
    colors("redo")
    assert colors.json("judge", "--text", BOAT, blue, "--clear")["changed"] == 1
    assert colors.json("rank", "--text", BOAT)["judgements"] == 0


def test_texts_are_refused_without_a_text_encoder(indexed: Focal, album: Album, tmp_path: Path) -> None:
    assert "add one with focal networks --add" in fails(indexed, "rank", "--text", BOAT)
    assert "one of them" in fails(indexed, "rank")
    assert "one of them" in fails(indexed, "rank", album.path("warm/0.jpg"), "--text", BOAT)
    assert "at least one photo" in fails(indexed, "judge", "--text", BOAT, "--similar")
    indexed("descriptors", "--add-network", write_network(tmp_path / "net.onnx"), "--name", "net")
    assert "The network net cannot encode texts" in fails(indexed, "rank", "--text", BOAT)
