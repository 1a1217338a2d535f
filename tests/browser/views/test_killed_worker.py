# SPDX-License-Identifier: MIT
"""If a worker process is killed while it starts, the window continues, and nothing is lost."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from tests.browser.operations.album import Album
from tests.browser.operations.workers.processes import wait_for, workers_of
from tests.browser.views.conftest import OpenWindow


@pytest.mark.slow
@pytest.mark.usefixtures("no_idle_processes")
@pytest.mark.skipif(sys.platform != "linux", reason="processes are watched in /proc")
def test_a_worker_killed_at_start_does_not_stop_indexing(open_window: OpenWindow, tmp_path: Path) -> None:
    album = Album(tmp_path / "photos")
    album.draw_many(24)
    driver = open_window(tmp_path / "library")
    before = workers_of()
    killed: list[int] = []

    def kill() -> None:
        pid = wait_for(lambda: [pid for pid in workers_of() if pid not in before], "a worker")[0]
        os.kill(pid, signal.SIGKILL)
        killed.append(pid)

    thread = threading.Thread(target=kill)
    thread.start()
    driver.window.dialogs.open_folders([album.folder])
    driver.wait_until(lambda: driver.session.grid.rowCount() >= 24, "the photos", 120)
    driver.wait_until_idle("the end of indexing")
    thread.join()
    assert killed
    assert driver.session.overview.now.photos == 24
    assert driver.session.overview.now.failed == 0
