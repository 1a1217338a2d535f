# SPDX-License-Identifier: MIT
"""``focal completion``: print the script with which a shell completes commands, options and files of Focal."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

from focal_photos.browser.cli.arguments import Parser, common
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.commands import COMMANDS, load
from focal_photos.browser.cli.terminal import Terminal

SHELLS: Final = ("bash", "zsh", "fish")
_FOLDERS: Final = {"DIR", "FOLDER", "OLD", "NEW"}
"""Names of arguments that take a folder; other paths may be files too."""


def all_parsers() -> Parser:
    """Return the parser of all commands; arguments that take files or folders say so to shtab."""
    import shtab

    parser = Parser(prog="focal", parents=[common()])
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for one in (parser, *(load(name).add_to(commands, name) for name in COMMANDS)):
        for action in one._actions:
            if action.type is Path:
                completed: Any = shtab.DIRECTORY if action.metavar in _FOLDERS else shtab.FILE
                action.complete = completed  # type: ignore[attr-defined]  # read by shtab
    return parser


def add_arguments(parser: Parser) -> None:
    """Add the shell."""
    parser.add_argument("shell", choices=SHELLS, help="the shell that reads the script")


def run_closed(_path: Path, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal completion``."""
    import shtab  # of no use to other commands

    script = shtab.complete(all_parsers(), shell=arguments.shell)
    terminal.result({"shell": arguments.shell, "script": script}, script.splitlines())
    return 0


COMMAND = Command(
    "print a script with which a shell completes commands, options and files",
    access=Access.READ,
    add_arguments=add_arguments,
    run_closed=run_closed,
    epilog='Example: eval "$(focal completion bash)" in ~/.bashrc',
)
