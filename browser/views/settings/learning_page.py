"""The settings page of automatic learning, and of showing photos."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from focal_photos.browser.models.settings.preferences import Preferences
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.separator import separator
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.settings.limits_page import LimitRow


class LearningPage(QWidget):
    """A check box with an explanation for each switch, and a line for each number.

    Attributes
    ----------
    boxes : dict of str to QCheckBox
        By the names of the settings.
    rows : dict of str to LimitRow
    """

    def __init__(self, preferences: Preferences, theme: Theme) -> None:
        super().__init__()
        self._preferences = preferences
        self.boxes = {switch.name: QCheckBox(switch.title) for switch in preferences.switches}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        for switch in preferences.switches:
            box = self.boxes[switch.name]
            box.setEnabled(not preferences.read_only)
            box.toggled.connect(lambda on, name=switch.name: preferences.switch(name, on))
            text = label(switch.help, "soft", wrap=True)
            text.setIndent(24)
            layout.addWidget(box)
            layout.addWidget(text)
            layout.addSpacing(10)
        self.rows = {limit.name: LimitRow(limit, preferences, theme) for limit in preferences.showing}
        for row in self.rows.values():
            layout.addWidget(separator())
            layout.addWidget(row)
        layout.addStretch(1)
        preferences.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        for name, box in self.boxes.items():
            if box.isChecked() != self._preferences.is_on(name):
                box.setChecked(self._preferences.is_on(name))
