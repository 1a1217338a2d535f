"""``focal check``: look after the library."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def run(library: Library, _arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal check``."""
    from focal_photos.browser.operations.library.check import check

    report = terminal.run(check(library))
    document = {"problems": report.problems, "repaired": report.repaired, "networks": report.networks}
    text = [*report.problems, *(f"Repaired: {line}" for line in report.repaired)] or ["Nothing is wrong."]
    text += [f"The network {name} is run by {backend}." for name, backend in report.networks.items()]
    terminal.result(document, text)
    return 1 if report.problems else 0


COMMAND = Command("look for damage in the library and rebuild what can be worked out again", run, Access.WRITE_IF_FREE)
