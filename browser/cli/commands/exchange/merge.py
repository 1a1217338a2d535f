"""``focal merge``: merge an archive's data on photos into the library."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Command
from focal_photos.browser.cli.commands.tagging import import_options
from focal_photos.browser.cli.terminal import Terminal
from focal_photos.browser.operations.exchange.archives import unpack_archive

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the archive."""
    parser.add_argument("file", type=Path, metavar="FILE", help="an archive that focal archive has written")


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal merge FILE``."""
    return import_options.show_import(terminal.run(unpack_archive.merge_archive(library, arguments.file)), terminal)


COMMAND = Command(
    "take tags, ratings and judgements of an archive into the library", run, add_arguments=add_arguments, in_window=True
)
