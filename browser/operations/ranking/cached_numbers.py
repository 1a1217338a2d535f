# SPDX-License-Identifier: MIT
"""Cache of numbers computed from all photos, stored in ``derived/`` so that single rankings need not compute them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.files.checked_json import read_checked, write_checked

_NAME: Final = "numbers.json"
_MAX_ENTRIES: Final = 16  # number of entries stored


def cached_number(library: Library, name: str, stamp: str, find: Callable[[], float]) -> float:
    """Return a cached number, computing it if the cache has none with this stamp.

    Parameters
    ----------
    stamp : str
        State of the data that the number depends on. If it differs, the number is computed again.
    """
    path = library.path / "derived" / _NAME
    stored: dict[str, tuple[str, float]] = {}
    with suppress(ValueError, TypeError):  # written by another version
        stored = {str(one): (str(of), float(number)) for one, of, number in read_checked(path) or ()}
    if name in stored and stored[name][0] == stamp:
        return stored[name][1]
    number = float(find())
    if not library.read_only:
        rows = [(one, *value) for one, value in stored.items() if one != name]
        with suppress(OSError):
            write_checked(path, [*rows, (name, stamp, number)][-_MAX_ENTRIES:])
    return number
