# SPDX-License-Identifier: MIT
"""Automatic backups of the open library."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.base.notices import MessageAction
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.work import backups


def test_a_closed_library_is_not_backed_up(qapp: object, library_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backups, "FIRST_SECONDS", 0)
    session = Session(Library.open(library_folder))
    session.backups.start()
    session.close()
    QTest.qWait(50)
    assert not [thread for thread in threading.enumerate() if thread.name == "focal-backup"]


def test_a_closed_runner_takes_no_job(qapp: object, library_folder: Path) -> None:
    session = Session(Library.open(library_folder))
    session.close()
    with pytest.raises(RuntimeError, match="closed"):
        session.backups.make()
    session.backups.look()
    assert not [thread for thread in threading.enumerate() if thread.name == "focal-backup"]


def test_a_check_shows_a_task_only_if_a_backup_is_due(qtbot: QtBot, library_folder: Path) -> None:
    session = Session(Library.open(library_folder))
    titles: list[str] = []
    session.runner.task_changed.connect(lambda state: titles.append(state.title))
    session.backups.look()
    qtbot.waitUntil(lambda: session.runner.idle)
    assert titles == []
    session.library.tags.change(session.library.photos.ids()[:1].tolist(), ["new"])
    with qtbot.waitSignal(session.backups.changed):
        session.backups.look()
    assert set(titles) == {"Backing up the library"}
    titles.clear()
    session.backups.look()
    qtbot.waitUntil(lambda: session.runner.idle)
    assert titles == []
    session.close()


@pytest.mark.parametrize("read_only", [False, True])
def test_only_a_writable_library_is_backed_up_automatically(
    qtbot: QtBot, library_folder: Path, monkeypatch: pytest.MonkeyPatch, read_only: bool
) -> None:
    monkeypatch.setattr(backups, "FIRST_SECONDS", 0)
    with Library.open(library_folder) as library:
        library.tags.change(library.photos.ids()[:1].tolist(), ["new"])
    session = Session(Library.open(library_folder, read_only=read_only))
    made: list[None] = []
    session.backups.changed.connect(lambda: made.append(None))
    session.backups.start()
    if read_only:
        QTest.qWait(100)
        qtbot.waitUntil(lambda: session.runner.idle)
    else:
        qtbot.waitUntil(lambda: bool(made))
    session.close()
    assert bool(made) != read_only


def offers(qtbot: QtBot, folder: Path, *, read_only: bool = False) -> int:
    """Open a library, look twice after its backups, and return the number of offers to verify one."""
    session = Session(Library.open(folder, read_only=read_only))
    offered: list[MessageAction] = []
    session.notices.posted.connect(lambda message: offered.append(message.action))
    for _ in range(2):
        session.backups.look()
        qtbot.waitUntil(lambda: session.runner.idle)
    session.close()
    return offered.count(MessageAction.VERIFY_BACKUP)


def test_verifying_an_old_backup_is_offered_once_at_each_start(qtbot: QtBot, old_backup: Path) -> None:
    assert offers(qtbot, old_backup, read_only=True) == 0
    assert [offers(qtbot, old_backup) for _ in range(2)] == [1, 1], "the offer was not answered"


def test_verifying_no_or_a_new_backup_is_not_offered(qtbot: QtBot, library_folder: Path) -> None:
    assert offers(qtbot, library_folder) == 0
    with Library.open(library_folder) as library:
        library.back_up()
    assert offers(qtbot, library_folder) == 0
