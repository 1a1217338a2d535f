# SPDX-License-Identifier: MIT
"""Keys of pinned tags, and the menus of ratings and labels with their keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from focal_photos.browser.catalog.facts.marks import LABELS, MAX_RATING, REJECTED
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.settings.shortcuts import Keyed, Shortcuts
from focal_photos.browser.models.settings.user_settings import DIGITS, UserSettings
from focal_photos.browser.views.base.buttons import Menu


class TagKeys(QObject):
    """Tags, rates and labels the selected photos by keys.

    Parameters
    ----------
    menu : Menu
        Receives the submenus of ratings and labels.
    user_settings : UserSettings
        Whether digits add tags or stars.
    group : str
        Heading of the keys in the list of shortcuts.
    """

    def __init__(
        self, menu: Menu, session: Session, user_settings: UserSettings, shortcuts: Shortcuts, group: str
    ) -> None:
        super().__init__(menu)
        self._session = session
        self._user_settings = user_settings
        self._shortcuts = shortcuts
        self._group = group
        self.actions: list[QAction] = []
        """Their keys must work where photos are shown."""
        self.menus: dict[str, Menu] = {}
        """``rating`` and ``label``."""
        self._add_ratings(menu)
        self._add_digits()

    def _add_ratings(self, menu: Menu) -> None:
        """Add the menus of ratings and labels, with the keys of other programs combined with Alt."""
        session = self._session
        rejected = (REJECTED, self.tr("Rejected"), "Alt+X")
        none = (None, self.tr("No rating"), "Alt+0")
        stars = [(number, "★" * number, f"Alt+{number}") for number in range(MAX_RATING, 0, -1)]
        colors = {
            "Red": self.tr("Red"),
            "Yellow": self.tr("Yellow"),
            "Green": self.tr("Green"),
            "Blue": self.tr("Blue"),
            "Purple": self.tr("Purple"),
        }
        keys = ["Alt+6", "Alt+7", "Alt+8", "Alt+9", ""]
        labels = [(name, colors[name], key) for name, key in zip(LABELS, keys, strict=True)]
        menu.addSeparator()
        for name, title, entries, handler in (
            ("rating", self.tr("Ratin&g"), [*stars, none, rejected], session.targets.rate),
            ("label", self.tr("&Label"), [*labels, (None, self.tr("No label"), "")], session.targets.give_label),
        ):
            submenu = self.menus[name] = menu.add_submenu(title)
            submenu.setEnabled(not session.read_only)
            for value, text, key in entries:
                full = text if value is None else f"{title.replace('&', '')}: {text}"
                action = submenu.addAction(text)
                self._bind(action, f"{name}.{value or 'none'}", full, key, handler, value)

    def _add_digits(self) -> None:
        for digit in range(1, 10):
            title = self.tr("Add the tag of key {0}").format(digit)
            self._bind(QAction(self), f"tag.{digit}", title, str(digit), self.take_digit, digit)
        for digit in range(1, 10):
            title = self.tr("Assign the last tag to key {0}").format(digit)
            self._bind(QAction(self), f"pin.{digit}", title, f"Ctrl+{digit}", self.pin_last, digit)
        title = self.tr("Remove the stars (if digits add stars)")
        self._bind(QAction(self), "digit.none", title, "0", self.take_digit, 0)

    def _bind(
        self, action: QAction, name: str, title: str, key: str, handler: Callable[[Any], object], value: object
    ) -> None:
        """Let an action and its key call a function with a value."""
        self._shortcuts.bind(Keyed(name, self._group, title, (key,) if key else ()), action)
        action.setAutoRepeat(False)
        action.setEnabled(not self._session.read_only)
        action.triggered.connect(lambda: handler(value))
        self.actions.append(action)

    def take_digit(self, digit: int) -> None:
        """Add the tag pinned to a digit (1..9), or the rating or label of the digit (0..9) if digits give stars.

        In box mode, digits name the current box.
        """
        if self._user_settings.get(DIGITS) == "tags" or self._session.tagging.boxes.target is not None:
            self.tag_pinned(digit)
        elif digit <= MAX_RATING:
            self._session.targets.rate(digit or None)
        else:
            self._session.targets.give_label(LABELS[digit - MAX_RATING - 1])

    def tag_pinned(self, digit: int) -> None:
        """Add the tag that is pinned to a digit (1..9)."""
        if not digit:
            self._warn(self.tr("Key 0 has no tag. If digits add stars, it removes them."))
            return
        tag, boxes = self._session.tagging.pinned.tag(digit), self._session.tagging.boxes
        if tag and boxes.target is not None:
            boxes.name(tag)
        elif tag:
            self._session.targets.tag(add=[tag])
        else:
            self._warn(self.tr("This key has no tag yet. Ctrl+{0} assigns the last tag you added to it.").format(digit))

    def pin_last(self, digit: int) -> None:
        """Pin the most recent tag to a digit (1..9)."""
        recent = self._session.overview.now.recent_tags
        if recent:
            self._session.tagging.pinned.pin(digit, recent[0])
        else:
            self._warn(self.tr("Add a tag first (T). Ctrl+{0} then assigns it to this key.").format(digit))

    def _warn(self, text: str) -> None:
        self._session.notices.post(text, Severity.WARNING)
