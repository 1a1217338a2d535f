# SPDX-License-Identifier: MIT
"""Folding of duplicates in rankings."""

from __future__ import annotations

from PySide6.QtCore import QObject

from focal_photos.browser.models.duplicates.duplicate_groups import DuplicateGroups
from focal_photos.browser.models.photos.examples import ShownExamples
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.overview import LibraryOverview


class Folding(QObject):
    """Finds the duplicates that rankings fold once there is a ranking, and arranges it again when they change."""

    def __init__(
        self,
        duplicates: DuplicateGroups,
        navigator: Navigator,
        examples: ShownExamples,
        overview: LibraryOverview,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._duplicates, self._navigator, self._overview = duplicates, navigator, overview
        duplicates.folds_changed.connect(navigator.follow_judgements)
        navigator.focal_changed.connect(self._find)
        examples.changed.connect(self._find)

    def _find(self) -> None:
        if self._navigator.ranked and self._overview.now.folds:
            self._duplicates.find_once()
