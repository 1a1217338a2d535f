# SPDX-License-Identifier: MIT
"""Culling: stars, picks and rejections photo by photo, with bursts stacked behind their sharpest photo."""

from __future__ import annotations

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.facts.marks import REJECTED
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.duplicates.duplicate_groups import DuplicateGroups
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.operations.duplicates import stacks

PICKED = 1
"""Stars of a picked photo that had none."""


class Culling(Model):
    """The culling mode, and its actions."""

    changed = Signal()
    """`on` has changed."""

    def __init__(self, services: Services, navigator: Navigator, duplicates: DuplicateGroups, editor: Editor) -> None:
        super().__init__(services)
        self._navigator, self._duplicates, self._editor = navigator, duplicates, editor
        self.on = False
        duplicates.folds_changed.connect(self._stack)

    def set_on(self, on: bool) -> None:
        """Begin or end culling; at the beginning, bursts are searched for and then stacked."""
        if on == self.on or (on and self._library.read_only):
            return
        self.on = on
        stacks.stack_in_folder_order(self._library, on)
        if on:
            self._duplicates.find_once()
        self.changed.emit()
        self._navigator.again()

    def rate(self, rating: int | None) -> bool:
        """Rate the selected photos with stars, reject them (-1) or remove their rating (None).

        Returns
        -------
        bool
            Whether a single photo is selected, so that the view moves on to the next one.
        """
        photo_ids = self._navigator.targets
        if photo_ids:
            self._editor.rate(photo_ids, rating)
        return len(photo_ids) == 1

    def pick(self) -> bool:
        """Pick the selected photos: those without a star get one. Returns the same as `rate`."""
        photo_ids = self._navigator.targets
        if photo_ids:
            self._editor.pick(photo_ids)
        return len(photo_ids) == 1

    def pick_of_stack(self) -> bool:
        """Pick the selected photo and reject the others of its stack; return whether it has a stack."""
        photo_ids = self._navigator.targets
        others = self._duplicates.others_of(photo_ids[0]) if len(photo_ids) == 1 else []
        if others:
            self._editor.pick(photo_ids, instead_of=others)
        return bool(others)

    def reject(self) -> bool:
        """Reject the selected photos; returns the same as `rate`."""
        return self.rate(REJECTED)

    def _stack(self) -> None:
        if self.on and not self._navigator.ranked:
            self._navigator.again()
