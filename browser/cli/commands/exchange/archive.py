# SPDX-License-Identifier: MIT
"""``focal archive``: save the whole library as one file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, path_text
from focal_photos.browser.operations.exchange.archives import save_archive

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the file, and the choice of data."""
    parser.add_argument("file", type=Path, metavar="FILE", help="of the archive, such as photos.focal.zip")
    parser.add_argument(
        "--with-derived",
        action="store_true",
        help="vectors and thumbnails too, which can be worked out again from the photos",
    )


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal archive FILE``."""
    report = terminal.run(save_archive.save_archive(library, arguments.file, with_derived=arguments.with_derived))
    counts = report.counts
    text = (
        f"{counts['photos']} photos, {counts['tags']} tags, {counts['judgements']} judgements and "
        f"{counts['metrics']} metrics in {path_text(report.file)} ({report.bytes} bytes)"
    )
    terminal.result({"file": str(report.file), "bytes": report.bytes, **counts}, text)
    return 0


def access(arguments: argparse.Namespace) -> Access:
    """Return how the library is opened: exclusively, while vectors are copied."""
    return Access.WRITE if arguments.with_derived else Access.READ


COMMAND = Command("save the whole library as one file, without the photos", run, access, add_arguments)
