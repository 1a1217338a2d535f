# SPDX-License-Identifier: MIT
"""Damage that SQLite does not detect: changed bytes, a lost log, a catalogue cut to a few bytes."""

from __future__ import annotations

import os
import random
import re
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.learning.audits import AuditStratum, DrawnPhoto, TagAudit
from focal_photos.browser.catalog.facts.records import (
    Exchanged,
    Information,
    NamedRegion,
    Reading,
    Region,
    Suggestion,
    SuggestionState,
    Verdict,
    Written,
)
from focal_photos.browser.catalog.library import Library, LibraryDamagedError, UnknownPhotoError


def fill(library: Library, photos: list[int]) -> None:
    """Add a row to every table of the user's work."""
    a, b, c, d, e = photos
    library.tags.change([a, b, c], ["beach", "holiday/2024"])
    library.judgements.set(a, [b, c], Verdict.SIMILAR)
    library.judgements.set(b, [d], Verdict.DISSIMILAR)
    library.text_judgements.set("a red boat", [c], Verdict.SIMILAR)
    with library.journal.action("Turn and keep apart"):
        library.rotations.rotate([b], 1)
        library.not_duplicates.add([a, b])
        library.judged_relations.set([(c, b, d)], holds=True)
        library.boxes.add([(e, Region(0.25, 0.5, 1.0, 1.0), "boat")])
        library.boxes.reject([(d, Region(0.25, 0.0, 1.0, 1.0), "boat")])
        library.region_judgements.set(
            a, Region(0.0, 0.0, 0.5, 1.0), [(b, Region(0.25, 0.0, 1.0, 0.5))], Verdict.SIMILAR
        )
    library.photos.set_incomplete([(c, "The file is incomplete.")])
    audit = TagAudit("beach", "", 3, False, (AuditStratum(0, 2, 0.25),), "0" * 16, datetime.now(UTC))
    library.audits.begin([audit], [DrawnPhoto("beach", a, 0)])
    library.audits.answer("beach", {a: True})
    library.suggestions.replace_open([Suggestion(d, "beach", 0.1 + 0.2, SuggestionState.OPEN, (a, c))], 1)
    library.suggestions.reject([(c, "beach")])
    library.metrics.add("kernel", file="kernel-1.npz", judgements=3, tagged=3)
    library.settings.set("thumbnail_size", 192)
    library.marks.set([a, b], rating=4, label="Red")
    library.information.record([Reading(a, "0" * 32, "", Written(("beach",), 4), Information("Canon", latitude=48.5))])
    at = datetime(2024, 6, 1, tzinfo=UTC)
    boxes = (NamedRegion("beach", Region(0.0, 0.0, 0.5, 1.0)),)
    library.exchange.record([Exchanged(b, Path("/b.xmp"), "0" * 32, ("beach",), 4, None, at, boxes)], journaled=True)
    with library.database.transaction() as connection:
        connection.execute("INSERT INTO former_content VALUES (?, ?)", ("f" * 32, e))
        connection.execute("INSERT INTO former_place VALUES (?, 1, ?)", (e, b"before/e.jpg"))


# ---------------------------------------------------------------------- changed bytes
CHANGES = [
    ("tag", "UPDATE tag SET name = 'peach' WHERE name = 'beach'"),
    ("photo_tag", "UPDATE photo_tag SET source = 'import' WHERE photo_id = 1"),
    ("photo_tag", "UPDATE photo_tag SET photo_id = 5 WHERE photo_id = 1"),
    ("judgement", "UPDATE judgement SET verdict = 'dissimilar' WHERE focal_id = 1"),
    ("judgement", "UPDATE judgement SET other_id = 5 WHERE other_id = 2"),
    ("text_judgement", "UPDATE text_judgement SET text = 'a blue boat' WHERE text = 'a red boat'"),
    ("judged_relation", "UPDATE judged_relation SET than_id = 5"),
    ("box", "UPDATE box SET x0 = 0.125"),
    ("box", "UPDATE box SET tag_id = NULL, brought_tag = 0"),
    ("rejected_box", "UPDATE rejected_box SET photo_id = 5"),
    ("region_judgement", "UPDATE region_judgement SET verdict = 'dissimilar'"),
    ("region_judgement", "UPDATE region_judgement SET other_x0 = 0.5"),
    ("region_judgement", "UPDATE region_judgement SET x1 = 0.75"),
    ("turned", "UPDATE turned SET quarters = 2"),
    ("not_duplicate", "UPDATE not_duplicate SET other_id = 5"),
    ("incomplete", "UPDATE incomplete SET reason = 'The file is complete.'"),
    ("audit", "UPDATE audit SET photos = 4"),
    ("audited", "UPDATE audited SET present = 0"),
    ("suggestion", "UPDATE suggestion SET confidence = confidence + 1e-9"),
    ("suggestion", "UPDATE suggestion SET metric_id = NULL WHERE state = 'open'"),
    ("metric", "UPDATE metric SET learner = 'kermel' WHERE id = 2"),
    ("setting", "UPDATE setting SET value = '193' WHERE name = 'thumbnail_size'"),
    ("mark", "UPDATE mark SET rating = 5 WHERE photo_id = 1"),
    ("mark", "UPDATE mark SET label = NULL WHERE photo_id = 2"),
    ("mark", "UPDATE mark SET photo_id = 5 WHERE photo_id = 1"),
    ("information", "UPDATE information SET waiting = NULL"),
    ("information", "UPDATE information SET latitude = -48.5"),
    ("exchange", "UPDATE exchange SET tags = '[]'"),
    ("exchanged_boxes", "UPDATE exchanged_boxes SET boxes = '[[null, 0, 0, 1, 1]]'"),
    ("exchange", "UPDATE exchange SET sidecar = x'2f612e786d70'"),
    ("photo", "UPDATE photo SET content_hash = replace(content_hash, 'a', 'b')"),
    ("photo", "UPDATE photo SET bytes = bytes + 1 WHERE id = 2"),
    ("file", "UPDATE file SET path = CAST('A.jpg' AS BLOB) WHERE path = CAST('a.jpg' AS BLOB)"),
    ("file", "UPDATE file SET photo_id = 5 WHERE photo_id = 1"),
    ("root", "UPDATE root SET path = CAST('/elsewhere' AS BLOB)"),
    ("former_content", "UPDATE former_content SET photo_id = 2"),
    ("former_place", "UPDATE former_place SET path = CAST('f.jpg' AS BLOB)"),
    ("journal", "UPDATE journal SET undone = 1 WHERE id = 1"),
    ("journal", "UPDATE journal SET changes = replace(changes, 'similar', 'sjmilar')"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("table", "change"), CHANGES)
def test_a_changed_row_is_found(place: Path, library: Library, photos: list[int], table: str, change: str) -> None:
    fill(library, photos)
    assert library.database.check() == []
    library.close()
    with closing(sqlite3.connect(place / "catalog.sqlite", isolation_level=None)) as connection:
        connection.create_function("row_digest", -1, lambda *_: 0, deterministic=True)  # does not update the digest
        assert connection.execute(change).rowcount > 0
    with Library.open(place) as again:
        problems = again.database.check()
    assert problems
    for problem in problems:
        assert re.search(rf" is damaged \(digest mismatch in row .+ of the table {table}\)$", problem), problem


def damaged_rows(place: Path, changes: list[str]) -> set[str]:
    """Change rows without their digests, and return how a check names them."""
    with closing(sqlite3.connect(place / "catalog.sqlite", isolation_level=None)) as connection:
        connection.create_function("row_digest", -1, lambda *_: 0, deterministic=True)
        for change in changes:
            assert connection.execute(change).rowcount > 0
    with Library.open(place) as again:
        return {problem.split(" is damaged (digest mismatch")[0] for problem in again.database.check()}


def test_a_changed_row_is_reported_by_name_with_its_dependents(
    place: Path, library: Library, photos: list[int]
) -> None:
    fill(library, photos)
    folder = library.roots.all()[0].path
    library.close()
    changes = [
        "UPDATE photo SET content_hash = replace(content_hash, 'a', 'b') WHERE id = 1",
        "UPDATE photo_tag SET source = 'import' WHERE photo_id = 2 AND tag_id = 1",
        "UPDATE judgement SET verdict = 'similar' WHERE verdict = 'dissimilar'",
        "UPDATE tag SET name = 'holiday/2025' WHERE name = 'holiday/2024'",
        "UPDATE root SET path = path",
        "UPDATE setting SET value = '193' WHERE name = 'thumbnail_size'",
        "UPDATE journal SET label = 'Untag 3 photos' WHERE id = 1",
    ]
    problems = damaged_rows(place, changes)
    hanging = "2 tags (beach, holiday/2025) and 3 judgements and 1 ratings and labels"
    assert problems == {
        f"the photo {folder}/a.jpg, on which hang {hanging},",
        f"the tag beach of {folder}/b.jpg",
        f"the judgement of {folder}/d.jpg against {folder}/b.jpg",
        "the tag holiday/2025 of 3 photos",
        f"the folder {folder} with 5 files",
        "the setting thumbnail_size",
        "the step of undo “Untag 3 photos”",
    }


def test_changed_judgements_boxes_and_audits_are_reported_by_name(
    place: Path, library: Library, photos: list[int]
) -> None:
    fill(library, photos)
    a, b, c, d, e = (f"{library.roots.all()[0].path}/{name}.jpg" for name in "abcde")
    library.close()
    changes = {
        "UPDATE text_judgement SET verdict = 'dissimilar'": f"the judgement of {c} against the text a red boat",
        "UPDATE region_judgement SET verdict = 'dissimilar'": (f"the judgement of a part of {b} against a part of {a}"),
        "UPDATE box SET x0 = 0.125": f"a box of {e}",
        "UPDATE rejected_box SET x0 = 0.125": f"a rejected box of the tag boat on {d}",
        "UPDATE turned SET quarters = 2": f"how {b} is turned",
        "UPDATE not_duplicate SET other_id = 5": f"that {e} is no duplicate of {a}",
        "UPDATE incomplete SET reason = 'The file is complete.'": f"how much of {c} can be decoded",
        "UPDATE audit SET photos = 4": "the audit of the tag beach",
        "UPDATE audited SET present = 0": f"the audit of the tag beach on {a}",
        "UPDATE suggestion SET metric_id = NULL WHERE state = 'open'": f"the suggestion beach of {d}",
        "UPDATE mark SET rating = 5 WHERE photo_id = 1": f"the rating or label of {a}",
        "UPDATE metric SET learner = 'kermel' WHERE id = 2": "the metric kernel-1",
    }
    assert damaged_rows(place, list(changes)) == set(changes.values())


def test_bit_flips_are_found(place: Path, library: Library, photos: list[int], tmp_path: Path) -> None:
    """Every bit flip that changes the user's work is found on opening or by a check."""
    fill(library, photos)
    library.close()
    whole = (place / "catalog.sqlite").read_bytes()
    expected = _contents(place / "catalog.sqlite")
    spots = _places_of_content(whole)
    assert len(spots) > 200
    unnoticed, effective = [], 0
    copy = tmp_path / "copy"
    copy.mkdir()
    for spot in random.Random(5).sample(spots, 120):
        damaged = bytearray(whole)
        damaged[spot] ^= 1 << (spot % 7)
        (copy / "catalog.sqlite").write_bytes(damaged)
        try:
            contents = _contents(copy / "catalog.sqlite")
        except sqlite3.DatabaseError:
            contents = {}
        if contents == expected:
            continue
        effective += 1
        try:
            with Library.open(copy, read_only=True) as flipped:
                if not flipped.database.check():
                    unnoticed.append((spot, whole[spot - 40 : spot + 20]))
        except LibraryDamagedError:
            pass
    assert effective > 60
    assert unnoticed == []


@pytest.mark.parametrize("word", [b"CREATE INDEX", b"CREATE TABLE", b"REFERENCES", b"WITHOUT ROWID", b"-- "])
@pytest.mark.parametrize("read_only", [False, True])
def test_a_damaged_schema_is_reported_as_damage(place: Path, library: Library, word: bytes, read_only: bool) -> None:
    """Also if SQLite's own message is no longer valid text."""
    library.close()
    path = place / "catalog.sqlite"
    whole = bytearray(path.read_bytes())
    for at in [match.start() for match in re.finditer(re.escape(word), whole)]:
        whole[at + 2] = 0xC7
    path.write_bytes(whole)
    with pytest.raises(LibraryDamagedError):
        Library.open(place, read_only=read_only)


TABLES = (
    "root",
    "photo",
    "file",
    "former_content",
    "former_place",
    "tag",
    "photo_tag",
    "judgement",
    "text_judgement",
    "judged_relation",
    "box",
    "rejected_box",
    "region_judgement",
    "turned",
    "not_duplicate",
    "incomplete",
    "audit",
    "audited",
    "suggestion",
    "metric",
    "setting",
    "mark",
    "information",
    "exchange",
    "exchanged_boxes",
    "journal",
)


def _contents(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
        connection.text_factory = bytes
        return {
            table: connection.execute(f"SELECT * FROM {table} NOT INDEXED ORDER BY 1, 2").fetchall() for table in TABLES
        }


def _places_of_content(whole: bytes) -> list[int]:
    """Return the offsets of the words that `fill` has written, in rows and in indexes."""
    words = (
        b"beach",
        b"holiday",
        b"similar",
        b"hand",
        b"rejected",
        b"open",
        b"kernel",
        b"192",
        b"[[",
        b".jpg",
        b"/album",
        b"fff",
    )
    found: list[int] = []
    for word in words:
        at = whole.find(word)
        while at >= 0:
            found += range(at, at + len(word))
            at = whole.find(word, at + 1)
    return found


# ---------------------------------------------------------------------- a lost log
def _copy_without_log(place: Path, target: Path) -> None:
    target.mkdir()
    for name in ("catalog.sqlite", "catalog.commits"):
        shutil.copy(place / name, target / name)


@pytest.mark.parametrize("read_only", [False, True])
def test_a_lost_log_is_noticed(
    place: Path, library: Library, photos: list[int], tmp_path: Path, read_only: bool
) -> None:
    library.database.compact()  # moves all earlier changes into the file
    for number in range(20):
        library.tags.change(photos, [f"tag {number}"])
    copy = tmp_path / "copy"
    _copy_without_log(place, copy)
    with pytest.raises(LibraryDamagedError, match=r"lacks the last 20 changes: .*catalog\.sqlite-wal"):
        Library.open(copy, read_only=read_only)
    (copy / "catalog.commits").unlink()  # as the message advises
    with Library.open(copy) as again:
        assert again.tags.all() == []


def test_a_log_with_a_damaged_end_is_noticed(place: Path, library: Library, photos: list[int], tmp_path: Path) -> None:
    library.tags.change(photos, ["kept"])
    size = (place / "catalog.sqlite-wal").stat().st_size
    library.tags.change(photos, ["lost"])
    copy = tmp_path / "copy"
    _copy_without_log(place, copy)
    log = bytearray((place / "catalog.sqlite-wal").read_bytes())
    log[size + 100] ^= 1  # SQLite takes a frame with a wrong checksum for the end of the log
    (copy / "catalog.sqlite-wal").write_bytes(log)
    with pytest.raises(LibraryDamagedError, match="the last 1 changes"):
        Library.open(copy)


def test_the_whole_log_is_applied(place: Path, library: Library, photos: list[int], tmp_path: Path) -> None:
    library.tags.change(photos, ["beach"])
    copy = tmp_path / "copy"
    _copy_without_log(place, copy)
    shutil.copy(place / "catalog.sqlite-wal", copy)
    with Library.open(copy) as again:
        assert again.photos.ids("tag:beach").tolist() == photos


def test_an_interrupted_checkpoint_is_not_damage(
    place: Path, library: Library, photos: list[int], tmp_path: Path
) -> None:
    """The file alone is an inconsistent database in this case: the log holds the missing pages."""
    library.tags.change(photos, ["first"])
    library.database.compact()  # from now on, catalog.commits holds the file's count
    library.tags.change(photos, ["second"])
    before = (place / "catalog.sqlite").read_bytes()
    for number in range(60):
        library.tags.change(photos, [f"tag {number} {'x' * 150}"])
    copy = tmp_path / "copy"
    _copy_without_log(place, copy)
    shutil.copy(place / "catalog.sqlite-wal", copy)
    whole = tmp_path / "whole"
    shutil.copytree(copy, whole)
    with closing(sqlite3.connect(whole / "catalog.sqlite")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    after = (whole / "catalog.sqlite").read_bytes()
    assert len(after) > len(before) + 8192
    unsound = 0
    chance = random.Random(2)
    for number in range(40):
        again = tmp_path / f"again{number}"
        shutil.copytree(copy, again)
        pages = [(new if chance.random() < 0.5 else old) for old, new in _pages(before.ljust(len(after), b"\0"), after)]
        mixed = b"".join(pages)
        # The appended pages may be missing, although the first page counts them.
        (again / "catalog.sqlite").write_bytes(mixed[: len(before)] if number % 2 else mixed)
        unsound += not _is_sound(again / "catalog.sqlite")
        with Library.open(again) as opened:
            assert opened.database.check() == []
            assert len(opened.tags.all()) == 62
    assert unsound > 10


def _pages(*contents: bytes) -> list[tuple[bytes, ...]]:
    size = 4096
    return [tuple(one[at : at + size] for one in contents) for at in range(0, len(contents[0]), size)]


def _is_sound(path: Path) -> bool:
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
        try:
            return connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        except sqlite3.DatabaseError:
            return False


def _restore_backup(place: Path, backup: Path) -> None:
    shutil.copy(backup, place / "catalog.sqlite")


def _lag_behind(place: Path, _: Path) -> None:
    text = (place / "catalog.commits").read_text()
    (place / "catalog.commits").write_text(text.split()[0] + f" {1:020d}\n")  # as if the last write were lost


def _garble(place: Path, _: Path) -> None:
    (place / "catalog.commits").write_bytes(b"\0" * 38)


def _delete(place: Path, _: Path) -> None:
    (place / "catalog.commits").unlink()


@pytest.mark.parametrize("change", [_restore_backup, _lag_behind, _garble, _delete])
def test_nothing_else_is_mistaken_for_a_lost_log(
    place: Path, library: Library, photos: list[int], change: Callable[[Path, Path], None]
) -> None:
    library.tags.change(photos, ["beach"])
    backup = library.back_up()
    library.tags.change(photos, ["later"])
    library.close()
    change(place, backup)
    for _ in range(2):
        with Library.open(place) as again:
            assert "beach" in [tag.name for tag in again.tags.all()]
            again.tags.change(photos, ["more"])
    with Library.open(place, read_only=True) as reader:
        assert "more" in [tag.name for tag in reader.tags.all()]


def test_the_count_is_exact_after_failed_and_empty_actions(place: Path, library: Library, photos: list[int]) -> None:
    def count() -> list[tuple[int]]:
        outside = (place / "catalog.commits").read_text().split()[1]
        ((inside,),) = library.database.rows("SELECT commits FROM commit_count")
        return [(int(outside),), (inside,)]

    library.tags.change(photos, ["beach"])
    before = count()
    library.tags.change(photos, ["beach"])
    with pytest.raises(UnknownPhotoError):
        library.tags.change([*photos, 99], ["sea"])
    assert count() == before
    library.tags.change(photos, [], ["beach"])
    assert count() == [(number + 1,) for (number,) in before]


# ---------------------------------------------------------------------- a very short file
@pytest.mark.parametrize("size", [1, 99, 511])
@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_cut_to_almost_nothing_is_refused(place: Path, library: Library, size: int, read_only: bool) -> None:
    library.close()
    os.truncate(place / "catalog.sqlite", size)
    with pytest.raises(LibraryDamagedError, match=f"has only {size} bytes"):
        Library.open(place, read_only=read_only)
    assert (place / "catalog.sqlite").stat().st_size == size


# ---------------------------------------------------------------------- foreign objects in the schema
STRANGERS = [
    ("a trigger steal", "CREATE TRIGGER steal AFTER INSERT ON tag BEGIN DELETE FROM photo_tag; END"),
    ("a view every", "CREATE VIEW every AS SELECT * FROM photo"),
    ("a table more", "CREATE TABLE more (a)"),
    ("a index more", "CREATE INDEX more ON tag(hex(name))"),
    ("no index file_photo", "DROP INDEX file_photo"),
    (
        "another index file_photo",
        "DROP INDEX file_photo; CREATE INDEX file_photo ON file(photo_id, state) WHERE photo_id <> 7",
    ),
]


@pytest.mark.parametrize(("words", "statements"), STRANGERS)
@pytest.mark.parametrize("read_only", [False, True])
def test_code_hidden_in_a_schema_never_runs(
    place: Path, library: Library, photos: list[int], words: str, statements: str, read_only: bool
) -> None:
    fill(library, photos)
    library.close()
    with closing(sqlite3.connect(place / "catalog.sqlite", isolation_level=None)) as connection:
        connection.create_function("row_digest", -1, lambda *_: 0, deterministic=True)
        connection.executescript(statements)
    before = (place / "catalog.sqlite").read_bytes()
    with pytest.raises(LibraryDamagedError, match=f"its schema has {words}, which Focal did not create"):
        Library.open(place, read_only=read_only)
    assert (place / "catalog.sqlite").read_bytes() == before


def test_statistics_of_the_optimizer_are_recognised(place: Path, library: Library, photos: list[int]) -> None:
    fill(library, photos)
    with library.database.transaction() as connection:
        connection.execute("ANALYZE")
    library.close()
    with Library.open(place) as again:
        assert again.database.check() == []


# ---------------------------------------------------------------------- large files
def test_checking_can_be_stopped(library: Library, photos: list[int]) -> None:
    library.tags.change(photos, [str(number) for number in range(400)])
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) == 2

    assert library.database.look_through(stop) is None
    assert len(asked) == 2
    assert library.database.look_through() is None
    assert library.database.check() == []


def _with_odd_cells(place: Path, spot: bytes) -> bytearray:
    """Return the catalogue with damage that only a thorough check finds, on the page that holds a text."""
    whole = bytearray((place / "catalog.sqlite").read_bytes())
    page = whole.rindex(spot) // 4096 * 4096
    whole[page + 3 : page + 5] = b"\xff\xff"  # the number of its cells
    return whole


def test_a_file_is_checked_once_a_day_unless_another_program_writes_it(
    place: Path, library: Library, photos: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(60):
        library.tags.change(photos, [f"{number} {'long ' * 35}"])
    assert library.database.looked_through
    library.close()
    with Library.open(place) as again:
        assert not again.database.looked_through
    path = place / "catalog.sqlite"
    left = path.stat()
    whole = path.read_bytes()
    damaged = _with_odd_cells(place, b"59 long")
    path.write_bytes(damaged)  # changes the modification time, however soon it follows
    for read_only in (False, True):
        with pytest.raises(LibraryDamagedError):
            Library.open(place, read_only=read_only)
    path.write_bytes(damaged)
    os.utime(path, ns=(left.st_atime_ns, left.st_mtime_ns))  # as if the disk had returned wrong data
    with Library.open(place, read_only=True) as trusted:
        assert not trusted.database.looked_through
    tomorrow = time.time() + 86_500
    monkeypatch.setattr("focal_photos.browser.catalog.store.integrity.last_look.time.time", lambda: tomorrow)
    with pytest.raises(LibraryDamagedError):
        Library.open(place)
    path.write_bytes(whole)
    with Library.open(place) as again:
        assert again.database.looked_through


@pytest.mark.parametrize("note", [b"", b"no JSON", b"[]", b"[1e300, 1, 2, 3, 4]", b"[null]", b'{"at": 1}', b"\xff\x00"])
def test_a_damaged_note_of_the_last_check_is_ignored(place: Path, library: Library, note: bytes) -> None:
    library.close()
    (place / "derived" / "looked-through").write_bytes(note)
    with Library.open(place) as again:
        assert again.database.looked_through


def test_a_replaced_file_does_not_count_as_checked(place: Path, library: Library) -> None:
    library.close()
    path = place / "catalog.sqlite"
    shutil.copy2(path, place / "copy")  # with the same time and size
    (place / "copy").replace(path)
    with Library.open(place, read_only=True) as again:
        assert again.database.looked_through


def test_a_large_file_is_checked_after_opening(
    place: Path, library: Library, photos: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(60):
        library.tags.change(photos, [f"{number} {'long ' * 35}"])
    library.close()
    (place / "catalog.sqlite").write_bytes(_with_odd_cells(place, b"59 long"))
    with pytest.raises(LibraryDamagedError):
        Library.open(place)
    monkeypatch.setattr("focal_photos.browser.catalog.store.database._LOOKED_THROUGH", 4096)
    with Library.open(place) as again:
        assert not again.database.looked_through
        assert again.database.look_through() is not None
