# SPDX-License-Identifier: MIT
"""Measure how often the first suggestion for a held-out photo is right, by each method that suggests tags."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.settings import SUGGESTERS
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.space import coordinates
from focal_photos.browser.operations.tagging.annotated import AnnotatedPhotos, read_annotated, with_rare_tags
from focal_photos.browser.operations.tagging.learn_tags import learn_tags, looks_for_tags, votes_of
from focal_photos.browser.operations.training.training_set import read_training_set
from focal_photos.learners.core.estimator import LearnerError, clone
from focal_photos.learners.core.learner.base import ProgressReport
from focal_photos.learners.core.side_information import SideInformation
from focal_photos.learners.evaluation.protocols import make_protocol
from focal_photos.learners.tags.confidence.tag_confidence import TagConfidence

FOLDS: Final = 3
_MAX_PHOTOS: Final = 3000
"""Maximum number of annotated photos used."""
_TRAINED: Final = 1800
"""Maximum number of photos on which a metric is trained again for each fold."""

_MEASURING: Final = Text("Measuring the suggestions")


@dataclass(frozen=True)
class SuggestionAccuracy:
    """Accuracy of the first suggestion by each method."""

    photos: int
    """Number of held-out photos."""
    right: dict[str, int]
    """Number of these whose first suggestion is a tag of the photo, by value of the setting `suggestions.by`."""


_MEASURED: Final = CacheEntry[SuggestionAccuracy]("the accuracy of suggestions")


def measure_suggestions(library: Library, ranker: Ranker, *, metric: str | None = None) -> Job[SuggestionAccuracy]:
    """Cross-validate the methods that suggest tags on the tagged photos; the last result is cached.

    The tags of a third of the photos are hidden, and suggested as for new photos, three times. Photos without a tag
    that another photo carries are not held out. A metric trained on tags already contains the hidden ones, so that its
    learner is trained again without them for the votes. At most 3,000 annotated photos are used.

    Parameters
    ----------
    metric : str, optional
        Name of a metric or learner; default: the current metric.

    Raises
    ------
    NothingToLearnError
        If no indexed photo is tagged, or too few to hold any out.
    OperationError, UnknownMetricError
        As for `Ranker.rank`.
    """
    gallery = ranker.gallery(metric)
    annotated = read_annotated(library, gallery, library.suggestions.rejected_pairs())
    stamp = (gallery.loaded.metric.id, tuple(gallery.loaded.keys), annotated.digest())
    before = library.cache.get(_MEASURED, stamp)
    if before is not None:
        return before
    looks = {by: looks_for_tags(ranker, gallery, by=by) for by in SUGGESTERS}
    shared = np.intersect1d(looks["ridge"].ids, looks["votes"].ids)
    annotated = _of(annotated, np.flatnonzero(np.isin(annotated.ids, shared)))
    annotated = _of(annotated, with_rare_tags(annotated.tags, _MAX_PHOTOS))
    try:
        folds = make_protocol(len(annotated.ids), SideInformation.from_tags(annotated.tags), FOLDS).folds
    except LearnerError as error:
        raise NothingToLearnError(str(error)) from error
    votes = _Votes(library, looks["votes"], annotated)
    photos, right = 0, dict.fromkeys(SUGGESTERS, 0)
    for fold in folds:
        assert fold.side.tags is not None
        known = np.flatnonzero(np.diff(annotated.tags.indptr) == np.diff(fold.side.tags.indptr))
        truth = annotated.tags[fold.queries].toarray() > 0
        learned = yield from learn_tags(library, looks["ridge"], _of(annotated, known), by="ridge", cached=False)
        first = {"ridge": learned.confidences(annotated.ids[fold.queries]).best(1)}
        first |= yield from in_thread(_MEASURING, partial(votes.first, known, fold.queries), keeps=False)
        photos += len(fold.queries)
        for by, found in first.items():
            right[by] += sum(bool(truth[row, tag]) for row, tags in enumerate(found) for tag, _ in tags)
    measured = SuggestionAccuracy(photos, right)
    library.cache.put(_MEASURED, stamp, measured)
    return measured


def _of(annotated: AnnotatedPhotos, rows: NDArray[np.intp]) -> AnnotatedPhotos:
    """Return some of the annotated photos; their gallery is not needed."""
    return replace(
        annotated,
        ids=annotated.ids[rows],
        tags=scipy.sparse.csr_array(annotated.tags[rows]),
        rejected=scipy.sparse.csr_array(annotated.rejected[rows]),
        places=annotated.places[rows],
    )


class _Votes:
    """First suggestions by votes, under the metric in use or under its learner, trained again without some tags."""

    def __init__(self, library: Library, looks: MetricGallery, annotated: AnnotatedPhotos) -> None:
        self._looks, self._annotated = looks, annotated
        self._points: NDArray[np.float32] | None = None
        loaded = looks.loaded
        if loaded.learner is None or not loaded.metric.tagged:
            return
        most = min(_TRAINED, loaded.learner.rows)
        self._training = read_training_set(library, loaded.space, most, use_judgements=loaded.metric.judgements > 0)
        self._samples = coordinates(library, loaded.space, self._training.ids)
        self._points = coordinates(library, loaded.space, annotated.ids)

    def first(
        self, known: NDArray[np.intp], queries: NDArray[np.intp], report: ProgressReport
    ) -> dict[str, list[list[tuple[int, float]]]]:
        """Return the first tag of the photos `queries` and its confidence, by method; `known`: photos that vote."""
        rows, annotated = self._rows(known, report), self._annotated
        tags, rejected = annotated.tags[known], annotated.rejected[known]
        found = {}
        for by in SUGGESTERS[1:]:
            votes = votes_of(by).fit(rows[known], tags, rejected=rejected)
            confidence = TagConfidence().fit(votes.left_out_, tags, rejected=rejected)
            found[by] = confidence.confidences(votes.scores(rows[queries])).best(1)
        return found

    def _rows(self, known: NDArray[np.intp], report: ProgressReport) -> NDArray[np.float32]:
        """Return the rows of all annotated photos under the metric."""
        looks, ids = self._looks, self._annotated.ids
        if self._points is None or looks.loaded.learner is None:
            return np.asarray(looks.rows[looks.row_table[ids]])
        side, trained_ids = self._training.side, self._training.ids
        assert side.tags is not None
        is_known = np.isin(trained_ids, ids[known]) | ~np.isin(trained_ids, ids)
        tags = scipy.sparse.csr_array(scipy.sparse.diags_array(is_known.astype(np.float64)) @ side.tags)
        tags.eliminate_zeros()
        learner = clone(looks.loaded.learner)
        learner.fit(self._samples, side_information=replace(side, tags=tags), progress=report)
        return replace(looks.loaded, learner=learner).embed(self._points)
