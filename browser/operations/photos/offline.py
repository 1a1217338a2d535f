# SPDX-License-Identifier: MIT
"""Detect offline folders of a library: the drive is not connected, or the folder was moved or renamed.

The files of such a folder are unknown. Its photos keep their thumbnails, tags and ranks until the folder is back or the
user relocates it.
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
from focal_photos.browser.catalog.text import Text
from focal_photos.browser.operations.photos.walk import why, why_folder

_SETTING: Final = "folders.away"
OFFLINE: Final = CacheEntry[dict[Path, str]]("folders that are away")


def why_offline(root: Root, library: Library) -> str | None:
    """Return why a root is offline, or None if it is online. Reads the disk and caches the result.

    A root is offline if it cannot be listed, or if it is empty (a mount point) but is recorded as containing photos.
    """
    reason = _why_not_there(root.path)
    if reason is not None and not library.files.any_present(root.id) and _listed(root.path):
        reason = None  # a folder that was always empty
    offline = dict(offline_roots(library))
    if reason is None:
        offline.pop(root.path, None)
    else:
        offline[root.path] = reason
    library.cache.put(OFFLINE, None, offline)
    return reason


def look_for_offline(library: Library) -> Mapping[Path, str]:
    """Check all roots and return the offline ones with the reasons."""
    roots = library.roots.all()
    return {root.path: reason for root in roots if (reason := why_offline(root, library)) is not None}


def offline_roots(library: Library) -> Mapping[Path, str]:
    """Return the roots found offline by the last check, with the reasons, without reading the disk."""
    return library.cache.get(OFFLINE, None) or {}


def save_offline(library: Library, looked_at: Collection[Root], offline: Collection[Path]) -> list[Path]:
    """Save which of the checked roots are offline; return the newly offline ones."""
    before = {number for number in library.settings.get(_SETTING, []) if isinstance(number, int)}
    now = {root.id for root in looked_at if root.path in offline}
    roots = library.roots.all()
    still_offline = {root.id for root in roots} & (before - {root.id for root in looked_at} | now)
    if still_offline != before:
        library.settings.set(_SETTING, sorted(still_offline) or None)
    return [root.path for root in roots if root.id in now - before]


def offline_root(path: Path, roots: Iterable[Path]) -> Path | None:
    """Return the offline root in `roots` that contains a path, or None."""
    return next((root for root in roots if path.is_relative_to(root)), None)


def _listed(folder: Path) -> bool:
    try:
        os.listdir(os.fsencode(folder))
    except OSError:
        return False
    return True


def _why_not_there(folder: Path) -> str | None:
    """Return why a folder is offline (unreadable or empty), or None if it is online."""
    try:
        with os.scandir(os.fsencode(folder)) as entries:
            if next(entries, None) is None:
                return Text("The folder is empty; its drive may be disconnected. Its photos are unchanged.")
    except PermissionError as error:
        return Text("{0} Its photos are unchanged.", why_folder(error))
    except OSError as error:
        return Text(
            "The folder cannot be read ({0}): connect its drive, or relocate the folder if it was "
            "moved. Its photos are unchanged.",
            why(error),
        )
    return None
