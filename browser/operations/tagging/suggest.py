# SPDX-License-Identifier: MIT
"""Suggest tags for photos, learned from the user's tags; the user accepts or rejects them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Metric, Suggestion, SuggestionState
from focal_photos.browser.catalog.facts.tags import ancestors
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.describing.settings import SUGGEST_BY
from focal_photos.browser.operations.jobs.progress import Job, Meter
from focal_photos.browser.operations.jobs.thread import on_all_cores
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.space import described
from focal_photos.browser.operations.tagging.annotated import AnnotatedPhotos, described_in, ones, read_annotated
from focal_photos.browser.operations.tagging.learn_tags import learn_tags, looks_for_tags
from focal_photos.browser.operations.tagging.supporters import find_supporters
from focal_photos.learners.core.arrays.distinct import without
from focal_photos.learners.core.linalg import one_thread

PER_PHOTO: Final = 5
MIN_CONFIDENCE: Final = 0.02
"""Default minimum confidence of a suggestion."""

_BLOCK: Final = 1024  # photos processed at once


@dataclass
class SuggestReport:
    """Result of `suggest`."""

    metric: Metric
    """Metric used for the suggestions."""
    by_photo: dict[int, list[Suggestion]] = field(default_factory=dict)
    """Suggestions of each requested photo, most confident first; may be empty. Suggestions saved without supporting
    neighbours are not included."""
    undescribed: list[int] = field(default_factory=list)
    """Photos left out because they cannot be decoded or are not indexed yet."""
    changes: ChangeSet = field(default_factory=ChangeSet)
    photos: int = 0
    suggestions: int = 0
    """`photos` and `suggestions`: number of photos with at least one suggestion, and of suggestions."""


def suggest(
    library: Library,
    ranker: Ranker,
    ids: Iterable[int] | None = None,
    *,
    per_photo: int = PER_PHOTO,
    minimum_confidence: float = MIN_CONFIDENCE,
    metric: str | None = None,
    by: str | None = None,
    first: Sequence[int] = (),
    first_saved: Callable[[ChangeSet], None] | None = None,
    supporters: bool = True,
) -> Job[SuggestReport]:
    """Suggest tags and save them as open suggestions, replacing earlier ones.

    They are learned from tagged photos and from rejected suggestions (`browser.operations.tagging.learn_tags`). Photos
    of a kind without a tag get lower confidences. Tags that the photo has, their ancestors, and rejected tags are never
    suggested and do not displace others. In a read-only library, suggestions are returned but not saved.

    Parameters
    ----------
    ids : iterable of int, optional
        Photos; default: all untagged photos that are not missing.
    per_photo : int
        Maximum number of tags per photo.
    minimum_confidence : float
        Minimum confidence, 0..1.
    metric : str, optional
        Name of a metric or learner; default: the current metric.
    by : "ridge", "votes" or "votes-by-rank", optional
        Regression, or votes of the nearest tagged photos, weighted by distance or by rank; default: as in the library's
        settings.
    first : sequence of int
        Photos to process first, if requested.
    first_saved : callable, optional
        Called with the changes, in this thread, once the suggestions for the `first` photos are saved.
    supporters : bool
        Whether to find the supporting neighbours of each suggestion now, which takes longer than the suggestions; they
        can be found when viewed (`browser.operations.tagging.supporters.with_supporters`).

    Raises
    ------
    NothingToLearnError
        If no indexed photo is tagged.
    OperationError, UnknownMetricError
        As for `Ranker.rank`.
    """
    meter = Meter(Text("Suggesting tags"))
    yield meter.state()
    gallery = ranker.gallery(metric)
    by = SUGGEST_BY.get(library) if by is None else by
    looks = looks_for_tags(ranker, gallery, by=by)
    rejected = library.suggestions.rejected_pairs()
    annotated = read_annotated(library, gallery, rejected)
    wanted = library.photos.ids("untagged -missing") if ids is None else np.array(list(dict.fromkeys(ids)), np.int64)
    targets = described_in(gallery.row_table, described_in(looks.row_table, wanted))
    is_first = np.isin(targets, np.array(first, dtype=np.int64))
    targets, leading = np.concatenate([targets[is_first], targets[~is_first]]), int(np.count_nonzero(is_first))
    report = SuggestReport(gallery.loaded.metric, undescribed=without(wanted, targets).tolist())
    if len(targets):
        learned = yield from learn_tags(library, looks, annotated, by=by)
    meter = Meter(Text("Suggesting tags"), len(targets))
    yield meter.state()
    cuts = [0, leading, *range(leading + _BLOCK, len(targets), _BLOCK), len(targets)]
    parts = [targets[start:stop] for start, stop in pairwise(dict.fromkeys(cuts))]

    def best(wanted: NDArray[np.int64]) -> _Best:
        # A scan may have found an edited file, which must be described again first.
        here = np.isin(wanted, described(library, gallery.loaded.keys))
        block = wanted[here]
        if not len(block):
            return _Best(block, wanted, [])
        barred = _barred(library, block, annotated.names, rejected)
        with one_thread():  # one thread per block: several blocks are processed in parallel
            sure = learned.confidences(block)
        return _Best(block, wanted[~here], sure.best(per_photo, minimum=minimum_confidence, exclude=barred))

    changed: set[int] = set()
    with closing(on_all_cores(best, parts)) as results:
        for part, found in zip(parts, results, strict=True):
            report.undescribed += found.undescribed.tolist()
            suggested = _suggestions(gallery, annotated, found, supporters)
            report.photos += sum(bool(suggestions) for suggestions in suggested.values())
            report.suggestions += sum(len(suggestions) for suggestions in suggested.values())
            if supporters or library.read_only:
                report.by_photo.update(suggested)
            if not library.read_only and suggested:
                every = [suggestion for suggestions in suggested.values() for suggestion in suggestions]
                changes = library.suggestions.replace_open(every, report.metric.id, photo_ids=suggested)
                changed |= changes.photo_ids
                report.changes = changes
                if first_saved is not None and part is parts[0] and 0 < leading < len(targets):
                    first_saved(changes)
            yield meter.advance(len(part))
    report.changes = report.changes._replace(photo_ids=frozenset(changed))
    return report


class _Best(NamedTuple):
    """The best tags of the photos in a block."""

    ids: NDArray[np.int64]
    undescribed: NDArray[np.int64]
    tags: Sequence[Sequence[tuple[int, float]]]
    """Tag columns and confidences of each photo."""


def _suggestions(
    gallery: MetricGallery, annotated: AnnotatedPhotos, found: _Best, supporters: bool
) -> dict[int, list[Suggestion]]:
    """Return the suggestions for the photos in a block, with or without supporting neighbours."""
    by_photo = dict(zip(found.ids.tolist(), found.tags, strict=True))
    pairs = [(i, tag) for i, chosen in by_photo.items() for tag, _ in chosen] if supporters else []
    speaking = find_supporters(gallery, annotated, pairs)
    names = annotated.names
    return {
        i: [Suggestion(i, names[tag], sure, SuggestionState.OPEN, speaking.get((i, tag), ())) for tag, sure in chosen]
        for i, chosen in by_photo.items()
    }


def _barred(
    library: Library, block: NDArray[np.int64], names: Sequence[str], rejected: set[tuple[int, str]]
) -> scipy.sparse.csr_array:
    """Return a matrix (photos, tags) with 1 where a tag must not be suggested."""
    column = {name: j for j, name in enumerate(names)}
    row = {photo_id: i for i, photo_id in enumerate(block.tolist())}
    pairs = {(photo_id, tag) for photo_id, tag in rejected if photo_id in row}
    for photo_id, carried in library.tags.of(block).items():
        pairs.update((photo_id, tag) for name in carried for tag in (name, *ancestors(name)))
    places = [(row[photo_id], column[tag]) for photo_id, tag in pairs if tag in column]
    return ones(places, (len(block), len(names)))
