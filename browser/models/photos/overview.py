# SPDX-License-Identifier: MIT
"""Overview of the library: counts, metrics and the next undo and redo, read in one pass after each change."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal

from focal_photos.browser.catalog.facts.records import Metric, Root, SuggestionState
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.operations.describing.settings import BY_JUDGEMENTS, FOLD, RERANK, RETRAIN
from focal_photos.browser.operations.training import learner_table

RECENT_TAGS = 18
_BEFORE_ALL = datetime(1970, 1, 1)


@dataclass(frozen=True)
class Overview:
    """The data that status bar, metric chooser and menus show.

    Attributes
    ----------
    photos, untagged, suggested_photos, failed_photos, missing_photos : int
        Numbers of all listed photos and of those that the filter words of these names find.
    """

    photos: int = 0
    untagged: int = 0
    suggested_photos: int = 0
    judgements: int = 0
    """Number of judgements, those against texts included."""
    boxes: int = 0
    """Number of boxes."""
    failed_photos: int = 0
    missing_photos: int = 0
    failed: int = 0
    """Number of files that could not be read or decoded, or only in part."""
    open_suggestions: int = 0
    """Number of suggested tags that wait for an answer."""
    roots: tuple[Root, ...] = ()
    metrics: tuple[Metric, ...] = ()
    metric: Metric | None = None
    family_weights: tuple[tuple[str, float], ...] = ()
    """Title and weight of each family of features in the current metric, the largest weight first; empty if all
    features have the same weight."""
    new_judgements: int = 0
    """Number of judgements that no metric was trained on."""
    undo: str | None = None
    redo: str | None = None
    """`undo` and `redo`: the next steps to undo and redo."""
    recent_tags: tuple[str, ...] = ()
    """The most recently used first."""
    by_judgements: bool = BY_JUDGEMENTS.default
    """Whether rankings follow the judgements against the focal image at once."""
    by_neighbors: bool = RERANK.default
    """Whether rankings count the neighbours that photos share."""
    retrains: bool = True
    """Whether a metric is trained automatically between questions of Review."""
    folds: bool = True
    """Whether rankings show only one of several duplicates."""


def read_overview(library: Library) -> Overview:
    """Read the overview; for the read lane."""

    def shown(query: str = "") -> int:
        return len(library.photos.listed(query))

    metrics = tuple(library.metrics.all())
    current = library.metrics.current()
    # A metric without training data has not seen any judgement.
    trained = [metric.at for metric in metrics if metric.judgements or metric.tagged]
    since = max(trained, default=_BEFORE_ALL)
    kinds_of_judgements = (
        library.judgements,
        library.judged_relations,
        library.text_judgements,
        library.region_judgements,
    )
    return Overview(
        photos=shown(),
        untagged=shown("untagged"),
        suggested_photos=shown("suggested"),
        judgements=sum(kind.count() for kind in kinds_of_judgements),
        boxes=library.boxes.count(),
        failed_photos=shown("failed"),
        missing_photos=shown("missing"),
        failed=len(library.photos.failed()) + len(library.photos.incomplete()),
        open_suggestions=library.suggestions.counts()[SuggestionState.OPEN],
        roots=tuple(library.roots.all()),
        metrics=metrics,
        metric=current,
        family_weights=learner_table.titled_family_weights(library, current),
        new_judgements=sum(kind.count_since(since) for kind in kinds_of_judgements),
        undo=library.journal.undo_label(),
        redo=library.journal.redo_label(),
        recent_tags=tuple(library.tags.recent(RECENT_TAGS)),
        by_judgements=BY_JUDGEMENTS.get(library),
        by_neighbors=RERANK.get(library),
        retrains=RETRAIN.get(library),
        folds=FOLD.get(library),
    )


class LibraryOverview(Model):
    """The overview of the open library, read again after each change."""

    changed = Signal()
    """`now` was read again."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.now = Overview()
        self.loaded = False
        """Whether it was read at least once."""
        self._feed.subscribe(self._take_changes)

    def read(self) -> None:
        """Read the overview again."""
        self._runner.read("overview", lambda: read_overview(self._library), self._show, aside=self.loaded)

    def _take_changes(self, _changes: ChangeSet) -> None:
        self.read()

    def _show(self, overview: Overview) -> None:
        self.now, self.loaded = overview, True
        self.changed.emit()


def find_untagged(library: Library, ids: NDArray[np.int64], after: int | None) -> int | None:
    """Return the first untagged photo after `after` in `ids` (n,), wrapping around; None if there is none.

    For the read lane.
    """
    open_rows = np.flatnonzero(np.isin(ids, library.photos.ids("untagged")))
    if not len(open_rows):
        return None
    here = np.flatnonzero(ids == after) if after is not None else open_rows[:0]
    behind = open_rows[open_rows > here[0]] if len(here) else open_rows
    return int(ids[behind[0] if len(behind) else open_rows[0]])
