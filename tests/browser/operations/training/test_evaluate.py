# SPDX-License-Identifier: MIT
"""Evaluation and the automatic learner on a library in which training helps."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NothingIndexedError, NothingToLearnError, OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.training import candidates
from focal_photos.browser.operations.training.automatic import train_automatic
from focal_photos.browser.operations.training.candidates import CANDIDATES, STANDARD, Trial, suitable, suited
from focal_photos.browser.operations.training.evaluate import evaluate
from focal_photos.browser.operations.training.held_out import figures, sentence
from focal_photos.browser.operations.training.learner_table import family_weights, learner_table
from focal_photos.browser.operations.training.online_update import follow, follows
from focal_photos.browser.operations.training.parameters import checked
from focal_photos.browser.operations.training.train import same_again, train
from focal_photos.learners import LEARNERS
from focal_photos.learners.core.learner.candidate import Candidate
from focal_photos.learners.kernel.kernel_metric import KernelMetric
from tests.browser.operations.striped import describe_by_lot, judge_some


# ---------------------------------------------------------------- evaluate
def test_learners_are_scored_on_the_same_folds(striped: Library) -> None:
    label = striped.journal.undo_label()
    # A fixed share of the Euclidean distance: on so few photos the fitted ratio would be mostly Euclidean.
    found = finish(evaluate(striped, ["tag-ratio", "rca"], parameters={"tag-ratio": {"euclidean_blend": 1.0}}))
    assert [score.learner for score in found.scores] == ["euclidean", "tag-ratio", "rca"]
    assert (found.photos, found.tagged, found.judgements, found.folds, found.queries) == (48, 32, 0, 3, 32)
    assert found.k == 2  # a quarter of the ten other photos of a fold
    plain, ratio, _ = found.scores
    assert ratio.precision is not None
    assert plain.precision is not None
    assert ratio.gain is not None
    assert ratio.gain.gain > 2 * ratio.gain.error > 0
    assert ratio.precision.mean > 0.8 > plain.precision.mean > 0.5 > (found.chance or 1) > 0.4
    assert len(ratio.curve) == len(ratio.curve_sd) == 9
    assert len(ratio.recall) == len(ratio.recall_sd) == 11
    assert plain.gain is None
    assert found.majority is None
    assert plain.interval is None
    assert striped.journal.undo_label() == label
    assert striped.metrics.current().name == "euclidean"


def test_judgements_are_evaluated_too(striped: Library) -> None:
    judge_some(striped, 10)
    found = finish(evaluate(striped, ["kernel"], folds=2))
    assert (found.judgements, found.folds, found.by_focal, found.majority) == (80, 2, True, 0.5)
    for score in found.scores:
        assert score.interval is not None
        low, high = score.interval
        assert 0 < low < score.right / score.judged < high < 1
        assert score.judged == 80
        assert score.order is not None
    assert found.scores[1].order_gain is not None


def test_without_names_the_suited_learners_are_evaluated(striped: Library) -> None:
    found = finish(evaluate(striped, k=1))
    assert [score.learner for score in found.scores] == ["euclidean", *suited(32, 0)]
    assert found.k == 1
    assert not any(score.reason for score in found.scores)


def test_a_learner_that_cannot_be_trained_is_listed_with_the_reason(striped: Library) -> None:
    ids = striped.photos.ids()
    striped.tags.change(ids, remove=["lying", "standing"])
    judge_some(striped, 10)
    found = finish(evaluate(striped, ["tag-ratio", "rca"]))
    assert (found.queries, found.tagged, found.chance) == (0, 0, None)
    by_name = {score.learner: score for score in found.scores}
    assert "it needs tags" in by_name["tag-ratio"].reason
    assert by_name["tag-ratio"].order is None
    assert by_name["rca"].order is not None


def test_parameters_and_gallery_affect_the_evaluation(striped: Library) -> None:
    much = {"rca": {"euclidean_blend": 1e6, "unit": False}}
    found = finish(evaluate(striped, ["rca"], parameters=much, gallery="tagged"))
    plain, rca = found.scores
    assert found.k == 7  # a quarter of the 31 other tagged photos
    assert rca.parameters == {"euclidean_blend": 1e6, "unit": False}
    np.testing.assert_allclose(rca.curve, plain.curve)  # practically only the Euclidean distance
    other = finish(evaluate(striped, ["rca"], seed=1, gallery="tagged"))
    assert other.scores[0].curve.tolist() != plain.curve.tolist()


def test_errors_of_an_evaluation_report_what_to_do(striped: Library, tmp_path: Path) -> None:
    for numbers in ({"k": 0}, {"folds": 1}):
        with pytest.raises(OperationError, match="at least"):
            finish(evaluate(striped, **numbers))  # type: ignore[arg-type]
    with pytest.raises(OperationError, match="There is no learner 'smell'"):
        finish(evaluate(striped, ["smell"]))
    with pytest.raises(OperationError, match="no parameter 'smell'"):
        finish(evaluate(striped, ["rca"], parameters={"rca": {"smell": 1}}))
    striped.tags.change(striped.photos.ids()[5:], remove=["lying", "standing"])
    with pytest.raises(NothingToLearnError, match="Too little data to hold out"):
        finish(evaluate(striped))
    striped.tags.change(striped.photos.ids(), remove=["lying", "standing"])
    with pytest.raises(NothingToLearnError, match="judge a few photos"):
        finish(evaluate(striped))
    with Library.open(tmp_path / "empty") as empty, pytest.raises(NothingIndexedError):
        finish(evaluate(empty))


# ---------------------------------------------------------------- automatic
def test_automatic_takes_the_best_learner_and_reports_its_gain(striped: Library) -> None:
    choice = finish(train_automatic(striped))
    metric = choice.metric
    assert striped.metrics.current() == metric
    assert (metric.name, metric.learner, metric.version, metric.tagged) == ("automatic-1", "automatic", 1, 32)
    assert choice.chosen in LEARNERS
    assert choice.chosen != "euclidean"
    assert metric.title == f"Automatic: {LEARNERS[choice.chosen].title} (v1)"
    assert choice.gain > 2 * choice.error > 0
    assert choice.score == pytest.approx(choice.euclidean + choice.gain)
    assert choice.title in choice.sentence
    assert choice.sentence.endswith(f"{choice.title}: {figures(choice)}"), "the gain is significant"
    assert "(n = 32, " in choice.sentence
    learner = load_metric(striped, metric).learner
    assert learner is not None
    assert learner.name == choice.chosen
    parameters = learner.get_params()
    assert {name: parameters[name] for name in choice.parameters} == dict(choice.parameters)
    assert dict(choice.parameters) in [dict(one.parameters) for one in LEARNERS[choice.chosen].candidates]
    focal = int(striped.photos.ids("path:lying")[20])  # an untagged photo
    ranking = Ranker(striped).rank(focal, "automatic")
    assert ranking.metric == metric
    kinds = [path.parent.name for path in striped.photos.paths(ranking.photo_ids)]
    assert kinds[:5].count("lying") >= 4


def test_automatic_can_be_undone_redone_and_repeated(striped: Library) -> None:
    first = finish(train(striped, "automatic"))
    assert same_again(striped) == "automatic"
    second = finish(train(striped, same_again(striped)))
    assert (second.name, second.title) == ("automatic-2", first.title.replace("v1", "v2"))
    striped.journal.undo()
    assert striped.metrics.current() == first
    striped.journal.redo()
    assert striped.metrics.current() == second


def test_the_standard_learner_is_used_and_reported_if_none_is_surely_better(striped: Library) -> None:
    """Random tags: there is nothing to learn."""
    describe_by_lot(striped)
    ids = striped.photos.ids()
    striped.tags.change(ids, remove=["lying", "standing"])
    lot = np.random.default_rng(10).permutation(ids)
    striped.tags.change(lot[:16], ["heads"])
    striped.tags.change(lot[16:32], ["tails"])
    choice = finish(train_automatic(striped))
    assert choice.chosen == STANDARD
    assert choice.metric.title == "Automatic: Kernel metric (v1)"
    assert f"Automatic tried {choice.tried} ways of learning, and none is clearly better than" in choice.sentence
    assert choice.sentence.endswith(f"Kernel metric: {sentence(choice)}")
    assert isinstance(load_metric(striped, choice.metric).learner, KernelMetric)


def test_the_use_of_euclidean_is_reported_if_the_standard_learner_surely_loses(striped: Library) -> None:
    choice = finish(train_automatic(striped))
    lost = replace(choice, chosen="euclidean", title="Euclidean", best="Kernel metric", score=0.5, euclidean=0.75)
    assert "none improves on Euclidean, which is used. The best was Kernel metric" in lost.sentence


def test_eight_tags_with_two_photos_each_are_enough_to_choose_and_evaluate(striped: Library) -> None:
    """A fold holds out at most one photo of each tag, so held-out photos must be ranked among all photos."""
    ids = striped.photos.ids()
    striped.tags.change(ids, remove=["lying", "standing"])
    for number in range(8):
        striped.tags.change(ids[[number, 39 - number]], [f"tag {number}"])
    choice = finish(train_automatic(striped))
    assert choice.questions == 16
    assert choice.sentence.endswith(": too little data to measure improvement (n = 16).")
    found = finish(evaluate(striped, ["kernel"]))
    assert (found.gallery, found.queries) == ("tagged", 16)
    assert all(score.precision is not None for score in found.scores)


@pytest.mark.slow
def test_automatic_works_with_judgements_only(striped: Library) -> None:
    judge_some(striped, 10)
    choice = finish(train_automatic(striped, use_tags=False))
    assert choice.measure == "order"
    assert (choice.metric.judgements, choice.metric.tagged) == (80, 0)
    assert "judged pairs in order, held out: " in choice.sentence
    assert "(n = 80, " in choice.sentence


@pytest.mark.parametrize("name", ["oasis", "omdl-lr"])
def test_a_chosen_learner_follows_judgements_and_has_family_weights_as_usual(
    name: str, striped: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = next(one for one in CANDIDATES if one.learner == name)
    monkeypatch.setattr(candidates, "CANDIDATES", (Trial(name, Candidate(one.parameters)),))
    monkeypatch.setattr("focal_photos.learners.evaluation.selection._ERRORS", -100.0)  # chosen despite a small gain
    judge_some(striped, 10)
    choice = finish(train_automatic(striped, use_tags=False))
    assert choice.chosen == name
    weights = family_weights(striped, choice.metric)
    assert len(weights) == (3 if name == "omdl-lr" else 0)
    assert follows(choice.metric)
    ranker = Ranker(striped)
    ids = striped.photos.ids("path:lying").tolist()
    before = ranker.rank(ids[15]).distances
    striped.judgements.set(ids[15], ids[16:20], Verdict.SIMILAR)
    striped.judgements.set(ids[15], striped.photos.ids("path:standing").tolist()[:4], Verdict.DISSIMILAR)
    assert finish(follow(striped, ranker))
    assert not np.allclose(ranker.rank(ids[15]).distances, before)


def test_only_learners_that_follow_judgements_are_updated(striped: Library) -> None:
    choice = finish(train_automatic(striped))
    ranker = Ranker(striped)
    ids = striped.photos.ids("path:lying").tolist()
    striped.judgements.set(ids[15], ids[16:20], Verdict.SIMILAR)
    assert finish(follow(striped, ranker)) == LEARNERS[choice.chosen].follows_judgements


def test_too_little_training_data_for_a_choice_reports_what_to_do(striped: Library) -> None:
    striped.tags.change(striped.photos.ids()[5:], remove=["lying", "standing"])
    with pytest.raises(NothingToLearnError, match="tag 8 photos"):
        finish(train_automatic(striped))
    with pytest.raises(OperationError, match="chooses its own parameters"):
        finish(train(striped, "automatic", parameters={"ridge": 1}))
    assert striped.metrics.current().name == "euclidean"


def test_cancelling_automatic_changes_nothing(striped: Library) -> None:
    label = striped.journal.undo_label()
    job = train_automatic(striped)
    while next(job).stage != "Choosing a learner":
        pass
    job.close()
    assert striped.journal.undo_label() == label
    assert striped.metrics.current().name == "euclidean"
    assert list((striped.path / "metrics").iterdir()) == []
    assert "Choosing a learner" not in {thread.name for thread in threading.enumerate()}


# ---------------------------------------------------------------- the candidates
def test_every_candidate_has_valid_parameters_and_a_learner_of_the_table() -> None:
    assert len({one.name for one in CANDIDATES}) == len(CANDIDATES)
    for one in CANDIDATES:
        assert checked(one.learner, one.parameters) == one.parameters
    assert {one.learner for one in CANDIDATES} < {one.name for one in learner_table()}


def test_the_candidates_depend_on_the_amount_of_training_data() -> None:
    few, some, tags = suited(0, 10), suited(0, 100), suited(200, 0)
    assert "kernel" in few
    assert not {"bdm", "tag-ratio", "omdl-lr"} & {*few}
    assert {"bdm", "oasis"} < {*some}
    assert not {"tag-ratio", "omdl-lr"} & {*some}
    assert {"tag-ratio", "tag-ratio-kernel", "ratio", "bdm", "omdl-lr"} < {*tags}
    assert {*suited(200, 10)} > {*tags}
    assert suitable(0, 0) == []
