# SPDX-License-Identifier: MIT
"""The settings in the real window: descriptors and limits, by keys and mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QLabel, QMessageBox, QWidget
from shiboken6 import isValid

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.settings.descriptor_model import Column
from focal_photos.browser.operations.describing.enabled import enabled_names, set_enabled
from focal_photos.browser.operations.describing.settings import ANY_ROTATION, MEGAPIXELS, RETRAIN, SECONDS
from focal_photos.browser.views.base.theme import ThemeChoice
from focal_photos.browser.views.settings.settings_dialog import SettingsDialog
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver, pause
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.settings.settings_driver import LEFT, Key, NetworkFormDriver, SettingsDriver, closed, shown


@pytest.mark.parametrize("speaking", ["en", "de"], indirect=True)
@pytest.mark.usefixtures("large_font")
def test_with_a_large_font_no_check_box_is_cut(speaking: str, opened: SettingsDriver) -> None:
    dialog = opened.dialog
    for page in (dialog.general, dialog.descriptors, dialog.learning):
        dialog.show_page(page)
        opened.driver.wait_until_idle("the page")
        boxes = page.findChildren(QCheckBox)
        assert boxes
        assert not [box.text() for box in boxes if box.visibleRegion().boundingRect().width() < box.sizeHint().width()]


@pytest.mark.parametrize("speaking", ["en", "de"], indirect=True)
@pytest.mark.usefixtures("large_font")
def test_with_a_large_font_the_page_buttons_and_the_limits_are_whole(speaking: str, opened: SettingsDriver) -> None:
    dialog = opened.dialog
    dialog.show_page(dialog.limits)
    opened.driver.wait_until_idle("the page")
    for each in (*dialog.page_buttons, dialog.advanced):
        assert each.width() >= each.sizeHint().width(), each.text()
        assert each.visibleRegion().boundingRect() == each.rect(), each.text()
    texts = [text for text in dialog.limits.findChildren(QLabel) if text.wordWrap() and text.isVisible()]
    assert texts
    assert not [text.text() for text in texts if text.height() < text.heightForWidth(text.width())]


# ---------------------------------------------------------------------- descriptors
def test_the_dialog_opens_at_once_and_lists_everything_in_groups(opened: SettingsDriver) -> None:
    tree, model = opened.tree, opened.model
    titles = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert titles == [
        "Colour",
        "Texture",
        "Shape and edges",
        "Fisher vectors",
        "Signs of Fisher vectors, for suggestions",
        "Windows, for searches by a region",
        "Visual words",
        "Your own networks",
        "Local (points of the photo)",
        "Principal components of the above",
    ]
    assert [tree.isExpanded(model.index(row, 0)) for row in (0, 3, 9)] == [True, True, False]
    assert opened.checked("gabor")
    assert opened.text("gabor", Column.TITLE) == "Texture"
    assert opened.text("gabor", Column.DIMENSION) == "2\N{NARROW NO-BREAK SPACE}560"
    assert opened.text("gabor", Column.PHOTOS) == "32"
    assert opened.text("gabor", Column.BYTES).endswith("kB")
    assert not opened.checked("gabor_200")
    assert opened.text("gabor_200", Column.PHOTOS) == "\N{EN DASH}"
    assert not opened.dialog.apply_button.isEnabled(), "no change is pending"
    opened.press(Key.Key_Escape)
    assert closed(opened.driver, SettingsDialog)


def test_a_check_box_is_for_photos_without_an_up(opened: SettingsDriver) -> None:
    box = opened.dialog.descriptors.any_rotation.box
    assert not box.isChecked()
    QTest.mouseClick(box, LEFT, pos=QPoint(8, box.height() // 2))
    assert box.isChecked()
    assert opened.dialog.apply_button.isEnabled()
    QTest.mouseClick(box, LEFT, pos=QPoint(8, box.height() // 2))
    assert not opened.dialog.apply_button.isEnabled()
    assert not ANY_ROTATION.get(opened.driver.session.library)


@pytest.mark.slow
def test_switches_take_effect_on_enter_and_start_indexing(opened: SettingsDriver) -> None:
    session = opened.driver.session
    library = session.library
    opened.go_to("gist")
    opened.press(Key.Key_Space)
    assert not opened.checked("gist")
    opened.go_to("color_histogram_50")
    opened.press(Key.Key_Space)
    assert opened.checked("color_histogram_50")
    assert opened.text("color_histogram_50", Column.PHOTOS) == "next indexing"
    assert opened.row("gist").parent().siblingAtColumn(Column.BYTES).data() == "1 of 2 on"
    assert "gist" in enabled_names(library)
    assert opened.dialog.apply_button.isDefault()
    seen: list[str] = []
    session.tasks.dataChanged.connect(lambda: seen.append(opened.dialog.strip.text.toolTip()))
    opened.press(Key.Key_Return)
    opened.driver.wait_until(opened.dialog.strip.isVisible, "the progress")
    opened.driver.wait_until_idle("indexing", 120)
    assert "gist" not in enabled_names(library)
    assert "color_histogram_50" in enabled_names(library)
    assert opened.text("color_histogram_50", Column.PHOTOS) == "32"
    assert opened.text("gist", Column.PHOTOS) == "32", "its vectors are stored until the library is checked"
    assert any(text.startswith("Choosing training photos") for text in seen)
    assert any(text.startswith("Refining rankings") for text in seen)
    assert opened.dialog.isVisible()
    assert not opened.dialog.strip.isVisible()
    assert not opened.dialog.apply_button.isEnabled()
    assert "32 photos were described in" in opened.driver.message_text


@pytest.mark.slow
def test_the_ranking_uses_the_enabled_descriptors(opened: SettingsDriver) -> None:
    driver = opened.driver
    opened.press(Key.Key_Escape)
    assert closed(driver, SettingsDialog)
    driver.walk(0)
    driver.wait_until_idle("the ranking")
    before = driver.session.grid.ids.tolist()
    again = SettingsDriver(driver)
    for name in driver.session.library.settings.get("descriptors") or enabled_names(driver.session.library):
        if name != "color_moments":
            driver.session.preferences.descriptors.toggle(again.row(name))
    again.press(Key.Key_Return)
    driver.wait_until_idle("indexing", 120)
    assert enabled_names(driver.session.library) == ("color_moments",)
    after = driver.session.grid.ids.tolist()
    assert sorted(after) == sorted(before)
    assert after != before


def test_the_mouse_checks_a_row_and_closes_a_group(opened: SettingsDriver) -> None:
    opened.click(opened.row("lbp"))
    assert not opened.checked("lbp")
    opened.click(opened.row("lbp").siblingAtColumn(Column.BYTES))
    assert opened.checked("lbp")
    assert opened.model.pending == {}
    group = opened.row("lbp").parent()
    opened.click(group)
    assert not opened.tree.isExpanded(group)
    opened.driver.session.preferences.read()
    opened.driver.wait_until_idle("the settings")
    assert not opened.tree.isExpanded(opened.row("lbp").parent()), "the group stays closed"
    QTest.mouseClick(opened.dialog.close_button, LEFT)
    assert closed(opened.driver, SettingsDialog)


def test_the_last_descriptor_of_whole_photos_cannot_be_switched_off(
    open_window: OpenWindow, library_folder: Path
) -> None:
    with Library.open(library_folder) as library:
        set_enabled(library, ["gist", "sift"])
    opened = SettingsDriver(open_window(library_folder))
    assert not opened.dialog.notice.isVisible()
    opened.go_to("gist")
    opened.press(Key.Key_Space)
    assert opened.checked("gist")
    assert opened.dialog.notice.isVisible()
    assert "Scene layout stays on" in opened.dialog.notice.text()
    assert "last one" in opened.dialog.notice.text()
    opened.go_to("lbp")
    opened.press(Key.Key_Space)
    assert not opened.dialog.notice.isVisible()
    opened.go_to("gist")
    opened.press(Key.Key_Space)
    assert not opened.checked("gist"), "another descriptor is switched on"


def question(opened: SettingsDriver) -> QMessageBox:
    """Return the question asked on closing."""
    boxes = [box for box in opened.dialog.findChildren(QMessageBox) if box.isVisible()]
    assert len(boxes) == 1
    return boxes[0]


def answer(opened: SettingsDriver, text: str) -> None:
    """Press a button of the question."""
    box = question(opened)
    chosen = next(each for each in box.buttons() if each.text().replace("&", "") == text)
    QTest.mouseClick(chosen, LEFT)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["Esc", "Close", "the window's cross"])
def test_closing_asks_only_if_changes_are_pending(opened: SettingsDriver, way: str) -> None:
    def close() -> None:
        if way == "Esc":
            opened.press(Key.Key_Escape)
        elif way == "Close":
            QTest.mouseClick(opened.dialog.close_button, LEFT)
        else:
            opened.dialog.close()

    opened.go_to("gist")
    opened.press(Key.Key_Space)
    close()
    assert opened.dialog.isVisible()
    assert "1 unsaved change" in question(opened).text()
    answer(opened, "Cancel")
    assert opened.dialog.isVisible()
    assert not opened.checked("gist"), "the change is still pending"
    close()
    answer(opened, "Discard")
    assert closed(opened.driver, SettingsDialog)
    again = SettingsDriver(opened.driver)
    assert again.checked("gist")
    assert not again.dialog.apply_button.isEnabled()
    again.press(Key.Key_Escape)
    assert closed(opened.driver, SettingsDialog), "Esc without a pending change closes at once"


def test_pending_changes_are_applied_on_closing(opened: SettingsDriver) -> None:
    library = opened.driver.session.library
    opened.go_to("gist")
    opened.press(Key.Key_Space)
    opened.press(Key.Key_Escape)
    assert question(opened).defaultButton().text().replace("&", "") == "Apply"
    answer(opened, "Apply")
    opened.driver.wait_until(lambda: closed(opened.driver, SettingsDialog), "the dialog is closed")
    opened.driver.wait_until_idle("indexing", 120)
    assert "gist" not in enabled_names(library)


def test_closing_does_not_offer_to_apply_invalid_changes(opened: SettingsDriver) -> None:
    opened.dialog.show_page(opened.dialog.limits)
    row = next(iter(opened.dialog.limits.rows.values()))
    row.field.selectAll()
    QTest.keyClicks(row.field, "many")
    opened.press(Key.Key_Escape)
    assert {each.text().replace("&", "") for each in question(opened).buttons()} == {"Discard", "Cancel"}
    answer(opened, "Cancel")
    assert row.field.text() == "many"


@pytest.mark.slow
def test_indexing_is_stopped_and_resumed_in_the_dialog(opened: SettingsDriver) -> None:
    session = opened.driver.session
    opened.go_to("geometric_blur_large")
    opened.press(Key.Key_Space)
    opened.press(Key.Key_Return)
    opened.driver.wait_until(lambda: bool(session.tasks.states()), "the task")
    opened.dialog.strip.cancel_button.click()
    opened.driver.wait_until_idle("the end", 60)
    assert "geometric_blur_large" in enabled_names(session.library)
    if opened.text("geometric_blur_large", Column.PHOTOS) != "32":
        assert opened.dialog.apply_button.isEnabled(), "indexing can be resumed"
        QTest.mouseClick(opened.dialog.apply_button, LEFT)
        opened.driver.wait_until_idle("indexing", 120)
    assert opened.text("geometric_blur_large", Column.PHOTOS) == "32"


# ---------------------------------------------------------------------- limits
def test_limits_are_checked_as_they_are_typed(opened: SettingsDriver) -> None:
    library = opened.driver.session.library
    dialog = opened.dialog
    for _ in range(2):
        opened.press(Key.Key_Tab, CTRL)
    row = dialog.limits.rows["decode.megapixels"]
    opened.driver.wait_until(row.field.hasFocus, "the keyboard")
    assert row.field.text() == "300"
    row.field.selectAll()
    QTest.keyClicks(row.field, "0")
    assert row.error.isVisible()
    assert row.error.text() == "Expected a whole number from 1 to 4000."
    assert not dialog.apply_button.isEnabled()
    opened.press(Key.Key_Return)
    assert dialog.isVisible()
    row.field.selectAll()
    QTest.keyClicks(row.field, "120")
    assert not row.error.isVisible()
    seconds = dialog.limits.rows["decode.seconds"]
    seconds.field.setFocus()
    seconds.field.selectAll()
    QTest.keyClicks(seconds.field, "2.5")
    opened.press(Key.Key_Return)
    opened.driver.wait_until_idle("indexing", 60)
    assert (MEGAPIXELS.get(library), SECONDS.get(library)) == (120, 2.5)
    assert row.field.text() == "120"
    assert not dialog.apply_button.isEnabled()
    opened.driver.wait_until(row.reset_button.isEnabled, "the way back")
    row.reset_button.click()
    assert row.field.text() == "300"
    QTest.mouseClick(dialog.apply_button, LEFT)
    opened.driver.wait_until_idle("indexing", 60)
    assert library.settings.get("decode.megapixels") is None, "the default is not stored"
    assert not row.reset_button.isEnabled()


def test_automatic_training_is_switched_by_keys_without_indexing(opened: SettingsDriver) -> None:
    session, dialog = opened.driver.session, opened.dialog
    indexed: list[bool] = []
    session.jobs.indexing.running_changed.connect(lambda: indexed.append(session.jobs.indexing.running))
    for _ in range(5):
        opened.press(Key.Key_Tab, CTRL)
    box = dialog.learning.boxes["review.retrain"]
    opened.driver.wait_until(box.hasFocus, "the keyboard")
    assert box.isChecked()
    opened.press(Key.Key_Space)
    assert not box.isChecked()
    assert RETRAIN.get(session.library), "nothing changes before Apply"
    opened.press(Key.Key_Space)
    assert not dialog.apply_button.isEnabled(), "no change is pending"
    opened.press(Key.Key_Space)
    opened.press(Key.Key_Return)
    opened.driver.wait_until_idle("the settings")
    assert not RETRAIN.get(session.library)
    assert not session.overview.now.retrains, "the menu is updated"
    assert not box.isChecked()
    assert not dialog.apply_button.isEnabled()
    assert True not in indexed
    QTest.mouseClick(box, LEFT, pos=QPoint(10, box.height() // 2))
    QTest.mouseClick(dialog.apply_button, LEFT)
    opened.driver.wait_until_idle("the settings")
    assert session.library.settings.get("review.retrain") is None, "the default is not stored"
    assert session.overview.now.retrains


# ---------------------------------------------------------------------- read-only, keys, looks
def test_a_read_only_library_shows_the_reason(open_window: OpenWindow, library_folder: Path) -> None:
    driver = open_window(library_folder, read_only=True)
    opened = SettingsDriver(driver)
    assert opened.text("gabor", Column.PHOTOS) == "32"
    assert "read-only" in opened.dialog.notice.text()
    assert opened.dialog.notice.isVisible()
    opened.go_to("gist")
    opened.press(Key.Key_Space)
    assert opened.checked("gist")
    opened.click(opened.row("lbp"))
    assert opened.checked("lbp")
    page = opened.dialog.descriptors
    for widget in (opened.dialog.apply_button, page.add_button, page.remove_button):
        assert not widget.isEnabled()
    for row in opened.dialog.limits.rows.values():
        assert not row.field.isEnabled()
        assert not row.reset_button.isEnabled()
    assert not any(box.isEnabled() for box in opened.dialog.learning.boxes.values())
    opened.dialog.next_page()
    assert opened.dialog.notice.isVisible()
    opened.press(Key.Key_Escape)
    assert closed(opened.driver, SettingsDialog)


def test_the_dialog_opens_with_the_personal_settings(driver: WindowDriver) -> None:
    driver.press(Key.Key_Comma, CTRL)
    dialog = shown(driver, SettingsDialog)
    assert dialog.general.isVisible()
    assert [each.isChecked() for each in dialog.page_buttons] == [True] + [False] * 6
    driver.wait_until(next(iter(dialog.general.boxes.values())).hasFocus, "the keyboard")
    dialog.page_buttons[3].click()
    assert dialog.descriptors.isVisible()


def test_tab_reaches_everything_and_everything_has_a_name(opened: SettingsDriver) -> None:
    opened.go_to("gist")
    opened.press(Key.Key_Space)
    dialog = opened.dialog
    pages: list[set[QWidget]] = []
    for _ in range(6):
        seen: list[QWidget] = []
        while (widget := QApplication.focusWidget()) is not None and widget not in seen:
            seen.append(widget)
            opened.press(Key.Key_Tab)
        assert all(name(widget) for widget in seen), [type(widget).__name__ for widget in seen if not name(widget)]
        pages.append(set(seen))
        opened.press(Key.Key_PageDown, CTRL)
    everywhere = {dialog.apply_button, dialog.close_button}
    assert {*everywhere, opened.tree, dialog.descriptors.add_button} <= pages[0]
    assert {*everywhere, *(row.field for row in dialog.limits.rows.values())} <= pages[2]
    assert {*everywhere, dialog.plugins.list} <= pages[3]
    assert {*everywhere, *dialog.learning.boxes.values()} <= pages[5]
    assert pages[0] & set(dialog.page_buttons)
    opened.press(Key.Key_Backtab, SHIFT)
    form = NetworkFormDriver(opened).form
    seen = []
    while (widget := QApplication.focusWidget()) is not None and widget not in seen:
        seen.append(widget)
        QTest.keyClick(widget, Key.Key_Tab)
        pause(5)
    assert len(seen) >= 11
    assert all(name(widget) for widget in seen)
    form.close()


def name(widget: QWidget) -> str:
    return widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")


@pytest.mark.slow
def test_the_theme_changes_after_the_dialog_was_closed(opened: SettingsDriver) -> None:
    held = [opened.dialog.strip.pause_button, *(row.reset_button for row in opened.dialog.limits.rows.values())]
    opened.press(Key.Key_Escape)
    assert closed(opened.driver, SettingsDialog)
    opened.driver.window.view_menu.choose_theme(ThemeChoice.LIGHT)
    opened.driver.window.view_menu.choose_theme(ThemeChoice.DARK)
    assert not any(isValid(button) for button in held)


@pytest.mark.slow
@pytest.mark.parametrize("choice", [ThemeChoice.DARK, ThemeChoice.LIGHT])
def test_nothing_is_cut_off(opened: SettingsDriver, choice: ThemeChoice) -> None:
    opened.driver.window.view_menu.choose_theme(choice)
    dialog = opened.dialog
    form = NetworkFormDriver(opened).form
    pause(50)
    assert dialog.width() <= 1280
    assert dialog.height() <= 680
    assert form.height() <= 680
    for page in (dialog, form):
        assert not page.grab().isNull()
        for widget in page.findChildren(QAbstractButton):
            if widget.isVisible():
                assert widget.width() >= widget.minimumSizeHint().width(), name(widget)
                assert page.rect().contains(QPoint(*widget.mapTo(page, QPoint(0, 0)).toTuple()))
    form.close()
    dialog.resize(dialog.minimumSize())
    pause(20)
    assert dialog.width() <= 640
    widths = [opened.tree.columnWidth(column) for column in Column]
    assert sum(widths) <= opened.tree.viewport().width()
    assert widths[0] >= 150
