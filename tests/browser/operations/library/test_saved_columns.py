# SPDX-License-Identifier: MIT
"""The columns cached on disk are complete after indexing, and survive a kill of the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from focal_photos.browser.catalog.columns import columns as kept_columns
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from tests.browser.copies import copied
from tests.browser.operations.album import Album


def reads_whole(library: Library) -> dict[str, int]:
    """Query all photos as a window does, and return the columns that were read from the catalogue."""
    for query in ("", "tagged", "suggested", "rating>=1", "size>1kb"):
        library.photos.listed(query)
    library.photos.aspects(library.photos.listed())
    return {column.NAME: column.read_whole for column in library._all_photos().all if column.read_whole}


def test_an_indexed_library_uses_its_cached_columns_after_a_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_columns, "_MIN_SAVED_BYTES", 0)  # also for few photos
    album = Album(tmp_path / "photos")
    album.draw_many(6)
    with Library.open(tmp_path / "library") as library:
        set_enabled(library, ["color_moments"])
        finish(index(library, [album.folder], backend="threads", workers=1))
        with Library.open(copied(tmp_path / "library", tmp_path / "first")) as other:
            assert "places" not in reads_whole(other)
    # A changed folder is read from the catalogue once at most, however often programs are killed.
    elsewhere = album.folder.rename(tmp_path / "elsewhere")
    with Library.open(tmp_path / "library") as library:
        library.roots.relocate(library.roots.all()[0].id, Path(), elsewhere)
        with Library.open(copied(tmp_path / "library", tmp_path / "second")) as other:
            assert reads_whole(other)["places"] == 1
            finish(index(other, [], backend="threads", workers=1))
            written = (tmp_path / "second" / "derived" / "columns" / "places.column").stat().st_mtime_ns
            other.tags.change(other.photos.ids()[:1].tolist(), ["late"])
            finish(index(other, [], backend="threads", workers=1))
            assert (tmp_path / "second" / "derived" / "columns" / "places.column").stat().st_mtime_ns == written
            with Library.open(copied(tmp_path / "second", tmp_path / "third")) as last:
                assert reads_whole(last) == {}
