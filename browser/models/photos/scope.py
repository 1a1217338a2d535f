# SPDX-License-Identifier: MIT
"""The scope of Review, "Ask me next", Duplicates and Map: a folder, a filter, a selection, or the whole library."""

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
from focal_photos.browser.models.photos.overview import LibraryOverview
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.photos.trail import Collection

_LEAST_SELECTED: Final = 2
"""Smallest selection that makes a scope; a single photo is nearly always selected."""


@dataclass(frozen=True)
class Scope:
    """A folder, a filter, a selection, or the whole library."""

    collection: Collection = field(default_factory=Collection)
    """Each search evaluates it again, so the scope includes photos added to the folder and new matches of the
    filter."""

    def __post_init__(self) -> None:
        """Reset the sort order, so that scopes of the same photos are equal."""
        object.__setattr__(self, "collection", replace(self.collection, order=Order.FOLDER, seed=0))

    @classmethod
    def of_browse(cls, navigator: Navigator) -> Scope:
        """Return the selection of Browse if it has two or more photos but not all, otherwise its folder and filter."""
        selected = navigator.targets if navigator.selected or navigator.focal_selected else ()
        if len(selected) >= _LEAST_SELECTED and len(navigator.selected) < navigator.grid.rowCount():
            return cls(Collection(among=tuple(sorted(selected))))
        return cls(navigator.collection)

    @property
    def whole(self) -> bool:
        """Whether this is the whole library."""
        return self.collection.everything

    def ids(self, library: Library) -> NDArray[np.int64] | None:
        """Return the photos, (n,), ascending; None for the whole library. Call it in another thread."""
        if self.whole:
            return None
        ids = np.sort(library.photos.listed(self.collection.query, folder=self.collection.folder))
        if self.collection.among is not None:
            ids = ids[np.isin(ids, np.array(self.collection.among, dtype=np.int64))]
        return ids

    @property
    def label(self) -> str:
        """A short description: ``folder: Summer``."""
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
    """The scope that all pages share.

    Leaving Browse for another page sets it; switching between other pages keeps it.
    """

    changed = Signal()
    """`scope` has changed."""
    items_changed = Signal()
    """`boxes` or `has_boxes` has changed."""
    windows_wanted = Signal()
    """Photos must be described for searches by a region first."""

    def __init__(self, navigator: Navigator, overview: LibraryOverview, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._navigator, self._overview = navigator, overview
        self.scope = Scope()
        self.boxes = False
        """Whether pages that can do so show the boxes of the photos in the scope instead of the photos."""
        self.has_boxes = False
        """Whether the library has boxes."""
        overview.changed.connect(self._follow)

    def take_from_browse(self) -> None:
        """Set the scope from Browse; see `Scope.of_browse`."""
        self.choose(Scope.of_browse(self._navigator))

    def choose(self, scope: Scope) -> None:
        """Set the scope."""
        if scope != self.scope:
            self.scope = scope
            self.changed.emit()

    def clear(self) -> None:
        """Set the scope to the whole library."""
        self.choose(Scope())

    def show_boxes(self, on: bool) -> None:
        """Show the boxes of the photos in the scope, if the library has any, or the photos."""
        if (on and self.has_boxes) != self.boxes:
            self.boxes = not self.boxes
            self.items_changed.emit()

    def _follow(self) -> None:
        has_boxes = self._overview.now.boxes > 0
        if has_boxes != self.has_boxes:
            self.has_boxes = has_boxes
            self.boxes = self.boxes and has_boxes
            self.items_changed.emit()
