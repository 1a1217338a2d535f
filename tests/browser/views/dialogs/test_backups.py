# SPDX-License-Identifier: MIT
"""Backups in the window: listed, made and restored; opening a damaged library."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import backups
from focal_photos.browser.catalog.store.rescue.restore import replaced_in
from focal_photos.browser.models.base.notices import Message
from focal_photos.browser.operations.describing.settings import BACKUP_FOLDER
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.dialogs.backups_dialog import BackupsDialog
from focal_photos.browser.views.dialogs.damaged_dialog import DamagedDialog
from focal_photos.browser.views.dialogs.restoring_dialog import RestoringDialog
from focal_photos.browser.views.window.bars.message_bar import MessageBar
from focal_photos.browser.walkthrough.window_driver import WindowDriver

LEFT = Qt.MouseButton.LeftButton


def open_dialog(driver: WindowDriver) -> BackupsDialog:
    driver.window.window_actions.by_name["show_backups"].trigger()
    (dialog,) = driver.window.findChildren(BackupsDialog)
    driver.wait_until_idle("the backups")
    return dialog


def cells(dialog: BackupsDialog | DamagedDialog, row: int = 0) -> list[str]:
    model = dialog.table.model()
    return [model.index(row, column).data() for column in range(1, 6)]


# ---------------------------------------------------------------------- the dialog of an open library
def test_a_backup_is_made_listed_and_compared(driver: WindowDriver) -> None:
    session = driver.session
    session.editor.relate([(1, 2, 3)])
    driver.wait_until_idle("judging")
    dialog = open_dialog(driver)
    assert dialog.difference.text() == "None yet."
    QTest.mouseClick(dialog.make_button, LEFT)
    driver.wait_until(lambda: dialog.table.model().rowCount() == 1, "the backup")
    driver.wait_until_idle("comparing")
    assert dialog.difference.text() == "The library is identical to this backup."
    assert not dialog.restore_button.isEnabled()
    dialog.close()
    session.editor.tag([1, 2], ["new"])
    driver.wait_until_idle("tagging")
    dialog = open_dialog(driver)
    assert cells(dialog)[0] == "32"
    assert cells(dialog)[2] == "1", "relations are judgements"
    assert cells(dialog)[4] == "by hand"
    assert dialog.difference.text().startswith("Would lose 2 tags: ")
    assert ": new" in dialog.difference.text()
    assert dialog.restore_button.isEnabled()
    dialog.close()


def test_a_damaged_backup_is_reported_and_not_restored(driver: WindowDriver) -> None:
    path = driver.session.library.back_up()
    path.write_bytes(path.read_bytes()[:-100])
    dialog = open_dialog(driver)
    assert not dialog.restore_button.isEnabled()
    assert "digest mismatch" in dialog.difference.text()
    dialog.close()


def test_the_window_closes_and_reopens_with_the_backup(driver: WindowDriver, qtbot: QtBot) -> None:
    library, window = driver.session.library, driver.window
    library.back_up()
    driver.session.editor.tag([1], ["later"])
    driver.wait_until_idle("tagging")
    dialog = open_dialog(driver)
    QTest.mouseClick(dialog.restore_button, LEFT)
    driver.wait_until(lambda: not window.isVisible(), "closing")
    assert window.restore is not None
    restoring = RestoringDialog(library.path, window.restore)
    qtbot.addWidget(restoring)
    with qtbot.waitSignal(restoring.accepted, timeout=60_000):
        restoring.show()
        restoring.reject()
        assert restoring.isVisible(), "the dialog stays open until the restore is done"
    with Library.open(library.path) as again:
        assert "later" not in {tag.name for tag in again.tags.all()}
    assert len(replaced_in(library.path)) == 1


def test_a_failed_restore_is_reported(library_folder: Path, qtbot: QtBot) -> None:
    with Library.open(library_folder) as library:
        path = library.back_up()
        path.write_bytes(b"no catalogue")
    restoring = RestoringDialog(library_folder, backups.all_in(path.parent)[0])
    qtbot.addWidget(restoring)
    restoring.show()
    qtbot.waitUntil(restoring.open_button.isVisible, timeout=60_000)
    assert "digest mismatch" in restoring.text.text()
    QTest.mouseClick(restoring.open_button, LEFT)
    assert not restoring.isVisible()


def test_automatic_backups_report_an_offline_second_folder_once(driver: WindowDriver, tmp_path: Path) -> None:
    session = driver.session
    BACKUP_FOLDER.set(session.library, str(tmp_path / "away"))
    messages: list[Message] = []
    session.notices.posted.connect(messages.append)
    for number in range(2):
        session.editor.tag([1], [f"tag {number}"])
        driver.wait_until_idle("tagging")
        for one in backups.all_in(session.library.path / "backups"):
            at = (datetime.now(UTC) - timedelta(hours=2)).strftime("%Y%m%dT%H%M%S%f")
            for path in (one.path, one.manifest):
                path.rename(path.with_name(f"catalog-{one.number:06d}-{at}-v{one.version}{path.suffix}"))
        session.backups.look()
        driver.wait_until_idle("the backup")
    assert [one.reason for one in backups.all_in(session.library.path / "backups")] == ["hourly", "hourly"]
    assert len([message for message in messages if "cannot be used" in message.text]) == 1


# ---------------------------------------------------------------------- a damaged library
@pytest.fixture
def damaged(library_folder: Path) -> Path:
    """Return the folder of a damaged library with a backup, which lacks the last tag."""
    with Library.open(library_folder) as library:
        library.tags.change([1, 2, 3], ["before"])
        library.back_up()
        library.tags.change([1, 2], ["after"])
    path = library_folder / "catalog.sqlite"
    content = bytearray(path.read_bytes())
    for page in range(1, len(content) // 4096, 3):
        content[page * 4096 + 1] ^= 0xFF
    path.write_bytes(content)
    return library_folder


@pytest.fixture
def dialog(damaged: Path, qtbot: QtBot, theme: Theme) -> Iterator[DamagedDialog]:
    opened = DamagedDialog(damaged, "The catalogue is damaged (page 7).")
    qtbot.addWidget(opened)
    opened.show()
    qtbot.waitUntil(lambda: not opened.busy.isVisible(), timeout=60_000)
    yield opened
    opened.close()


def tags_in(folder: Path) -> set[str]:
    with Library.open(folder) as library:
        return {tag.name for tag in library.tags.all()}


def test_the_damage_and_both_repairs_are_shown(dialog: DamagedDialog, damaged: Path) -> None:
    assert dialog.title.text() == f"The library {damaged.name} is damaged"
    assert dialog.problem.text() == "The catalogue is damaged (page 7)."
    assert dialog.rescue_text.text().startswith("Sound: 32 photos, ")
    assert cells(dialog)[0] == "32"
    assert "Would lose 2 tags" in dialog.difference.text()
    assert dialog.rescue_choice.isChecked()
    assert dialog.repair_button.isEnabled()


@pytest.mark.parametrize("choice", ["rescue", "restore"])
def test_the_chosen_repair_is_carried_out(dialog: DamagedDialog, damaged: Path, qtbot: QtBot, choice: str) -> None:
    if choice == "restore":
        dialog.restore_choice.setChecked(True)
    with qtbot.waitSignal(dialog.accepted, timeout=60_000):
        QTest.mouseClick(dialog.repair_button, LEFT)
    assert ("after" in tags_in(damaged)) is (choice == "rescue")
    assert "before" in tags_in(damaged)


def test_without_a_backup_or_sound_rows_no_repair_is_offered(library_folder: Path, qtbot: QtBot, theme: Theme) -> None:
    (library_folder / "catalog.sqlite").write_bytes(bytes(40960))
    opened = DamagedDialog(library_folder, "It is damaged.")
    qtbot.addWidget(opened)
    opened.show()
    qtbot.waitUntil(opened.error.isVisible, timeout=60_000)
    assert opened.rescue_text.text() == "Nothing can be rescued."
    assert opened.difference.text() == "There is no backup."
    assert not opened.repair_button.isEnabled()
    assert opened.other_button.isEnabled()
    opened.close()


def test_a_large_catalogue_is_checked_in_the_background(
    open_window: Callable[..., WindowDriver], library_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Library.open(library_folder) as library:
        library.tags.change([1], ["before"])
    path = library_folder / "catalog.sqlite"
    content = bytearray(path.read_bytes())
    for page in range(1, len(content) // 4096, 3):
        if content[page * 4096] == 0x0D and b"journal" not in content[page * 4096 : page * 4096 + 4096]:
            content[page * 4096 + 7] = 200  # fragmented bytes, which only a full check counts
    path.write_bytes(content)
    monkeypatch.setattr("focal_photos.browser.catalog.store.database._LOOKED_THROUGH", 4096)
    with Library.open(library_folder) as library:
        assert not library.database.looked_through
        assert library.database.look_through() is not None
    texts: list[str] = []
    monkeypatch.setattr(MessageBar, "show_message", lambda _bar, message: texts.append(message.text))
    driver = open_window(library_folder, settled=False)
    driver.wait_until(lambda: any("is damaged" in text for text in texts), "the message")
