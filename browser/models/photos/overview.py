"""The library at a glance: counts, metrics and what can be undone, read in one go."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.facts.records import Information, Mark, Metric, Root, SuggestionState
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards
from focal_photos.browser.operations.describing.settings import BY_JUDGEMENTS, FOLD, RERANK, RETRAIN

RECENT_TAGS = 18
MOST_PATHS: Final = 2000
"""Selected photos whose paths are at hand, for dragging them out and the like."""
_BEFORE_ALL = datetime(1970, 1, 1)


@dataclass(frozen=True)
class Overview:
    """What status bar, metric chooser and menus show of the library.

    Attributes
    ----------
    photos, untagged, suggested_photos, failed_photos, missing_photos : int
        Photos that are listed in the whole library, and those that the filter words of these names find.
    judgements : int
        Judged pairs, and photos judged against texts.
    failed : int
        Files that could not be read or decoded, or only in part.
    open_suggestions : int
        Suggested tags that wait for an answer.
    family_weights : tuple of (str, float)
        The title of each family of features, and how much it counts in the current metric, the largest first; empty
        where it weighs all features alike.
    new_judgements : int
        Judgements that no trained metric has seen yet.
    undo, redo : str or None
        What the next undo and redo would do.
    recent_tags : tuple of str
        Used last first.
    by_judgements : bool
        Whether rankings follow the judgements against the focal image at once.
    by_neighbors : bool
        Whether rankings count the neighbours that photos share.
    retrains : bool
        Whether a metric is trained by itself between two questions of the review.
    folds : bool
        Whether rankings show one of several photos that show the same.
    """

    photos: int = 0
    untagged: int = 0
    suggested_photos: int = 0
    judgements: int = 0
    failed_photos: int = 0
    missing_photos: int = 0
    failed: int = 0
    open_suggestions: int = 0
    roots: tuple[Root, ...] = ()
    metrics: tuple[Metric, ...] = ()
    metric: Metric | None = None
    family_weights: tuple[tuple[str, float], ...] = ()
    new_judgements: int = 0
    undo: str | None = None
    redo: str | None = None
    recent_tags: tuple[str, ...] = ()
    by_judgements: bool = BY_JUDGEMENTS.default
    by_neighbors: bool = RERANK.default
    retrains: bool = True
    folds: bool = True


def read_overview(library: Library) -> Overview:
    """Read the overview; for the read lane."""
    from focal_photos.browser.operations.training.learner_table import titled_family_weights

    def shown(query: str = "") -> int:
        return len(library.photos.listed(query))

    metrics = tuple(library.metrics.all())
    current = library.metrics.current()
    # One that learned nothing from a person has seen no judgement either.
    trained = [metric.at for metric in metrics if metric.judgements or metric.tagged]
    since = max(trained, default=_BEFORE_ALL)
    return Overview(
        photos=shown(),
        untagged=shown("untagged"),
        suggested_photos=shown("suggested"),
        judgements=library.judgements.count() + library.text_judgements.count(),
        failed_photos=shown("failed"),
        missing_photos=shown("missing"),
        failed=len(library.photos.failed()) + len(library.photos.incomplete()),
        open_suggestions=library.suggestions.counts()[SuggestionState.OPEN],
        roots=tuple(library.roots.all()),
        metrics=metrics,
        metric=current,
        family_weights=titled_family_weights(library, current),
        new_judgements=library.judgements.count_since(since) + library.text_judgements.count_since(since),
        undo=library.journal.undo_label(),
        redo=library.journal.redo_label(),
        recent_tags=tuple(library.tags.recent(RECENT_TAGS)),
        by_judgements=BY_JUDGEMENTS.get(library),
        by_neighbors=RERANK.get(library),
        retrains=RETRAIN.get(library),
        folds=FOLD.get(library),
    )


@dataclass(frozen=True)
class TargetTags:
    """The tags of the photos that tagging means.

    Attributes
    ----------
    photo_ids : tuple of int
        The photos.
    counts : tuple of (str, int)
        Tags by name with how many of the photos carry them; fewer than all of them is the mixed state.
    card : PhotoCard or None
        The photo, where it is a single one.
    mark : Mark
        Its rating and label.
    information : Information
        How it was taken.
    paths : tuple of Path
        Where the files of the photos are; of no more than `MOST_PATHS`.
    copies : tuple of Path
        Other files with the same content, where the photo is a single one.
    """

    photo_ids: tuple[int, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    card: PhotoCard | None = None
    mark: Mark = field(default_factory=Mark)
    information: Information = field(default_factory=Information)
    paths: tuple[Path, ...] = ()
    copies: tuple[Path, ...] = ()


def read_target_tags(library: Library, photo_ids: tuple[int, ...]) -> TargetTags:
    """Count the tags of some photos; for the read lane."""
    counts = library.tags.counts(photo_ids)
    paths = tuple(library.photos.paths(photo_ids[:MOST_PATHS]))
    targets = TargetTags(photo_ids, tuple(sorted(counts.items())), paths=paths)
    if len(photo_ids) != 1:
        return targets
    (one,) = photo_ids
    card, mark, information = fetch_cards(library, photo_ids), library.marks.of([one]), library.information.of([one])
    copies = tuple(path for path in library.photos.files(one) if path not in paths)
    return replace(targets, card=card.get(one), mark=mark[one], information=information[one], copies=copies)


def find_untagged(library: Library, ids: NDArray[np.int64], after: int | None) -> int | None:
    """Return the first untagged photo behind `after` in `ids` (n,), round the end; None if there is none.

    For the read lane.
    """
    open_rows = np.flatnonzero(np.isin(ids, library.photos.ids("untagged")))
    if not len(open_rows):
        return None
    here = np.flatnonzero(ids == after) if after is not None else open_rows[:0]
    behind = open_rows[open_rows > here[0]] if len(here) else open_rows
    return int(ids[behind[0] if len(behind) else open_rows[0]])
