"""A switch between tags and stars for the digit keys."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.settings.person import DIGITS, Person


class DigitSwitch(QPushButton):
    """Shows the meaning of the digits; a click changes it.

    Parameters
    ----------
    person : Person
        Saves the choice.
    """

    def __init__(self, person: Person) -> None:
        super().__init__()
        self._person = person
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("variant", "recent")
        self.clicked.connect(self._turn)
        person.changed.connect(self._show)
        self._show(DIGITS.name)

    def _turn(self) -> None:
        self._person.set(DIGITS, "stars" if self._person.get(DIGITS) == "tags" else "tags")

    def _show(self, name: str) -> None:
        if name != DIGITS.name:
            return
        if self._person.get(DIGITS) == "tags":
            self.setText(self.tr("1\N{EN DASH}9: tags"))
            tip = self.tr("The keys 1 to 9 add the tags below, Alt+1 to 5 stars. Click: 1 to 5 add stars")
        else:
            self.setText(self.tr("1\N{EN DASH}5: stars"))
            tip = self.tr("The keys 1 to 5 add stars, 0 removes them, 6 to 9 add labels. Click: 1 to 9 add tags")
        self.setToolTip(tool_tip(tip))
        self.setAccessibleName(tip)
