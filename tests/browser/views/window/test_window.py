"""The window around the loop: long work, trouble, settings, access without a mouse."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLineEdit, QWidget

from browser.models.work.message import Message, MessageAction, Severity
from browser.views.base.actions import ACTIONS
from browser.views.base.theme import ThemeChoice
from browser.views.dialogs.failures_dialog import FailuresDialog
from browser.views.dialogs.shortcuts_dialog import ShortcutsDialog
from browser.views.window.commands import Commands
from browser.walkthrough.keys_and_mouse import CTRL, SHIFT, Hands
from tests.browser.views.conftest import OpenWindow

Key = Qt.Key


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A folder with 300 small photos."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(300):
        Image.new("RGB", (40, 30), (number % 256, number // 2, 90)).save(folder / f"{number:03}.png")
    return folder


def dialog(hands: Hands, kind: type[QDialog]) -> QDialog:
    hands.until(lambda: any(each.isVisible() for each in hands.window.findChildren(kind)), "the dialog")
    return next(each for each in hands.window.findChildren(kind) if each.isVisible())


# ---------------------------------------------------------------------- long work
def test_indexing_can_be_paused_and_cancelled_and_goes_on(open_window: OpenWindow, tmp_path: Path, many: Path) -> None:
    hands = open_window(tmp_path / "library")
    hands.window.open_folders([many])
    bar = hands.window.status_bar
    hands.until(lambda: any(state.progress for state in hands.session.tasks.states()), "progress", 60)
    assert bar.cancel_button.isVisible()
    bar.pause_button.click()
    assert hands.session.tasks.states()[0].paused
    assert bar.pause_button.toolTip() == "Go on"
    assert "paused" in bar.task_text.text()
    bar.pause_button.click()
    bar.cancel_button.click()
    hands.settle("the end", 60)
    assert not bar.cancel_button.isVisible()
    notice = hands.window.message_bar.message
    assert notice is not None
    assert "stopped" in notice.text
    hands.key(Key.Key_F5)
    hands.settle("indexing", 120)
    assert hands.session.overview.photos == 300
    hands.click(3)
    hands.settle("the ranking")
    assert len(hands.session.grid.ids) == 299


def test_closing_while_indexing_ends_at_once_and_the_next_start_goes_on(
    open_window: OpenWindow, tmp_path: Path, many: Path
) -> None:
    hands = open_window(tmp_path / "library")
    hands.window.open_folders([many])
    hands.until(lambda: hands.session.grid.rowCount() > 0, "the first photos")
    first = hands.session.grid.photo_id(0)
    hands.session.editor.tag([first], ["kept"])
    start = time.monotonic()
    hands.window.close()
    assert time.monotonic() - start < 20
    assert not hands.window.isVisible()
    again = open_window(tmp_path / "library", settled=False)
    again.settle("indexing", 120)
    assert again.session.overview.photos == 300
    assert again.session.library.tags.of([first])[first] == ["kept"], "what was asked for before closing was done"
    again.click(2)
    again.settle("the ranking")
    assert len(again.session.grid.ids) == 299


def test_browsing_goes_on_while_photos_arrive(open_window: OpenWindow, library_folder: Path, many: Path) -> None:
    hands = open_window(library_folder)
    hands.click(4)
    hands.settle("the ranking")
    focal = hands.navigator.focal_id
    hands.window.open_folders([many])
    hands.click(2)
    hands.until(lambda: hands.navigator.focal_id not in (None, focal), "the next focal image")
    hands.settle("indexing", 120)
    assert hands.session.overview.photos == 332
    hands.key(Key.Key_G)
    hands.settle("the order of the folders")
    assert hands.session.grid.rowCount() == 332


# ---------------------------------------------------------------------- trouble
def test_broken_photos_are_listed_and_stop_nothing(open_window: OpenWindow, tmp_path: Path, drawn_album: Path) -> None:
    folder = tmp_path / "photos"
    shutil.copytree(next(path for path in drawn_album.iterdir() if path.is_dir()), folder)
    (folder / "broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 no more")
    (folder / "text.png").write_text("this is no picture")
    hands = open_window(tmp_path / "library", folder)
    hands.settle("indexing", 120)
    assert hands.session.overview.photos == 6
    notice = hands.window.message_bar.message
    assert notice is not None
    assert notice.action is MessageAction.SHOW_FAILURES
    assert "2 files could not be read" in notice.text
    hands.window.message_bar.offered.emit(notice.action)
    listed = dialog(hands, FailuresDialog)
    assert isinstance(listed, FailuresDialog)
    model = listed.table.model()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["broken.jpg", "text.png"]
    assert all(model.index(row, 1).data() for row in range(2)), "each has a reason"
    listed.close()
    row = next(row for row in range(6) if hands.session.grid.index(row).data() == "broken.jpg")
    assert "cannot be shown" in hands.session.grid.index(row).data(Qt.ItemDataRole.AccessibleTextRole)
    hands.grid.viewport().grab()
    hands.click(row)
    hands.until(lambda: hands.window.message_bar.message not in (None, notice), "the message")
    assert hands.navigator.focal_id is None, "a photo that cannot be read is no focal image"
    QTest.mouseClick(hands.grid.viewport(), Qt.MouseButton.LeftButton, pos=hands.spot(0 if row else 1))
    hands.until(lambda: hands.navigator.focal_id is not None, "the ranking")


def test_a_file_that_went_away(open_window: OpenWindow, tmp_path: Path, drawn_album: Path) -> None:
    folder = tmp_path / "photos"
    shutil.copytree(next(path for path in drawn_album.iterdir() if path.is_dir()), folder)
    hands = open_window(tmp_path / "library", folder)
    hands.settle("indexing", 120)
    gone = hands.session.grid.photo_id(1)
    hands.session.editor.tag([gone], ["kept"])
    hands.session.library.photos.get([gone])[0].path.unlink()
    hands.key(Key.Key_F5)
    hands.settle("the scan", 60)
    assert hands.session.overview.missing_photos == 1
    card = hands.session.grid.card(gone)
    assert card is not None
    assert card.photo.missing
    assert card.tags == ("kept",)


def test_a_read_only_library_can_be_looked_at(open_window: OpenWindow, library_folder: Path) -> None:
    with_tag = open_window(library_folder)
    with_tag.session.editor.tag(with_tag.session.grid.ids[:2].tolist(), ["sea"])
    with_tag.settle("tagging")
    with_tag.window.close()
    hands = open_window(library_folder, read_only=True)
    window = hands.window
    notice = window.message_bar.message
    assert notice is not None
    assert "read-only" in notice.text
    assert "read-only" in window.status_bar.text()
    writing = {spec.name for spec in ACTIONS if spec.writes}
    assert {name for name, action in window.commands.actions.items() if action.isEnabled()} & writing == set()
    assert not window.tag_panel.field.isVisible()
    hands.click(0)
    hands.settle("the ranking")
    assert len(hands.session.grid.ids) == 31
    hands.hover(1)
    hands.key(Key.Key_S)
    hands.key(Key.Key_1)
    hands.settle("nothing")
    assert hands.navigator.marks == {}
    assert not hands.window.acceptDrops()


def test_errors_wait_for_each_other_and_news_do_not(hands: Hands) -> None:
    bar = hands.window.message_bar
    bar.show_message(Message("one"))
    bar.show_message(Message("two"))
    assert bar.message == Message("two")
    bar.show_message(Message("bad", Severity.ERROR))
    bar.show_message(Message("three"))
    assert bar.message == Message("bad", Severity.ERROR)
    bar._next()
    assert bar.message == Message("three")
    bar._next()
    assert not bar.isVisible()


# ---------------------------------------------------------------------- settings and themes
def test_sizes_and_theme_are_remembered(
    open_window: OpenWindow, library_folder: Path, tmp_path: Path, settings: QSettings
) -> None:
    hands = open_window(library_folder)
    hands.window.resize(1100, 700)
    hands.grid.set_tile_size(150)
    hands.window.choose_theme(ThemeChoice.LIGHT)
    assert not hands.window.look.dark
    light = hands.window.look.color("window")
    hands.window.choose_theme(ThemeChoice.DARK)
    assert hands.window.look.color("window") != light
    hands.window.close()
    assert settings.value("window/theme") == "dark"
    again = open_window(library_folder)
    assert again.grid.tile_size == 150
    assert settings.value("window/geometry") is not None


def test_spoiled_settings_do_no_harm(open_window: OpenWindow, library_folder: Path, settings: QSettings) -> None:
    settings.setValue("grid/tile_size", "large")
    settings.setValue("window/geometry", "nonsense")
    settings.setValue("window/columns", 7)
    hands = open_window(library_folder)
    assert hands.grid.isVisible()


# ---------------------------------------------------------------------- folders by drag and drop
def test_a_folder_is_dropped(open_window: OpenWindow, tmp_path: Path, drawn_album: Path) -> None:
    hands = open_window(tmp_path / "library")
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(drawn_album / "tags.csv"))])
    actions, buttons = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    enter = QDragEnterEvent(QPoint(400, 300), actions, data, buttons, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(hands.window, enter)
    assert enter.isAccepted()
    drop = QDropEvent(QPointF(400, 300), actions, data, buttons, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(hands.window, drop)
    hands.settle("indexing", 120)
    assert hands.session.overview.photos == 32, "a file stands for the folder that it is in"


def test_other_things_are_not_dropped(hands: Hands) -> None:
    data = QMimeData()
    data.setText("beach")
    enter = QDragEnterEvent(
        QPoint(4, 3), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(hands.window, enter)
    assert not enter.isAccepted()


# ---------------------------------------------------------------------- keys and access
def test_every_action_has_its_method_and_its_own_keys() -> None:
    keys = [QKeySequence(key).toString() for spec in ACTIONS for key in spec.keys]
    assert all(keys)
    assert len(keys) == len(set(keys))
    assert all(callable(getattr(Commands, f"on_{spec.name}")) for spec in ACTIONS)
    assert len({spec.name for spec in ACTIONS}) == len(ACTIONS)


def test_a_key_that_is_held_down_answers_once(hands: Hands) -> None:
    actions = hands.window.commands.actions
    once = {name for name, action in actions.items() if not action.autoRepeat()}
    assert once == {"accept", "reject", "similar", "dissimilar"}


def test_the_window_can_be_narrow(hands: Hands) -> None:
    hands.window.resize(760, 600)
    assert hands.window.width() == 760


def test_the_keys_are_listed(hands: Hands) -> None:
    hands.key(Key.Key_Question)
    listed = dialog(hands, ShortcutsDialog)
    assert listed.grab().width() > 400
    QTest.keyClick(listed, Key.Key_Escape)
    assert not listed.isVisible()


def test_letters_are_letters_in_a_field(hands: Hands) -> None:
    hands.click(0)
    hands.settle("the ranking")
    hands.hover(1)
    hands.key(Key.Key_F, CTRL)
    hands.type("sad.1")
    assert hands.window.sidebar.search.text() == "sad.1"
    hands.settle("the filter")
    assert hands.navigator.marks == {}


def test_keys_of_photos_do_not_count_in_the_sidebar(hands: Hands) -> None:
    hands.click(0)
    hands.settle("the ranking")
    hands.hover(1)
    hands.window.sidebar.folder_tree.setFocus()
    hands.key(Key.Key_S)
    hands.settle("nothing")
    assert hands.navigator.marks == {}


def test_tab_reaches_the_parts_in_reading_order(hands: Hands) -> None:
    hands.session.tag_targets()
    hands.click(0, CTRL)
    hands.settle("the selection")
    window = hands.window
    window.sidebar.search.setFocus()
    seen: list[QWidget] = []
    for _ in range(60):
        widget = QApplication.focusWidget()
        if widget is None or widget in seen:
            break
        seen.append(widget)
        window.focusNextChild()
    order = [window.sidebar.search, window.grid, window.tag_panel.field]
    assert [seen.index(widget) for widget in order] == sorted(seen.index(widget) for widget in order)
    assert window.sidebar.folder_tree in seen
    assert window.top_bar.metric_box in seen


def test_everything_that_takes_the_keyboard_has_a_name(hands: Hands) -> None:
    hands.click(0)
    hands.settle("the ranking")
    nameless = [
        f"{type(widget).__name__} {widget.objectName()}"
        for widget in hands.window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and not name(widget)
    ]
    assert nameless == []


def name(widget: QWidget) -> str:
    if widget.accessibleName():
        return widget.accessibleName()
    if isinstance(widget, QAbstractButton):
        return widget.text()
    return widget.placeholderText() if isinstance(widget, QLineEdit) else ""


def test_undo_by_key_leaves_the_field_alone(hands: Hands) -> None:
    hands.session.editor.tag([hands.session.grid.photo_id(0)], ["sea"])
    hands.settle("tagging")
    hands.key(Key.Key_F, CTRL)
    hands.type("ab")
    hands.key(Key.Key_Z, CTRL)
    hands.key(Key.Key_Z, CTRL | SHIFT)
    hands.settle("nothing")
    assert hands.session.overview.undo == "Tag 1 photo: sea"
