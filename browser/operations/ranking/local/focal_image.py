# SPDX-License-Identifier: MIT
"""Learn the local distance of a focal image, on demand or as one of many."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Photo
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.ranking.local.candidates import Candidates
from focal_photos.browser.operations.ranking.local.metric import LocalMetric
from focal_photos.browser.operations.ranking.local.patches import PhotoPatches, patches_of
from focal_photos.browser.operations.ranking.local.region import emphasised, inside
from focal_photos.browser.operations.ranking.local.training_sets import FocalTrainingSet, FocalTrainingSets
from focal_photos.browser.operations.workers.threads import thread_pool
from focal_photos.learners.local.local_distances import FocalImage, FocalImages, LocalDistances


def learn_focal_image(
    training_set: FocalTrainingSet, patches: PhotoPatches, distances: NDArray[np.float32], like: FocalImages
) -> FocalImage:
    """Learn a focal image.

    Parameters
    ----------
    distances : ndarray of float32, shape (n, M)
        Elementary distances from these patches to the photos of the training set.
    like : FocalImages
        Provides the parameters.
    """
    learner = LocalDistances(like.C, like.K, like.tolerance)
    learner.fit(lambda _row: distances, training_set.side, len(training_set.ids), focal=[training_set.row])
    digest = patches.fingerprint() + training_set.digest
    return FocalImage(
        learner.weights_,
        learner.factors_,
        float(learner.slopes_[0]),
        float(learner.intercepts_[0]),
        float(learner.gaps_[0]),
        int(learner.triplets_[0]),
        digest,
    )


def focal_image(library: Library, local: LocalMetric, photo: Photo) -> tuple[PhotoPatches, FocalImage]:
    """Return a photo's patches and its local distance, which is learned now and saved if it was not learned yet.

    If the user has drawn a region on the photo, the patches in it weigh more (`emphasised`). The saved distance ignores
    the region.

    Raises
    ------
    OperationError
        If the photo has no patches.
    """
    patches, model = _learned(library, local, photo)
    region = library.regions.of(photo.id)
    if region is not None:
        model = emphasised(model, inside(patches, region, photo))
    return patches, model


def _learned(library: Library, local: LocalMetric, photo: Photo) -> tuple[PhotoPatches, FocalImage]:
    patches = patches_of(library, local.keys, photo)
    found = local.focal_image(library, photo.id, patches.fingerprint())
    if found is not None:
        return patches, found
    with local.learning:  # another thread may have learned the same photo meanwhile
        found = local.focal_image(library, photo.id, patches.fingerprint())
        if found is not None:
            return patches, found
        training_set = FocalTrainingSets(library, local.keys).of(photo.id)
        candidates = Candidates(library, local.keys, training_set.ids)
        with thread_pool() as executor:
            distances = candidates.distances(patches, executor=executor)
        model = learn_focal_image(training_set, patches, distances, local.trained)
        local.keep(library, photo.id, model)
    return patches, model
