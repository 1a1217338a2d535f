"""Local distances on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from browser.cli import main
from tests.browser.operations import local_album
from tests.browser.operations.album import Album
from tests.readme import documented, fits

Focal = Callable[..., str]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library without patches; the tests of this file go on from one another."""
    return local_album.make(tmp_path_factory.mktemp("local"), patches=False)


@pytest.fixture
def focal(library: Path, capsys: pytest.CaptureFixture[str]) -> Focal:
    def run(*arguments: str | Path, code: int = 0) -> str:
        capsys.readouterr()
        done = main([*map(str, arguments), "--library", str(library)])
        captured = capsys.readouterr()
        assert done == code, captured.err
        assert "Traceback" not in captured.err
        return captured.out if code == 0 else captured.err

    return run


def test_what_needs_a_training_says_so(focal: Focal, tmp_path: Path) -> None:
    image = Album(tmp_path).draw("x.png", seed=9)
    assert "no metric local" in focal("recognise", image, code=1)
    assert "focal descriptors --on" in focal("evaluate", "--protocol", "caltech101", code=1)


def test_training_ranking_and_recognising(focal: Focal, tmp_path: Path) -> None:
    document: dict[str, Any] = json.loads(focal("train", "--learner", "local", "--json"))
    assert (document["metric"], document["learner"], document["tagged"]) == ("local-1", "local", 10)
    image = Album(tmp_path).draw("x.png", kind="cold", seed=9)
    ranked = json.loads(focal("rank", image, "--metric", "local", "--limit", "3", "--json"))
    assert ranked["metric"] == "local-1"
    assert [Path(one["path"]).parent.name for one in ranked["results"]] == ["cold"] * 3
    assert all(0 < one["distance"] < 1 for one in ranked["results"])
    warm = Album(tmp_path).draw("y.png", kind="warm", seed=9)
    lines = [json.loads(line) for line in focal("recognise", image, warm, "--json").splitlines()]
    assert [line["path"] for line in lines] == [str(image), str(warm)]
    assert [line["tags"][0]["tag"] for line in lines] == ["cold", "warm"]
    assert fits(documented("recognise")[0], lines[0])
    assert lines[0]["metric"] == "local-1"
    assert lines[0]["focal_images"] == 10
    (text,) = focal("recognise", image, "--limit", "1").splitlines()
    assert text.startswith(f"{image}: cold ")
    assert "," not in text.removeprefix(str(image))


def test_the_learner_is_listed_with_its_parameters(focal: Focal) -> None:
    learners = json.loads(focal("metrics", "--learners", "--json"))["learners"]
    (local,) = (one for one in learners if one["name"] == "local")
    assert local["parameters"] == {"C": 0.1, "K": 5, "tolerance": 1e-3, "at_once": 2000}
    assert "judged pairs, tags" in local["needs"]
    assert "no parameter 'D'" in focal("train", "--learner", "local", "--parameter", "D=1", code=1)


def test_the_protocol(focal: Focal) -> None:
    found = json.loads(focal("evaluate", "--protocol", "caltech101", "--training", "3", "--splits", "2", "--json"))
    assert found["protocol"] == "caltech101"
    assert found["classes"] == ["cold", "warm"]
    assert found["recognition"] == {"mean": 1.0, "sd": 0.0, "splits": [1.0, 1.0]}
    assert found["confusion"] == [[4, 0], [0, 4]]
    text = focal("evaluate", "--protocol", "caltech101", "--training", "3", "--classes", "folders", "--testing", "1")
    assert "mean recognition" in text


def test_arguments_that_do_not_belong_together(focal: Focal) -> None:
    assert "--protocol" in focal("evaluate", "--training", "3", code=2)
    assert "--learner" in focal("evaluate", "--protocol", "caltech101", "--learner", "rca", code=2)
    assert "measure them with --protocol" in focal("evaluate", "--learner", "local", code=2)
