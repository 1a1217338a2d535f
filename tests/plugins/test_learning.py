# SPDX-License-Identifier: MIT
"""Learners of plug-ins learn metrics, by name and by Automatic; their errors are reported and stop nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.lenses.lens_file import LensError
from focal_photos.browser.operations.exchange.lenses.open_lens import open_lens
from focal_photos.browser.operations.exchange.lenses.share_lens import share_lens
from focal_photos.browser.operations.jobs.errors import NothingToLearnError, UnreadableMetricError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.plugins import plugin_overview
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.training import candidates
from focal_photos.browser.operations.training.automatic import train_automatic
from focal_photos.browser.operations.training.evaluate import evaluate
from focal_photos.browser.operations.training.learner_table import learner_table
from focal_photos.browser.operations.training.train import same_again, train, trainable
from focal_photos.learners import LEARNERS, create
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.evaluation.selection import select
from focal_photos.learners.persistence import MissingPluginError, load, save
from focal_photos.plugin_registry import search_again
from tests.plugins.conftest import Install

LEARNER = """
from focal_photos.learners.linear.rca import Rca
from focal_photos.plugins import Candidate

class Odd(Rca):
    name = "odd"
    title = "Odd"
    family = "Odd ones"
    summary = "Learns nothing"
    source = ""
    candidates = (Candidate(),)
"""
FAILS_IN_FIT = LEARNER + "\n    def _learn(self, X, side_information, report):\n        raise KeyError('in fit')\n"
FAILS_LATER = LEARNER + "\n    def _embed(self, X):\n        raise KeyError('in transform')\n"


@pytest.fixture
def taught(indexed: Library) -> Library:
    """Library of two kinds of photos, all of them tagged."""
    ids = indexed.photos.ids().tolist()
    for photo_id, path in zip(ids, indexed.photos.paths(ids), strict=True):
        indexed.tags.change([photo_id], [path.parent.name])
    return indexed


@pytest.mark.usefixtures("with_example")
def test_a_metric_of_a_plug_in_is_trained_saved_and_ranked_by(taught: Library) -> None:
    assert "axis-ratio" in trainable()
    assert "axis-ratio" in {one.name for one in learner_table()}
    metric = finish(train(taught, "axis-ratio", parameters={"ridge": 0.5}))
    loaded = load_metric(taught, metric)
    assert type(loaded.learner) is LEARNERS["axis-ratio"]
    assert loaded.learner.get_params()["ridge"] == 0.5
    ids = taught.photos.ids()
    first = Ranker(taught).rank(int(ids[0]), limit=5)
    names = [path.parent.name for path in taught.photos.paths(first.photo_ids.tolist())]
    assert names == [taught.photos.paths([int(ids[0])])[0].parent.name] * 5
    assert same_again(taught) == "axis-ratio"


@pytest.mark.usefixtures("with_example")
def test_automatic_tries_the_candidates_of_plug_ins(taught: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [one.learner for one in candidates.suitable(12, 0)][-1] == "axis-ratio"
    assert [one.learner for one in candidates.suitable(0, 0)] == []
    monkeypatch.setattr(candidates, "CANDIDATES", ())
    choice = finish(train_automatic(taught))
    assert choice.tried == 1
    assert choice.best == "Axis ratio"


@pytest.mark.usefixtures("with_example")
def test_evaluations_compare_learners_of_plug_ins(taught: Library) -> None:
    found = finish(evaluate(taught, ["axis-ratio"], folds=2))
    assert [one.learner for one in found.scores] == ["euclidean", "axis-ratio"]
    assert found.scores[1].reason == ""


def test_an_error_in_fit_is_told(install: Install, taught: Library) -> None:
    install("odd_fit", FAILS_IN_FIT, learners="odd = odd_fit:Odd")
    with pytest.raises(NothingToLearnError, match=r"The learner Odd of odd_fit failed \(KeyError: 'in fit'\)"):
        finish(train(taught, "odd"))
    assert taught.metrics.current().name == "euclidean"


@pytest.mark.parametrize("source", [FAILS_IN_FIT, FAILS_LATER], ids=["fit", "transform"])
def test_automatic_goes_on_without_a_failing_candidate(install: Install, source: str) -> None:
    install("odd_candidate", source, learners="odd = odd_candidate:Odd")
    X = np.random.default_rng(0).normal(size=(60, 4)) + 2 * np.eye(3, 4)[np.arange(60) % 3]
    made = {"odd": create("odd"), "rca": create("rca")}
    found = select(made, X, SideInformation.from_labels(np.arange(60) % 3), folds=2)
    assert found.best == "rca"


def test_an_error_when_photos_are_ranked_is_told(install: Install, taught: Library) -> None:
    install("odd_later", FAILS_LATER, learners="odd = odd_later:Odd")
    with pytest.raises(UnreadableMetricError, match=r"cannot be used \(The learner Odd of odd_later failed"):
        finish(train(taught, "odd"))
    assert taught.metrics.current().name == "euclidean"
    assert len(Ranker(taught).rank(int(taught.photos.ids()[0]), limit=5).photo_ids) == 5


def test_an_error_of_focal_itself_is_not_called_one_of_a_plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("a fault")

    monkeypatch.setattr(LEARNERS["rca"], "_learn", broken)
    X = np.random.default_rng(0).normal(size=(60, 4))
    with pytest.raises(KeyError, match="a fault"):
        select({"rca": create("rca")}, X, SideInformation.from_labels(np.arange(60) % 3), folds=2)


def test_a_library_opens_without_the_plug_in_of_its_metric(
    with_example: None, taught: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = finish(train(taught, "axis-ratio"))
    monkeypatch.undo()  # as if the package had been removed
    search_again()
    folder = taught.path
    taught.close()
    with Library.open(folder) as again:
        assert plugin_overview(again).lost_metrics == (metric.title,)
        with pytest.raises(UnreadableMetricError, match="needs the learner axis-ratio of a plug-in, which is not inst"):
            Ranker(again).rank(int(again.photos.ids()[0]), limit=5)
        assert same_again(again) == "kernel"
        again.metrics.set_current(again.metrics.by_name("euclidean").id)
        assert len(Ranker(again).rank(int(again.photos.ids()[0]), limit=5).photo_ids) == 5


def test_a_saved_learner_of_a_plug_in_needs_it(
    with_example: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    X = np.random.default_rng(0).normal(size=(20, 4))
    learner = create("axis-ratio").fit(X, np.arange(20) % 2)
    save(tmp_path / "one.npz", learner=learner)
    again = load(tmp_path / "one.npz")["learner"]
    np.testing.assert_array_equal(again.transform(X), learner.transform(X))  # type: ignore[attr-defined]
    monkeypatch.undo()
    search_again()
    with pytest.raises(MissingPluginError, match="needs the learner axis-ratio of a plug-in"):
        load(tmp_path / "one.npz")


def test_lenses_of_a_plug_in_travel_to_those_who_have_it(
    with_example: None, taught: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = finish(train(taught, "axis-ratio"))
    share_lens(taught, metric, tmp_path / "one.lens")
    opened = finish(open_lens(taught, tmp_path / "one.lens"))
    assert opened.learner == "axis-ratio"
    monkeypatch.undo()
    search_again()
    with pytest.raises(LensError, match="install the plug-in that has it"):
        finish(open_lens(taught, tmp_path / "one.lens"))
