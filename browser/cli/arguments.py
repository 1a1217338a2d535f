"""Arguments that several commands have, and the types of arguments."""

from __future__ import annotations

import argparse
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from focal_photos.browser.cli.output import write_out
from focal_photos.browser.cli.visible_text import visible

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

WAIT: Final = 30.0
"""Seconds for which a command waits for another program that has the library open, if not told otherwise."""

_OWN_FILES: Final = ("/dev/stdin", "/dev/fd/", "/proc/self/", "/proc/thread-self/")
"""How paths begin that mean something else in every process."""


class _Help(argparse.HelpFormatter):
    """Help as wide as the terminal.

    Every argument that is added makes one of these, and the module that `argparse` asks for the width, in its own time,
    loads all formats of archives.
    """

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, **{"width": _columns() - 2, **options})


def _columns() -> int:
    """Return the columns of the terminal, as `shutil.get_terminal_size`: the variable, the terminal, or 80."""
    try:
        named = int(os.environ["COLUMNS"])
    except (KeyError, ValueError):
        named = 0
    if named > 0:
        return named
    try:
        assert sys.__stdout__ is not None
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80
    except (AssertionError, AttributeError, ValueError, OSError):
        return 80


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line that says what to do."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _Help, **options})

    def error(self, message: str) -> NoReturn:
        """End the program with code 2."""
        self.exit(2, f"{self.prog}: {visible(message)}; see {self.prog} --help\n")

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Write the help; `OutputLostError` where it cannot be written, which argparse would not tell."""
        if file is None:
            write_out(self.format_help())
        else:
            super().print_help(file)


def common() -> Parser:
    """Return a parser of what all commands and the window take, to be the parent of others."""
    parser = Parser(add_help=False)
    parser.add_argument(
        "--library",
        type=Path,
        metavar="DIR",
        default=argparse.SUPPRESS,
        help="the library's folder (default: in the user's data folder)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        default=argparse.SUPPRESS,
        help="one JSON document or JSON Lines on standard output, nothing else there",
    )
    return parser


def waiting() -> Parser:
    """Return a parser of what all commands take that write to the library, to be the parent of others."""
    parser = Parser(add_help=False)
    parser.add_argument(
        "--wait",
        type=_seconds,
        metavar="SECONDS",
        default=WAIT,
        help=f"how long to wait for another program that has the library open (default: {WAIT:g}; 0: not at all)",
    )
    return parser


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds of at least 0")
    return min(seconds, threading.TIMEOUT_MAX)


def make_absolute(
    arguments: argparse.Namespace, folder: Path | None = None, own_files: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Make all paths of parsed arguments absolute, so that they mean the same in another process.

    Parameters
    ----------
    arguments : argparse.Namespace
    folder : pathlib.Path, optional
        Where relative paths begin; the working directory of this process, if not given.
    own_files : mapping of str to str, optional
        What ``/dev/stdin`` and the like mean in the process that was called, as this returned it there.

    Returns
    -------
    dict of str to str
        The files that such paths mean; without those that are no regular file with a name.
    """
    found = dict(own_files or {})

    def absolute(value: Any) -> Any:
        if isinstance(value, list):
            return [absolute(each) for each in value]
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*map(absolute, value))
        if not isinstance(value, Path):
            return value
        if str(value).startswith(_OWN_FILES):
            if own_files is None and (real := Path(os.path.realpath(value))).is_file():
                found[str(value)] = str(real)
            return Path(found.get(str(value), value))
        return value.absolute() if folder is None else folder / value

    for name, value in vars(arguments).items():
        if name != "library":
            setattr(arguments, name, absolute(value))
    return found


def means_own_file(path: Path) -> bool:
    """Return whether a path means a file that only this process has, such as a pipe."""
    return str(path).startswith(_OWN_FILES)


def paths_in(value: Any) -> Iterator[Path]:
    """Yield the paths in a value of parsed arguments."""
    if isinstance(value, Path):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from paths_in(each)


def add_parameters(parser: Parser, text: str) -> None:
    """Add ``--parameter NAME=VALUE``; the text says of which learner."""
    parser.add_argument(
        "--parameter",
        dest="parameters",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"{text}; may be given several times",
    )


def add_metric(parser: Parser) -> None:
    """Add ``--metric NAME`` of commands that rank."""
    parser.add_argument("--metric", metavar="NAME", help="a metric or a learner (default: the current metric)")


def names(text: str) -> list[str]:
    """Return names that are separated by commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def natural(text: str) -> int:
    """Return a whole number of at least 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 0")
    return int(text)


def positive(text: str) -> int:
    """Return a whole number above 0."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return number
