# SPDX-License-Identifier: MIT
"""Libraries made before `color_edge_texture` ceased to be standard keep it; new ones do not have it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.schema.functions import add_to
from focal_photos.browser.operations.describing import settings
from focal_photos.browser.operations.describing.descriptors import vector_store
from focal_photos.browser.operations.describing.enabled import enabled_descriptors, enabled_names
from focal_photos.features.table import DESCRIPTORS, STANDARD, STANDARD_CODES

FORMER = "color_edge_texture"
SAVED = Path(__file__).resolve().parents[3] / "fixtures" / "library_v16.sqlite"


def saved(folder: Path, **values: object) -> Path:
    """Return a library of schema 16 with photos and these settings."""
    folder.mkdir()
    shutil.copy(SAVED, folder / "catalog.sqlite")
    with closing(sqlite3.connect(folder / "catalog.sqlite")) as connection:
        add_to(connection)
        connection.executemany(
            "INSERT INTO setting VALUES (?, ?)", [(name, json.dumps(value)) for name, value in values.items()]
        )
        connection.commit()
    return folder


def test_a_new_library_describes_photos_by_the_standard_descriptors(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        assert library.settings.get(settings.ENABLED.name) is None
        assert set(enabled_names(library)) == {*STANDARD, *STANDARD_CODES}
        assert FORMER not in enabled_names(library)


def test_an_earlier_library_keeps_its_descriptors(tmp_path: Path) -> None:
    with Library.open(saved(tmp_path / "library")) as library:
        assert set(enabled_names(library)) == {*STANDARD, *STANDARD_CODES, FORMER}
        assert enabled_descriptors(library)[FORMER] == DESCRIPTORS[FORMER]
        assert vector_store(library, DESCRIPTORS[FORMER]).half, "as it was written"


def test_an_earlier_library_keeps_its_networks(tmp_path: Path) -> None:
    networks = [{"name": "flowers"}, {"name": "birds"}]
    with Library.open(saved(tmp_path / "library", networks=networks)) as library:
        assert (settings.ENABLED.get(library) or ())[-2:] == ("flowers", "birds")


def test_the_choice_of_a_user_is_kept(tmp_path: Path) -> None:
    with Library.open(saved(tmp_path / "library", descriptors=["gist"])) as library:
        assert enabled_names(library) == ("gist",)
