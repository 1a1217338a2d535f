# SPDX-License-Identifier: MIT
"""Display of an error in a field: a frame, a tool tip, and a message below the field."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QWidget

from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.views.base.theme import set_property

_LEAST_WIDTH = 300  # logical pixels


def show_field_error(field: QWidget, reason: str, usual: str = "") -> None:
    """Frame a field and show the reason as its tool tip; an empty reason removes both and restores the `usual` one."""
    set_property(field, "wrong", bool(reason))
    field.setToolTip(tool_tip(reason or usual))


class FieldMessage(QLabel):
    """An error message below a field, on top of other widgets, so that nothing moves while the user types.

    It is created on first use, as a child of the window.
    """

    def __init__(self, field: QWidget) -> None:
        super().__init__(field.window())
        self.setObjectName("field-message")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._field = field
        self.hide()

    def show_text(self, text: str) -> None:
        """Show a text; an empty one hides the message."""
        self._field.setAccessibleDescription(text)
        self.setText(text)
        if not text:
            self.hide()
            return
        self.ensurePolished()  # so that the first height includes the margins of the style sheet
        field, window = self._field, self._field.window()
        width = min(max(field.width(), _LEAST_WIDTH), window.width() - 16)
        corner = field.mapTo(window, QPoint(0, field.height() + 3))
        if field.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            corner.setX(corner.x() + field.width() - width)
        left = min(max(corner.x(), 8), window.width() - width - 8)
        self.setGeometry(left, corner.y(), width, self.heightForWidth(width))
        self.show()
        self.raise_()
