# SPDX-License-Identifier: MIT
"""``focal evaluate`` and ``focal train --learner automatic``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from focal_photos import learners
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.cli.commands.ranking import curves
from focal_photos.learners import LEARNERS
from tests.browser.cli.command_line import Focal
from tests.browser.copies import copied
from tests.browser.operations.album import Album
from tests.browser.operations.striped import judge_some, make


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("striped") / "library"
    make(made, tmp_path_factory.mktemp("photos"), 36)
    with Library.open(made) as library:
        judge_some(library, 8)
    return made


@pytest.fixture
def focal(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Focal:
    return Focal(copied(folder, tmp_path / "library"), capsys)


def test_the_document_holds_every_measure(focal: Focal) -> None:
    found = focal.json("evaluate", "--learner", "tag-ratio", "--learner", "rca", "--k", "1", "--folds", "2")
    assert {name: found[name] for name in ("k", "folds", "gallery", "photos", "tagged", "judgements")} == {
        "k": 1,
        "folds": 2,
        "gallery": "held-out",
        "photos": 36,
        "tagged": 24,
        "judgements": 64,
    }
    plain, ratio, _ = found["learners"]
    assert [one["learner"] for one in found["learners"]] == ["euclidean", "tag-ratio", "rca"]
    assert plain["gain"] is None
    for name in ("precision", "average_precision", "ndcg", "auc"):
        assert 0 < ratio[name]["mean"] <= 1
        assert ratio[name]["sd"] >= 0
    assert ratio["gain"]["gain"] == pytest.approx(ratio["precision"]["mean"] - plain["precision"]["mean"], abs=0.05)
    judged = ratio["judged"]
    assert judged["share"] == pytest.approx(judged["right"] / judged["of"], abs=1e-4)
    assert judged["low"] < judged["share"] < judged["high"]
    assert len(ratio["recall"]) == len(ratio["recall_sd"]) == 11
    assert ratio["curve"][0] == pytest.approx(ratio["precision"]["mean"], abs=1e-4)


def test_the_table_has_a_line_for_each_learner(focal: Focal) -> None:
    text = focal("evaluate", "--learner", "tag-ratio", "--learner", "rca")
    lines = text.splitlines()
    assert lines[0].startswith("36 photos, 24 tagged, 64 judgements; 3 folds, 24 photos held out")
    assert lines[1].split()[:2] == ["learner", "P@1"]
    assert [line.split()[0] for line in lines[2:5]] == ["euclidean", "tag-ratio", "rca"]
    assert "(95 %)" in lines[1]
    assert "Without any order P@1 would be 0.4" in text
    assert "among all tagged ones" in focal("evaluate", "--learner", "rca", "--gallery", "tagged")


def test_a_learner_that_cannot_train_is_last_with_its_reason(focal: Focal, tmp_path: Path) -> None:
    photos = [one["path"] for one in focal.lines("list")]
    focal("tag", *photos, "-lying", "-standing")
    words = ("evaluate", "--learner", "tag-ratio", "--learner", "rca")
    assert "it needs tags" in focal(*words).splitlines()[4]
    document = focal.json(*words)
    by_name = {one["learner"]: one for one in document["learners"]}
    assert "it needs tags" in by_name["tag-ratio"]["reason"]
    assert by_name["rca"]["reason"] is None
    assert by_name["rca"]["precision"] is None
    assert document["chance"] is None
    focal(*words, "--plot", tmp_path / "x.png", code=1)
    assert "no curve to draw" in focal.err


def test_all_selects_every_learner(focal: Focal, monkeypatch: pytest.MonkeyPatch) -> None:
    few = {name: LEARNERS[name] for name in ("euclidean", "kernel", "rca")}
    monkeypatch.setattr(learners, "LEARNERS", few)
    found = focal.json("evaluate", "--learner", "all")
    assert [one["learner"] for one in found["learners"]] == ["euclidean", "kernel", "rca"]


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_curves_are_drawn(focal: Focal, tmp_path: Path, suffix: str, start: bytes) -> None:
    file = tmp_path / f"curves.{suffix}"
    found = focal.json("evaluate", "--learner", "tag-ratio", "--plot", file)
    assert found["plot"] == str(file)
    drawn = file.read_bytes()
    assert drawn.startswith(start)
    assert len(drawn) > 5000


@pytest.mark.slow
def test_curves_need_matplotlib_and_an_output_file(
    focal: Focal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    focal("evaluate", "--plot", "curves.txt", code=2)
    assert "end the name in .png, .svg or .pdf" in focal.err
    focal("evaluate", "--plot", tmp_path / "nowhere" / "x.png", code=1)
    assert "make it first" in focal.err
    (tmp_path / "folder.png").mkdir()
    focal("evaluate", "--learner", "rca", "--plot", tmp_path / "folder.png", code=1)
    assert "cannot be written: Is a directory" in focal.err
    monkeypatch.setattr(curves, "find_spec", lambda _name: None)
    focal("evaluate", "--plot", tmp_path / "x.png", code=1)
    assert "install matplotlib (in Focal's checkout: pip install '.[plot]')" in focal.err


def test_wrong_arguments_are_refused(focal: Focal) -> None:
    focal("evaluate", "--parameter", "ridge=1", code=2)
    assert "is of one learner" in focal.err
    focal("evaluate", "--learner", "rca", "--learner", "lda", "--parameter", "ridge=1", code=2)
    focal("evaluate", "--learner", "rca", "--folds", "1", code=1)
    assert "folds at least 2" in focal.err
    focal("evaluate", "--learner", "smell", code=1)
    assert "There is no learner 'smell'" in focal.err
    again = focal.json("evaluate", "--learner", "rca", "--parameter", "ridge=0.5", "--seed", "3")
    assert again["learners"][1]["parameters"] == {"ridge": 0.5}
    focal("evaluate", "--seed", "-1", code=2)


def test_evaluate_works_while_another_process_writes(focal: Focal) -> None:
    with Library.open(focal.library):
        assert focal.json("evaluate", "--learner", "rca")["learners"][1]["precision"]


@pytest.mark.slow
def test_automatic_reports_its_choice(focal: Focal) -> None:
    found = focal.json("train", "--learner", "automatic", "--without-judgements")
    assert (found["metric"], found["learner"], found["judgements"], found["tagged"]) == (
        "automatic-1",
        "automatic",
        0,
        24,
    )
    assert found["chosen"] in LEARNERS
    assert found["measure"] == "precision@5"  # held-out photos rank all 24 tagged ones, of eight kinds
    assert found["score"] == pytest.approx(found["euclidean"] + found["gain"], abs=1e-4)
    assert found["chosen"] == "euclidean" or found["gain"] > 0
    assert found["questions"] == 24
    text = focal("train", "--learner", "automatic", "--without-tags").splitlines()
    assert text[0].startswith("Automatic: ")
    assert text[-1].startswith("Automatic ")
    assert "judged pairs in order, held out: " in text[-1]
    listed = focal.json("metrics")["metrics"]
    assert [one["metric"] for one in listed] == ["euclidean", "automatic-1", "automatic-2"]
    photo = focal.lines("list")[0]["path"]
    assert focal.json("rank", photo, "--metric", "automatic")["metric"] == "automatic-2"
    focal("undo")
    assert focal.json("metrics")["current"] == "automatic-1"
    focal("redo")
    assert focal.json("metrics")["current"] == "automatic-2"


def test_automatic_takes_no_parameters_and_is_listed_first(focal: Focal) -> None:
    focal("train", "--learner", "automatic", "--parameter", "ridge=1", code=1)
    assert "chooses its own parameters" in focal.err
    listed = focal.json("metrics", "--learners")["learners"]
    assert (listed[0]["name"], listed[0]["parameters"]) == ("automatic", {})


def test_an_unknown_error_is_null(indexed: Focal, album: Album) -> None:
    warm, cold = ([album.path(f"{kind}/{i}.jpg") for i in range(5)] for kind in ("warm", "cold"))
    indexed("tag", *warm[:4], "+sun")
    indexed("tag", *cold[:4], "+ice")
    indexed("judge", warm[0], warm[1], "--similar")
    text = indexed("evaluate", "--learner", "rca", "--folds", "2", "--json")
    assert "Infinity" not in text
    assert "NaN" not in text
    (_, rca) = json.loads(text)["learners"]
    assert rca["order_gain"]["error"] is None, "one judgement gives no error estimate"
