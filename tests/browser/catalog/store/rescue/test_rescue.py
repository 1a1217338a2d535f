# SPDX-License-Identifier: MIT
"""Rescue of catalogues with bit flips, zeroed pages, a cut end, or a lost or damaged log."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from focal_photos.browser.catalog.facts.learning.audits import AuditStratum, DrawnPhoto, TagAudit
from focal_photos.browser.catalog.facts.records import Region, SavedStep, Suggestion, SuggestionState, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.errors import LibraryDamagedError
from focal_photos.browser.catalog.store.rescue.pages import LEAF_INDEX, Pages
from focal_photos.browser.catalog.store.rescue.rescue import STEPS_LOST, RescueReport, rescue
from tests.browser.catalog.albums import enter, scan

FIXTURES = Path(__file__).resolve().parents[4] / "fixtures"
SIZE = 4096
WORK = {
    "tags": "SELECT content_hash, name, source, at FROM photo_tag JOIN photo ON photo.id = photo_id "
    "JOIN tag ON tag.id = tag_id",
    "judgements": "SELECT a.content_hash, b.content_hash, verdict, judgement.at FROM judgement "
    "JOIN photo a ON a.id = focal_id JOIN photo b ON b.id = other_id",
    "relations": "SELECT a.content_hash, b.content_hash, c.content_hash, relation, judged_relation.at "
    "FROM judged_relation JOIN photo a ON a.id = focal_id JOIN photo b ON b.id = other_id "
    "JOIN photo c ON c.id = than_id",
    "boxes": "SELECT content_hash, x0, y0, x1, y1, name, source, box.at FROM box JOIN photo ON photo.id = photo_id "
    "LEFT JOIN tag ON tag.id = tag_id",
    "rejected boxes": "SELECT content_hash, x0, y0, x1, y1, name, rejected_box.at FROM rejected_box "
    "JOIN photo ON photo.id = photo_id JOIN tag ON tag.id = tag_id",
    "regions": "SELECT one.content_hash, x0, y0, x1, y1, other.content_hash, other_x0, other_y0, other_x1, other_y1, "
    "verdict, at FROM region_judgement JOIN photo one ON one.id = photo_id JOIN photo other ON other.id = other_id",
    "texts": "SELECT text, content_hash, verdict, at FROM text_judgement JOIN photo ON photo.id = other_id",
    "audits": "SELECT name, content_hash, stratum, present FROM audited JOIN photo ON photo.id = photo_id "
    "JOIN tag ON tag.id = tag_id",
    "not duplicates": "SELECT a.content_hash, b.content_hash, not_duplicate.at FROM not_duplicate "
    "JOIN photo a ON a.id = photo_id JOIN photo b ON b.id = other_id",
    "turned": "SELECT content_hash, quarters, at FROM turned JOIN photo ON photo.id = photo_id",
    "marks": "SELECT content_hash, rating, label FROM mark JOIN photo ON photo.id = photo_id",
    "answers": "SELECT content_hash, name, state FROM suggestion JOIN photo ON photo.id = photo_id "
    "JOIN tag ON tag.id = tag_id",
    "metrics": "SELECT name, file FROM metric",
    "settings": "SELECT name, value FROM setting",
    "files": "SELECT file.path, content_hash FROM file JOIN photo ON photo.id = photo_id",
    "steps": "SELECT id, label, undone, changes FROM journal",
}


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a closed catalogue without a log, and a backup made after two thirds of the work."""
    folder = tmp_path_factory.mktemp("used")
    album = folder / "album"
    album.mkdir()
    with Library.open(folder / "library") as library:
        ids = enter(library, album, [f"{number // 40}/photo {number:03}.jpg" for number in range(200)])
        for number in range(90):
            if number == 60:
                backup = library.back_up()
            library.tags.change(ids[number : number + 40], [f"kind {number % 17}/tag {number}"])
            library.judgements.set(ids[number], ids[number + 1 : number + 6], Verdict.SIMILAR)
            library.judged_relations.set([(ids[number], ids[number + 1], (None, ids[0])[number % 2])], holds=True)
            side = number % 8 / 8
            box = (ids[number], Region(side, 0.125, 1.0, 0.5), (None, f"kind {number % 17}/tag {number}")[number % 2])
            library.boxes.add([box])
            library.boxes.reject([(ids[number], Region(side, 0.0, 1.0, 1.0), f"kind {number % 17}/tag {number}")])
            query = Region(number / 1000, 0.0, 1.0, 1.0)
            library.region_judgements.set(ids[number], query, [(ids[number + 1], box[1])], Verdict.SIMILAR)
            library.text_judgements.set(f"a text of {number % 20}", ids[number : number + 2], Verdict.SIMILAR)
            library.marks.set(ids[number : number + 3], rating=number % 5 + 1, label=f"label {number}")
            if number % 9 == 0:
                library.not_duplicates.add(ids[number : number + 3])
                library.tags.change(ids[: number + 5], [], ["kind 0/tag 0"])
            if number % 7 == 0:
                library.suggestions.reject([(ids[number], "kind 3/tag 3")])
        for count in (90, 60, 30):
            library.rotations.rotate(ids[:count], 1)
        audit = TagAudit("kind 0/tag 0", "", 240, True, (AuditStratum(0, 240, 0.5),), "0" * 16, datetime.now(UTC))
        library.audits.begin([audit], [DrawnPhoto(audit.tag, photo_id, 0) for photo_id in ids[:60]])
        library.audits.answer(audit.tag, dict.fromkeys(ids[:50], True))
        library.suggestions.replace_open([Suggestion(ids[150], "beach", 0.75, SuggestionState.OPEN, (1, 2))], 1)
        library.searches.save("new", "tag:beach")
        library.trails.save("way", (SavedStep(focal=ids[0]), SavedStep(like=(ids[1],))))
        library.metrics.add("kernel", file="kernel-1.npz", judgements=3, tagged=3)
        library.settings.set("thumbnail_size", 192)
        for _ in range(3):
            library.journal.undo()
        shutil.copy(backup, folder / "backup.sqlite")
    shutil.copy(folder / "library" / "catalog.sqlite", folder / "catalog.sqlite")
    return folder


def work_in(path: Path) -> dict[str, set[tuple[Any, ...]]]:
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
        return {name: set(connection.execute(sql)) for name, sql in WORK.items()}


def given_in(path: Path) -> dict[str, set[tuple[Any, ...]]]:
    """Return all tags, judgements and answers in the journal, including those removed since."""
    tables = {"photo_tag": "tags", "judgement": "judgements", "suggestion": "answers"}
    found: dict[str, set[tuple[Any, ...]]] = {name: set() for name in tables.values()}
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as connection:
        photos = dict(connection.execute("SELECT id, content_hash FROM photo"))
        tags = dict(connection.execute("SELECT id, name FROM tag"))
        for (text,) in connection.execute("SELECT changes FROM journal"):
            for table, key, *states in json.loads(text):
                if table in tables and any(states):
                    first, second = key
                    others = photos if table == "judgement" else tags
                    found[tables[table]].add((photos[first], others[second]))
    return found


def require_sound(path: Path, place: Path) -> None:
    """Open a rescued catalogue as a library and check it."""
    place.mkdir()
    shutil.copy(path, place / "catalog.sqlite")
    with Library.open(place) as library:
        assert library.database.check() == []
        library.tags.change([int(library.photos.ids()[0])], ["after"])


def _flips(content: bytearray, chance: random.Random) -> None:
    for _ in range(chance.choice((1, 10, 100))):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def _zeroed_pages(content: bytearray, chance: random.Random) -> None:
    for _ in range(chance.choice((1, 3, 10))):
        page = chance.randrange(len(content) // SIZE)
        content[page * SIZE : (page + 1) * SIZE] = bytes(SIZE)


def _foreign_pages(content: bytearray, chance: random.Random) -> None:
    """Overwrite pages with others, as a disk does that confuses its sectors."""
    for _ in range(chance.choice((1, 3, 10))):
        old, new = (chance.randrange(len(content) // SIZE) for _ in range(2))
        content[old * SIZE : (old + 1) * SIZE] = content[new * SIZE : (new + 1) * SIZE]


def _cut(content: bytearray, chance: random.Random) -> None:
    # A fraction, so that the draws do not depend on the length of the file.
    del content[int(len(content) * (1 + chance.random()) / 2) :]


def _noise(content: bytearray, chance: random.Random) -> None:
    start = int(chance.random() * (len(content) - 512))
    content[start : start + 512] = chance.randbytes(512)


def _broken_heads(content: bytearray, chance: random.Random) -> None:
    for _ in range(5):
        page = chance.randrange(1, len(content) // SIZE)
        content[page * SIZE : page * SIZE + 8] = chance.randbytes(8)


VARIED = (_zeroed_pages, _foreign_pages, _cut)
"""Damage whose effect depends on the pages hit: means over a few draws vary by several percent."""

DAMAGE = [_flips, _zeroed_pages, _foreign_pages, _cut, _noise, _broken_heads]


def rescued(used: Path, place: Path, content: bytes, backup: Path | None) -> tuple[RescueReport, Path]:
    place.mkdir()
    (place / "damaged.sqlite").write_bytes(content)
    target = place / "new.sqlite"
    return rescue(place / "damaged.sqlite", target, backup), target


@pytest.mark.slow
@pytest.mark.parametrize("with_backup", [False, True])
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_rescue_recovers_nearly_all_rows_and_no_wrong_ones(
    used: Path, tmp_path: Path, damage: Callable[[bytearray, random.Random], None], with_backup: bool
) -> None:
    whole = (used / "catalog.sqlite").read_bytes()
    expected = work_in(used / "catalog.sqlite")
    given = given_in(used / "catalog.sqlite")
    with closing(sqlite3.connect(used / "catalog.sqlite")) as connection:
        contents: dict[str, str] = dict(connection.execute("SELECT 'rescued-' || id, content_hash FROM photo"))

    def as_before(value: str) -> str:
        return contents.get(value, value)  # a photo whose hash is lost has a placeholder

    shares: dict[str, list[float]] = {name: [] for name in expected}
    for seed in range(40 if damage in VARIED else 16):
        content = bytearray(whole)
        damage(content, random.Random(seed))
        backup = used / "backup.sqlite" if with_backup else None
        report, target = rescued(used, tmp_path / f"{seed}", bytes(content), backup)
        found = work_in(target)
        for name in ("tags", "judgements", "answers"):
            wrong = {tuple(map(as_before, row[:2])) for row in found[name]} - {row[:2] for row in expected[name]}
            assert wrong <= given[name], (name, seed, report)
            assert wrong == set() or STEPS_LOST in report.problems, (name, seed, report)
        for name in expected:
            shares[name].append(len(found[name] & expected[name]) / len(expected[name]))
        if seed < 2:
            require_sound(target, tmp_path / f"library {seed}")
    for name, values in shares.items():
        mean = sum(values) / len(values)
        assert mean > (0.65 if damage is _cut else 0.95), (name, mean)


def test_files_are_recovered_from_their_indexes(used: Path, tmp_path: Path) -> None:
    file = used / "catalog.sqlite"
    content = bytearray(file.read_bytes())
    with closing(sqlite3.connect(f"{file.as_uri()}?immutable=1", uri=True)) as connection:
        sql = "SELECT root_id, path, folder, photo_id, state FROM file"
        expected = set(connection.execute(sql))
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'file'").fetchone()
    for page in (root, *Pages(file).children(root)):
        content[(page - 1) * SIZE : page * SIZE] = bytes(SIZE)
    report, target = rescued(used, tmp_path / "place", bytes(content), None)
    with closing(sqlite3.connect(target)) as connection:
        assert set(connection.execute(sql)) == expected
        assert set(connection.execute("SELECT bytes, mtime_ns FROM file")) == {(0, 0)}
    assert report.from_indexes["file"] == len(expected)


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_backup_increases_the_rescued_rows(
    used: Path, tmp_path: Path, damage: Callable[[bytearray, random.Random], None]
) -> None:
    content = bytearray((used / "catalog.sqlite").read_bytes())
    damage(content, random.Random(3))
    expected = work_in(used / "catalog.sqlite")
    counts = []
    for name, backup in (("without", None), ("with", used / "backup.sqlite")):
        _, target = rescued(used, tmp_path / name, bytes(content), backup)
        counts.append({kind: len(rows & expected[kind]) for kind, rows in work_in(target).items()})
    assert all(counts[1][kind] >= counts[0][kind] for kind in expected)


def test_without_its_first_page_every_row_finds_its_table(used: Path, tmp_path: Path) -> None:
    """The first page locates the tables, and digests cannot distinguish tables with rows of the same form."""
    path = Path(shutil.copy(used / "catalog.sqlite", tmp_path))
    with closing(sqlite3.connect(path)) as connection:  # the journal would restore all rows
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("DELETE FROM journal")
        connection.commit()
    content = bytearray(path.read_bytes())
    content[:SIZE] = content[SIZE : 2 * SIZE]
    expected = work_in(path)
    report, target = rescued(used, tmp_path / "headless", bytes(content), None)
    assert work_in(target) == expected, report
    with closing(sqlite3.connect(target)) as new, closing(sqlite3.connect(path)) as old:
        for table in ("tag", "forgotten", "root", "trail", "saved_search", "turned", "judgement"):
            rows = f"SELECT * FROM {table} ORDER BY 1, 2"
            assert new.execute(rows).fetchall() == old.execute(rows).fetchall(), table


def test_a_sound_catalogue_is_rescued_completely(used: Path, tmp_path: Path) -> None:
    report, target = rescued(used, tmp_path / "sound", (used / "catalog.sqlite").read_bytes(), None)
    assert not report.damaged
    assert (report.left_out, report.placeholders) == ({}, 0)
    assert work_in(target) == work_in(used / "catalog.sqlite")
    with closing(sqlite3.connect(used / "catalog.sqlite")) as connection:
        assert report.rows == {
            name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in report.rows
        }


@pytest.mark.slow
def test_a_changed_index_entry_adds_no_tag(used: Path, tmp_path: Path) -> None:
    """Index entries have no digest. Each round damages one row and the photo id in one index entry."""
    path = used / "catalog.sqlite"
    whole = path.read_bytes()
    with closing(sqlite3.connect(path)) as connection:
        roots = dict(connection.execute("SELECT name, rootpage FROM sqlite_master"))
    pages = Pages(path)

    def entry(tree: str, turn: int) -> int:
        """Return the offset of the payload of entry `turn` on the first leaf of a tree."""
        page = (next(one for one in pages.children(roots[tree]) if pages.kind(one) == LEAF_INDEX) - 1) * SIZE
        return page + int.from_bytes(whole[page + 8 + 2 * turn :][:2], "big") + 1  # after the length, one byte

    expected = {row[:2] for row in work_in(path)["tags"]}
    for turn in range(0, 60, 10):
        content = bytearray(whole)
        content[entry("photo_tag", 0) + 20] ^= 1
        content[entry("photo_tag_tag", turn) + whole[entry("photo_tag_tag", turn) - 1] - 1] ^= 64  # the photo is last
        report, target = rescued(used, tmp_path / f"entry {turn}", bytes(content), None)
        assert report.changed["photo_tag"] > 0
        assert {row[:2] for row in work_in(target)["tags"]} <= expected


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5, 6])
def test_every_version_is_rescued(tmp_path: Path, version: int) -> None:
    path = FIXTURES / f"library_v{version}.sqlite"
    target = tmp_path / "new.sqlite"
    report = rescue(path, target)
    assert (report.version, report.damaged) == (version, False)
    require_sound(target, tmp_path / "library")
    with (
        closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as old,
        closing(sqlite3.connect(target)) as new,
    ):
        for name in report.rows:
            columns = ", ".join(row[1] for row in new.execute(f"PRAGMA table_info({name})"))
            sql = f"SELECT {columns} FROM {name} ORDER BY 1, 2"
            assert new.execute(sql).fetchall() == old.execute(sql).fetchall()


def test_the_schema_may_be_lost(used: Path, tmp_path: Path) -> None:
    """Without the first page the tables cannot be located: the digests of rows identify their tables."""
    content = bytearray((used / "catalog.sqlite").read_bytes())
    content[:SIZE] = bytes(SIZE)
    _, target = rescued(used, tmp_path / "first", bytes(content), None)
    found, expected = work_in(target), work_in(used / "catalog.sqlite")
    for name in ("tags", "judgements", "marks", "metrics", "settings", "steps", "files"):
        assert len(found[name] & expected[name]) > 0.97 * len(expected[name]), name
        assert {row[:2] for row in found[name]} <= {row[:2] for row in expected[name]}


def test_removed_tags_do_not_return_from_a_backup(used: Path, tmp_path: Path) -> None:
    """All leaves of the tags of photos are zeroed: the journal overrules the backup."""
    path = used / "catalog.sqlite"
    content = bytearray(path.read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        pages = (
            connection.execute("SELECT pageno FROM dbstat WHERE name = 'photo_tag'").fetchall()
            if _has_dbstat(connection)
            else []
        )
    if not pages:  # SQLite was built without the table of pages: search for the words on them
        pages = [
            (number + 1,)
            for number in range(1, len(content) // SIZE)
            if content[number * SIZE] == 0x0A and content.count(b"hand", number * SIZE, (number + 1) * SIZE) > 20
        ]
    assert pages
    for (number,) in pages:
        content[(number - 1) * SIZE : number * SIZE] = bytes(SIZE)
    report, target = rescued(used, tmp_path / "off", bytes(content), used / "backup.sqlite")
    assert report.from_journal["photo_tag"] > 1000
    assert work_in(target)["tags"] == work_in(path)["tags"]


def _has_dbstat(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("SELECT 1 FROM dbstat LIMIT 1").fetchone()
    except sqlite3.OperationalError:
        return False
    return True


def test_a_photo_known_only_by_its_file_keeps_its_tags(tmp_path: Path) -> None:
    album = tmp_path / "album"
    album.mkdir()
    with Library.open(tmp_path / "library") as library:
        ids = enter(library, album, [f"{number:03}.jpg" for number in range(60)])
        library.tags.change(ids, ["beach"])
    content = bytearray((tmp_path / "library" / "catalog.sqlite").read_bytes())
    with closing(sqlite3.connect(tmp_path / "library" / "catalog.sqlite")) as connection:
        hashes = [row[0].encode() for row in connection.execute("SELECT content_hash FROM photo")]
    for one in hashes:
        at = content.find(one)
        while at >= 0:  # in the table and in its index
            content[at] ^= 1
            content[at + 20] ^= 0x80
            at = content.find(one, at + 1)
    (tmp_path / "damaged.sqlite").write_bytes(content)
    report = rescue(tmp_path / "damaged.sqlite", tmp_path / "new.sqlite")
    assert report.placeholders == 60
    place = tmp_path / "again"
    place.mkdir()
    shutil.copy(tmp_path / "new.sqlite", place / "catalog.sqlite")
    for number in range(60):
        (album / f"{number:03}.jpg").write_text(f"content of {number:03}.jpg")
    with Library.open(place) as library:
        scan(library, library.roots.all()[0])
        assert library.photos.count("tag:beach") == 60
        assert not [photo for photo in library.photos.get(library.photos.ids()) if "rescued" in photo.content_hash]


# ---------------------------------------------------------------------- the log
@pytest.fixture
def logged(tmp_path: Path) -> Path:
    """Return a folder with a catalogue whose last 20 changes are in its log."""
    album, folder = tmp_path / "album", tmp_path / "logged"
    album.mkdir()
    folder.mkdir()
    with Library.open(tmp_path / "library") as library:
        ids = enter(library, album, ["a.jpg", "b.jpg"])
        library.database.compact()
        for number in range(20):
            library.tags.change(ids, [f"tag {number:02}"])
        for name in ("catalog.sqlite", "catalog.sqlite-wal"):
            shutil.copy(library.path / name, folder / name)
    return folder


def tags_in(path: Path) -> set[str]:
    return {row[1] for row in work_in(path)["tags"]}


def test_the_log_is_rescued_too(logged: Path) -> None:
    report = rescue(logged / "catalog.sqlite", logged / "new.sqlite")
    assert not report.damaged
    assert tags_in(logged / "new.sqlite") == {f"tag {number:02}" for number in range(20)}


def test_without_the_log_an_earlier_state_is_rescued(logged: Path) -> None:
    (logged / "catalog.sqlite-wal").unlink()
    rescue(logged / "catalog.sqlite", logged / "new.sqlite")
    assert tags_in(logged / "new.sqlite") == set()


def test_a_damaged_log_entry_does_not_end_the_rescue(logged: Path) -> None:
    """SQLite itself stops at the first damaged frame."""
    log = logged / "catalog.sqlite-wal"
    content = bytearray(log.read_bytes())
    content[32 + 3 * (24 + SIZE) + 2000] ^= 1
    log.write_bytes(content)
    report = rescue(logged / "catalog.sqlite", logged / "new.sqlite")
    assert report.lost_frames == 1
    assert tags_in(logged / "new.sqlite") == {f"tag {number:02}" for number in range(20)}


def test_uncommitted_changes_are_ignored(logged: Path) -> None:
    log = logged / "catalog.sqlite-wal"
    content = log.read_bytes()
    frames = (len(content) - 32) // (24 + SIZE)
    ends = [at for at in range(frames) if any(content[32 + at * (24 + SIZE) + 4 : 32 + at * (24 + SIZE) + 8])]
    log.write_bytes(content[: 32 + ends[-1] * (24 + SIZE)])  # all frames of the last change except the commit frame
    rescue(logged / "catalog.sqlite", logged / "new.sqlite")
    assert tags_in(logged / "new.sqlite") == {f"tag {number:02}" for number in range(19)}


def test_a_file_that_is_not_a_catalogue_is_refused(tmp_path: Path) -> None:
    for content in (b"", b"x", bytes(100_000), b"SQLite format 3\0" + bytes(1000), random.Random(1).randbytes(50_000)):
        (tmp_path / "no.sqlite").write_bytes(content)
        with pytest.raises(LibraryDamagedError, match="can no longer be read at all"):
            rescue(tmp_path / "no.sqlite", tmp_path / f"{len(content)}.sqlite")


def test_a_tag_removed_after_the_backup_stays_removed(tmp_path: Path) -> None:
    (tmp_path / "album").mkdir()
    with Library.open(tmp_path / "library") as library:
        ids = enter(library, tmp_path / "album", ["a.jpg", "b.jpg"])
        library.tags.change(ids, ["kept", "taken off"])
        backup = library.back_up()
        library.tags.change(ids, [], ["taken off"])
        library.database.compact()
        (root,) = library.database.row("SELECT rootpage FROM sqlite_master WHERE name = 'photo_tag'") or (0,)
    content = bytearray((tmp_path / "library" / "catalog.sqlite").read_bytes())
    content[(root - 1) * SIZE : root * SIZE] = bytes(SIZE)
    (tmp_path / "damaged.sqlite").write_bytes(content)
    rescue(tmp_path / "damaged.sqlite", tmp_path / "new.sqlite", backup)
    assert tags_in(tmp_path / "new.sqlite") == {"kept"}
