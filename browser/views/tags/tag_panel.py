# SPDX-License-Identifier: MIT
"""The tags of the selection, with controls to remove tags and to add typed, pinned, recent and related ones."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QPushButton, QWidget

from focal_photos.browser.models.photos.formatting import photos_in_words
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.settings.user_settings import DIGITS, UserSettings
from focal_photos.browser.views.base.buttons import FoldButton, FreshButton, Menu
from focal_photos.browser.views.base.labels import ElidedLabel, label
from focal_photos.browser.views.base.layouts import STRETCH, FittingScrollArea, FlowLayout, clear_layout, in_column
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.tags.digit_switch import DigitSwitch
from focal_photos.browser.views.tags.tag_chip import TagChip
from focal_photos.browser.views.tags.tag_field import TagField

RECENT_SHOWN: Final = 6

TAGS_SHOWN: Final = 30
"""Largest number of shown tags: those that most of the photos carry, and a button for the rest."""


class TagPanel(QWidget):
    """Chips, entry field, related tags, pinned tags and recent tags."""

    field_left = Signal()
    """The keyboard has left the field."""

    def __init__(self, session: Session, theme: Theme, user_settings: UserSettings) -> None:
        super().__init__()
        self._session = session
        self._theme = theme
        self._user_settings = user_settings
        self.setAccessibleName(self.tr("Tags of the selection"))
        self._of_what = ElidedLabel("", "faint")
        self._chips_area, self._chips = _flow()
        self.field = TagField(session)
        self._related_area, self._related = _flow()
        self.digit_switch = DigitSwitch(user_settings)
        self._pinned_area, self._pinned = _flow()
        self._recent_area, self._recent = _flow()
        self._shown_recent: object = None
        self._all_shown_of: tuple[int, ...] = ()
        self._spare: list[TagChip] = []
        self.more_button: FreshButton | None = None
        heading = FlowLayout(8)
        body = QWidget()
        scrolled = FittingScrollArea(body)
        self.fold = FoldButton(theme, self.tr("Tags"), scrolled)
        for each in (self.fold, self._of_what, self.digit_switch):
            heading.addWidget(each)
        in_column(heading, scrolled, STRETCH, margins=(12, 12, 12, 10), spacing=7, parent=self)
        in_column(
            self._chips_area,
            self.field,
            self._related_area,
            self._pinned_area,
            self._recent_area,
            margins=0,
            spacing=7,
            parent=body,
        )
        self.field.entered.connect(self._enter)
        self.field.installEventFilter(self)
        self.field.setVisible(not session.read_only)
        self.digit_switch.setVisible(not session.read_only)
        session.culling.changed.connect(self._take_culling)
        user_settings.changed.connect(lambda _name: self._show_recent())
        session.tagging.target_tags.changed.connect(self._show)
        session.overview.changed.connect(self._show_recent)
        session.tagging.pinned.changed.connect(self._show_recent)
        session.navigator.selection_changed.connect(self._show_targets)
        session.tagging.related.changed.connect(self._show_related)
        self._show()
        self._show_related()
        self._show_recent()

    def take_keyboard(self) -> None:
        """Move the focus to the field even if no photo is selected, because the next typed text is a tag."""
        self.fold.unfold()
        self.field.setEnabled(True)
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Disable the field when it loses the focus, if no photo is selected."""
        if watched is self.field and isinstance(event, QFocusEvent) and event.lostFocus():
            comes_back = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
            if event.reason() not in comes_back:
                self._show_targets()
                self.field_left.emit()
        return super().eventFilter(watched, event)

    def chips(self) -> list[TagChip]:
        """Return the shown chips."""
        return [widget for widget in self._chips.widgets() if isinstance(widget, TagChip)]

    def related(self) -> list[QPushButton]:
        """Return the buttons of the shown related tags."""
        return [widget for widget in self._related.widgets() if isinstance(widget, QPushButton)]

    def recent(self) -> list[QPushButton]:
        """Return the buttons of the shown recent tags."""
        return [widget for widget in self._recent.widgets() if isinstance(widget, QPushButton)]

    def pinned(self) -> list[QPushButton]:
        """Return the buttons of the shown pinned tags."""
        return [widget for widget in self._pinned.widgets() if isinstance(widget, QPushButton)]

    def _enter(self, add: list[str], remove: list[str]) -> None:
        """Add and remove tags; while no photo is selected, they stay in the field."""
        if not self._session.navigator.targets:
            self.field.setText(", ".join([*add, *(f"-{tag}" for tag in remove)]))
            self.field.selectAll()
        self._session.targets.tag(add, remove)

    def _show(self) -> None:
        found = self._session.tagging.target_tags.now
        self._chips_area.hide()  # otherwise it would be laid out for each chip added or removed
        former = self.chips()
        known = {chip.shows: chip for chip in former}
        while self._chips.takeAt(0) is not None:
            pass
        shown = found.counts
        if len(shown) > TAGS_SHOWN and found.photo_ids != self._all_shown_of:
            # A thousand photos may have hundreds of tags, and creating a chip takes a millisecond.
            shown = tuple(sorted(sorted(shown, key=lambda each: -each[1])[:TAGS_SHOWN]))
        if self.more_button is not None:
            _delete(self.more_button)
            self.more_button = None
        of = len(found.photo_ids)
        chips = [known.pop((tag, count, of), None) for tag, count in shown]
        # Reuse the other chips, now or later: creating a chip takes ten times longer.
        self._spare = [*(chip for chip in former if chip.shows in known), *self._spare]
        for (tag, count), chip in zip(shown, chips, strict=True):
            if chip is None and self._spare:
                chip = self._spare.pop(0)
                chip.show_tag(tag, count, of)
            _add(self._chips, chip or TagChip(self._session, self._theme, tag, count, of))
        for chip in self._spare:
            chip.hide()
        while len(self._spare) > TAGS_SHOWN:
            self._spare.pop().deleteLater()
        if len(shown) < len(found.counts):
            self.more_button = FreshButton(self.tr("{0} more").format(len(found.counts) - len(shown)), "recent")
            self.more_button.setToolTip(self.tr("Show all tags of these photos"))
            self.more_button.clicked.connect(self._show_all)
            _add(self._chips, self.more_button)
        self._chips_area.setVisible(bool(found.counts))
        self._chips_area.updateGeometry()
        self._show_targets()

    def _show_all(self) -> None:
        self._all_shown_of = self._session.tagging.target_tags.now.photo_ids
        self._show()

    def _show_targets(self) -> None:
        navigator = self._session.navigator
        targets = navigator.targets
        self.field.setEnabled(bool(targets) or self.field.hasFocus())
        if not targets:
            text = self.tr("nothing selected")
        elif len(targets) > 1:
            text = photos_in_words(len(targets))
            if navigator.focal_selected:
                text = self.tr("{0}, with the focal image").format(photos_in_words(len(targets)))
        else:
            card = navigator.grid.card(targets[0])
            focal = navigator.focal
            name = card.name if card else focal.name if focal and targets[0] == navigator.focal_id else ""
            self._of_what.show_file_name(name)
            return
        self._of_what.setText(text)

    def _show_related(self) -> None:
        at_keyboard = any(chip.hasFocus() for chip in self.related())
        self._related_area.hide()
        clear_layout(self._related)
        tags = self._session.tagging.related.tags
        if tags:
            title = label(self.tr("Often with"), "faint")
            title.setContentsMargins(0, 4, 2, 4)  # aligned with the texts of the buttons
            title.setToolTip(self.tr("Tags that often occur with these"))
            _add(self._related, title)
        for each in tags:
            chip = FreshButton(f"+ {_short(each.tag)}", "recent")
            tip = self.tr("Add {0} too: {1} photos have it together with one of these tags")
            chip.setToolTip(tool_tip(tip.format(each.tag, each.photos)))
            chip.setAccessibleName(self.tr("Add the related tag {0}").format(each.tag))
            chip.clicked.connect(lambda _=False, tag=each.tag: self._session.targets.tag(add=[tag]))
            _add(self._related, chip)
        self._related_area.setVisible(bool(tags))
        self._related_area.updateGeometry()
        if at_keyboard:  # to keep the focus here for adding several related tags
            (self.related()[0] if tags else self.field).setFocus()

    def _take_culling(self) -> None:
        """Hide the meaning of the digits while culling is on: its bar explains them."""
        self.digit_switch.setVisible(not self._session.read_only and not self._session.culling.on)
        self._show_recent()

    def _show_recent(self) -> None:
        """Show the pinned tags, each with its digit, and the recent ones that are not pinned."""
        session = self._session
        pinned = session.tagging.pinned.tags
        most = RECENT_SHOWN - sum(map(bool, pinned)) // 2  # pinned tags take the space of recent ones
        recent = [tag for tag in session.overview.now.recent_tags if tag not in pinned][:most]
        digits_give_tags = self._user_settings.get(DIGITS) == "tags" and not session.culling.on
        shown = () if session.read_only else (pinned, recent, digits_give_tags)
        if shown == self._shown_recent:
            return
        self._shown_recent = shown
        for flow, area in ((self._pinned, self._pinned_area), (self._recent, self._recent_area)):
            area.setVisible(False)
            clear_layout(flow)
        if session.read_only:
            return
        for digit, tag in enumerate(pinned, start=1):
            if tag and not digits_give_tags:
                _add(self._pinned, self._tag_button(tag, _short(tag), self.tr("Add this tag")))
            elif tag:
                chip = self._tag_button(tag, f"{digit}  {_short(tag)}", self.tr("Add this tag ({0})").format(digit))
                chip.setAccessibleName(self.tr("Add the tag {0}, key {1}").format(tag, digit))
                _add(self._pinned, chip)
        if recent:
            title = label(self.tr("Recent"), "faint")
            title.setContentsMargins(0, 4, 2, 4)  # aligned with the texts of the buttons
            _add(self._recent, title)
        for tag in recent:
            chip = self._tag_button(tag, _short(tag), self.tr("Add this tag"))
            chip.setAccessibleName(self.tr("Add the recent tag {0}").format(tag))
            _add(self._recent, chip)
        self._pinned_area.setVisible(any(pinned))
        self._recent_area.setVisible(bool(recent))
        for area in (self._pinned_area, self._recent_area):
            area.updateGeometry()

    def _tag_button(self, tag: str, text: str, tip: str) -> FreshButton:
        chip = FreshButton(text, "recent")
        chip.setToolTip(tool_tip(self.tr("{0}; right-click to use another key").format(tip)))
        chip.clicked.connect(lambda: self._session.targets.tag(add=[tag]))
        chip.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        chip.customContextMenuRequested.connect(lambda place: self._show_pin_menu(tag, chip.mapToGlobal(place)))
        return chip

    def _show_pin_menu(self, tag: str, place: QPoint) -> None:
        """Show the digits to which a tag can be pinned."""
        pinned = self._session.tagging.pinned
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for digit, other in enumerate(pinned.tags, start=1):
            text = self.tr("Key {0}: {1}").format(digit, _short(other)) if other else self.tr("Key {0}").format(digit)
            action = menu.addAction(text)
            action.triggered.connect(lambda _=False, digit=digit: pinned.pin(digit, tag))
            action.setEnabled(other != tag)
        if tag in pinned.tags:
            menu.addSeparator()
            menu.addAction(self.tr("No key"), lambda: pinned.unpin(pinned.tags.index(tag) + 1))
        menu.popup(place)


def _short(tag: str) -> str:
    return tag if len(tag) <= 22 else f"{tag[:21]}\N{HORIZONTAL ELLIPSIS}"


def _flow() -> tuple[QWidget, FlowLayout]:
    area, flow = QWidget(), FlowLayout(5)
    area.setLayout(flow)
    policy = area.sizePolicy()
    policy.setHeightForWidth(True)
    area.setSizePolicy(policy)
    return area, flow


def _add(flow: FlowLayout, widget: QWidget) -> None:
    """Add a widget and show it at once; otherwise Qt shows each one later, with a layout after each."""
    flow.addWidget(widget)
    widget.show()


def _delete(widget: QWidget) -> None:
    widget.hide()
    widget.deleteLater()
