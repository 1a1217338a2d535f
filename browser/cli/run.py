"""Run a command on the open library, and put what goes wrong into one line."""

from __future__ import annotations

import argparse
import os
from datetime import timedelta
from typing import Final

from focal_photos.browser.catalog.library import Library, LibraryError, default_path
from focal_photos.browser.catalog.store.backups import is_due
from focal_photos.browser.cli.command import Access
from focal_photos.browser.cli.commands import load
from focal_photos.browser.cli.interruption import Interruption
from focal_photos.browser.cli.opening import open_library
from focal_photos.browser.cli.output import OutputLostError
from focal_photos.browser.cli.terminal import Terminal, WrongUseError
from focal_photos.browser.operations.jobs.errors import OperationError

_DAILY: Final = timedelta(days=1)


def run(arguments: argparse.Namespace, interruption: Interruption) -> int:
    """Run a command and return its exit code; an interruption is raised.

    Raises
    ------
    OutputLostError
        Not all of its output could be written.
    """
    terminal = Terminal(as_json=arguments.json)
    code = _code(arguments, terminal, interruption)
    if code == 0 and terminal.lost is not None:
        raise OutputLostError(terminal.lost, is_done=True)
    return code


def _code(arguments: argparse.Namespace, terminal: Terminal, interruption: Interruption) -> int:
    try:
        with interruption.kept():
            return _run(arguments, terminal)
    except WrongUseError as error:
        terminal.say(f"focal {arguments.command}: {error}; see focal {arguments.command} --help")
        return 2
    except (OperationError, LibraryError) as error:
        terminal.say(f"focal: {_one_line(error)}")
        return 1
    except OutputLostError:
        raise
    except BrokenPipeError as error:  # of the pipe that an option names
        raise OutputLostError(error) from error
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        terminal.say(f"focal: {place}{error.strerror or error}")
        return 1
    except Exception as error:
        if os.environ.get("FOCAL_TRACEBACK"):
            import traceback

            traceback.print_exc()
        terminal.say(
            f"focal: a fault of the program ({type(error).__name__}: {_one_line(error)}); "
            "please report it with what FOCAL_TRACEBACK=1 prints"
        )
        return 1


def _run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    command = load(arguments.command)
    command.prepare(arguments)
    if command.run is None:
        assert command.run_closed is not None
        return command.run_closed(arguments.library or default_path(), arguments, terminal)
    access = command.access_for(arguments)
    terminal.ends_early = access in (Access.READ, Access.WRITE_IF_FREE)
    with open_library(arguments.library, access) as library:
        for warning in library.warnings:
            terminal.say(f"focal: {warning}")
        code = command.run(library, arguments, terminal)
        if not library.read_only and command.backs_up:
            _back_up_daily(library, terminal)
        return code


def _back_up_daily(library: Library, terminal: Terminal) -> None:
    """Make a backup after a command that may have changed something, once a day; what goes wrong is only said."""
    if not is_due(library.path, every=_DAILY):
        return
    from focal_photos.browser.operations.library.backup import back_up_if_due

    try:
        report = terminal.run(back_up_if_due(library, every=_DAILY))
        if report.away:
            terminal.say(f"focal: {report.away}")
    except LibraryError as error:
        terminal.say(f"focal: no backup was made: {_one_line(error)}")


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())
