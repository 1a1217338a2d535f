# SPDX-License-Identifier: MIT
"""Separate processes, for tests of kills, concurrent programs and missing permissions."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]


def start(code: str, *arguments: str | Path) -> subprocess.Popen[str]:
    """Start Python with `code` and a pipe as its standard output."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True)


def run_bound_by_permissions(code: str, *arguments: str | Path) -> str:
    """Run `code` as a user restricted by file permissions, and return its output.

    If the user is root, drop the privilege to bypass permissions first.
    """
    command = [sys.executable, "-c", code, *map(str, arguments)]
    if os.geteuid() == 0:
        command = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all", *command]
    return _run(command)


def can_bind_by_permissions() -> bool:
    return os.geteuid() != 0 or shutil.which("setpriv") is not None


def run_on_small_disk(code: str, folder: Path, size: str) -> str:
    """Run `code` with a new, empty disk of `size` mounted at `folder`, and return its output."""
    script = 'mount -t tmpfs -o "size=$1" tmpfs "$2" && exec "$3" -c "$4" "$2"'
    return _run([*_NAMESPACE, "sh", "-c", script, "sh", size, str(folder), sys.executable, code])


_NAMESPACE = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]


def can_make_small_disk() -> bool:
    probe = [*_NAMESPACE, "mount", "-t", "tmpfs", "tmpfs", "/tmp"]
    return (
        shutil.which("unshare") is not None and subprocess.run(probe, capture_output=True, check=False).returncode == 0
    )


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
