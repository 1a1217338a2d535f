"""What a command is: its grammar beside what it does."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from focal_photos.browser.cli.arguments import Parser

if TYPE_CHECKING:  # numpy and SQLite come with them
    from focal_photos.browser.catalog.library import Library
    from focal_photos.browser.cli.terminal import Terminal


class Access(Enum):
    """How a command opens the library."""

    READ = auto()
    """Nothing is written: it works beside a program that writes."""
    WRITE_IF_FREE = auto()
    """What was worked out is kept, unless another program has the library open."""
    WRITE = auto()
    """After waiting for another command that is about to end."""
    CREATE = auto()
    """As `WRITE`; a library is made where there is none."""


def _no_arguments(_parser: Parser) -> None:
    pass


def _as_they_are(words: Sequence[str]) -> list[str]:
    return list(words)


def _nothing(_arguments: argparse.Namespace) -> None:
    pass


class Command(NamedTuple):
    """A command; each module of `browser.cli.commands` has one, called ``COMMAND``.

    Attributes
    ----------
    summary : str
        What it does, for a person; in small letters, without a full stop.
    run : callable, optional
        From the open library, the parsed arguments and the terminal to the exit code. Imports what loads numpy itself.
    run_closed : callable, optional
        In its place, where the library must not be opened: from the library's folder.
    backs_up : bool
        Whether the library is backed up after it, where it was opened for writing and a day has gone by.
    access : Access, or callable
        How the library is opened, or a function that says so for the parsed arguments.
    add_arguments : callable
        Adds its arguments to a parser that has the common ones.
    epilog, usage : str or None
        For its help; None as argparse writes it.
    reword : callable
        Turns the words behind the command's name into such as argparse understands.
    prepare : callable
        Completes the parsed arguments before the library is opened.
    in_window : bool
        Whether a window that has the library open can run it: all that it changes is in the journal.
    """

    summary: str
    run: Callable[[Library, argparse.Namespace, Terminal], int] | None = None
    access: Access | Callable[[argparse.Namespace], Access] = Access.WRITE
    add_arguments: Callable[[Parser], None] = _no_arguments
    epilog: str | None = None
    usage: str | None = None
    reword: Callable[[Sequence[str]], list[str]] = _as_they_are
    prepare: Callable[[argparse.Namespace], None] = _nothing
    run_closed: Callable[[Path, argparse.Namespace, Terminal], int] | None = None
    backs_up: bool = True
    in_window: bool = False

    def access_for(self, arguments: argparse.Namespace) -> Access:
        """Return how the library is opened for these arguments."""
        return self.access if isinstance(self.access, Access) else self.access(arguments)

    @property
    def waits(self) -> bool:
        """Whether it may have to wait for another program that has the library open."""
        return self.access not in (Access.READ, Access.WRITE_IF_FREE)
