# SPDX-License-Identifier: MIT
"""Saved trails: saved, opened, renamed and deleted in the real window, each in one undo step."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.views.window.trail_menu import TrailMenu, TrailNameDialog
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import walk_to

Key = Qt.Key


def entries(driver: WindowDriver) -> dict[str, QAction]:
    """Return the entries of the menu Go for trails; those of a trail's submenu as "name/entry"."""
    bar = driver.window.menuBar()
    menus = [entry.menu() for top in bar.actions() for entry in _menu(top).actions()]
    menu = next(one for one in menus if isinstance(one, TrailMenu))
    menu.fill()
    found = {action.text(): action for action in menu.actions() if not action.isSeparator()}
    for name, action in list(found.items()):
        if action.menu() is not None:
            found |= {f"{name}/{one.text()}": one for one in _menu(action).actions()}
    return found


def _menu(action: QAction) -> QMenu:
    menu = action.menu()
    assert isinstance(menu, QMenu)
    return menu


def answer(driver: WindowDriver, entry: str, name: str) -> TrailNameDialog:
    entries(driver)[entry].trigger()
    dialog = driver.window.findChildren(TrailNameDialog)[-1]
    dialog.name_field.setText(name)
    dialog.do_button.click()
    driver.wait_until_idle("the name")
    return dialog


def kept(driver: WindowDriver) -> dict[str, list[int | None]]:
    return {one.name: [step.focal for step in one.steps] for one in driver.session.library.trails.all()}


@pytest.mark.slow
def test_a_trail_is_saved_and_opened_later(open_window: OpenWindow, library_folder: Path) -> None:
    driver = open_window(library_folder)
    assert not entries(driver)["Save this trail…"].isEnabled(), "the trail is empty"
    driver.navigator.set_query("untagged")
    driver.wait_until_idle("the filter")
    first, second = walk_to(driver, 0), walk_to(driver, 3)
    before = driver.navigator.trail.steps
    answer(driver, "Save this trail…", "To the  sea")
    assert kept(driver) == {"To the sea": [None, None, first, second]}
    driver.window.close()

    driver = open_window(library_folder)
    other = walk_to(driver, 7)
    entries(driver)["To the sea/Open"].trigger()
    driver.wait_until_idle("the trail")
    assert driver.navigator.focal_id == second
    assert driver.navigator.collection.query == "untagged"
    trail = driver.navigator.trail
    assert [step.shows for step in trail.steps] == [step.shows for step in before]
    assert [step.label for step in trail.steps] == [step.label for step in before]
    assert [way[0].focal_id for way in trail.branches(0)] == [other], "the previous branch can be taken again"
    driver.navigator.back()
    driver.wait_until_idle("back")
    assert driver.navigator.focal_id == first


def test_trails_are_renamed_deleted_and_restored(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    answer(driver, "Save this trail…", "one")
    walk_to(driver, 1)
    answer(driver, "Save this trail…", "two")
    steps = kept(driver)
    refused = answer(driver, "two/Rename…", "one")
    assert "There is a trail one already" in refused.problem_label.text()
    refused.reject()
    answer(driver, "two/Rename…", "three")
    assert kept(driver) == {"one": steps["one"], "three": steps["two"]}
    entries(driver)["one/Delete"].trigger()
    driver.wait_until_idle("deleting")
    assert list(kept(driver)) == ["three"]
    assert "one" not in entries(driver)
    for expected in ({"one", "three"}, {"one", "two"}, {"one"}, set[str]()):
        driver.window.window_actions.by_name["undo"].trigger()
        driver.wait_until_idle("undoing")
        assert set(kept(driver)) == expected
    assert entries(driver)["No saved trails yet"].isEnabled() is False


def test_a_trail_with_the_same_name_is_replaced_after_a_question(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    answer(driver, "Save this trail…", "one")
    before = kept(driver)
    walk_to(driver, 1)
    dialog = answer(driver, "Save this trail…", "one")
    assert "press Save again" in dialog.problem_label.text()
    assert kept(driver) == before
    dialog.do_button.click()
    driver.wait_until_idle("keeping")
    assert len(kept(driver)["one"]) == len(before["one"]) + 1
    dialog = answer(driver, "Save this trail…", "   ")
    assert "A name is needed" in dialog.problem_label.text()
    dialog.reject()


def test_steps_without_their_photos_are_dropped(driver: WindowDriver) -> None:
    gone, left = walk_to(driver, 0), walk_to(driver, 2)
    answer(driver, "Save this trail…", "one")
    driver.press(Key.Key_G)
    driver.wait_until_idle("the order of the folders")
    for photos, message in (
        ([gone], "one: 1 of 3 steps were skipped"),
        ([left], "None of the photos of the trail one is"),
    ):
        changes = forgotten(driver.session.library, photos)
        assert changes
        entries(driver)["one/Open"].trigger()
        driver.wait_until_idle("the trail")
        assert driver.message_text.startswith(message)
        assert driver.navigator.focal_id == left, "if nothing is left of the saved trail, the current one stays"
    steps = driver.navigator.trail.steps
    assert [step.focal_id for step in steps if step.focal_id is not None] == [left]


def forgotten(library: Library, photos: list[int]) -> int:
    """Remove photos from the library, as if their files had been deleted."""
    with library.database.transaction() as connection:
        for one in photos:
            connection.execute("UPDATE file SET state = 'missing' WHERE photo_id = ?", (one,))
    library.photos.forget(photos)
    return len(photos)


def test_the_film_strip_offers_the_trails(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    strip = driver.window.top_bar.trail
    strip.show_branches(None, strip.mapToGlobal(QPoint(5, 5)))
    menu = next(menu for menu in strip.findChildren(QMenu, "branches") if menu.isVisible())
    [trails] = menu.findChildren(TrailMenu)
    trails.fill()
    assert trails.actions()[0].text() == "Save this trail…"
    menu.close()
