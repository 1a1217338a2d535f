# SPDX-License-Identifier: MIT
"""``focal restore``: restore a backup, try that in a temporary folder, or revert the last restore."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.catalog import library
from focal_photos.browser.catalog.store import location
from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, WrongUseError, path_text
from focal_photos.browser.operations.library import backup, drill, restore

if TYPE_CHECKING:
    from focal_photos.browser.catalog.store.rescue.difference import Difference


def add_arguments(parser: Parser) -> None:
    """Add the backup, and the action."""
    parser.add_argument(
        "backup", nargs="?", metavar="BACKUP", help="name, number or path of a backup (default: the newest)"
    )
    parser.add_argument("--dry-run", action="store_true", help="only say what would be lost and gained")
    parser.add_argument(
        "--drill",
        action="store_true",
        help="only try it: restore into a temporary folder, open and check that, and say what would be lost",
    )
    parser.add_argument("--undo", action="store_true", help="put back what the last restore or rescue replaced")


def run_closed(folder: Path, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal restore [BACKUP] [--dry-run] [--drill] [--undo]``."""
    folder = location.absolute(folder)
    if arguments.undo:
        if arguments.backup is not None or arguments.dry_run or arguments.drill:
            raise WrongUseError("--undo stands alone")
        result = terminal.run(restore.take_back_last(folder))
        text = ["What the last restore replaced is back."]
    elif arguments.drill:
        if arguments.dry_run:
            raise WrongUseError("--drill changes nothing: leave --dry-run out")
        return _drill(folder, arguments.backup, terminal)
    else:
        backup = restore.find_backup(folder, arguments.backup)
        result = terminal.run(restore.restore(folder, backup, dry_run=arguments.dry_run))
        text = [f"{'Would be restored' if arguments.dry_run else 'Restored'}: {backup.name}", *difference_lines(result)]
    terminal.result(restore.document(result), [*text, *replaced_lines(result)])
    return 0


def _drill(folder: Path, name: str | None, terminal: Terminal) -> int:
    """Try a restore, even while the library is open elsewhere; return 1 if the backup is damaged."""
    with ExitStack() as opened:
        current: library.Library | None = None
        places: tuple[Path, ...] = ()
        try:
            current = opened.enter_context(library.Library.open(folder, read_only=True))
            second = backup.second_place(current)
            places = () if second is None else (second,)
        except library.LibraryError as error:
            if not (folder / "backups").is_dir():
                raise
            terminal.say(f"focal: The library itself cannot be read, so that nothing is compared with it: {error}")
        result = terminal.run(drill.drill(folder, restore.find_backup(folder, name, places), current))
    terminal.result(drill.drill_document(result), drill_lines(result))
    return 0 if result.sound else 1


def drill_lines(result: drill.Drill) -> list[str]:
    """Format the result of a trial restore."""
    name = result.backup.name
    lines = result.problems or [f"The backup {name} is sound: it was restored into a temporary folder and checked."]
    words = {"tagged": "tags of photos"}
    lines = [
        *lines,
        *(
            f"{words.get(kind, kind)}: {number} in the backup"
            + (f", {result.present[kind]} now" if result.present else "")
            for kind, number in result.restored.items()
        ),
    ]
    if result.changes is not None:
        lines += [f"{result.changes} changes were made since the backup.", *_difference_lines(result.differences)]
    return lines


def difference_lines(result: restore.Restored) -> list[str]:
    """Format the differences, kind by kind, with examples."""
    lines = _difference_lines(result.differences)
    if result.damaged:
        lines.append("The catalogue in the library is damaged: what can be read of it was compared.")
    return lines or ["Nothing differs."]


def _difference_lines(differences: Sequence[Difference]) -> list[str]:
    lines = []
    for one in differences:
        lines.append(f"{one.kind}: {one.lost} only in the library, {one.gained} only in the other")
        lines += [f"  - {text}" for text in one.lost_examples]
        lines += [f"  + {text}" for text in one.gained_examples]
    return lines


def replaced_lines(result: restore.Restored) -> list[str]:
    """Return a line with the path of the replaced catalogue, if there is one."""
    if result.kept is None:
        return []
    return [f"The previous catalogue is saved in {path_text(result.kept)}; focal restore --undo restores it."]


COMMAND = Command(
    "replace the catalogue by a backup (the old catalogue is saved), or only try it",
    add_arguments=add_arguments,
    run_closed=run_closed,
    access=lambda arguments: Access.READ if arguments.drill else Access.WRITE,
)
