# SPDX-License-Identifier: MIT
"""Tasks that trainings and trials send to a cluster."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from focal_photos.browser.operations.ranking.local.candidates import Candidates
from focal_photos.browser.operations.ranking.local.focal_image import learn_focal_image
from focal_photos.browser.operations.ranking.local.patches import PatchesInFolder, PhotoPatches
from focal_photos.browser.operations.ranking.local.training_sets import FocalTrainingSet
from focal_photos.learners.core.learner.base import DistanceLearner
from focal_photos.learners.core.linalg import one_thread
from focal_photos.learners.evaluation.cross_validation import Examiner, Trial
from focal_photos.learners.evaluation.results import LearnerResult
from focal_photos.learners.local.local_distances import FocalImage, FocalImages


@contextmanager
def examiner(scheduler: str | None) -> Iterator[Examiner | None]:
    """Provide a function that examines learners on a cluster; None without a scheduler.

    Raises
    ------
    OperationError
        As for `browser.operations.workers.cluster.cluster.Cluster`.
    """
    if scheduler is None:
        yield None
        return
    # an optional dependency, slow to import
    from focal_photos.browser.operations.workers.cluster.cluster import Cluster

    with Cluster(scheduler) as cluster:

        def examine(
            trial: Trial, calls: Sequence[tuple[str, DistanceLearner, int]]
        ) -> Iterable[Sequence[tuple[tuple[str, int], LearnerResult]]]:
            sent = cluster.keep(trial)
            return cluster.completed(
                ((name, number), examined, (sent, name, learner, number)) for name, learner, number in calls
            )

        yield examine


def examined(trial: Trial, name: str, learner: DistanceLearner, number: int) -> LearnerResult:
    """Run `Trial.result` in a worker."""
    with one_thread():  # the cluster reserves one core for a call
        return trial.result(name, learner, number)


_shared: list[tuple[Path, tuple[str, ...], Candidates]] = []
"""Candidates of the last focal image: in most libraries, all focal images share them."""


def learn_there(library: Path, training_set: FocalTrainingSet, patches: PhotoPatches, like: FocalImages) -> FocalImage:
    """Learn a focal image in a worker, which reads the patches of the other photos from the library.

    Raises
    ------
    OperationError
        If the worker cannot see the library, or photos were edited meanwhile.
    LearnerError
    """
    cached = next((one for one in _shared if one[:2] == (library, like.sources)), None)
    if cached is None or not np.array_equal(cached[2].ids, training_set.ids):
        candidates = Candidates(PatchesInFolder(library), like.sources, training_set.ids)
        cached = (library, like.sources, candidates)
        _shared[:] = [cached]
    with one_thread():
        return learn_focal_image(training_set, patches, cached[2].distances(patches), like)


def learned_there(
    scheduler: str, library: Path, todo: Iterable[tuple[int, FocalTrainingSet, PhotoPatches]], like: FocalImages
) -> Generator[list[tuple[int, FocalImage]], None, None]:
    """Yield focal images learned by a cluster, with their ids, as `workers.threads.completed` does.

    Raises
    ------
    OperationError, LearnerError
    """
    # an optional dependency, slow to import
    from focal_photos.browser.operations.workers.cluster.cluster import Cluster

    with Cluster(scheduler) as cluster:
        yield from cluster.completed(
            (photo_id, learn_there, (library, training_set, patches, like)) for photo_id, training_set, patches in todo
        )
