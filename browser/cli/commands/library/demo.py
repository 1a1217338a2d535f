# SPDX-License-Identifier: MIT
"""``focal demo``: draw an album for trying out Focal."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.catalog.store import location
from focal_photos.browser.cli.arguments import Parser, positive
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.commands.library.index import report_document
from focal_photos.browser.cli.terminal import Terminal, path_text
from focal_photos.browser.operations.library import demo

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the folder, and the number of pictures."""
    parser.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="default: in the user's data folder")
    parser.add_argument("--count", type=positive, default=304, metavar="N", help="pictures to draw (default: 304)")
    parser.add_argument("--open", action="store_true", help="then open it in the window")


def choose_places(arguments: argparse.Namespace) -> None:
    """Set the folders of the demo, which never uses the user's own library unless that is named."""
    if arguments.folder is None:
        arguments.folder = location.default_path().with_name("focal-demo") / "album"
    arguments.folder = arguments.folder.absolute()
    if arguments.library is None:
        arguments.library = arguments.folder.with_name(f"{arguments.folder.name}.library")


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal demo [DIR]``."""
    report = terminal.run(demo.demo(library, arguments.folder, count=arguments.count))
    document = {
        "folder": str(report.folder),
        "library": str(library.path),
        "photos": report.index.photos,
        "new": report.index.new,
        "tagged": report.tagged,
        "failed": report_document(report.index)["failed"],
    }
    text = [
        f"{report.index.photos} pictures in {path_text(report.folder)}, {report.tagged} tagged now.",
        f"Open them with: focal --library {path_text(library.path)}",
    ]
    terminal.result(document, text)
    return 0


COMMAND = Command(
    "draw an album of pictures, index it and tag most of it",
    run,
    Access.CREATE,
    add_arguments,
    prepare=choose_places,
)
