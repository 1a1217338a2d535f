"""Fixtures that wait for a session."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from pytestqt.qtbot import QtBot

from focal_photos.browser.models.session import Session
from focal_photos.browser.tasks.runner import TaskState, TaskStatus

Settle = Callable[[], None]


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
