# SPDX-License-Identifier: MIT
"""Questions about ten photos or boxes in a row, the current one large, tagged by a digit or by typing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QKeyEvent, QPixmap
from PySide6.QtWidgets import QToolButton, QWidget

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.models.session import Session
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, clear_layout, in_column, in_row
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.picture import Picture
from focal_photos.browser.views.review.key_bar import KeyBar
from focal_photos.browser.views.review.name_field import NameField
from focal_photos.browser.views.review.subpage import Subpage

_SMALL_TILE: Final = PixelSize(128, 96)
_WHOLE_PHOTO_SIZE: Final = PixelSize(512, 384)
"""Size of the photos from which small pictures of boxes are cut, in device pixels."""


class AskPage(Subpage):
    """Asks about the photos or boxes of `AskNext`."""

    asks_chosen_tags = False
    asks_about_boxes = True

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Ask me next"))
        self._session = session
        self._ask = session.review_pages.ask_next
        self.picture = Picture(theme)
        self.picture.resized.connect(self._request)
        self.crop = Picture(theme)
        self.refuse_button = button("", "", self._ask.refuse)
        self.field = _AnswerField(session)
        self.field.setMaximumWidth(460)
        self._where = label("", "soft")
        row = QWidget()
        row.setObjectName("askedPhotos")
        self._row = in_row(margins=0, spacing=4, parent=row)
        self._row.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.key_bar = KeyBar(session.review_pages.tag_keys)
        self.key_bar.chosen.connect(self._give)
        answer = in_row(STRETCH, (self.field, 2), self._where, self.refuse_button, STRETCH)
        pictures = in_row((self.picture, 2), (self.crop, 1), spacing=10)
        in_column(row, (pictures, 1), answer, self.key_bar, margins=(16, 14, 16, 14), spacing=10, parent=self)
        self.field.key.connect(lambda number: self._give(session.review_pages.tag_keys.tag(number)))
        self.field.entered.connect(self._give)
        self.field.passed.connect(self._ask.pass_over)
        self.field.refused.connect(self.refuse_button.click)
        self.field.stepped.connect(lambda by: self._ask.go_to(self._ask.at + by))
        self._ask.changed.connect(self._show)
        session.review_pages.tag_keys.changed.connect(self._show_chips)
        session.loader.loaded.connect(self._pictures_arrived)
        self._show()
        self._show_chips()

    def enter(self) -> None:
        """Ask about ten photos or boxes."""
        self._ask.ask()
        self.field.setFocus()

    def follow_scope(self) -> None:
        """Ask about those of another scope."""
        self.enter()

    def follow_items(self) -> None:
        """Ask about boxes instead of photos, or the other way round, if the scope changed to them."""
        if self._ask.about_boxes != self._session.scope.boxes:
            self.enter()

    def _give(self, name: str) -> None:
        if self._ask.give(name or self._ask.suggested):
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
            spoken = self.tr("Box {0} of {1}") if photo_id < 0 else self.tr("Photo {0} of {1}")
            tile.setAccessibleName(spoken.format(at + 1, len(ask.photo_ids)))
            tile.clicked.connect(lambda _=False, at=at: ask.go_to(at))
            self._row.addWidget(tile)
        self.field.setEnabled(ask.photo_id is not None)
        if ask.photo_id is not None and self.isVisible():
            self.field.setFocus()
        if ask.busy:
            text = self.tr("Looking for what to ask next\N{HORIZONTAL ELLIPSIS}")
        elif ask.obstacle or not ask.photo_ids:
            nothing = self.tr("No box is left to ask about.") if ask.about_boxes else ""
            text = ask.obstacle or nothing or self.tr("No photo is left to ask about.")
        else:
            text = self.tr("{0} of {1}").format(min(ask.at + 1, len(ask.photo_ids)), len(ask.photo_ids))
        self._where.setText(text)
        self.crop.setVisible(ask.box is not None)
        self.refuse_button.setVisible(ask.box is not None)
        self.refuse_button.setEnabled(not self._session.read_only)
        hint = self.tr("What is it? Press a digit, or type a name and press Enter. Tab skips it.")
        if ask.suggested:
            hint = self.tr("{0}? Press Enter or a digit, or type another name. Tab skips it.").format(ask.suggested)
            self.refuse_button.setText(self.tr("Not {0} (Del)").format(ask.suggested))
        else:
            self.refuse_button.setText(self.tr("Delete the box (Del)"))
        self.field.setPlaceholderText(hint)
        self._session.loader.request("ask-small", self._photos(ask.photo_ids), self._small())
        self._request()
        self._show_pictures()

    def _show_chips(self) -> None:
        self.key_bar.show_tags((), ())

    # ------------------------------------------------------------------ pictures
    def _size(self) -> PixelSize:
        ratio = self.devicePixelRatioF()
        return PixelSize(max(64, int(self.picture.width() * ratio)), max(64, int(self.picture.height() * ratio)))

    def _small(self) -> PixelSize:
        return _WHOLE_PHOTO_SIZE if self._ask.boxes else _SMALL_TILE

    def _photos(self, items: Sequence[int]) -> list[int]:
        return list(dict.fromkeys(map(self._ask.photo_of, items)))

    def _request(self) -> None:
        if self._ask.photo_id is not None and self.isVisible():
            near = self._ask.photo_ids[self._ask.at : self._ask.at + 2]
            self._session.loader.request("ask", self._photos(near), self._size())
        self._show_pictures()

    def _pictures_arrived(self, photo_ids: list[int]) -> None:
        if self.isVisible() and set(photo_ids) & set(self._photos(self._ask.photo_ids)):
            self._show_pictures()

    def _show_pictures(self) -> None:
        loader, ask, present = self._session.loader, self._ask, self._ask.photo_id
        image = None if present is None else loader.image(ask.photo_of(present), self._size())
        region = ask.shown_region(present)
        self.picture.show_image(image)
        self.picture.show_region(
            None if region is None else QRectF(region.x0, region.y0, region.x1 - region.x0, region.y1 - region.y0)
        )
        self.crop.show_image(_cut(image, region))
        for at, item in enumerate(ask.photo_ids):
            tile = self.findChild(QToolButton, f"ask{at}")
            image = _cut(loader.image(ask.photo_of(item), self._small()), ask.shown_region(item))
            if tile is not None and image is not None and not image.isNull():
                tile.setIcon(QIcon(QPixmap.fromImage(image)))


def _cut(image: QImage | None, region: Region | None) -> QImage | None:
    """Return a region of an image; the whole image without one."""
    if image is None or image.isNull() or region is None:
        return image
    width, height = image.width(), image.height()
    ends = [round(side) for side in (region.x0 * width, region.y0 * height, region.x1 * width, region.y1 * height)]
    return image.copy(QRect(ends[0], ends[1], max(1, ends[2] - ends[0]), max(1, ends[3] - ends[1])))


class _AnswerField(NameField):
    """A name field in which arrow keys change the photo, and Delete refuses a box, while it is empty."""

    stepped = Signal(int)
    """An arrow key requests the next (1) or previous (-1) photo."""
    refused = Signal()
    """Delete was pressed."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle arrow keys and Delete in the empty field."""
        if not self.text() and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.stepped.emit(1 if event.key() == Qt.Key.Key_Right else -1)
        elif not self.text() and event.key() == Qt.Key.Key_Delete:
            self.refused.emit()
        else:
            super().keyPressEvent(event)
