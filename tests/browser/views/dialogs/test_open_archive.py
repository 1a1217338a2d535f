# SPDX-License-Identifier: MIT
"""Saving and opening archives in the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.views.dialogs.open_archive_dialog import OpenArchiveDialog
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import tags_of

LEFT = Qt.MouseButton.LeftButton


def chooses(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Answer the system's dialogs for files and folders."""
    for name in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_args, **_options: (str(path), ""))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_args, **_options: str(path))


def save(driver: WindowDriver, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chooses(monkeypatch, file)
    driver.window.window_actions.by_name["save_archive"].trigger()
    driver.wait_until_idle("saving")


def question(driver: WindowDriver) -> OpenArchiveDialog:
    driver.window.window_actions.by_name["open_archive"].trigger()

    def visible() -> list[OpenArchiveDialog]:
        return [each for each in driver.window.findChildren(OpenArchiveDialog) if each.isVisible()]

    driver.wait_until(lambda: bool(visible()), "the question")
    return visible()[0]


def test_an_archive_is_saved_and_merged_in_one_step(
    driver: WindowDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.session.editor.tag([driver.session.grid.photo_id(0)], ["sea"])
    driver.wait_until_idle("tagging")
    save(driver, tmp_path / "all", monkeypatch)
    file = tmp_path / "all.focal.zip"
    assert f"32 photos, 1 tags and 0 judgements were saved in {file}." in driver.window.message_bar.accessibleName()
    driver.session.editor.undo()
    driver.wait_until_idle("undo")
    chooses(monkeypatch, file)
    QTest.mouseClick(question(driver).merge_button, LEFT)
    driver.wait_until_idle("merging")
    assert tags_of(driver, 0) == ["sea"]
    assert driver.session.overview.now.undo == "Merge all.focal.zip"
    driver.session.editor.undo()
    driver.wait_until_idle("undo")
    assert tags_of(driver, 0) == []


def test_an_archive_becomes_a_new_library(
    driver: WindowDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.session.editor.tag([driver.session.grid.photo_id(0)], ["sea"])
    driver.wait_until_idle("tagging")
    file = tmp_path / "all.focal.zip"
    save(driver, file, monkeypatch)
    chooses(monkeypatch, file)
    dialog = question(driver)
    (tmp_path / "new").mkdir()
    chooses(monkeypatch, tmp_path / "new")
    QTest.mouseClick(dialog.unpack_button, LEFT)
    driver.wait_until_idle("unpacking")
    assert f"focal --library {tmp_path / 'new'}" in driver.window.message_bar.accessibleName()
    with Library.open(tmp_path / "new") as new:
        assert [tag.name for tag in new.tags.all()] == ["sea"]


def test_a_read_only_library_is_archived_but_merges_nothing(
    open_window: OpenWindow, library_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = open_window(library_folder, read_only=True)
    file = tmp_path / "all.focal.zip"
    save(driver, file, monkeypatch)
    assert file.exists()
    chooses(monkeypatch, file)
    dialog = question(driver)
    assert not dialog.merge_button.isEnabled()
    dialog.reject()
