# SPDX-License-Identifier: MIT
"""``focal replay``: a script that trains a metric again, from the feedback at that time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.ranking.space import coordinates
from focal_photos.browser.operations.training.training_set import described_in
from focal_photos.learners.galleries.row_gallery import gallery_rows, row_gallery
from focal_photos.learners.persistence import load
from tests.browser.cli.command_line import REPOSITORY, Focal
from tests.browser.copies import copied
from tests.browser.operations.striped import judge_some, make

LEAST = 0.99
TIE = 1e-4


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("replay") / "library"
    make(made, tmp_path_factory.mktemp("photos"), 36)
    with Library.open(made) as library:
        judge_some(library, 4)
        ids = library.photos.ids().tolist()
        library.judged_relations.set([(ids[0], ids[1], ids[5])], holds=True)
    return made


@pytest.fixture
def focal(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Focal:
    return Focal(copied(folder, tmp_path / "library"), capsys)


def replayed(folder: Path, *words: str, code: int = 0, environment: dict[str, str] | None = None) -> Any:
    """Run the script in another process, and return its document."""
    here = {**os.environ, "PYTHONPATH": str(REPOSITORY), **(environment or {})}
    done = subprocess.run(
        [sys.executable, str(folder / "replay.py"), *words], env=here, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def distances_in(library: Path, name: str) -> dict[str, dict[str, float]]:
    """Return the distances of each photo to all others by a metric of a library, by content."""
    with Library.open(library) as opened:
        loaded = load_metric(opened, opened.metrics.by_name(name))
        ids = described_in(opened, loaded.space)
        assert loaded.learner is not None
        rows = gallery_rows(loaded.learner, coordinates(opened, loaded.space, ids))
        every = np.arange(len(ids))
        near, far = row_gallery(loaded.learner, rows).rank_many(rows, len(ids) - 1, skip=every)
        hashes = opened.photos.content_hashes(ids.tolist())
        names = [hashes[number] for number in ids.tolist()]
    return {
        names[row]: {names[other]: distance for other, distance in zip(near[row], far[row].tolist(), strict=True)}
        for row in every
    }


def ranks_of(file: Path) -> dict[str, list[str]]:
    with np.load(file) as found:
        photos = found["photos"].tolist()
        return {photos[row]: [photos[other] for other in near] for row, near in enumerate(found["ranks"])}


def same_share(ours: dict[str, dict[str, float]], theirs: dict[str, list[str]]) -> float:
    """Return the share of photos whose nearest ones are the same, except for ties in single precision."""
    assert ours.keys() == theirs.keys()
    same = 0
    for photo, distances in ours.items():
        nearest = sorted(distances.values())[: len(theirs[photo])]
        same += bool(np.allclose([distances[other] for other in theirs[photo]], nearest, rtol=TIE, atol=0))
    return same / len(ours)


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["kernel", "rca", "bdm", "omdl-lr", "tag-ratio", "kernel-weighted", "lmnn"])
def test_other_processes_kernels_and_threads_give_the_same_rankings(focal: Focal, tmp_path: Path, learner: str) -> None:
    focal("train", "--learner", learner, "--keep")
    name = f"{learner}-1"
    done = focal.json("replay", focal.library, "--to", tmp_path / "again", "--metric", name)
    assert done["files"] == ["data.npz", "replay.json", "replay.npz", "replay.py"]
    own = distances_in(focal.library, name)
    for number, environment in enumerate(
        (
            {"OPENBLAS_NUM_THREADS": "1"},
            {"OPENBLAS_NUM_THREADS": "2", "OPENBLAS_CORETYPE": "Haswell"},
            {"OPENBLAS_NUM_THREADS": "1", "OPENBLAS_CORETYPE": "Nehalem"},
        )
    ):
        ranks = tmp_path / f"ranks-{number}.npz"
        found = replayed(tmp_path / "again", "--ranks", str(ranks), environment=environment)
        assert found["same"] >= LEAST * found["compared"] > 0
        assert same_share(own, ranks_of(ranks)) >= LEAST, (learner, environment)


def test_later_feedback_and_photos_do_not_change_a_replay(focal: Focal, tmp_path: Path) -> None:
    focal("train", "--learner", "kernel", "--keep")
    focal("replay", "--to", tmp_path / "before")
    own = distances_in(focal.library, "kernel-1")
    with Library.open(focal.library) as library:
        ids = library.photos.ids().tolist()
        library.judgements.set(ids[0], ids[20:30], Verdict.SIMILAR)
        library.judgements.set(ids[0], [ids[20]], None)
        library.tags.change(ids[:10], ["new"])
        library.tags.change(ids[10:14], [], ["lying", "standing"])
    focal("train", "--learner", "rca", "--keep")
    focal("replay", "--to", tmp_path / "after", "--metric", "kernel-1")
    for name in ("data.npz",):
        with np.load(tmp_path / "before" / name) as before, np.load(tmp_path / "after" / name) as after:
            assert before.files == after.files
            for key in before.files:
                np.testing.assert_array_equal(before[key], after[key], err_msg=key)
    texts = [(tmp_path / place / "replay.json").read_text() for place in ("before", "after")]
    assert texts[0] == texts[1]
    replayed(tmp_path / "after", "--ranks", str(tmp_path / "ranks.npz"))
    assert same_share(own, ranks_of(tmp_path / "ranks.npz")) >= LEAST
    # The library itself is as before.
    with Library.open(focal.library) as library:
        assert "new" in [tag.name for tag in library.tags.all()]
        assert library.metrics.current().name == "rca-1"


def test_the_script_writes_the_metric_and_notices_other_data(focal: Focal, tmp_path: Path) -> None:
    focal("train", "--learner", "rca", "--keep")
    again = tmp_path / "again"
    focal("replay", "--to", again)
    found = replayed(again, "--metric", str(tmp_path / "metric.npz"))
    assert (found["judgements"], found["tagged"], found["photos"]) == (33, 24, 36)
    with Library.open(focal.library) as library:
        original = library.metrics.path(library.metrics.by_name("rca-1"))
        assert original is not None
    ours, theirs = load(original), load(tmp_path / "metric.npz")
    assert ours["space"].digest_ == theirs["space"].digest_
    points = np.load(again / "data.npz")["points"]
    np.testing.assert_allclose(
        ours["learner"].transform(points), theirs["learner"].transform(points), rtol=0, atol=1e-3
    )
    with np.load(again / "data.npz") as file:
        arrays = {name: file[name] for name in file.files}
    arrays["similar"], arrays["dissimilar"] = arrays["dissimilar"], arrays["similar"]
    del arrays["tag_rows"]
    np.savez(again / "data.npz", **arrays)
    replayed(again, code=1)


def test_what_cannot_be_replayed_is_refused(focal: Focal, tmp_path: Path) -> None:
    target = tmp_path / "again"
    focal("replay", "--to", target, code=1)
    assert "was not trained" in focal.err
    focal("train", "--learner", "rca", "--keep")
    focal("lens", "export", "rca-1", tmp_path / "mine.focal-lens")
    focal("lens", "open", tmp_path / "mine.focal-lens")
    focal("replay", "--to", target, "--metric", "rca-2", code=1)
    assert "trained in another library" in focal.err
    with Library.open(focal.library) as library, library.database.transaction() as connection:
        connection.execute("DELETE FROM judgement WHERE verdict = 'similar'")  # not by an action of the user
    focal("replay", "--to", target, "--metric", "rca-1", code=1)
    assert "does not reach back to the training of rca-1" in focal.err
    assert not target.exists()
