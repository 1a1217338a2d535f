# SPDX-License-Identifier: MIT
"""Base of the facts that the user changes in steps of the journal."""

from __future__ import annotations

from collections.abc import Iterable

from focal_photos.browser.catalog.store.database import Database
from focal_photos.browser.catalog.store.errors import UnknownPhotoError
from focal_photos.browser.catalog.store.id_list import id_list
from focal_photos.browser.catalog.store.journal import Journal


class JournaledFacts:
    """Facts of one kind.

    Methods that change them return a `ChangeSet`, which is journaled, and empty if nothing changed. They raise
    `UnknownPhotoError` for photos that are not in the library.
    """

    def __init__(self, database: Database, journal: Journal) -> None:
        self._database = database
        self._journal = journal

    def _require_known(self, ids: Iterable[int]) -> None:
        """Raise `UnknownPhotoError`, which names the first three, if photos are not in the library."""
        unknown = self._database.rows(
            "SELECT value FROM json_each(?) WHERE value NOT IN (SELECT id FROM photo) LIMIT 4", (id_list(ids),)
        )
        if unknown:
            names = ", ".join(str(number) for (number,) in unknown[:3]) + ("..." if len(unknown) > 3 else "")
            raise UnknownPhotoError("The library has no photo with the id {0}: index its folder first.", names)
