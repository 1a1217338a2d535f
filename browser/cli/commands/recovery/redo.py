"""``focal redo``: repeat the last undone change."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from focal_photos.browser.cli.command import Command
from focal_photos.browser.cli.terminal import Terminal

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def run(library: Library, _arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal redo``."""
    changes = library.journal.redo()
    terminal.result({"redone": changes.label or None}, f"Redone: {changes.label}" if changes else "Nothing to redo.")
    return 0


COMMAND = Command("do again what was taken back", run, in_window=True)
