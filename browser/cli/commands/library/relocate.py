# SPDX-License-Identifier: MIT
"""``focal relocate``: record the new path of a folder."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Command
from focal_photos.browser.cli.terminal import Terminal, path_text
from focal_photos.browser.operations.photos import relocate, scan

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def add_arguments(parser: Parser) -> None:
    """Add both paths, and how they are compared."""
    parser.add_argument("old", type=Path, metavar="OLD", help="a folder of the library; it need not exist")
    parser.add_argument("new", type=Path, metavar="NEW", help="where it is now")
    parser.add_argument("--dry-run", action="store_true", help="only compare, change nothing")
    parser.add_argument("--full", action="store_true", help="compare all contents, not a sample of them")


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal relocate OLD NEW``."""
    found = terminal.run(relocate.plan_relocation(library, arguments.old, arguments.new, full=arguments.full))
    document = _document(found) | {"done": not arguments.dry_run}
    text = [f"{path_text(found.old)} -> {path_text(found.new)}: {found.found} of {found.photos} photos exist there"]
    text += [f"missing: {path_text(path)}" for path in found.absent]
    text += [f"different photo: {path_text(path)}" for path in found.differing]
    if found.still_there:
        text.append(f"{found.still_there} of them are at the old place too, and are not touched there.")
    if not arguments.dry_run:
        relocate.relocate(library, found)
        terminal.run(scan.scan(library, [found.new]))
        undo = "focal undo takes it back." if found.undoable else "focal relocate, the other way round, takes it back."
        text.append(f"Relocated. {undo}")
    terminal.result(document, text)
    return 0


def _document(found: relocate.Relocation) -> dict[str, Any]:
    return {
        "old": str(found.old),
        "new": str(found.new),
        "photos": found.photos,
        "found": found.found,
        "compared": found.compared,
        "differing": [str(path) for path in found.differing],
        "absent": [str(path) for path in found.absent],
        "still_there": found.still_there,
        "undoable": found.undoable,
    }


COMMAND = Command(
    "say where a folder of the library is now; photos keep tags, judgements and descriptions",
    run,
    add_arguments=add_arguments,
    in_window=True,
)
