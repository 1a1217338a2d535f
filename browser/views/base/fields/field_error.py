"""A mistake in a field: a frame around the field, the reason as its tool tip, and in words under it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QWidget

from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.views.base.theme import set_property

_LEAST_WIDTH = 300  # logical pixels


def show_field_error(field: QWidget, reason: str, usual: str = "") -> None:
    """Frame a field and give the reason as its tool tip; an empty reason takes both back, leaving the `usual` one."""
    set_property(field, "wrong", bool(reason))
    field.setToolTip(tool_tip(reason or usual))


class FieldMessage(QLabel):
    """Words under a field, over whatever lies there, so that nothing moves while a person types.

    It is made when it is needed for the first time, a child of the window.
    """

    def __init__(self, field: QWidget) -> None:
        super().__init__(field.window())
        self.setObjectName("field-message")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._field = field
        self.hide()

    def tell(self, text: str) -> None:
        """Show a text; an empty one hides it."""
        self._field.setAccessibleDescription(text)
        self.setText(text)
        if not text:
            self.hide()
            return
        self.ensurePolished()  # the first time too, the height counts the margins of the style sheet
        field, window = self._field, self._field.window()
        width = min(max(field.width(), _LEAST_WIDTH), window.width() - 16)
        corner = field.mapTo(window, QPoint(0, field.height() + 3))
        if field.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            corner.setX(corner.x() + field.width() - width)
        left = min(max(corner.x(), 8), window.width() - width - 8)
        self.setGeometry(left, corner.y(), width, self.heightForWidth(width))
        self.show()
        self.raise_()
