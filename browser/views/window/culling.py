# SPDX-License-Identifier: MIT
"""The bar that explains culling, and the keys of culling in the grid and the preview."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QWidget

from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import tool_button
from focal_photos.browser.views.base.labels import ElidedLabel
from focal_photos.browser.views.base.layouts import in_row
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.window.photo_area import PhotoArea

_ICON: Final = 16
_STARS: Final = {Qt.Key(Qt.Key.Key_0 + number): number or None for number in range(6)}
_KEYS: Final = frozenset({Qt.Key.Key_P, Qt.Key.Key_X, Qt.Key.Key_U, Qt.Key.Key_B, *_STARS})


class CullingBar(QWidget):
    """Lists the keys of culling; hidden while culling is off."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("focalPanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Culling"))
        icon = QLabel()
        icon.setPixmap(theme.pixmap("stack", _ICON, "accent", self.devicePixelRatioF()))
        self.words = ElidedLabel(
            self.tr(
                "Culling: 1 to 5 stars, P picks, X rejects, U clears. Bursts are stacked: Shift+P keeps the "
                "best, B expands."
            ),
            "",
        )
        self.close_button = tool_button(
            theme, "cross", self.tr("End culling (K)"), lambda: session.culling.set_on(False)
        )
        in_row(icon, (self.words, 1), self.close_button, margins=(12, 4, 8, 4), spacing=8, parent=self)
        session.culling.changed.connect(lambda: self.setVisible(session.culling.on))
        self.hide()


class CullingKeys(QObject):
    """Handles the keys of culling, which otherwise have other meanings, in the grid and the preview."""

    def __init__(self, session: Session, photos: PhotoArea) -> None:
        super().__init__(photos)
        self._session, self._photos = session, photos
        for widget in (photos.grid, photos.viewer):
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Carry out a key while culling is on."""
        culls = self._session.culling.on and not self._session.tagging.boxes.editing
        if not culls or not isinstance(event, QKeyEvent) or not self._is_ours(event):
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() == QEvent.Type.KeyPress:
            if not event.isAutoRepeat():
                self._press(Qt.Key(event.key()), shifted=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
            return True
        return super().eventFilter(watched, event)

    def _is_ours(self, event: QKeyEvent) -> bool:
        shifted = event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        return (plain and event.key() in _KEYS) or (shifted and event.key() == Qt.Key.Key_P)

    def _press(self, key: Qt.Key, *, shifted: bool) -> None:
        culling = self._session.culling
        goes_on = False
        if key == Qt.Key.Key_B:
            photo_id = self._photos.current_id()
            if photo_id is None or not self._session.duplicates.toggle_fold(photo_id):
                self._session.notices.post(self.tr("This photo has no duplicates or burst."))
        elif key == Qt.Key.Key_P and shifted:
            goes_on = culling.pick_of_stack()
            if not goes_on:
                self._session.notices.post(self.tr("This photo has no duplicates or burst."))
        elif key == Qt.Key.Key_P:
            goes_on = culling.pick()
        elif key == Qt.Key.Key_X:
            goes_on = culling.reject()
        else:
            goes_on = culling.rate(_STARS.get(key))
        if goes_on:
            self._photos.step(1)
