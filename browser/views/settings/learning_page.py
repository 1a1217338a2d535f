# SPDX-License-Identifier: MIT
"""The settings page of automatic learning, and of showing photos."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.settings.preferences import Preferences
from focal_photos.browser.views.base.layouts import in_column
from focal_photos.browser.views.base.separator import separator
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.settings.limits_page import LimitRow
from focal_photos.browser.views.settings.switch_row import SwitchRow


class LearningPage(QWidget):
    """A check box with an explanation for each switch, and a line for each number."""

    def __init__(self, preferences: Preferences, theme: Theme) -> None:
        super().__init__()
        switches = [SwitchRow(switch, preferences) for switch in preferences.switches]
        self.boxes = {row.name: row.box for row in switches}
        """By the names of the settings."""
        layout = in_column(margins=0, spacing=4, parent=self)
        for switch in switches:
            layout.addWidget(switch)
            layout.addSpacing(10)
        self.rows = {limit.name: LimitRow(limit, preferences, theme) for limit in preferences.showing}
        for row in self.rows.values():
            layout.addWidget(separator())
            layout.addWidget(row)
        layout.addStretch(1)
