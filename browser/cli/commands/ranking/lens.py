"""``focal lens``: export a metric as a lens, or import one."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, WrongUseError, path_text
from focal_photos.browser.operations.exchange.lenses import open_lens, share_lens

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the action and its names."""
    parser.add_argument("do", choices=("export", "open"), help="export NAME FILE, or open FILE")
    parser.add_argument("names", nargs="+", metavar="NAME", help="a metric to export, and the file")
    parser.add_argument("--force", action="store_true", help="write over a FILE of another kind too")


def _access(arguments: argparse.Namespace) -> Access:
    return Access.READ if arguments.do == "export" else Access.WRITE


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal lens export NAME FILE`` or ``focal lens open FILE``."""
    if arguments.do == "export":
        if len(arguments.names) != 2:
            raise WrongUseError("name a metric and a file: focal lens export NAME FILE")

        name, file = arguments.names
        path = Path(file).absolute()
        size = share_lens.share_lens(library, library.metrics.by_name(name), path, force=arguments.force)
        terminal.result({"file": str(path), "bytes": size}, f"{name} in {path_text(path)} ({size} bytes)")
        return 0
    if len(arguments.names) != 1:
        raise WrongUseError("name one file: focal lens open FILE")

    metric = terminal.run(open_lens.open_lens(library, Path(arguments.names[0])))
    document = {"metric": metric.name, "title": metric.title, "current": library.metrics.current().name}
    terminal.result(document, f"{metric.title} is the metric in use now: {metric.name}")
    return 0


COMMAND = Command("share a metric as a file, or take in that of somebody else", run, _access, add_arguments)
