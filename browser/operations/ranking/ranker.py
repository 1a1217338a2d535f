# SPDX-License-Identifier: MIT
"""Rank the photos of a library by their distance to a focal image."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Metric, Photo, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing import descriptors
from focal_photos.browser.operations.describing.settings import BY_JUDGEMENTS, RERANK, SECONDS
from focal_photos.browser.operations.jobs.errors import ForeignImageError, OperationError
from focal_photos.browser.operations.jobs.progress import Job, Progress, finish
from focal_photos.browser.operations.photos.find import find_content
from focal_photos.browser.operations.ranking import sure_distance
from focal_photos.browser.operations.ranking.galleries import row_index
from focal_photos.browser.operations.ranking.galleries.gallery import (
    MetricGallery,
    is_large,
)
from focal_photos.browser.operations.ranking.galleries.neighbors import (
    MAX_PHOTOS,
    STAGE,
    find_neighbors,
    wants_neighbors,
)
from focal_photos.browser.operations.ranking.gallery_store import GalleryStore
from focal_photos.browser.operations.ranking.loaded_metric import LoadedMetric, description_title
from focal_photos.browser.operations.ranking.local import rank, rank_region
from focal_photos.browser.operations.ranking.local.learner import is_local
from focal_photos.browser.operations.ranking.queries import by_examples, by_region, by_text, window_metric
from focal_photos.browser.operations.ranking.queries.by_judgements import (
    judged_apart,
    judgements_against,
    nearest_by_judgements,
)
from focal_photos.browser.operations.ranking.queries.query import Example, Examples, Query, RegionQuery, TextQuery
from focal_photos.browser.operations.workers import sandbox
from focal_photos.features import description
from focal_photos.features.decoding import limits
from focal_photos.features.network import network_file
from focal_photos.learners.galleries import indexed_gallery
from focal_photos.learners.galleries.float_gallery import FloatGallery

if TYPE_CHECKING:  # a single ranking by a described photo loads neither descriptors nor other queries
    from focal_photos.learners.core.learner.base import DistanceLearner

MOST_EXAMPLES: Final = 100
_LOOKED_AT: Final = 1000  # first photos of a ranking that follows judgements in which the sure ones are counted
_MOST_MOVED: Final = 5000  # photos up to which all neighbourhoods are found again after each judgement


@dataclass(frozen=True, eq=False)
class Ranking:
    """Photos by their distance to a focal image, nearest first, without the focal image."""

    metric: Metric
    focal_id: int | None
    """None if the focal image is not in the library."""
    photo_ids: NDArray[np.int64]
    """Shape (n,)."""
    distances: NDArray[np.float32]
    """Ascending; shape (n,)."""
    reranked: bool = False
    """Whether distances include the share of neighbours that photos have in common with the focal image."""
    provisional: bool = False
    """Whether `Ranker.find_neighbors` still has neighbourhoods to find."""
    among_nearest: bool = False
    """Whether neighbourhoods were found only among the photos nearest to the focal image. Photos far from it may move
    once `Ranker.find_neighbors` has found all neighbourhoods."""
    judgements: int = 0
    """Number of judgements against the focal image that affect the order; 0: the metric alone."""
    total: int = 0
    """Number of photos in the ranking without limit."""
    nearest: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None
    """In a ranking by several examples: distance of each photo to the nearest positive example and to the nearest
    counter-example, float32 (n,)."""
    windows: NDArray[np.float32] | None = None
    """In a ranking by a region: left, top, right and bottom of the most similar window of each photo, as shares of its
    sides after EXIF orientation; shape (n, 4)."""
    by_index: bool = False
    """Whether an index proposed the photos. A few that belong in the ranking may be missing."""
    wants_index: bool = False
    """Whether `Ranker.find_neighbors` has an index to make or to check."""
    why_all: str = ""
    """Why all photos were compared although the library is large enough for an index; otherwise empty."""
    why_cosine: str = ""
    """Why a ranking by a region does not follow the metric, as text for the user; otherwise empty."""


class Ranker:
    """Ranks photos. Thread-safe.

    Each ranking takes account of photos described and metrics trained since the previous one.

    Parameters
    ----------
    once : bool
        Whether the caller ranks only once, as a command does; see `GalleryStore`.
    """

    def __init__(self, library: Library, *, once: bool = False) -> None:
        self._library = library
        self._once = once
        self._trains_windows = False
        self.galleries = GalleryStore(library, once=once)
        """The galleries of the metrics used last."""

    def rank(
        self,
        focal: int | Query,
        metric: str | None = None,
        *,
        limit: int | None = None,
        among: NDArray[np.int64] | None = None,
        rerank: bool | None = None,
        by_judgements: bool | None = None,
    ) -> Ranking:
        """Rank photos by their distance to a focal image.

        Photos without a description (broken or not indexed yet) are absent. Missing photos are included, unless their
        folder was removed from the library.

        The distance is that of `learners.galleries.reciprocal.ReciprocalNeighbors`: .7 x the share of their
        neighbourhoods that two photos do not have in common + .3 x their squared distance under the metric, divided by
        twice its median. It is 0 for a photo that equals the focal image in both, and about .85 for two unrelated
        photos. Without `rerank` it is the distance under the metric. `rank_locally` describes local distances.

        If photos were judged against the focal image, those judged similar come first and those judged dissimilar last.
        The rest are ordered by their relevance under the judgements (`nearest_by_judgements`). They keep their order
        under local distances, which learn from judgements by training, and if the description of the focal image is out
        of date.

        Parameters
        ----------
        focal : int, Path, bytes, TextQuery, Examples or RegionQuery
            A photo id, any file, or the content of an image file. A file with the content of a photo of the library is
            treated as that photo, wherever it is. A file that changed since the scan is decoded again. For several
            examples see `nearest_by_examples`; judgements against examples in the library count too. Local distances of
            several focal images have no common unit, so the metric of their shortlist ranks instead. For a text see
            `browser.operations.ranking.queries.by_text.nearest_to_text`; `rerank` has no effect then, nor
            for a region (`browser.operations.ranking.queries.by_region.nearest_to_region`). Regions are compared by
            the current metric, trained on windows, if that improves held-out rankings (`train_window_metric`), and by
            a metric named here in any case.
        metric : str, optional
            Name of a metric (``kernel-3``) or of a learner (``kernel``: its latest metric); default: the current
            metric.
        limit : int, optional
            Number of photos; default: all.
        among : ndarray of int64, optional
            Ids of the photos that may be in the ranking; default: all listed photos. Neighbourhoods are always those
            among all photos.
        rerank : bool, optional
            Whether neighbourhoods count; default: as in the library's settings. For local distances they affect the
            shortlist. Learners that do not gain by them (`DistanceLearner.gains_by_neighbors`) ignore the option.
        by_judgements : bool, optional
            Whether the ranking follows the judgements against the focal image; default: as in the library's settings.

        Raises
        ------
        OperationError
            If the focal image cannot be decoded, nothing is indexed, or the metric's file is damaged.
        UnknownMetricError
            If the library has no such metric.
        """
        if isinstance(focal, TextQuery):
            return self._rank_by_text(focal.text, metric, limit, among, by_judgements)
        if isinstance(focal, Examples):
            return self._rank_by_examples(focal, metric, limit, among, by_judgements)
        if isinstance(focal, RegionQuery):
            return self._rank_by_region(focal, metric, limit, among, by_judgements)
        gallery = self.gallery(metric)
        local = is_local(gallery.loaded.metric)
        if among is None and self._library.roots.any_removed():
            among = self._library.photos.listed()
        again = (RERANK.get(self._library) if rerank is None else rerank) and gallery.loaded.gains_by_neighbors
        focal_id, query, outside = self._query(gallery, focal)
        verdicts = self._verdicts(gallery, () if focal_id is None else (focal_id,), by_judgements)
        own = None if focal_id is None else gallery.row_of(focal_id)
        allowed = None if among is None else gallery.mask(among)
        total = len(gallery.ids) if allowed is None else int(np.count_nonzero(allowed))
        total -= own is not None and (allowed is None or bool(allowed[own]))
        if outside is not None:
            own = None
        follows = bool(verdicts) and own is not None and not local
        # At most the focal image precedes the nearest photos.
        count = None if limit is None or local or (verdicts and not follows) else limit + 1
        if follows and own is not None:
            ids, distances = nearest_by_judgements(gallery, own, verdicts, count, allowed=allowed)
        else:
            ids, distances = gallery.nearest(query, count, own=own, rerank=again, allowed=allowed)
        if focal_id is not None:
            kept = ids != focal_id
            ids, distances = ids[kept], distances[kept]
        if local:
            ids, distances = rank.rank_locally(self._library, gallery.loaded.metric, focal_id, outside, ids, distances)
        if verdicts:
            ids, distances = judged_apart(ids, distances, verdicts)
        by_index, wanted, why_all = self._index_serves(gallery, count)
        return Ranking(
            gallery.loaded.metric,
            focal_id,
            ids[:limit],
            distances[:limit],
            again and not local,
            again and wants_neighbors(gallery, self._most(gallery)),
            again and gallery.neighbors.are_of_nearest,
            len(verdicts),
            total,
            by_index=by_index and not follows,
            wants_index=wanted,
            why_all=why_all,
        )

    def _index_serves(self, gallery: MetricGallery, count: int | None) -> tuple[bool, bool, str]:
        """Return whether an index proposes the nearest, whether it must be made or checked, and why there is none.

        Smaller libraries load none of the index code.
        """
        if type(gallery.gallery) is FloatGallery and not is_large(self._library, len(gallery.ids)):
            return False, False, ""

        serves = isinstance(gallery.gallery, indexed_gallery.IndexedGallery) and gallery.gallery.serves(count)
        return (
            serves,
            row_index.wants_index(self._library, gallery),
            row_index.why_without_index(self._library, gallery),
        )

    def _rank_by_examples(
        self,
        examples: Examples,
        metric: str | None,
        limit: int | None,
        among: NDArray[np.int64] | None,
        by_judgements: bool | None,
    ) -> Ranking:
        if len(examples.like) + len(examples.unlike) > MOST_EXAMPLES:
            raise OperationError("At most {0} examples can be ranked by at once: select fewer.", MOST_EXAMPLES)
        gallery = self.gallery(metric)
        if among is None and self._library.roots.any_removed():
            among = self._library.photos.listed()
        like, unlike = ([self._place(gallery, one) for one in some] for some in (examples.like, examples.unlike))
        verdicts = self._verdicts(gallery, examples.photos, by_judgements)
        taken = {place for place in (*like, *unlike) if isinstance(place, int)}
        for photo_id, verdict in verdicts.items():
            row = gallery.row_of(photo_id)
            if row is not None and row not in taken:
                (like if verdict is Verdict.SIMILAR else unlike).append(row)
        allowed = None if among is None else gallery.mask(among)
        found = by_examples.nearest_by_examples(gallery, like, unlike, allowed=allowed)
        shown = ~np.isin(found.ids, gallery.ids[list(taken)])
        ids, distances = judged_apart(found.ids[shown], found.distances[shown], verdicts)
        at = np.empty(int(ids.max(initial=0)) + 1, dtype=np.intp)
        at[found.ids[shown]] = np.arange(len(ids))
        nearest = (found.likes[shown][at[ids]][:limit], found.unlikes[shown][at[ids]][:limit])
        return Ranking(
            gallery.loaded.metric,
            None,
            ids[:limit],
            distances[:limit],
            reranked=True,
            provisional=wants_neighbors(gallery, self._most(gallery)),
            judgements=len(verdicts),
            total=len(ids),
            nearest=nearest,
        )

    def _place(self, gallery: MetricGallery, example: Example) -> by_examples.Place:
        """Return the row of an example under a metric, or its vector."""
        photo_id, query, outside = self._query(gallery, example)
        row = None if photo_id is None or outside is not None else gallery.row_of(photo_id)
        return query if row is None else row

    def count_sure(self, ranking: Ranking) -> tuple[int, sure_distance.SureDistance] | None:
        """Return how many first photos of a ranking are more likely alike than not, and the evidence.

        If a ranking follows judgements or several examples, these are the photos within the sure distance of the focal
        image, an example or a similar photo that are nearer to it than to all dissimilar ones.

        Returns
        -------
        (int, SureDistance) or None
            None without evidence, as for local distances.
        """
        gallery = self.gallery(ranking.metric.name)
        follows = ranking.nearest is not None or ranking.judgements > 0
        again = RERANK.get(self._library) and gallery.loaded.gains_by_neighbors
        reach = sure_distance.sure_distance(self._library, gallery, rerank=again or follows)
        if reach is None:
            return None
        if not follows:
            return int(np.searchsorted(ranking.distances, reach.distance, side="right")), reach
        likes, unlikes = ranking.nearest or self._nearest_judged(gallery, ranking)
        return int(np.count_nonzero((likes <= reach.distance) & (likes < unlikes))), reach

    def _nearest_judged(
        self, gallery: MetricGallery, ranking: Ranking
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the distances of the first photos in a ranking to the nearest similar and dissimilar photos."""
        verdicts = {} if ranking.focal_id is None else self._library.judgements.of(ranking.focal_id)
        rows = gallery.rows_of(ranking.photo_ids[:_LOOKED_AT])
        found = []
        for wanted in Verdict.SIMILAR, Verdict.DISSIMILAR:
            known = [photo_id for photo_id, verdict in verdicts.items() if verdict is wanted]
            known += [ranking.focal_id] if wanted is Verdict.SIMILAR and ranking.focal_id is not None else []
            places = gallery.rows_of(np.array(known, np.int64))
            places = places[places >= 0]
            far = 1 - gallery.similarities(places, rows) if len(places) else np.full((len(rows), 1), np.inf, np.float32)
            found.append(far.min(axis=1))
        return found[0], found[1]

    def _rank_by_text(
        self, text: str, metric: str | None, limit: int | None, among: NDArray[np.int64] | None, follow: bool | None
    ) -> Ranking:
        gallery, found = self.gallery(metric), by_text.text_relevance(self._library, text)
        if among is None and self._library.roots.any_removed():
            among = self._library.photos.listed()
        wanted = BY_JUDGEMENTS.get(self._library) if follow is None else follow
        verdicts = self._library.text_judgements.of(text) if wanted else {}
        ids, distances = by_text.nearest_to_text(found, gallery, verdicts, among)
        known = set(ids.tolist())
        count = sum(photo_id in known for photo_id in verdicts)
        return Ranking(gallery.loaded.metric, None, ids[:limit], distances[:limit], judgements=count, total=len(ids))

    def _rank_by_region(
        self,
        query: RegionQuery,
        metric: str | None,
        limit: int | None,
        among: NDArray[np.int64] | None,
        by_judgements: bool | None,
    ) -> Ranking:
        if among is None and self._library.roots.any_removed():
            among = self._library.photos.listed()
        if isinstance(query.source, Path):
            photo = self._photo_of(query.source)
            query = query if photo is None else RegionQuery(photo.id, query.region)
        wanted = BY_JUDGEMENTS.get(self._library) if by_judgements is None else by_judgements
        judged = []
        if wanted and query.photo_id is not None:
            judged = self._library.region_judgements.against(query.photo_id, query.region)
        metrics = self._library.metrics
        chosen = metrics.current() if metric is None else metrics.by_name(metric)
        learner, outgrown, why = self._learner_of_windows(chosen, named=metric is not None)
        found = by_region.nearest_to_region(self._library, query, among, judgements=judged, learner=learner)
        ids, distances = found.ids, found.distances
        follows = learner is not None
        if is_local(chosen):
            follows = False
            if query.photo_id is None:
                why = Text("The metric does not rank parts of photos: {0}.", Text("the image is not in the library"))
            else:
                arguments = self._library, chosen, query.photo_id, query.region, ids, distances
                ids, distances = rank_region.rank_region_locally(*arguments)
                follows = True
        verdicts = {one.other_id: one.verdict for one in judged}
        ids, distances = judged_apart(ids, distances, verdicts)
        places = np.empty(int(ids.max(initial=0)) + 1, np.intp)
        places[found.ids] = np.arange(len(ids))
        return Ranking(
            chosen if follows else metrics.by_name("euclidean"),
            query.photo_id,
            ids[:limit],
            distances[:limit],
            provisional=outgrown,
            judgements=int(np.isin(ids, list(verdicts)).sum()),
            total=len(ids),
            windows=found.windows[places[ids[:limit]]],
            why_cosine=why,
        )

    def _learner_of_windows(self, metric: Metric, *, named: bool) -> tuple[DistanceLearner | None, bool, str]:
        """Return the learner of a metric for windows, whether `find_neighbors` has to train it, and why there is none.

        A command, which ranks once, trains it at once, and so does a ranking by a metric that was named. A named metric
        is used even if it gains nothing.
        """
        known, outgrown = window_metric.known_window_metric(self._library, metric)
        if outgrown and (self._once or named):
            store = by_region.window_store(self._library)
            known, outgrown = finish(window_metric.train_window_metric(self._library, store, metric)), False
        self._trains_windows = outgrown
        if known is None:
            return None, outgrown, ""
        if known.learner is not None and (known.gains or named):
            return known.learner, outgrown, ""
        return None, outgrown, Text("The metric does not rank parts of photos: {0}.", known.reason)

    def unranked(self, focal: int | Query, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the photos among `ids` that lack a description needed for the ranking."""
        if isinstance(focal, TextQuery):
            return descriptors.vector_store(self._library, by_text.text_network(self._library)).missing(ids)
        if isinstance(focal, RegionQuery):
            return by_region.without_windows(self._library, ids)
        return ids[self.gallery().rows_of(ids) < 0]

    def shared_neighbors(self, focal_id: int, photo_id: int, *, limit: int | None = None) -> NDArray[np.int64]:
        """Return the photos that are near to both a focal image and another photo.

        Parameters
        ----------
        limit : int, optional
            Number of photos; default: all.

        Returns
        -------
        ndarray of int64, shape (n,)
            Photos near to both, nearest first; empty if rankings do not use shared neighbours or a photo is not
            described.

        Raises
        ------
        OperationError
            As for `rank`.
        """
        if not RERANK.get(self._library):
            return np.empty(0, np.int64)
        gallery = self.gallery()
        one, other = gallery.row_of(focal_id), gallery.row_of(photo_id)
        plain = is_local(gallery.loaded.metric) or not gallery.loaded.gains_by_neighbors
        if one is None or other is None or plain:
            return np.empty(0, np.int64)
        ids, _ = gallery.shared_neighbors(one, other)
        if self._library.roots.any_removed():
            ids = ids[np.isin(ids, self._library.photos.listed())]
        return ids[:limit]

    def gallery(self, metric: str | None = None, *, as_trained: bool = False) -> MetricGallery:
        """Return the gallery of all described photos under a metric; see `GalleryStore.gallery`."""
        return self.galleries.gallery(metric, as_trained=as_trained)

    def find_neighbors(self, metric: str | None = None, *, in_subprocess: bool = False) -> Job[bool]:
        """Find the neighbourhoods of all photos under a metric (default: current); in very large libraries, an index.

        After a ranking by a region, the metric for windows is trained instead, if it is out of date.

        Until then, rankings use neighbourhoods among the photos nearest to the focal image. For new photos, only their
        own neighbourhoods are searched. A moved metric moves again with the next judgement, so in large libraries the
        neighbourhoods among the nearest photos must suffice for it.

        Parameters
        ----------
        in_subprocess : bool
            Whether a long search runs in a subprocess, which leaves the interpreter free for the window.

        Returns
        -------
        bool
            Whether rankings may have changed.

        Raises
        ------
        OperationError
            As for `rank`.
        """
        yield Progress(STAGE, 0)
        if self._trains_windows:
            self._trains_windows = False
            return (yield from self._train_windows())
        gallery = self.gallery(metric)
        if self._index_serves(gallery, None)[1]:
            yield from self.find_index(metric)
            return False  # rankings that compared all photos stay the same
        if not RERANK.get(self._library):
            return False
        if not gallery.loaded.gains_by_neighbors:
            return False
        return (
            yield from find_neighbors(
                self._library,
                gallery,
                keep=not self.galleries.is_moved(gallery),
                most=self._most(gallery),
                in_subprocess=in_subprocess,
            )
        )

    def _train_windows(self) -> Job[bool]:
        """Train the current metric on windows; return whether rankings by a region may have changed."""
        metric = self._library.metrics.current()
        before, outgrown = window_metric.known_window_metric(self._library, metric)
        if not outgrown:
            return False
        store = by_region.window_store(self._library)
        trained = yield from window_metric.train_window_metric(self._library, store, metric)
        return trained.gains or (before is not None and before.gains) or before is None

    def find_index(self, metric: str | None = None) -> Job[bool]:
        """Make or update the index of a large library; do nothing for smaller ones.

        Returns
        -------
        bool
            Whether the index is new.

        Raises
        ------
        OperationError
            As for `rank`.
        """
        if not is_large(self._library, self._library.photos.count()):
            return False

        return (yield from row_index.find_index(self._library, self.gallery(metric)))

    def _most(self, gallery: MetricGallery) -> int:
        """Return the number of photos up to which all neighbourhoods are found."""
        return _MOST_MOVED if self.galleries.is_moved(gallery) else MAX_PHOTOS

    def _verdicts(self, gallery: MetricGallery, focal_ids: tuple[int, ...], wanted: bool | None) -> dict[int, Verdict]:
        """Return the judgements against focal images on photos of a gallery."""
        if wanted is None:
            wanted = BY_JUDGEMENTS.get(self._library)
        verdicts = judgements_against(self._library, focal_ids) if wanted else {}
        rows = gallery.rows_of(np.fromiter(verdicts, np.int64)).tolist()
        return {photo_id: verdicts[photo_id] for photo_id, row in zip(verdicts, rows, strict=True) if row >= 0}

    def _query(
        self, gallery: MetricGallery, focal: Example
    ) -> tuple[int | None, NDArray[np.float32], Path | bytes | None]:
        """Return the focal image's id, if any, its row under the metric (r,), and its source if outside the gallery."""
        focal_id: int | None = None
        source: Path | bytes
        if isinstance(focal, bytes):
            source = focal
        else:
            if isinstance(focal, Path):
                source = focal
                photo = self._photo_of(focal)
                if photo is None:
                    edited = self._library.photos.by_path(focal)
                    return None if edited is None else edited.id, self._describe(gallery.loaded, focal), focal
            else:
                photo = self._library.photos.get([int(focal)])[0]
                source = photo.path
            if photo is not None:
                focal_id = photo.id
                row = gallery.row_of(photo.id)
                if row is not None:
                    return focal_id, gallery.rows[row], None
                if photo.failure is not None:
                    raise OperationError("{0} cannot be decoded: {1}", photo.path, photo.failure)
        return focal_id, self._describe(gallery.loaded, source), source

    def locate(self, focal: Path | bytes, metric: str | None = None) -> int | NDArray[np.float32]:
        """Return the id of an image if it is an unchanged photo of the library, otherwise its coordinates (p,).

        Raises
        ------
        OperationError
            As for `rank`.
        """
        gallery = self.gallery(metric)
        focal_id, _, outside = self._query(gallery, focal)
        return self._coordinates(gallery.loaded, focal) if focal_id is None or outside is not None else focal_id

    def _describe(self, loaded: LoadedMetric, source: Path | bytes) -> NDArray[np.float32]:
        """Return the row (r,) of an image outside the library, described as the metric's space requires."""
        query: NDArray[np.float32] = loaded.embed(self._coordinates(loaded, source)[None])[0]
        return query

    def _coordinates(self, loaded: LoadedMetric, source: Path | bytes) -> NDArray[np.float32]:
        """Return the coordinates (p,) of an image outside the library in a metric's space."""
        families = descriptors.global_by_keys(self._library, loaded.keys)
        if lost := [key for key in loaded.keys if key not in families]:
            raise OperationError(
                "{0} was learned from {1}, which can "
                "no longer be computed for other images: train again (focal train --learner {2}), or choose another "
                "metric (focal metrics --use NAME).",
                loaded.metric.text,
                description_title(self._library, lost[0]),
                loaded.metric.learner,
            )
        plan = description.DescriptionPlan(
            tuple(families.values()), descriptors.decode_limits(self._library), thumbnail_side=None
        )
        try:
            described = sandbox.sandbox().call(description.describe, source, plan, seconds=SECONDS.get(self._library))
        except (limits.ImageError, network_file.NetworkError) as error:
            what = Text("The image") if isinstance(source, bytes) else str(source)
            raise ForeignImageError("{0} cannot be used as focal image: {1}", what, error) from error
        vector = np.concatenate([described.vectors[one.name] for one in plan.descriptors])
        point: NDArray[np.float32] = loaded.space.transform(vector[None])[0]
        return point

    def _photo_of(self, path: Path) -> Photo | None:
        """Return the photo with the content of a file; None if it is not in the library."""
        photo = self._library.photos.by_path(path)
        if photo is None or self._is_edited(path):
            return find_content(self._library, path)
        return photo

    def _is_edited(self, path: Path) -> bool:
        """Tell whether a known file has changed since the last scan; a missing file has not."""
        try:
            found = path.stat()
        except OSError:
            return False
        return self._library.photos.recorded(path) != (found.st_size, found.st_mtime_ns)
