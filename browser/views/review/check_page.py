# SPDX-License-Identifier: MIT
"""Check tags: the list of likely label errors, and the current photo beside photos that contradict it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPixmap, QShowEvent
from PySide6.QtWidgets import (
    QLabel,
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
from focal_photos.browser.models.review.check_tags import PICTURE, CheckTags
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import ElidedLabel, label
from focal_photos.browser.views.base.layouts import STRETCH, FlowLayout, clear_layout, in_column, in_row
from focal_photos.browser.views.base.painting import square_icon
from focal_photos.browser.views.base.theme import Theme

_ICON: Final = QSize(64, 48)


class CheckPage(QWidget):
    """A list of label errors: Enter keeps the current tag, X changes it, arrow keys select another one.

    The list may be one of boxes, which Delete removes.
    """

    left = Signal()
    """Esc or the button was pressed, to return to the questions of Review."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Check tags"))
        self._session = session
        self._theme = theme
        self._model: CheckTags = session.review_pages.check_tags
        self.words = label("", "soft", wrap=True)
        self.question = label("", "title", wrap=True)
        self.picture = CheckPicture()
        self.focal = CheckPicture()
        self.against = label("", "faint")
        self._supporters = FlowLayout(8)
        self.keep_button = button(self.tr("Keep"), "primary", self._model.keep_current)
        self.correct_button = button(self.tr("Change"), "", self._model.correct_current)
        self.delete_button = button(self.tr("Delete the box (Del)"), "", self._model.delete_current)
        self.list = AnswerList(
            self.tr("Likely label errors"), self.keep_button, self.correct_button, self.delete_button
        )
        self.list.currentRowChanged.connect(self._model.go_to)
        self.list.left.connect(self.left)
        self.next_button = button(self.tr("Next"), "", lambda: self._model.go_to(self._model.at + 1))
        self.again_button = button(self.tr("Check again"), "", self._model.look)
        self.back_button = button(self.tr("Back to Review"), "", self.left.emit)
        self._body = self._make_body()
        columns = self._columns = QSplitter(Qt.Orientation.Horizontal)
        columns.setHandleWidth(1)
        columns.addWidget(self.list)
        columns.addWidget(self._body)
        columns.setSizes([320, 900])
        columns.setStretchFactor(1, 1)
        top = in_row((self.words, 1), self.again_button, self.back_button)
        layout = in_column(top, (columns, 1), margins=(18, 14, 18, 14), spacing=10, parent=self)
        layout.addStretch(0)  # takes the place of the list when there is nothing to show
        self._model.changed.connect(self._show)
        session.loader.loaded.connect(self._pictures_arrived)
        self._show()

    def _make_body(self) -> QWidget:
        photos = in_row(self.focal, self.picture, STRETCH, spacing=14)
        buttons = in_row(self.keep_button, self.correct_button, self.delete_button, self.next_button, STRETCH)
        inside = QWidget()
        in_column(
            self.question,
            photos,
            buttons,
            self.against,
            self._supporters,
            STRETCH,
            margins=(18, 6, 6, 6),
            spacing=12,
            parent=inside,
        )
        area = QScrollArea()
        area.setAccessibleName(self.tr("Likely label errors"))
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click beside the buttons leaves the keys to the list
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(inside)
        return area

    def enter(self) -> None:
        """Make the list if it is outdated, and take the keyboard focus."""
        self._model.look_again()
        self._take_keyboard()

    def _take_keyboard(self) -> None:
        (self.back_button if self._columns.isHidden() else self.list).setFocus()

    def _show(self) -> None:
        model, one = self._model, self._model.current
        if model.busy and model.boxes:
            self.words.setText(self.tr("Comparing the boxes with each other\N{HORIZONTAL ELLIPSIS}"))
        elif model.busy:
            self.words.setText(self.tr("Comparing tags and judgements with similar photos\N{HORIZONTAL ELLIPSIS}"))
        elif model.found and model.boxes:
            text = QCoreApplication.translate(
                "check",
                "The names of %n boxes are probably wrong. Those you keep will not be listed again.",
                "",
                len(model.found),
            )
            self.words.setText(text)
        elif model.found:
            text = QCoreApplication.translate(
                "check",
                "%n tags or judgements are probably wrong. Those you keep will not be listed again.",
                "",
                len(model.found),
            )
            self.words.setText(text)
        else:
            self.words.setText(self.tr("Nothing stands out."))
        self.again_button.setEnabled(not model.busy)
        self._fill_list()
        shown = bool(model.found) or model.busy
        if shown == self._columns.isHidden():
            self._columns.setVisible(shown)
            if self.isVisible():
                self._take_keyboard()
        self._body.setVisible(one is not None)
        for each in (self.keep_button, self.correct_button, self.delete_button):
            each.setEnabled(one is not None and not model.read_only)
        self.delete_button.setVisible(model.boxes)
        self.next_button.setEnabled(model.at + 1 < len(model.found))
        clear_layout(self._supporters)
        if one is None:
            return
        self.question.setText(model.question(one))
        self.keep_button.setText(self.tr("{0} (Enter)").format(model.keeping(one)))
        self.correct_button.setText(self.tr("{0} (X)").format(model.correction(one)))
        self.focal.setVisible(one.focal_id is not None)
        against = (
            self.tr("Similar boxes named differently:")
            if model.boxes
            else self.tr("Similar photos tagged differently:")
        )
        self.against.setText(against if one.supporters else "")
        for photo_id in one.supporters:
            card = model.cards.get(photo_id)
            supporter = CheckPicture(small=True)
            supporter.photo_id = photo_id
            supporter.name(caption(card))
            self._supporters.addWidget(supporter)
        self.picture.photo_id, self.focal.photo_id = one.photo_id, one.focal_id
        for picture in (self.picture, self.focal):
            card = model.cards.get(picture.photo_id) if picture.photo_id is not None else None
            picture.name(caption(card))
        self._request()

    def _fill_list(self) -> None:
        model = self._model
        with QSignalBlocker(self.list):
            self.list.clear()
            for one in model.found:
                text = model.question(one)
                self.list.add(f"{100 * one.probability:.0f} %  {one.tag or text}", text)
            self.list.setCurrentRow(model.at)

    def _request(self) -> None:
        if self.isVisible() and self._model.found:
            one = self._model.current
            near = () if one is None else (one.photo_id, one.focal_id, *one.supporters)
            own = [photo_id for photo_id in near if photo_id is not None]
            listed = [other.photo_id for other in self._model.found[:60]]
            self._session.loader.request("check", list(dict.fromkeys([*own, *listed])), PICTURE)
        self._show_pictures()

    def _pictures_arrived(self, _photo_ids: list[int]) -> None:
        if self.isVisible():
            self._show_pictures()

    def _show_pictures(self) -> None:
        loader = self._session.loader
        for picture in self._body.findChildren(CheckPicture):
            if picture.photo_id is not None:
                image = loader.image(picture.photo_id, PICTURE)
                picture.show_pixmap(None if image is None or image.isNull() else QPixmap.fromImage(image))
        for row, one in enumerate(self._model.found[:60]):
            image = loader.image(one.photo_id, PICTURE)
            item = self.list.item(row)
            if image is not None and not image.isNull():
                item.setIcon(square_icon(image))

    def showEvent(self, event: QShowEvent) -> None:
        """Request the pictures."""
        self._request()


def caption(card: PhotoCard | None) -> str:
    """Return the name of a photo with its tags, if it has any."""
    return "" if card is None else ": ".join(filter(None, (card.name, ", ".join(card.tags))))


class AnswerList(QListWidget):
    """A list of questions with pictures; Enter, X and Del press the buttons that answer the current one, Esc leaves."""

    left = Signal()
    """Esc was pressed."""

    def __init__(self, name: str, enter: QPushButton, x: QPushButton, delete: QPushButton | None = None) -> None:
        super().__init__()
        self._keys = {Qt.Key.Key_Return: enter, Qt.Key.Key_Enter: enter, Qt.Key.Key_X: x, Qt.Key.Key_Delete: delete}
        self.setIconSize(_ICON)
        self.setUniformItemSizes(True)
        self.setAccessibleName(name)
        self.setMinimumWidth(220)

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


class CheckPicture(QWidget):
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

    def name(self, text: str) -> None:
        """Set the name of the photo."""
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
