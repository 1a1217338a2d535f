# SPDX-License-Identifier: MIT
"""The button that chooses how tags are suggested, by mouse and keys, and the accuracies in its menu."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from focal_photos.browser.operations.describing.settings import SUGGEST_BY
from focal_photos.browser.operations.jobs.progress import Progress, finish
from focal_photos.browser.operations.recognition import suggestion_accuracy
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver
from tests.browser.views.conftest import OpenWindow

Key = Qt.Key


def tag_kinds(driver: WindowDriver, each: int = 8) -> None:
    """Tag some photos of each folder with its name."""
    by_kind: dict[str, list[int]] = {}
    for photo in driver.session.library.photos.get(driver.session.grid.ids.tolist()):
        by_kind.setdefault(photo.path.parent.name, []).append(photo.id)
    for kind, ids in by_kind.items():
        driver.session.editor.tag(ids[:each], [kind])
    driver.wait_until_idle("tagging")


def opened(driver: WindowDriver) -> QMenu:
    """Select a photo, click the button and return its menu."""
    driver.click(0, CTRL)
    driver.wait_until_idle("the selection")
    button = driver.window.right_column.suggestions.method_button
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    driver.wait_until(button.menu_of_methods.isVisible, "the menu")
    return button.menu_of_methods


def test_the_menu_shows_how_often_each_method_is_right(driver: WindowDriver) -> None:
    tag_kinds(driver)
    menu, method = opened(driver), driver.session.tagging.method
    assert menu.actions()[-1].text().startswith("Measuring")
    driver.wait_until(lambda: method.accuracy is not None, "the accuracies")
    found = finish(suggestion_accuracy.measure_suggestions(driver.session.library, driver.session.ranker))
    assert [action.text().partition("\t")[2] for action in menu.actions()[:3]] == [
        f"{round(100 * right / found.photos)} %" for right in found.right.values()
    ]
    assert f"{found.photos} photos with hidden tags" in menu.actions()[-1].text()
    assert not menu.actions()[-1].isEnabled()
    driver.session.editor.tag([driver.session.grid.photo_id(0)], ["other"])
    driver.wait_until(lambda: method.accuracy is None, "the accuracies of former tags are not shown")


def test_the_method_is_chosen_by_key_and_stays_with_the_library(driver: WindowDriver, open_window: OpenWindow) -> None:
    tag_kinds(driver)
    driver.press(Key.Key_A, CTRL)
    driver.press(Key.Key_G, CTRL)
    driver.wait_until_idle("suggesting")
    library, folder = driver.session.library, driver.session.library.path
    before = {one.photo_id: one.confidence for one in library.suggestions.open(100)}
    assert before
    menu = opened(driver)
    for key in (Key.Key_Down, Key.Key_Down, Key.Key_Return):
        QTest.keyClick(menu, key)
    driver.wait_until_idle("suggesting again")
    assert not menu.isVisible()
    assert SUGGEST_BY.get(library) == "votes"
    assert driver.window.right_column.suggestions.method_button.full_text() == "Votes"
    assert menu.actions()[1].isChecked()
    after = {one.photo_id: one.confidence for one in library.suggestions.open(100)}
    assert after != before, "the open suggestions follow"
    driver.window.close()
    again = open_window(folder, watching=False)
    assert again.window.right_column.suggestions.method_button.full_text() == "Votes"
    QTest.keyClick(opened(again), Key.Key_R)
    again.wait_until_idle("the setting")
    assert SUGGEST_BY.get(again.session.library) == "votes-by-rank"


def test_closing_the_menu_cancels_the_measurement(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    steps, ended = [], []

    def endless(*_: object) -> Iterator[Progress]:
        try:
            while True:
                time.sleep(0.01)
                steps.append(1)
                yield Progress("Measuring", 0)
        finally:
            ended.append(True)

    def measure(*_: Any) -> Any:
        return endless()

    monkeypatch.setattr(suggestion_accuracy, "measure_suggestions", measure)
    menu, method = opened(driver), driver.session.tagging.method
    driver.wait_until(lambda: bool(steps), "the measurement")
    assert method.measuring
    assert not ended
    QTest.keyClick(menu, Key.Key_Escape)
    driver.wait_until(lambda: bool(ended), "the end of the measurement")
    driver.wait_until(lambda: not method.measuring, "the end is known")
    assert (method.by, method.accuracy) == ("ridge", None)


def test_without_tags_the_menu_states_what_is_missing(driver: WindowDriver) -> None:
    menu = opened(driver)
    driver.wait_until_idle("the measurement")
    assert "tag eight photos" in menu.actions()[-1].text()
    assert [action.text() for action in menu.actions()[:3]] == [
        "&Learned from all tagged photos",
        "&Votes of the nearest photos, by distance",
        "Votes of the five nearest photos, by &rank",
    ]
