# SPDX-License-Identifier: MIT
"""``focal replay``: write a script that trains a metric again."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, path_text
from focal_photos.browser.operations.exchange.replays import write_replay

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the library, the metric and the folder."""
    parser.add_argument("place", nargs="?", type=Path, metavar="LIBRARY", help="a library; default: that of --library")
    parser.add_argument("--to", type=Path, required=True, metavar="FOLDER", help="a new folder for the script")
    parser.add_argument("--metric", metavar="NAME", help="default: the metric in use")


def prepare(arguments: argparse.Namespace) -> None:
    """Take the library named first."""
    if arguments.place is not None:
        arguments.library = arguments.place


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal replay [LIBRARY] --to FOLDER [--metric NAME]``."""
    named = arguments.metric
    metric = library.metrics.current() if named is None else library.metrics.by_name(named)
    folder = arguments.to.absolute()
    files = [file.name for file in terminal.run(write_replay.write_replay(library, metric, folder))]
    document = {"folder": str(folder), "files": files, "metric": metric.name}
    terminal.result(document, f"{metric.name} in {path_text(folder)}: {', '.join(files)}")
    return 0


COMMAND = Command(
    "write a script that trains a metric again from the same tags and judgements",
    run,
    Access.READ,
    add_arguments,
    prepare=prepare,
)
