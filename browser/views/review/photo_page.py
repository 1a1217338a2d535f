# SPDX-License-Identifier: MIT
"""One photo, large, with its tags and those that it may lack, which a click, a digit or a letter adds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from focal_photos.browser.views.base.buttons import FreshButton, button
from focal_photos.browser.views.base.fields.completer import line_key, pressed_line
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, FlowLayout, clear_layout, in_column, in_row
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.photos.picture import Picture
from focal_photos.browser.views.review.key_bar import KeyBar
from focal_photos.browser.views.review.name_field import NameField
from focal_photos.browser.views.review.subpage import Subpage

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.review.photo_by_photo import OpenPhoto

_WIDTH: Final = 400  # pixels of the column beside the photo
_LETTERS: Final = 22  # largest length of a tag's displayed name


class PhotoPage(Subpage):
    """Asks about the photos of `PhotoByPhoto`."""

    gives_way = True

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Photo by photo"))
        self._session = session
        self._model = session.review_pages.photo_by_photo
        self.picture = Picture(theme)
        self.picture.resized.connect(self._request)
        in_row((self.picture, 1), self._column(session), margins=(16, 14, 16, 14), spacing=16, parent=self)
        self._connect()
        self._show()

    # ------------------------------------------------------------------ creation
    def _column(self, session: Session) -> QWidget:
        column = QWidget()
        column.setFixedWidth(_WIDTH)
        self._title = label("", "title")
        self._title.setFont(scaled_font(self.font(), 1.5))
        self._where = label("", "soft")
        self._tags = label("", "soft", wrap=True)
        self.field = _TagField(session)
        self.field.setPlaceholderText(self.tr("Press a digit or type; Enter continues"))
        area = QWidget()
        self._chips = FlowLayout(5)
        area.setLayout(self._chips)
        policy = area.sizePolicy()
        policy.setHeightForWidth(True)
        area.setSizePolicy(policy)
        self._chips_area = area
        self.key_bar = KeyBar(session.review_pages.tag_keys)
        self._how = label("", "faint", wrap=True)
        self.keep_button = button(self.tr("Keep"), "primary", self._model.keep)
        self.keep_button.setToolTip(self.tr("Enter, or add the last tag with the middle button or Ctrl+click"))
        self.skip_button = button(self.tr("Leave open"), "", self._model.leave_open)
        self.skip_button.setToolTip(self.tr("Continue without an answer (Tab)"))
        self.later_button = button(self.tr("Not now"), "", self._model.leave_all)
        self.later_button.setToolTip(self.tr("Leave all these photos open"))
        heading = in_row((self._title, 1), self._where)
        foot = in_row(self.keep_button, self.skip_button, self.later_button, STRETCH)
        parts = heading, self._tags, self.field, self.key_bar, area, self._how, STRETCH, foot
        in_column(*parts, margins=0, spacing=10, parent=column)
        return column

    def _connect(self) -> None:
        model, field = self._model, self.field
        model.changed.connect(self._show)
        self._session.loader.loaded.connect(self._pictures_arrived)
        field.textChanged.connect(self._show_chips)
        field.entered.connect(self._enter)
        field.entered_new.connect(self._make)
        field.key.connect(lambda number: self._toggle(self._session.review_pages.tag_keys.tag(number)))
        field.completed.connect(self._take)
        field.line_chosen.connect(self._take)
        self.key_bar.chosen.connect(self._toggle)
        self._session.review_pages.tag_keys.changed.connect(self._show_chips)
        field.passed.connect(model.leave_open)
        field.stepped.connect(model.step)
        field.escaped.connect(self.left)

    # ------------------------------------------------------------------ user actions
    def enter(self) -> None:
        """Give the keyboard focus to the field."""
        self.field.setFocus()

    def _enter(self, text: str) -> None:
        """Save the chosen tags; with a text, choose the first matching tag, or create a new one."""
        if not text:
            self._model.keep()
        elif self._model.offered(text):
            self._take()
        else:
            self._make(text)

    def _make(self, text: str) -> None:
        """Choose a tag as typed."""
        if self._model.choose(text):
            self.field.setText("")

    def _take(self, place: int = 0) -> None:
        """Choose one of the matching tags, 0 for the first; it is the answer where tags exclude each other."""
        model = self._model
        tags = model.offered(self.field.text())[place : place + 1]
        answers = model.photo is not None and model.photo.one_tag
        if tags and (answers or tags[0] not in model.chosen):
            self._toggle(tags[0])
        self.field.setText("")

    def _toggle(self, tag: str, *, goes_on: bool = False) -> None:
        """Add a tag, or remove it again; if tags are exclusive, this is the answer."""
        photo = self._model.photo
        if not tag or photo is None or tag in photo.tags:
            return
        self.field.setText("")
        self._model.toggle(tag)
        if goes_on and photo is self._model.photo:
            self._model.keep()

    # ------------------------------------------------------------------ display
    def chips(self) -> list[TagButton]:
        """Return the offered and chosen tags."""
        return [widget for widget in self._chips.widgets() if isinstance(widget, TagButton)]

    def _show(self) -> None:
        model = self._model
        photo = model.photo
        if photo is not None:
            self._where.setText(self.tr("{0} of {1}").format(model.at + 1, len(model.photos)))
            self._describe(photo)
        self._show_chips()
        self._request()

    def _describe(self, photo: OpenPhoto) -> None:
        """Show the question, and the effect of Enter."""
        chosen, has = self._model.chosen, ", ".join(photo.tags)
        title = self.tr("What else is in this photo?") if has else self.tr("What is in this photo?")
        nothing = self.tr("Nothing else") if has else self.tr("Nothing")
        answer = self.tr("Add {0} and continue").format(len(chosen))
        how = self.tr("Click or press a key to add a tag; type to find others. Enter continues.")
        if photo.one_tag:
            title, nothing = self.tr("What is it?"), self.tr("None of these")
            answer = self.tr("It is {0}").format(", ".join(_short(tag) for tag in chosen))
            how = self.tr("One click or key answers and continues; type to find any tag.")
        self._title.setText(title)
        self._tags.setText(self.tr("It has: {0}").format(has) if has else self.tr("It has no tag yet."))
        self._how.setText(how)
        self.keep_button.setText((answer if chosen else nothing) + "  \N{RETURN SYMBOL}")

    def _show_chips(self) -> None:
        """Show the offered tags: those with keys in order, then the likeliest; with a text, the matching ones."""
        clear_layout(self._chips)
        model, typed, keys = self._model, self.field.text(), self._session.review_pages.tag_keys
        photo = model.photo
        if photo is None:
            return
        by_key = photo.one_tag and not typed
        self.key_bar.setVisible(by_key)
        self._chips_area.setVisible(not by_key)
        offered = model.offered(typed)
        if by_key:
            self.key_bar.show_tags(offered, model.chosen, left_out=photo.tags)
            return
        if not typed:
            keyed = [tag for tag in keys.in_order() if tag not in photo.tags]
            offered = list(dict.fromkeys([*keyed, *offered]))
        for tag in [tag for tag in model.chosen if tag not in offered]:
            self._add_chip(tag, "")
        for line, tag in enumerate(offered):
            self._add_chip(tag, line_key(line) if typed else keys.key(tag))
        self._chips_area.updateGeometry()

    def _add_chip(self, tag: str, key: str) -> None:
        chosen = tag in self._model.chosen
        chip = TagButton(f"{key}  {_short(tag)}" if key else _short(tag), "recent")
        chip.setCheckable(True)
        chip.setChecked(chosen)
        chip.setObjectName(f"tag {tag}")
        name = self.tr("Undo {0}") if chosen else self.tr("Add {0}")
        chip.setAccessibleName(name.format(tag))
        chip.setToolTip(tool_tip(name.format(tag)))
        chip.clicked.connect(lambda: self._toggle(tag))
        chip.clicked_last.connect(lambda: self._toggle(tag, goes_on=True))
        self._chips.addWidget(chip)

    def _size(self) -> PixelSize:
        ratio = self.devicePixelRatioF()
        return PixelSize(max(64, int(self.picture.width() * ratio)), max(64, int(self.picture.height() * ratio)))

    def _request(self) -> None:
        model = self._model
        if model.photo is not None and self.isVisible():
            near = [photo.photo_id for photo in model.photos[model.at : model.at + 2]]
            self._session.loader.request("photo by photo", near, self._size())
        self._show_picture()

    def _pictures_arrived(self, photo_ids: list[int]) -> None:
        if self._model.photo is not None and self._model.photo.photo_id in photo_ids:
            self._show_picture()

    def _show_picture(self) -> None:
        photo = self._model.photo
        self.picture.show_image(None if photo is None else self._session.loader.image(photo.photo_id, self._size()))


def _short(tag: str) -> str:
    return tag if len(tag) <= _LETTERS else f"{tag[: _LETTERS - 1]}\N{HORIZONTAL ELLIPSIS}"


class TagButton(FreshButton):
    """A tag; a click with the middle button or with Ctrl also goes on to the next photo.

    Signals
    -------
    clicked_last : None
    """

    clicked_last = Signal()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Handle the press; see `FreshButton`."""
        middle = event.button() == Qt.MouseButton.MiddleButton
        if middle or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if self.moved(event):
                self.clicked_last.emit()
        else:
            super().mousePressEvent(event)


class _TagField(NameField):
    """A name field without a list of completions: the chips show the matching tags."""

    completed = Signal()
    """Tab was pressed after a text, to choose the first matching tag."""
    line_chosen = Signal(int)
    """The key of a matching tag was pressed after a text: 0 for the first; see `line_key`."""
    entered_new = Signal(str)
    """Shift+Enter was pressed after a text, to create a tag as typed."""
    stepped = Signal(int)
    """An arrow key in the empty field requests the next (1) or previous (-1) photo."""
    escaped = Signal()
    """Esc was pressed in the empty field."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, completes=False)

    def event(self, event: QEvent) -> bool:
        """Use Tab after a text to choose the first matching tag."""
        tab = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Tab
        if tab and self.text() and isinstance(event, QKeyEvent) and not event.modifiers():
            self.completed.emit()
            return True
        if isinstance(event, QKeyEvent) and self.text() and pressed_line(event) >= 0:
            if event.type() == QEvent.Type.KeyPress:
                self.line_chosen.emit(pressed_line(event))
            event.accept()  # not the shortcut of the window
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clear or leave the field on Esc; change the photo with arrow keys in the empty field."""
        if event.key() == Qt.Key.Key_Escape:
            if self.text():
                self.setText("")
            else:
                self.escaped.emit()
        elif (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            and self.text().strip()
        ):
            self.entered_new.emit(self.text().strip())
        elif not self.text() and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.stepped.emit(1 if event.key() == Qt.Key.Key_Right else -1)
        elif event.key() != Qt.Key.Key_Down:
            super().keyPressEvent(event)
