# SPDX-License-Identifier: MIT
"""``focal rescue``: extract all sound rows from a damaged catalogue."""

from __future__ import annotations

import argparse
from pathlib import Path

from focal_photos.browser.catalog.store import location
from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Command
from focal_photos.browser.cli.commands.recovery.restore import replaced_lines
from focal_photos.browser.cli.terminal import Terminal, path_text
from focal_photos.browser.operations.library import restore


def add_arguments(parser: Parser) -> None:
    """Add the output folder."""
    parser.add_argument(
        "--output", type=Path, metavar="DIR", help="make a new library there and leave the damaged one unchanged"
    )
    parser.add_argument("--dry-run", action="store_true", help="only say what would come out")


def run_closed(folder: Path, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal rescue [--output DIR] [--dry-run]``."""
    output = None if arguments.output is None else location.absolute(arguments.output)
    result = terminal.run(restore.rescue_library(location.absolute(folder), output=output, dry_run=arguments.dry_run))
    text = [*restore.rescue_lines(result), *replaced_lines(result)]
    if result.output is not None:
        text.append(f"The new library is in {path_text(result.output)}.")
    terminal.result(restore.document(result), text)
    return 0


COMMAND = Command(
    "take every sound row out of a damaged catalogue, and fill the gaps from the newest backup",
    add_arguments=add_arguments,
    run_closed=run_closed,
)
