"""Suggest tags for photos from their nearest tagged neighbours under a metric; a person accepts or rejects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from browser.catalog.facts.records import Metric, Suggestion, SuggestionState
from browser.catalog.facts.tags import ancestors
from browser.catalog.library import Library
from browser.catalog.store.changes import ChangeSet
from browser.operations.jobs.progress import Job, Meter
from browser.operations.ranking.gallery import MetricGallery
from browser.operations.ranking.ranker import Ranker
from browser.operations.ranking.space import described
from browser.operations.tagging.annotated import AnnotatedPhotos, described_in, ones, read_annotated, rows_by_id
from browser.operations.tagging.learn_voting import learn_voting
from browser.operations.tagging.voting import Voting
from learners.tags.tag_propagation import TagVotes

PER_PHOTO: Final = 5
_BLOCK: Final = 256  # photos asked for at a time
_WITNESSES: Final = 10  # nearest of the photos that voted for a tag; hundreds may have


@dataclass
class SuggestReport:
    """What `suggest` found.

    Attributes
    ----------
    metric : Metric
        Whose neighbours voted.
    by_photo : dict of int to list of Suggestion
        For each photo asked for, the surest first; empty where no neighbour speaks for a tag that may be suggested.
    undescribed : list of int
        Photos that were left out because they cannot be decoded or are not indexed yet.
    changes : ChangeSet
    """

    metric: Metric
    by_photo: dict[int, list[Suggestion]] = field(default_factory=dict)
    undescribed: list[int] = field(default_factory=list)
    changes: ChangeSet = field(default_factory=ChangeSet)

    @property
    def photos(self) -> int:
        """Number of photos with at least one suggestion."""
        return sum(bool(suggestions) for suggestions in self.by_photo.values())

    @property
    def suggestions(self) -> int:
        """Number of suggestions."""
        return sum(len(suggestions) for suggestions in self.by_photo.values())


def suggest(
    library: Library,
    ranker: Ranker,
    ids: Iterable[int] | None = None,
    *,
    per_photo: int = PER_PHOTO,
    minimum_confidence: float = 0.0,
    metric: str | None = None,
) -> Job[SuggestReport]:
    """Suggest tags and keep them as open suggestions in place of earlier ones.

    The tagged photos nearest to a photo vote for their tags, those for which a person rejected a tag vote against it,
    and with enough tagged photos the photo's own appearance is evidence too
    (`browser.operations.tagging.learn_voting`). A tag that the photo has, one above a tag that it has, and one
    that a person rejected for it are never suggested; they do not take the place of others either. In a library that
    was opened read-only the suggestions are returned but not kept.

    Parameters
    ----------
    library : Library
    ranker : Ranker
    ids : iterable of int, optional
        Photos; all without tags that are not missing, if not given.
    per_photo : int
        Most tags for a photo.
    minimum_confidence : float
        0..1; less sure ones are left out.
    metric : str, optional
        Name of a metric or learner; the current metric, if not given.

    Yields
    ------
    Progress

    Returns
    -------
    SuggestReport

    Raises
    ------
    NothingToLearnError
        No indexed photo is tagged.
    OperationError, UnknownMetricError
        As for `Ranker.rank`.
    """
    meter = Meter("Suggesting tags")
    yield meter.state()
    gallery = ranker.gallery(metric)
    rejected = library.suggestions.rejected_pairs()
    annotated = read_annotated(library, gallery, rejected)
    row_of = rows_by_id(gallery)
    asked = library.photos.ids("untagged -missing") if ids is None else np.array(list(dict.fromkeys(ids)), np.int64)
    targets = described_in(row_of, asked)
    report = SuggestReport(gallery.loaded.metric, undescribed=np.setdiff1d(asked, targets).tolist())
    if len(targets):
        voting = yield from learn_voting(library, gallery, annotated)
    meter = Meter("Suggesting tags", len(targets))
    yield meter.state()
    for start in range(0, len(targets), _BLOCK):
        asked = targets[start : start + _BLOCK]
        try:
            block, evidence = asked, voting.evidence(library, gallery, asked)
        except KeyError:  # a scan found a file edited meanwhile: it is described again first
            here = np.isin(asked, described(library, gallery.loaded.keys))
            report.undescribed += asked[~here].tolist()
            block = asked[here]
            evidence = voting.evidence(library, gallery, block) if len(block) else None
        if not len(block):
            yield meter.advance(len(asked))
            continue
        votes = _votes(gallery, annotated, voting, block, row_of, evidence)
        barred = _barred(library, block, annotated.names, rejected)
        best = votes.top(per_photo, minimum=minimum_confidence, exclude=barred)
        found = {
            photo_id: [_suggestion(photo_id, annotated, votes, i, tag, confidence) for tag, confidence in best[i]]
            for i, photo_id in enumerate(block.tolist())
        }
        report.by_photo.update(found)
        if not library.read_only:
            every = [suggestion for suggestions in found.values() for suggestion in suggestions]
            report.changes |= library.suggestions.replace_open(every, report.metric.id, photo_ids=found)
        yield meter.advance(len(asked))
    return report


def _votes(
    gallery: MetricGallery,
    annotated: AnnotatedPhotos,
    voting: Voting,
    ids: NDArray[np.int64],
    row_of: NDArray[np.intp],
    evidence: NDArray[np.float64] | None,
) -> TagVotes:
    """Let the annotated photos nearest to some photos (n,) vote; no photo votes for itself."""
    place_of = np.full(len(row_of), -1, dtype=np.intp)
    place_of[annotated.ids] = np.arange(len(annotated.ids))
    itself = place_of[ids]
    neighbors, distances = annotated.gallery.rank_many(
        gallery.rows[row_of[ids]], voting.propagation.k, skip=itself if (itself >= 0).any() else None
    )
    return voting.propagate(neighbors, distances, annotated, evidence)


def _suggestion(
    photo_id: int, annotated: AnnotatedPhotos, votes: TagVotes, row: int, tag: int, confidence: float
) -> Suggestion:
    witnesses = annotated.ids[votes.witnesses(row, tag)[:_WITNESSES]]
    return Suggestion(photo_id, annotated.names[tag], confidence, SuggestionState.OPEN, tuple(witnesses.tolist()))


def _barred(
    library: Library, block: NDArray[np.int64], names: Sequence[str], rejected: set[tuple[int, str]]
) -> sp.csr_array:
    """Return (photos, tags): 1 where a tag may not be suggested."""
    column = {name: j for j, name in enumerate(names)}
    row = {photo_id: i for i, photo_id in enumerate(block.tolist())}
    pairs = {(photo_id, tag) for photo_id, tag in rejected if photo_id in row}
    for photo_id, carried in library.tags.of(block).items():
        pairs.update((photo_id, tag) for name in carried for tag in (name, *ancestors(name)))
    places = [(row[photo_id], column[tag]) for photo_id, tag in pairs if tag in column]
    return ones(places, (len(block), len(names)))
