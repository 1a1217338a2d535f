# SPDX-License-Identifier: MIT
"""Opening a folder whose files contain tags: an offer, a list to choose from, and one undo step."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.base.notices import MessageAction
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.metadata.keywords import Field
from focal_photos.browser.views.dialogs.import_tags_dialog import ImportTagsDialog
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver
from tests.browser.operations.metadata.test_read_metadata import jpeg, sidecar
from tests.browser.views.conftest import OpenWindow

Key = Qt.Key


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of eight photos with keywords: sea in all, fox in four, 2010 and 40D in six, noise in one."""
    photos = tmp_path / "photos"
    for number in range(8):
        names = ["sea", *(["2010", "40D"] * (number < 6)), *(["fox"] * (number % 2)), *(["noise"] * (number == 7))]
        jpeg(photos / f"{number}.jpg", *names, shade=30 * number)
    return photos


@pytest.fixture
def driver(open_window: OpenWindow, tmp_path: Path, folder: Path) -> WindowDriver:
    """Return a window opened on the folder."""
    with Library.open(tmp_path / "library") as library:
        set_enabled(library, ["color_moments"])
    return open_window(tmp_path / "library", folder)


def tags(driver: WindowDriver) -> dict[str, int]:
    return {tag.name: tag.count for tag in driver.session.library.tags.all()}


def message_button(driver: WindowDriver) -> QPushButton:
    return next(each for each in driver.window.message_bar.findChildren(QPushButton) if each.isVisible())


def opened(driver: WindowDriver) -> ImportTagsDialog:
    driver.wait_until(lambda: isinstance(QApplication.activeModalWidget(), ImportTagsDialog), "the dialog")
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, ImportTagsDialog)
    driver.wait_until_idle("the tags")
    return dialog


def check(dialog: ImportTagsDialog, tag: str) -> None:
    """Click the check mark of a tag."""
    model, table = dialog.table.model(), dialog.table
    row = next(row for row in range(model.rowCount()) if model.index(row, 0).data() == tag)
    place = table.visualRect(model.index(row, 0))
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place.left() + 12, place.center().y()))


def test_tags_in_files_are_offered_and_imported_in_one_step(driver: WindowDriver) -> None:
    assert tags(driver) == {}, "nothing is imported without a confirmation"
    message = driver.window.message_bar.message
    assert message is not None
    assert message.action is MessageAction.IMPORT_TAGS
    assert message.text == "Found 5 tags in 8 photos."
    logged = [each.text for _, each in driver.window.message_bar.log]
    assert logged.count(message.text) == 1, "shown again after indexing, but logged once"
    message_button(driver).click()
    dialog = opened(driver)
    model = dialog.table.model()
    rows = [[model.index(row, column).data() for column in range(3)] for row in range(model.rowCount())]
    assert rows == [
        ["sea", "8", ""],
        ["2010", "6", "a number or a date"],
        ["40D", "6", "a camera"],
        ["fox", "4", ""],
        ["noise", "1", "in a single photo"],
    ]
    assert dialog.import_button.text() == "Import 2 tags"
    check(dialog, "noise")
    assert dialog.import_button.text() == "Import 3 tags"
    QTest.keyClick(dialog, Key.Key_Return)
    driver.wait_until_idle("the import")
    assert tags(driver) == {"sea": 8, "fox": 4, "noise": 1}
    assert driver.message_text == "Imported 3 tags from 8 photos."
    message_button(driver).click()
    driver.wait_until_idle("undo")
    assert tags(driver) == {}
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("nothing to undo")
    assert tags(driver) == {}


def test_the_choice_applies_to_later_files_and_after_a_restart(
    driver: WindowDriver, open_window: OpenWindow, tmp_path: Path, folder: Path
) -> None:
    driver.window.dialogs.import_tags()
    dialog = opened(driver)
    dialog.import_button.click()
    driver.wait_until_idle("the import")
    driver.window.close()
    jpeg(folder / "later.jpg", "sea", "2011", "owl", shade=255)
    driver = open_window(tmp_path / "library", folder)
    driver.wait_until(lambda: "owl" in tags(driver), "the new photo")
    driver.wait_until_idle("the new photo")
    assert tags(driver) == {"sea": 9, "fox": 4, "owl": 1}


def test_fields_can_be_left_out(driver: WindowDriver, folder: Path) -> None:
    sidecar(folder / "0.jpg.xmp", "beside")
    driver.session.jobs.indexing.rescan()
    driver.wait_until_idle("the sidecar")
    driver.window.dialogs.import_tags()
    dialog = opened(driver)
    assert not dialog.field_boxes[Field.IPTC].isVisible(), "no file has IPTC keywords"
    for field in (Field.HIERARCHY, Field.SUBJECT):
        dialog.field_boxes[field].click()
        driver.wait_until_idle("the tags")
    model = dialog.table.model()
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["beside"]
    dialog.none_button.click()
    assert not dialog.import_button.isEnabled()
    dialog.all_button.click()
    dialog.import_button.click()
    driver.wait_until_idle("the import")
    assert tags(driver) == {"beside": 1}


def test_nothing_is_imported_when_the_dialog_is_closed(driver: WindowDriver) -> None:
    driver.window.window_actions.by_name["import_tags"].trigger()
    dialog = opened(driver)
    QTest.keyClick(dialog, Key.Key_Escape)
    driver.wait_until_idle("closing")
    assert tags(driver) == {}
    assert driver.session.exchange.tag_import.tags.rowCount() == 0
