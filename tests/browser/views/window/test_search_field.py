# SPDX-License-Identifier: MIT
"""The filter by keys: plain words find tags, and whole terms are offered as chips."""

from __future__ import annotations

from datetime import datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView

from focal_photos.browser.catalog.facts.query.syntax import Tagged, parse
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver

Key = Qt.Key


@pytest.fixture
def filtering(driver: WindowDriver) -> WindowDriver:
    """Return a window with the focus in the filter: two photos of a dog, three of a cat, dates and ratings."""
    session, library = driver.session, driver.session.library
    ids = session.grid.ids.tolist()
    library.photos.set_descriptions([(ids[0], 64, 48, datetime(2024, 5, 31)), (ids[1], 64, 48, datetime(2023, 1, 2))])
    session.feed.publish(ChangeSet(kinds=frozenset({Kind.PHOTOS})))
    session.editor.tag(ids[:2], ["creature/dog"])
    session.editor.tag(ids[2:5], ["creature/cat"])
    session.editor.rate(ids[:3], 4)
    driver.wait_until_idle("the tags")
    driver.press(Key.Key_F, CTRL)
    return driver


def proposals(driver: WindowDriver) -> list[tuple[str, str]]:
    """Return the offered chips with their kinds."""
    found = driver.window.sidebar.search._completer._chips.proposals
    return [(each.chip, each.kind) for each in found if each.chip]


def offered(driver: WindowDriver) -> QListView:
    listed: QListView | None = driver.window.findChild(QListView, "completions")
    assert listed is not None
    assert listed.isVisible()
    return listed


def test_a_plain_word_finds_the_photos_with_a_tag(filtering: WindowDriver) -> None:
    for word, count in (("creature", 5), ("dog", 2), ("name:creature", 0)):
        filtering.window.sidebar.search.clear()
        filtering.type(word)
        filtering.press(Key.Key_Return)
        filtering.wait_until_idle("the filter")
        assert filtering.session.grid.total == count
        filtering.press(Key.Key_F, CTRL)


def test_tags_are_offered_as_chips(filtering: WindowDriver) -> None:
    search = filtering.window.sidebar.search
    filtering.type("-do")
    assert proposals(filtering) == [("creature/dog", "Tag")]
    offered(filtering).grab()
    filtering.press(Key.Key_Tab)
    assert search.text() == "-tag:creature/dog "
    filtering.type("cat")
    assert proposals(filtering) == [("creature/cat", "Tag")]
    filtering.press(Key.Key_Down)
    filtering.press(Key.Key_Return)
    filtering.press(Key.Key_Return)
    filtering.wait_until_idle("the filter")
    assert filtering.navigator.collection.query == "-tag:creature/dog tag:creature/cat"
    assert parse(filtering.navigator.collection.query).terms[1] == Tagged("creature/cat")
    assert filtering.session.grid.total == 3
    assert filtering.grid.hasFocus()


def test_ratings_and_dates_are_offered_as_chips(filtering: WindowDriver) -> None:
    filtering.type("stars")
    star = "\N{BLACK STAR}"
    assert proposals(filtering) == [
        (star * 5, "Rating"),
        *((f"{star * stars} or more", "Rating") for stars in range(4, 0, -1)),
        ("No rating", "Rating"),
        ("Rejected", "Rating"),
    ]
    listed = offered(filtering)
    QTest.mouseClick(
        listed.viewport(), Qt.MouseButton.LeftButton, pos=listed.visualRect(listed.model().index(1, 0)).center()
    )
    filtering.type("20")
    assert {("2024", "Date"), ("2023", "Date")} <= set(proposals(filtering))
    filtering.type("24-05")
    assert proposals(filtering) == [("May 2024", "Date")]
    filtering.press(Key.Key_Tab)
    filtering.press(Key.Key_Return)
    filtering.wait_until_idle("the filter")
    assert filtering.navigator.collection.query == "rating>=4 date:2024-05"
    assert (
        filtering.session.grid.ids.tolist()[:1] == filtering.session.library.photos.ids("date:2024-05-31").tolist()[:1]
    )


def test_a_click_on_a_tag_prevails_over_text_typed_just_before(filtering: WindowDriver) -> None:
    sidebar, session = filtering.window.sidebar, filtering.session
    filtering.type("cat")
    filtering.press(Key.Key_Return)
    filtering.wait_until_idle("the filter")
    filtering.press(Key.Key_F, CTRL)
    sidebar.search.clear()
    assert sidebar.search.waiting
    tree = sidebar.tag_tree
    tree.expandAll()
    dog = tree.model().index(1, 0, tree.model().index(0, 0))
    tree.scrollTo(dog)
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualRect(dog).center())
    filtering.wait_until(lambda: not sidebar.search.waiting, "the pause after typing")
    filtering.wait_until_idle("the photos of the tag")
    assert session.navigator.shown_tag == "creature/dog"
