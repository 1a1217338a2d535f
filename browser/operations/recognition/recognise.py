"""Recognise what is in a photo: by the probabilities of focal images that carry a tag, and by all descriptors."""

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
from focal_photos.browser.operations.recognition.partner import LIKELIEST, Partner
from focal_photos.browser.operations.tagging.learn_tags import with_rare_tags
from focal_photos.learners.local.agreement import agreed, likeliest, mean_votes
from focal_photos.learners.tags.tag_ridge import SEVERAL

_FEWEST: Final = 2  # tags
_MOST: Final = 3000  # tagged photos that all descriptors learn from: the time grows with the cube
_CELLS: Final = 12_000_000  # photos times tags that are learned from: 100 MB
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
    probability : float or None
        What these and all descriptors say together, 0..1; None where focal images alone were asked.
    """

    tag: str
    score: float
    total: float
    probability: float | None = None


@dataclass(frozen=True)
class Recognition:
    """What one image was taken for.

    Attributes
    ----------
    path : Path
    tags : tuple of TagScore
        The best first. Every tag of a focal image is there, or with probabilities the likeliest `LIKELIEST`.
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

    Where tags exclude each other and photos are described, regression on all global descriptors and codes says first
    how probable each tag is (`browser.operations.recognition.partner`). Only the focal images of the likeliest tags
    are then compared with an image, and the probability of a tag goes by the product of that and of the mean
    probability that they give (`learners.local.agreement`).

    Else focal images decide alone, by the sums of their probabilities. Where all classes have equally many photos, the
    order is that of the sums, as in the source. Else a tag that many photos carry, or that goes with many others, would
    have a large sum whatever the photo is: from each probability the share of tagged photos that share a tag with the
    focal image is taken off first. Of the tags of a drawn album (4.8 a photo, some on a third of all photos), 60 %
    are then among the first, and 40 % by the sums.

    A photo of the library has no say about itself.

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
    """The focal images that decide, the tags (F, m) that they carry, and how usual it is to share one with each."""

    learned: FocalImageGallery
    matrix: scipy.sparse.csr_array
    names: list[str]
    usual: NDArray[np.float64]

    def tags(self, patches: PhotoPatches, itself: int | None, sure: NDArray[np.float64] | None) -> tuple[TagScore, ...]:
        """Return the tags of an image, the best first; `sure`: how probable they are without focal images."""
        asked = np.ones(len(self.names), np.bool_) if sure is None else likeliest(sure[None], LIKELIEST)[0]
        heard = (self.matrix @ asked.astype(np.float64) > 0) & (self.learned.ids != itself)
        given = self.learned.probabilities(self.learned.exponents(patches, heard)) * heard
        totals = self.matrix.T @ given
        scores = totals - self.matrix.T @ (self.usual * heard)
        both = None
        if sure is not None:
            both = agreed(np.where(asked, sure, 0.0)[None], mean_votes(self.matrix, given, heard)[None])[0]
        order = np.argsort(-scores if both is None else -both, kind="stable")
        return tuple(
            TagScore(self.names[i], float(scores[i]), float(totals[i]), None if both is None else float(both[i]))
            for i in order.tolist()
            if asked[i]
        )


@dataclass(frozen=True)
class _Partner:
    """What all descriptors say of tags."""

    partner: Partner
    names: list[str]
    described: NDArray[np.int64]

    def of(self, photo: Photo | None, image: Path, names: list[str]) -> NDArray[np.float64]:
        """Return how probable these tags are, float64 (m,)."""
        found = None
        if photo is not None and photo.id in self.described:
            with suppress(KeyError):  # it has no code yet, or is described again
                found = self.partner.probabilities(np.array([photo.id], np.int64))[0]
        if found is None:
            found = self.partner.probabilities_outside(image)
        by_name = dict(zip(self.names, found.tolist(), strict=True))
        return np.array([by_name.get(name, 0.0) for name in names])


def _partner(library: Library) -> Job[_Partner | None]:
    """Learn what all descriptors say of tags; None where photos are not described, or have several."""
    everything = np.sort(described(library))
    ids = everything[np.isin(everything, library.photos.ids("tagged"))]
    matrix, names = library.tags.matrix(ids)
    tags = scipy.sparse.csr_array(matrix)
    if len(names) < _FEWEST or np.count_nonzero(np.diff(tags.indptr) > 1) > SEVERAL * len(ids):
        return None
    chosen = with_rare_tags(tags, min(_MOST, _CELLS // len(names)))
    space = yield from prepare_space(library, wide=True)
    codes = codes_of_all(library, ids)
    work = partial(Partner, library, space, codes, ids[chosen], tags[chosen])
    try:
        partner = yield from in_thread("Learning from your tags", work, keeps=False)
    except KeyError as error:
        raise OperationError("Photos were edited meanwhile: index the folders, and try again.") from error
    return _Partner(partner, names, everything)


def _usual(library: Library, tagged: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return for each tagged photo the share of the others that share a tag with it, or one above it, float64 (n,)."""
    matrix, _ = library.tags.matrix(tagged, with_ancestors=True)
    shared = [np.diff((matrix[start : start + _BLOCK] @ matrix.T).indptr) for start in range(0, len(tagged), _BLOCK)]
    return (np.concatenate(shared) - 1) / max(len(tagged) - 1, 1)


def _patches(library: Library, local: LocalMetric, photo: Photo | None, image: Path) -> PhotoPatches:
    if photo is not None and len(with_patches(library, local.keys, np.array([photo.id], np.int64))):
        return patches_of(library, local.keys, photo)
    return patches_outside(library, local.keys, image)
