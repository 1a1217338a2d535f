# SPDX-License-Identifier: MIT
"""Selection of photos for a goal."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QDialog, QSpinBox, QWidget

from focal_photos.browser.models.tagging.photo_picking import PhotoPicking
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.fields.combo_box import ComboBox
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_dialog, in_row
from focal_photos.browser.views.base.theme import Theme

_MAX_COUNT: Final = 100_000
_DEFAULT_COUNT: Final = 20


class PickDialog(QDialog):
    """A list of goals with an explanation of the chosen one, the number of photos, and a button."""

    def __init__(self, picking: PhotoPicking, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Select for a goal"))
        self.setProperty("guide", "browsing.md#selecting-for-a-goal")
        self._picking = picking
        self._meanings = {
            "typical": self.tr("Each photo has a similar one among them: a good start for tagging."),
            "diverse": self.tr("Each photo is as different as possible from those chosen before."),
            "odd": self.tr("Photos that are unlike all others."),
            "balanced": self.tr("The same number of photos for each tag, typical ones."),
            "unsure": self.tr("Untagged photos that are unlike the tagged ones, or between several tags."),
        }
        self.goals = ComboBox(theme)
        self.goals.setAccessibleName(self.tr("Goal"))
        for name, title in (
            ("typical", self.tr("Typical photos")),
            ("diverse", self.tr("Different photos")),
            ("odd", self.tr("Odd photos")),
            ("balanced", self.tr("Balanced by tag")),
            ("unsure", self.tr("Photos with uncertain tags")),
        ):
            self.goals.addItem(title, name)
        self.count = QSpinBox()
        self.count.setRange(1, _MAX_COUNT)
        self.count.setValue(_DEFAULT_COUNT)
        self.count.setAccessibleName(self.tr("Number of photos"))
        self.meaning = label("", "soft", wrap=True)
        self.close_button = button(self.tr("Close"), "", self.reject)
        self.select_button = button(self.tr("Select"), "", self.select)
        self.select_button.setDefault(True)
        text = label(self.tr("Selects some of the photos that the grid shows."), "soft", wrap=True)
        of = label(self.tr("Number of photos"))
        buttons = in_row(STRETCH, self.close_button, self.select_button)
        in_dialog(self, text, self.goals, self.meaning, in_row(of, self.count, STRETCH), buttons)
        self.setMinimumWidth(420)
        self.goals.currentIndexChanged.connect(self._show)
        self._show()

    def select(self) -> None:
        """Select the photos in the background, and close."""
        goal, count = str(self.goals.currentData()), self.count.value()
        self.accept()
        self._picking.select(goal, count)

    def _show(self) -> None:
        self.meaning.setText(self._meanings[self.goals.currentData()])
