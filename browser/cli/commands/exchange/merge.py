"""``focal merge``: merge an archive's data on photos into the library."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Command
from focal_photos.browser.cli.terminal import Terminal

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the archive."""
    parser.add_argument("file", type=Path, metavar="FILE", help="an archive that focal archive has written")


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal merge FILE``."""
    from focal_photos.browser.cli.commands.tagging.import_options import show_import
    from focal_photos.browser.operations.exchange.archives.unpack_archive import merge_archive

    return show_import(terminal.run(merge_archive(library, arguments.file)), terminal)


COMMAND = Command(
    "take tags, ratings and judgements of an archive into the library", run, add_arguments=add_arguments, in_window=True
)
