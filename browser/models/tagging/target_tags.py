# SPDX-License-Identifier: MIT
"""The tags, the rating and the camera data of the photos that tagging acts on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.facts.records import Information, Mark
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.resting_selection import RestingSelection
from focal_photos.browser.models.photos.tiles import PhotoCard, fetch_cards

MOST_PATHS: Final = 2000
"""Largest number of selected photos whose paths are loaded, for example for dragging them to other programs."""


@dataclass(frozen=True)
class TargetTags:
    """The tags of the photos that tagging acts on."""

    photo_ids: tuple[int, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    """Each tag with the number of photos that carry it; fewer than all photos is the mixed state."""
    card: PhotoCard | None = None
    """The photo, if there is only one."""
    mark: Mark = field(default_factory=Mark)
    information: Information = field(default_factory=Information)
    paths: tuple[Path, ...] = ()
    """Files of the photos, at most `MOST_PATHS`."""
    copies: tuple[Path, ...] = ()
    """Other files with the same content, if there is only one photo."""


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


class CurrentTargetTags(Model):
    """The target tags of the present selection, or else of the focal image."""

    changed = Signal()
    """`now` was read again."""

    def __init__(self, services: Services, navigator: Navigator, selection: RestingSelection) -> None:
        super().__init__(services)
        self._navigator = navigator
        self.now = TargetTags()
        selection.rested.connect(self._read)
        self._feed.subscribe(self._take_changes, Kind.TAGS, Kind.SUGGESTIONS, Kind.MARKS, Kind.PHOTOS)

    def _take_changes(self, _changes: ChangeSet) -> None:
        self._read()

    def _read(self) -> None:
        library, targets = self._library, self._navigator.targets
        self._runner.read("targets", lambda: read_target_tags(library, targets), self._show, aside=True)

    def _show(self, found: TargetTags) -> None:
        self.now = found
        self.changed.emit()
