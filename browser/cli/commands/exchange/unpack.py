# SPDX-License-Identifier: MIT
"""``focal unpack``: create a library from an archive."""

from __future__ import annotations

import argparse
from pathlib import Path

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Command
from focal_photos.browser.cli.terminal import Terminal, path_text
from focal_photos.browser.operations.exchange.archives import unpack_archive


def add_arguments(parser: Parser) -> None:
    """Add the archive."""
    parser.add_argument("file", type=Path, metavar="FILE", help="an archive that focal archive has written")


def run_closed(folder: Path, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal unpack FILE``."""
    report = terminal.run(unpack_archive.unpack_archive(arguments.file, folder))
    text = [
        f"{report.counts.get('photos', 0)} photos, {report.counts.get('tags', 0)} tags, "
        f"{report.counts.get('judgements', 0)} judgements in the new library {path_text(report.folder)}.",
        "Photos that lie elsewhere now are found again by focal index on their folder.",
    ]
    terminal.result({"library": str(report.folder), **report.counts}, text)
    return 0


COMMAND = Command(
    "make a new library of an archive, in the folder of --library",
    add_arguments=add_arguments,
    run_closed=run_closed,
)
