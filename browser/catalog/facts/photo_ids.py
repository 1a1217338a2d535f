"""Lists of photo ids as one parameter of a statement, and the check that the library knows them."""

from __future__ import annotations

import json
from collections.abc import Iterable

from browser.catalog.store.database import Database
from browser.catalog.store.errors import UnknownPhotoError


def id_list(ids: Iterable[int]) -> str:
    """Return ids as a JSON array: ``json_each(?)`` takes any number of them in one statement."""
    numbers = ids.tolist() if hasattr(ids, "tolist") else [int(number) for number in ids]
    return json.dumps(numbers)


def require_known(database: Database, ids: Iterable[int]) -> None:
    """Raise if a photo is not in the library.

    Raises
    ------
    UnknownPhotoError
        Names the first few.
    """
    unknown = database.rows(
        "SELECT value FROM json_each(?) WHERE value NOT IN (SELECT id FROM photo) LIMIT 4", (id_list(ids),)
    )
    if unknown:
        names = ", ".join(str(number) for (number,) in unknown[:3]) + ("..." if len(unknown) > 3 else "")
        raise UnknownPhotoError(f"The library has no photo with the id {names}: index its folder first.")
