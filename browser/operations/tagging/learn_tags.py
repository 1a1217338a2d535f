# SPDX-License-Identifier: MIT
"""Learn the tags of photos and their confidences from the user's tags and rejections."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.codes import Codes, codes_of_most
from focal_photos.browser.operations.describing.settings import SUGGEST_BY
from focal_photos.browser.operations.jobs.progress import Job, Progress
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.space import coordinates, prepare_space
from focal_photos.browser.operations.tagging import incremental_tags
from focal_photos.browser.operations.tagging.annotated import AnnotatedPhotos, described_in, some_of, with_rare_tags
from focal_photos.browser.operations.tagging.foreign_photos import (
    FolderShares,
    ForeignPhotos,
    compare_with_tagged,
    find_folder_shares,
)
from focal_photos.browser.operations.tagging.neighborhoods import (
    MAX_PHOTOS,
    Neighborhoods,
    find_neighborhoods,
    spreading_on,
)
from focal_photos.browser.operations.tagging.plausible import PlausiblePhotos, find_plausible
from focal_photos.learners.core.estimator import NotFittedError
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.learner.base import ProgressReport, no_report, part_of
from focal_photos.learners.core.linalg import blocks
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.tags.confidence.tag_confidence import Confidences, TagConfidence, typical_temperature
from focal_photos.learners.tags.incremental_ridge import IncrementalRidge
from focal_photos.learners.tags.label_spreading import SpreadTags, spread_tags, weight_of
from focal_photos.learners.tags.tag_residuals import MAX_TAGS, TagResiduals
from focal_photos.learners.tags.tag_ridge import MOST_WITH_NEIGHBORS, TagRidge, TagScores, kinds_of
from focal_photos.learners.tags.tag_votes import TagVotes

_LEARNING: Final = Text("Learning from your tags")
_RIDGE_ROWS: Final = 3000  # tagged photos for training: the time grows with the cube
_VOTERS: Final = 10_000  # tagged photos that vote: the time for left-out votes grows with the square
_CELLS: Final = 12_000_000  # photos times tags: 100 MB
_MIN_PHOTOS: Final = 50
_UNTAGGED: Final = 1000  # photos for estimating the shares of new kinds and of foreign photos
MIN_PHOTOS_FOR_MORE_AXES: Final = 200  # tagged photos from which more axes per family are worth their time
_BLOCK: Final = 2048  # photos whose coordinates are in memory at once
_VOTING_NEIGHBORS: Final = 5  # photos that vote by rank (Qi et al. 2009, fig. 9 and 10)


@dataclass(frozen=True, eq=False)
class LearnedTags:
    """Model of the user's tags."""

    names: list[str]
    """Names of the m tags."""
    ids: NDArray[np.int64]
    """Annotated training photos, ascending; shape (s,)."""
    tags: scipy.sparse.csr_array
    """Tags of the training photos; shape (s, m)."""
    looks: MetricGallery
    """Gallery whose coordinates were used."""
    learner: TagRidge | TagVotes
    coordinates: Callable[[NDArray[np.int64]], NDArray[np.float32]]
    """Returns the learner's input for ids (q,), float32 (q, d)."""
    confidence: TagConfidence
    shared: scipy.sparse.csc_array | None
    """Share of neighbours that training photos and all photos have in common; shape (s, photos of `looks`)."""
    codes: Codes | None = None
    """None if not used."""
    residuals: TagResiduals | None = None
    """Dependence of a photo's tags on its other tags; None if tags exclude each other or are too many."""
    others: tuple[NDArray[np.int64], NDArray[np.float64]] | None = None
    """Photos, ascending, with precomputed scores."""
    foreign: ForeignPhotos | None = None
    """None without tagged training photos."""
    spread: SpreadTags | None = None
    """Labels spread over the photos of `looks`, if tags exclude each other and have few photos."""
    folders: FolderShares | None = None
    """None if all untagged photos are in one folder, or no training photo has a tag."""

    def confidences(
        self, ids: NDArray[np.int64], known: scipy.sparse.csr_array | None = None, *, tagged: bool = False
    ) -> Confidences:
        """Return the confidences of the tags of photos (q,); for training photos as predicted from the others.

        Photos with a known tag are not foreign. Photos that are not in `looks` or no longer described raise a KeyError.

        Parameters
        ----------
        ids : ndarray of int64, shape (q,)
        known : csr_array, shape (q, m), optional
            1 where a photo has a tag, -1 where it does not, 0 if unknown. Known tags affect the confidences of the
            others.
        tagged : bool
            Whether the photos are tagged ones, to be compared with each other only (`TagConfidence.confidences`).
        """
        scores = self.scores(ids)
        if known is not None and known.nnz and self.residuals is not None:
            scores = scores._replace(tags=self.residuals.corrected(scores.tags, known))
        if self.foreign is None:
            return self.confidence.confidences(scores, tagged=tagged)
        log_odds, p, nearer = self.foreign.signs(ids)
        if known is not None:
            log_odds[np.asarray((known > 0).sum(axis=1)).ravel() > 0] = -np.inf
        shares = None if self.folders is None else self.folders.of(ids)
        return self.confidence.confidences(
            scores._replace(nearer=nearer), foreign=log_odds, p_values=p, shares=shares, tagged=tagged
        )

    def scores(self, ids: NDArray[np.int64]) -> TagScores:
        """Return the scores of the tags of photos (q,); see `confidences`."""
        places = self.looks.row_table[ids]
        if (places < 0).any():
            raise KeyError(f"{np.count_nonzero(places < 0)} photos are not described.")
        at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        own = self.ids[at] == ids
        tags, nearest = np.empty((len(ids), len(self.names))), np.empty(len(ids))
        tags[own], nearest[own] = self.learner.left_out_.tags[at[own]], self.learner.left_out_.nearest[at[own]]
        if self.others is not None and len(self.others[0]):
            at = np.minimum(np.searchsorted(self.others[0], ids), len(self.others[0]) - 1)
            known = ~own & (self.others[0][at] == ids)
            # Distances to the nearest tagged photo reveal new kinds if tags exclude each other, which is not the case
            # here.
            tags[known], nearest[known] = self.others[1][at[known]], np.nan
            own = own | known
        others = np.flatnonzero(~own)
        for part in blocks(len(others), _BLOCK):
            rows = others[part]
            shared = None if self.shared is None else scipy.sparse.csr_array(self.shared[:, places[rows]].T)
            codes = None if self.codes is None else self.codes.of(ids[rows])
            tags[rows], nearest[rows], _ = self.learner.scores(self.coordinates(ids[rows]), shared, codes)
            if self.spread is not None:
                tags[rows] = self.spread.mixed(tags[rows], self.spread.terms[places[rows]])
        return TagScores(tags, nearest)


_LEARNED: Final = CacheEntry[LearnedTags]("the model learned from the tags")


def looks_for_tags(ranker: Ranker, gallery: MetricGallery, *, by: str = SUGGEST_BY.default) -> MetricGallery:
    """Return the gallery whose coordinates are used to learn tags: that of the metric, or the untrained one.

    A metric trained on tags is no help to regression: its coordinates already reflect the tags of the training photos,
    so that left-out photos would seem more confident than new ones. With judgements in addition to the tags (Corel-5k
    by its CDs, 200 tagged photos and 400 judgements), `kernel`'s coordinates are right for 41 % of the other photos
    instead of 40 %, but report 7 % instead of 37 %. Votes nevertheless use such a metric, because it is trained for
    them (Qi et al. 2009), and are overconfident. Metrics without coordinates are never used.
    """
    if (gallery.loaded.metric.tagged and by == "ridge") or not isinstance(gallery.gallery, FloatGallery):
        return ranker.gallery("euclidean")
    return gallery


def learn_tags(
    library: Library,
    looks: MetricGallery,
    annotated: AnnotatedPhotos,
    *,
    by: str = SUGGEST_BY.default,
    follows: bool = False,
    cached: bool = True,
) -> Job[LearnedTags]:
    """Learn the tags of photos from their appearance; the last model is cached until something changes.

    The model is ridge regression on the coordinates of the metric, with few tagged photos also on shared neighbours,
    and on the signs of Fisher vectors if available (`learners.tags.tag_ridge`). For the untrained metric, descriptor
    families are weighted to suit the tags, with 128 axes from 200 tagged photos on. Alternatively, the nearest photos
    vote (`learners.tags.tag_votes`). Confidences, and the share of photos of kinds without a tag, are learned from
    left-out photos (`learners.tags.confidence.tag_confidence`). Seeded samples limit the time.

    Parameters
    ----------
    looks : MetricGallery
        Result of `looks_for_tags`.
    annotated : AnnotatedPhotos
        Photos that are not in `looks` are ignored.
    by : "ridge", "votes" or "votes-by-rank"
    follows : bool
        Whether the user continues tagging. With many photos that have several tags, the model is then retained for the
        next call (`browser.operations.tagging.incremental_tags`), until `incremental_tags.forget`.
    cached : bool
        Whether to cache the model.
    """
    # A weak reference, so that the cache does not keep unused galleries alive.
    known = looks.neighbors.of_all is not None or len(looks.ids) <= MAX_PHOTOS
    codes = None
    if by == "ridge":
        codes = codes_of_most(library, looks.ids, described_in(looks.row_table, annotated.ids))
    by_codes = None if codes is None else (codes.keys, codes.lacking.tobytes())
    stamp = (weakref.ref(looks), known, by, annotated.digest(), by_codes)
    before = library.cache.get(_LEARNED, stamp) if cached else None
    if before is not None:
        return before
    yield Progress(_LEARNING, 0)
    untagged = described_in(looks.row_table, library.photos.ids("untagged -missing"))
    untagged = some_of(untagged, _UNTAGGED)
    many = len(annotated.tagged) >= MIN_PHOTOS_FOR_MORE_AXES

    def compare(report: ProgressReport) -> tuple[ForeignPhotos | None, PlausiblePhotos | None]:
        ids, tags, _ = _annotated(looks, annotated, _RIDGE_ROWS if by == "ridge" else _VOTERS)
        foreign = compare_with_tagged(library, looks, ids, tags, untagged)
        if foreign is None or by != "ridge":
            return foreign, None
        tagged = annotated.ids[annotated.tagged]
        return foreign, find_plausible(library, looks, foreign, tagged, wide=many, progress=report)

    foreign, plausible = yield from in_thread(_LEARNING, compare, keeps=False)
    sources, space = [_by_looks(looks)], ""
    if plausible is not None:
        sources.insert(0, _Source(plausible.space.families_, plausible.coordinates))
        space = plausible.space.digest_
    elif by == "ridge" and looks.loaded.learner is None and many:
        wide = yield from prepare_space(library, wide=True)
        sources.insert(0, _Source(wide.families_, partial(coordinates, library, wide)))
        space = wide.digest_
    place = _Place(library, (stamp[0], by_codes, space)) if follows and by == "ridge" else None

    def work(report: ProgressReport) -> LearnedTags:
        if by != "ridge":
            return _learn_votes(library, looks, annotated, by, untagged, foreign, report)
        if place is not None:
            grown = _grown(place, looks, annotated, untagged, foreign)
            if grown is not None:
                return grown
        neighborhoods = None if plausible is None else plausible.neighborhoods
        if neighborhoods is None and known:
            neighborhoods = find_neighborhoods(library, looks, untagged, part_of(report, 0.0, 0.5))

        def learn(source: _Source, coded: Codes | None) -> LearnedTags:
            half = part_of(report, 0.5, 0.5)
            if place is not None and can_grow(looks, annotated):
                return _learn_to_grow(place, looks, source, coded, annotated, untagged, foreign, half)
            return _learn(library, looks, source, coded, annotated, untagged, foreign, neighborhoods, half)

        ways = [(source, codes) for source in sources] + ([(sources[-1], None)] if codes is not None else [])
        for source, coded in ways[:-1]:
            with suppress(KeyError):  # a scan found an edited file meanwhile
                return learn(source, coded)
        return learn(*ways[-1])

    learned = yield from in_thread(_LEARNING, work, keeps=False)
    if cached:
        library.cache.put(_LEARNED, stamp, learned)
    return learned


class _Source(NamedTuple):
    """Coordinates for learning tags, and the families of their columns if these can be weighted."""

    families: tuple[FeatureFamily, ...]
    coordinates: Callable[[NDArray[np.int64]], NDArray[np.float32]]


def _by_looks(looks: MetricGallery) -> _Source:
    """Return the rows of a gallery; without a learner, these are coordinates in the library's space."""

    def rows(ids: NDArray[np.int64]) -> NDArray[np.float32]:
        return np.asarray(looks.rows[looks.row_table[ids]])

    return _Source(looks.loaded.space.families_ if looks.loaded.learner is None else (), rows)


def votes_of(by: str) -> TagVotes:
    """Return the votes of the nearest photos, not fitted; `by`: "votes" or "votes-by-rank"."""
    return TagVotes(_VOTING_NEIGHBORS, weights="rank") if by == "votes-by-rank" else TagVotes()


def _learn_votes(
    library: Library,
    looks: MetricGallery,
    annotated: AnnotatedPhotos,
    by: str,
    untagged: NDArray[np.int64],
    foreign: ForeignPhotos | None,
    report: ProgressReport,
) -> LearnedTags:
    ids, tags, rejected = _annotated(looks, annotated, _VOTERS)
    votes = votes_of(by).fit(
        looks.rows[looks.row_table[ids]], tags, rejected=rejected, progress=part_of(report, 0.0, 0.9)
    )
    learned = LearnedTags(annotated.names, ids, tags, looks, votes, _by_looks(looks).coordinates, TagConfidence(), None)
    return _with_confidence(library, learned, rejected, untagged, foreign, report)


def _learn(
    library: Library,
    looks: MetricGallery,
    source: _Source,
    codes: Codes | None,
    annotated: AnnotatedPhotos,
    untagged: NDArray[np.int64],
    foreign: ForeignPhotos | None,
    neighborhoods: Neighborhoods | None,
    report: ProgressReport,
) -> LearnedTags:
    ids, tags, rejected = _annotated(looks, annotated, _RIDGE_ROWS)
    places = looks.rows_of(ids)
    shared = None
    if len(ids) <= MOST_WITH_NEIGHBORS and neighborhoods is not None:
        shared = neighborhoods.shared(places)
    ridge = TagRidge(exact=_RIDGE_ROWS, families=source.families)
    among = None if shared is None else scipy.sparse.csr_array(shared[:, places])
    coded = None if codes is None else codes.of(ids)
    ridge.fit(
        source.coordinates(ids),
        tags,
        rejected=rejected,
        shared=among,
        codes=coded,
        agreement=None if coded is None or codes is None else codes.agreement(ids, coded),
        progress=part_of(report, 0.0, 0.9),
    )
    temperature, spread = typical_temperature(ridge), None
    if shared is not None and neighborhoods is not None and weight_of(tags):
        spread = spread_tags(spreading_on(library, neighborhoods), places, tags, temperature)
    if spread is not None:
        spread.mix_into(ridge)
    by_photo = None if shared is None or not ridge.neighbors_ else scipy.sparse.csc_array(shared)
    learned = LearnedTags(
        annotated.names,
        ids,
        tags,
        looks,
        ridge,
        source.coordinates,
        TagConfidence(temperature),
        by_photo,
        codes if ridge.signs_ else None,
        spread=spread,
    )
    return _with_confidence(library, learned, rejected, untagged, foreign, report)


class _Place(NamedTuple):
    """Where the retained model is stored, and the state on which it depends."""

    library: Library
    stamp: object


def can_grow(looks: MetricGallery, annotated: AnnotatedPhotos) -> bool:
    """Return whether enough photos have several tags for the model to be retained."""
    rows = _rows_to_learn(looks, annotated, _RIDGE_ROWS)
    return len(rows) > incremental_tags.MIN_PHOTOS and kinds_of(annotated.tags[rows].toarray()) is None


def _learn_to_grow(
    place: _Place,
    looks: MetricGallery,
    source: _Source,
    codes: Codes | None,
    annotated: AnnotatedPhotos,
    untagged: NDArray[np.int64],
    foreign: ForeignPhotos | None,
    report: ProgressReport,
) -> LearnedTags:
    rows = _rows_to_learn(looks, annotated, _RIDGE_ROWS)
    ids = annotated.ids[rows]
    coded = None if codes is None else codes.of(ids)
    ridge = IncrementalRidge(exact=_RIDGE_ROWS, families=source.families).fit(
        source.coordinates(ids),
        annotated.tags[rows],
        rejected=annotated.rejected[rows],
        codes=coded,
        agreement=None if coded is None or codes is None else codes.agreement(ids, coded),
        progress=part_of(report, 0.0, 0.9),
    )
    incremental = incremental_tags.begin(
        annotated, rows, ridge, source.coordinates, codes if ridge.signs_ else None, looks.ids
    )
    place.library.cache.put(incremental_tags.INCREMENTAL, place.stamp, incremental)
    return _of_grown(place.library, looks, annotated, untagged, foreign, incremental, report)


def _grown(
    place: _Place,
    looks: MetricGallery,
    annotated: AnnotatedPhotos,
    untagged: NDArray[np.int64],
    foreign: ForeignPhotos | None,
) -> LearnedTags | None:
    """Extend the retained model; None if there is none or training must start again."""
    before = place.library.cache.get(incremental_tags.INCREMENTAL, place.stamp)
    if before is not None and can_grow(looks, annotated):
        # A file edited meanwhile, or a concurrent search that was faster.
        with suppress(KeyError, NotFittedError):
            incremental = incremental_tags.grow(before, annotated, looks.ids)
            if incremental is not None:
                place.library.cache.put(incremental_tags.INCREMENTAL, place.stamp, incremental)
                return _of_grown(place.library, looks, annotated, untagged, foreign, incremental, no_report)
    return None


def _of_grown(
    library: Library,
    looks: MetricGallery,
    annotated: AnnotatedPhotos,
    untagged: NDArray[np.int64],
    foreign: ForeignPhotos | None,
    incremental: incremental_tags.IncrementalTags,
    report: ProgressReport,
) -> LearnedTags:
    learned = LearnedTags(
        annotated.names,
        incremental.ids,
        incremental.tags,
        looks,
        incremental.ridge,
        incremental.coordinates,
        TagConfidence(typical_temperature(incremental.ridge)),
        None,
        incremental.codes,
        others=(incremental.others, incremental.ridge.scores_by_kernel(incremental.kernel)),
    )
    return _with_confidence(library, learned, incremental.rejected, untagged, foreign, report)


def _annotated(
    looks: MetricGallery, annotated: AnnotatedPhotos, most: int
) -> tuple[NDArray[np.int64], scipy.sparse.csr_array, scipy.sparse.csr_array]:
    """Return ids (s,), tags and rejections (s, m) of at most `most` annotated photos, ascending."""
    chosen = _rows_to_learn(looks, annotated, most)
    return annotated.ids[chosen], annotated.tags[chosen], annotated.rejected[chosen]


def _rows_to_learn(looks: MetricGallery, annotated: AnnotatedPhotos, most: int) -> NDArray[np.intp]:
    """Return rows of at most `most` annotated photos that are in `looks`, by ascending id."""
    most = max(_MIN_PHOTOS, min(most, _CELLS // max(len(annotated.names), 1)))
    here = np.flatnonzero(np.isin(annotated.ids, looks.ids))
    chosen = here[with_rare_tags(scipy.sparse.csr_array(annotated.tags[here]), most)]
    return np.asarray(chosen[np.argsort(annotated.ids[chosen])])


def _with_confidence(
    library: Library,
    learned: LearnedTags,
    rejected: scipy.sparse.csr_array,
    untagged: NDArray[np.int64],
    foreign: ForeignPhotos | None,
    report: ProgressReport,
) -> LearnedTags:
    left_out, kinds = learned.learner.left_out_, learned.learner.kind_left_out_
    pool = learned.scores(untagged) if len(untagged) else None
    odds = None
    if foreign is not None:
        odds, _, nearer = foreign.signs(untagged)
        if kinds is not None:
            left_out = left_out._replace(nearer=foreign.signs(learned.ids).nearer)
            kinds = kinds._replace(nearer=foreign.kinds_left_out(learned.ids))
            pool = None if pool is None else pool._replace(nearer=nearer)
    learned.confidence.fit(left_out, learned.tags, rejected=rejected, kinds=kinds, untagged=pool, foreign=odds)
    folders = None if odds is None else find_folder_shares(library, learned.confidence, untagged, pool, odds)
    learned = replace(learned, foreign=foreign, folders=folders)
    if not learned.confidence.exclusive_ and len(learned.names) <= MAX_TAGS:
        learned = replace(learned, residuals=TagResiduals().fit(left_out.tags, learned.tags))
    report(1.0)
    return learned
