"""Named values that the library remembers. They are no part of undo."""

from __future__ import annotations

import json
from typing import Any

from focal_photos.browser.catalog.store.database import Database


class Settings:
    """The library's settings."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a setting, or `default`."""
        row = self._database.row("SELECT value FROM setting WHERE name = ?", (name,))
        return default if row is None else json.loads(row[0])

    def set(self, name: str, value: Any) -> None:
        """Keep `value`, anything that JSON can hold, under `name`; None forgets it.

        Raises
        ------
        TypeError
            If JSON cannot hold the value.
        """
        with self._database.transaction() as connection:
            if value is None:
                connection.execute("DELETE FROM setting WHERE name = ?", (name,))
            else:
                connection.execute(
                    "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                    (name, json.dumps(value)),
                )
