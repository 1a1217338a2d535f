# SPDX-License-Identifier: MIT
"""``focal check``: check and repair the library."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, path_text
from focal_photos.browser.operations.library import check

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add the choice of data to read."""
    parser.add_argument(
        "--read-data", action="store_true", help="read everything: the backups in both places and all arrays too"
    )


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal check [--read-data]``."""
    report = terminal.run(check.check(library, read_data=arguments.read_data))
    document: dict[str, Any] = {"problems": report.problems, "repaired": report.repaired, "networks": report.networks}
    text = [*report.problems, *(f"Repaired: {line}" for line in report.repaired)] or ["Nothing is wrong."]
    if arguments.read_data:
        document["backups"] = [
            {"backup": one.name, "path": str(one.path), "condition": str(one.condition), "reason": one.reason or None}
            for one in report.backups
        ]
        text += [f"{one.condition}: {path_text(one.path)}" for one in report.backups] or ["There is no backup yet."]
    text += [f"The network {name} is run by {backend}." for name, backend in report.networks.items()]
    terminal.result(document, text)
    return 1 if report.problems else 0


COMMAND = Command(
    "look for damage in the library and rebuild what can be worked out again", run, Access.WRITE_IF_FREE, add_arguments
)
