# SPDX-License-Identifier: MIT
"""A check box of a setting, with an explanation below it."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QWidget

from focal_photos.browser.models.settings.preferences import Preferences, Switch
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import in_column


class SwitchRow(QWidget):
    """A setting that is on or off; it takes effect when the settings are applied."""

    def __init__(self, switch: Switch, preferences: Preferences) -> None:
        super().__init__()
        self.name = switch.name
        self._preferences = preferences
        self.box = QCheckBox(switch.title)
        self.box.setEnabled(not preferences.read_only)
        self.box.toggled.connect(lambda on: preferences.switch(switch.name, on))
        text = label(switch.help, "soft", wrap=True)
        text.setIndent(24)
        in_column(self.box, text, margins=0, spacing=4, parent=self)
        preferences.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        on = self._preferences.is_on(self.name)
        if self.box.isChecked() != on:
            self.box.setChecked(on)
