# SPDX-License-Identifier: MIT
"""Parsers of the command line: for the window, and for the called command."""

from __future__ import annotations

import argparse
import shutil
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from focal_photos.browser.cli.arguments import Parser, common
from focal_photos.browser.cli.commands import COMMANDS, load

DESCRIPTION: Final = "A photo browser that learns what you call similar. Without a command it opens the window."
_USAGE: Final = """focal [-h] [--library DIR] [--json] [--version] [PATH ...]
       focal COMMAND [-h] ..."""
EPILOG: Final = (
    "Results go to standard output, progress and errors to standard error. "
    "Exit codes: 0 done, 1 failed, 2 wrong use, 3 done but not all of the output could be written."
)


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Parse the command line; `command` is None if the window is to be opened.

    Raises
    ------
    SystemExit
        With code 2 after an error, with 0 after ``--help`` or ``--version``.
    """
    position, plain = _first_word(argv)
    before, words = argv[:position], argv[position:]
    if not words or words[0] not in COMMANDS:
        return window_parser().parse_args(argv)
    name = words[0]
    # One command's parser suffices, unless an option before the command requests the general help or takes a value.
    parser = command_parser([name] if plain else list(COMMANDS))
    return parser.parse_args([*before, name, *load(name).reword(words[1:])])


def _first_word(arguments: Sequence[str]) -> tuple[int, bool]:
    """Return the index of the first argument that is no option or its value; whether only common options precede it."""
    is_value, plain = False, True
    for i, argument in enumerate(arguments):
        if is_value:
            is_value = False
        elif argument == "--library":
            is_value = True
        elif not argument.startswith("-"):
            return i, plain
        else:
            plain = plain and (argument == "--json" or argument.startswith("--library="))
    return len(arguments), plain


class _WindowParser(Parser):
    """Lists all commands in its help; only then are their modules loaded."""

    def format_help(self) -> str:
        """Return the help, with the summary of each command."""
        width = shutil.get_terminal_size().columns - 2
        lines = [
            textwrap.fill(
                load(name).summary,
                width,
                initial_indent=f"  {name:<13}",
                subsequent_indent=" " * 15,
                break_on_hyphens=False,
            )
            for name in COMMANDS
        ]
        end = textwrap.fill(f"See focal COMMAND --help. {EPILOG}", width)
        return "\n".join([super().format_help(), "commands:", *lines, "", end, ""])


def window_parser() -> argparse.ArgumentParser:
    """Return the parser of the arguments for the window."""
    parser = _WindowParser(prog="focal", usage=_USAGE, description=DESCRIPTION, parents=[common()])
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    parser.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="photo folders and images to open in the window"
    )
    parser.set_defaults(command=None, library=None, json=False)
    return parser


def command_parser(names: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser of some commands, loading their modules."""
    parser = Parser(prog="focal", description=DESCRIPTION, epilog=EPILOG, parents=[common()])
    parser.set_defaults(library=None, json=False)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    for name in names:
        load(name).add_to(commands, name)
    return parser
