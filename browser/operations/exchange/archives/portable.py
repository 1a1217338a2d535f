# SPDX-License-Identifier: MIT
"""Settings that are included in archives.

Only the settings in `PORTABLE` are included. Settings in neither set, for example of a later version, are left out.
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
        # choices about the photos
        "library.name",
        "library.merges",
        "audit.agreements",
        "audit.blind",
        "audit.people",
        "tags.pinned",
        "current_metric",
        "training.unkept",
        "descriptors",
        "descriptors.any_rotation",
        "ranking.neighbors",
        "ranking.by_judgements",
        "ranking.fold",
        "duplicates.seconds",
        "duplicates.not_boxes",
        "slideshow.seconds",
        "slideshow.random",
        "review.retrain",
        "review.left_out",
        "review.new_kinds",
        "suggestions.by",
        "metadata.take_over",
        "metadata.tag_imports",
        "sidecars.names",
        "sidecars.prefer",
        "display.channels",
        "display.plane",
        "display.time",
        "display.windows",
    }
)
"""Names of the included settings."""

LOCAL_SETTINGS: Final = frozenset(
    {
        # folders and files of a machine
        "backup.folder",
        "networks",
        # limits of a machine: memory, time, disk space, safety
        "backup.megabytes",
        "decode.megapixels",
        "decode.megabytes",
        "decode.seconds",
        "ranking.index_from",
        # automatic work on folders and files of a machine
        "folders.watch",
        "folders.seconds",
        "sidecars.write",
        # state of folders and files of a machine
        "folders.away",
        "files.passed_over",
        "review.unlike_told",
        "descriptors.no_up_told",
        "turned.edited",
        "window.place",
    }
)
"""Names of the settings left out; a test checks that every setting is in one of the two sets."""


def drop_local_settings(connection: sqlite3.Connection) -> None:
    """Delete the settings that archives leave out from an open catalogue; the caller commits."""
    names = sorted(PORTABLE)
    connection.execute(f"DELETE FROM setting WHERE name NOT IN ({', '.join('?' * len(names))})", names)


def leave_local_settings(catalogue: Path) -> None:
    """Delete the settings that archives leave out, and unreadable ones, from a copy of the catalogue.

    The file is rebuilt, so that no traces remain in free pages.
    """
    with closing(sqlite3.connect(catalogue, isolation_level=None)) as connection:
        add_functions(connection)
        drop_local_settings(connection)
        settings = connection.execute("SELECT name, value FROM setting").fetchall()
        unreadable = [(name,) for name, text in settings if not is_readable(text)]
        connection.executemany("DELETE FROM setting WHERE name = ?", unreadable)
        connection.execute("VACUUM")
