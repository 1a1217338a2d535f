# SPDX-License-Identifier: MIT
"""A subscriber receives the kinds of change that it asked for, as long as it exists."""

import weakref

from PySide6.QtCore import QObject
from shiboken6 import delete

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.change_feed import ChangeFeed

TAGS, MARKS, BOTH = (ChangeSet("", frozenset(kinds)) for kinds in ({Kind.TAGS}, {Kind.MARKS}, {Kind.TAGS, Kind.MARKS}))
SETTING = ChangeSet()


class Model(QObject):
    """A model that collects the changes that it receives."""

    def __init__(self, feed: ChangeFeed, *kinds: Kind) -> None:
        super().__init__()
        self.received: list[ChangeSet] = []
        feed.subscribe(self._take_changes, *kinds)

    def _take_changes(self, changes: ChangeSet) -> None:
        self.received.append(changes)


def test_a_subscriber_receives_only_its_kinds() -> None:
    feed = ChangeFeed()
    tags, either, everything = Model(feed, Kind.TAGS), Model(feed, Kind.TAGS, Kind.MARKS), Model(feed)
    for changes in (TAGS, MARKS, BOTH, SETTING):
        feed.publish(changes)
    assert tags.received == [TAGS, BOTH]
    assert either.received == [TAGS, MARKS, BOTH]
    assert everything.received == [TAGS, MARKS, BOTH, SETTING]


def test_a_deleted_model_is_not_called() -> None:
    feed = ChangeFeed()
    former, present = Model(feed), Model(feed)
    delete(former)
    feed.publish(TAGS)
    assert (former.received, present.received) == ([], [TAGS])


def test_the_feed_does_not_keep_a_model_alive() -> None:
    feed = ChangeFeed()
    model = Model(feed)
    gone = weakref.ref(model)
    del model
    assert gone() is None
    feed.publish(TAGS)


def test_a_model_deleted_during_the_delivery_is_not_called() -> None:
    feed, models = ChangeFeed(), list[Model]()
    feed.subscribe(lambda _changes: delete(models[0]))
    models.append(Model(feed))
    feed.publish(TAGS)
    assert models[0].received == []


def test_subscribers_are_called_in_order_and_new_ones_with_the_next_change() -> None:
    feed, called = ChangeFeed(), list[str]()

    def first(_changes: ChangeSet) -> None:
        called.append("first")
        feed.subscribe(lambda _changes: called.append("new"), Kind.TAGS)

    feed.subscribe(first, Kind.TAGS)
    feed.subscribe(lambda _changes: called.append("second"))
    feed.publish(TAGS)
    assert called == ["first", "second"]
    feed.publish(TAGS)
    assert called == ["first", "second", "first", "second", "new"]
