# SPDX-License-Identifier: MIT
"""A switch between tags and stars for the digit keys."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.settings.user_settings import DIGITS, UserSettings


class DigitSwitch(QPushButton):
    """Shows the meaning of the digits; a click changes it."""

    def __init__(self, user_settings: UserSettings) -> None:
        super().__init__()
        self._user_settings = user_settings
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("variant", "recent")
        self.clicked.connect(self._toggle)
        user_settings.changed.connect(self._show)
        self._show(DIGITS.name)

    def _toggle(self) -> None:
        self._user_settings.set(DIGITS, "stars" if self._user_settings.get(DIGITS) == "tags" else "tags")

    def _show(self, name: str) -> None:
        if name != DIGITS.name:
            return
        if self._user_settings.get(DIGITS) == "tags":
            self.setText(self.tr("1\N{EN DASH}9: tags"))
            tip = self.tr(
                "The keys 1 to 9 add the tags below, Alt+1 to 5 stars. Click to switch: 1 to 5 then add stars"
            )
        else:
            self.setText(self.tr("1\N{EN DASH}5: stars"))
            tip = self.tr(
                "The keys 1 to 5 add stars, 0 removes them, 6 to 9 add labels. Click to switch: 1 to 9 then add tags"
            )
        self.setToolTip(tool_tip(tip))
        self.setAccessibleName(tip)
