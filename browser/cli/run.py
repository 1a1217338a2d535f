# SPDX-License-Identifier: MIT
"""Runs a command on the open library, and reports errors in one line."""

from __future__ import annotations

import argparse
import os
import time
import traceback
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.library import Library, LibraryError, default_path
from focal_photos.browser.catalog.store.backups import is_due
from focal_photos.browser.cli import window
from focal_photos.browser.cli.arguments import make_absolute, means_own_file, paths_in
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.commands import load
from focal_photos.browser.cli.interruption import Interruption
from focal_photos.browser.cli.opening import open_library, patience_of, run_alone
from focal_photos.browser.cli.output import OutputLostError, is_closed_stream
from focal_photos.browser.cli.terminal import Terminal, WrongUseError
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.library import backup

_DAILY: Final = timedelta(days=1)


class _Forwarded(Exception):  # noqa: N818 - no error: it ends the waiting
    """A window runs the command."""

    def __init__(self, ready: window.Window) -> None:
        self.window = ready


def run(arguments: argparse.Namespace, interruption: Interruption, argv: Sequence[str]) -> int:
    """Run a command and return its exit code; interruptions are raised.

    Parameters
    ----------
    argv : sequence of str
        The words that were parsed to `arguments`.

    Raises
    ------
    OutputLostError
        If the output could not be written completely.
    """
    terminal = Terminal(as_json=arguments.json, check=interruption.check)

    def work() -> int:
        with interruption.kept():
            return _run(arguments, terminal, argv)

    code = in_one_line(work, arguments.command, terminal)
    if code == 0 and terminal.lost is not None:
        raise OutputLostError(terminal.lost, is_done=True)
    return code


def in_one_line(work: Callable[[], int], command: str, terminal: Terminal) -> int:
    """Run a command's work and return its exit code; report errors in one line."""
    try:
        return work()
    except WrongUseError as error:
        terminal.say(f"focal {command}: {error}; see focal {command} --help")
        return 2
    except (OperationError, LibraryError) as error:
        terminal.say(f"focal: {_one_line(error)}")
        return 1
    except OutputLostError:
        raise
    except BrokenPipeError as error:  # from a pipe named by an option
        raise OutputLostError(error) from error
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        terminal.say(f"focal: {place}{error.strerror or error}")
        return 1
    except Exception as error:
        if os.environ.get("FOCAL_TRACEBACK"):
            traceback.print_exc()
        terminal.say(
            f"focal: a fault of the program ({type(error).__name__}: {_one_line(error)}); "
            "please report it with the output of FOCAL_TRACEBACK=1"
        )
        return 1


def _run(arguments: argparse.Namespace, terminal: Terminal, argv: Sequence[str]) -> int:
    command = load(arguments.command)
    command.prepare(arguments)
    path = arguments.library or default_path()
    for named in paths_in(list(vars(arguments).values())):
        if is_closed_stream(named):
            raise OperationError("{0} is closed: name a file, or open the stream.", named)
    terminal.ends_early = command.run is not None and command.access_for(arguments) in (
        Access.READ,
        Access.WRITE_IF_FREE,
    )
    in_window = command.runs_in_window(arguments)
    own_files = make_absolute(arguments) if in_window else {}
    asks = in_window and not any(map(means_own_file, paths_in(list(vars(arguments).values()))))

    def first() -> None:
        ready = window.ask_window(path, arguments.command, argv, own_files, terminal) if asks else None
        if ready is not None:
            raise _Forwarded(ready)

    seconds = arguments.wait if command.waits else 0.0
    end = time.monotonic() + seconds
    if command.run_closed is not None:
        run_closed = command.run_closed
        if command.access_for(arguments) is Access.READ:
            return run_closed(path, arguments, terminal)
        patience = patience_of(seconds, terminal, _asks_to_close_window(path, arguments.command, terminal))
        return run_alone(path, patience, lambda: run_closed(path, arguments, terminal))
    while True:
        patience = patience_of(seconds, terminal, first)
        try:
            library = open_library(arguments.library, command.access_for(arguments), patience)
        except _Forwarded as forwarded:
            code = forwarded.window.result(terminal)
            if code is not None:
                return code
            seconds = max(0.0, end - time.monotonic())  # the window did not begin the command
            continue
        with library:
            return _run_open(command, library, arguments, terminal)


def _asks_to_close_window(path: Path, command: str, terminal: Terminal) -> Callable[[], None]:
    """Return a function that asks the user, once, to close the window that has the library open."""
    is_asked = False

    def ask() -> None:
        nonlocal is_asked
        if not is_asked and window.has_window(path):
            terminal.say(f"focal: a window has the library open. Close it: focal {command} works on a closed library.")
        is_asked = True

    return ask


def _run_open(command: Command, library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    assert command.run is not None
    for warning in library.warnings:
        terminal.say(f"focal: {warning}")
    code = command.run(library, arguments, terminal)
    if not library.read_only and command.backs_up:
        _back_up_daily(library, terminal)
    return code


def _back_up_daily(library: Library, terminal: Terminal) -> None:
    """Make a daily backup after a command that may have changed something; report errors without failing."""
    if not is_due(library.path, every=_DAILY):
        return

    try:
        report = terminal.run(backup.back_up_if_due(library, every=_DAILY))
        if report.away:
            terminal.say(f"focal: {report.away}")
    except LibraryError as error:
        terminal.say(f"focal: no backup was made: {_one_line(error)}")


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())
