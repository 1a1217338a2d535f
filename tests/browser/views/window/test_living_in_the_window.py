# SPDX-License-Identifier: MIT
"""The use of the window: what covers what, the share of photos, what can be hidden, and the keyboard focus."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget, QMenu

from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.photos.focal_panel import HEIGHT
from focal_photos.browser.views.photos.grid.tile_arrangement import TileShape
from focal_photos.browser.views.photos.grid.tile_delegate import TileButton
from focal_photos.browser.walkthrough.window_driver import ALT, CTRL, NONE, SHIFT, WindowDriver
from tests.browser.views.window_steps import tags_of, walk_to

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton


@pytest.mark.parametrize("shape", [TileShape.JUSTIFIED, TileShape.SQUARE])
def test_photos_cover_the_grid(driver: WindowDriver, shape: TileShape) -> None:
    driver.grid.set_shape(shape)
    walk_to(driver, 0)
    seen = driver.grid.viewport().rect()
    area = 0
    for row in range(driver.session.grid.rowCount()):
        picture = driver.grid.parts_of(row).picture.toRect().intersected(seen)
        area += picture.width() * picture.height()
    # the band above weak matches, and the space left in the last line before it
    weak, band = driver.session.grid.weak_from, driver.grid.divider.intersected(seen)
    assert weak
    end = driver.grid.visualRect(driver.session.grid.index(weak - 1)).intersected(seen)
    area += band.width() * band.height() + (seen.right() - end.right()) * end.height()
    last = driver.grid.visualRect(driver.session.grid.index(driver.session.grid.rowCount() - 1))
    used = min(seen.height(), last.top())
    assert area > 0.93 * seen.width() * used


def test_a_small_window_shows_three_photos_per_row(driver: WindowDriver) -> None:
    driver.window.resize(1024, 700)
    driver.wait_until_idle("the photos")
    assert driver.window.size().toTuple() == (1024, 700)
    grid = driver.session.grid
    for aspect in (4 / 3, 3 / 2):  # of cameras
        grid.arrange(grid.ids[::-1].copy(), aspects=np.full(len(grid.ids), aspect, np.float32))
        assert driver.grid.columns >= 3
    walk_to(driver, 0)
    assert driver.grid.columns >= 3
    assert driver.window.photos.focal_panel.height() == HEIGHT


def test_arrow_keys_follow_the_visible_layout(driver: WindowDriver) -> None:
    driver.click(0)
    grid, model = driver.grid, driver.session.grid
    start = grid.visualRect(model.index(0))
    driver.press(Key.Key_Down)
    below = grid.visualRect(grid.currentIndex())
    assert below.top() == start.bottom() + 1
    assert below.left() <= start.center().x() <= below.right()
    driver.press(Key.Key_Up)
    assert grid.currentIndex().row() == 0
    driver.press(Key.Key_End)
    assert grid.currentIndex().row() == model.rowCount() - 1
    driver.press(Key.Key_Home, SHIFT)
    assert len(grid.selected_ids()) == model.rowCount()
    driver.press(Key.Key_PageDown)
    assert grid.currentIndex().row() > 0
    assert grid.viewport().rect().intersects(grid.visualRect(grid.currentIndex()))


def test_a_rubber_band_selects_the_tiles_it_touches(driver: WindowDriver) -> None:
    grid, model, viewport = driver.grid, driver.session.grid, driver.grid.viewport()
    start, end = driver.tile_center(1), driver.tile_center(2) + QPoint(0, 5)
    driver.click(9, CTRL)
    QTest.mousePress(viewport, LEFT, Qt.KeyboardModifier.ControlModifier, start)
    for at in (start + QPoint(6, 6), start + QPoint(20, 8), end):
        QTest.mouseMove(viewport, at)
    QTest.mouseRelease(viewport, LEFT, Qt.KeyboardModifier.ControlModifier, end)
    assert {model.photo_id(row) for row in (1, 2, 9)} == set(grid.selected_ids())
    assert driver.navigator.focal_id is None


def test_one_click_selects_and_the_button_on_the_tile_walks(driver: WindowDriver) -> None:
    driver.click(3)
    driver.wait_until_idle("nothing")
    assert driver.grid.selected_ids() == [driver.session.grid.photo_id(3)]
    assert driver.navigator.focal_id is None
    driver.hover(5)
    photo_id = driver.session.grid.photo_id(5)
    spot = driver.grid.parts_of(5).buttons[TileButton.WALK].center().toPoint()
    QTest.mouseMove(driver.grid.viewport(), spot)
    QTest.mouseClick(driver.grid.viewport(), LEFT, pos=spot)
    driver.wait_until_idle("the ranking")
    assert driver.navigator.focal_id == photo_id
    QTest.mouseDClick(driver.grid.viewport(), LEFT, pos=spot)
    driver.wait_until_idle("nothing")
    assert driver.navigator.focal_id == photo_id, "the photo that moved under the pointer is not meant"
    assert driver.navigator.marks == {}


def test_a_message_covers_no_photo_and_stays_in_the_log(driver: WindowDriver) -> None:
    driver.session.notices.post("Something happened.")
    bar = driver.window.message_bar
    assert bar.isVisible()
    top = bar.mapTo(driver.window, QPoint(0, 0)).y()
    assert top >= driver.window.photos.mapTo(driver.window, driver.window.photos.rect().bottomLeft()).y()
    bar._next()
    bar.log_button.click()
    listed = next(each for each in driver.window.findChildren(QListWidget) if each.isVisible())
    assert "Something happened." in listed.item(0).text()
    listed.window().close()


def test_full_screen_leaves_photos_alone(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    window = driver.window
    others = [window.menuBar(), window.top_bar, window.status_bar, window.sidebar, window.right_column]
    driver.press(Key.Key_F11)
    driver.wait_until_idle("full screen")
    assert not any(each.isVisible() for each in [*others, window.photos.focal_panel])
    assert driver.grid.isVisible()
    driver.press(Key.Key_Escape)
    driver.wait_until_idle("the window")
    assert all(each.isVisible() for each in [*others, window.photos.focal_panel])


def test_columns_are_hidden_and_restored_and_the_photos_get_the_focus(driver: WindowDriver) -> None:
    for name, column in (("sidebar", driver.window.sidebar), ("right", driver.window.right_column)):
        action = driver.window.view_menu.by_name[name]
        width = driver.grid.width()
        action.trigger()
        driver.wait_until_idle("the column")
        assert not column.isVisible()
        assert driver.grid.width() > width
        action.trigger()
        assert column.isVisible()
    for key in (Key.Key_F9, Key.Key_F11):
        driver.window.sidebar.folder_tree.setFocus()
        for visible in (False, True):
            driver.press(key)
            assert driver.window.sidebar.isVisible() is visible
            assert driver.grid.hasFocus()
    driver.click(0)
    for key, modifiers in ((Key.Key_F9, SHIFT), (Key.Key_F11, NONE)):
        driver.press(Key.Key_T)
        assert driver.window.right_column.tags.field.hasFocus()
        driver.press(key, modifiers)
        assert not driver.window.right_column.isVisible()
        assert driver.grid.hasFocus()
        driver.press(key, modifiers)
        assert driver.window.right_column.isVisible()


@pytest.mark.slow
@pytest.mark.parametrize("hidden", ["by its key", "by the full screen", "by another page"])
def test_a_requested_field_becomes_visible(driver: WindowDriver, hidden: str) -> None:
    """Otherwise letters typed into a hidden field would be key commands of the photos."""
    window = driver.window
    for key, modifiers, field, hides in (
        (Key.Key_F, CTRL, window.sidebar.search, (Key.Key_F9, NONE)),
        (Key.Key_T, NONE, window.right_column.tags.field, (Key.Key_F9, SHIFT)),
        (Key.Key_F, CTRL | SHIFT, window.photos.text_strip.field, (Key.Key_F9, NONE)),
    ):
        driver.click(0)
        if hidden == "by its key":
            driver.press(*hides)
        elif hidden == "by the full screen":
            driver.press(Key.Key_F11)
        else:
            window.show_mode(Mode.LEARNING)
        driver.wait_until_idle("what hides the field")
        driver.press(key, modifiers)
        driver.wait_until(field.hasFocus, "the field")
        assert field.isVisible()
        driver.press(Key.Key_Escape)
        assert driver.grid.hasFocus()


def test_tags_go_to_the_current_photo_without_a_selection(driver: WindowDriver) -> None:
    driver.click(3)
    driver.press(Key.Key_Escape)
    assert driver.navigator.targets == ()
    driver.press(Key.Key_T)
    assert driver.window.right_column.tags.field.hasFocus()
    driver.type("sea")
    driver.press(Key.Key_Return)
    driver.wait_until_idle("tagging")
    assert [tags_of(driver, row) for row in range(5)] == [[], [], [], ["sea"], []]


def leave_all_photos(driver: WindowDriver) -> None:
    """Focus the photos with none selected and none current, as at the start."""
    driver.window.photos.focus_photos()
    driver.wait_until_idle("the photos")
    driver.grid.selectionModel().clear()
    assert driver.grid.current_id() is None
    assert driver.navigator.targets == ()


def test_letters_after_a_refused_t_are_not_shortcuts(driver: WindowDriver) -> None:
    field = driver.window.right_column.tags.field
    leave_all_photos(driver)
    driver.press(Key.Key_T)
    assert field.isEnabled()
    driver.press(Key.Key_Escape)
    assert driver.grid.hasFocus()
    assert not field.isEnabled()
    leave_all_photos(driver)
    driver.press(Key.Key_T)
    assert "Select photos to tag first" in driver.message_text
    driver.type("gexa")
    assert driver.window.mode is Mode.BROWSE
    assert not driver.window.photos.viewing
    driver.press(Key.Key_Return)
    driver.wait_until_idle("nothing")
    assert driver.session.library.journal.undo_label() is None
    assert field.text() == "gexa", "the typed text returns once photos are selected"
    driver.click(2)
    driver.wait_until_idle("the selection")
    driver.press(Key.Key_T)
    assert field.selectedText() == "gexa"
    driver.press(Key.Key_Return)
    driver.wait_until_idle("tagging")
    assert tags_of(driver, 2) == ["gexa"]


def test_select_all_returns_to_the_grid(driver: WindowDriver) -> None:
    """Ctrl+A in the viewer returns to the grid; Ctrl+Shift+A keeps the viewed photo as target."""
    everything = driver.session.grid.ids.tolist()
    driver.click(3)
    driver.press(Key.Key_E)
    driver.wait_until_idle("the photo")
    driver.press(Key.Key_A, CTRL | SHIFT)
    assert driver.navigator.targets == (everything[3],)
    driver.press(Key.Key_A, CTRL)
    driver.wait_until_idle("the selection")
    assert not driver.window.photos.viewing
    assert driver.grid.selected_ids() == everything
    assert driver.navigator.targets == tuple(everything)


def test_photos_are_sorted_from_the_menu(driver: WindowDriver) -> None:
    before = driver.session.grid.ids.tolist()
    menu = driver.window.view_menu.by_name
    menu["order.size"].trigger()
    driver.wait_until_idle("the order")
    photos = driver.session.library.photos.get(driver.session.grid.ids.tolist())
    assert [photo.bytes for photo in photos] == sorted((photo.bytes for photo in photos), reverse=True)
    driver.navigator.set_query("tag:none or -tag:none")
    driver.wait_until_idle("the filter")
    assert menu["order.size"].isChecked(), "a filter does not change the order"
    menu["order.folder"].trigger()
    driver.wait_until_idle("the order of the folders")
    driver.navigator.set_query("")
    driver.wait_until_idle("the order of the folders")
    assert driver.session.grid.ids.tolist() == before


def test_the_film_strip_shows_photos_and_branches(driver: WindowDriver) -> None:
    strip = driver.window.top_bar.trail
    assert strip.steps() == [], "the trail is empty"
    first = walk_to(driver, 0)
    second = walk_to(driver, 3)
    driver.press(Key.Key_Left, ALT)
    driver.wait_until_idle("back")
    third = walk_to(driver, 5)
    assert [each.step.focal_id for each in strip.steps()] == [None, first, third]
    strip.show_branches(1, QPoint(5, 5))
    menu = next(menu for menu in strip.findChildren(QMenu, "branches") if menu.isVisible())
    menu.actions()[0].trigger()
    menu.close()
    driver.wait_until_idle("the branch")
    assert driver.navigator.focal_id == second


def test_the_folders_are_filtered_by_typing(driver: WindowDriver) -> None:
    section, tree = driver.window.sidebar.folder_section, driver.window.sidebar.folder_tree
    model = tree.model()
    top = model.index(0, 0)
    names = [model.index(row, 0, top).data() for row in range(model.rowCount(top))]
    section.field.setText(names[0][:4])
    hidden = [name for row, name in enumerate(names) if tree.isRowHidden(row, top)]
    assert names[0] not in hidden
    assert hidden == [name for name in names if names[0][:4].casefold() not in name.casefold()]
    section.field.clear()
    assert not any(tree.isRowHidden(row, top) for row in range(len(names)))
