# SPDX-License-Identifier: MIT
"""Relocating a folder in the window."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from focal_photos.browser.models.sidebar.tree_model import TreeRole
from focal_photos.browser.views.dialogs.relocate_dialog import RelocateDialog
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.dialogs.test_remove_folder import context_menu

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def photos(tmp_path: Path, drawn_album: Path) -> Path:
    """Two folders with four photos each, nested so that a search around them stays within this test."""
    folder = tmp_path / "home" / "pictures" / "photos"
    for kind in sorted(path for path in drawn_album.iterdir() if path.is_dir())[:2]:
        shutil.copytree(kind, folder / kind.name)
    return folder


@pytest.fixture
def driver(open_window: OpenWindow, tmp_path: Path, photos: Path) -> WindowDriver:
    driver = open_window(tmp_path / "library", photos)
    driver.wait_until_idle("indexing", 120)
    return driver


def asked(driver: WindowDriver) -> RelocateDialog:
    def visible() -> list[RelocateDialog]:
        return [each for each in driver.window.findChildren(RelocateDialog) if each.isVisible()]

    driver.wait_until(lambda: bool(visible()), "the dialog")
    return visible()[0]


def roots(driver: WindowDriver) -> list[Path]:
    return [root.path for root in driver.session.library.roots.all()]


def said(driver: WindowDriver) -> str:
    message = driver.window.message_bar.message
    return "" if message is None else message.text


def test_a_missing_folder_is_found_proposed_and_relocated(driver: WindowDriver, photos: Path, tmp_path: Path) -> None:
    session = driver.session
    tagged = session.grid.ids[:2].tolist()
    session.editor.tag(tagged, ["kept"])
    driver.wait_until_idle("tagging")
    driver.navigator.show_folder(photos)
    driver.wait_until_idle("the folder")
    target = photos.with_name("renamed")
    photos.rename(target)
    driver.wait_until(lambda: f"are probably in {target} now" in said(driver), "the proposal")
    driver.window.message_bar._take_offer()
    dialog = asked(driver)
    driver.wait_until(lambda: session.photo_folders.relocating.plan is not None, "the comparison")
    assert dialog.folder == photos
    assert dialog.place_field.text() == str(target)
    assert "8 of 8 photos were found" in dialog.findings.text()
    assert "Undo (Ctrl+Z) reverts it." in dialog.findings.text()
    QTest.keyClick(dialog.place_field, Qt.Key.Key_Return)
    driver.wait_until(lambda: roots(driver) == [target], "the relocation")
    model = session.sidebar.folders
    driver.wait_until(lambda: model.find(target).isValid(), "the folder")
    driver.wait_until_idle("the search for changes", 120)
    assert not model.find(target).data(TreeRole.FAINT)
    assert session.grid.rowCount() == 8
    assert session.overview.now.missing_photos == 0
    assert session.library.tags.of(tagged) == {number: ["kept"] for number in tagged}
    assert session.overview.now.undo == "Relocate renamed"
    card = session.grid.card(tagged[0])
    assert card is not None
    assert not card.offline
    assert card.photo.path.is_relative_to(target)
    driver.window.window_actions.by_name["undo"].trigger()
    driver.wait_until(lambda: roots(driver) == [photos], "the undo")
    driver.wait_until_idle("the undo", 120)


def test_a_wrong_place_is_refused_in_the_dialog(driver: WindowDriver, photos: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    driver.window.window_actions.by_name["relocate_folder"].trigger()
    dialog = asked(driver)
    assert not dialog.relocate_button.isEnabled()
    driver.session.photo_folders.relocating.proposed.emit(tmp_path / "another", tmp_path)
    assert dialog.place_field.text() == "", "the proposal was for another folder"
    QTest.keyClicks(dialog.place_field, str(tmp_path / "empty"))
    QTest.keyClick(dialog.place_field, Qt.Key.Key_Return)
    driver.wait_until(lambda: bool(dialog.problem.text()), "the reason")
    assert "Name the folder that contains them now" in dialog.problem.text()
    assert not dialog.relocate_button.isEnabled()
    assert dialog.isVisible(), "Enter does not close the dialog"
    dialog.place_field.setText("")
    QTest.keyClicks(dialog.place_field, "x")
    assert dialog.problem.text() == ""
    QTest.mouseClick(dialog.cancel_button, LEFT)
    driver.wait_until_idle("nothing")
    assert roots(driver) == [photos]


def test_differences_are_listed(driver: WindowDriver, photos: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy"
    shutil.copytree(photos, target)
    some = sorted(path for path in target.rglob("*") if path.is_file())
    some[0].unlink()
    some[1].write_bytes(b"another")
    driver.window.dialogs.ask_to_relocate(photos)
    dialog = asked(driver)
    dialog.set_place(target)
    driver.wait_until(lambda: driver.session.photo_folders.relocating.plan is not None, "the comparison")
    listed = [dialog.differences.item(row).text() for row in range(dialog.differences.count())]
    assert listed == [
        f"missing: {some[0].relative_to(target)}",
        f"different photo: {some[1].relative_to(target)}",
    ]
    assert "6 of 8 photos were found" in dialog.findings.text()
    assert "6 of them are also in the old folder" in dialog.findings.text()


def test_a_subfolder_is_relocated_by_its_menu(driver: WindowDriver, photos: Path, tmp_path: Path) -> None:
    kind = sorted(photos.iterdir())[0]
    driver.window.sidebar.folder_tree.expandAll()
    driver.wait_until_idle("the tree")
    menu = context_menu(driver, kind)
    assert menu is not None
    (action,) = menu.actions()
    assert action.text().startswith("Locate")
    action.trigger()
    dialog = asked(driver)
    assert dialog.folder == kind
    target = tmp_path / "elsewhere"
    shutil.copytree(kind, target)
    dialog.set_place(target)
    driver.wait_until(lambda: driver.session.photo_folders.relocating.plan is not None, "the comparison")
    assert "cannot be undone" in dialog.findings.text()
    QTest.mouseClick(dialog.relocate_button, LEFT)
    driver.wait_until(lambda: target in roots(driver), "the relocation")
    driver.wait_until_idle("the search for changes", 120)
    assert driver.session.grid.rowCount() == 8
