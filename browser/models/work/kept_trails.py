"""The trails that a person keeps by name, and the way between them and the trail that is walked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, Signal

from focal_photos.browser.catalog.facts.order import Order
from focal_photos.browser.catalog.facts.records import KeptStep, KeptTrail
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.photos.trail import Collection, Step, Trail
from focal_photos.browser.models.work.message import Message, Severity
from focal_photos.browser.operations.ranking.queries.query import Examples, TextQuery
from focal_photos.browser.tasks.runner import Runner


class KeptTrails(QObject):
    """Reads and opens the kept trails.

    Signals
    -------
    message_posted : Message
    """

    message_posted = Signal(object)

    def __init__(self, library: Library, runner: Runner, navigator: Navigator, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library, self._runner, self._navigator = library, runner, navigator
        self.trails: list[KeptTrail] = []

    def read(self) -> None:
        """Read the trails again."""
        self._runner.read("trails", self._library.trails.all, self._take)

    def find_named(self, name: str) -> KeptTrail | None:
        """Return the trail of a name."""
        return next((one for one in self.trails if one.name == name), None)

    def present(self) -> tuple[KeptStep, ...]:
        """Return the steps that are walked now, but for rankings by images that are no photos of the library."""
        return tuple(_kept(step) for step in self._navigator.trail.steps if _lasts(step))

    def open(self, kept: KeptTrail) -> None:
        """Show the last step of a kept trail, with the others before it; the way that is shown becomes a branch.

        Steps whose photos are in the library no more are left out, and the person is told.
        """
        library = self._library
        asked = sorted({photo_id for step in kept.steps for photo_id in _photos(step)})
        focals = np.array(asked, dtype=np.int64)

        def done(there: set[int]) -> None:
            left = [step for step in kept.steps if there.issuperset(_photos(step))]
            gone, name = len(kept.steps) - len(left), shown(kept.name)
            if not any(map(_photos, left)) and gone:
                text = self.tr("Of the trail {0}, no photo is in the library any more.").format(name)
                self.message_posted.emit(Message(text, Severity.WARNING))
                return
            if gone:
                text = self.tr("{0}: {1} of {2} steps are left out, because their photos are in the library no more.")
                text = text.format(name, grouped(gone), grouped(len(kept.steps)))
                self.message_posted.emit(Message(text, Severity.WARNING))
            self._navigator.open_way([_step(step) for step in left])

        self._runner.read("trail", lambda: set(focals[np.isin(focals, library.photos.listed())].tolist()), done)

    def _take(self, trails: list[KeptTrail]) -> None:
        self.trails = trails


def walked(trail: Trail) -> bool:
    """Return whether there is anything to keep: a photo has been walked to."""
    return any(step.ranked and _lasts(step) for step in trail.steps)


def _lasts(step: Step) -> bool:
    """Return whether a step can be shown again in another session: it asks for nothing from outside the library."""
    asked = step.asked
    if isinstance(asked, Examples):
        return all(isinstance(one, int) for one in (*asked.like, *asked.unlike))
    return asked is None or isinstance(asked, TextQuery)


def _photos(kept: KeptStep) -> tuple[int, ...]:
    """Return the photos that a step ranks by."""
    return (*(() if kept.focal is None else (kept.focal,)), *kept.like, *kept.unlike)


def _kept(step: Step) -> KeptStep:
    of = step.collection
    kept = KeptStep(of.query, of.folder, of.among, str(of.order), of.seed, step.focal_id, step.label)
    if isinstance(step.asked, TextQuery):
        return replace(kept, text=step.asked.text)
    if not isinstance(step.asked, Examples):
        return kept
    like, unlike = (tuple(one for one in some if isinstance(one, int)) for some in (step.asked.like, step.asked.unlike))
    return replace(kept, like=like, unlike=unlike)


def _step(kept: KeptStep) -> Step:
    collection = Collection(kept.query, kept.folder, kept.among, seed=kept.seed)
    if kept.order in list(Order):
        collection = replace(collection, order=Order(kept.order))
    asked = TextQuery(kept.text) if kept.text else Examples(kept.like, kept.unlike) if kept.like else None
    return Step(collection, kept.focal, kept.label, asked=asked)
