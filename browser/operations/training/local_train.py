# SPDX-License-Identifier: MIT
"""Train a metric of local distances: compute missing patches, learn focal images and store the results."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, Unpack

import numpy as np

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.descriptors import ready_descriptors
from focal_photos.browser.operations.describing.enabled import change_enabled, enabled_names
from focal_photos.browser.operations.describing.extraction.extract import extract
from focal_photos.browser.operations.describing.extraction.fit_descriptors import fit_descriptors
from focal_photos.browser.operations.jobs.errors import NothingToLearnError, OperationError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.ranking.loaded_metric import load_metric
from focal_photos.browser.operations.ranking.local.candidates import Candidates
from focal_photos.browser.operations.ranking.local.focal_image import learn_focal_image
from focal_photos.browser.operations.ranking.local.focal_store import (
    forget_focal_images,
    read_focal_images,
    stored_ids,
    write_focal_images,
)
from focal_photos.browser.operations.ranking.local.learner import LOCAL, PARAMETERS, SOURCES, TITLE
from focal_photos.browser.operations.ranking.local.metric import local_metric
from focal_photos.browser.operations.ranking.local.patches import PhotoPatches, patches_of
from focal_photos.browser.operations.ranking.local.training_sets import FocalTrainingSet, FocalTrainingSets
from focal_photos.browser.operations.ranking.space import coordinates, prepare_space
from focal_photos.browser.operations.training.keep_metric import Trained, keep_metric
from focal_photos.browser.operations.training.on_cluster import learn_there, learned_there
from focal_photos.browser.operations.training.training_set import TrainingSet, Use, read_training_set
from focal_photos.browser.operations.workers.process_executor import background_pool
from focal_photos.browser.operations.workers.threads import completed
from focal_photos.browser.operations.workers.worker_process import EndedProcessError, TookTooLongError
from focal_photos.learners.core.arrays.distinct import common, together
from focal_photos.learners.core.estimator import LearnerError
from focal_photos.learners.core.feature_space import FeatureSpace
from focal_photos.learners.core.learner.base import DistanceLearner
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.linear.euclidean import Euclidean
from focal_photos.learners.local.local_distances import FocalImage, FocalImages

_SAVED: Final = 10.0  # seconds between writes of learned focal images
_MIN_SUBPROCESS_IMAGES: Final = (
    32  # focal images above which subprocesses learn them: starting these takes as long as learning some
)
_SECONDS: Final = 600.0  # time limit of a subprocess for one focal image: a hundred times the usual time


def train_local(
    library: Library,
    parameters: Mapping[str, Any],
    *,
    by_itself: bool = False,
    scheduler: str | None = None,
    **use: Unpack[Use],
) -> Job[Metric]:
    """Learn the local distances of all focal images with training data, and make them the current metric.

    The descriptors of patches are switched on, and photos that lack them are described first. The global metric of the
    new metric is the metric in use now, or its global metric if it is itself one of local distances. It shortlists
    photos in a large library, ranks those without patches, and suggests tags.

    Each learned focal image is saved as derived data within seconds. A training that was cancelled or killed therefore
    resumes, and a new one learns only the focal images whose data changed: judgements, the photos that share a tag with
    it, or a tenth of those that do not.

    Parameters
    ----------
    parameters : mapping
        See `PARAMETERS`.
    by_itself : bool
        As in `train.train`.
    scheduler : str, optional
        Address of a Dask cluster that describes photos and learns focal images instead of this process. Its workers
        must see photos and library under the same paths.
    use_tags, use_judgements : bool
        As in `train.train`.

    Raises
    ------
    NothingToLearnError
        If no photo is known to have both similar and dissimilar photos, by judgements or tags.
    NothingIndexedError
        If no photo is indexed.
    OperationError
        If a parameter is invalid or the metric's file cannot be written.
    """
    chosen_parameters = {**PARAMETERS, **parameters}
    at_once = chosen_parameters.pop("at_once")
    space = yield from prepare_space(library)
    everything = len(library.photos.ids()) + 1
    if not _can_teach(read_training_set(library, space, everything, **use).side):
        raise _nothing()  # before describing photos for an hour
    yield from describe_patches(library, scheduler)
    keys = patch_keys(library)
    training = read_training_set(library, space, everything, **use)
    training_sets = FocalTrainingSets(library, keys, **use)
    space, learner = _shortlisting(library, space, training)
    like = FocalImages(**chosen_parameters, sources=keys)
    try:
        models = yield from _learn(library, training_sets, like, at_once, scheduler)
    except LearnerError as error:
        raise OperationError("{0} cannot be trained: {1}", TITLE, error) from error
    if not any(model.triplets for model in models.values()) and models:
        raise _nothing()
    trained = Trained(LOCAL, TITLE, space, learner, training, {"local": like.fill(models)})
    return (yield from keep_metric(library, trained, by_itself=by_itself))


def _can_teach(side: SideInformation) -> bool:
    """Return False if no photo can have both similar and dissimilar photos; True does not guarantee one."""
    if len(side.relative) or len(common(side.similar[:, 0], side.dissimilar[:, 0])):
        return True
    if side.tags is None:
        return False
    carried = np.asarray((side.tags > 0).sum(axis=0)).ravel()
    differ = int(carried.max(initial=0)) < len(side.tagged)
    return bool((len(side.dissimilar) or differ) and (len(side.similar) or (carried > 1).any()))


def _nothing() -> NothingToLearnError:
    return NothingToLearnError(
        "No photo is known to be similar to one photo and dissimilar to another: judge both kinds for a photo, or tag "
        "photos of at least two kinds."
    )


def patch_keys(library: Library) -> tuple[str, ...]:
    """Return the keys of the patches used in training; empty if their descriptors are not ready."""
    found = {one.name: str(one.key) for one in ready_descriptors(library)}
    return tuple(found[name] for name in SOURCES) if found.keys() >= set(SOURCES) else ()


def describe_patches(library: Library, scheduler: str | None = None) -> Job[None]:
    """Switch on the descriptors of patches and describe all photos that lack them."""
    if off := set(SOURCES).difference(enabled_names(library)):
        change_enabled(library, on=off)
    backend = "processes" if scheduler is None else "dask"
    yield from fit_descriptors(library, backend=backend, scheduler=scheduler)
    yield from extract(library, names=SOURCES, backend=backend, scheduler=scheduler)


def _shortlisting(library: Library, space: FeatureSpace, training: TrainingSet) -> tuple[FeatureSpace, DistanceLearner]:
    """Return the global metric in use, or the Euclidean one if there is none or it cannot be read."""
    current = library.metrics.current()
    if current.file is not None:
        with suppress(OperationError):
            loaded = load_metric(library, current)
            if loaded.learner is not None:
                return loaded.space, loaded.learner
    return space, Euclidean().fit(coordinates(library, space, training.ids[:1]))


# ---------------------------------------------------------------- learning many
def _learn(
    library: Library, training_sets: FocalTrainingSets, like: FocalImages, at_once: int, scheduler: str | None
) -> Job[dict[int, FocalImage]]:
    """Return the focal images of a training by photo id; those with unchanged data are reused."""
    wanted = together(training_sets.tagged, training_sets.judged)
    if len(wanted) > at_once:
        wanted = training_sets.judged
    meter = Meter(Text("Looking for new training data"), len(wanted))
    yield meter.state()
    before = _before(library, like)
    models: dict[int, FocalImage] = {}
    todo: list[tuple[int, FocalTrainingSet, PhotoPatches]] = []
    for number, photo_id in enumerate(wanted.tolist()):
        if not number % 32:
            yield meter.advance(min(32, len(wanted) - number))
        found = _material(library, training_sets, like, photo_id)
        if found is None:
            continue
        training_set, patches = found
        if photo_id in before and before[photo_id].digest == patches.fingerprint() + training_set.digest:
            models[photo_id] = before[photo_id]
        else:
            todo.append((photo_id, training_set, patches))
    _forget_outdated(library, training_sets, like, set(wanted.tolist()))
    meter = Meter(Text("Learning local distances"), len(todo))
    yield meter.state()
    learned = yield from _learn_each(library, todo, like, meter, scheduler)
    return {**models, **learned}


def _material(
    library: Library, training_sets: FocalTrainingSets, like: FocalImages, photo_id: int
) -> tuple[FocalTrainingSet, PhotoPatches] | None:
    """Return the training data of a focal image; None if it has no patches."""
    with suppress(OperationError):
        return training_sets.of(photo_id), patches_of(library, like.sources, library.photos.get([photo_id])[0])
    return None


def _before(library: Library, like: FocalImages) -> dict[int, FocalImage]:
    """Return the focal images learned by earlier trainings with the same patches and parameters."""
    found: dict[int, FocalImage] = {}
    for metric in library.metrics.all():
        if metric.learner == LOCAL:
            with suppress(OperationError):
                trained = local_metric(library, metric).trained
                if trained.get_params() == like.get_params():
                    found.update(trained.models())
    return {**found, **read_focal_images(library, like, stored_ids(library, like))}


def _forget_outdated(library: Library, training_sets: FocalTrainingSets, like: FocalImages, wanted: set[int]) -> None:
    """Delete outdated focal images that were learned on demand; they are learned again when needed."""
    old = []
    for photo_id, model in read_focal_images(library, like, stored_ids(library, like)).items():
        if photo_id not in wanted:
            found = _material(library, training_sets, like, photo_id)
            if found is None or model.digest != found[1].fingerprint() + found[0].digest:
                old.append(photo_id)
    forget_focal_images(library, like, old)


def _learned_in_threads(
    library: Library, todo: list[tuple[int, FocalTrainingSet, PhotoPatches]], like: FocalImages
) -> Generator[list[tuple[int, FocalImage]], None, None]:
    """Yield focal images with their ids, learned in threads, as `workers.threads.completed` does."""
    shared: list[Candidates] = []  # in most libraries, all focal images share the same candidates

    def work(training_set: FocalTrainingSet, patches: PhotoPatches) -> FocalImage:
        candidates = next((one for one in shared if np.array_equal(one.ids, training_set.ids)), None)
        if candidates is None:
            candidates = Candidates(library, like.sources, training_set.ids)
            shared[:] = [candidates]
        return learn_focal_image(training_set, patches, candidates.distances(patches), like)

    return completed((photo_id, partial(work, own, patches)) for photo_id, own, patches in todo)


def learned_in_processes(
    library: Path, todo: list[tuple[int, FocalTrainingSet, PhotoPatches]], like: FocalImages
) -> Generator[list[tuple[int, FocalImage]], None, None]:
    """Yield focal images with their ids, learned in subprocesses that read the patches themselves.

    A focal image takes some thousand matrix products, between which threads wait for the interpreter: four threads are
    no faster than one.
    """
    with closing(background_pool()) as pool:

        def work(training_set: FocalTrainingSet, patches: PhotoPatches) -> FocalImage:
            try:
                return pool.call(learn_there, library, training_set, patches, like, seconds=_SECONDS)
            except (EndedProcessError, TookTooLongError):  # twice; as no file is decoded, the cause is lack of memory
                return learn_there(library, training_set, patches, like)

        yield from completed((photo_id, partial(work, own, patches)) for photo_id, own, patches in todo)


def _learn_each(
    library: Library,
    todo: list[tuple[int, FocalTrainingSet, PhotoPatches]],
    like: FocalImages,
    meter: Meter,
    scheduler: str | None,
) -> Job[dict[int, FocalImage]]:
    """Learn focal images on all cores or a cluster; results are on disk within seconds, even if it fails."""
    learned: dict[int, FocalImage] = {}
    unsaved: dict[int, FocalImage] = {}
    saved = time.monotonic()
    if scheduler is not None:
        results = learned_there(scheduler, library.path, todo, like)
    elif len(todo) < _MIN_SUBPROCESS_IMAGES:
        results = _learned_in_threads(library, todo, like)
    else:
        results = learned_in_processes(library.path, todo, like)
    try:
        with closing(results):
            for found in results:
                learned.update(found)
                unsaved.update(found)
                if time.monotonic() - saved > _SAVED:
                    write_focal_images(library, like, unsaved)
                    unsaved.clear()
                    saved = time.monotonic()
                yield meter.advance(len(found))
    finally:
        with suppress(LibraryError):  # disk full: writing the metric's own file will report it
            write_focal_images(library, like, unsaved)
    return learned
