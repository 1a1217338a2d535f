# SPDX-License-Identifier: MIT
"""Helpers that run ``focal`` in a separate process and in this one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from focal_photos.browser.cli import main

REPOSITORY = Path(__file__).parents[3]
FOCAL = [sys.executable, "-m", "focal_photos.browser"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(REPOSITORY), "OPENBLAS_NUM_THREADS": "1"}


def run(*command: str | Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*map(str, command)], capture_output=True, env=ENVIRONMENT, timeout=300, check=False)


def run_python(script: str) -> None:
    """Run statements in a separate Python process and require success."""
    done = run(sys.executable, "-c", script)
    assert done.returncode == 0, done.stderr.decode()


def focal(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run ``focal`` in a separate process."""
    done = run(*FOCAL, *arguments)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


class Focal:
    """Runs ``focal`` in this process, on one library."""

    def __init__(self, library: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.library = library
        self._capsys = capsys
        self.err = ""

    def __call__(self, *arguments: str | Path, code: int = 0) -> str:
        self._capsys.readouterr()
        done = main([*map(str, arguments), "--library", str(self.library)])
        captured = self._capsys.readouterr()
        self.err = captured.err
        assert done == code, captured.err
        assert "Traceback" not in captured.err
        return captured.out

    def json(self, *arguments: str | Path, code: int = 0) -> Any:
        return json.loads(self(*arguments, "--json", code=code))

    def lines(self, *arguments: str | Path) -> list[Any]:
        return [json.loads(line) for line in self(*arguments, "--json").splitlines()]
