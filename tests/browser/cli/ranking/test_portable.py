# SPDX-License-Identifier: MIT
"""``focal lens export NAME --to FOLDER``: a metric for programs without Focal, and the rows that it ranks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.galleries.gallery import embedding
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from tests.browser.cli.command_line import Focal
from tests.browser.copies import copied
from tests.browser.operations.striped import judge_some, make


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("portable") / "library"
    make(made, tmp_path_factory.mktemp("photos"), 36)
    with Library.open(made) as library:
        judge_some(library, 4)
    return made


@pytest.fixture
def focal(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Focal:
    return Focal(copied(folder, tmp_path / "library"), capsys)


def inside(library: Path, name: str) -> dict[str, Any]:
    """Return the rows of Focal's own gallery by file name."""
    with Library.open(library) as opened:
        metric = load_metric(opened, opened.metrics.by_name(name))
        ids, rows = finish(embedding(opened, metric))
        paths = [path.name for path in opened.photos.paths(ids.tolist())]
        return dict(zip(paths, np.array(rows), strict=True))


def same_order(ours: dict[str, Any], names: list[str], positions: Any) -> None:
    theirs = {Path(name).name: row for name, row in zip(names, positions, strict=True)}
    assert theirs.keys() == ours.keys()
    expected = np.stack([*ours.values()])
    found = np.stack([theirs[name] for name in ours])
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-4 * np.abs(expected).max())


@pytest.mark.parametrize("name", ["kernel", "rca"])
def test_a_script_ranks_exported_rows_as_focal_does(focal: Focal, tmp_path: Path, name: str) -> None:
    focal("train", "--learner", name)
    metric = f"{name}-1"
    target = tmp_path / "out"
    done = focal.json("lens", "export", metric, "--to", target, "--licence", "CC BY 4.0")
    assert done["files"] == ["metric.npz", "model-card.json", "model-card.md", "rank_photos.py"]
    focal("metrics", "--use", "euclidean")  # the rows are those of the named metric
    focal(*done["rows"].split()[1:-1], tmp_path / "rows.npz")
    here = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    words = [sys.executable, "-P", str(target / "rank_photos.py"), str(tmp_path / "rows.npz")]
    answer = subprocess.run(
        [*words, "--count", "5"], cwd=tmp_path, env=here, check=True, capture_output=True, text=True
    )
    lines = [json.loads(line) for line in answer.stdout.splitlines()]
    own = inside(focal.library, metric)
    assert len(lines) == len(own) == 36
    for line in lines:
        query = own[Path(line["query"]).name]
        far = {one: float(np.linalg.norm(row - query)) for one, row in own.items() if one != Path(line["query"]).name}
        expected = sorted(far.values())[:5]
        assert [one["distance"] for one in line["ranked"]] == pytest.approx(expected, abs=1e-4)
        assert [far[Path(one["photo"]).name] for one in line["ranked"]] == pytest.approx(expected, abs=1e-4)
    subprocess.run([*words, "--embed", "positions.npz"], cwd=tmp_path, env=here, check=True)
    with np.load(tmp_path / "positions.npz") as file:
        same_order(own, file["paths"].tolist(), file["positions"])


def test_onnx_runtime_ranks_exported_rows_as_focal_does(focal: Focal, tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    focal("train", "--learner", "kernel")
    done = focal.json("lens", "export", "kernel-1", "--to", tmp_path / "out", "--format", "onnx")
    assert done["files"] == ["metric.onnx", "model-card.json", "model-card.md"]
    focal("export", "--format", "npz", "--vectors", "descriptors", "--output", tmp_path / "rows.npz")
    session = runtime.InferenceSession(str(tmp_path / "out" / "metric.onnx"), providers=["CPUExecutionProvider"])
    with np.load(tmp_path / "rows.npz") as file:
        (positions,) = session.run(None, {"descriptors": file["vectors"]})
        same_order(inside(focal.library, "kernel-1"), file["paths"].tolist(), positions)


def test_the_model_card_says_what_was_learned_from_what(focal: Focal, tmp_path: Path) -> None:
    focal("train", "--learner", "rca")
    focal("metrics", "--rename", "rca-1", "My | stripes *")
    focal("lens", "export", "rca-1", "--to", tmp_path / "out", "--licence", "CC BY 4.0")
    card = json.loads((tmp_path / "out" / "model-card.json").read_text())
    assert card["title"] == "My | stripes *"
    assert card["data"] == {"judgements": 32, "tagged_photos": 24}
    assert card["licence"] == "CC BY 4.0"
    assert card["learner"]["name"] == "rca"
    assert card["learner"]["parameters"]["output_components"] > 0
    measured = card["held_out"]
    assert 0 <= measured["without_training"] <= 1
    low, high = measured["interval"]
    assert low < measured["gain"] < high
    assert measured["gain"] == pytest.approx(measured["score"] - measured["without_training"], abs=1e-6)
    with Library.open(focal.library) as library:
        loaded = load_metric(library, library.metrics.by_name("rca-1"))
        assert [one["key"] for one in card["descriptors"]] == loaded.keys
        assert card["input"]["values"] == loaded.space.n_features_in_ == card["descriptors"][-1]["columns"][1]
        assert card["output"]["values"] == loaded.dimension
    assert [one["version"] for one in card["descriptors"]] == [int(key.split("-")[1]) for key in loaded.keys]
    assert len(card["limits"]) >= 4
    page = (tmp_path / "out" / "model-card.md").read_text()
    assert page.startswith("# My \\| stripes \\*\n")
    assert f"- Difference: {100 * measured['gain']:+.1f} points (95 % interval: " in page
    assert "CC BY 4.0" in page
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    assert len(rows) == 1 + len(card["descriptors"])


def test_the_model_card_of_an_untrained_metric_promises_nothing(focal: Focal, tmp_path: Path) -> None:
    focal("lens", "export", "euclidean", "--to", tmp_path / "out")
    card = json.loads((tmp_path / "out" / "model-card.json").read_text())
    assert (card["held_out"], card["learned_at"], card["data"]["judgements"]) == (None, None, 0)
    assert card["licence"].startswith("Not stated")
    assert "Not measured" in (tmp_path / "out" / "model-card.md").read_text()


def test_an_export_contains_no_names_of_photos_or_tags(focal: Focal, tmp_path: Path) -> None:
    focal("train", "--learner", "kernel")
    focal("lens", "export", "kernel-1", "--to", tmp_path / "out")
    with np.load(tmp_path / "out" / "metric.npz") as file:
        texts = [file[name].tobytes() for name in file.files]
    texts += [(tmp_path / "out" / f"model-card.{kind}").read_bytes() for kind in ("json", "md")]
    assert not [word for text in texts for word in (b"lying", b"standing", b".png") if word in text]


def test_what_cannot_be_exported_is_refused(focal: Focal, tmp_path: Path) -> None:
    focal("train", "--learner", "kernel-uniform")
    target = tmp_path / "out"
    focal("lens", "export", "kernel-uniform-1", "--to", target, code=1)
    assert "compares photos in pairs and has no coordinates" in focal.err
    focal("train", "--learner", "rca")
    (target / "mine").mkdir(parents=True)
    focal("lens", "export", "rca-1", "--to", target, code=1)
    assert "name a new or an empty folder" in focal.err
    focal("lens", "export", "rca-1", "--to", focal.library / "out", code=1)
    assert "is in the library itself" in focal.err
    for words in (["--format", "python"], ["file", "--to", target], ["file", "--licence", "MIT"]):
        focal("lens", "export", "rca-1", *words, code=2)
        assert "name a metric and a" in focal.err
    assert [one.name for one in target.iterdir()] == ["mine"]
    focal("export", "--format", "npz", "--vectors", "descriptors:rca-9", "--output", tmp_path / "x.npz", code=1)
    assert "rca-9" in focal.err
