"""Open the library, run one command on it, and put what goes wrong into one line."""

from __future__ import annotations

import argparse
import importlib
import os
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Final

from browser.catalog.library import (
    Library,
    LibraryError,
    LibraryInUseError,
    LibraryReadOnlyError,
    default_path,
)
from browser.catalog.store.backups import has_traces
from browser.cli.terminal import Terminal, WrongUseError
from browser.operations.jobs.errors import OperationError

Command = Callable[[Library, argparse.Namespace, Terminal], int]

_MODULES: Final = {
    "describing": ("descriptors", "settings"),
    "evaluating": ("evaluate",),
    "indexing": ("index", "check", "demo"),
    "listing": ("list", "tags", "export", "metrics"),
    "metrics": ("rank", "train", "suggest"),
    "recognising": ("recognise",),
    "teaching": ("tag", "judge", "accept", "reject", "undo", "redo"),
}
"""Commands by the module whose functions they are: only that is loaded, since learners take half a second."""

_CREATING: Final = frozenset({"index", "demo"})
"""Commands that make a library where there is none."""

_PATIENCE: Final = 3.0
"""Seconds to wait for another command that holds the library and is about to end."""


def run(arguments: argparse.Namespace) -> int:
    """Run a command and return its exit code."""
    terminal = Terminal(as_json=arguments.json)
    try:
        if arguments.command == "demo":
            _place_demo(arguments)
        with _open(arguments) as library:
            for warning in library.warnings:
                terminal.say(f"focal: {warning}")
            return _command(arguments.command)(library, arguments, terminal)
    except WrongUseError as error:
        terminal.say(f"focal {arguments.command}: {error}; see focal {arguments.command} --help")
        return 2
    except (OperationError, LibraryError) as error:
        terminal.say(f"focal: {_one_line(error)}")
        return 1
    except BrokenPipeError:
        raise
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        terminal.say(f"focal: {place}{error.strerror or error}")
        return 1
    except Exception as error:
        if os.environ.get("FOCAL_TRACEBACK"):
            traceback.print_exc()
        terminal.say(
            f"focal: a fault of the program ({type(error).__name__}: {_one_line(error)}); "
            "please report it with what FOCAL_TRACEBACK=1 prints"
        )
        return 1


def _command(name: str) -> Command:
    module = next(module for module, names in _MODULES.items() if name in names)
    command: Command = getattr(importlib.import_module(f"browser.cli.{module}"), name)
    return command


def _place_demo(arguments: argparse.Namespace) -> None:
    """Choose the places of the demo: it never mixes with the user's own library unless that is named."""
    if arguments.folder is None:
        arguments.folder = default_path().with_name("focal-demo") / "album"
    arguments.folder = arguments.folder.absolute()
    if arguments.library is None:
        arguments.library = arguments.folder.with_name(f"{arguments.folder.name}.library")


def _open(arguments: argparse.Namespace) -> Library:
    """Open the library as the command needs it; what only reads works beside a program that writes."""
    path: Path = default_path() if arguments.library is None else arguments.library
    command = arguments.command
    if command not in _CREATING and not (path / "catalog.sqlite").exists() and not has_traces(path):
        raise LibraryError(f"There is no library in {path.absolute()}: run focal index on a folder with photos first.")
    if _only_reads(arguments):
        try:
            return Library.open(path, read_only=True)
        except LibraryReadOnlyError:  # of an earlier version: it is updated first
            return Library.open(path)
    if command in ("rank", "suggest", "check"):
        # They keep what they worked out if they can.
        try:
            return Library.open(path)
        except (LibraryInUseError, LibraryReadOnlyError):
            return Library.open(path, read_only=True)
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            return Library.open(path)
        except LibraryInUseError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)


def _only_reads(arguments: argparse.Namespace) -> bool:
    match arguments.command:
        case "list" | "tags" | "export" | "evaluate" | "recognise":
            return True
        case "metrics":
            return arguments.use is None
        case "settings":
            return arguments.value is None and not arguments.default
        case "descriptors":
            changes = (arguments.on, arguments.off, arguments.standard, arguments.add_network, arguments.remove_network)
            return not any(changes)
    return False


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())
