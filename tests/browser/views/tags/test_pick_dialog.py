# SPDX-License-Identifier: MIT
"""Selecting photos for a goal."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from focal_photos.browser.models.base.notices import Message
from focal_photos.browser.views.tags.pick_dialog import PickDialog
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.conftest import OpenWindow


def open_dialog(driver: WindowDriver) -> PickDialog:
    driver.window.window_actions.by_name["select_for_goal"].trigger()

    def visible() -> list[PickDialog]:
        return [each for each in driver.window.findChildren(PickDialog) if each.isVisible()]

    driver.wait_until(lambda: bool(visible()), "the dialogue")
    return visible()[0]


def choose(dialog: PickDialog, goal: str, count: int) -> None:
    """Choose a goal by keys and type the number of photos."""
    dialog.goals.setFocus()
    while dialog.goals.currentData() != goal:
        QTest.keyClick(dialog.goals, Qt.Key.Key_Down)
    dialog.count.selectAll()
    QTest.keyClicks(dialog.count, str(count))


def test_photos_are_selected_for_a_goal(open_window: OpenWindow, tmp_path: Path, drawn_album: Path) -> None:
    driver = open_window(tmp_path / "library", drawn_album)
    driver.wait_until_idle("indexing", 120)
    told: list[Message] = []
    driver.session.notices.posted.connect(told.append)
    grid, navigator = driver.window.photos.grid, driver.session.navigator
    dialog = open_dialog(driver)
    texts = set()
    for goal in ("typical", "diverse", "odd", "balanced", "unsure"):
        choose(dialog, goal, 3)
        texts.add(dialog.meaning.text())
    assert len(texts) == 5, "each goal is explained"
    while dialog.goals.currentIndex():
        QTest.keyClick(dialog.goals, Qt.Key.Key_Up)
    QTest.mouseClick(dialog.select_button, Qt.MouseButton.LeftButton)
    driver.wait_until(lambda: len(navigator.selected) == 3, "the selection", 60)
    assert sorted(grid.selected_ids()) == sorted(navigator.selected)
    assert told[-1].text == "Selected: 3 photos."
    # A selection can be tagged, and a goal that needs tags says so until there are some.
    dialog = open_dialog(driver)
    choose(dialog, "balanced", 2)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    driver.wait_until(lambda: any("tagged" in one.text for one in told), "the message", 60)
    assert len(navigator.selected) == 3, "the selection stays"
    chosen = list(navigator.selected)
    driver.session.editor.tag(chosen, ["kept"])
    driver.wait_until_idle("tagging")
    dialog = open_dialog(driver)
    choose(dialog, "balanced", 2)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    driver.wait_until(lambda: len(navigator.selected) == 2, "the selection", 60)
    assert set(navigator.selected) < set(chosen)


def test_only_photos_of_the_grid_are_selected(open_window: OpenWindow, tmp_path: Path, drawn_album: Path) -> None:
    driver = open_window(tmp_path / "library", drawn_album)
    driver.wait_until_idle("indexing", 120)
    some = driver.session.grid.ids.tolist()[:5]
    driver.session.editor.tag(some, ["kept"])
    driver.wait_until_idle("tagging")
    driver.navigator.set_query("tag:kept")
    driver.wait_until(lambda: len(driver.session.grid.ids) == 5, "the filter")
    dialog = open_dialog(driver)
    choose(dialog, "diverse", 50)
    QTest.mouseClick(dialog.select_button, Qt.MouseButton.LeftButton)
    driver.wait_until(lambda: set(driver.session.navigator.selected) == set(some), "the selection", 60)
