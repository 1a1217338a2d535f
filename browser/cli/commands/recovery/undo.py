# SPDX-License-Identifier: MIT
"""``focal undo`` and ``focal redo``: revert the last change, or repeat it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from focal_photos.browser.cli.command import Command
from focal_photos.browser.cli.terminal import Terminal

if TYPE_CHECKING:
    from focal_photos.browser.catalog.library import Library


def undo(library: Library, _arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal undo``."""
    changes = library.journal.undo()
    terminal.result({"undone": changes.label or None}, f"Undone: {changes.label}" if changes else "Nothing to undo.")
    return 0


def redo(library: Library, _arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Run ``focal redo``."""
    changes = library.journal.redo()
    terminal.result({"redone": changes.label or None}, f"Redone: {changes.label}" if changes else "Nothing to redo.")
    return 0


UNDO = Command("revert the last change", undo, in_window=True)
REDO = Command("repeat the last undone change", redo, in_window=True)
