"""The filter field and the sidebar: which photos are shown."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from browser.walkthrough.keys_and_mouse import CTRL, Hands
from tests.browser.views.steps import walk_to

Key = Qt.Key


def test_the_filter(hands: Hands) -> None:
    hands.session.editor.tag(hands.session.grid.ids[:3].tolist(), ["sea"])
    hands.settle("tagging")
    hands.key(Key.Key_F, CTRL)
    hands.type("tag:se")
    hands.key(Key.Key_Tab)
    assert hands.window.sidebar.search.text() == "tag:sea"
    hands.key(Key.Key_Return)
    hands.settle("the filter")
    assert hands.session.grid.rowCount() == 3
    assert "filter: tag:sea" in hands.window.status_bar.text()
    assert hands.window.focusWidget() is hands.grid
    focal = walk_to(hands, 0)
    assert len(hands.session.grid.ids) == 2, "the ranking keeps to the filter"
    hands.key(Key.Key_F, CTRL)
    hands.type("tag:nothing")
    hands.key(Key.Key_Return)
    hands.settle("the filter")
    assert hands.navigator.focal_id == focal
    assert hands.window.nothing.isVisible()
    hands.window.nothing.clear_button.click()
    hands.settle("all photos")
    assert hands.session.grid.rowCount() == 32
    assert hands.window.sidebar.search.text() == ""


@pytest.mark.parametrize("leave", [Key.Key_Escape, Key.Key_Return])
def test_a_filter_that_hides_all_can_be_left(hands: Hands, leave: Qt.Key) -> None:
    hands.key(Key.Key_F, CTRL)
    hands.type("zzzq")
    hands.until(hands.window.nothing.isVisible, "the empty page")
    hands.key(leave)
    assert hands.window.focusWidget() is hands.window.nothing
    hands.key(Key.Key_S)
    assert hands.window.sidebar.search.text() == "zzzq"
    hands.key(Key.Key_Escape)
    hands.settle("all photos")
    assert hands.window.sidebar.search.text() == ""
    assert hands.session.grid.rowCount() == 32
    assert hands.window.focusWidget() is hands.grid


def test_what_the_filter_hides_is_not_selected(hands: Hands) -> None:
    hands.session.editor.tag(hands.session.grid.ids[:1].tolist(), ["sea"])
    for row in (0, 1):
        hands.click(row, CTRL)
    hands.settle("tagging")
    kept = hands.session.grid.photo_id(0)
    hands.navigator.set_query("tag:sea")
    hands.settle("the filter")
    assert hands.grid.selected_ids() == [kept]
    assert hands.navigator.targets == (kept,)
    hands.navigator.set_query("zzzq")
    hands.settle("the filter")
    assert not hands.navigator.targets
    assert not hands.window.tag_panel.field.isEnabled()


def test_one_edit_of_the_filter_is_one_step(hands: Hands) -> None:
    def labels() -> list[str]:
        return [step.label for step in hands.navigator.trail.steps]

    hands.key(Key.Key_F, CTRL)
    for text in ("unt", "agged", " -judged"):
        hands.type(text)
        hands.until(lambda: not hands.window.sidebar.search.waiting, "the pause")
        hands.settle("the filter")
    assert labels() == ["All photos", "untagged -judged"]
    hands.key(Key.Key_Return)
    hands.key(Key.Key_F, CTRL)
    hands.type("untagged")
    hands.key(Key.Key_Return)
    hands.settle("the filter")
    assert labels() == ["All photos", "untagged -judged", "untagged"]


def test_a_filter_that_hides_the_ranking_is_named(hands: Hands) -> None:
    walk_to(hands, 0)
    hands.navigator.set_query("zzzq")
    hands.settle("the filter")
    texts = [each.text() for each in hands.window.nothing.findChildren(QLabel)]
    assert "No other photo fits \N{LEFT DOUBLE QUOTATION MARK}zzzq\N{RIGHT DOUBLE QUOTATION MARK}." in texts


def test_a_mistake_in_the_filter_is_shown_at_the_field(hands: Hands) -> None:
    hands.key(Key.Key_F, CTRL)
    hands.type("date:yesterday")
    hands.key(Key.Key_Return)
    hands.settle("the filter")
    search = hands.window.sidebar.search
    assert search.property("wrong") is True
    assert "date" in search.toolTip()
    assert hands.session.grid.rowCount() == 32
    search.setFocus()
    hands.key(Key.Key_Escape)
    assert search.text() == ""
    assert search.property("wrong") is False


def test_the_sidebar(hands: Hands) -> None:
    tree, model = hands.window.sidebar.folder_tree, hands.session.folders
    folder = model.index(0, 0, model.index(0, 0))
    tree.expandAll()
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualRect(folder).center())
    hands.settle("the folder")
    assert hands.session.grid.rowCount() == 4
    assert folder.data() in hands.window.status_bar.text()
    untagged = hands.window.sidebar.library_tree.model().index(1, 0)
    hands.window.sidebar.library_tree.setCurrentIndex(untagged)
    QTest.keyClick(hands.window.sidebar.library_tree, Key.Key_Return)
    hands.settle("the untagged photos")
    assert hands.session.grid.rowCount() == 32
    assert hands.window.sidebar.search.text() == "untagged"
