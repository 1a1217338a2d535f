# SPDX-License-Identifier: MIT
"""Verifying backups in the window: offered after a month, requested in the dialog, cancelled, switched off."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from focal_photos.browser.catalog.store import backups
from focal_photos.browser.models.base.notices import Message, MessageAction, Severity
from focal_photos.browser.models.settings.user_settings import OFFER_VERIFYING
from focal_photos.browser.operations.library.verify_backups import last_verified
from focal_photos.browser.views.dialogs.backups_dialog import BackupsDialog
from focal_photos.browser.views.settings.settings_dialog import SettingsDialog
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver

LEFT = Qt.MouseButton.LeftButton
OFFER = MessageAction.VERIFY_BACKUP


def look(driver: WindowDriver) -> None:
    """Do the same as the timer two minutes after the start."""
    driver.session.backups.look()
    driver.wait_until_idle("looking after the backups")


def offers(driver: WindowDriver) -> int:
    return sum(message.action is OFFER for _, message in driver.window.message_bar.log)


def texts(driver: WindowDriver) -> list[str]:
    return [message.text for _, message in driver.window.message_bar.log]


def button_of_offer(driver: WindowDriver) -> QPushButton:
    (found,) = [one for one in driver.window.message_bar.findChildren(QPushButton) if one.text() == "Verify it"]
    return found


def wait_for_error(driver: WindowDriver) -> Message:
    """Wait until an error is shown, and return it."""
    bar = driver.window.message_bar
    driver.wait_until(lambda: bar.message is not None and bar.message.severity is Severity.ERROR, "the error")
    driver.wait_until(lambda: driver.session.runner.idle, "what follows it")
    assert bar.message is not None
    return bar.message


def open_dialog(driver: WindowDriver) -> BackupsDialog:
    driver.window.window_actions.by_name["show_backups"].trigger()
    (dialog,) = driver.window.findChildren(BackupsDialog)
    driver.wait_until_idle("the backups")
    return dialog


def verified_cell(dialog: BackupsDialog) -> str:
    return str(dialog.table.model().index(0, 6).data())


# ---------------------------------------------------------------------- the offer
def test_verification_is_offered_once_and_started_by_a_click(
    open_window: Callable[..., WindowDriver], old_backup: Path
) -> None:
    driver = open_window(old_backup)
    assert offers(driver) == 0
    look(driver)
    bar = driver.window.message_bar
    assert bar.message is not None
    assert bar.message.action is OFFER
    assert bar.message.severity is Severity.INFO
    look(driver)
    assert offers(driver) == 1, "one offer per start"
    QTest.mouseClick(button_of_offer(driver), LEFT)
    driver.wait_until_idle("verifying")
    assert "is sound: 32 photos" in texts(driver)[-1]
    (one,) = last_verified(driver.session.library).values()
    assert one.problem is None
    driver.window.close()
    again = open_window(old_backup)
    look(again)
    assert offers(again) == 0, "the backup is verified already"


def test_the_offer_can_be_switched_off_permanently(
    open_window: Callable[..., WindowDriver], old_backup: Path, settings: QSettings
) -> None:
    driver = open_window(old_backup)
    driver.press(Qt.Key.Key_Comma, CTRL)
    driver.wait_until(lambda: bool(driver.window.findChildren(SettingsDialog)), "the settings")
    (dialog,) = driver.window.findChildren(SettingsDialog)
    dialog.show_page(dialog.general)
    switch = dialog.general.switches[OFFER_VERIFYING.name]
    assert switch.isChecked()
    switch.setFocus()
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert not switch.isChecked()
    dialog.close()
    look(driver)
    assert offers(driver) == 0
    driver.window.close()
    again = open_window(old_backup)
    look(again)
    assert offers(again) == 0
    assert again.window.dialogs.user_settings.get(OFFER_VERIFYING) is False


def test_a_damaged_backup_is_an_error_that_stays(open_window: Callable[..., WindowDriver], old_backup: Path) -> None:
    (one,) = backups.all_in(old_backup / "backups")
    content = bytearray(one.path.read_bytes())
    content[random.Random(7).randrange(len(content))] ^= 4
    one.path.write_bytes(content)
    driver = open_window(old_backup)
    look(driver)
    QTest.mouseClick(button_of_offer(driver), LEFT)
    assert "is damaged" in wait_for_error(driver).text
    assert one.path.exists()


# ---------------------------------------------------------------------- the dialog
def test_the_dialog_verifies_by_keys_and_shows_when(driver: WindowDriver) -> None:
    driver.session.library.back_up()
    dialog = open_dialog(driver)
    assert verified_cell(dialog) == ""
    dialog.activateWindow()
    for _ in range(12):
        if dialog.verify_button.hasFocus():
            break
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
    assert dialog.verify_button.hasFocus()
    QTest.keyClick(dialog.verify_button, Qt.Key.Key_Space)
    assert dialog.verify_button.text() == "Stop verifying"
    assert dialog.busy.isVisible()
    driver.wait_until_idle("verifying")
    assert dialog.verify_button.text() == "Verify"
    assert not dialog.busy.isVisible()
    assert "is sound" in dialog.difference.text()
    assert verified_cell(dialog) == time.strftime("%Y-%m-%d")
    dialog.close()


def test_a_damaged_backup_is_marked_in_the_table(driver: WindowDriver) -> None:
    path = driver.session.library.back_up()
    path.write_bytes(path.read_bytes()[:-100])
    dialog = open_dialog(driver)
    QTest.mouseClick(dialog.verify_button, LEFT)
    wait_for_error(driver)
    assert "is damaged" in dialog.difference.text()
    assert verified_cell(dialog) == "damaged"
    dialog.close()


def test_without_a_backup_there_is_nothing_to_verify(driver: WindowDriver) -> None:
    dialog = open_dialog(driver)
    assert not dialog.verify_button.isEnabled()
    QTest.mouseClick(dialog.make_button, LEFT)
    driver.wait_until_idle("the backup")
    assert dialog.verify_button.isEnabled()
    dialog.close()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Prolong the verification until it is cancelled, for at most a minute; return the reported progress."""
    reported: list[float] = []

    def verify(_backup: object, report: Callable[[float], None]) -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            report(0.5)
            reported.append(0.5)
            time.sleep(0.01)

    monkeypatch.setattr(backups, "verify", verify)
    return reported


def test_a_cancelled_verification_leaves_no_files(
    driver: WindowDriver, slow: list[float], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "temporary").mkdir()
    driver.session.library.back_up()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    dialog = open_dialog(driver)
    QTest.mouseClick(dialog.verify_button, LEFT)
    driver.wait_until(lambda: dialog.busy.value() > 0, "progress")
    assert dialog.busy.maximum() == 100
    (task,) = driver.session.runner.tasks()
    assert task.title == "Verifying a backup"
    driver.session.editor.tag([1], ["meanwhile"])  # it does not have to wait
    QTest.mouseClick(dialog.verify_button, LEFT)
    driver.wait_until_idle("cancelling")
    assert dialog.verify_button.text() == "Verify"
    assert verified_cell(dialog) == ""
    assert last_verified(driver.session.library) == {}
    assert list((tmp_path / "temporary").iterdir()) == []
    assert "meanwhile" in {tag.name for tag in driver.session.library.tags.all()}
    dialog.close()


def test_closing_the_window_ends_the_verification(
    open_window: Callable[..., WindowDriver], old_backup: Path, slow: list[float]
) -> None:
    driver = open_window(old_backup)
    look(driver)
    QTest.mouseClick(button_of_offer(driver), LEFT)
    driver.wait_until(lambda: bool(slow), "verifying")
    driver.window.close()
    ended = len(slow)
    QTest.qWait(50)
    assert len(slow) == ended


def test_a_full_disk_is_reported_instead_of_a_damaged_backup(
    driver: WindowDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.session.library.back_up()
    dialog = open_dialog(driver)
    monkeypatch.setattr("shutil.disk_usage", lambda _path: type("Usage", (), {"free": 1000}))
    QTest.mouseClick(dialog.verify_button, LEFT)
    wait_for_error(driver)
    assert "Free some room there" in dialog.difference.text()
    assert verified_cell(dialog) == ""
    assert last_verified(driver.session.library) == {}
    dialog.close()
