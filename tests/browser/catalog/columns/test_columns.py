# SPDX-License-Identifier: MIT
"""Columns agree with the catalogue after every kind of change, by this or another program, wherever they are read."""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focal_photos.browser.catalog.columns import columns as kept_columns
from focal_photos.browser.catalog.columns import places as kept_places
from focal_photos.browser.catalog.columns.column import KEPT_CHANGES, Column, position
from focal_photos.browser.catalog.columns.columns import Columns
from focal_photos.browser.catalog.columns.photo_tags import PhotoTags
from focal_photos.browser.catalog.columns.places import MISSING, PRESENT, Texts, needle
from focal_photos.browser.catalog.facts.order import Order
from focal_photos.browser.catalog.facts.query.removed import REMOVED
from focal_photos.browser.catalog.facts.query.syntax import quote
from focal_photos.browser.catalog.facts.records import FoundFile, Suggestion, SuggestionState
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.catalog.store.schema.functions import fold
from tests.browser.catalog.albums import enter, found
from tests.examples import examples

NAMES = ["a.jpg", "b/c.jpg", "b/d/e.jpg", "b.c/f.jpg", "Größe/g ß.jpg", "b/İstanbul.jpg", "b/h.jpg", "z/IMG_1.jpg"]


@pytest.fixture
def album(tmp_path: Path) -> Path:
    folder = tmp_path / "Album Ö"
    folder.mkdir()
    return folder


def columns_of(library: Library) -> Columns:
    return Columns(library.database, library.path / "derived" / "columns")


def require_right(library: Library) -> None:
    """Compare the results of filters and counts with plain SQL statements that read all rows."""
    database = library.database
    files = database.rows(
        "SELECT photo_id, state, root.path, file.path FROM file JOIN root ON root.id = root_id WHERE photo_id NOT NULL"
    )
    former = database.rows(
        "SELECT photo_id, root.path, former_place.path FROM former_place JOIN root ON root.id = root_id"
    )
    folders: dict[int, set[tuple[bytes, bytes]]] = {}
    for photo, _, root, path in files:
        folders.setdefault(photo, set()).add((root, path.rpartition(b"/")[0]))
    photo_ids = np.arange(max(folders, default=0) + 2)
    folder_of = library.photos.folder_numbers(photo_ids).tolist()
    assert [number >= 0 for number in folder_of] == [photo in folders for photo in photo_ids.tolist()]
    only = {photo: next(iter(places)) for photo, places in folders.items() if len(places) == 1}
    assert len({(folder_of[photo], folder) for photo, folder in only.items()}) == len(set(only.values()))
    tagged = {photo for (photo,) in database.rows("SELECT photo_id FROM photo_tag")}
    suggested = {photo for (photo,) in database.rows("SELECT photo_id FROM suggestion WHERE state = 'open'")}
    removed = {photo for (photo,) in database.rows(REMOVED)}
    present = {photo for photo, state, *_ in files if state == "present"}
    taken_out = {root for (root,) in database.rows("SELECT path FROM root WHERE removed")}
    there = [photo for photo, state, root, _ in files if state == "present" and root not in taken_out]
    places = sorted((state == "missing", root, path, photo) for photo, state, root, path in files)
    places += sorted((True, root, path, photo) for photo, root, path in former)
    first: dict[int, tuple[bool, int]] = {}
    order = sorted((root, path, photo) for photo, _, root, path in files) + sorted((r, p, i) for i, r, p in former)
    for number, (root, path, photo) in enumerate(order):
        is_missing = not any(
            (one, state, top, name) == (photo, "present", root, path) for one, state, top, name in files
        )
        if photo not in first or (is_missing, number) < first[photo]:
            first[photo] = (is_missing, number)
    expected = sorted(first, key=lambda photo: first[photo][1])
    assert library.photos.ids().tolist() == expected
    every = set(expected)
    assert set(library.photos.ids("tagged").tolist()) == tagged
    assert set(library.photos.ids("untagged").tolist()) == every - tagged
    assert set(library.photos.ids("suggested").tolist()) == suggested
    assert set(library.photos.ids("missing").tolist()) == every - present
    assert set(library.photos.ids("removed").tolist()) == removed
    assert set(library.photos.ids("copied").tolist()) == {photo for photo in there if there.count(photo) > 1}
    for (tag,) in database.rows("SELECT name FROM tag"):  # `few_listed` uses statements alone
        for more in ("", " missing", " -missing", " removed", " -removed", " copied", " -copied", " or failed"):
            text = f"tag:{quote(tag)}{more}"
            assert library.photos.few_listed(text) == library.photos.listed(text).tolist(), text
    shapes = {
        i: width / height for i, width, height in database.rows("SELECT id, width, height FROM photo WHERE width")
    }
    wanted = np.array([shapes.get(photo, 1.0) for photo in expected], np.float32)
    assert np.array_equal(library.photos.aspects(np.array(expected, np.int64)), wanted)
    for wish, sql, otherwise in (
        (Order.DATE, "SELECT id, strftime('%s', taken) + 0 FROM photo WHERE taken IS NOT NULL", -(10**12)),
        (Order.RATING, "SELECT photo_id, rating FROM mark WHERE rating IS NOT NULL", 0),
        (Order.SIZE, "SELECT id, bytes FROM photo", 0),
    ):
        numbers: dict[int, int] = dict(database.rows(sql))
        by_number = sorted(expected, key=lambda photo: -numbers.get(photo, otherwise))
        assert library.photos.sorted(np.array(expected, np.int64), wish).tolist() == by_number, wish
    for text in ("b", "B/", "ß", "größe", "img_", ".jpg", "istanbul", "d/e", "ö/b", "album", "nowhere"):
        inside = {i for i, _, _, path in files if fold(text) in fold(os.fsdecode(path))}
        inside |= {i for i, _, path in former if fold(text) in fold(os.fsdecode(path))}
        whole = {i for i, _, root, path in files if fold(text) in fold(os.fsdecode(root + b"/" + path))}
        whole |= {i for i, root, path in former if fold(text) in fold(os.fsdecode(root + b"/" + path))}
        inside |= {i for i, _, root, _ in files if fold(text) in fold(os.fsdecode(root.rpartition(b"/")[2]))}
        assert set(library.photos.ids(f'"{text}"').tolist()) == inside, text
        assert set(library.photos.ids(f'path:"{text}"').tolist()) == whole, text
    for root in library.roots.all():
        held: dict[Path, set[int]] = {}
        for photo, state, top, path in files:
            if state == "present" and top == os.fsencode(root.path):
                for above in Path(os.fsdecode(path)).parents:
                    held.setdefault(above, set()).add(photo)
        by_path = sorted(held, key=lambda folder: os.fsencode(folder) if folder != Path() else b"")
        assert library.roots.folders(root.id) == [(folder, len(held[folder])) for folder in by_path]
        for folder in held:
            below = {
                photo
                for photo, state, top, path in files
                if state == "present"
                and (Path(os.fsdecode(top)) / os.fsdecode(path)).is_relative_to(root.path / folder)
            }
            assert set(library.photos.ids(folder=root.path / folder).tolist()) == below
    carried = database.rows("SELECT photo_id, name FROM photo_tag JOIN tag ON tag.id = tag_id")
    counts: dict[str, set[int]] = {}
    for photo, name in carried:
        if photo not in removed:
            parts = name.split("/")
            for end in range(1, len(parts) + 1):
                counts.setdefault("/".join(parts[:end]), set()).add(photo)
    assert {tag.name: tag.count for tag in library.tags.all()} == {name: len(ids) for name, ids in counts.items()}
    for name in counts:
        carrying = {photo for photo, own in carried if own == name or own.startswith(name + "/")}
        assert set(library.photos.ids(f'tag:"{name}"').tolist()) == carrying


def acts(library: Library, album: Path, chance: random.Random) -> list[Callable[[], object]]:
    """Return one action of each kind that changes the paths, data or suggestions of photos."""
    ids = library.photos.ids().tolist()
    root = library.roots.all()[0].id if library.roots.all() else 0
    some = chance.sample(ids, min(len(ids), 3))
    number = chance.randrange(10**9)
    path = os.fsencode(chance.choice(NAMES))
    (album.parent / "other").mkdir(exist_ok=True)
    (album / "b").mkdir(exist_ok=True)
    suggestion = Suggestion(some[0], "x/y", 0.5, SuggestionState.OPEN, ())

    def record(name: bytes, content: int) -> object:
        return library.files.record([FoundFile(root, name, 10, number, f"{content:032x}")])

    return [
        lambda: library.tags.change(some, [f"t{number % 3}/u{number % 2}", "v"]),
        lambda: library.tags.change(some, [], ["v"]),
        lambda: library.vocabulary.rename("v", f"w{number}"),
        lambda: library.vocabulary.merge(["t1"], "t2"),
        lambda: library.suggestions.replace_open([suggestion], 1, photo_ids=some),
        lambda: library.suggestions.accept([(some[0], "x/y")]),
        lambda: library.suggestions.reject([(some[0], "x/y")]),
        lambda: record(b"new/%d.jpg" % number, number),
        lambda: record(path, number),
        lambda: record(b"copies/%d \xff.jpg" % number, 1),
        lambda: library.files.mark_missing(root, [path]),
        lambda: library.photos.forget(library.photos.ids("missing").tolist()),
        lambda: library.roots.remove(root),
        lambda: library.roots.add(album),
        lambda: library.roots.add(album.parent),
        lambda: library.roots.relocate(root, Path("b"), album.parent / "other" / "b2"),
        lambda: library.roots.relocate(root, Path(), album.parent / "moved"),
        library.journal.undo,
        library.journal.redo,
        lambda: library.marks.set(some, rating=3),
        lambda: library.photos.set_descriptions([(i, 100 + number % 50, 90 + i, None) for i in some]),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_filters_and_counts_agree_with_the_catalogue_after_any_change(tmp_path: Path, album: Path, seed: int) -> None:
    chance = random.Random(seed)
    with Library.open(tmp_path / "library") as library:
        enter(library, album, NAMES)
        require_right(library)
        for _ in range(40):
            act = chance.choice(acts(library, album, chance))
            with suppress(LibraryError, ValueError, IndexError, LookupError, sqlite3.IntegrityError):
                act()  # an action that is impossible in the present state raises
            require_right(library)
        assert library.check_columns() == []


def read_whole(columns: Iterable[Column[object]]) -> list[int]:
    return [column.read_whole for column in columns]


def test_a_change_of_few_photos_reads_only_those(tmp_path: Path, album: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        ids = enter(library, album, NAMES)
        columns = library._all_photos()
        require_right(library)
        before = read_whole(columns.all)
        library.tags.change(ids[:2], ["a/b"])
        library.files.mark_missing(library.roots.all()[0].id, [b"a.jpg"])
        enter(library, album, ["new.jpg"])
        library.suggestions.replace_open([Suggestion(ids[0], "c", 0.5, SuggestionState.OPEN, ())], 1)
        require_right(library)
        assert read_whole(columns.all) == before == [1] * 7


@pytest.mark.parametrize("part", [1, 7, 1000])
def test_each_place_has_its_folder_for_any_block_size(
    tmp_path: Path, album: Path, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    monkeypatch.setattr(kept_places, "_COMPARED", part)
    more = ["b/d/f.jpg", "b/d/g.jpg", "b/e/f.jpg", "c/e/f.jpg", "c/e.jpg", "c/e/g.jpg"]
    with Library.open(tmp_path / "library") as library:
        first, *_, last = enter(library, album, NAMES + more)
        root = library.roots.all()[0].id
        library.files.record([FoundFile(root, b"b/d \xff/h.jpg", 10, 10, "e" * 32)])
        with library.database.transaction() as connection:
            for photo, path in ((first, b"b/d/former.jpg"), (last, b"long/gone.jpg")):
                connection.execute("INSERT INTO former_place VALUES (?, ?, ?)", (photo, root, path))
        places = columns_of(library).places.now()
        paths = [places.paths[row] for row in range(len(places.paths))]
        assert sorted(paths[:-2]) == sorted([*map(os.fsencode, NAMES + more), b"b/d \xff/h.jpg"])
        assert paths[-2:] == [b"b/d/former.jpg", b"long/gone.jpg"]
        assert [places.folders[number] for number in places.folder.tolist()] == [
            path.rpartition(b"/")[0] for path in paths
        ]
        assert len(set(places.folders)) == len(places.folders)
        require_right(library)


def test_a_replaced_row_counts_as_removed(tmp_path: Path, album: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        first, second = enter(library, album, ["a.jpg", "b.jpg"])
        require_right(library)
        with library.database.transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO file (root_id, path, folder, photo_id, bytes, mtime_ns, failure, state) "
                "SELECT root_id, path, folder, ?, bytes, mtime_ns, failure, state FROM file WHERE photo_id = ?",
                (second, first),
            )
        assert library.photos.ids().tolist() == [second]


def test_a_transaction_sees_its_changes_without_caching_them(tmp_path: Path, album: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        ids = enter(library, album, NAMES)
        assert library.tags.all() == []

        def fail() -> None:
            with library.database.transaction():
                library.tags.change(ids[:1], ["kept for now"])
                assert [tag.name for tag in library.tags.all()] == ["kept for now"]
                assert library.photos.ids("tagged").tolist() == ids[:1]
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail()
        assert library.tags.all() == []
        assert library.photos.ids("tagged").tolist() == []
        library.tags.change(ids[1:2], ["other"])  # reuses the change number of the rolled-back change
        assert library.photos.ids("tagged").tolist() == ids[1:2]


def test_columns_too_far_behind_are_read_again(tmp_path: Path, album: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        ids = enter(library, album, NAMES)
        require_right(library)
        library.tags.change(ids[:1], ["early"])
        with library.database.transaction() as connection:
            connection.executemany(
                "INSERT INTO photo_change (photo_id, what) VALUES (?, 4)", [(ids[0],)] * 3 * KEPT_CHANGES
            )
            ((rows, low, high),) = connection.execute("SELECT count(*), min(id), max(id) FROM photo_change").fetchall()
        assert KEPT_CHANGES <= rows == high - low + 1 < 2 * KEPT_CHANGES
        assert library.photos.ids("tagged").tolist() == ids[:1]
        assert library._all_photos().tags.read_whole == 2


@pytest.fixture
def small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Store small columns on disk too."""
    monkeypatch.setattr(kept_columns, "_MIN_SAVED_BYTES", 0)


@pytest.mark.usefixtures("small_files")
def test_the_next_start_reads_the_stored_columns_and_later_changes(tmp_path: Path, album: Path) -> None:
    place = tmp_path / "library"
    with Library.open(place) as library:
        ids = enter(library, album, NAMES)
        library.tags.change(ids[:3], ["a/b", "c"])
        require_right(library)
    with Library.open(place) as library:  # this session reads no columns
        library.tags.change(ids[2:5], ["d"], ["c"])
        library.files.record([FoundFile(library.roots.all()[0].id, b"b/new.jpg", 1, 2, "f" * 32)])
        assert library._columns is None
    with Library.open(place) as library:
        require_right(library)
        assert read_whole(library._all_photos().all) == [0] * 7
    with Library.open(place, read_only=True) as library:
        require_right(library)
        assert read_whole(library._all_photos().all) == [0] * 7


@pytest.mark.usefixtures("small_files")
def test_a_complete_read_is_not_repeated_at_every_start(tmp_path: Path, album: Path) -> None:
    place = tmp_path / "library"
    with Library.open(place) as library:
        enter(library, album, NAMES)
        require_right(library)
    elsewhere = album.rename(album.with_name("elsewhere"))
    with Library.open(place) as library:
        library.roots.relocate(library.roots.all()[0].id, Path(), elsewhere)
        require_right(library)
        assert library._all_photos().places.read_whole == 1
    with Library.open(place) as library:
        require_right(library)
        assert read_whole(library._all_photos().all) == [0] * 7


@pytest.mark.usefixtures("small_files")
@pytest.mark.parametrize("damage", ["bit", "cut", "length", "empty", "other catalogue", "later", "no file"])
def test_an_invalid_file_is_not_used(tmp_path: Path, album: Path, damage: str) -> None:
    place = tmp_path / "library"
    with Library.open(place) as library:
        enter(library, album, NAMES)
        require_right(library)
    path = place / "derived" / "columns" / "places.column"
    content = bytearray(path.read_bytes())
    if damage == "bit":
        content[-20] ^= 1
    elif damage == "cut":
        del content[-30:]
    elif damage == "length":
        content[12:16] = b"\xff" * 4
    elif damage == "empty":
        content.clear()
    path.write_bytes(content)
    if damage == "no file":
        path.unlink()
    with closing(sqlite3.connect(place / "catalog.sqlite")) as connection, connection:
        if damage == "other catalogue":
            connection.execute("UPDATE commit_count SET token = ''")
        if damage == "later":
            connection.execute("UPDATE sqlite_sequence SET seq = 1 WHERE name = 'photo_change'")
    with Library.open(place) as library:
        require_right(library)
        assert library._all_photos().places.read_whole == 1


@pytest.mark.usefixtures("small_files")
def test_a_restored_catalogue_ignores_the_old_columns(tmp_path: Path, album: Path) -> None:
    place = tmp_path / "library"
    with Library.open(place) as library:
        ids = enter(library, album, NAMES)
        backup = library.back_up()
        library.tags.change(ids, ["late"])
        require_right(library)
    for path in place.glob("catalog.sqlite*"):
        path.unlink()
    (place / "catalog.sqlite").write_bytes(backup.read_bytes())
    with Library.open(place) as library:
        require_right(library)
        assert library.photos.ids("tagged").tolist() == []


@pytest.mark.usefixtures("small_files")
def test_check_finds_columns_that_disagree_with_the_catalogue(tmp_path: Path, album: Path) -> None:
    place = tmp_path / "library"
    with Library.open(place) as library:
        ids = enter(library, album, NAMES)
        library.tags.change(ids[:3], ["a/b"])
        assert library.check_columns() == []
        require_right(library)
        with library.database.transaction() as connection:
            connection.execute("DELETE FROM photo_tag WHERE photo_id = ?", (ids[0],))
            connection.execute("DELETE FROM photo_change WHERE photo_id = ? AND what = 2", (ids[0],))
        assert set(library.photos.ids("tagged").tolist()) == set(ids[:3])
        assert library.check_columns() == ["The cached column tags differed from the catalogue."]
        require_right(library)
        assert library.check_columns() == []
        assert not list((place / "derived" / "columns").glob("*.column"))


def test_a_read_only_library_follows_another_writing_process(tmp_path: Path, album: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        ids = enter(library, album, NAMES)
        with Library.open(tmp_path / "library", read_only=True) as other:
            assert other.photos.ids("tagged").tolist() == []
            library.tags.change(ids[:2], ["a"])
            require_right(other)
            assert sorted(other.photos.ids("tagged").tolist()) == sorted(ids[:2])


# ---------------------------------------------------------------------- texts
texts = st.lists(st.text("abB/ßİ\u0308o\udcff", max_size=6).map(os.fsencode), max_size=12)


@given(texts, st.text("abB/ßo", max_size=3))
def test_a_joint_search_equals_a_search_of_each_text(some: list[bytes], wanted: str) -> None:
    folded = Texts.of(some).folded()
    sought = needle(wanted)
    assert [folded[row] for row in range(len(folded))] == [os.fsencode(fold(os.fsdecode(text))) for text in some]
    inside = [row for row in range(len(some)) if sought in folded[row]]
    assert sorted(set(folded.containing(sought).tolist())) == inside
    if sought:
        begins = [row for row in range(len(some)) if folded[row].startswith(sought)]
        assert sorted(set(folded.beginning(sought).tolist())) == begins
        everywhere = {folded.data.find(sought, at) for at in range(len(folded.data))} - {-1}
        assert folded._all(sought).tolist() == sorted(everywhere)


@given(texts, texts, st.randoms())
@settings(max_examples=examples(60))
def test_texts_are_merged_in_any_order(one: list[bytes], other: list[bytes], chance: random.Random) -> None:
    source = [*range(len(one)), *(-1 - i for i in range(len(other)))]
    chance.shuffle(source)
    merged = Texts.of(one).merged(Texts.of(other), np.array(source, np.int64))
    assert [merged[row] for row in range(len(merged))] == [one[i] if i >= 0 else other[-1 - i] for i in source]


def test_very_frequent_texts_are_found() -> None:
    texts = Texts.of([b"img %06d img" % number for number in range(12_000)])
    assert len(np.unique(texts.containing(b"img"))) == 12_000
    assert len(np.unique(texts.containing(b"img 0"))) == 12_000
    assert np.unique(texts.containing(b"1 im")).tolist() == list(range(1, 12_000, 10))
    assert texts.containing(b"\0").tolist() == []


@given(st.sets(st.tuples(st.integers(1, 5), st.integers(0, 9))), st.sets(st.integers(0, 12)))
def test_pairs_are_counted_and_excluded(pairs: set[tuple[int, int]], gone: set[int]) -> None:
    tags = PhotoTags(np.array(sorted((tag << 32) + photo for tag, photo in pairs), np.int64))
    assert tags.counts() == {tag: sum(one == tag for one, _ in pairs) for tag in {one for one, _ in pairs}}
    mask = np.zeros(max(gone, default=-1) + 1, bool)
    mask[list(gone)] = True
    left = {(tag, photo) for tag, photo in pairs if photo not in gone}
    assert sorted(tags.without(mask).tagged().tolist()) == sorted(photo for _, photo in left)
    assert sorted(tags.photos([2, 4])) == sorted(photo for tag, photo in pairs if tag in (2, 4))


def test_positions_rise_with_every_change(tmp_path: Path, album: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        with library.database.reading() as connection:
            assert position(connection) == 0
        enter(library, album, ["a.jpg"])
        with library.database.reading() as connection:
            first = position(connection)
        library.marks.set(library.photos.ids().tolist(), rating=4)
        with library.database.reading() as connection:
            assert position(connection) == first + 1 > 1
        kinds = library._all_photos().places.now().kind
        assert kinds.tolist() == [PRESENT]
        library.files.mark_missing(library.roots.all()[0].id, [b"a.jpg"])
        assert library._all_photos().places.now().kind.tolist() == [MISSING]


def test_a_photo_is_placed_at_its_first_present_file(tmp_path: Path, album: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        first, second = enter(library, album, ["b.jpg", "m.jpg"])
        root = library.roots.all()[0]
        library.files.record([found(root, "z.jpg", b"content of b.jpg")])
        assert library.photos.ids().tolist() == [first, second]
        library.files.mark_missing(root.id, [b"b.jpg"])
        assert library.photos.ids().tolist() == [second, first]
        assert columns_of(library).places.now().order.tolist() == [second, first]


def test_new_files_precede_places_of_displaced_photos(tmp_path: Path, album: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        displaced, other, last = enter(library, album, ["a.jpg", "b.jpg", "c.jpg"])
        root = library.roots.all()[0]
        library.files.mark_missing(root.id, [b"a.jpg"])
        library.files.record([found(root, "a.jpg", b"content of b.jpg")])
        assert library.photos.ids().tolist() == [other, last, displaced]
        (new,) = enter(library, album, ["z.jpg"])
        assert library.photos.ids().tolist() == [other, last, new, displaced]
        assert columns_of(library).places.now().order.tolist() == [other, last, new, displaced]
        library.roots.remove(root.id)
        assert set(library.photos.ids("removed").tolist()) == {displaced, other, last, new}
        require_right(library)


def test_the_aspect_of_an_edited_photo_is_unknown(tmp_path: Path, album: Path) -> None:
    with Library.open(tmp_path / "library") as library:
        ids = np.array(enter(library, album, ["a.jpg", "b.jpg"]))
        library.photos.set_descriptions([(int(photo), 300, 100, None) for photo in ids])
        assert library.photos.aspects(ids).tolist() == [3, 3]
        library.files.record([found(library.roots.all()[0], "a.jpg", b"edited", 2)])
        assert library.photos.aspects(ids).tolist() == [1, 3]
        assert columns_of(library).aspects.now().of(ids).tolist() == [1, 3]
