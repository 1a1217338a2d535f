"""The photos that Review, "Ask me next", Duplicates and Map work on: what Browse showed when the page was opened."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication, QObject, Signal

from focal_photos.browser.catalog.facts.order import Order
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.formatting import photos_in_words
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.photos.trail import Collection

_LEAST_SELECTED: Final = 2
"""Photos that have to be selected to be a scope: one is selected most of the time."""


@dataclass(frozen=True)
class Scope:
    """A folder, a filter, a selection, or the whole library.

    Attributes
    ----------
    collection : Collection
        The photos. They are looked up whenever they are needed, so photos that are added to the folder, or that the
        filter comes to find, belong to the scope too.
    """

    collection: Collection = field(default_factory=Collection)

    def __post_init__(self) -> None:
        """Leave out in which order the photos are shown: it does not matter here."""
        object.__setattr__(self, "collection", replace(self.collection, order=Order.FOLDER, seed=0))

    @classmethod
    def of_browse(cls, navigator: Navigator) -> Scope:
        """Return what Browse shows: the selected photos, if they are at least two and not all, else what is listed."""
        selected = navigator.targets if navigator.selected or navigator.focal_selected else ()
        if len(selected) >= _LEAST_SELECTED and len(navigator.selected) < navigator.grid.rowCount():
            return cls(Collection(among=tuple(sorted(selected))))
        return cls(navigator.collection)

    @property
    def whole(self) -> bool:
        """Whether it is the whole library."""
        return self.collection.everything

    def ids(self, library: Library) -> NDArray[np.int64] | None:
        """Return the photos, (n,), ascending; None for the whole library. For another thread."""
        if self.whole:
            return None
        ids = np.sort(library.photos.listed(self.collection.query, folder=self.collection.folder))
        if self.collection.among is not None:
            ids = ids[np.isin(ids, np.array(self.collection.among, dtype=np.int64))]
        return ids

    @property
    def label(self) -> str:
        """What it is, in a few words."""
        collection = self.collection
        parts = []
        if collection.among is not None:
            photos = photos_in_words(len(collection.among))
            parts.append(QCoreApplication.translate("scope", "selection: {0}").format(photos))
        if collection.folder is not None:
            name = shown(collection.folder.name) or shown(str(collection.folder))
            parts.append(QCoreApplication.translate("scope", "folder: {0}").format(name))
        if collection.query:
            parts.append(QCoreApplication.translate("scope", "filter: {0}").format(collection.query))
        return ", ".join(parts) or QCoreApplication.translate("scope", "the whole library")


class CurrentScope(QObject):
    """The scope of all pages that have one.

    It is taken from Browse whenever Browse is left, and stays until then, also from one page to the next.

    Signals
    -------
    changed : None
        `scope` is another one.
    """

    changed = Signal()

    def __init__(self, navigator: Navigator, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._navigator = navigator
        self.scope = Scope()

    def take_from_browse(self) -> None:
        """Work on what Browse shows now."""
        self.choose(Scope.of_browse(self._navigator))

    def choose(self, scope: Scope) -> None:
        """Work on some photos."""
        if scope != self.scope:
            self.scope = scope
            self.changed.emit()

    def clear(self) -> None:
        """Work on the whole library."""
        self.choose(Scope())
