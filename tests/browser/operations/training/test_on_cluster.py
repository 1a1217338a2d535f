# SPDX-License-Identifier: MIT
"""Training and evaluation on a real Dask cluster of two workers give the same results as on one machine."""

from __future__ import annotations

import dataclasses
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.descriptors import fitted_states_of
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.describing.extraction.fit_descriptors import fit_descriptors
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.photos.scan import scan
from focal_photos.browser.operations.ranking.local.candidates import Candidates
from focal_photos.browser.operations.ranking.local.focal_image import learn_focal_image
from focal_photos.browser.operations.ranking.local.focal_store import forget_focal_images, stored_ids
from focal_photos.browser.operations.ranking.local.learner import LOCAL
from focal_photos.browser.operations.ranking.local.metric import local_metric
from focal_photos.browser.operations.ranking.local.patches import patches_of
from focal_photos.browser.operations.ranking.local.training_sets import FocalTrainingSets
from focal_photos.browser.operations.training.automatic import train_automatic
from focal_photos.browser.operations.training.evaluate import Evaluation, evaluate
from focal_photos.browser.operations.training.local_train import patch_keys
from focal_photos.browser.operations.training.on_cluster import learn_there
from focal_photos.browser.operations.training.train import train
from focal_photos.learners.local.local_distances import FocalImages
from tests.browser.operations import local_album, striped
from tests.browser.operations.album import Album
from tests.browser.operations.workers.cluster.clusters import two_workers
from tests.browser.operations.workers.processes import wait_for

TRIED = ["tag-ratio", "rca", "kernel"]
SLOW = ["nca", "mkpoe"]
"""Learners whose fit takes half a second, which is time for an interruption."""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with two_workers(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("striped") / "library"
    striped.make(folder, tmp_path_factory.mktemp("photos"))
    with Library.open(folder) as opened:
        yield opened


def numbers(found: object) -> dict[str, Any]:
    """Return all results of an evaluation except durations."""
    return without(dataclasses.asdict(found), "seconds")  # type: ignore[call-overload, no-any-return]


def without(value: Any, name: str) -> Any:
    if isinstance(value, dict):
        return {key: without(some, name) for key, some in value.items() if key != name}
    return [without(some, name) for some in value] if isinstance(value, list | tuple) else value


@pytest.fixture(scope="module")
def expected(library: Library) -> Evaluation:
    return finish(evaluate(library, TRIED))


@pytest.mark.slow
def test_learners_are_evaluated_as_on_one_machine(library: Library, cluster: Any, expected: Evaluation) -> None:
    found = finish(evaluate(library, TRIED, scheduler=cluster.scheduler_address))
    np.testing.assert_equal(numbers(found), numbers(expected))
    assert all(score.seconds > 0 for score in found.scores[1:])


@pytest.mark.slow
def test_a_learner_that_cannot_be_trained_is_reported_with_the_reason(tmp_path: Path, cluster: Any) -> None:
    striped.make(tmp_path / "library", tmp_path / "photos")
    with Library.open(tmp_path / "library") as library:
        library.tags.change(library.photos.ids(), remove=["lying", "standing"])
        striped.judge_some(library, 10)
        here, there = (
            finish(evaluate(library, ["tag-ratio", "rca"], scheduler=scheduler))
            for scheduler in (None, cluster.scheduler_address)
        )
    assert "it needs tags" in there.scores[1].reason
    assert not there.scores[2].reason
    np.testing.assert_equal(numbers(there), numbers(here))


def at_work(cluster: Any) -> bool:
    return any(state.processing for state in cluster.scheduler.workers.values())


@pytest.mark.slow
def test_a_lost_worker_does_not_change_the_result(library: Library, cluster: Any) -> None:
    job = evaluate(library, SLOW, scheduler=cluster.scheduler_address)
    while not at_work(cluster):
        next(job)
    victim = next(iter(cluster.workers.values()))
    os.kill(victim.pid, signal.SIGKILL)
    found = finish(job)
    np.testing.assert_equal(numbers(found), numbers(finish(evaluate(library, SLOW))))


@pytest.mark.slow
def test_a_cancelled_evaluation_is_removed_from_the_cluster(library: Library, cluster: Any) -> None:
    job = evaluate(library, SLOW, scheduler=cluster.scheduler_address)
    while not at_work(cluster):
        next(job)
    job.close()
    wait_for(lambda: not cluster.scheduler.tasks, "the end of the calls")


@pytest.mark.slow
def test_automatic_chooses_as_on_one_machine(library: Library, cluster: Any) -> None:
    here = finish(train_automatic(library))
    there = finish(train_automatic(library, scheduler=cluster.scheduler_address))
    assert dataclasses.replace(there, kept=here.metric) == here
    first, second = (library.path / "metrics" / str(one.file) for one in (here.metric, there.metric))
    assert first != second
    assert first.stat().st_size == second.stat().st_size


@pytest.mark.slow
def test_focal_images_are_trained_as_on_one_machine(tmp_path: Path, cluster: Any) -> None:
    with Library.open(local_album.make(tmp_path)) as library:
        here = local_metric(library, finish(train(library, LOCAL))).trained
        library.journal.undo()
        like = FocalImages(**here.get_params())
        forget_focal_images(library, like, stored_ids(library, like))
        assert not len(stored_ids(library, like))
        there = local_metric(library, finish(train(library, LOCAL, scheduler=cluster.scheduler_address))).trained
    np.testing.assert_equal(
        {key: tuple(model) for key, model in there.models().items()},
        {key: tuple(model) for key, model in here.models().items()},
    )
    assert len(there.models()) == 10


def test_a_worker_uses_the_training_set_of_each_focal_image(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a large library, each focal image has its own sample."""
    monkeypatch.setattr("focal_photos.browser.operations.ranking.local.training_sets.MOST_PHOTOS", 8)
    with Library.open(local_album.make(tmp_path)) as library:
        keys = patch_keys(library)
        like = FocalImages(sources=keys)
        sets = FocalTrainingSets(library, keys)
        chosen = set()
        for photo in library.photos.get(sets.tagged):
            own, patches = sets.of(photo.id), patches_of(library, keys, photo)
            here = learn_focal_image(own, patches, Candidates(library, keys, own.ids).distances(patches), like)
            np.testing.assert_equal(tuple(learn_there(library.path, own, patches, like)), tuple(here))
            chosen.add(tuple(own.ids.tolist()))
        assert len(chosen) > 1


@pytest.mark.slow
def test_the_cluster_describes_photos_before_training_local_distances(tmp_path: Path, cluster: Any) -> None:
    with Library.open(local_album.make(tmp_path, patches=False)) as library:
        metric = finish(train(library, LOCAL, scheduler=cluster.scheduler_address))
        assert len(local_metric(library, metric).trained.focal_) == 10


@pytest.mark.slow
def test_a_worker_without_access_to_the_library_is_reported(tmp_path: Path, cluster: Any) -> None:
    made = local_album.make(tmp_path)
    with Library.open(made) as library:
        patches = made / "derived" / "patches"
        job = train(library, LOCAL, scheduler=cluster.scheduler_address)
        for progress in job:
            if progress.stage == "Learning local distances":
                patches.rename(patches.with_name("elsewhere"))
                break
        with pytest.raises(OperationError, match=r"not at .*patches: .* A worker of a cluster needs the same path"):
            finish(job)
        patches.with_name("elsewhere").rename(patches)


@pytest.mark.slow
def test_vocabularies_are_fitted_as_on_one_machine(album: Album, tmp_path: Path, cluster: Any) -> None:
    album.draw_many(20)
    keys = []
    for name, scheduler in (("here", None), ("there", cluster.scheduler_address)):
        with Library.open(tmp_path / name) as library:
            set_enabled(library, ("color_moments", "dense_color_fisher", "orb_words_200", "orb_words_200_50"))
            finish(scan(library, [album.folder]))
            backend = "processes" if scheduler is None else "dask"
            report = finish(fit_descriptors(library, describe=True, backend=backend, scheduler=scheduler))
            assert report.learned == ["orb_words_200", "dense_color_fisher", "orb_words_200_50"]
            assert report.extract.done == 20
            keys.append(sorted(kept.key for kept in fitted_states_of(library).all()))
    assert keys[0] == keys[1]


@pytest.mark.slow
def test_a_cluster_is_refused_for_fast_learners(library: Library) -> None:
    with pytest.raises(OperationError, match="a cluster is only for automatic and local"):
        finish(train(library, "rca", scheduler="tcp://127.0.0.1:1"))
