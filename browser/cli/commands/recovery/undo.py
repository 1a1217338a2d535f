"""``focal undo``: revert the last change."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from focal_photos.browser.cli.command import Command
from focal_photos.browser.cli.terminal import Terminal

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def run(library: Library, _arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal undo``."""
    changes = library.journal.undo()
    terminal.result({"undone": changes.label or None}, f"Undone: {changes.label}" if changes else "Nothing to undo.")
    return 0


COMMAND = Command("take the last change back", run, in_window=True)
