# SPDX-License-Identifier: MIT
from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NothingIndexedError, NothingToLearnError, OperationError
from focal_photos.browser.operations.jobs.progress import Progress, finish
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.photos.scan import scan
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.space import prepare_space
from focal_photos.browser.operations.training.train import train, trainable
from focal_photos.browser.operations.training.training_set import read_training_set
from focal_photos.learners.persistence import load
from tests.browser.operations.album import Album


def tag_by_kind(library: Library) -> None:
    for kind in ("warm", "cold"):
        library.tags.change(library.photos.ids(f"path:{kind}"), [kind])


def test_the_file_contains_space_and_learner_and_the_record_the_training_data(indexed: Library) -> None:
    tag_by_kind(indexed)
    ids = indexed.photos.ids()
    indexed.judgements.set(int(ids[0]), ids[1:4].tolist(), Verdict.SIMILAR)
    metric = finish(train(indexed))
    assert (metric.name, metric.learner, metric.version, metric.judgements, metric.tagged) == (
        "kernel-1",
        "kernel",
        1,
        3,
        12,
    )
    path = indexed.metrics.path(metric)
    assert path is not None
    assert set(load(path)) == {"space", "learner"}
    assert indexed.metrics.current() == metric
    assert indexed.judgements.count_since(metric.at) == 0


@pytest.mark.parametrize("learner", ["kernel", "omdl-lr", "automatic"])
def test_relative_judgements_are_enough_for_training(learner: str, indexed: Library) -> None:
    warm, cold = (indexed.photos.ids(f"path:{kind}").tolist() for kind in ("warm", "cold"))
    told = [(warm[0], warm[1 + number % 5], cold[number % 6]) for number in range(12)]
    indexed.judged_relations.set([*told, (cold[0], cold[1], warm[0]), (cold[0], cold[2], warm[1])], holds=True)
    indexed.judged_relations.set([(warm[0], cold[5], None)], holds=True)
    metric = finish(train(indexed, learner))
    assert metric.judgements == 15
    side = read_training_set(indexed, finish(prepare_space(indexed)), 100).side
    assert (len(side.relative), len(side.visual), len(side.similar)) == (14, 1, 0)
    with pytest.raises(NothingToLearnError):
        read_training_set(indexed, finish(prepare_space(indexed)), 100, use_judgements=False)


def test_undo_restores_the_previous_metric_and_redo_the_new_one(indexed: Library) -> None:
    tag_by_kind(indexed)
    first = finish(train(indexed))
    second = finish(train(indexed))
    assert second.version == 2
    ranker = Ranker(indexed)
    focal = int(indexed.photos.ids()[0])
    assert ranker.rank(focal).metric == second
    indexed.journal.undo()
    assert ranker.rank(focal).metric == first
    indexed.journal.redo()
    assert ranker.rank(focal).metric == second


def test_a_metric_trained_after_an_undo_gets_its_own_file(indexed: Library) -> None:
    tag_by_kind(indexed)
    first = finish(train(indexed))
    indexed.journal.undo()
    indexed.tags.change(indexed.photos.ids()[:6], ["other"])
    other = finish(train(indexed))
    assert other.file != first.file


def test_judgements_or_tags_are_enough(indexed: Library) -> None:
    tag_by_kind(indexed)
    with pytest.raises(NothingToLearnError, match="judge a few photos"):
        finish(train(indexed, use_tags=False))
    ids = indexed.photos.ids().tolist()
    indexed.judgements.set(ids[0], ids[1:4], Verdict.SIMILAR)
    indexed.judgements.set(ids[0], ids[6:9], Verdict.DISSIMILAR)
    assert finish(train(indexed, use_tags=False)).tagged == 0
    assert finish(train(indexed, use_judgements=False)).judgements == 0


def test_the_stepwise_variant_and_parameters_are_available(indexed: Library) -> None:
    tag_by_kind(indexed)
    assert finish(train(indexed, "kernel-stepwise")).name == "kernel-stepwise-1"
    assert finish(train(indexed, parameters={"n_components": 5})).name == "kernel-1"
    with pytest.raises(OperationError, match="no parameter 'smell'"):
        finish(train(indexed, parameters={"smell": 1}))


def test_errors_report_what_to_do(indexed: Library, tmp_path: Path) -> None:
    with pytest.raises(NothingToLearnError, match="tag some"):
        finish(train(indexed))
    with pytest.raises(OperationError, match="choose one of kernel"):
        finish(train(indexed, "euclidean"))
    with Library.open(tmp_path / "empty") as empty, pytest.raises(NothingIndexedError):
        finish(train(empty))
    assert "euclidean" not in trainable()


def test_cancelling_changes_nothing_and_leaves_no_file(indexed: Library) -> None:
    tag_by_kind(indexed)
    label = indexed.journal.undo_label()
    stages: list[str] = []
    while indexed.metrics.current().name == "euclidean":
        job = train(indexed)
        for _ in range(len(stages) + 1):
            progress = next(job, None)
        stages.append(progress.stage if progress else "")
        job.close()
        if progress is not None:
            assert indexed.journal.undo_label() == label
            assert indexed.metrics.current().name == "euclidean"
            assert list((indexed.path / "metrics").iterdir()) == []
    assert {"Learning", "Preparing the ranking", ""} == set(stages)
    assert "Learning" not in {thread.name for thread in threading.enumerate()}


def test_photos_without_description_are_not_training_data(indexed: Library, album: Album) -> None:
    tag_by_kind(indexed)
    ids = indexed.photos.ids()
    indexed.judgements.set(int(ids[0]), [int(ids[1])], Verdict.SIMILAR)
    indexed.vectors.forget(ids[:1])
    metric = finish(train(indexed))
    assert (metric.judgements, metric.tagged) == (0, 11)


# ---------------------------------------------------------------- in_thread
def test_a_computation_in_a_thread_reports_and_returns() -> None:
    told = threading.Event()

    def compute(report: object) -> int:
        assert callable(report)
        report(0.25)
        assert told.wait(60)
        return 42

    def see(progress: Progress) -> None:
        if (progress.stage, progress.done, progress.total) == ("Working", 250, 1000):
            told.set()

    assert finish(in_thread("Working", compute), see) == 42


def test_a_computation_that_ends_immediately_is_shown_once() -> None:
    for _ in range(20):
        seen: list[Progress] = []
        assert finish(in_thread("Working", lambda _report: 42), seen.append) == 42
        assert [one.stage for one in seen] == ["Working"]


def test_an_exception_of_the_computation_is_raised() -> None:
    def compute(report: object) -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        finish(in_thread("Working", compute))


def test_photos_with_a_common_ancestor_tag_are_not_dissimilar(indexed: Library) -> None:
    dogs, cats, boats = (indexed.photos.ids()[part].tolist() for part in (slice(3), slice(3, 6), slice(6, 9)))
    for ids, tag in ((dogs, "animal/dog"), (cats, "animal/cat"), (boats, "boat")):
        indexed.tags.change(ids, [tag])
    found = read_training_set(indexed, finish(prepare_space(indexed)), 100)
    assert found.side.tags is not None
    assert found.tagged == 9
    side = found.side.pairs(per_photo=30)
    drawn = {tuple(sorted(found.ids[pair].tolist())) for pair in side.dissimilar}
    assert drawn == {tuple(sorted((a, b))) for a in dogs + cats for b in boats}
    alike = {tuple(sorted(found.ids[pair].tolist())) for pair in side.similar}
    assert alike & {tuple(sorted((a, b))) for a in dogs for b in cats}


def test_judgements_of_photos_without_description_are_not_training_data(indexed: Library, album: Album) -> None:
    space = finish(prepare_space(indexed))
    known = indexed.photos.ids().tolist()
    album.draw("warm/late.jpg", kind="warm", seed=99)
    finish(scan(indexed))  # in the library, but not described yet
    (late,) = set(indexed.photos.ids().tolist()) - set(known)
    assert late > max(known)
    indexed.judgements.set(known[0], [known[1], late], Verdict.SIMILAR)
    indexed.judgements.set(late, known[2:4], Verdict.DISSIMILAR)
    found = read_training_set(indexed, space, 100)
    assert found.ids[found.side.similar].tolist() == [[known[0], known[1]]]
    assert not len(found.side.dissimilar)


def test_judgements_of_a_photo_that_lost_its_vectors_are_not_training_data(indexed: Library, album: Album) -> None:
    space = finish(prepare_space(indexed))
    known = indexed.photos.ids().tolist()
    lost = known[5]  # its id is between those of described photos
    for family in space.families:
        store = indexed.vectors.open(family.name)
        assert store is not None
        store.forget([lost])
    indexed.judgements.set(known[0], [known[1], lost], Verdict.SIMILAR)
    indexed.judgements.set(lost, known[2:4], Verdict.DISSIMILAR)
    found = read_training_set(indexed, space, 100)
    assert lost not in found.ids
    assert found.ids[found.side.similar].tolist() == [[known[0], known[1]]]
    assert not len(found.side.dissimilar)


def test_judgements_against_a_text_refer_to_its_first_similar_photo(indexed: Library) -> None:
    ids = indexed.photos.ids().tolist()
    space = finish(prepare_space(indexed))
    indexed.text_judgements.set("a boat", [ids[5]], Verdict.DISSIMILAR)
    with pytest.raises(NothingToLearnError, match="judge a few photos"):
        read_training_set(indexed, space, 100)  # no photo is similar to the text
    indexed.text_judgements.set("a boat", [ids[2]], Verdict.SIMILAR)
    indexed.text_judgements.set("a boat", ids[3:5], Verdict.SIMILAR)
    indexed.text_judgements.set("the sea", [ids[4], ids[2]], Verdict.SIMILAR)  # an existing pair
    indexed.text_judgements.set("a dog", [ids[0]], Verdict.SIMILAR)  # no second photo
    taught = read_training_set(indexed, space, 100)
    chosen = taught.ids.tolist()

    def pairs(rows: np.ndarray) -> list[list[int]]:
        return sorted([chosen[row] for row in pair] for pair in rows.tolist())

    assert pairs(taught.side.similar) == [[ids[2], ids[3]], [ids[2], ids[4]]]
    assert pairs(taught.side.dissimilar) == [[ids[2], ids[5]]]
    assert taught.judgements == 3
    assert finish(train(indexed)).judgements == 3
    indexed.judgements.set(ids[4], [ids[2]], Verdict.DISSIMILAR)  # judgements between the two photos take precedence
    taught = read_training_set(indexed, space, 100)
    assert pairs(taught.side.similar) == [[ids[2], ids[3]]]
    assert pairs(taught.side.dissimilar) == [[ids[2], ids[5]], [ids[4], ids[2]]]
    with pytest.raises(NothingToLearnError):
        read_training_set(indexed, space, 100, use_judgements=False)


def test_the_first_of_two_contradictory_texts_counts(indexed: Library) -> None:
    ids = indexed.photos.ids().tolist()
    space = finish(prepare_space(indexed))
    indexed.text_judgements.set("a boat", ids[2:4], Verdict.SIMILAR)
    indexed.text_judgements.set("the sea", [ids[3]], Verdict.SIMILAR)
    indexed.text_judgements.set("the sea", [ids[2]], Verdict.DISSIMILAR)
    taught = read_training_set(indexed, space, 100)
    assert taught.ids[taught.side.similar].tolist() == [[ids[2], ids[3]]]
    assert not len(taught.side.dissimilar)
