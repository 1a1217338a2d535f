# SPDX-License-Identifier: MIT
"""The hints for new users, in one line above the photos."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from focal_photos.browser.models.photos.first_steps import FirstStep
from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import button, tool_button
from focal_photos.browser.views.base.labels import ElidedLabel
from focal_photos.browser.views.base.layouts import in_row
from focal_photos.browser.views.base.theme import Theme

_ICON: Final = 16


class FirstStepsBar(QWidget):
    """Shows the next step, offers an example, and can be closed; hidden if there is no hint."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("focalPanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("First steps"))
        self._session = session
        self._steps = session.first_steps
        icon = QLabel()
        icon.setPixmap(theme.pixmap("info", _ICON, "accent", self.devicePixelRatioF()))
        self.words = ElidedLabel("", "")
        self.example_button = button(self.tr("Choose one for me"), "link", self._steps.show_example)
        self.close_button = tool_button(theme, "cross", self.tr("Close this hint"), self._steps.stop)
        in_row(
            icon, (self.words, 1), self.example_button, self.close_button, margins=(12, 4, 8, 4), spacing=8, parent=self
        )
        self._steps.changed.connect(self._show)
        self._steps.example_missing.connect(self._explain)
        self._show()

    def _show(self) -> None:
        moved = self.tr("{0} photos moved: the numbers show how far. Continue, or double-click another photo.")
        texts = {
            FirstStep.NONE: "",
            FirstStep.CHOOSE: self.tr("Double-click a photo: all others are ranked by how similar they are to it."),
            FirstStep.JUDGE: self.tr("Click a photo, then press S if it is similar to the focal image, or D if not."),
            FirstStep.MOVED: moved.format(grouped(self._steps.moved)),
        }
        self.words.setText(texts[self._steps.step])
        self.example_button.setVisible(self._steps.step is FirstStep.CHOOSE)
        self.setVisible(self._steps.step is not FirstStep.NONE)

    def _explain(self) -> None:
        text = self.tr("There is no example yet: the photos are still being described, or there are too few.")
        self._session.notices.post(text)
