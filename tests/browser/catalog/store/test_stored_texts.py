# SPDX-License-Identifier: MIT
"""The migration to version 12: reasons and labels keep their template and arguments; older labels remain."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.schema.functions import add_to
from focal_photos.browser.catalog.text import Text

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
HALF = "The file is incomplete, only 31 % of the photo can be shown: copy or download it again."
DAMAGED = "The file is damaged (its header is invalid): copy it again, or use another copy."


def test_an_older_library_gets_templates(place: Path) -> None:
    place.mkdir()
    shutil.copy(FIXTURES / "library_v11.sqlite", place / "catalog.sqlite")
    with closing(sqlite3.connect(place / "catalog.sqlite")) as connection:
        add_to(connection)
        connection.execute("UPDATE incomplete SET reason = ?", (HALF,))
        connection.execute("UPDATE photo SET failure = ? WHERE id = 1", (DAMAGED,))
        connection.commit()
    with Library.open(place) as library:
        (reason,) = {reason for _, reason in library.photos.incomplete()}
        assert reason == HALF
        assert isinstance(reason, Text)
        assert reason.arguments == (31,)
        assert library.photos.get([1])[0].failure is None
        label = library.journal.undo_label()
        assert label is not None
        assert label == library.journal.undo().label
        assert library.database.check() == []


def test_labels_and_reasons_keep_their_parts(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:2], ["sea"])
    library.photos.set_failures([(photos[0], Text("{0} again.", Text("It is {0}.", "odd")))])
    labels = library.journal.undo_label(), library.journal.undo().label, library.journal.redo_label()
    for label in labels:
        assert isinstance(label, Text)
        assert label == "Tag 2 photos: sea"
        assert label.template == "Tag {0}: {1}"
    failure = library.photos.get(photos[:1])[0].failure
    assert isinstance(failure, Text)
    assert failure == "It is odd. again."
    assert isinstance(failure.arguments[0], Text)
