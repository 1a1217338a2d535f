# SPDX-License-Identifier: MIT
"""``focal descriptors`` and ``focal settings``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from focal_photos.browser.operations.describing import orientation
from focal_photos.features.table import STANDARD, STANDARD_CODES
from tests.browser.cli.command_line import Focal
from tests.browser.operations.album import Album, pixels
from tests.browser.operations.own_descriptors import write_network


def test_descriptors_are_listed_and_switched(indexed: Focal, album: Album) -> None:
    listed = indexed.json("descriptors")["descriptors"]
    fields = {"name", "title", "kind", "on", "dimension", "learned_from", "key", "photos", "bytes", "left_out"}
    assert all(set(one) == fields for one in listed)
    moments = {one["name"]: one for one in listed}["color_moments"]
    assert (moments["on"], moments["kind"], moments["dimension"], moments["photos"]) == (True, "global", 225, 10)
    assert moments["bytes"] > 10 * 4 * 225
    assert moments["key"].startswith("color_moments-")
    switched = indexed.json("descriptors", "--off", "gabor,color_coherence")["descriptors"]
    assert {one["name"] for one in listed} - {one["name"] for one in switched if one["on"]} >= {
        "gabor",
        "color_coherence",
    }
    assert "* color_moments" in indexed("descriptors", "--on", "gabor")
    indexed("index", "--descriptors", "color_moments,gabor")
    on = [one["name"] for one in indexed.json("descriptors")["descriptors"] if one["on"]]
    assert on == ["color_moments", "gabor"]
    assert len(indexed.json("rank", album.path("warm/0.jpg"))["results"]) == 9
    indexed("index", "--descriptors", "standard")
    standard = indexed.json("descriptors", "--standard")["descriptors"]
    assert {one["name"] for one in standard if one["on"]} == {*STANDARD, *STANDARD_CODES}
    assert {one["photos"] for one in standard if one["on"]} == {10}


def test_photos_without_an_up_are_described_in_any_rotation(here: Focal, album: Album) -> None:
    def moments() -> tuple[str, int]:
        (found,) = (one for one in here.json("descriptors")["descriptors"] if one["on"])
        return found["key"], found["photos"]

    here("index", album.folder, "--descriptors", "color_moments")
    upright = moments()
    here("index", "--any-rotation", "on")
    assert here.json("settings", "descriptors.any_rotation")["value"] is True
    key, photos = moments()
    assert (key != upright[0], photos) == (True, upright[1])
    here("index", "--any-rotation", "off")
    assert moments() == upright


def test_indexing_says_that_photos_have_no_up(here: Focal, album: Album, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orientation, "have_no_up", lambda _library: True)
    hint = "focal index --any-rotation on"
    here("index", album.folder, "--descriptors", "color_moments")
    assert hint in here.err
    here("index")
    assert hint not in here.err, "no photo is new"


def test_colour_descriptors_are_skipped_for_photos_without_colour(here: Focal, tmp_path: Path) -> None:
    folder = tmp_path / "grey"
    folder.mkdir()
    for i in range(8):
        grey = np.repeat(pixels("warm", i).mean(axis=2, keepdims=True), 3, axis=2).astype(np.uint8)
        Image.fromarray(grey).save(folder / f"{i}.jpg")
    here("index", folder, "--descriptors", "color_moments,gabor")
    listed = {one["name"]: one["left_out"] for one in here.json("descriptors")["descriptors"]}
    assert [name for name, left_out in listed.items() if left_out] == ["color_moments"]
    assert "left out of rankings: photos without colours" in here("descriptors")


def test_a_network_is_added_used_and_removed(indexed: Focal, album: Album, tmp_path: Path) -> None:
    file = write_network(tmp_path / "net.onnx")
    indexed("index", "--descriptors", "color_moments")
    more = ("--name", "net", "--size", "8x8", "--mean", "124,116,104", "--scale", "0.02", "--channels", "BGR")
    added = indexed.json("descriptors", "--add-network", file, *more)["descriptors"][-1]
    assert (added["name"], added["kind"], added["on"], added["dimension"]) == ("net", "network", True, 5)
    (kept,) = indexed.json("settings", "networks")["value"]
    assert (kept["file"], kept["mean"], kept["channels"]) == (str(file), [124, 116, 104], "BGR")
    indexed("index")
    assert indexed.json("descriptors")["descriptors"][-1]["photos"] == 10
    assert len(indexed.json("rank", album.path("warm/0.jpg"))["results"]) == 9
    file.unlink()
    indexed("index", code=1)
    assert "--remove-network net" in indexed.err
    indexed("descriptors", "--remove-network", "net")
    indexed("index")
    assert "net" not in [one["name"] for one in indexed.json("descriptors")["descriptors"]]


def test_descriptors_that_must_be_trained_first_report_it(indexed: Focal) -> None:
    text = indexed("descriptors", "--on", "sift_words_200")
    (line,) = (line for line in text.splitlines() if " sift_words_200 " in line)
    assert line.startswith("* ")
    assert line.endswith("fitted at the next focal index")


def test_all_selects_every_descriptor(indexed: Focal, album: Album) -> None:
    for photo in album.folder.rglob("*.jpg"):
        photo.unlink()
    indexed("index", "--descriptors", "all")
    assert all(one["on"] for one in indexed.json("descriptors")["descriptors"])


def test_a_network_is_removed_with_its_setting(indexed: Focal, tmp_path: Path) -> None:
    file = write_network(tmp_path / "net.onnx")
    indexed("descriptors", "--add-network", file, "--name", "net", "--size", "8x8")
    assert "net" in indexed.json("settings", "descriptors")["value"]
    assert indexed.json("settings", "networks", "[]")["value"] == []
    assert "net" not in indexed.json("settings", "descriptors")["value"]


def test_settings_are_shown_and_changed(indexed: Focal) -> None:
    every = indexed.json("settings")["settings"]
    assert [one["name"] for one in every][:3] == ["decode.megapixels", "decode.megabytes", "decode.seconds"]
    assert all(set(one) == {"name", "value", "default", "title", "help"} for one in every)
    assert "decode.megapixels = 300" in indexed("settings")
    assert indexed.json("settings", "decode.megapixels", "50")["value"] == 50
    assert indexed("settings", "decode.megapixels").startswith("decode.megapixels = 50\n")
    assert indexed.json("settings", "decode.megapixels", "--default")["value"] == 300
    assert indexed.json("settings", "descriptors", "gabor,color_moments")["value"] == ["color_moments", "gabor"]
    assert indexed.json("settings", "descriptors", "standard")["value"] is None
    assert indexed.json("settings", "networks", "[]")["value"] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("settings", "color"), 1, "no setting 'color'"),
        (("settings", "decode.seconds", "long"), 1, "a number from 1 to 3600"),
        (("settings", "descriptors", "smell"), 1, "no descriptor 'smell'; there are color_moments"),
        (("settings", "--default"), 2, "name it"),
        (("descriptors", "--on", "smell"), 1, "no descriptor 'smell'"),
        (("descriptors", "--name", "net"), 2, "--add-network FILE"),
        (("descriptors", "--standard", "--on", "gabor"), 2, "leave --on"),
        (("descriptors", "--add-network", "net.onnx"), 2, "--name NAME"),
        (("descriptors", "--add-network", "/nowhere/net.onnx", "--name", "net"), 1, "There is no file net.onnx"),
        (("descriptors", "--add-network", "net.onnx", "--name", "net", "--size", "big"), 2, "224x224"),
        (("descriptors", "--add-network", "net.onnx", "--name", "net", "--mean", "1,2"), 2, "nor three"),
        (("descriptors", "--add-network", "net.onnx", "--name", "net", "--scale", "small"), 2, "nor three"),
        (("descriptors", "--remove-network", "net"), 1, "no network 'net'"),
        (("index", "--descriptors", "smell"), 1, "no descriptor 'smell'"),
        (("index", "--descriptors", ","), 2, "standard, or all"),
        (("index", "--scheduler", "tcp://127.0.0.1:1"), 2, "add --backend dask"),
        (("index", "--backend", "dask"), 2, "add --scheduler"),
        (("train", "--scheduler", "tcp://127.0.0.1:1"), 2, "add --backend dask"),
        (("train", "--backend", "dask"), 2, "add --scheduler"),
        (("train", "--backend", "dask", "--scheduler", "tcp://127.0.0.1:1"), 1, "only for automatic and local"),
        (("evaluate", "--backend", "dask"), 2, "add --scheduler"),
        (
            ("evaluate", "--protocol", "caltech101", "--backend", "dask", "--scheduler", "x"),
            2,
            "--protocol is done here",
        ),
        (("index", "--backend", "smoke"), 1, "'smoke' cannot be used"),
    ],
)
def test_unknown_descriptors_and_settings_are_named(
    indexed: Focal, album: Album, arguments: tuple[str, ...], code: int, message: str
) -> None:
    album.draw("new.jpg")
    indexed(*arguments, code=code)
    assert message in indexed.err
    assert len(indexed.err.strip().splitlines()) == 1
