# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Metric, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.enabled import enabled_names
from focal_photos.browser.operations.jobs.errors import NothingToLearnError, OperationError
from focal_photos.browser.operations.jobs.progress import Job, Progress, finish
from focal_photos.browser.operations.photos.forget_folder import forget_folder
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.ranking.local.focal_store import forget_focal_images, stored_ids
from focal_photos.browser.operations.ranking.local.learner import LOCAL, PARAMETERS, SOURCES, is_local
from focal_photos.browser.operations.ranking.local.metric import local_metric
from focal_photos.browser.operations.ranking.local.training_sets import FocalTrainingSets
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.suggest import suggest
from focal_photos.browser.operations.training.local_train import patch_keys
from focal_photos.browser.operations.training.on_cluster import learn_there
from focal_photos.browser.operations.training.train import same_again, train
from focal_photos.browser.operations.workers.process_pool import ProcessPool
from focal_photos.browser.operations.workers.worker_process import EndedProcessError
from focal_photos.learners.linear.euclidean import Euclidean
from focal_photos.learners.linear.rca import Rca
from focal_photos.learners.local.local_distances import FocalImages
from tests.browser.copies import opened_copy
from tests.browser.operations import local_album
from tests.browser.operations.local_album import EACH, number


@pytest.fixture
def library(patched_folder: Path, tmp_path: Path) -> Iterator[Library]:
    with opened_copy(patched_folder, tmp_path / "copy") as opened:
        yield opened


def run(job: Job[Metric]) -> tuple[Metric, int]:
    """Finish a training, and return its metric and the number of trained focal images."""
    learned = 0
    while True:
        try:
            progress: Progress = next(job)
        except StopIteration as stop:
            return stop.value, learned
        if progress.stage == "Learning local distances":
            learned = progress.total or 0


def test_all_tagged_photos_are_trained_and_the_metric_is_current(library: Library) -> None:
    metric, learned = run(train(library, LOCAL))
    assert (metric.name, metric.learner, metric.judgements, metric.tagged) == ("local-1", LOCAL, 0, 10)
    assert learned == 10
    assert is_local(metric)
    assert library.metrics.current() == metric
    assert same_again(library) == LOCAL
    trained = local_metric(library, metric).trained
    np.testing.assert_array_equal(trained.focal_, np.sort(library.photos.ids("tagged")))
    assert (trained.triplets_ > 0).all()
    assert trained.sources == patch_keys(library)


def test_disabled_descriptors_are_enabled_and_photos_described(tmp_path: Path) -> None:
    with Library.open(local_album.make(tmp_path, patches=False)) as library:
        assert not patch_keys(library)
        metric, learned = run(train(library, LOCAL))
        assert set(SOURCES) < set(enabled_names(library))
        assert learned == len(local_metric(library, metric).trained.focal_) == 10


def test_training_again_trains_only_changed_focal_images(library: Library) -> None:
    first, _ = run(train(library, LOCAL))
    second, learned = run(train(library, LOCAL))
    assert (second.name, learned) == ("local-2", 0)
    before, after = (local_metric(library, metric).trained for metric in (first, second))
    np.testing.assert_array_equal(after.weights_, before.weights_)
    focal = number(library, "warm/0.jpg")
    library.judgements.set(focal, [number(library, "warm/5.jpg")], Verdict.SIMILAR)
    third, learned = run(train(library, LOCAL))
    assert (third.judgements, learned) == (1, 1)
    changed = (before.digests_ != local_metric(library, third).trained.digests_).any(axis=1)
    assert before.focal_[changed].tolist() == [focal]
    library.tags.change([number(library, "warm/5.jpg")], ["warm"])
    _, learned = run(train(library, LOCAL))
    # The new photo, those with its tag, and those with at least a tenth more dissimilar photos than before.
    assert learned == 11


def test_judgements_are_enough_to_train_an_untagged_photo(tmp_path: Path) -> None:
    with Library.open(local_album.make(tmp_path, tags=False)) as library:
        with pytest.raises(NothingToLearnError, match="judge a few photos, or tag some"):
            run(train(library, LOCAL))
        focal = number(library, "warm/0.jpg")
        library.judgements.set(focal, [number(library, "warm/1.jpg"), number(library, "warm/2.jpg")], Verdict.SIMILAR)
        with pytest.raises(NothingToLearnError, match="judge both kinds"):
            run(train(library, LOCAL))
        library.judgements.set(focal, [number(library, "cold/1.jpg")], Verdict.DISSIMILAR)
        metric, learned = run(train(library, LOCAL))
        trained = local_metric(library, metric).trained
        assert (learned, trained.focal_.tolist(), metric.judgements) == (1, [focal], 3)
        assert trained.triplets_[0] > 0


def test_one_tag_is_not_enough_and_no_photo_is_described_for_it(tmp_path: Path) -> None:
    with Library.open(local_album.make(tmp_path, patches=False, tags=False)) as library:
        warm = library.photos.ids("path:warm")
        library.tags.change(warm[:3], ["warm"])
        with pytest.raises(NothingToLearnError, match="tag photos of at least two kinds"):
            run(train(library, LOCAL))
        library.tags.change(warm[3:4], ["cold"])
        assert not set(SOURCES) & set(enabled_names(library))
        metric, learned = run(train(library, LOCAL))
        assert learned == 4
        # The only cold photo has no similar photo.
        assert sorted(np.sign(local_metric(library, metric).trained.triplets_).tolist()) == [0, 1, 1, 1]


def test_focal_images_trained_before_a_cancellation_are_saved(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focal_photos.browser.operations.workers.threads.available_cores", lambda: 1)
    job = train(library, LOCAL)
    while True:
        progress = next(job)
        if progress.stage == "Learning local distances" and progress.done:
            break
    job.close()
    assert library.metrics.current().name == "euclidean"
    assert not list(library.metrics.folder.iterdir())
    _, learned = run(train(library, LOCAL))
    assert learned <= 10 - progress.done


@pytest.mark.slow
def test_processes_train_the_same_as_threads(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    here = local_metric(library, run(train(library, LOCAL))[0]).trained
    library.journal.undo()
    like = FocalImages(**here.get_params())
    forget_focal_images(library, like, stored_ids(library, like))
    monkeypatch.setattr("focal_photos.browser.operations.training.local_train._MIN_SUBPROCESS_IMAGES", 1)
    asked = []
    call = ProcessPool.call

    def counted(pool: ProcessPool, function: Any, *arguments: Any, **options: Any) -> Any:
        asked.extend([function] if function is learn_there else [])
        return call(pool, function, *arguments, **options)

    monkeypatch.setattr(ProcessPool, "call", counted)
    metric, learned = run(train(library, LOCAL))
    assert learned == len(asked) == 10
    there = local_metric(library, metric).trained
    np.testing.assert_equal(
        {key: tuple(model) for key, model in there.models().items()},
        {key: tuple(model) for key, model in here.models().items()},
    )


@pytest.mark.slow
def test_a_library_that_goes_offline_during_training_is_reported(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focal_photos.browser.operations.training.local_train._MIN_SUBPROCESS_IMAGES", 1)
    patches = library.path / "derived" / "patches"
    job = train(library, LOCAL)
    for progress in job:
        if progress.stage == "Learning local distances":
            patches.rename(patches.with_name("elsewhere"))
            break
    with pytest.raises(OperationError, match=r"^The patches of the library are not at .*patches: connect its drive"):
        finish(job)
    patches.with_name("elsewhere").rename(patches)
    assert library.metrics.current().name == "euclidean"
    run(train(library, LOCAL))


def test_a_focal_image_is_trained_although_its_processes_die(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focal_photos.browser.operations.training.local_train._MIN_SUBPROCESS_IMAGES", 1)
    job = train(library, LOCAL)
    struck: set[int] = set()

    def strike(pool: ProcessPool, function: Any, *arguments: Any, **options: Any) -> Any:
        if function is learn_there and len(struck) < 3:
            struck.add(int(arguments[1].ids[arguments[1].row]))
            raise EndedProcessError("killed")
        return function(*arguments)

    monkeypatch.setattr(ProcessPool, "call", strike)
    metric, learned = run(job)
    assert learned == 10
    assert len(struck) == 3
    assert len(local_metric(library, metric).trained.focal_) == 10


def test_only_judged_photos_are_trained_immediately_if_there_are_many(library: Library) -> None:
    focal = number(library, "cold/5.jpg")
    library.judgements.set(focal, [number(library, "cold/0.jpg")], Verdict.SIMILAR)
    library.judgements.set(focal, [number(library, "warm/0.jpg")], Verdict.DISSIMILAR)
    metric, learned = run(train(library, LOCAL, parameters={"at_once": 5}))
    assert learned == 1
    assert local_metric(library, metric).trained.focal_.tolist() == [focal]


def test_a_sample_contains_the_judged_photos_and_both_kinds(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focal_photos.browser.operations.ranking.local.training_sets.MOST_PHOTOS", 8)
    focal, judged = number(library, "warm/1.jpg"), number(library, "cold/5.jpg")
    library.judgements.set(focal, [judged], Verdict.SIMILAR)
    training_set = FocalTrainingSets(library, patch_keys(library)).of(focal)
    assert len(training_set.ids) == 8
    assert training_set.ids[training_set.row] == focal
    assert judged in training_set.ids
    assert training_set.side.similar.tolist() == [[training_set.row, training_set.ids.tolist().index(judged)]]
    tags = training_set.side.tags
    assert tags is not None
    assert (np.asarray(tags.sum(axis=0)) >= 2).all()
    again = FocalTrainingSets(library, patch_keys(library)).of(focal)
    np.testing.assert_array_equal(again.ids, training_set.ids)


@pytest.mark.parametrize("parameters", [{"C": -1.0}, {"K": 0}, {"tolerance": 0.0}])
def test_invalid_numbers_are_refused(library: Library, parameters: dict[str, float]) -> None:
    with pytest.raises(OperationError, match="Local distances cannot be trained"):
        run(train(library, LOCAL, parameters=parameters))
    assert library.metrics.current().name == "euclidean"


def test_the_current_metric_becomes_the_global_metric(library: Library) -> None:
    run(train(library, "rca"))
    metric, _ = run(train(library, LOCAL))
    assert isinstance(load_metric(library, metric).learner, Rca)
    again, _ = run(train(library, LOCAL))
    assert isinstance(load_metric(library, again).learner, Rca)


def test_suggestions_come_from_the_global_metric(library: Library) -> None:
    metric, _ = run(train(library, LOCAL))
    ids = [number(library, name) for name in local_album.UNTAGGED]
    found = {}
    for name in ("euclidean", metric.name):
        job = suggest(library, Ranker(library), ids, metric=name)
        while True:
            try:
                next(job)
            except StopIteration as stop:
                found[name] = {i: [(s.tag, s.confidence) for s in many] for i, many in stop.value.by_photo.items()}
                break
    assert found["euclidean"] == found[metric.name]
    assert [found[metric.name][i][0][0] for i in ids] == ["warm", "cold"]


def test_a_training_can_be_undone_and_redone(library: Library) -> None:
    metric, _ = run(train(library, LOCAL))
    library.journal.undo()
    assert library.metrics.current().name == "euclidean"
    library.journal.redo()
    assert library.metrics.current() == metric
    assert len(Ranker(library).rank(number(library, "warm/0.jpg")).photo_ids) == 2 * EACH - 1


def test_photos_of_a_removed_folder_remain_training_data(library: Library) -> None:
    before = FocalTrainingSets(library, patch_keys(library)).of(number(library, "warm/0.jpg"))
    forget_folder(library, library.roots.all()[0].path)
    after = FocalTrainingSets(library, patch_keys(library)).of(int(before.ids[before.row]))
    assert after.digest == before.digest


def test_tagged_photos_are_trained_up_to_the_limit(library: Library) -> None:
    _, learned = run(train(library, LOCAL, parameters={"at_once": 10}))
    assert learned == 10, "no photo is judged, so tagged ones are trained"


def test_focal_images_trained_with_other_parameters_are_not_reused(library: Library) -> None:
    _, learned = run(train(library, LOCAL))
    assert learned == 10
    for parameters in ({"C": 0.5}, {"C": 0.5, "tolerance": 0.02}):
        _, learned = run(train(library, LOCAL, parameters=parameters))
        assert learned == 10
    _, learned = run(train(library, LOCAL, parameters={"C": 0.5}))
    assert learned == 0, "the images were trained in a metric before the last one"


def test_an_unreadable_current_metric_is_not_used_as_the_global_metric(library: Library) -> None:
    before = finish(train(library, "rca"))
    path = library.metrics.path(before)
    assert path is not None
    path.write_bytes(b"no metric")
    metric, _ = run(train(library, LOCAL))
    assert isinstance(load_metric(library, metric).learner, Euclidean)


def test_insufficient_judgements_are_reported_before_photos_are_described(tmp_path: Path) -> None:
    with Library.open(local_album.make(tmp_path, patches=False)) as library:
        library.tags.change(library.photos.ids().tolist(), remove=["warm", "cold"])
        ids = library.photos.ids().tolist()
        library.judgements.set(ids[0], [ids[1]], Verdict.SIMILAR)
        library.judgements.set(ids[2], [ids[3]], Verdict.DISSIMILAR)
        with pytest.raises(NothingToLearnError, match="judge both kinds"):
            run(train(library, LOCAL))
        assert not patch_keys(library)


def test_trained_focal_images_are_saved_during_the_training(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focal_photos.browser.operations.training.local_train._SAVED", 0.0)
    job = train(library, LOCAL)
    for progress in job:
        if progress.stage == "Learning local distances" and progress.done == 2:
            break
    like = FocalImages(**{name: PARAMETERS[name] for name in ("C", "K", "tolerance")}, sources=patch_keys(library))
    assert len(stored_ids(library, like)) >= 1
    job.close()
    assert len(stored_ids(library, like)) >= 2
