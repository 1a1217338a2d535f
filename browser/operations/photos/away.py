"""Which folders of a library are away: their drive is not connected, or they were moved or renamed as a whole.

Nothing is known of the files of such a folder; their photos stay as they were, with thumbnails, tags and places in
rankings, until the folder is back or the person says where it is now.
"""
# ruff: noqa: PTH208

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.cache import CacheEntry
from focal_photos.browser.catalog.facts.records import Root
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.photos.walk import why

_KEPT: Final = "folders.away"
AWAY: Final = CacheEntry[dict[Path, str]]("folders that are away")


def why_away(root: Root, library: Library) -> str | None:
    """Return why a root counts as away; None if it is there. Looks at the disk, and keeps what it found.

    A root is away if it cannot be listed, or if it is empty (the mount point of a drive) though photos lay in it.
    """
    reason = _why_not_there(root.path)
    if reason is not None and not library.files.any_present(root.id) and _listed(root.path):
        reason = None  # an empty folder that was always empty
    away = dict(away_roots(library))
    if reason is None:
        away.pop(root.path, None)
    else:
        away[root.path] = reason
    library.cache.put(AWAY, None, away)
    return reason


def look_for_away(library: Library) -> Mapping[Path, str]:
    """Look at all roots and return those that are away, with the reasons."""
    roots = library.roots.all()
    return {root.path: reason for root in roots if (reason := why_away(root, library)) is not None}


def away_roots(library: Library) -> Mapping[Path, str]:
    """Return the roots that were away when they were looked at last, with the reasons; the disk is not touched."""
    return library.cache.get(AWAY, None) or {}


def keep_away(library: Library, looked_at: Collection[Root], away: Collection[Path]) -> list[Path]:
    """Keep which of the roots that were looked at are away; return those that were there the last time."""
    before = {number for number in library.settings.get(_KEPT, []) if isinstance(number, int)}
    now = {root.id for root in looked_at if root.path in away}
    roots = library.roots.all()
    kept = {root.id for root in roots} & (before - {root.id for root in looked_at} | now)
    if kept != before:
        library.settings.set(_KEPT, sorted(kept) or None)
    return [root.path for root in roots if root.id in now - before]


def away_root(path: Path, roots: Iterable[Path]) -> Path | None:
    """Return the root of `roots`, which are away, that a photo's path lies in; None if it lies in none."""
    return next((root for root in roots if path.is_relative_to(root)), None)


def _listed(folder: Path) -> bool:
    try:
        os.listdir(os.fsencode(folder))
    except OSError:
        return False
    return True


def _why_not_there(folder: Path) -> str | None:
    """Return why a folder counts as not there: it cannot be read, or nothing is in it; None if it is there."""
    try:
        with os.scandir(os.fsencode(folder)) as entries:
            if next(entries, None) is None:
                return "The folder is empty, its drive may not be connected: its photos stay as they were."
    except OSError as error:
        return (
            f"The folder cannot be read ({why(error)}): connect its drive, or relocate the folder if it is elsewhere "
            "now; its photos stay as they were."
        )
    return None
