"""Take back what a person did, and do it again; across restarts."""

from __future__ import annotations

from browser.catalog.library import Library
from browser.catalog.store.changes import ChangeSet


def undo(library: Library) -> ChangeSet:
    """Take the last action back; the change is empty if there is none."""
    return library.journal.undo()


def redo(library: Library) -> ChangeSet:
    """Do again what was taken back last; the change is empty if there is nothing."""
    return library.journal.redo()
