# SPDX-License-Identifier: MIT
"""The keys of the window's actions: the defaults, and the user's choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence

from focal_photos.browser.models.settings.user_settings import UserSettings


@dataclass(frozen=True)
class Keyed:
    """An action whose keys can be chosen."""

    name: str
    """Name under which its keys are saved."""
    group: str
    title: str
    """`group` and `title`: texts shown to the user."""
    keys: tuple[str, ...]
    """Default keys, as portable text."""
    place: str = ""
    """The only part of the window where the keys work; empty if they work elsewhere too. Actions of different parts may
    have the same keys."""


class Shortcuts(QObject):
    """The keys of all actions."""

    changed = Signal(str)
    """Name of an action whose keys have changed."""

    def __init__(self, user_settings: UserSettings, actions: Sequence[Keyed], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._user_settings = user_settings
        self._by_name = {one.name: one for one in actions}

    @property
    def actions(self) -> tuple[Keyed, ...]:
        """All actions, in the given order."""
        return tuple(self._by_name.values())

    def bind(self, one: Keyed, action: QAction) -> None:
        """Keep the shortcuts of an action equal to its chosen keys."""
        self._by_name[one.name] = one

        def follow(name: str) -> None:
            if name == one.name:
                action.setShortcuts([QKeySequence(key) for key in self.keys(name)])

        follow(one.name)
        self.changed.connect(follow)

    def keys(self, name: str) -> tuple[str, ...]:
        """Return the keys of an action; the first is the one shown in menus."""
        chosen = self._user_settings.keys(name)
        return self._by_name[name].keys if chosen is None else tuple(map(normal, chosen))

    def is_changed(self, name: str) -> bool:
        """Return whether the user chose other keys than the default."""
        return self._user_settings.keys(name) is not None

    @property
    def any_changed(self) -> bool:
        """Whether any action has other keys than its default."""
        return any(self.is_changed(one.name) for one in self.actions)

    def owner(self, key: str, apart_from: str = "") -> Keyed | None:
        """Return the action that has a key where that of `apart_from` works; None if there is none."""
        wanted, place = normal(key), self._by_name[apart_from].place if apart_from else ""
        for one in self.actions:
            elsewhere = place and one.place and place != one.place
            if one.name != apart_from and not elsewhere and wanted in map(normal, self.keys(one.name)):
                return one
        return None

    def set(self, name: str, keys: Sequence[str]) -> None:
        """Choose the keys of an action; other actions lose these keys."""
        wanted = tuple(dict.fromkeys(normal(key) for key in keys if normal(key)))
        for key in wanted:
            while (other := self.owner(key, apart_from=name)) is not None:
                self._keep(other.name, tuple(one for one in self.keys(other.name) if normal(one) != key))
        self._keep(name, wanted)

    def reset(self, name: str) -> None:
        """Restore the default keys of an action; other actions lose these keys."""
        self.set(name, self._by_name[name].keys)

    def reset_all(self) -> None:
        """Restore the default keys of all actions."""
        for one in self.actions:
            if self.is_changed(one.name):
                self._user_settings.set_keys(one.name, None)
                self.changed.emit(one.name)

    def _keep(self, name: str, keys: tuple[str, ...]) -> None:
        as_it_comes = keys == tuple(map(normal, self._by_name[name].keys))
        if keys != tuple(map(normal, self.keys(name))) or (as_it_comes and self.is_changed(name)):
            self._user_settings.set_keys(name, None if as_it_comes else keys)
            self.changed.emit(name)


def normal(key: str) -> str:
    """Normalise a key to portable text, such as ``Ctrl+K`` for ``ctrl+k``; empty if it is invalid."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)
