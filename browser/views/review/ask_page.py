# SPDX-License-Identifier: MIT
"""Questions about ten photos in a row, the current one large, tagged by a digit or by typing."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QPixmap
from PySide6.QtWidgets import QToolButton, QWidget

from focal_photos.browser.models.session import Session
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, clear_layout, in_column, in_row
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.picture import Picture
from focal_photos.browser.views.review.key_bar import KeyBar
from focal_photos.browser.views.review.name_field import NameField

_SMALL: Final = PixelSize(128, 96)


class AskPage(QWidget):
    """Asks about the photos of `AskNext`."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Ask me next"))
        self._session = session
        self._ask = session.review_pages.ask_next
        self.picture = Picture(theme)
        self.picture.resized.connect(self._request)
        self.field = _AnswerField(session)
        self.field.setPlaceholderText(
            self.tr("What is it? Press a digit, or type a name and press Enter. Tab skips it.")
        )
        self.field.setMaximumWidth(460)
        self._where = label("", "soft")
        row = QWidget()
        row.setObjectName("askedPhotos")
        self._row = in_row(margins=0, spacing=4, parent=row)
        self._row.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.key_bar = KeyBar(session.review_pages.tag_keys)
        self.key_bar.chosen.connect(self._give)
        answer = in_row(STRETCH, (self.field, 2), self._where, STRETCH)
        in_column(row, (self.picture, 1), answer, self.key_bar, margins=(16, 14, 16, 14), spacing=10, parent=self)
        self.field.key.connect(lambda number: self._give(session.review_pages.tag_keys.tag(number)))
        self.field.entered.connect(self._give)
        self.field.passed.connect(self._ask.pass_over)
        self.field.stepped.connect(lambda by: self._ask.go_to(self._ask.at + by))
        self._ask.changed.connect(self._show)
        session.review_pages.tag_keys.changed.connect(self._show_chips)
        session.loader.loaded.connect(self._pictures_arrived)
        self._show()
        self._show_chips()

    def begin(self) -> None:
        """Ask about ten photos."""
        self._ask.ask()
        self.field.setFocus()

    def _give(self, name: str) -> None:
        if self._ask.give(name):
            self.field.setText("")

    def _show(self) -> None:
        ask = self._ask
        clear_layout(self._row)
        for at, photo_id in enumerate(ask.photo_ids):
            tile = QToolButton()
            tile.setObjectName(f"ask{at}")
            tile.setCheckable(True)
            tile.setChecked(at == ask.at)
            tile.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            tile.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            tile.setIconSize(QSize(76, 57))
            tile.setText(ask.given.get(photo_id, "?")[:12])
            tile.setAccessibleName(self.tr("Photo {0} of {1}").format(at + 1, len(ask.photo_ids)))
            tile.clicked.connect(lambda _=False, at=at: ask.go_to(at))
            self._row.addWidget(tile)
        self.field.setEnabled(ask.photo_id is not None)
        if ask.photo_id is not None and self.isVisible():
            self.field.setFocus()
        if ask.busy:
            text = self.tr("Looking for what to ask next\N{HORIZONTAL ELLIPSIS}")
        elif ask.obstacle or not ask.photo_ids:
            text = ask.obstacle or self.tr("No photo is left to ask about.")
        else:
            text = self.tr("{0} of {1}").format(min(ask.at + 1, len(ask.photo_ids)), len(ask.photo_ids))
        self._where.setText(text)
        self._session.loader.request("ask-small", list(ask.photo_ids), _SMALL)
        self._request()
        self._show_pictures()

    def _show_chips(self) -> None:
        self.key_bar.show_tags((), ())

    # ------------------------------------------------------------------ pictures
    def _size(self) -> PixelSize:
        ratio = self.devicePixelRatioF()
        return PixelSize(max(64, int(self.picture.width() * ratio)), max(64, int(self.picture.height() * ratio)))

    def _request(self) -> None:
        if self._ask.photo_id is not None and self.isVisible():
            near = self._ask.photo_ids[self._ask.at : self._ask.at + 2]
            self._session.loader.request("ask", list(near), self._size())
        self._show_pictures()

    def _pictures_arrived(self, photo_ids: list[int]) -> None:
        if self.isVisible() and set(photo_ids) & set(self._ask.photo_ids):
            self._show_pictures()

    def _show_pictures(self) -> None:
        loader, present = self._session.loader, self._ask.photo_id
        self.picture.show_image(None if present is None else loader.image(present, self._size()))
        for at, photo_id in enumerate(self._ask.photo_ids):
            tile, image = self.findChild(QToolButton, f"ask{at}"), loader.image(photo_id, _SMALL)
            if tile is not None and image is not None and not image.isNull():
                tile.setIcon(QIcon(QPixmap.fromImage(image)))


class _AnswerField(NameField):
    """A name field in which arrow keys change the photo while it is empty.

    Signals
    -------
    stepped : int
        An arrow key requests the next (1) or previous (-1) photo.
    """

    stepped = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle arrow keys in the empty field."""
        if not self.text() and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.stepped.emit(1 if event.key() == Qt.Key.Key_Right else -1)
        else:
            super().keyPressEvent(event)
