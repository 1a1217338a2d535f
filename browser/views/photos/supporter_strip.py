# SPDX-License-Identifier: MIT
"""The supporting neighbours of a tag, over the foot of the grid; the user can remove the tag from wrong ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon, QPixmap
from PySide6.QtWidgets import QFrame, QToolButton, QWidget

from focal_photos.browser.models.photos.tiles import PhotoCard
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.tasks.thumbnail_loader import PixelSize, ThumbnailLoader
from focal_photos.browser.views.base.labels import ElidedLabel
from focal_photos.browser.views.base.layouts import clear_layout, in_column, in_row
from focal_photos.browser.views.base.theme import Theme

PICTURE: Final = PixelSize(150, 112)


class SupporterStrip(QFrame):
    """A row of photos with a digit each."""

    wrong = Signal(int)
    """A photo was clicked or its digit pressed, because its tag is wrong."""
    opened = Signal(int)
    """A photo was clicked or its digit pressed with Ctrl, to open it."""

    def __init__(self, loader: ThumbnailLoader, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("messageBar")
        self.setAccessibleName(self.tr("Similar photos with this tag"))
        self._loader = loader
        self._theme = theme
        self.cards: list[PhotoCard] = []
        self._opens, self._answers = False, True
        self._title = ElidedLabel("", "soft")
        self._row = in_row(spacing=8)
        in_column(self._title, self._row, margins=(12, 8, 12, 10), spacing=6, parent=self)
        loader.loaded.connect(self._pictures_arrived)
        self.hide()

    def show_cards(
        self, tag: str, cards: Sequence[PhotoCard], *, can_open: bool = False, can_answer: bool = True
    ) -> None:
        """Show the supporting neighbours of a tag.

        Parameters
        ----------
        can_open : bool
            Whether Ctrl sets a photo as focal image.
        can_answer : bool
            Whether the tag can be removed; if not, a click can only set a photo as focal image.
        """
        self.cards = list(cards)
        self._opens, self._answers = can_open, can_answer
        clear_layout(self._row)
        if cards:
            text = self.tr("Similar photos tagged {0}.")
            if can_answer:
                text = self.tr("Similar photos tagged {0}. If one is wrong, its digit or a click removes the tag.")
            if can_open and can_answer:
                text += " " + self.tr("With Ctrl, it becomes the focal image.")
            elif can_open:
                text += " " + self.tr("A digit or a click sets one as focal image.")
            self._title.setText(text.format(tag))
        else:
            self._title.setText(self.tr("No similar photo is tagged {0}.").format(tag))
        for number, card in enumerate(cards, start=1):
            tile = QToolButton()
            tile.setObjectName(f"supporter{number}")
            tile.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
            tile.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            tile.setText(f"{number}  {', '.join(card.tags)}"[:24])
            tile.setIconSize(QSize(PICTURE.width, PICTURE.height) * 0.8)
            tile.setAccessibleName(card.name)
            if can_answer:
                tile.setAccessibleName(self.tr("{0} has {1}: remove it").format(card.name, tag))
                tile.setToolTip(tool_tip(self.tr("Remove {0} from {1}").format(tag, card.name)))
            tile.clicked.connect(lambda _=False, number=number: self.take(number, opens=_is_ctrl_held()))
            self._row.addWidget(tile)
        self._row.addStretch(1)
        self._loader.request("supporters", [card.photo.id for card in cards], PICTURE)
        self._show_pictures()

    def take(self, number: int, *, opens: bool = False) -> bool:
        """Report a neighbour as wrong or open it, by its number from 1; return whether it exists."""
        if not 1 <= number <= len(self.cards):
            return False
        photo_id = self.cards[number - 1].photo.id
        if self._opens and (opens or not self._answers):
            self.opened.emit(photo_id)
        elif self._answers:
            self.wrong.emit(photo_id)
        return True

    def _pictures_arrived(self, photo_ids: list[int]) -> None:
        if self.isVisible() and {card.photo.id for card in self.cards} & set(photo_ids):
            self._show_pictures()

    def _show_pictures(self) -> None:
        for number, card in enumerate(self.cards, start=1):
            tile = self.findChild(QToolButton, f"supporter{number}")
            image = self._loader.image(card.photo.id, PICTURE)
            if tile is not None and image is not None and not image.isNull():
                tile.setIcon(QIcon(QPixmap.fromImage(image)))


def _is_ctrl_held() -> bool:
    return bool(QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ControlModifier)
