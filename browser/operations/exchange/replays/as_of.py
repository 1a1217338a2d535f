# SPDX-License-Identifier: MIT
"""Reconstruct a past state of a library, by undoing the later actions in a copy of its catalogue."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store import timestamps


@contextmanager
def library_as_of(library: Library, moment: datetime) -> Iterator[Library]:
    """Open a temporary copy of a library's catalogue, without its arrays, as of a moment.

    Raises
    ------
    UndoError
        If a later action can no longer be undone.
    OSError
        If there is no space for the copy.
    """
    with tempfile.TemporaryDirectory(prefix="focal-", ignore_cleanup_errors=True) as folder:
        with (
            closing(sqlite3.connect(Path(folder) / "catalog.sqlite")) as copy,
            library.database.reading() as connection,
        ):
            connection.backup(copy)
        with Library.open(Path(folder)) as former:
            former.journal.undo_after(moment)
            yield former


def photos_known_at(library: Library, ids: NDArray[np.int64], moment: datetime) -> NDArray[np.int64]:
    """Return those of some photos, int64 (n,), that were in the library at a moment."""
    later = library.database.rows("SELECT id FROM photo WHERE added_at > ?", (timestamps.to_text(moment),))
    return ids[~np.isin(ids, [row[0] for row in later])]
