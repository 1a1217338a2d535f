"""Learn from a person's own tags and rejections which tags photos have, and how sure that is."""

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
from focal_photos.browser.operations.describing.codes import Codes, codes_of_most
from focal_photos.browser.operations.describing.settings import SUGGEST_BY
from focal_photos.browser.operations.jobs.progress import Job, Progress
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.space import coordinates, prepare_space
from focal_photos.browser.operations.tagging import growing_tags
from focal_photos.browser.operations.tagging.annotated import AnnotatedPhotos, described_in
from focal_photos.browser.operations.tagging.neighborhoods import MOST, Neighborhoods, find_neighborhoods
from focal_photos.learners.core.estimator import NotFittedError
from focal_photos.learners.core.feature_space import FeatureFamily
from focal_photos.learners.core.learner.base import ProgressReport, no_report, part_of
from focal_photos.learners.core.linalg import blocks
from focal_photos.learners.galleries.float_gallery import FloatGallery
from focal_photos.learners.tags.foreign import ForeignOdds
from focal_photos.learners.tags.growing_ridge import GrowingRidge
from focal_photos.learners.tags.tag_confidence import Confidences, TagConfidence, typical_temperature
from focal_photos.learners.tags.tag_residuals import MOST as MOST_TAGS
from focal_photos.learners.tags.tag_residuals import TagResiduals
from focal_photos.learners.tags.tag_ridge import MOST_WITH_NEIGHBORS, TagRidge, TagScores, kinds_of
from focal_photos.learners.tags.tag_votes import TagVotes

_LEARNING: Final = "Learning from your tags"
_RIDGE_ROWS: Final = 3000  # tagged photos that are learned from: the time grows with the cube
_VOTERS: Final = 10_000  # tagged photos that vote: the time to be voted on grows with the square
_CELLS: Final = 12_000_000  # photos times tags: 100 MB
_FEWEST: Final = 50
_UNTAGGED: Final = 1000  # photos by which the shares of new kinds and of foreign photos are judged
MANY: Final = 200  # tagged photos from which more axes of each family are worth their time
COMPARED: Final = 800  # tagged photos that others are compared with, to tell whether they are foreign
_BESIDE: Final = 600  # untagged photos that take part in this: the time grows with the cube of both
_BLOCK: Final = 2048  # photos whose coordinates are in memory at a time


@dataclass(frozen=True, eq=False)
class ForeignPhotos:
    """Which photos are unlike all that were tagged, in the coordinates of rankings.

    Attributes
    ----------
    looks : MetricGallery
    odds : ForeignOdds
    ids : ndarray of int64, shape (s,)
        Photos that it was learned from, ascending.
    log_odds, p_values : ndarray of float64, shape (s,)
        Theirs, each as the others see it.
    """

    looks: MetricGallery
    odds: ForeignOdds
    ids: NDArray[np.int64]
    log_odds: NDArray[np.float64]
    p_values: NDArray[np.float64]

    def signs(self, ids: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the log odds that photos (q,) are foreign, and their p-values; `looks` must have the photos."""
        at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        learned = self.ids[at] == ids
        log_odds, p_values = self.log_odds[at], self.p_values[at]
        others = np.flatnonzero(~learned)
        for part in blocks(len(others), _BLOCK):
            rows = np.asarray(self.looks.rows[self.looks.row_table[ids[others[part]]]])
            log_odds[others[part]], p_values[others[part]] = self.odds.signs(rows)
        return log_odds, p_values


def _foreign_photos(
    looks: MetricGallery, ids: NDArray[np.int64], tags: scipy.sparse.csr_array, untagged: NDArray[np.int64]
) -> ForeignPhotos | None:
    """Learn from photos (s,) with tags (s, m), a sample of them, and untagged ones which photos are foreign."""
    tagged = np.flatnonzero(np.diff(tags.indptr))
    if not len(tagged):
        return None
    chosen = tagged[with_rare_tags(scipy.sparse.csr_array(tags[tagged]), COMPARED)]
    untagged = _some(untagged, _BESIDE)
    compared = np.concatenate([ids[chosen], untagged])
    rows = np.asarray(looks.rows[looks.row_table[compared]])
    odds = ForeignOdds().fit(rows[: len(chosen)], rows[len(chosen) :])
    known = odds.unlikeness_
    others = known.p_values(known.of(rows[len(chosen) :])) if len(untagged) else np.empty(0)
    p = np.concatenate([known.own_p_values, others])
    order = np.argsort(compared)
    log_odds = np.concatenate([odds.left_out_, odds.untagged_])
    return ForeignPhotos(looks, odds, compared[order], log_odds[order], p[order])


@dataclass(frozen=True, eq=False)
class LearnedTags:
    """What was learned from a person's tags.

    Attributes
    ----------
    names : list of str
        Of the m tags.
    ids : ndarray of int64, shape (s,)
        Annotated photos that were learned from, ascending.
    tags : csr_array, shape (s, m)
        Theirs.
    looks : MetricGallery
        Whose coordinates they were learned from.
    learner : TagRidge or TagVotes
    coordinates : callable
        From ids (q,) to what the learner takes, float32 (q, d).
    confidence : TagConfidence
    shared : csr_array of float32, shape (s, photos of `looks`), or None
        Share of the neighbourhoods that these and all photos have in common.
    codes : Codes or None
        None where they take no part.
    residuals : TagResiduals or None
        What some tags of a photo say about its others; None where they exclude each other, or are too many.
    others : (ndarray of int64 (q,), ndarray of float64 (q, m)) or None
        Photos, ascending, whose scores are known already.
    foreign : ForeignPhotos or None
        None where no photo with tags was learned from.
    """

    names: list[str]
    ids: NDArray[np.int64]
    tags: scipy.sparse.csr_array
    looks: MetricGallery
    learner: TagRidge | TagVotes
    coordinates: Callable[[NDArray[np.int64]], NDArray[np.float32]]
    confidence: TagConfidence
    shared: scipy.sparse.csc_array | None
    codes: Codes | None = None
    residuals: TagResiduals | None = None
    others: tuple[NDArray[np.int64], NDArray[np.float64]] | None = None
    foreign: ForeignPhotos | None = None

    def confidences(self, ids: NDArray[np.int64], known: scipy.sparse.csr_array | None = None) -> Confidences:
        """Return how sure the tags of photos (q,) are; of a photo that was learned from, as the others see it.

        A photo that is known to have a tag is not foreign. Photos that `looks` lacks raise a KeyError, and so do others
        that are not described any more.

        Parameters
        ----------
        ids : ndarray of int64, shape (q,)
        known : csr_array, shape (q, m), optional
            1 where a photo has a tag, -1 where it has it not, 0 where nobody knows: what that says about its other
            tags is heard.
        """
        scores = self.scores(ids)
        if known is not None and known.nnz and self.residuals is not None:
            scores = scores._replace(tags=self.residuals.corrected(scores.tags, known))
        if self.foreign is None:
            return self.confidence.confidences(scores)
        log_odds, p = self.foreign.signs(ids)
        if known is not None:
            log_odds[np.asarray((known > 0).sum(axis=1)).ravel() > 0] = -np.inf
        return self.confidence.confidences(scores, foreign=log_odds, p_values=p)

    def scores(self, ids: NDArray[np.int64]) -> TagScores:
        """Return what speaks for the tags of photos (q,); see `confidences`."""
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
            # How near the nearest tagged photo is tells new kinds, where tags exclude each other: these do not.
            tags[known], nearest[known] = self.others[1][at[known]], np.nan
            own = own | known
        others = np.flatnonzero(~own)
        for part in blocks(len(others), _BLOCK):
            rows = others[part]
            shared = None if self.shared is None else scipy.sparse.csr_array(self.shared[:, places[rows]].T)
            codes = None if self.codes is None else self.codes.of(ids[rows])
            tags[rows], nearest[rows] = self.learner.scores(self.coordinates(ids[rows]), shared, codes)
        return TagScores(tags, nearest)


_LEARNED: Final = CacheEntry[LearnedTags]("what was learned from a person's tags")


def looks_for_tags(ranker: Ranker, gallery: MetricGallery, *, by: str = SUGGEST_BY.default) -> MetricGallery:
    """Return the gallery whose coordinates tags are learned from: the metric's own, or the untrained one's.

    A metric that tags taught is no help to regression: its coordinates know the tags of the photos that they are to
    be learned from, and photos left out would look surer than new ones are. With judgements beside the tags (Corel-5k
    by its CDs, 200 tagged photos and 400 judgements) `kernel`'s coordinates are right in 41 % of the other photos for
    40 %, but state 7 % for 37 %. Votes go by it nevertheless, for that is what such a metric is learned for (Qi et
    al. 2009), and are surer than they should be. None goes by a metric that has no coordinates.
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
) -> Job[LearnedTags]:
    """Learn the tags of photos by what they look like; what was learned last is kept until something changes.

    By ridge regression on the coordinates of the metric, of few tagged photos on the neighbours that photos share, and
    on the signs of their Fisher vectors where photos have these (`learners.tags.tag_ridge`); where nothing was
    learned, each family of descriptors counts as suits the tags, and from 200 tagged photos on with 128 axes. Or by
    votes of the nearest (`learners.tags.tag_votes`). How sure that is, and what share of the photos is of kinds that
    nobody has tagged yet, is learned from photos left out (`learners.tags.tag_confidence`). Seeded samples bound the
    time.

    Parameters
    ----------
    library : Library
    looks : MetricGallery
        Of `looks_for_tags`.
    annotated : AnnotatedPhotos
        Photos that `looks` lacks take no part.
    by : "ridge" or "votes"
    follows : bool
        Whether a person goes on tagging: what the next call need not learn again is kept then, if there are many photos
        with several tags (`browser.operations.tagging.growing_tags`), until `growing_tags.forget`.

    Yields
    ------
    Progress

    Returns
    -------
    LearnedTags
    """
    # By a weak reference the cache does not hold on to a gallery that nobody uses any more.
    known = looks.neighbors.of_all is not None or len(looks.ids) <= MOST
    codes = None
    if by == "ridge":
        codes = codes_of_most(library, looks.ids, described_in(looks.row_table, annotated.ids))
    by_codes = None if codes is None else (codes.keys, codes.lacking.tobytes())
    stamp = (weakref.ref(looks), known, by, annotated.digest(), by_codes)
    before = library.cache.get(_LEARNED, stamp)
    if before is not None:
        return before
    yield Progress(_LEARNING, 0)
    untagged = described_in(looks.row_table, library.photos.ids("untagged -missing"))
    untagged = _some(untagged, _UNTAGGED)
    sources, space = [_by_looks(looks)], ""
    if by == "ridge" and looks.loaded.learner is None and len(annotated.tagged) >= MANY:
        wide = yield from prepare_space(library, wide=True)
        sources.insert(0, _Source(wide.families_, partial(coordinates, library, wide)))
        space = wide.digest_
    place = _Place(library, (stamp[0], by_codes, space)) if follows and by == "ridge" else None

    def work(report: ProgressReport) -> LearnedTags:
        if by == "votes":
            return _learn_votes(looks, annotated, untagged, report)
        if place is not None:
            grown = _grown(place, looks, annotated, untagged)
            if grown is not None:
                return grown
        neighborhoods = find_neighborhoods(library, looks, untagged, part_of(report, 0.0, 0.5)) if known else None

        def learn(source: _Source, coded: Codes | None) -> LearnedTags:
            half = part_of(report, 0.5, 0.5)
            if place is not None and can_grow(looks, annotated):
                return _learn_to_grow(place, looks, source, coded, annotated, untagged, half)
            return _learn(looks, source, coded, annotated, untagged, neighborhoods, half)

        ways = [(source, codes) for source in sources] + ([(sources[-1], None)] if codes is not None else [])
        for source, coded in ways[:-1]:
            with suppress(KeyError):  # a scan found a file edited meanwhile
                return learn(source, coded)
        return learn(*ways[-1])

    learned = yield from in_thread(_LEARNING, work, keeps=False)
    library.cache.put(_LEARNED, stamp, learned)
    return learned


class _Source(NamedTuple):
    """Coordinates that tags are learned from, and the families among their columns where these may be weighed."""

    families: tuple[FeatureFamily, ...]
    coordinates: Callable[[NDArray[np.int64]], NDArray[np.float32]]


def _by_looks(looks: MetricGallery) -> _Source:
    """Return the rows of a gallery; those without learning are coordinates of the library's space."""

    def rows(ids: NDArray[np.int64]) -> NDArray[np.float32]:
        return np.asarray(looks.rows[looks.row_table[ids]])

    return _Source(looks.loaded.space.families_ if looks.loaded.learner is None else (), rows)


def _learn_votes(
    looks: MetricGallery, annotated: AnnotatedPhotos, untagged: NDArray[np.int64], report: ProgressReport
) -> LearnedTags:
    ids, tags, rejected = _annotated(looks, annotated, _VOTERS)
    votes = TagVotes().fit(
        looks.rows[looks.row_table[ids]], tags, rejected=rejected, progress=part_of(report, 0.0, 0.9)
    )
    learned = LearnedTags(annotated.names, ids, tags, looks, votes, _by_looks(looks).coordinates, TagConfidence(), None)
    return _with_confidence(learned, rejected, untagged, report)


def _learn(
    looks: MetricGallery,
    source: _Source,
    codes: Codes | None,
    annotated: AnnotatedPhotos,
    untagged: NDArray[np.int64],
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
    by_photo = None if shared is None or not ridge.neighbors_ else scipy.sparse.csc_array(shared)
    learned = LearnedTags(
        annotated.names,
        ids,
        tags,
        looks,
        ridge,
        source.coordinates,
        TagConfidence(typical_temperature(ridge)),
        by_photo,
        codes if ridge.signs_ else None,
    )
    return _with_confidence(learned, rejected, untagged, report)


class _Place(NamedTuple):
    """Where what grows is kept, and the state of things that it has grown from."""

    library: Library
    stamp: object


def can_grow(looks: MetricGallery, annotated: AnnotatedPhotos) -> bool:
    """Return whether so many photos have several tags that it is worth to keep what was learned."""
    rows = _rows_to_learn(looks, annotated, _RIDGE_ROWS)
    return len(rows) > growing_tags.FEWEST and kinds_of(annotated.tags[rows].toarray()) is None


def _learn_to_grow(
    place: _Place,
    looks: MetricGallery,
    source: _Source,
    codes: Codes | None,
    annotated: AnnotatedPhotos,
    untagged: NDArray[np.int64],
    report: ProgressReport,
) -> LearnedTags:
    rows = _rows_to_learn(looks, annotated, _RIDGE_ROWS)
    ids = annotated.ids[rows]
    coded = None if codes is None else codes.of(ids)
    ridge = GrowingRidge(exact=_RIDGE_ROWS, families=source.families).fit(
        source.coordinates(ids),
        annotated.tags[rows],
        rejected=annotated.rejected[rows],
        codes=coded,
        agreement=None if coded is None or codes is None else codes.agreement(ids, coded),
        progress=part_of(report, 0.0, 0.9),
    )
    kept = growing_tags.begin(annotated, rows, ridge, source.coordinates, codes if ridge.signs_ else None, looks.ids)
    place.library.cache.put(growing_tags.GROWING, place.stamp, kept)
    return _of_grown(looks, annotated, untagged, kept, report)


def _grown(
    place: _Place, looks: MetricGallery, annotated: AnnotatedPhotos, untagged: NDArray[np.int64]
) -> LearnedTags | None:
    """Learn by what was learned before; None where there is no such, or it is to begin again."""
    before = place.library.cache.get(growing_tags.GROWING, place.stamp)
    if before is not None and can_grow(looks, annotated):
        # A file edited meanwhile, or another search that was quicker.
        with suppress(KeyError, NotFittedError):
            kept = growing_tags.grow(before, annotated, looks.ids)
            if kept is not None:
                place.library.cache.put(growing_tags.GROWING, place.stamp, kept)
                return _of_grown(looks, annotated, untagged, kept, no_report)
    return None


def _of_grown(
    looks: MetricGallery,
    annotated: AnnotatedPhotos,
    untagged: NDArray[np.int64],
    kept: growing_tags.GrowingTags,
    report: ProgressReport,
) -> LearnedTags:
    learned = LearnedTags(
        annotated.names,
        kept.ids,
        kept.tags,
        looks,
        kept.ridge,
        kept.coordinates,
        TagConfidence(typical_temperature(kept.ridge)),
        None,
        kept.codes,
        others=(kept.others, kept.ridge.scores_by_kernel(kept.kernel)),
    )
    return _with_confidence(learned, kept.rejected, untagged, report)


def _annotated(
    looks: MetricGallery, annotated: AnnotatedPhotos, most: int
) -> tuple[NDArray[np.int64], scipy.sparse.csr_array, scipy.sparse.csr_array]:
    """Return ids (s,), tags and rejections (s, m) of annotated photos, at most `most`, ascending."""
    chosen = _rows_to_learn(looks, annotated, most)
    return annotated.ids[chosen], annotated.tags[chosen], annotated.rejected[chosen]


def _rows_to_learn(looks: MetricGallery, annotated: AnnotatedPhotos, most: int) -> NDArray[np.intp]:
    """Return rows of annotated photos that `looks` has, at most `most`, their ids ascending."""
    most = max(_FEWEST, min(most, _CELLS // max(len(annotated.names), 1)))
    here = np.flatnonzero(np.isin(annotated.ids, looks.ids))
    chosen = here[with_rare_tags(scipy.sparse.csr_array(annotated.tags[here]), most)]
    return np.asarray(chosen[np.argsort(annotated.ids[chosen])])


def _with_confidence(
    learned: LearnedTags, rejected: scipy.sparse.csr_array, untagged: NDArray[np.int64], report: ProgressReport
) -> LearnedTags:
    left_out, kinds = learned.learner.left_out_, learned.learner.kind_left_out_
    # Where tags do not exclude each other nobody asks for the share of new kinds.
    pool = learned.scores(untagged) if len(untagged) and kinds is not None else None
    foreign = _foreign_photos(learned.looks, learned.ids, learned.tags, untagged)
    odds = None if foreign is None else foreign.signs(untagged)[0]
    learned.confidence.fit(left_out, learned.tags, rejected=rejected, kinds=kinds, untagged=pool, foreign=odds)
    learned = replace(learned, foreign=foreign)
    if not learned.confidence.exclusive_ and len(learned.names) <= MOST_TAGS:
        learned = replace(learned, residuals=TagResiduals().fit(left_out.tags, learned.tags))
    report(1.0)
    return learned


def with_rare_tags(tags: scipy.sparse.csr_array, most: int) -> NDArray[np.intp]:
    """Return a seeded sample of at most `most` photos, rows (n, m), ascending, in which no tag is lost.

    As long as half the sample is enough for it, every tag keeps as many of its photos as any other, or all that carry
    it; the rest is drawn from all.
    """
    n, m = tags.shape
    if n <= most:
        return np.arange(n)
    order = np.random.default_rng(0).permutation(n)
    carriers = scipy.sparse.csc_array(tags[order])  # the photos of each tag in random order
    share = max(1, most // (2 * max(m, 1)))
    counts = np.diff(carriers.indptr)
    taken = np.zeros(n, dtype=bool)
    for tag in np.argsort(counts, kind="stable").tolist():  # the rarest first: of too many tags these are kept
        rows = np.sort(carriers.indices[carriers.indptr[tag] : carriers.indptr[tag + 1]])
        lacking = max(0, share - int(taken[rows].sum()))
        taken[rows[~taken[rows]][:lacking]] = True
        if taken.sum() >= most:
            break
    first = np.flatnonzero(taken)[:most]
    rest = np.flatnonzero(~taken)[: most - len(first)]
    return np.sort(order[np.concatenate([first, rest])])


def _some(rows: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return a seeded sample of at most `most` rows, in their order."""
    return rows if len(rows) <= most else np.sort(np.random.default_rng(0).choice(rows, most, replace=False))
