# SPDX-License-Identifier: MIT
"""The feed of changes: every writer publishes to it, and every model subscribes to the kinds that it shows."""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import NamedTuple
from weakref import WeakMethod

from PySide6.QtCore import QObject
from shiboken6 import isValid

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind

Subscriber = Callable[[ChangeSet], None]


class _Subscription(NamedTuple):
    find: Callable[[], Subscriber | None]
    kinds: frozenset[Kind]

    @property
    def callback(self) -> Subscriber | None:
        """The callback; None if it is a method of a deleted object."""
        callback = self.find()
        owner = getattr(callback, "__self__", None)
        return None if isinstance(owner, QObject) and not isValid(owner) else callback


class ChangeFeed(QObject):
    """Delivers changes of the library to the models that show the changed data; in the main thread.

    Subscribers are called in the order of their subscriptions, before `publish` returns. No model should depend on this
    order: let it read the data from the library, or follow a signal of the other model.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._subscriptions: list[_Subscription] = []

    def subscribe(self, callback: Subscriber, *kinds: Kind) -> None:
        """Call `callback` with each later change that includes one of the kinds.

        A method is no longer called once its object is deleted; the feed does not keep the object alive.

        Parameters
        ----------
        callback : callable
            Receives the `ChangeSet`.
        *kinds : Kind
            Default: all changes, also an empty one, which means that a setting of the library has changed.
        """
        find = WeakMethod(callback) if isinstance(callback, MethodType) else lambda: callback
        self._subscriptions.append(_Subscription(find, frozenset(kinds)))

    def publish(self, changes: ChangeSet) -> None:
        """Deliver a change that was written to the library."""
        self._subscriptions = [one for one in self._subscriptions if one.callback is not None]
        for one in tuple(self._subscriptions):
            callback = one.callback
            if callback is not None and (not one.kinds or one.kinds & changes.kinds):
                callback(changes)
