# SPDX-License-Identifier: MIT
"""``focal index`` ends and indexes all photos even if its worker processes are killed as they start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from focal_photos.browser.catalog.library import Library
from tests.browser.cli.command_line import ENVIRONMENT, FOCAL
from tests.browser.operations.album import Album
from tests.browser.operations.workers.processes import workers_of

HANGS = 300.0  # seconds


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are watched in /proc")
def test_a_worker_killed_at_start_does_not_stop_indexing(tmp_path: Path) -> None:
    album = Album(tmp_path / "many")
    library = tmp_path / "library"
    command = [*FOCAL, "index", str(album.folder), "--library", str(library), "--workers", "2"]
    # In the second run, the workers receive a vocabulary of several hundred kilobytes.
    for kind in ("warm", "green"):
        album.draw_many(24, kind=kind)
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT) as process:
            killed = False
            deadline = time.monotonic() + HANGS
            while process.poll() is None:
                for pid in workers_of(process.pid)[: 1 - killed]:
                    os.kill(pid, signal.SIGKILL)
                    killed = True
                if time.monotonic() > deadline:
                    process.kill()
                    pytest.fail(f"it hangs: not done after {HANGS:g} s")
                time.sleep(0.001)
            _, err = process.communicate()
        assert process.returncode == 0, err
        assert killed
        assert any((library / "derived" / "fitted").glob("*"))
    with Library.open(library) as opened:
        assert len(opened.photos.ids()) == 48
        assert len(opened.photos.undescribed()) == 0
        assert opened.photos.failed() == []
