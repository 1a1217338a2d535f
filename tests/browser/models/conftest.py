# SPDX-License-Identifier: MIT
"""A session on a library, and fixtures that wait for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.session import Session
from focal_photos.browser.tasks.runner import TaskState, TaskStatus

Settle = Callable[[], None]


@pytest.fixture
def session(qtbot: QtBot, library_folder: Path) -> Iterator[Session]:
    """Yield a session on a library with 32 photos."""
    session = Session(Library.open(library_folder))
    session.start()
    yield session
    session.close()


@pytest.fixture
def settle(qtbot: QtBot, session: Session) -> Settle:
    def wait() -> None:
        quiet = 0
        while quiet < 3:
            qtbot.wait(10)
            quiet = quiet + 1 if session.runner.idle and session.loader.idle and session.selection.resting else 0

    wait()
    return wait


@contextmanager
def cancelled_at_once(session: Session) -> Iterator[None]:
    """Cancel each new task, like the cross in the status bar."""

    def cancel(state: TaskState) -> None:
        if state.status is TaskStatus.WAITING:
            session.runner.cancel(state.number)

    session.runner.task_changed.connect(cancel)
    yield
    session.runner.task_changed.disconnect(cancel)
