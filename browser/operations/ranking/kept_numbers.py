"""Numbers that are worked out of all photos and kept in ``derived/``: who ranks once does not work them out again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.files.checked_json import read_checked, write_checked

_NAME: Final = "numbers.json"
_MOST: Final = 16  # that are kept: of a few metrics


def kept_number(library: Library, name: str, stamp: str, find: Callable[[], float]) -> float:
    """Return a number, worked out only where it is not kept.

    Parameters
    ----------
    library : Library
    name : str
        What it is.
    stamp : str
        What it was worked out of: another stamp, another number.
    find : callable
        Works it out.
    """
    path = library.path / "derived" / _NAME
    kept: dict[str, tuple[str, float]] = {}
    with suppress(ValueError, TypeError):  # of another version
        kept = {str(one): (str(of), float(number)) for one, of, number in read_checked(path) or ()}
    if name in kept and kept[name][0] == stamp:
        return kept[name][1]
    number = float(find())
    if not library.read_only:
        rows = [(one, *value) for one, value in kept.items() if one != name]
        with suppress(OSError):
            write_checked(path, [*rows, (name, stamp, number)][-_MOST:])
    return number
