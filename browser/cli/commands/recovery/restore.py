"""``focal restore``: go back to a backup, or take the last restore back."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Command
from focal_photos.browser.cli.terminal import Terminal, WrongUseError, path_text

if TYPE_CHECKING:
    from focal_photos.browser.operations.library.restore import Restored


def add_arguments(parser: Parser) -> None:
    """Add the backup, and what is done with it."""
    parser.add_argument(
        "backup", nargs="?", metavar="BACKUP", help="name, number or path of a backup (default: the newest)"
    )
    parser.add_argument("--dry-run", action="store_true", help="only say what would be lost and gained")
    parser.add_argument("--undo", action="store_true", help="put back what the last restore or rescue replaced")


def run_closed(folder: Path, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """``focal restore [BACKUP] [--dry-run] [--undo]``."""
    from focal_photos.browser.catalog.store.location import absolute
    from focal_photos.browser.operations.library.restore import document, find_backup, restore, take_back_last

    folder = absolute(folder)
    if arguments.undo:
        if arguments.backup is not None or arguments.dry_run:
            raise WrongUseError("--undo stands alone")
        result = terminal.run(take_back_last(folder))
        text = ["What the last restore replaced is back."]
    else:
        backup = find_backup(folder, arguments.backup)
        result = terminal.run(restore(folder, backup, dry_run=arguments.dry_run))
        text = [f"{'Would be restored' if arguments.dry_run else 'Restored'}: {backup.name}", *difference_lines(result)]
    terminal.result(document(result), [*text, *kept_lines(result)])
    return 0


def difference_lines(result: Restored) -> list[str]:
    """Return what differs, kind by kind, with examples."""
    lines = []
    for one in result.differences:
        lines.append(f"{one.kind}: {one.lost} only in the library, {one.gained} only in the other")
        lines += [f"  - {text}" for text in one.lost_examples]
        lines += [f"  + {text}" for text in one.gained_examples]
    if result.damaged:
        lines.append("The catalogue in the library is damaged: what can be read of it was compared.")
    return lines or ["Nothing differs."]


def kept_lines(result: Restored) -> list[str]:
    """Return where that is kept which was there."""
    if result.kept is None:
        return []
    return [f"The catalogue that was there is kept in {path_text(result.kept)}; focal restore --undo puts it back."]


COMMAND = Command(
    "put a backup in the place of the catalogue, which is kept",
    add_arguments=add_arguments,
    run_closed=run_closed,
)
