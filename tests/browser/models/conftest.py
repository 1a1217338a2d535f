"""What tests of a session wait for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from focal_photos.browser.models.session import Session

Settle = Callable[[], None]


@pytest.fixture
def settle(qtbot: QtBot, session: Session) -> Settle:
    def wait() -> None:
        quiet = 0
        while quiet < 3:
            qtbot.wait(10)
            quiet = quiet + 1 if session.runner.idle and session.loader.idle and session.settled else 0

    wait()
    return wait
