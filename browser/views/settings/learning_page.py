"""The page of the settings that says what is learned by itself."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from focal_photos.browser.models.settings.preferences import Preferences
from focal_photos.browser.views.base.labels import label


class LearningPage(QWidget):
    """A check box for each switch, with what it does under it."""

    def __init__(self, preferences: Preferences) -> None:
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
        layout.addStretch(1)
        preferences.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        for name, box in self.boxes.items():
            if box.isChecked() != self._preferences.is_on(name):
                box.setChecked(self._preferences.is_on(name))
