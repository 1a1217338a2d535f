"""Labels: plain text in a variant of the style sheet, and text that is shortened to fit."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from focal_photos.browser.models.photos.tool_tip import tool_tip


def label(text: str = "", variant: str = "", *, wrap: bool = False) -> QLabel:
    """Return a plain-text label; `variant` names a style of the sheet."""
    widget = QLabel(text)
    widget.setTextFormat(Qt.TextFormat.PlainText)
    widget.setWordWrap(wrap)
    if variant:
        widget.setProperty("variant", variant)
    return widget


class ElidedLabel(QLabel):
    """A label that shortens its text in the middle instead of asking for more room."""

    def __init__(self, text: str = "", variant: str = "") -> None:
        super().__init__()
        self._text = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        if variant:
            self.setProperty("variant", variant)
        self.setText(text)

    def setText(self, text: str) -> None:
        """Show a text."""
        self._text = text
        self.setToolTip(tool_tip(text))
        self.setAccessibleName(text)
        self._elide()

    def full_text(self) -> str:
        """Return the whole text."""
        return self._text

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shorten the text for the new width."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room = max(20, self.width() - 2)
        super().setText(self.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideMiddle, room))
