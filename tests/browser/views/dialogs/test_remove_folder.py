# SPDX-License-Identifier: MIT
"""Removing a folder from the library in the window, from the menu bar and from the folder's context menu."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from focal_photos.browser.models.sidebar.tree_model import TreeRole
from focal_photos.browser.views.dialogs.remove_folder_dialog import RemoveFolderDialog
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.conftest import OpenWindow

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def folders(tmp_path: Path, drawn_album: Path) -> list[Path]:
    """Two folders with four photos each."""
    kinds = sorted(path for path in drawn_album.iterdir() if path.is_dir())[:2]
    copies = [tmp_path / "photos" / kind.name for kind in kinds]
    for kind, copy in zip(kinds, copies, strict=True):
        shutil.copytree(kind, copy)
    return copies


@pytest.fixture
def two(open_window: OpenWindow, tmp_path: Path, folders: list[Path]) -> WindowDriver:
    driver = open_window(tmp_path / "library", *folders)
    driver.wait_until_idle("indexing", 120)
    return driver


def question(driver: WindowDriver) -> RemoveFolderDialog:
    def visible() -> list[RemoveFolderDialog]:
        return [each for each in driver.window.findChildren(RemoveFolderDialog) if each.isVisible()]

    driver.wait_until(lambda: bool(visible()), "the question")
    return visible()[0]


def ask_by_menu_bar(driver: WindowDriver) -> RemoveFolderDialog:
    driver.window.window_actions.by_name["remove_folder"].trigger()
    return question(driver)


def context_menu(driver: WindowDriver, folder: Path) -> QMenu | None:
    tree = driver.window.sidebar.folder_tree
    spot = tree.visualRect(driver.session.sidebar.folders.find(folder)).center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, spot, tree.viewport().mapToGlobal(spot))
    QApplication.sendEvent(tree.viewport(), event)
    menus = [each for each in driver.window.sidebar.findChildren(QMenu) if each.isVisible()]
    return menus[0] if menus else None


def shown_roots(driver: WindowDriver) -> list[Path]:
    model = driver.session.sidebar.folders
    return [model.index(row, 0).data(TreeRole.KEY) for row in range(model.rowCount())]


def test_the_menu_of_a_folder_removes_it(two: WindowDriver, folders: list[Path]) -> None:
    tagged = two.session.grid.ids[:1].tolist()
    two.session.editor.tag(tagged, ["kept"])
    two.wait_until_idle("tagging")
    menu = context_menu(two, folders[0])
    assert menu is not None
    _relocate, action = menu.actions()
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())
    asked = question(two)
    assert "stay on disk" in asked.explanation.text()
    assert "Tags and judgements are kept" in asked.explanation.text()
    assert asked.grab().width() >= 460
    assert asked.focusWidget() is asked.remove_button
    QTest.mouseClick(asked.cancel_button, LEFT)
    two.wait_until_idle("nothing")
    assert shown_roots(two) == folders, "a question changes nothing"
    assert two.session.grid.rowCount() == 8

    two.window.dialogs.ask_to_remove(folders[0])
    QTest.mouseClick(question(two).remove_button, LEFT)
    two.wait_until_idle("the removal")
    assert shown_roots(two) == folders[1:]
    assert two.session.grid.rowCount() == two.session.overview.now.photos == 4
    assert two.session.overview.now.missing_photos == 0
    assert two.session.sidebar.tags.rowCount() == 0
    assert len(list(folders[0].iterdir())) == 4

    two.window.dialogs.open_folders([folders[0]])
    two.wait_until_idle("indexing", 120)
    assert shown_roots(two) == folders
    assert two.navigator.collection.folder == folders[0], "the opened folder is shown"
    assert two.session.grid.rowCount() == 4
    card = two.session.grid.card(tagged[0])
    assert card is not None
    assert card.tags == ("kept",)
    assert not card.photo.missing


def test_the_menu_bar_proposes_the_shown_folder_and_leaves_it(two: WindowDriver, folders: list[Path]) -> None:
    two.navigator.show_folder(folders[1])
    two.wait_until_idle("the folder")
    two.walk(0)
    two.wait_until_idle("the ranking")
    asked = ask_by_menu_bar(two)
    assert asked.folder_box.isVisible()
    assert asked.folder_box.currentText() == str(folders[1])
    two.wait_until(asked.remove_button.hasFocus, "the keyboard")
    QTest.keyClick(asked.remove_button, Qt.Key.Key_Return)
    two.wait_until_idle("the removal")
    assert two.navigator.collection.everything
    assert two.navigator.focal_id is None
    assert two.session.grid.rowCount() == 4
    assert shown_roots(two) == folders[:1]


def test_a_focal_image_is_left_only_if_its_folder_is_removed(two: WindowDriver, folders: list[Path]) -> None:
    two.walk(7)  # in the second folder
    two.wait_until_idle("the ranking")
    focal = two.navigator.focal_id
    two.session.photo_folders.forget(folders[0])
    two.wait_until_idle("the removal")
    assert two.navigator.focal_id == focal
    assert two.session.grid.rowCount() == 3, "the ranking no longer has photos of the folder"
    two.session.photo_folders.forget(folders[1])
    two.wait_until_idle("the removal")
    assert two.navigator.focal_id is None
    assert two.window.photos.welcome_page.isVisible(), "without a folder, the window shows the welcome page"
    assert not two.window.window_actions.by_name["remove_folder"].isEnabled()


def test_only_roots_can_be_removed_and_nothing_in_a_read_only_library(
    open_window: OpenWindow, library_folder: Path
) -> None:
    driver = open_window(library_folder)
    (root,) = shown_roots(driver)
    inside = driver.session.sidebar.folders.index(0, 0, driver.session.sidebar.folders.index(0, 0)).data(TreeRole.KEY)
    for folder, actions in ((inside, 1), (root, 2)):
        menu = context_menu(driver, folder)
        assert menu is not None
        assert len(menu.actions()) == actions
        menu.close()
        driver.wait_until(lambda menu=menu: not menu.isVisible(), "the menu")  # type: ignore[misc]
    tree = driver.window.sidebar.folder_tree
    tree.setCurrentIndex(driver.session.sidebar.folders.find(root))
    by_key = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), QPoint(0, 0))
    QApplication.sendEvent(tree.viewport(), by_key)
    opened = [each for each in driver.window.sidebar.findChildren(QMenu) if each.isVisible()]
    assert opened
    opened[0].close()
    driver.window.close()
    assert context_menu(open_window(library_folder, read_only=True), root) is None
