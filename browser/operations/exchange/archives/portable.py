"""Which settings travel in archives. All others stay in the library where they were made.

A setting that is named in neither set stays: a new one, one of a later version, and one that was made up.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.facts.settings import is_readable
from focal_photos.browser.catalog.store.schema.functions import add_to as add_functions

PORTABLE: Final = frozenset(
    {
        # what a person chose for these photos, wherever they lie
        "library.name",
        "tags.pinned",
        "current_metric",
        "training.unkept",
        "descriptors",
        "ranking.neighbors",
        "ranking.by_judgements",
        "ranking.fold",
        "duplicates.seconds",
        "slideshow.seconds",
        "slideshow.random",
        "review.retrain",
        "suggestions.by",
        "metadata.take_over",
        "sidecars.names",
        "sidecars.prefer",
        "display.channels",
        "display.plane",
        "display.time",
        "display.windows",
    }
)
"""Names of the settings that travel."""

STAYS: Final = frozenset(
    {
        # folders and files of a machine
        "backup.folder",
        "networks",
        # what a machine may take: memory, time, room, and what is refused for safety
        "backup.megabytes",
        "decode.megapixels",
        "decode.megabytes",
        "decode.seconds",
        "ranking.index_from",
        # what Focal does by itself to folders and files of a machine
        "folders.watch",
        "folders.seconds",
        "sidecars.write",
        # what Focal found in folders and files of a machine
        "folders.away",
        "files.passed_over",
        "turned.edited",
    }
)
"""Names of the settings that stay; only a test reads them, so that none is forgotten."""


def drop_local_settings(connection: sqlite3.Connection) -> None:
    """Delete all settings from a catalogue that do not travel; the caller commits."""
    names = sorted(PORTABLE)
    connection.execute(f"DELETE FROM setting WHERE name NOT IN ({', '.join('?' * len(names))})", names)


def leave_local_settings(catalogue: Path) -> None:
    """Take out of a copied catalogue what does not travel, and write it anew, so that no free page holds it either.

    A setting that cannot be read counts as its default, and is taken out too.
    """
    with closing(sqlite3.connect(catalogue, isolation_level=None)) as connection:
        add_functions(connection)
        drop_local_settings(connection)
        kept = connection.execute("SELECT name, value FROM setting").fetchall()
        unreadable = [(name,) for name, text in kept if not is_readable(text)]
        connection.executemany("DELETE FROM setting WHERE name = ?", unreadable)
        connection.execute("VACUUM")
