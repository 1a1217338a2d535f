"""A training that gains nothing on what is held out adds no metric to the library, but what it learned can be kept."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.training import candidates
from focal_photos.browser.operations.training.automatic import Choice
from focal_photos.browser.operations.training.candidates import CANDIDATES
from focal_photos.browser.operations.training.held_out import held_out, kept_held_out
from focal_photos.browser.operations.training.train import keep_nevertheless, train, train_for_gain
from tests.browser.cli.command_line import Focal
from tests.browser.operations.striped import make


@pytest.fixture(scope="module")
def by_lot_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Photos with tags that say nothing of what they look like."""
    folder = tmp_path_factory.mktemp("striped") / "library"
    make(folder, tmp_path_factory.mktemp("photos"))
    with Library.open(folder) as library:
        ids = library.photos.ids()
        library.tags.change(ids, remove=["lying", "standing"])
        lot = np.random.default_rng(1).permutation(ids)
        library.tags.change(lot[:16], ["heads"])
        library.tags.change(lot[16:32], ["tails"])
    return folder


@pytest.fixture
def by_lot(by_lot_folder: Path, tmp_path: Path) -> Iterator[Library]:
    shutil.copytree(by_lot_folder, tmp_path / "library", ignore=shutil.ignore_patterns("lock*"))
    with Library.open(tmp_path / "library") as library:
        yield library


def assert_unchanged(library: Library, label: str | None) -> None:
    assert [metric.name for metric in library.metrics.all()] == ["euclidean"]
    assert library.metrics.current().name == "euclidean"
    assert library.metrics.scores() == {}
    assert library.journal.undo_label() == label
    assert [*library.metrics.folder.glob("*")] == []
    assert not [key for key in library.vectors.keys() if key.startswith("metric-")]  # noqa: SIM118 - no mapping
    assert library.metrics.next_version("rca") == 1


def test_nothing_has_changed_where_nothing_is_gained(by_lot: Library) -> None:
    label = by_lot.journal.undo_label()
    outcome = finish(train_for_gain(by_lot, "rca"))
    assert outcome.metric is None
    assert outcome.found is not None
    assert outcome.found.gain <= 0
    assert outcome.found.questions == 32
    assert_unchanged(by_lot, label)


def test_it_is_kept_nevertheless_in_one_step_with_what_was_measured(by_lot: Library) -> None:
    label = by_lot.journal.undo_label()
    outcome = finish(train_for_gain(by_lot, "rca"))
    metric = finish(keep_nevertheless(by_lot, outcome))
    assert (metric.name, metric.title, metric.tagged) == ("rca-1", "RCA (v1)", 32)
    assert by_lot.metrics.current() == metric
    assert kept_held_out(by_lot) == {metric.id: outcome.found}
    assert finish(held_out(by_lot, metric)) == outcome.found, "as if it had been kept at once"
    same = finish(train(by_lot, "rca"))
    ids = by_lot.photos.ids()
    ranker = Ranker(by_lot)
    one, other = (ranker.rank(int(ids[0]), name).distances for name in (metric.name, same.name))
    np.testing.assert_array_equal(one, other)
    by_lot.journal.undo()
    by_lot.journal.undo()
    assert by_lot.journal.undo_label() == label
    assert [each.name for each in by_lot.metrics.all()] == ["euclidean"]
    by_lot.journal.redo()
    assert by_lot.metrics.current() == metric
    assert kept_held_out(by_lot) == {metric.id: outcome.found}


def test_all_is_kept_where_that_is_asked_for(by_lot: Library) -> None:
    outcome = finish(train_for_gain(by_lot, "rca", keep_all=True))
    assert by_lot.metrics.current() == outcome.metric
    assert outcome.metric is not None
    assert kept_held_out(by_lot) == {outcome.metric.id: outcome.found}


def test_a_metric_that_was_in_use_stays_so_and_versions_have_no_gaps(by_lot: Library) -> None:
    former = finish(train(by_lot, "rca"))
    assert finish(train_for_gain(by_lot, "rca")).metric is None
    assert by_lot.metrics.current() == former
    assert finish(train(by_lot, "rca")).name == "rca-2"


def test_what_cannot_be_measured_is_kept(by_lot: Library) -> None:
    outcome = finish(train_for_gain(by_lot, "local"))
    assert outcome.found is None
    assert by_lot.metrics.current() == outcome.metric


def test_cancelled_while_it_is_learned_and_measured_nothing_has_changed(by_lot: Library) -> None:
    label = by_lot.journal.undo_label()
    job = train_for_gain(by_lot, "kernel")
    while next(job).stage != "Learning":
        pass
    job.close()
    assert_unchanged(by_lot, label)


def test_automatic_that_gains_nothing(by_lot: Library) -> None:
    label = by_lot.journal.undo_label()
    outcome = finish(train_for_gain(by_lot, "automatic"))
    choice = outcome.found
    assert isinstance(choice, Choice)
    assert choice.gain <= 0
    assert "no measurable gain: Kernel metric, precision@" in choice.sentence
    assert_unchanged(by_lot, label)
    metric = finish(keep_nevertheless(by_lot, outcome))
    assert metric.title == "Automatic: Kernel metric (v1)"
    assert by_lot.metrics.current() == metric


def test_where_automatic_chooses_euclidean_that_is_used_and_nothing_added(
    by_lot: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    former = finish(train(by_lot, "kernel"))
    alone = tuple(one for one in CANDIDATES if one.learner == "tag-ratio")[:1]
    monkeypatch.setattr(candidates, "CANDIDATES", alone)  # without the standard learner to fall back on
    outcome = finish(train_for_gain(by_lot, "automatic"))
    assert isinstance(outcome.found, Choice)
    assert outcome.found.chosen == "euclidean"
    assert (outcome.metric, outcome.trained) == (None, None)
    assert [metric.name for metric in by_lot.metrics.all()] == ["euclidean", former.name]
    assert by_lot.metrics.current().name == "euclidean"
    by_lot.journal.undo()
    assert by_lot.metrics.current() == former


def test_the_command_says_the_same_and_keeps_it_when_asked(
    by_lot_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(by_lot_folder, tmp_path / "library", ignore=shutil.ignore_patterns("lock*"))
    focal = Focal(tmp_path / "library", capsys)
    told = focal("train", "--learner", "rca")
    assert "no measurable gain; right among the first" in told
    assert "Nothing was added to the history, and Euclidean is in use; --keep" in told
    document = focal.json("train", "--learner", "rca")
    assert (document["metric"], document["learner"]) == (None, "rca")
    assert document.keys() == {"metric", "learner", "seconds", "held_out"}, "as in the guide"
    assert document["held_out"]["gain"] <= 0
    assert [metric["metric"] for metric in focal.json("metrics")["metrics"]] == ["euclidean"]
    document = focal.json("train", "--learner", "rca", "--keep")
    assert document["metric"] == "rca-1"
    assert focal.json("metrics")["current"] == "rca-1"
