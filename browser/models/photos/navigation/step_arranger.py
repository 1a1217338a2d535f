# SPDX-License-Identifier: MIT
"""Finds the photos of a step in the read lane: the first ones of a large ranking at once, then the rest."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import Signal

from focal_photos.browser.catalog.facts.query.syntax import QueryError
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.navigation import arrangement
from focal_photos.browser.models.photos.navigation.arrangement import Arrangement
from focal_photos.browser.models.photos.trail import Step
from focal_photos.browser.operations.jobs.errors import ForeignImageError, NothingIndexedError
from focal_photos.browser.operations.ranking.queries import by_region
from focal_photos.browser.tasks.messages import in_words


@dataclass(frozen=True)
class Request:
    """A request to arrange a step."""

    step: Step
    push: bool = False
    """Whether to add it to the trail once it can be shown; requests of one `edit` share a step."""
    edit: int | None = None
    judged: frozenset[int] | None = None
    """The judged photos that changed the order: the scroll position stays, not the photos."""
    first: bool = False
    """Whether the first screens are enough at the beginning, because the user was not in this step before."""


class StepArranger(Model):
    """Answers the requests of the navigator; a later request replaces an earlier one."""

    arrived = Signal(object, object)
    """The photos of a request, or the first of them (`Request`, `Arrangement`)."""
    rest_arrived = Signal(object)
    """The photos that follow those that have arrived (`Arrangement`)."""
    outdated = Signal()
    """The photos that have arrived are no longer the first of their step: photos or the metric have changed since."""
    query_refused = Signal(str)
    """The error in the filter text."""
    image_refused = Signal()
    """A file cannot be used as the query image."""
    ranked_provisionally = Signal()
    """The ranking will improve once the neighbourhoods of all photos are found."""
    windows_wanted = Signal()
    """A ranking by a region waits until photos are described for it."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.pending: Request | None = None
        """The request whose photos are being found."""
        self.waiting: Request | None = None
        """The request that waits for the first photos to be described."""
        self.photos_coming: Callable[[], bool] = lambda: False
        """Set by the session: returns whether photos are being described."""
        self._begun: Arrangement | None = None

    def find(self, request: Request, refused: Callable[[], None] | None = None) -> None:
        """Find the photos of a request; if that is impossible, call `refused` instead of showing a message."""
        library, ranker, step = self._library, self._ranker, request.step
        self.pending = request
        if request is not self.waiting:
            self.waiting = None  # the user has moved on

        def read() -> Arrangement:
            start = time.monotonic()
            found = arrangement.arrange(library, ranker, step, arrangement.FIRST_PHOTOS if request.first else None)
            if found.total > len(found.ids) and not arrangement.holds(found.ids, step.position):
                found = arrangement.arrange(library, ranker, step)
            aspects = library.photos.aspects(found.ids)
            return replace(found, seconds=time.monotonic() - start, aspects=aspects)

        def done(found: Arrangement) -> None:
            self.pending = self.waiting = None
            self.arrived.emit(request, found)
            self._begun = None
            for reason in filter(None, (found.why_all, found.why_cosine)):
                self._notices.post_once(reason)
            if found.total > len(found.ids):
                self._find_rest(step, found)
            elif found.provisional:
                self.ranked_provisionally.emit()

        def failed(error: Exception) -> bool:
            self.pending = None
            if refused is not None:
                refused()
                return True
            if isinstance(error, QueryError):
                self.query_refused.emit(in_words(str(error)))
                return True
            former, self.waiting = self.waiting, None
            if isinstance(error, ForeignImageError):
                self._notices.post(in_words(str(error)), Severity.WARNING)
                self.image_refused.emit()
                return True
            if isinstance(error, NothingIndexedError) and request.push and self.photos_coming():
                self.waiting = request
                if former is None:
                    self._notices.post(
                        self.tr("Photos are still being described. The ranking appears when the first ones are ready.")
                    )
                return True
            if isinstance(error, by_region.NoWindowsError) and request.push and not library.read_only:
                if former is None:
                    self.waiting = request
                    self.windows_wanted.emit()
                    return True
                if self.photos_coming():
                    self.waiting = request
                    return True
            return False

        attempt = self.tr("Ranking") if step.ranked else self.tr("Showing photos")
        self._runner.read("arrange", read, done, attempt, failed)

    def _find_rest(self, step: Step, begun: Arrangement) -> None:
        """Find the remaining photos of a step whose beginning is shown."""
        library, ranker = self._library, self._ranker
        self._begun = begun

        def done(found: Arrangement) -> None:
            if self._begun is not begun:
                return  # the view has changed since
            self._begun = None
            # Photos that the index missed are appended: the shown photos do not move.
            rest = np.arange(len(found.ids)) >= len(begun.ids)
            same = np.array_equal(found.ids[~rest], begun.ids)
            if begun.by_index:
                rest, same = ~np.isin(found.ids, begun.ids), True
            if not same or begun.scores is None or found.scores is None or found.metric != begun.metric:
                self.outdated.emit()
                return
            self.rest_arrived.emit(
                replace(
                    found,
                    ids=found.ids[rest],
                    scores=found.scores[rest],
                    aspects=None if found.aspects is None else found.aspects[rest],
                    windows=None if found.windows is None else found.windows[rest],
                )
            )
            if found.provisional:
                self.ranked_provisionally.emit()

        def failed(_: Exception) -> bool:
            if self._begun is begun:
                self._begun = None
                none = None if begun.scores is None else begun.scores[:0]
                self.rest_arrived.emit(Arrangement(begun.ids[:0], none, unranked=begun.unranked, folded=begun.folded))
            return False

        def read() -> Arrangement:
            found = arrangement.arrange(library, ranker, step)
            return replace(found, aspects=library.photos.aspects(found.ids))

        # after the beginning has been painted
        self._runner.read("rest", read, done, self.tr("Ranking"), failed, aside=True)
