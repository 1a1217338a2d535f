# SPDX-License-Identifier: MIT
"""``focal merge``: merge an archive's data on photos into the library."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.commands.tagging import import_options
from focal_photos.browser.cli.terminal import Terminal, WrongUseError
from focal_photos.browser.operations.exchange.annotators import record
from focal_photos.browser.operations.exchange.provenance import merges

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the archive, and the list of merges."""
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="an archive that focal archive has written")
    parser.add_argument("--list", action="store_true", help="list the libraries merged so far")


def _access(arguments: argparse.Namespace) -> Access:
    return Access.READ if arguments.list else Access.WRITE


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal merge FILE`` or ``focal merge --list``."""
    if arguments.list is not (arguments.file is None):
        raise WrongUseError("name an archive, or add --list: focal merge FILE, or focal merge --list")
    if arguments.list:
        found = merges.merges_of(library)
        lines = [_line(one) for one in found] or ["No library was merged."]
        terminal.result({"merges": [asdict(one) for one in found]}, lines)
        return 0
    return import_options.show_import(terminal.run(record.merge_annotator(library, arguments.file)), terminal)


def _line(one: merges.Merge) -> str:
    through = f", merged before by {one.through}" if one.through else ""
    return f"{one.at}: {one.library} ({one.file}){through}"


COMMAND = Command(
    "take tags, ratings and judgements of an archive into the library",
    run,
    _access,
    add_arguments,
    in_window=True,
)
