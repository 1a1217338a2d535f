# SPDX-License-Identifier: MIT
"""Errors in commands: a message of one line and the matching exit code."""

from __future__ import annotations

import argparse
import importlib.metadata
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from types import ModuleType

import pytest

from focal_photos.browser.catalog.library import Library, LibraryError
from focal_photos.browser.cli import main
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.commands import COMMANDS
from focal_photos.browser.cli.terminal import Terminal, WrongUseError
from focal_photos.browser.operations.jobs.errors import OperationError

Add = Callable[[Exception | None], None]


@pytest.fixture
def add(monkeypatch: pytest.MonkeyPatch) -> Add:
    """Return a function that adds a command ``fail``, which raises an error, as a module and a table entry."""

    def add(error: Exception | None) -> None:
        def run(library: Library, _arguments: argparse.Namespace, terminal: Terminal) -> int:
            if error is not None:
                raise error
            terminal.result({"path": str(library.path)}, "done")
            return 0

        module = ModuleType("fail")
        module.__dict__["COMMAND"] = Command("fail", run, Access.CREATE)
        monkeypatch.setitem(sys.modules, "focal_photos.browser.cli.commands.library.fail", module)
        monkeypatch.setitem(COMMANDS, "fail", "library.fail")

    return add


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (WrongUseError("name a photo"), 2, "focal fail: name a photo; see focal fail --help"),
        (OperationError("It\n cannot be done."), 1, "focal: It cannot be done."),
        (LibraryError("It is damaged."), 1, "focal: It is damaged."),
        (FileNotFoundError(2, "No such file", "x.jpg"), 1, "focal: x.jpg: No such file"),
        (OSError("The disk is tired"), 1, "focal: The disk is tired"),
        (
            ValueError("an odd\nvalue"),
            1,
            "focal: a fault of the program (ValueError: an odd value); please report it with the output of "
            "FOCAL_TRACEBACK=1",
        ),
    ],
)
def test_an_error_is_one_line(
    add: Add, tmp_path: Path, capsys: pytest.CaptureFixture[str], error: Exception, code: int, message: str
) -> None:
    add(error)
    assert main(["fail", "--library", str(tmp_path / "library")]) == code
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", message + "\n")


def test_a_bug_shows_its_traceback_on_request(
    add: Add, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOCAL_TRACEBACK", "1")
    add(ValueError("odd"))
    assert main(["fail", "--library", str(tmp_path / "library")]) == 1
    assert "raise error\nValueError: odd\n" in capsys.readouterr().err


def test_a_command_runs_beside_the_main_thread(add: Add, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add(None)
    codes: list[int] = []
    thread = Thread(target=lambda: codes.append(main(["fail", "--library", str(tmp_path / "library")])))
    thread.start()
    thread.join(timeout=60)
    assert codes == [0], "only the main thread handles signals"
    assert capsys.readouterr().out == "done\n"


def test_a_failed_demo_opens_no_window(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    assert main(["demo", str(file), "--open", "--library", str(tmp_path / "library")]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"focal {importlib.metadata.version('focal-photos')}\n"


def test_a_warning_of_the_library_precedes_the_result(
    add: Add, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    add(None)
    monkeypatch.setattr("focal_photos.browser.catalog.library.network_drive", lambda _path: "nfs4")
    assert main(["fail", "--library", str(tmp_path / "library")]) == 0
    captured = capsys.readouterr()
    assert captured.out == "done\n"
    assert "is on a network drive (nfs4)" in captured.err
