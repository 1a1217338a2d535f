"""Local distances on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.cli.command_line import Focal
from tests.browser.operations import local_album
from tests.browser.operations.album import Album
from tests.readme import documented, fits


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library without patches; the tests of this file go on from one another."""
    return local_album.make(tmp_path_factory.mktemp("local"), patches=False)


@pytest.fixture
def focal(library: Path, capsys: pytest.CaptureFixture[str]) -> Focal:
    return Focal(library, capsys)


def test_what_needs_a_training_says_so(focal: Focal, tmp_path: Path) -> None:
    image = Album(tmp_path).draw("x.png", seed=9)
    focal("recognise", image, code=1)
    assert "no metric local" in focal.err
    focal("evaluate", "--protocol", "caltech101", code=1)
    assert "focal descriptors --on" in focal.err


def test_training_ranking_and_recognising(focal: Focal, tmp_path: Path) -> None:
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


def test_the_protocol(focal: Focal) -> None:
    found = focal.json("evaluate", "--protocol", "caltech101", "--training", "3", "--splits", "2")
    assert found["protocol"] == "caltech101"
    assert found["classes"] == ["cold", "warm"]
    assert found["recognition"] == {"mean": 1.0, "sd": 0.0, "splits": [1.0, 1.0]}
    assert found["confusion"] == [[4, 0], [0, 4]]
    one = focal.json("evaluate", "--protocol", "caltech101", "--training", "3", "--splits", "1")
    assert (one["tested"], one["recognition"]["sd"]) == ([4], 0.0)
    text = focal("evaluate", "--protocol", "caltech101", "--training", "3", "--classes", "folders", "--testing", "1")
    assert "mean recognition" in text


def test_arguments_that_do_not_belong_together(focal: Focal) -> None:
    focal("evaluate", "--training", "3", code=2)
    assert "--protocol" in focal.err
    focal("evaluate", "--protocol", "caltech101", "--learner", "rca", code=2)
    assert "--learner" in focal.err
    focal("evaluate", "--learner", "local", code=2)
    assert "measure them with --protocol" in focal.err
