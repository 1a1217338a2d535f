# SPDX-License-Identifier: MIT
"""``focal backup``: copy the catalogue and the metrics, or list the copies."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from focal_photos.browser.cli.arguments import Parser
from focal_photos.browser.cli.command import Access, Command
from focal_photos.browser.cli.terminal import Terminal, WrongUseError, path_text
from focal_photos.browser.operations.library import backup

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library
    from focal_photos.browser.catalog.store.backups import Backup


def add_arguments(parser: Parser) -> None:
    """Add the second folder, and the list."""
    parser.add_argument("--to", type=Path, metavar="DIR", help="copy it there too (default: the setting backup.folder)")
    parser.add_argument("--list", action="store_true", help="list the backups there are, the newest first")


def access(arguments: argparse.Namespace) -> Access:
    """Return how the library is opened: read-only for a list."""
    return Access.READ if arguments.list else Access.WRITE


def run(library: Library, arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal backup [--to DIR] [--list]``."""
    if arguments.list:
        if arguments.to is not None:
            raise WrongUseError("--to says where a backup is copied: leave it out with --list")
        found = list(reversed(backup.all_backups(library)))
        text = [backup_line(one) for one in found] or "There is no backup yet: focal backup makes one."
        terminal.result({"backups": [document(one) for one in found]}, text)
        return 0
    report = terminal.run(backup.back_up(library, to=arguments.to))
    assert report.backup is not None
    copied = None if report.copied is None else str(report.copied)
    text = [backup_line(report.backup), *([f"Copied to {path_text(report.copied)}"] if report.copied else [])]
    if report.away:
        terminal.say(f"focal: {report.away}")
    terminal.result({**document(report.backup), "copied": copied, "away": report.away}, text)
    return 0


def document(one: Backup) -> dict[str, Any]:
    """Return the JSON document of a backup."""
    return {
        "backup": one.name,
        "path": str(one.path),
        "at": one.at.isoformat(timespec="seconds"),
        "bytes": one.bytes,
        "reason": one.reason,
        "schema": one.version,
        **{name: one.shown_counts.get(name) for name in ("photos", "tags", "judgements", "boxes", "metrics")},
    }


def backup_line(one: Backup) -> str:
    """Format a backup as one line."""
    counts = ", ".join(f"{number} {name}" for name, number in one.shown_counts.items())
    parts = [f"{one.bytes / 1e6:.1f} MB", *([counts] if counts else []), *([one.reason] if one.reason else [])]
    return f"{one.name}  {one.at.astimezone():%Y-%m-%d %H:%M}  {', '.join(parts)}"


COMMAND = Command(
    "copy the catalogue and the metrics, or list the copies there are",
    run,
    access,
    add_arguments,
    backs_up=False,
    in_window=True,
)
