# SPDX-License-Identifier: MIT
"""Named values stored in the library. Undo does not cover them."""

from __future__ import annotations

import json
from typing import Any

from focal_photos.browser.catalog.store.database import Database


class Settings:
    """The library's settings."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, name: str, default: Any = None) -> Any:
        """Return a setting; `default` if it is unset, unreadable or of another type than `default`."""
        row = self._database.row("SELECT value FROM setting WHERE name = ?", (name,))
        try:
            value = default if row is None else json.loads(row[0])
        except (ValueError, RecursionError):  # reported by `unreadable`
            return default
        return value if default is None or isinstance(value, type(default)) else default

    def unreadable(self) -> list[str]:
        """Return the names of the settings whose text is not valid JSON."""
        rows = self._database.rows("SELECT name, value FROM setting ORDER BY name")
        return [str(name) for name, text in rows if not is_readable(text)]

    def set(self, name: str, value: Any) -> None:
        """Store a JSON-serialisable `value` under `name`; None deletes it.

        Raises
        ------
        TypeError
            If the value is not JSON-serialisable.
        """
        with self._database.transaction() as connection:
            if value is None:
                connection.execute("DELETE FROM setting WHERE name = ?", (name,))
            else:
                connection.execute(
                    "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                    (name, json.dumps(value)),
                )


def is_readable(text: str) -> bool:
    """Return whether the text of a setting is valid JSON without excessive nesting."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
