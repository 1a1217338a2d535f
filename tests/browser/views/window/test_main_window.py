# SPDX-License-Identifier: MIT
"""The window as a whole: long tasks, failures, settings, keyboard access."""

from __future__ import annotations

import shutil
import time
from importlib.metadata import version
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSettings, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel, QLineEdit, QMessageBox, QWidget

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.base.notices import MessageAction
from focal_photos.browser.models.session import Session
from focal_photos.browser.tasks.runner import SHUTDOWN_SECONDS
from focal_photos.browser.views.base.modes import Mode, ModePage
from focal_photos.browser.views.base.theme import Theme, ThemeChoice
from focal_photos.browser.views.dialogs.failures_dialog import FailuresDialog
from focal_photos.browser.views.dialogs.shortcuts_dialog import ShortcutsDialog
from focal_photos.browser.views.window.actions import ACTIONS, WindowActions
from focal_photos.browser.views.window.main_window import MainWindow
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.views.conftest import OpenWindow

Key = Qt.Key


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """Return a folder with 80 small photos: more than are written at once."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(80):
        Image.new("RGB", (40, 30), (2 * number, number, 90)).save(folder / f"{number:03}.png")
    return folder


def dialog(driver: WindowDriver, kind: type[QDialog]) -> QDialog:
    driver.wait_until(lambda: any(each.isVisible() for each in driver.window.findChildren(kind)), "the dialog")
    return next(each for each in driver.window.findChildren(kind) if each.isVisible())


# ---------------------------------------------------------------------- long work
@pytest.mark.slow
def test_indexing_can_be_paused_cancelled_and_resumed(open_window: OpenWindow, tmp_path: Path, many: Path) -> None:
    driver = open_window(tmp_path / "library")
    driver.window.dialogs.open_folders([many])
    bar = driver.window.status_bar
    driver.wait_until(lambda: any(state.progress for state in driver.session.tasks.states()), "progress", 60)
    assert bar.task_strip.cancel_button.isVisible()
    bar.task_strip.pause_button.click()
    assert driver.session.tasks.states()[0].paused
    assert bar.task_strip.pause_button.toolTip() == "Continue"
    assert "paused" in bar.task_strip.text.full_text()
    bar.task_strip.pause_button.click()
    bar.task_strip.cancel_button.click()
    driver.wait_until_idle("the end", 60)
    assert not bar.task_strip.cancel_button.isVisible()
    assert "stopped" in driver.message_text
    driver.press(Key.Key_F5)
    driver.wait_until_idle("indexing", 120)
    assert driver.session.overview.now.photos == 80
    driver.walk(3)
    driver.wait_until_idle("the ranking")
    assert len(driver.session.grid.ids) == 79


@pytest.mark.slow
def test_closing_stops_indexing_at_once_and_the_next_start_resumes_it(
    open_window: OpenWindow, tmp_path: Path, many: Path
) -> None:
    driver = open_window(tmp_path / "library")
    driver.window.dialogs.open_folders([many])
    driver.wait_until(lambda: driver.session.grid.rowCount() > 0, "the first photos")
    first = driver.session.grid.photo_id(0)
    driver.session.editor.tag([first], ["kept"])
    start = time.monotonic()
    driver.window.close()
    assert time.monotonic() - start < SHUTDOWN_SECONDS, "closing waits for no lane"
    assert not driver.window.isVisible()
    again = open_window(tmp_path / "library", settled=False)
    again.wait_until_idle("indexing", 120)
    assert again.session.overview.now.photos == 80
    assert again.session.library.tags.of([first])[first] == ["kept"], "changes requested before closing are saved"
    again.walk(2)
    again.wait_until_idle("the ranking")
    assert len(again.session.grid.ids) == 79


@pytest.mark.slow
def test_browsing_works_while_photos_arrive(open_window: OpenWindow, library_folder: Path, many: Path) -> None:
    driver = open_window(library_folder)
    driver.walk(4)
    driver.wait_until_idle("the ranking")
    focal = driver.navigator.focal_id
    driver.window.dialogs.open_folders([many])
    driver.walk(2)
    driver.wait_until(lambda: driver.navigator.focal_id not in (None, focal), "the next focal image")
    driver.wait_until_idle("indexing", 120)
    assert driver.session.overview.now.photos == 112
    driver.press(Key.Key_G)
    driver.wait_until_idle("the order of the folders")
    assert driver.session.grid.rowCount() == 112


# ---------------------------------------------------------------------- trouble
def test_broken_photos_are_listed_and_do_not_stop_indexing(
    open_window: OpenWindow, tmp_path: Path, drawn_album: Path
) -> None:
    folder = tmp_path / "photos"
    shutil.copytree(next(path for path in drawn_album.iterdir() if path.is_dir()), folder)
    (folder / "copies").mkdir()
    shutil.copy(next(folder.glob("*.jpg")), folder / "copies" / "same.jpg")
    (folder / "broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 no more")
    (folder / "text.png").write_text("this is no picture")
    (folder / "link.jpg").symlink_to("nowhere.jpg")
    driver = open_window(tmp_path / "library", folder)
    driver.wait_until_idle("indexing", 120)
    assert driver.session.overview.now.photos == 6
    message = driver.window.message_bar.message
    assert message is not None
    assert message.action is MessageAction.REVIEW, "there are photos to review"
    assert message.text.startswith("6 photos indexed in "), "the message counts the photos in the window"
    assert "1 more file is a copy of one of them. Files and folders that could not be read: 3." in message.text
    driver.press(Key.Key_F5)
    driver.wait_until_idle("nothing new", 120)
    message = driver.window.message_bar.message
    assert message is not None
    assert message.text.startswith("Nothing has changed: 6 photos. "), "the count is the same"
    (failures,) = [
        each for each in driver.window.status_bar.findChildren(QAbstractButton) if each.text() == "2 with problems"
    ]
    failures.click()
    listed = dialog(driver, FailuresDialog)
    assert isinstance(listed, FailuresDialog)
    model = listed.table.model()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["broken.jpg", "link.jpg", "text.png"]
    assert all(model.index(row, 1).data() for row in range(3)), "each file has a reason"
    listed.close()
    row = next(row for row in range(6) if driver.session.grid.index(row).data() == "broken.jpg")
    assert "cannot be shown" in driver.session.grid.index(row).data(Qt.ItemDataRole.AccessibleTextRole)
    driver.grid.viewport().grab()
    driver.walk(row)
    driver.wait_until(lambda: driver.window.message_bar.message not in (None, message), "the message")
    assert driver.navigator.focal_id is None, "an unreadable photo is not a focal image"
    driver.walk(0 if row else 1)
    driver.wait_until(lambda: driver.navigator.focal_id is not None, "the ranking")


def test_a_deleted_file_is_shown_as_missing(open_window: OpenWindow, tmp_path: Path, drawn_album: Path) -> None:
    folder = tmp_path / "photos"
    shutil.copytree(next(path for path in drawn_album.iterdir() if path.is_dir()), folder)
    driver = open_window(tmp_path / "library", folder)
    driver.wait_until_idle("indexing", 120)
    gone = driver.session.grid.photo_id(1)
    driver.session.editor.tag([gone], ["kept"])
    driver.session.library.photos.get([gone])[0].path.unlink()
    driver.press(Key.Key_F5)
    driver.wait_until_idle("the scan", 60)
    assert driver.session.overview.now.missing_photos == 1
    card = driver.session.grid.card(gone)
    assert card is not None
    assert card.photo.missing
    assert card.tags == ("kept",)


@pytest.mark.slow
def test_a_read_only_library_can_be_browsed(open_window: OpenWindow, library_folder: Path) -> None:
    with_tag = open_window(library_folder)
    with_tag.session.editor.tag(with_tag.session.grid.ids[:2].tolist(), ["sea"])
    with_tag.wait_until_idle("tagging")
    with_tag.window.close()
    driver = open_window(library_folder, read_only=True)
    window = driver.window
    message = window.message_bar.message
    assert message is not None
    assert "read-only" in message.text
    assert "read-only" in window.status_bar.text()
    writing = {spec.name for spec in ACTIONS if spec.writes}
    assert {name for name, action in window.window_actions.by_name.items() if action.isEnabled()} & writing == set()
    assert not window.right_column.tags.field.isVisible()
    driver.walk(0)
    driver.wait_until_idle("the ranking")
    assert len(driver.session.grid.ids) == 31
    driver.hover(1)
    driver.press(Key.Key_S)
    driver.press(Key.Key_1)
    driver.wait_until_idle("nothing")
    assert driver.navigator.marks == {}
    assert not driver.window.acceptDrops()


# ---------------------------------------------------------------------- settings and themes
@pytest.mark.slow
def test_sizes_and_theme_are_remembered(
    open_window: OpenWindow, library_folder: Path, tmp_path: Path, settings: QSettings
) -> None:
    driver = open_window(library_folder)
    driver.window.resize(1100, 700)
    driver.grid.set_tile_size(150)
    driver.window.view_menu.choose_theme(ThemeChoice.LIGHT)
    assert not driver.window.theme.dark
    light = driver.window.theme.color("window")
    driver.window.view_menu.choose_theme(ThemeChoice.DARK)
    assert driver.window.theme.color("window") != light
    driver.window.close()
    assert settings.value("window/theme") == "dark"
    again = open_window(library_folder)
    assert again.grid.tile_size == 150
    assert settings.value("window/geometry") is not None


def test_the_first_window_fits_on_a_small_screen(theme: Theme, settings: QSettings, library_folder: Path) -> None:
    window = MainWindow(Session(Library.open(library_folder)), theme, settings)
    room = window.screen().availableGeometry()
    assert (room.width(), room.height()) == (800, 800), "the size of the offscreen platform's screen"
    assert window.height() <= room.height() - 40, "there is space for the title bar"
    assert window.width() <= room.width()
    window.close()


def test_invalid_settings_are_ignored(open_window: OpenWindow, library_folder: Path, settings: QSettings) -> None:
    settings.setValue("grid/tile_size", "large")
    settings.setValue("window/geometry", "nonsense")
    settings.setValue("window/columns", 7)
    driver = open_window(library_folder)
    assert driver.grid.isVisible()


# ---------------------------------------------------------------------- folders by drag and drop
@pytest.mark.slow
def test_a_dropped_folder_is_opened(open_window: OpenWindow, tmp_path: Path, drawn_album: Path) -> None:
    driver = open_window(tmp_path / "library")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(drawn_album / "tags.csv"))])
    actions, buttons = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    enter = QDragEnterEvent(QPoint(400, 300), actions, data, buttons, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(driver.window, enter)
    assert enter.isAccepted()
    drop = QDropEvent(QPointF(400, 300), actions, data, buttons, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(driver.window, drop)
    driver.wait_until_idle("indexing", 120)
    assert driver.session.overview.now.photos == 32, "opening a file shows its folder"


def test_other_data_cannot_be_dropped(driver: WindowDriver) -> None:
    data = QMimeData()
    data.setText("beach")
    enter = QDragEnterEvent(
        QPoint(4, 3), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(driver.window, enter)
    assert not enter.isAccepted()


# ---------------------------------------------------------------------- keys and access
def test_every_action_has_a_method_and_unique_keys() -> None:
    keys = [(QKeySequence(key).toString(), spec.place) for spec in ACTIONS for key in spec.keys]
    assert all(key for key, _ in keys)
    assert len(keys) == len(set(keys))
    assert len({key for key, _ in keys}) == len(keys) - 1, "B has two meanings: in the grid and in the preview"
    assert {place for key, place in keys if key == "B"} == {"grid", "preview"}
    assert all(callable(getattr(WindowActions, spec.name)) for spec in ACTIONS)
    assert len({spec.name for spec in ACTIONS}) == len(ACTIONS)


@pytest.mark.slow
def test_the_window_can_be_narrow(driver: WindowDriver) -> None:
    driver.window.resize(760, 600)
    assert driver.window.width() == 760


def test_the_keys_are_listed_and_a_held_key_acts_once(driver: WindowDriver) -> None:
    actions = driver.window.window_actions.by_name
    once = {name for name, action in actions.items() if not action.autoRepeat()}
    judging = {"similar", "dissimilar", "looks_alike", "nearer"}
    assert once == {"accept", "reject", *judging, "draw_boxes", "old_order", "show_supporters", "single", "slideshow"}
    driver.press(Key.Key_Question)
    listed = dialog(driver, ShortcutsDialog)
    assert listed.grab().width() > 400
    QTest.keyClick(listed, Key.Key_Escape)
    assert not listed.isVisible()


def test_about_names_the_version(driver: WindowDriver) -> None:
    texts: list[str] = []

    def look() -> None:  # the box has its own event loop
        for box in driver.window.findChildren(QMessageBox):
            texts.append(box.text())
            box.close()
        if not texts:
            QTimer.singleShot(10, look)

    QTimer.singleShot(0, look)
    driver.window.dialogs.show_about()
    assert f"Focal {version('focal-photos')}" in texts[0]


def test_letters_typed_in_a_field_are_not_shortcuts(driver: WindowDriver) -> None:
    driver.walk(0)
    driver.wait_until_idle("the ranking")
    driver.hover(1)
    driver.press(Key.Key_F, CTRL)
    driver.type("sad.1")
    assert driver.window.sidebar.search.text() == "sad.1"
    driver.wait_until_idle("the filter")
    assert driver.navigator.marks == {}


def test_keys_for_photos_do_nothing_in_the_sidebar(driver: WindowDriver) -> None:
    driver.walk(0)
    driver.wait_until_idle("the ranking")
    driver.hover(1)
    driver.window.sidebar.folder_tree.setFocus()
    driver.press(Key.Key_S)
    driver.wait_until_idle("nothing")
    assert driver.navigator.marks == {}


def test_tab_reaches_the_parts_in_reading_order(driver: WindowDriver) -> None:
    driver.session.targets.tag()
    driver.click(0, CTRL)
    driver.wait_until_idle("the selection")
    window = driver.window
    window.sidebar.search.setFocus()
    seen: list[QWidget] = []
    for _ in range(60):
        widget = QApplication.focusWidget()
        if widget is None or widget in seen:
            break
        seen.append(widget)
        window.focusNextChild()
    order = [window.sidebar.search, window.photos.grid, window.right_column.tags.field]
    assert [seen.index(widget) for widget in order] == sorted(seen.index(widget) for widget in order)
    assert window.sidebar.folder_tree in seen
    assert window.top_bar.metric_box in seen


def test_every_focusable_widget_has_a_name(driver: WindowDriver) -> None:
    driver.walk(0)
    driver.wait_until_idle("the ranking")
    nameless = [
        f"{type(widget).__name__} {widget.objectName()}"
        for widget in driver.window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and not name(widget)
    ]
    assert nameless == []


def name(widget: QWidget) -> str:
    if widget.accessibleName():
        return widget.accessibleName()
    if isinstance(widget, QAbstractButton):
        return widget.text()
    return widget.placeholderText() if isinstance(widget, QLineEdit) else ""


def test_the_undo_key_does_not_change_the_field(driver: WindowDriver) -> None:
    driver.session.editor.tag([driver.session.grid.photo_id(0)], ["sea"])
    driver.wait_until_idle("tagging")
    driver.press(Key.Key_F, CTRL)
    driver.type("ab")
    driver.press(Key.Key_Z, CTRL)
    driver.press(Key.Key_Z, CTRL | SHIFT)
    driver.wait_until_idle("nothing")
    assert driver.session.overview.now.undo == "Tag 1 photo: sea"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "title", "key", "does"),
    [
        (Mode.BROWSE, "Mouse", "Double click", "Set as focal image"),
        (Mode.REVIEW, "Review", "Tab", "Save the flipped photos, leave the rest open"),
        (Mode.MAP, "Map", "L", "Lasso"),
        (Mode.COMPARE, "Compare", "Z", "Full size"),
        (Mode.DUPLICATES, "Duplicates", "R", "Reject the duplicates"),
    ],
)
def test_keys_of_the_shown_page_come_first(driver: WindowDriver, mode: Mode, title: str, key: str, does: str) -> None:
    driver.window.show_mode(mode)
    driver.wait_until_idle(title)
    driver.press(Key.Key_Question)
    texts = [each.text() for each in dialog(driver, ShortcutsDialog).findChildren(QLabel)]
    assert texts[0] == title
    assert texts[texts.index(does) + 1] == key
    assert not driver.window.modes.review_page.question_page.heading.field.text(), "the key is not typed into the name"


@pytest.mark.slow
def test_an_empty_library_shows_the_welcome_and_nothing_about_photos(
    open_window: OpenWindow, tmp_path: Path, drawn_album: Path
) -> None:
    driver = open_window(tmp_path / "new")
    driver.wait_until_idle("the empty library")
    assert driver.window.right_column.isHidden()
    for mode in (Mode.REVIEW, Mode.MAP, Mode.COMPARE, Mode.DUPLICATES):
        driver.window.show_mode(mode)
        driver.wait_until_idle("the mode")
        page = driver.window.findChild(ModePage, f"{mode}Page")
        assert page is not None
        texts = [each.text() for each in page.findChildren(QLabel) if each.isVisible()]
        assert "There are no photos yet: open a folder first (Ctrl+O)." in texts
    driver.window.show_mode(Mode.BROWSE)
    driver.window.dialogs.open_folders([drawn_album])
    driver.wait_until(driver.grid.isVisible, "the grid")
    assert driver.window.right_column.isVisible()
    driver.wait_until_idle("indexing", 120)
    assert driver.window.right_column.isVisible()
