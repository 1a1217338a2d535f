"""The keys of the window's actions: those that they come with, and those that a person chose instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence

from focal_photos.browser.models.settings.person import Person


@dataclass(frozen=True)
class Keyed:
    """An action that keys may be chosen for.

    Attributes
    ----------
    name : str
        Under which its keys are kept.
    group, title : str
        As a person reads them.
    keys : tuple of str
        Those that it comes with, as portable text.
    """

    name: str
    group: str
    title: str
    keys: tuple[str, ...]


class Shortcuts(QObject):
    """Which keys do what.

    Parameters
    ----------
    person : Person
        Keeps what was chosen.
    actions : sequence of Keyed

    Signals
    -------
    changed : str
        The name of an action whose keys are others now.
    """

    changed = Signal(str)

    def __init__(self, person: Person, actions: Sequence[Keyed], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._person = person
        self._by_name = {one.name: one for one in actions}

    @property
    def actions(self) -> tuple[Keyed, ...]:
        """All actions, in the order in which they were given."""
        return tuple(self._by_name.values())

    def bind(self, one: Keyed, action: QAction) -> None:
        """Let an action have the keys that are chosen for it, from now on."""
        self._by_name[one.name] = one

        def follow(name: str) -> None:
            if name == one.name:
                action.setShortcuts([QKeySequence(key) for key in self.keys(name)])

        follow(one.name)
        self.changed.connect(follow)

    def keys(self, name: str) -> tuple[str, ...]:
        """Return the keys of an action, the one that menus show first."""
        chosen = self._person.keys(name)
        return self._by_name[name].keys if chosen is None else tuple(map(normal, chosen))

    def is_changed(self, name: str) -> bool:
        """Return whether a person chose other keys than the action comes with."""
        return self._person.keys(name) is not None

    @property
    def any_changed(self) -> bool:
        """Whether any action has other keys."""
        return any(self.is_changed(one.name) for one in self.actions)

    def owner(self, key: str, apart_from: str = "") -> Keyed | None:
        """Return the action that has a key; None if none has."""
        wanted = normal(key)
        for one in self.actions:
            if one.name != apart_from and wanted in map(normal, self.keys(one.name)):
                return one
        return None

    def set(self, name: str, keys: Sequence[str]) -> None:
        """Choose the keys of an action; any other one that has one of them loses it."""
        wanted = tuple(dict.fromkeys(normal(key) for key in keys if normal(key)))
        for key in wanted:
            other = self.owner(key, apart_from=name)
            if other is not None:
                self._keep(other.name, tuple(one for one in self.keys(other.name) if normal(one) != key))
        self._keep(name, wanted)

    def reset(self, name: str) -> None:
        """Give an action the keys back that it comes with; others lose these."""
        self.set(name, self._by_name[name].keys)

    def reset_all(self) -> None:
        """Give all actions the keys back that they come with."""
        for one in self.actions:
            if self.is_changed(one.name):
                self._person.set_keys(one.name, None)
                self.changed.emit(one.name)

    def _keep(self, name: str, keys: tuple[str, ...]) -> None:
        as_it_comes = keys == tuple(map(normal, self._by_name[name].keys))
        if keys != tuple(map(normal, self.keys(name))) or (as_it_comes and self.is_changed(name)):
            self._person.set_keys(name, None if as_it_comes else keys)
            self.changed.emit(name)


def normal(key: str) -> str:
    """Return a key as portable text, however it was written: ``ctrl+k`` is ``Ctrl+K``; empty if it is none."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)
