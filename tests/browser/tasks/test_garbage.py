# SPDX-License-Identifier: MIT
"""Garbage collections in the main thread."""

from __future__ import annotations

import gc
import threading

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from focal_photos.browser.tasks.runner import Runner


class Knot(QObject):
    """A Qt object that only the garbage collector deletes."""

    def __init__(self, deleted_in: list[threading.Thread]) -> None:
        super().__init__()
        self.itself = self
        self._deleted_in = deleted_in

    def __del__(self) -> None:
        self._deleted_in.append(threading.current_thread())


def make_garbage() -> None:
    """Allocate enough cycles for automatic collections of all generations."""
    for _ in range(200_000):
        cycle: list[object] = []
        cycle.append(cycle)


def test_qt_objects_in_cycles_are_deleted_in_the_main_thread(qtbot: QtBot) -> None:
    runner = Runner()
    deleted_in: list[threading.Thread] = []
    Knot(deleted_in)
    busy = threading.Thread(target=make_garbage)
    busy.start()
    busy.join()
    assert deleted_in == []
    qtbot.waitUntil(lambda: deleted_in == [threading.main_thread()], timeout=60_000)
    runner.close()


def test_automatic_collections_resume_when_the_last_runner_is_closed(qtbot: QtBot) -> None:
    first, second = Runner(), Runner()
    assert not gc.isenabled()
    first.close()
    assert not gc.isenabled()
    second.close()
    assert gc.isenabled()
