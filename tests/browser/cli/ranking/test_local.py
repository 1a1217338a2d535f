# SPDX-License-Identifier: MIT
"""Local distances on the command line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.cli.commands.ranking.caltech101 import summary
from focal_photos.browser.operations.recognition.protocol_caltech101 import PAPER, Recognised
from tests.browser.cli.command_line import Focal
from tests.browser.operations import local_album
from tests.browser.operations.album import Album
from tests.guide import documented, fits


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library without patches; each test of this module depends on the previous ones."""
    return local_album.make(tmp_path_factory.mktemp("local"), patches=False)


@pytest.fixture
def focal(library: Path, capsys: pytest.CaptureFixture[str]) -> Focal:
    return Focal(library, capsys)


def test_commands_that_need_training_report_it(focal: Focal, tmp_path: Path) -> None:
    image = Album(tmp_path).draw("x.png", seed=9)
    focal("recognise", image, code=1)
    assert "run focal train --learner local first" in focal.err
    focal("evaluate", "--protocol", "caltech101", code=1)
    assert "Fewer than two tags have more than 15 described photos" in focal.err


def test_the_protocol_describes_missing_patches(focal: Focal) -> None:
    found = focal.json("evaluate", "--protocol", "caltech101", "--training", "3", "--splits", "1")
    assert found["recognition"]["mean"] == 1.0


def test_local_distances_are_trained_ranked_and_recognised(focal: Focal, tmp_path: Path) -> None:
    document = focal.json("train", "--learner", "local")
    assert (document["metric"], document["learner"], document["tagged"]) == ("local-1", "local", 10)
    image = Album(tmp_path).draw("x.png", kind="cold", seed=9)
    ranked = focal.json("rank", image, "--metric", "local", "--limit", "3")
    assert ranked["metric"] == "local-1"
    assert [Path(one["path"]).parent.name for one in ranked["results"]] == ["cold"] * 3
    assert all(0 < one["distance"] < 1 for one in ranked["results"])
    warm = Album(tmp_path).draw("y.png", kind="warm", seed=9)
    lines = focal.lines("recognise", image, warm)
    assert [line["path"] for line in lines] == [str(image), str(warm)]
    assert [line["tags"][0]["tag"] for line in lines] == ["cold", "warm"]
    assert fits(documented("recognise")[0], lines[0])
    assert lines[0]["metric"] == "local-1"
    assert lines[0]["focal_images"] == 10
    (text,) = focal("recognise", image, "--limit", "1").splitlines()
    assert text.startswith(f"{image}: cold ")
    assert "," not in text.removeprefix(str(image))


def test_the_learner_is_listed_with_its_parameters(focal: Focal) -> None:
    learners = focal.json("metrics", "--learners")["learners"]
    (local,) = (one for one in learners if one["name"] == "local")
    assert local["parameters"] == {"C": 0.1, "K": 5, "tolerance": 1e-3, "at_once": 2000}
    assert "judged pairs, tags" in local["needs"]
    focal("train", "--learner", "local", "--parameter", "D=1", code=1)
    assert "no parameter 'D'" in focal.err


def test_the_protocol_reports_its_results(focal: Focal) -> None:
    found = focal.json("evaluate", "--protocol", "caltech101", "--training", "3", "--splits", "2")
    assert fits(documented("evaluate")[2], found)
    assert found["protocol"] == "caltech101"
    assert found["classes"] == ["cold", "warm"]
    assert found["recognition"] == {"mean": 1.0, "sd": 0.0, "splits": [1.0, 1.0]}
    assert found["confusion"] == [[4, 0], [0, 4]]
    one = focal.json("evaluate", "--protocol", "caltech101", "--training", "3", "--splits", "1")
    assert (one["tested"], one["recognition"]["sd"]) == ([4], 0.0)
    text = focal("evaluate", "--protocol", "caltech101", "--training", "3", "--classes", "folders", "--testing", "1")
    assert "mean recognition" in text


def test_the_summary_names_the_worst_recognised_classes() -> None:
    confusion = np.array([[[4, 0, 0], [1, 3, 0], [0, 2, 2]], [[4, 0, 0], [0, 4, 0], [0, 4, 0]]])
    found = Recognised(("ant", "bee", "cat"), 15, np.full((2, 3), 4), confusion, left_out=7)
    assert summary(found) == [
        "3 classes, 15 photos of each learned, 24 recognised in 2 splits; 7 photos left out",
        # 75 % and 67 % in the two splits; the standard deviation is 5.9
        f"mean recognition over classes: 70.8 \N{PLUS-MINUS SIGN} 5.9 % "
        f"(without looking 33.3 %; the source: {PAPER} % of 101 classes, 15 photos of each)",
        "  cat: 25 %, most often taken for bee",
        "  bee: 88 %, most often taken for ant",
    ]


def test_contradictory_arguments_are_refused(focal: Focal) -> None:
    focal("evaluate", "--training", "3", code=2)
    assert "--protocol" in focal.err
    focal("evaluate", "--protocol", "caltech101", "--learner", "rca", code=2)
    assert "--learner" in focal.err
    focal("evaluate", "--learner", "local", code=2)
    assert "measure them with --protocol" in focal.err
