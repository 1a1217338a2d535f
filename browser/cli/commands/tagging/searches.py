# SPDX-License-Identifier: MIT
"""``focal searches``: list, save, rename and delete saved searches."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, WrongUseError

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the actions."""
    parser.add_argument("--save", nargs=2, metavar=("NAME", "QUERY"), help="keep a filter under a name")
    parser.add_argument("--rename", nargs=2, metavar=("NAME", "NEW"), help="give a saved search another name")
    parser.add_argument("--delete", nargs="+", metavar="NAME", help="keep them no more")


def _access(arguments: argparse.Namespace) -> Access:
    return Access.WRITE if arguments.save or arguments.rename or arguments.delete else Access.READ


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal searches [--save NAME QUERY | --rename NAME NEW | --delete NAME...]``."""
    if sum(one is not None for one in (arguments.save, arguments.rename, arguments.delete)) > 1:
        raise WrongUseError("--save, --rename and --delete stand alone: leave all but one out")
    if arguments.save:
        library.searches.save(*arguments.save)
    elif arguments.rename:
        library.searches.rename(*arguments.rename)
    elif arguments.delete:
        library.searches.delete(arguments.delete)
    found = [(one.name, one.query, len(library.photos.listed(one.query))) for one in library.searches.all()]
    terminal.result(
        {"searches": [{"name": name, "query": query, "photos": photos} for name, query, photos in found]},
        (f"{photos:>7}  {name}: {query}" for name, query, photos in found),
    )
    return 0


COMMAND = Command("list the saved searches, save, rename and delete them", run, _access, add_arguments, in_window=True)
