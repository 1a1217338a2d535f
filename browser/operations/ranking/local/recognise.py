"""Recognise what is in a photo: its classes by the sum of the probabilities of the focal images that carry each tag."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.photos.find import find_photo
from focal_photos.browser.operations.ranking.local.focal_gallery import FocalImageGallery, focal_image_gallery
from focal_photos.browser.operations.ranking.local.learner import LOCAL
from focal_photos.browser.operations.ranking.local.metric import LocalMetric, local_metric
from focal_photos.browser.operations.ranking.local.patches import patches_of, patches_outside, with_patches

_BLOCK: Final = 1000  # photos whose tags are compared at a time


class TagScore(NamedTuple):
    """How much speaks for a tag.

    Attributes
    ----------
    tag : str
    score : float
        What `total` is above the sum that a photo drawn at random would get; below 0 where it is less.
    total : float
        Sum, over the focal images that carry the tag, of how probable each finds it that the image belongs with it.
    """

    tag: str
    score: float
    total: float


@dataclass(frozen=True)
class Recognition:
    """What one image was taken for.

    Attributes
    ----------
    path : Path
    tags : tuple of TagScore
        The best first. Every tag of a focal image is there.
    """

    path: Path
    tags: tuple[TagScore, ...]


@dataclass(frozen=True)
class RecogniseReport:
    """What `recognise` found.

    Attributes
    ----------
    metric : Metric
    focal_images : int
        Tagged photos with a local distance, which decided.
    recognised : list of Recognition
        In the order of the images.
    """

    metric: Metric
    focal_images: int
    recognised: list[Recognition]


def recognise(library: Library, images: Sequence[Path], metric: str = LOCAL) -> Job[RecogniseReport]:
    """Decide what is in images, which need not be in the library.

    A photo of the library has no say about itself. Where all classes have equally many photos, the order is that of
    the sums of probabilities, as in the source. Else a tag that many photos carry, or that goes with many others, would
    have a large sum whatever the photo is: from each probability the share of tagged photos that share a tag with the
    focal image is taken off first. Of the tags of a drawn album (4.8 a photo, some on a third of all photos), 60 %
    are then among the first, and 40 % by the sums.

    Parameters
    ----------
    library : Library
    images : sequence of Path
    metric : str
        Name of a metric of local distances; the latest, if not given.

    Yields
    ------
    Progress

    Returns
    -------
    RecogniseReport

    Raises
    ------
    NothingToLearnError
        No tagged photo has learned a local distance.
    OperationError
        The metric is of another kind or cannot be read, or an image cannot be decoded or has no edge.
    UnknownMetricError
        The library has no such metric.

    References
    ----------
    A. Frome, Y. Singer and J. Malik, "Image retrieval and classification using local distance functions", NIPS 2006,
    section 4.
    """
    meter = Meter("Recognising", len(images))
    yield meter.state()
    local = local_metric(library, library.metrics.by_name(metric))
    tagged = with_patches(library, local.keys, np.sort(library.photos.ids("tagged")))
    learned = focal_image_gallery(library, local, tagged)
    if not len(learned.ids):
        raise NothingToLearnError(
            f"No tagged photo has learned a local distance: tag some and run focal train --learner {LOCAL}."
        )
    matrix, names = library.tags.matrix(learned.ids)
    carried = np.flatnonzero(np.asarray(matrix.sum(axis=0)).ravel())
    usual = _usual(library, tagged)[np.searchsorted(tagged, learned.ids)]
    found = []
    for image in images:
        probabilities, heard = _probabilities(library, local, learned, image)
        totals = matrix.T @ (probabilities * heard)
        scores = totals - matrix.T @ (usual * heard)
        best = carried[np.argsort(-scores[carried], kind="stable")]
        found.append(Recognition(image, tuple(TagScore(names[i], float(scores[i]), float(totals[i])) for i in best)))
        yield meter.advance(message=str(image))
    return RecogniseReport(local.metric, len(learned.ids), found)


def _usual(library: Library, tagged: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return for each tagged photo the share of the others that share a tag with it, or one above it, float64 (n,)."""
    matrix, _ = library.tags.matrix(tagged, with_ancestors=True)
    shared = [np.diff((matrix[start : start + _BLOCK] @ matrix.T).indptr) for start in range(0, len(tagged), _BLOCK)]
    return (np.concatenate(shared) - 1) / max(len(tagged) - 1, 1)


def _probabilities(
    library: Library, local: LocalMetric, learned: FocalImageGallery, image: Path
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the probability that each focal image gives, and 0 for the image itself, 1 for the others."""
    photo = find_photo(library, image)
    known = photo is not None and len(with_patches(library, local.keys, np.array([photo.id], np.int64))) > 0
    if photo is not None and known:
        patches = patches_of(library, local.keys, photo)
    else:
        patches = patches_outside(library, local.keys, image)
    heard = np.ones(len(learned.ids))
    if photo is not None:
        heard[learned.ids == photo.id] = 0
    return learned.probabilities(learned.exponents(patches)), heard
