# SPDX-License-Identifier: MIT
"""A training without gain on held-out data adds no metric to the library, but its result can still be kept."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.space import coordinates, prepare_space
from focal_photos.browser.operations.training import candidates
from focal_photos.browser.operations.training.automatic import Choice
from focal_photos.browser.operations.training.candidates import CANDIDATES
from focal_photos.browser.operations.training.held_out import held_out, saved_held_out, sentence
from focal_photos.browser.operations.training.train import _learn, keep_nevertheless, same_again, train, train_for_gain
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.evaluation.selection import Gained
from focal_photos.learners.linear.euclidean import Euclidean
from tests.browser.cli.command_line import Focal
from tests.browser.copies import copied, opened_copy
from tests.browser.operations.striped import describe_by_lot


@pytest.fixture(scope="module")
def by_lot_folder(striped_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Photos with random tags."""
    folder = copied(striped_folder, tmp_path_factory.mktemp("striped") / "library")
    with Library.open(folder) as library:
        ids = library.photos.ids()
        library.tags.change(ids, remove=["lying", "standing"])
        draw_lots(library, 10)
        describe_by_lot(library)
    return folder


@pytest.fixture
def by_lot(by_lot_folder: Path, tmp_path: Path) -> Iterator[Library]:
    with opened_copy(by_lot_folder, tmp_path / "library") as library:
        yield library


def draw_lots(library: Library, seed: int, each: int = 16) -> None:
    """Tag the same number of photos at random."""
    ids = library.photos.ids()
    library.tags.change(ids, remove=["heads", "tails"])
    lot = np.random.default_rng(seed).permutation(ids)
    library.tags.change(lot[:each], ["heads"])
    library.tags.change(lot[each : 2 * each], ["tails"])


def assert_unchanged(library: Library, label: str | None) -> None:
    assert [metric.name for metric in library.metrics.all()] == ["euclidean"]
    assert library.metrics.current().name == "euclidean"
    assert library.metrics.scores() == {}
    assert library.journal.undo_label() == label
    assert [*library.metrics.folder.glob("*")] == []
    assert not [key for key in library.vectors.keys() if key.startswith("metric-")]  # noqa: SIM118 - no mapping
    assert library.metrics.next_version("rca") == 1


def test_a_training_without_gain_changes_nothing(by_lot: Library) -> None:
    label = by_lot.journal.undo_label()
    outcome = finish(train_for_gain(by_lot, "rca"))
    assert outcome.metric is None
    assert outcome.found is not None
    assert outcome.found.gain <= 0
    assert outcome.found.questions == 32
    assert_unchanged(by_lot, label)


@pytest.mark.parametrize(
    ("seed", "each", "learner", "gained"),
    [
        (3, 16, "rca", Gained.NOTHING),  # although slightly above 0
        (2, 8, "rca", Gained.TOO_FEW),
        (3, 16, "kernel", Gained.PERHAPS),
        (1, 16, "rca", Gained.SURELY),
    ],
)
def test_one_rule_decides_what_is_kept_and_reported(
    seed: int, each: int, learner: str, gained: Gained, by_lot: Library
) -> None:
    draw_lots(by_lot, seed, each)
    label = by_lot.journal.undo_label()
    outcome = finish(train_for_gain(by_lot, learner))
    assert outcome.found is not None
    assert outcome.found.gained is gained
    assert outcome.found.questions == 2 * each
    if gained is Gained.NOTHING:
        assert 0 < outcome.found.gain < outcome.found.error
        assert sentence(outcome.found).startswith("no measurable improvement; ")
        assert_unchanged(by_lot, label)
    else:
        assert by_lot.metrics.current() == outcome.metric
        assert by_lot.journal.undo_label() == f"Train metric: {by_lot.metrics.current().title}"
        assert saved_held_out(by_lot) == {by_lot.metrics.current().id: outcome.found}
        assert "no measurable improvement" not in sentence(outcome.found)


def test_an_automatic_training_follows_the_same_rule(by_lot: Library) -> None:
    draw_lots(by_lot, 2)
    label = by_lot.journal.undo_label()
    assert finish(train_for_gain(by_lot, "rca", by_itself=True)).metric is None
    assert_unchanged(by_lot, label)
    draw_lots(by_lot, 3)
    label = by_lot.journal.undo_label()
    outcome = finish(train_for_gain(by_lot, "kernel", by_itself=True))
    assert by_lot.metrics.current() == outcome.metric
    assert by_lot.journal.undo_label() == label, "the training is part of the user's last step"
    assert saved_held_out(by_lot) == {by_lot.metrics.current().id: outcome.found}
    by_lot.journal.undo()
    assert [metric.name for metric in by_lot.metrics.all()] == ["euclidean"]


def test_a_result_can_be_kept_in_one_step_with_its_measurement(by_lot: Library) -> None:
    label = by_lot.journal.undo_label()
    outcome = finish(train_for_gain(by_lot, "rca"))
    metric = finish(keep_nevertheless(by_lot, outcome))
    assert (metric.name, metric.title, metric.tagged) == ("rca-1", "RCA (v1)", 32)
    assert by_lot.metrics.current() == metric
    assert saved_held_out(by_lot) == {metric.id: outcome.found}
    assert finish(held_out(by_lot, metric)) == outcome.found, "the same result as for a metric saved at once"
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
    assert saved_held_out(by_lot) == {metric.id: outcome.found}


def test_every_result_is_kept_on_request(by_lot: Library) -> None:
    outcome = finish(train_for_gain(by_lot, "rca", keep_all=True))
    assert by_lot.metrics.current() == outcome.metric
    assert outcome.metric is not None
    assert saved_held_out(by_lot) == {outcome.metric.id: outcome.found}


def test_a_former_metric_stays_current_and_versions_have_no_gaps(by_lot: Library) -> None:
    former = finish(train(by_lot, "rca"))
    assert finish(train_for_gain(by_lot, "rca")).metric is None
    assert by_lot.metrics.current() == former
    assert finish(train(by_lot, "rca")).name == "rca-2"


@pytest.mark.slow
def test_a_result_that_cannot_be_measured_is_kept_and_reported(
    by_lot: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = finish(train_for_gain(by_lot, "local"))
    assert outcome.found is None
    assert by_lot.metrics.current() == outcome.metric
    folder = by_lot.path
    by_lot.close()
    focal = Focal(folder, capsys)
    assert "what it gained was not measured" in focal("train", "--learner", "local").splitlines()


def test_cancelling_during_training_and_measuring_changes_nothing(by_lot: Library) -> None:
    label = by_lot.journal.undo_label()
    job = train_for_gain(by_lot, "kernel")
    while next(job).stage != "Learning":
        pass
    job.close()
    assert_unchanged(by_lot, label)


def test_automatic_without_gain_changes_nothing(by_lot: Library) -> None:
    label = by_lot.journal.undo_label()
    outcome = finish(train_for_gain(by_lot, "automatic"))
    choice = outcome.found
    assert isinstance(choice, Choice)
    assert choice.gain <= 0
    assert (
        "none is clearly better than Kernel metric: no measurable improvement; right among the first" in choice.sentence
    )
    assert_unchanged(by_lot, label)
    metric = finish(keep_nevertheless(by_lot, outcome))
    assert metric.title == "Automatic: Kernel metric (v1)"
    assert by_lot.metrics.current() == metric


def test_euclidean_is_used_if_automatic_chooses_it(by_lot: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    former = finish(train(by_lot, "kernel"))
    alone = tuple(one for one in CANDIDATES if one.learner == "tag-ratio")[:1]
    monkeypatch.setattr(candidates, "CANDIDATES", alone)  # without the standard learner as a fallback
    outcome = finish(train_for_gain(by_lot, "automatic"))
    assert isinstance(outcome.found, Choice)
    assert outcome.found.chosen == "euclidean"
    assert (outcome.metric, outcome.trained) == (None, None)
    assert [metric.name for metric in by_lot.metrics.all()] == ["euclidean", former.name]
    assert by_lot.metrics.current().name == "euclidean"
    by_lot.journal.undo()
    assert by_lot.metrics.current() == former


def test_a_discarded_training_is_repeated_after_a_restart(by_lot: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    former = finish(train(by_lot, "kernel"))
    monkeypatch.setattr(candidates, "CANDIDATES", tuple(one for one in CANDIDATES if one.learner == "tag-ratio")[:1])
    finish(train_for_gain(by_lot, "automatic"))
    folder = by_lot.path
    by_lot.close()
    with Library.open(folder) as library:
        assert library.metrics.current().name == "euclidean"
        assert same_again(library) == "automatic"
        library.journal.undo()
        assert library.metrics.current() == former
        assert same_again(library) == "kernel", "the learner of the metric in use"
        library.journal.redo()
        assert same_again(library) == "automatic"
        draw_lots(library, 2)
        assert finish(train_for_gain(library, "rca")).metric is None
        assert same_again(library) == "rca"
        finish(train_for_gain(library, "kernel", by_itself=True, keep_all=True))
        assert same_again(library) == "kernel"
        library.metrics.use_euclidean()
        assert same_again(library) == "rca", "automatic training does not count"
        finish(train_for_gain(library, "oasis", keep_all=True))
        library.metrics.use_euclidean()
        assert same_again(library) == "kernel", "the last trained metric was saved"


def test_the_command_reports_the_same_and_keeps_the_result_on_request(
    by_lot_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    focal = Focal(copied(by_lot_folder, tmp_path / "library"), capsys)
    told = focal("train", "--learner", "rca")
    assert "no measurable improvement; right among the first" in told
    assert "Nothing was added to the history, and Euclidean is in use; --keep" in told
    document = focal.json("train", "--learner", "rca")
    assert (document["metric"], document["learner"]) == (None, "rca")
    assert document.keys() == {"metric", "learner", "seconds", "held_out"}, "as in the guide"
    assert document["held_out"]["gain"] <= 0
    assert [metric["metric"] for metric in focal.json("metrics")["metrics"]] == ["euclidean"]
    document = focal.json("train", "--learner", "rca", "--keep")
    assert document["metric"] == "rca-1"
    assert focal.json("metrics")["current"] == "rca-1"


@pytest.mark.parametrize(
    ("seed", "each", "learner", "told", "kept"),
    [
        (3, 16, "rca", "no measurable improvement; right among the first", False),
        (2, 8, "rca", "too little data to measure improvement (n = 16).", True),
        (3, 16, "kernel", "an improvement, perhaps by chance; right among the first", True),
        (1, 16, "rca", "right among the first", True),
    ],
)
def test_the_command_and_its_document_report_what_was_kept(
    seed: int, each: int, learner: str, told: str, kept: bool, by_lot: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    draw_lots(by_lot, seed, each)
    folder = by_lot.path
    by_lot.close()
    focal = Focal(folder, capsys)
    lines = focal("train", "--learner", learner).splitlines()
    assert len([line for line in lines if line.startswith(told)]) == 1
    assert any(line.startswith("Nothing was added to the history") for line in lines) is not kept
    names = [metric["metric"] for metric in focal.json("metrics")["metrics"]]
    assert names == (["euclidean", f"{learner}-1"] if kept else ["euclidean"])
    listed = focal("metrics")
    assert (told in listed) is kept, "the history agrees"
    document = focal.json("train", "--learner", learner)
    assert document["metric"] == (f"{learner}-2" if kept else None)
    assert document["held_out"]["questions"] == 2 * each


class Patient(Euclidean):
    """Learns nothing and takes time."""

    def fit(self, X: ArrayLike, y: Any = None, *, progress: ProgressReport | None = None, **others: Any) -> Patient:
        assert progress is not None
        for share in SHARES:
            progress(share)
            assert followed[share].wait(60)
        return self


SHARES = (0.25, 0.5)
followed = {share: threading.Event() for share in SHARES}


def test_training_progress_is_reported_although_measuring_ended_immediately(by_lot: Library) -> None:
    space = finish(prepare_space(by_lot))
    points = coordinates(by_lot, space, by_lot.photos.ids())
    for progress in _learn(Patient(), points, SideInformation(), {}, lambda _report: None):
        if progress.total and progress.done / progress.total in SHARES:
            followed[progress.done / progress.total].set()
    assert all(event.is_set() for event in followed.values())


class Refusing(Patient):
    """Cannot be trained, as found while it is measured."""

    def fit(self, X: ArrayLike, y: Any = None, **others: Any) -> Refusing:
        assert measured.wait(60)
        raise LearnerError("It cannot be learned.")


measured = threading.Event()


MOST = 5_000  # progress reports, a fiftieth of a second apart


def test_measuring_ends_when_training_fails(by_lot: Library) -> None:
    space, reports = finish(prepare_space(by_lot)), []

    def measure(report: ProgressReport) -> None:
        for done in range(MOST):
            report(done / MOST)
            reports.append(done)
            measured.set()
            time.sleep(0.02)

    points = coordinates(by_lot, space, by_lot.photos.ids())
    with pytest.raises(NothingToLearnError, match="It cannot be learned"):
        finish(_learn(Refusing(), points, SideInformation(), {}, measure))
    assert len(reports) < MOST
