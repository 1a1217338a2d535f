"""Checks that photos are in the library."""

from __future__ import annotations

from collections.abc import Iterable

from focal_photos.browser.catalog.store.database import Database
from focal_photos.browser.catalog.store.errors import UnknownPhotoError
from focal_photos.browser.catalog.store.id_list import id_list


def require_known(database: Database, ids: Iterable[int]) -> None:
    """Raise if a photo is not in the library.

    Raises
    ------
    UnknownPhotoError
        Names the first three unknown ids.
    """
    unknown = database.rows(
        "SELECT value FROM json_each(?) WHERE value NOT IN (SELECT id FROM photo) LIMIT 4", (id_list(ids),)
    )
    if unknown:
        names = ", ".join(str(number) for (number,) in unknown[:3]) + ("..." if len(unknown) > 3 else "")
        raise UnknownPhotoError("The library has no photo with the id {0}: index its folder first.", names)
