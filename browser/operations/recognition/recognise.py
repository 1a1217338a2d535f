# SPDX-License-Identifier: MIT
"""Recognise the content of a photo, by the focal images that carry a tag and by all descriptors."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Metric, Photo
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.codes import codes_of_all
from focal_photos.browser.operations.jobs.errors import NothingToLearnError, OperationError
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.photos.find import find_photo
from focal_photos.browser.operations.ranking.local.focal_gallery import FocalImageGallery, focal_image_gallery
from focal_photos.browser.operations.ranking.local.learner import LOCAL
from focal_photos.browser.operations.ranking.local.metric import LocalMetric, local_metric
from focal_photos.browser.operations.ranking.local.patches import (
    PhotoPatches,
    patches_of,
    patches_outside,
    with_patches,
)
from focal_photos.browser.operations.ranking.space import described, prepare_space
from focal_photos.browser.operations.recognition.partner import COMPARED_CLASSES, Partner
from focal_photos.browser.operations.tagging.annotated import with_rare_tags
from focal_photos.learners.local.agreement import agreed, likeliest, mean_votes
from focal_photos.learners.tags.tag_ridge import MAX_MULTIPLE_SHARE

_MIN_TAGS: Final = 2  # tags
_MAX_TRAINING_PHOTOS: Final = 3000  # tagged photos for training all descriptors: the time grows with the cube
_CELLS: Final = 12_000_000  # maximum number of training photos times tags: 100 MB
_BLOCK: Final = 1000  # photos whose tags are compared at once


class TagScore(NamedTuple):
    """Evidence for a tag."""

    tag: str
    score: float
    """`total` minus the expected sum for a random photo; may be negative."""
    total: float
    """Sum of the probabilities, by the focal images that carry the tag, that the image belongs with them."""
    probability: float | None = None
    """Combined probability by focal images and all descriptors, 0..1; None if only focal images were used."""


@dataclass(frozen=True)
class Recognition:
    """Result for one image."""

    path: Path
    tags: tuple[TagScore, ...]
    """Best first: all tags of focal images, or with probabilities the likeliest `COMPARED_CLASSES`."""


@dataclass(frozen=True)
class RecogniseReport:
    """Result of `recognise`."""

    metric: Metric
    focal_images: int
    """Number of tagged photos with a local distance."""
    recognised: list[Recognition]
    """In the order of the images."""


def recognise(library: Library, images: Sequence[Path], metric: str = LOCAL) -> Job[RecogniseReport]:
    """Recognise the content of images, in or outside the library.

    If tags exclude each other and photos are described, regression on all global descriptors and codes first gives the
    probability of each tag (`browser.operations.recognition.partner`). Only the focal images of the likeliest tags are
    then compared with an image. Tags are ordered by the product of the probability by regression and the mean
    probability by focal images (`learners.local.agreement`).

    Otherwise, focal images decide alone, by the sums of their probabilities. If all classes have equally many photos,
    the order is that of the sums, as in the paper. A tag on many photos or together with many other tags would
    otherwise have a large sum for any photo. Therefore the share of tagged photos that share a tag with the focal image
    is first subtracted from each probability. Of the tags of a simulated album (4.8 per photo, some on a third of all
    photos), 60 % then come first, against 40 % by the sums.

    A photo of the library does not contribute to its own recognition.

    Parameters
    ----------
    metric : str
        Name of a metric of local distances; default: the latest.

    Raises
    ------
    NothingToLearnError
        If no tagged photo has learned a local distance.
    OperationError
        If the metric is of another kind or unreadable, or an image cannot be decoded or has no edge.
    UnknownMetricError
        If the library has no such metric.

    References
    ----------
    A. Frome, Y. Singer and J. Malik, "Image retrieval and classification using local distance functions", NIPS 2006,
    section 4.
    """
    meter = Meter(Text("Recognising"), len(images))
    yield meter.state()
    local = local_metric(library, library.metrics.by_name(metric))
    tagged = with_patches(library, local.keys, np.sort(library.photos.ids("tagged")))
    learned = focal_image_gallery(library, local, tagged)
    if not len(learned.ids):
        raise NothingToLearnError(
            "No tagged photo has a local distance yet: tag some photos and run focal train --learner {0}.", LOCAL
        )
    partner = yield from _partner(library)
    matrix, names = library.tags.matrix(learned.ids)
    usual = _usual(library, tagged)[np.searchsorted(tagged, learned.ids)]
    voters = _Voters(learned, scipy.sparse.csr_array(matrix), names, usual)
    found = []
    for image in images:
        photo = find_photo(library, image)
        patches = _patches(library, local, photo, image)
        sure = None if partner is None else partner.of(photo, image, names)
        found.append(Recognition(image, voters.tags(patches, None if photo is None else photo.id, sure)))
        yield meter.advance(message=str(image))
    return RecogniseReport(local.metric, len(learned.ids), found)


@dataclass(frozen=True)
class _Voters:
    """The focal images that decide, their tags (F, m), and the share of photos that share a tag with each."""

    learned: FocalImageGallery
    matrix: scipy.sparse.csr_array
    names: list[str]
    usual: NDArray[np.float64]

    def tags(self, patches: PhotoPatches, itself: int | None, sure: NDArray[np.float64] | None) -> tuple[TagScore, ...]:
        """Return the tags of an image, best first; `sure` contains their probabilities without focal images."""
        likely = np.ones(len(self.names), np.bool_) if sure is None else likeliest(sure[None], COMPARED_CLASSES)[0]
        heard = (self.matrix @ likely.astype(np.float64) > 0) & (self.learned.ids != itself)
        given = self.learned.probabilities(self.learned.exponents(patches, heard)) * heard
        totals = self.matrix.T @ given
        scores = totals - self.matrix.T @ (self.usual * heard)
        both = None
        if sure is not None:
            both = agreed(np.where(likely, sure, 0.0)[None], mean_votes(self.matrix, given, heard)[None])[0]
        order = np.argsort(-scores if both is None else -both, kind="stable")
        return tuple(
            TagScore(self.names[i], float(scores[i]), float(totals[i]), None if both is None else float(both[i]))
            for i in order.tolist()
            if likely[i]
        )


@dataclass(frozen=True)
class _Partner:
    """Probabilities of tags by all descriptors."""

    partner: Partner
    names: list[str]
    described: NDArray[np.int64]

    def of(self, photo: Photo | None, image: Path, names: list[str]) -> NDArray[np.float64]:
        """Return the probabilities of these tags, float64 (m,)."""
        found = None
        if photo is not None and photo.id in self.described:
            with suppress(KeyError):  # no code yet, or being described again
                found = self.partner.probabilities(np.array([photo.id], np.int64))[0]
        if found is None:
            found = self.partner.probabilities_outside(image)
        by_name = dict(zip(self.names, found.tolist(), strict=True))
        return np.array([by_name.get(name, 0.0) for name in names])


def _partner(library: Library) -> Job[_Partner | None]:
    """Train the regression on all descriptors; None if photos are not described or have several tags."""
    everything = np.sort(described(library))
    ids = everything[np.isin(everything, library.photos.ids("tagged"))]
    matrix, names = library.tags.matrix(ids)
    tags = scipy.sparse.csr_array(matrix)
    if len(names) < _MIN_TAGS or np.count_nonzero(np.diff(tags.indptr) > 1) > MAX_MULTIPLE_SHARE * len(ids):
        return None
    chosen = with_rare_tags(tags, min(_MAX_TRAINING_PHOTOS, _CELLS // len(names)))
    space = yield from prepare_space(library, wide=True)
    codes = codes_of_all(library, ids)
    work = partial(Partner, library, space, codes, ids[chosen], tags[chosen])
    try:
        partner = yield from in_thread(Text("Learning from your tags"), work, keeps=False)
    except KeyError as error:
        raise OperationError("Photos were edited meanwhile: index the folders, and try again.") from error
    return _Partner(partner, names, everything)


def _usual(library: Library, tagged: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return for each tagged photo the share of others with a common tag or ancestor tag, float64 (n,)."""
    matrix, _ = library.tags.matrix(tagged, with_ancestors=True)
    shared = [np.diff((matrix[start : start + _BLOCK] @ matrix.T).indptr) for start in range(0, len(tagged), _BLOCK)]
    return (np.concatenate(shared) - 1) / max(len(tagged) - 1, 1)


def _patches(library: Library, local: LocalMetric, photo: Photo | None, image: Path) -> PhotoPatches:
    if photo is not None and len(with_patches(library, local.keys, np.array([photo.id], np.int64))):
        return patches_of(library, local.keys, photo)
    return patches_outside(library, local.keys, image)
