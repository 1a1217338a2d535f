# SPDX-License-Identifier: MIT
"""Common arguments of several commands, and types of arguments."""

from __future__ import annotations

import argparse
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.cli.output import write_out
from focal_photos.browser.cli.visible_text import visible

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

WAIT: Final = 30.0
"""Default time in seconds that a command waits for another program that has the library open."""

_OWN_FILES: Final = ("/dev/stdin", "/dev/fd/", "/proc/self/", "/proc/thread-self/")
"""Prefixes of paths with a different meaning in each process."""


class _Help(argparse.HelpFormatter):
    """Help as wide as the terminal.

    argparse creates a formatter for every argument and determines the width by `shutil`, which loads all archive
    formats.
    """

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, **{"width": _columns() - 2, **options})


def _columns() -> int:
    """Return the width of the terminal like `shutil.get_terminal_size`: from the environment, the terminal, or 80."""
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
    """A parser with errors of one line that point to the help."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _Help, **options})

    def error(self, message: str) -> NoReturn:
        """Exit with code 2."""
        self.exit(2, f"{self.prog}: {visible(message)}; see {self.prog} --help\n")

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Write the help; raise `OutputLostError` if that fails, which argparse would ignore."""
        if file is None:
            write_out(self.format_help())
        else:
            super().print_help(file)


def common() -> Parser:
    """Return a parent parser with the arguments of all commands and the window."""
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
    """Return a parent parser with the arguments of all commands that write to the library."""
    parser = Parser(add_help=False)
    parser.add_argument(
        "--wait",
        type=_seconds,
        metavar="SECONDS",
        default=WAIT,
        help=f"how long to wait for another program that has the library open (default: {WAIT:g}; 0: not at all)",
    )
    return parser


def region(text: str) -> Region:
    """Return the region given as left, top, width and height in shares of the photo: ``0.25,0.1,0.5,0.4``."""
    try:
        x, y, width, height = map(float, text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not four numbers: left,top,width,height") from None
    found = Region(x, y, x + width, y + height)
    # Sums of shares may exceed 1 by a rounding error.
    if not (x >= 0 and y >= 0 and width > 0 and height > 0 and max(found.x1, found.y1) <= 1 + 1e-6):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a part of the photo: left,top,width,height are shares of its sides, 0 to 1"
        )
    return Region(x, y, min(found.x1, 1.0), min(found.y1, 1.0))


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
    """Make all paths in parsed arguments absolute, so that another process can use them.

    Parameters
    ----------
    folder : pathlib.Path, optional
        Base of relative paths; default: the working directory of this process.
    own_files : mapping of str to str, optional
        Targets of ``/dev/stdin`` and similar paths in the calling process, as returned by this function there.

    Returns
    -------
    dict of str to str
        Targets of such paths, for regular files only.
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
    """Return whether a path means a different file in each process, such as ``/dev/stdin``."""
    return str(path).startswith(_OWN_FILES)


def paths_in(value: Any) -> Iterator[Path]:
    """Yield the paths in a value of the parsed arguments."""
    if isinstance(value, Path):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from paths_in(each)


def add_parameters(parser: Parser, text: str) -> None:
    """Add ``--parameter NAME=VALUE``; `text` names the learner in the help."""
    parser.add_argument(
        "--parameter",
        dest="parameters",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help=f"{text}; may be given several times",
    )


def add_metric(parser: Parser) -> None:
    """Add ``--metric NAME`` for commands that rank."""
    parser.add_argument("--metric", metavar="NAME", help="a metric or a learner (default: the current metric)")


def names(text: str) -> list[str]:
    """Parse comma-separated names."""
    return [name.strip() for name in text.split(",") if name.strip()]


def natural(text: str) -> int:
    """Parse a non-negative integer."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 0")
    return int(text)


def positive(text: str) -> int:
    """Parse a positive integer."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return number


def share(text: str) -> float:
    """Parse a number from 0 to 1."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return number
