"""The command line's grammar: the window's own, and that of the command that is called."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from focal_photos.browser.cli.arguments import Parser, common
from focal_photos.browser.cli.commands import COMMANDS, load

_DESCRIPTION: Final = "A photo browser that learns what you call similar. Without a command it opens the window."
_EPILOG: Final = (
    "Results go to standard output, progress and errors to standard error. Exit codes: 0 done, 1 failed, 2 wrong use."
)


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the parsed arguments; `command` is None where the window is wanted.

    Raises
    ------
    SystemExit
        With code 2 after an error, with 0 after ``--help`` and ``--version``.
    """
    position, plain = _first_word(argv)
    before, words = argv[:position], argv[position:]
    if not words or words[0] not in COMMANDS:
        return window_parser().parse_args(argv)
    name = words[0]
    # Unless something before the command asks for the help of all, or takes its name for a value, no other is needed.
    parser = command_parser([name] if plain else list(COMMANDS))
    return parser.parse_args([*before, name, *load(name).reword(words[1:])])


def _first_word(arguments: Sequence[str]) -> tuple[int, bool]:
    """Find the first argument that is neither an option nor the value of one.

    Returns
    -------
    position : int
        The number of arguments, if there is none.
    plain : bool
        Whether the options before it are those of every command, written out.
    """
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


def window_parser() -> argparse.ArgumentParser:
    """Return the parser of what opens the window."""
    parser = Parser(
        prog="focal",
        description=_DESCRIPTION,
        epilog=f"Commands: {', '.join(COMMANDS)}. See focal COMMAND --help. {_EPILOG}",
        parents=[common()],
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    parser.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="photo folders and images to open in the window"
    )
    parser.set_defaults(command=None, library=None, json=False)
    return parser


def command_parser(names: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser of some commands, whose modules are loaded."""
    parser = Parser(prog="focal", description=_DESCRIPTION, epilog=_EPILOG, parents=[common()])
    parser.set_defaults(library=None, json=False)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=Parser)
    for name in names:
        command = load(name)
        one = commands.add_parser(
            name,
            help=command.summary,
            description=command.summary,
            epilog=command.epilog,
            usage=command.usage,
            parents=[common()],
        )
        command.add_arguments(one)
    return parser
