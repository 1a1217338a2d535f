# SPDX-License-Identifier: MIT
"""A page with a list of questions about single photos, and the current one beside it with the buttons that answer it.

Check tags and Agreement are such pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPixmap, QShowEvent
from PySide6.QtWidgets import (
    QLabel,
    QLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QWidget,
)

from focal_photos.browser.models.photos.tiles import PhotoCard
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.review.check_tags import PICTURE
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import ElidedLabel, label
from focal_photos.browser.views.base.layouts import STRETCH, in_column
from focal_photos.browser.views.base.painting import square_icon
from focal_photos.browser.views.review.subpage import Subpage

_ICON: Final = QSize(64, 48)
_PICTURES: Final = 60
"""Number of questions listed with a picture."""


class AboutPhoto(Protocol):
    """A question about a photo."""

    @property
    def photo_id(self) -> int:
        """The photo."""


class ListPage(Subpage):
    """A list of questions: Enter keeps the answer, X changes it, arrow keys select another question."""

    asks_chosen_tags = False
    counts_photos_left = False

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.words = label("", "soft", wrap=True)
        self.question = label("", "title", wrap=True)
        self.picture = QuestionPicture()
        self.keep_button = button("", "primary")
        self.change_button = button("")
        self.next_button = button(self.tr("Next"))
        self.list = AnswerList(self.keep_button, self.change_button)
        self.list.left.connect(self.left)
        self.back_button = button(self.tr("Back to Review"), "", self.left.emit)
        session.loader.loaded.connect(self._pictures_arrived)

    # ------------------------------------------------------------------ for subclasses
    def _listed(self) -> Sequence[AboutPhoto]:
        """Return the questions in the order of the list."""
        raise NotImplementedError

    def _near(self) -> Sequence[int | None]:
        """Return the photos of the current question."""
        raise NotImplementedError

    def _arrange(
        self, name: str, top: Sequence[QWidget | QLayout], lists: QWidget, body: Sequence[QWidget | QLayout]
    ) -> None:
        """Place the rows above, the list (perhaps with others), and the parts of the current question beside it.

        `name` is the accessible name of the list.
        """
        self.list.setAccessibleName(name)
        inside = QWidget()
        in_column(*body, STRETCH, margins=(18, 6, 6, 6), spacing=12, parent=inside)
        self._body = QScrollArea()
        self._body.setAccessibleName(name)
        self._body.setWidgetResizable(True)
        self._body.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click beside the buttons leaves the keys to the list
        self._body.setFrameShape(QScrollArea.Shape.NoFrame)
        self._body.setWidget(inside)
        self._columns = QSplitter(Qt.Orientation.Horizontal)
        self._columns.setHandleWidth(1)
        self._columns.addWidget(lists)
        self._columns.addWidget(self._body)
        self._columns.setStretchFactor(1, 1)
        layout = in_column(*top, (self._columns, 1), margins=(18, 14, 18, 14), spacing=10, parent=self)
        layout.addStretch(0)  # takes the place of the list when there is nothing to show

    def _show_list(self, texts: Sequence[tuple[str, str]], at: int, *, shown: bool, can_answer: bool) -> None:
        """Show the questions of `_listed`.

        Parameters
        ----------
        texts : sequence of (str, str)
            Of each question, the text of its line and that of its tool tip.
        at : int
            Place of the current question.
        shown : bool
            Whether the list is shown at all.
        can_answer : bool
            Whether the current question can be answered.
        """
        with QSignalBlocker(self.list):
            self.list.clear()
            for text, spoken in texts:
                self.list.add(text, spoken)
            self.list.setCurrentRow(at)
        if shown == self._columns.isHidden():
            self._columns.setVisible(shown)
            if self.isVisible():
                self._take_keyboard()
        self._body.setVisible(at < len(texts))
        for each in self.list.buttons:
            each.setEnabled(can_answer)
        self.next_button.setEnabled(at + 1 < len(texts))

    def _take_keyboard(self) -> None:
        (self.back_button if self._columns.isHidden() else self.list).setFocus()

    # ------------------------------------------------------------------ pictures
    def _request(self) -> None:
        """Request the pictures of the current question, then those of the list."""
        if self.isVisible() and self._listed():
            near = [photo_id for photo_id in self._near() if photo_id is not None]
            listed = [one.photo_id for one in self._listed()[:_PICTURES]]
            self._session.loader.request("check", list(dict.fromkeys([*near, *listed])), PICTURE)
        self._show_pictures()

    def _pictures_arrived(self, _photo_ids: list[int]) -> None:
        if self.isVisible():
            self._show_pictures()

    def _show_pictures(self) -> None:
        loader = self._session.loader
        for picture in self._body.findChildren(QuestionPicture):
            if picture.photo_id is not None:
                image = loader.image(picture.photo_id, PICTURE)
                picture.show_pixmap(None if image is None or image.isNull() else QPixmap.fromImage(image))
        for row, one in enumerate(self._listed()[:_PICTURES]):
            image = loader.image(one.photo_id, PICTURE)
            if image is not None and not image.isNull():
                self.list.item(row).setIcon(square_icon(image))

    def showEvent(self, event: QShowEvent) -> None:
        """Request the pictures."""
        self._request()


class AnswerList(QListWidget):
    """A list of questions with pictures; Enter and X press the buttons that answer the current one, Esc leaves."""

    left = Signal()
    """Esc was pressed."""

    def __init__(self, enter: QPushButton, x: QPushButton) -> None:
        super().__init__()
        self._keys = {Qt.Key.Key_Return: enter, Qt.Key.Key_Enter: enter, Qt.Key.Key_X: x}
        self.setIconSize(_ICON)
        self.setUniformItemSizes(True)
        self.setMinimumWidth(220)

    @property
    def buttons(self) -> set[QPushButton]:
        """The buttons that its keys press."""
        return set(self._keys.values())

    def add_key(self, key: Qt.Key, pressed: QPushButton) -> None:
        """Let another key press a button."""
        self._keys[key] = pressed

    def add(self, text: str, spoken: str) -> None:
        """Add a question with the text of its tool tip."""
        item = QListWidgetItem(text)
        item.setToolTip(tool_tip(spoken))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
        self.addItem(item)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Answer the current question, or move on."""
        pressed = self._keys.get(Qt.Key(event.key()))
        if pressed is not None:
            pressed.click()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class QuestionPicture(QWidget):
    """A photo with its name below.

    Parameters
    ----------
    small : bool
        Whether it is one of several beside the photo in question.
    """

    def __init__(self, *, small: bool = False) -> None:
        super().__init__()
        self.photo_id: int | None = None
        self._small = small
        self._image = QLabel()
        self._image.setMinimumSize(QSize(120, 90) if small else QSize(220, 165))
        self._name = ElidedLabel("", "faint")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedWidth(136 if small else 300)
        in_column(self._image, self._name, margins=0, spacing=4, parent=self)

    def set_photo(self, photo_id: int | None, card: PhotoCard | None) -> None:
        """Set the photo, and show its name and tags; its picture follows."""
        self.photo_id = photo_id
        text = "" if card is None else ": ".join(filter(None, (card.name, ", ".join(card.tags))))
        self._name.show_file_name(text)
        self.setAccessibleName(text)

    def show_pixmap(self, pixmap: QPixmap | None) -> None:
        """Show the photo; None clears it."""
        if pixmap is None:
            self._image.clear()
            return
        side = QSize(136, 102) if self._small else QSize(300, 225)
        ratio = self.devicePixelRatioF()
        scaled = pixmap.scaled(
            side * ratio, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        scaled.setDevicePixelRatio(ratio)
        self._image.setPixmap(scaled)
