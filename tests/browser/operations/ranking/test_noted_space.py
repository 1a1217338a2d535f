# SPDX-License-Identifier: MIT
"""A program that ranks once reads the current space from a note, while the files behind the note are unchanged."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.files.checked_json import read_checked, write_checked
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.describing.families import space_families
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking import noted_space as room
from focal_photos.browser.operations.ranking.galleries.gallery import MetricGallery
from focal_photos.browser.operations.ranking.gallery_store import GalleryStore
from focal_photos.browser.operations.ranking.loaded_metric import LoadedMetric
from focal_photos.browser.operations.ranking.noted_space import SpaceNote, note_space, noted_space, stamp_of
from focal_photos.browser.operations.ranking.ranker import Ranker
from tests.browser.operations.album import Album


@pytest.fixture
def ranked(indexed: Library) -> Library:
    """Library of 12 photos that was ranked once, an hour ago."""
    Ranker(indexed).rank(int(indexed.photos.ids()[0]))
    settle(indexed.path)
    return indexed


def settle(library: Path) -> None:
    """Set the times of all derived files back by an hour."""
    for path in (library / "derived").rglob("*"):
        if path.is_file():
            os.utime(path, ns=(0, time.time_ns() - 3600 * 10**9))


def note_of(library: Library) -> SpaceNote:
    return SpaceNote(stamp_of(library), "rows", "space-0")


def test_a_note_is_valid_while_nothing_changes(ranked: Library) -> None:
    assert noted_space(ranked) is None
    note = note_of(ranked)
    note_space(ranked, note)
    assert noted_space(ranked) == note
    ranked.tags.change(ranked.photos.ids()[:2].tolist(), add=["sun"])  # changes no photo
    assert Ranker(ranked).rank(int(ranked.photos.ids()[1])).total == 11
    ranked.close()
    with Library.open(ranked.path) as again:
        Ranker(again).rank(int(again.photos.ids()[1]))  # opens all stores
        assert noted_space(again) == note
    with Library.open(ranked.path, read_only=True) as reading:
        assert noted_space(reading) == note


def add(library: Library, album: Album) -> None:
    album.draw("cold/6.jpg", kind="cold", seed=6)
    finish(index(library, backend="threads", workers=1))


def edit(library: Library, album: Album) -> None:
    album.draw("warm/0.jpg", kind="cold", seed=60)
    finish(index(library, backend="threads", workers=1))


def lose(library: Library, album: Album) -> None:
    album.path("warm/0.jpg").unlink()
    finish(index(library, backend="threads", workers=1))


def forget_a_vector(library: Library, _album: Album) -> None:
    store = library.vectors.open(str(space_families(library)[0].key))
    assert store is not None
    store.forget(library.photos.ids()[:1])


def append_a_vector(library: Library, _album: Album) -> None:
    store = library.vectors.open(str(space_families(library)[0].key))
    assert store is not None
    first = library.photos.ids()[:1]
    store.append(first, store.rows(first) + 1)


def switch_off(library: Library, _album: Album) -> None:
    set_enabled(library, [one.name for one in space_families(library)][1:])


def lose_a_store(library: Library, _album: Album) -> None:
    library.vectors.remove(str(space_families(library)[0].key))


def change_what_is_complete(library: Library, _album: Album) -> None:
    path = library.path / "derived" / "complete.json"
    path.write_text(path.read_text() + " ")


def fit_again(library: Library, _album: Album) -> None:
    next((library.path / "derived").glob("space-*.npz")).touch()


def learn_again(library: Library, _album: Album) -> None:
    folder = library.path / "derived" / "fitted"
    folder.mkdir(exist_ok=True)
    (folder / "new.npz").write_bytes(b"learned")


@pytest.mark.parametrize(
    "change",
    [
        add,
        edit,
        lose,
        forget_a_vector,
        append_a_vector,
        switch_off,
        lose_a_store,
        change_what_is_complete,
        fit_again,
        learn_again,
    ],
)
def test_a_note_is_invalid_after_any_change(
    ranked: Library, album: Album, change: Callable[[Library, Album], None]
) -> None:
    note_space(ranked, note_of(ranked))
    assert noted_space(ranked) is not None
    change(ranked, album)
    assert noted_space(ranked) is None


def test_a_note_of_another_program_version_is_invalid(ranked: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    note_space(ranked, note_of(ranked))
    monkeypatch.setattr(room, "_program", lambda: 1)
    assert noted_space(ranked) is None


def test_files_written_just_now_are_not_noted(ranked: Library) -> None:
    (path,) = (ranked.path / "derived").glob("space-*.npz")
    for at in (time.time_ns(), time.time_ns() + 3600 * 10**9):  # as by the clock of another machine
        os.utime(path, ns=(at, at))
        note_space(ranked, note_of(ranked))
        assert noted_space(ranked) is None


def test_a_space_changed_in_the_meantime_is_not_noted(ranked: Library, album: Album) -> None:
    note = note_of(ranked)
    lose(ranked, album)
    settle(ranked.path)
    note_space(ranked, note)
    assert read_checked(ranked.path / "derived" / "space.json") is None


def test_a_read_only_library_writes_no_note(ranked: Library) -> None:
    ranked.close()
    with Library.open(ranked.path, read_only=True) as reading:
        note_space(reading, note_of(reading))
        assert noted_space(reading) is None


@pytest.mark.parametrize("content", [{}, 3, ["a"], ["a", "b", "c"], ["a", "b", "c", "d"]])
def test_a_note_of_another_form_is_ignored(ranked: Library, content: object) -> None:
    write_checked(ranked.path / "derived" / "space.json", content)
    assert noted_space(ranked) is None


def test_rankings_with_and_without_a_note_are_the_same(
    ranked: Library, album: Album, monkeypatch: pytest.MonkeyPatch
) -> None:
    focal = int(ranked.photos.ids()[2])
    expected = Ranker(ranked, once=True).rank(focal)
    assert noted_space(ranked) is not None
    ranker = Ranker(ranked, once=True)
    found = ranker.rank(focal)
    assert ranker.gallery() is not None
    again = ranker.rank(focal)  # by the note
    made: list[str] = []
    real = GalleryStore._made

    def count(self: GalleryStore, chosen: Metric, loaded: LoadedMetric | None) -> MetricGallery:
        made.append(chosen.name)
        return real(self, chosen, loaded)

    monkeypatch.setattr(GalleryStore, "_made", count)
    once = Ranker(ranked, once=True).rank(focal)
    assert made == []
    for one in (found, again, once):
        np.testing.assert_array_equal(one.photo_ids, expected.photo_ids)
        np.testing.assert_array_equal(one.distances, expected.distances)
    edit(ranked, album)
    changed = Ranker(ranked, once=True).rank(focal)
    assert len(made) == 1
    np.testing.assert_array_equal(changed.distances, Ranker(ranked).rank(focal).distances)
    assert not np.array_equal(changed.distances, expected.distances)


def test_lost_rows_are_computed_again(ranked: Library) -> None:
    focal = int(ranked.photos.ids()[2])
    expected = Ranker(ranked, once=True).rank(focal)
    note = noted_space(ranked)
    assert note is not None
    ranked.vectors.remove(note.key)
    np.testing.assert_array_equal(Ranker(ranked, once=True).rank(focal).distances, expected.distances)
    store = ranked.vectors.open(note.key)
    assert store is not None
    store.forget([focal + 1])
    found = Ranker(ranked, once=True).rank(focal)  # its row is now the last
    np.testing.assert_array_equal(found.distances, Ranker(ranked).rank(focal).distances)
    assert len(found.distances) == 11


def test_an_outside_image_is_described_for_the_noted_space(ranked: Library, tmp_path: Path) -> None:
    outside = Album(tmp_path / "outside").draw("x.png", kind="cold", seed=77)
    expected = Ranker(ranked).rank(outside)
    Ranker(ranked, once=True).rank(outside)
    assert noted_space(ranked) is not None
    np.testing.assert_array_equal(Ranker(ranked, once=True).rank(outside).distances, expected.distances)
