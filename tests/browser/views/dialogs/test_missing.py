# SPDX-License-Identifier: MIT
"""Missing photos in the window: listed with pictures, found again, forgotten."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from focal_photos.browser.operations.photos.missing_files.missing import ProposalKind
from focal_photos.browser.views.dialogs.missing_dialog import MissingDialog
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.dialogs.test_relocate import photos as photos

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def driver(open_window: OpenWindow, tmp_path: Path, photos: Path) -> WindowDriver:
    """Return a window on eight photos: a folder of four was moved, a tagged photo and another one were deleted."""
    driver = open_window(tmp_path / "library", photos)
    driver.wait_until_idle("indexing", 120)
    session = driver.session
    kept, moved = sorted(photos.iterdir())
    gone = sorted(kept.iterdir())[:2]
    tagged = session.library.photos.by_path(gone[0])
    assert tagged is not None
    session.editor.tag([tagged.id], ["sea"])
    moved.rename(photos.with_name("elsewhere"))
    for path in gone:
        path.unlink()
    driver.wait_until(lambda: session.overview.now.missing_photos == 6, "the missing photos", 120)
    driver.wait_until_idle("the missing photos", 120)
    return driver


@pytest.fixture
def dialog(driver: WindowDriver) -> MissingDialog:
    driver.window.window_actions.by_name["show_missing"].trigger()
    (found,) = driver.window.findChildren(MissingDialog)
    driver.wait_until(
        lambda: driver.session.photo_folders.missing.loaded and not driver.session.photo_folders.missing.searching,
        "the search",
    )
    driver.wait_until_idle("the pictures")
    return found


def cells(dialog: MissingDialog, row: int) -> list[str]:
    model = dialog.photos.model()
    return [model.index(row, column).data() for column in range(3)]


def test_missing_photos_are_listed_with_thumbnails_and_a_proposal(
    driver: WindowDriver, dialog: MissingDialog, photos: Path
) -> None:
    assert dialog.explanation.text().startswith("The files of 6 photos are missing")
    assert dialog.photos.model().rowCount() == 6
    tagged = next(row for row in range(6) if cells(dialog, row)[1])
    assert cells(dialog, tagged)[1] == "sea"
    picture = dialog.photos.model().index(0, 0).data(Qt.ItemDataRole.DecorationRole)
    assert isinstance(picture, QImage)
    assert picture.pixelColor(picture.rect().center()).alpha() == 255, "the thumbnail is still shown"
    (proposal,) = driver.session.photo_folders.missing.proposals.proposals
    assert proposal.kind is ProposalKind.RELOCATE
    assert proposal.new == photos.with_name("elsewhere")


@pytest.mark.slow
def test_the_proposal_is_accepted(driver: WindowDriver, dialog: MissingDialog, photos: Path) -> None:
    session = driver.session
    QTest.mouseClick(dialog.accept_all_button, LEFT)
    driver.wait_until(lambda: dialog.photos.model().rowCount() == 2, "what was found", 120)
    driver.wait_until(lambda: not session.photo_folders.missing.searching, "the search")
    driver.wait_until_idle("the folders", 120)
    assert session.overview.now.missing_photos == 2
    assert photos.with_name("elsewhere") in [root.path for root in session.overview.now.roots]
    assert session.photo_folders.missing.proposals.rowCount() == 0
    assert "search in another folder" in dialog.found.text()
    assert not dialog.accept_all_button.isEnabled()


def test_a_folder_is_searched(driver: WindowDriver, dialog: MissingDialog, tmp_path: Path, drawn_album: Path) -> None:
    far = tmp_path / "far"
    kind = sorted(path for path in drawn_album.iterdir() if path.is_dir())[0]
    shutil.copytree(kind, far)
    driver.session.photo_folders.missing.search(far)
    driver.wait_until(lambda: driver.session.photo_folders.missing.proposals.rowCount() == 3, "the search", 120)
    kinds = [each.kind for each in driver.session.photo_folders.missing.proposals.proposals]
    assert kinds == [ProposalKind.RELOCATE, *[ProposalKind.SAME_CONTENT] * 2]
    dialog.proposals.selectRow(1)
    assert [each.kind for each in dialog.selected_proposals()] == [ProposalKind.SAME_CONTENT]
    QTest.mouseClick(dialog.accept_button, LEFT)
    driver.wait_until(lambda: dialog.photos.model().rowCount() == 4, "the photos of that folder", 120)


def test_forgetting_asks_first_and_can_be_undone(driver: WindowDriver, dialog: MissingDialog) -> None:
    session = driver.session
    assert not dialog.forget_button.isEnabled()
    dialog.photos.selectAll()
    QTest.mouseClick(dialog.forget_button, LEFT)
    box = dialog.findChild(QMessageBox)
    assert isinstance(box, QMessageBox)
    assert "6 missing photos" in box.text()
    assert box.informativeText().startswith("1 of them have tags")
    assert "Nothing is deleted" in box.informativeText()
    assert box.defaultButton().text() == "Cancel"
    forget = next(button for button in box.buttons() if button.text() == "Forget")
    QTest.mouseClick(forget, LEFT)
    driver.wait_until(lambda: dialog.photos.model().rowCount() == 0, "the photos")
    driver.wait_until_idle("the photos")
    assert session.overview.now.missing_photos == 0
    assert session.grid.rowCount() == session.overview.now.photos == 2
    assert session.sidebar.tags.rowCount() == 0
    driver.window.window_actions.by_name["undo"].trigger()
    driver.wait_until_idle("the undo")
    assert session.overview.now.missing_photos == 6
    assert session.grid.rowCount() == 8
    assert session.sidebar.tags.rowCount() == 1


@pytest.mark.slow
def test_a_read_only_library_allows_no_change(open_window: OpenWindow, driver: WindowDriver, tmp_path: Path) -> None:
    second = open_window(tmp_path / "library", read_only=True)
    second.window.window_actions.by_name["show_missing"].trigger()
    (found,) = second.window.findChildren(MissingDialog)
    second.wait_until(lambda: second.session.photo_folders.missing.proposals.rowCount() == 1, "the search")
    found.photos.selectAll()
    found.proposals.selectAll()
    for button in (found.accept_button, found.accept_all_button, found.forget_button):
        assert not button.isEnabled()
    assert found.photos.model().rowCount() == 6
