# SPDX-License-Identifier: MIT
"""Hand-made archives are refused with a reason and leave nothing; the same contents are safe in a library folder."""

from __future__ import annotations

import io
import json
import sqlite3
import tempfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.cli import main
from focal_photos.browser.operations.describing.settings import SETTINGS
from focal_photos.browser.operations.exchange.archives.archive import (
    CATALOG,
    MANIFEST,
    PHOTOS,
    THUMBNAILS,
    ArchiveError,
)
from focal_photos.browser.operations.exchange.archives.portable import LOCAL_SETTINGS, PORTABLE
from focal_photos.browser.operations.exchange.archives.save_archive import save_archive
from focal_photos.browser.operations.exchange.archives.unpack_archive import merge_archive, unpack_archive
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.backup import back_up
from focal_photos.browser.operations.library.check import check
from focal_photos.browser.operations.library.restore import find_backup, restore
from tests.browser.operations.exchange.archives.hand_made import (
    change_file,
    entry,
    rewritten,
    with_changed_catalogue,
    with_member,
)

DEEP = "[" * 100_000
LARGEST = (1 << 63) - 1
Rows = Callable[[sqlite3.Connection], Any]


@pytest.fixture
def used(indexed: Library) -> Library:
    ids = indexed.photos.ids().tolist()
    indexed.tags.change(ids[:5], ["animal/dog"])
    indexed.tags.change(ids[6:9], ["sea"])
    indexed.judgements.set(ids[0], ids[1:3], Verdict.SIMILAR)
    return indexed


@pytest.fixture
def saved(used: Library, tmp_path: Path) -> Path:
    file = tmp_path / "all.zip"
    finish(save_archive(used, file))
    return file


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Empty folder for temporary files."""
    place = tmp_path / "scratch"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def refused(bad: Path, scratch: Path, words: str) -> None:
    """Check that unpacking an archive fails for a reason and leaves nothing behind."""
    before = sorted(bad.parent.iterdir())
    with pytest.raises(ArchiveError, match=words) as caught:
        finish(unpack_archive(bad, bad.parent / "new"))
    assert sorted(bad.parent.iterdir()) == before
    assert list(scratch.iterdir()) == []
    text = str(caught.value)
    assert text.endswith(".")
    assert any(cure in text for cure in ("another copy", "update Focal", "focal archive")), "the error suggests a cure"


def _sql(*statements: str) -> Rows:
    def change(connection: sqlite3.Connection) -> None:
        for statement in statements:
            connection.execute(statement)

    return change


def _put(statement: str, *values: object) -> Rows:
    return lambda connection: connection.execute(statement, values)


def _audit(strata: str, stratum: int = 7, photos: int = 12) -> Rows:
    """Add an audit of one tag with one drawn photo."""

    def change(connection: sqlite3.Connection) -> None:
        values = (photos, strata)
        connection.execute(
            "INSERT INTO audit (tag_id, scope, photos, exclusive, strata, state, at) "
            "VALUES (1, '', ?, 0, ?, '', '2024-01-01')",
            values,
        )
        connection.execute(
            "INSERT INTO audited (tag_id, photo_id, stratum, place, present) VALUES (1, 1, ?, 0, 1)", (stratum,)
        )

    return change


ROWS: dict[str, tuple[Rows, str]] = {
    "an audit of invalid JSON": (_audit("{"), "table audit has an invalid strata"),
    "an audit of brackets": (_audit(DEEP), "table audit has an invalid strata"),
    "an audit whose strata are texts": (_audit('["abc"]'), "has an invalid stratum"),
    "an audit of too few photos": (_audit("[[7, 0, 0.5]]"), "1 photos of the stratum 7 were drawn for"),
    "an audit of an unknown stratum": (_audit("[[300, 5, 0.5]]", 300), "has the stratum 300 of 5 photos"),
    "an audit of more photos than there can be": (
        _audit("[[7, 5, 0.5]]", photos=1 << 40),
        "counts 1099511627776 photos",
    ),
    "a setting of brackets": (
        _put("INSERT INTO setting VALUES ('tags.pinned', ?)", DEEP),
        "table setting has an invalid value",
    ),
    "a setting that is no JSON": (
        _put("INSERT INTO setting VALUES ('tags.pinned', '{')"),
        "table setting has an invalid value",
    ),
    "a root with a zero byte": (_sql("UPDATE root SET path = x'2f610062'"), "table root has an invalid path"),
    "a relative root": (_sql("UPDATE root SET path = x'61'"), "table root has an invalid path"),
    "a root without a name": (_sql("UPDATE root SET path = x''"), "table root has an invalid path"),
    "a file with a zero byte": (
        _sql("UPDATE file SET path = CAST(path || x'00' AS BLOB)"),
        "table file has an invalid path",
    ),
    "a file above its root": (
        _sql("UPDATE file SET path = CAST('../' || path AS BLOB)"),
        "table file has an invalid path",
    ),
    "an absolute file": (_sql("UPDATE file SET path = CAST('/' || path AS BLOB)"), "table file has an invalid path"),
    "a sidecar with a zero byte": (
        _put("INSERT INTO exchange VALUES (1, x'2f6100', '', '[]', NULL, NULL, '2024-01-01')"),
        "table exchange has an invalid sidecar",
    ),
    "tags without their parents": (
        _sql("UPDATE tag SET name = 'x' WHERE name = 'animal'"),
        "has no row for a tag above it",
    ),
    "a tag without a name": (_sql("UPDATE tag SET name = '' WHERE name = 'sea'"), 'table tag has an invalid name: ""'),
    "tags with empty parts": (_sql("UPDATE tag SET name = '/' || name || '//'"), "table tag has an invalid name"),
    "a tag with a zero byte": (
        _sql("UPDATE tag SET name = 'a' || char(0) WHERE name = 'sea'"),
        "table tag has an invalid name",
    ),
    "a tag that clears the screen": (
        _sql("UPDATE tag SET name = char(27) || '[2J' WHERE name = 'sea'"),
        "table tag has an invalid name",
    ),
    "a tag that is no text": (
        _sql("UPDATE tag SET name = CAST(x'ff41' AS TEXT) WHERE name = 'sea'"),
        "a text that is not UTF-8",
    ),
    "a size of nothing": (_sql("UPDATE photo SET width = 0"), "has an invalid width: 0"),
    "a negative size": (_sql("UPDATE photo SET height = -5"), "has an invalid height: -5"),
    "a huge size": (_put("UPDATE photo SET bytes = ?", LARGEST), f"has an invalid bytes: {LARGEST}"),
    "a huge id": (_put("INSERT INTO tag (id, name) VALUES (?, 'far')", 1 << 40), "has an invalid id: 1099511627776"),
    "an id far from all others": (
        _put("INSERT INTO tag (id, name) VALUES (?, 'far')", 1 << 30),
        "has an invalid id: 1073741824",
    ),
    "an infinite confidence": (
        _put("INSERT INTO suggestion VALUES (1, 1, 9e999, 'open', '[]', NULL, '2024-01-01')"),
        "has an invalid confidence: inf",
    ),
    "no date": (_sql("UPDATE photo SET taken = 'never'"), 'table photo has an invalid taken: "never"'),
    "no moment": (_sql("UPDATE photo_tag SET at = 'never'"), 'table photo_tag has an invalid at: "never"'),
    "steps without end": (_sql(f"UPDATE sqlite_sequence SET seq = {LARGEST} WHERE name = 'journal'"), "are counted up"),
    "commits without end": (_sql(f"UPDATE commit_count SET commits = {LARGEST}"), "has an invalid commits"),
    "deep witnesses": (
        _put("INSERT INTO suggestion VALUES (1, 1, 0.5, 'open', ?, NULL, '2024-01-01')", DEEP),
        "table suggestion has an invalid witnesses",
    ),
    "deep scores": (
        _put("INSERT INTO metric_scores VALUES (1, ?, '2024-01-01')", DEEP),
        "table metric_scores has an invalid scores",
    ),
    "deep steps of a trail": (
        _put("INSERT INTO trail VALUES ('t', ?, '2024-01-01')", DEEP),
        "table trail has an invalid steps",
    ),
    "a region outside the photo in a step of a trail": (
        _put("""INSERT INTO trail VALUES ('t', '[{"part_of": 1, "region": [0, 0, 2, 1]}]', '2024-01-01')"""),
        "table trail has an invalid steps",
    ),
    "steps of a trail of another kind": (
        _put("INSERT INTO trail VALUES ('t', '[{\"focal\": \"a\"}]', '2024-01-01')"),
        "table trail has an invalid steps",
    ),
    "strange names in files": (
        _put("UPDATE information SET waiting = ?", '{"fields": {"iptc": [[1], [], []]}, "said": []}'),
        "table information has an invalid waiting",
    ),
    "deep readings": (_put("UPDATE information SET waiting = ?", DEEP), "table information has an invalid waiting"),
    "a reference to nothing": (
        _sql("INSERT INTO photo_tag VALUES (999, 999, 'hand', '2024-01-01')"),
        "that does not exist",
    ),
    "what the schema forbids": (_sql("UPDATE photo_tag SET source = 'theft'"), "is damaged"),
    "version 0": (_sql("PRAGMA user_version = 0"), "its schema has the version 0"),
    "version -1": (_sql("PRAGMA user_version = -1"), "its schema has the version -1"),
    "another version": (_sql("PRAGMA user_version = 3"), "its schema has"),
    "another program's": (_sql("PRAGMA application_id = 7"), "it is not a catalogue of Focal"),
    "a view": (_sql("CREATE VIEW v AS SELECT * FROM tag"), "its schema has a view v"),
    "a view in place of a table": (
        _sql("DROP TABLE commit_count", "CREATE VIEW commit_count AS SELECT 1 AS id, '' AS token, 0 AS commits"),
        "its schema has",
    ),
    "a trigger": (
        _sql("CREATE TRIGGER steal AFTER DELETE ON setting BEGIN DELETE FROM photo_tag; END"),
        "its schema has a trigger steal",
    ),
    "a table": (_sql("CREATE TABLE more (x)"), "its schema has a table more"),
    "a virtual table": (_sql("CREATE VIRTUAL TABLE more USING rtree(id, a, b)"), "its schema has"),
    "a table without an index": (_sql("DROP INDEX file_photo"), "its schema has no index file_photo"),
    "a column": (_sql("ALTER TABLE root ADD COLUMN x TEXT"), "its schema has another table root"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ROWS)
def test_a_catalogue_that_focal_did_not_write_is_refused(saved: Path, tmp_path: Path, scratch: Path, kind: str) -> None:
    change, words = ROWS[kind]
    refused(with_changed_catalogue(saved, tmp_path / "bad.zip", change), scratch, words)


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0", b"x" * 5000, bytes(8192), b"SQLite format 3\0" * 999])
def test_a_catalogue_that_is_no_database_is_refused(saved: Path, tmp_path: Path, scratch: Path, content: bytes) -> None:
    refused(with_member(saved, tmp_path / "bad.zip", CATALOG, content), scratch, "The catalogue in the archive")


def test_an_empty_catalogue_whose_manifest_counts_photos_is_refused(
    saved: Path, used: Library, tmp_path: Path, scratch: Path
) -> None:
    with Library.open(tmp_path / "empty") as empty:
        empty.database.copy_to(tmp_path / "empty.sqlite")
    bad = with_member(saved, tmp_path / "0.zip", CATALOG, (tmp_path / "empty.sqlite").read_bytes())

    def change(_members: object, manifest: dict[str, Any]) -> None:
        manifest["counts"] = {"photos": 12, "tags": 3, "judgements": 2, "metrics": 1}

    refused(rewritten(bad, tmp_path / "bad.zip", change), scratch, "it holds 0 photos, and the manifest says 12")


def test_a_table_with_fewer_photos_than_the_manifest_counts_is_refused(
    saved: Path, used: Library, tmp_path: Path, scratch: Path
) -> None:
    bad = with_member(saved, tmp_path / "bad.zip", PHOTOS, b"{}\n" * 3)
    refused(bad, scratch, "photos.jsonl has 3 lines, and the manifest counts 12 photos")
    with pytest.raises(ArchiveError, match="has 3 lines, and the manifest counts 12 photos"):
        finish(merge_archive(used, bad))


@pytest.mark.parametrize("content", [b"\n" * 1000, b'{"path": "/a"}\n' * 20 + b"\n", b'{"path": "/a"}\n\n' * 20])
def test_empty_lines_are_refused(saved: Path, used: Library, tmp_path: Path, scratch: Path, content: bytes) -> None:
    bad = with_member(saved, tmp_path / "bad.zip", PHOTOS, content)
    refused(bad, scratch, "photos.jsonl has empty lines")
    with pytest.raises(ArchiveError, match="has empty lines"):
        finish(merge_archive(used, bad))


@pytest.mark.slow
def test_a_file_of_newlines_is_refused_before_it_is_unpacked(saved: Path, tmp_path: Path, scratch: Path) -> None:
    """It is found although other members are incompressible."""
    bomb = with_member(saved, tmp_path / "0.zip", PHOTOS, b"\n" * (100 << 20))
    noise = np.random.default_rng(0).bytes(2 << 20)
    bad = with_member(bomb, tmp_path / "bad.zip", "metrics/noise.npz", noise)
    refused(bad, scratch, r'"photos\.jsonl" would unpack to 104857600 bytes')


MANIFESTS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a version that is true": (lambda m: m.update(version=True), "has no version"),
    "a version that is a number and a half": (lambda m: m.update(version=1.5), "has no version"),
    "a negative version": (lambda m: m.update(version=-1), "has no version"),
    "a huge version": (lambda m: m.update(version=10**400), "later version of Focal"),
    "members that are a list": (lambda m: m.update(members=[[]]), "is missing"),
    "a member that is a list": (lambda m: m["members"].update({CATALOG: []}), "manifest cannot be read"),
    "a size that is true": (lambda m: m["members"][CATALOG].update(bytes=True), "manifest cannot be read"),
    "a size that is infinite": (lambda m: m["members"][CATALOG].update(bytes=float("inf")), "manifest cannot be read"),
    "a huge size": (lambda m: m["members"][CATALOG].update(bytes=10**400), "another size than was written"),
    "a negative size": (lambda m: m["members"][CATALOG].update(bytes=-1), "another size than was written"),
    "a digest that is a number": (lambda m: m["members"][CATALOG].update(sha256=1), "manifest cannot be read"),
    "another digest": (lambda m: m["members"][CATALOG].update(sha256="0" * 64), "is not as it was written"),
    "counts of more photos": (lambda m: m["counts"].update(photos=10**400), "the manifest"),
    "negative counts": (lambda m: m["counts"].update(tags=-1), "it holds 3 tags, and the manifest says -1"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", MANIFESTS)
def test_a_manifest_with_other_values_is_refused(saved: Path, tmp_path: Path, scratch: Path, kind: str) -> None:
    change, words = MANIFESTS[kind]

    def rewrite(_members: object, manifest: dict[str, Any]) -> None:
        change(manifest)

    refused(rewritten(saved, tmp_path / "bad.zip", rewrite), scratch, words)


@pytest.mark.parametrize("counts", [None, [], "many", {"photos": "many"}, {"photos": float("nan")}, {"cats": 3}])
def test_wrong_counts_are_ignored(saved: Path, tmp_path: Path, counts: object) -> None:
    odd = rewritten(saved, tmp_path / "odd.zip", lambda _members, manifest: manifest.update(counts=counts))
    assert finish(unpack_archive(odd, tmp_path / "new")).folder.is_dir()


@pytest.mark.parametrize("text", [DEEP, "{" * 5, "3", "[]", '{"format": "focal-archive", "format": 3}', "\ud800", ""])
def test_an_unreadable_manifest_is_refused(saved: Path, tmp_path: Path, scratch: Path, text: str) -> None:
    bad = tmp_path / "bad.zip"
    with zipfile.ZipFile(saved) as old, zipfile.ZipFile(bad, "w") as new:
        for info in old.infolist():
            content = text.encode(errors="surrogatepass") if info.filename == MANIFEST else old.read(info)
            new.writestr(info, content)
    refused(bad, scratch, "manifest cannot be read|is not an archive of a library")


@pytest.mark.parametrize(
    "name", ["catalog.sqlite-wal", "catalog.sqlite-shm", "catalog.commits", "lock", "backups/x", "metrics/a\0b"]
)
def test_a_file_beside_the_catalogue_is_refused(saved: Path, tmp_path: Path, scratch: Path, name: str) -> None:
    def change(members: list[tuple[zipfile.ZipInfo, bytes]], manifest: dict[str, Any]) -> None:
        info = zipfile.ZipInfo("placeholder")
        info.filename = info.orig_filename = name
        members.append((info, b"x"))
        manifest["members"][name] = entry(b"x")

    refused(rewritten(saved, tmp_path / "bad.zip", change), scratch, "was not written by Focal")


def test_a_member_larger_than_declared_is_refused(saved: Path, tmp_path: Path, scratch: Path) -> None:
    whole = bytearray(saved.read_bytes())
    with zipfile.ZipFile(saved) as opened:
        size = opened.getinfo(PHOTOS).file_size
    for at in range(len(whole) - 4):  # in the directory and in the local header
        if whole[at : at + 4] == size.to_bytes(4, "little"):
            whole[at : at + 4] = (size - 100).to_bytes(4, "little")
    (tmp_path / "1.zip").write_bytes(whole)
    bad = tmp_path / "1.zip"
    refused(bad, scratch, "damaged")


def test_a_metric_that_unpacks_to_too_much_is_refused(saved: Path, tmp_path: Path, scratch: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("learner.npy", bytes(100 << 20))
    for name in ("metrics/kernel-1.npz", "derived/fitted/color_moments-1-00000000.npz", "metrics/kernel-1.lens"):
        bad = with_member(saved, tmp_path / "bad.zip", name, inner.getvalue())
        refused(bad, scratch, "would unpack to")
        bad.unlink()


def test_a_thumbnail_store_with_a_trigger_is_recreated(saved: Path, tmp_path: Path) -> None:
    thumbnails = tmp_path / "thumbnails.sqlite"
    connection = sqlite3.connect(thumbnails)
    for statement in (
        "CREATE TABLE thumbnail (photo_id INTEGER PRIMARY KEY, jpeg BLOB NOT NULL)",
        "CREATE TABLE use (photo_id INTEGER PRIMARY KEY, at INTEGER NOT NULL, bytes INTEGER NOT NULL, "
        "crc INTEGER NOT NULL)",
        "CREATE INDEX use_at ON use(at, bytes)",
        "CREATE TRIGGER grow AFTER INSERT ON use "
        "BEGIN INSERT INTO thumbnail VALUES (NEW.photo_id + 1000, zeroblob(9)); END",
        "PRAGMA user_version = 1",
    ):
        connection.execute(statement)
    connection.close()
    odd = with_member(saved, tmp_path / "odd.zip", THUMBNAILS, thumbnails.read_bytes())
    finish(unpack_archive(odd, tmp_path / "new"))
    with Library.open(tmp_path / "new") as new:
        new.thumbnails.put(1, b"picture")
        assert new.thumbnails.get(1) == b"picture"
        assert new.thumbnails.get(1001) is None


# ---------------------------------------------------------------------- merging
@pytest.mark.parametrize(
    "line",
    [
        DEEP,
        '{"path": 1e999}',
        '{"path": "/a", "tags": 3}',
        '{"path": "a\\u0000b"}',
        "[1]",
        '{"hash": ["a"]}',
        '{"a": ' * 9999,
    ],
)
def test_a_line_that_is_no_photo_is_refused_with_its_number(
    saved: Path, used: Library, tmp_path: Path, scratch: Path, line: str
) -> None:
    bad = with_member(saved, tmp_path / "bad.zip", PHOTOS, b'{"path": "/a"}\n' * 20 + line.encode() + b"\n")
    before = used.database.row("SELECT count(*) FROM journal")
    with pytest.raises(ArchiveError, match=rf"{bad}: photos\.jsonl cannot be read in line 21: "):
        finish(merge_archive(used, bad))
    assert used.database.row("SELECT count(*) FROM journal") == before
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["searches", "aliases", "trails", "regions", "confirmations", "text_judgements", "turns"]
)
def test_invalid_lines_of_other_tables_are_skipped(saved: Path, used: Library, tmp_path: Path, name: str) -> None:
    odd = [DEEP, "[1]", "{}", "3", '{"name": [], "steps": [[]]}', '{"x0": NaN, "quarters": true, "path": "a\\u0000"}']
    bad = with_member(saved, tmp_path / "bad.zip", f"{name}.jsonl", "\n".join(odd).encode() + b"\n")
    assert not finish(merge_archive(used, bad)).changes


@pytest.mark.slow
def test_only_known_parts_of_a_table_are_kept_in_memory(saved: Path, used: Library, tmp_path: Path) -> None:
    bad = with_member(saved, tmp_path / "bad.zip", "turns.jsonl", b'{"a": 1}\n' * 100_000)
    tracemalloc.start()
    finish(merge_archive(used, bad))
    assert tracemalloc.get_traced_memory()[1] < 12 << 20, "lines are streamed: as a list, 100,000 lines take 19 MB"
    tracemalloc.stop()


# ---------------------------------------------------------------------- without an archive
COMMANDS = (
    "list", "tags", "metrics", "settings", "descriptors", "networks", "searches", "missing", "suggest", "sidecars",
    "index", "undo", "redo", "backup",
)  # fmt: skip


def _works(folder: Path, capsys: pytest.CaptureFixture[str], *, is_refused: bool = False) -> None:
    for command in COMMANDS:
        capsys.readouterr()
        assert main([command, "--library", str(folder)]) in ((1,) if is_refused else (0, 1))
        assert "a fault of the program" not in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", [DEEP, "", "{", '"/a\\u0000b"', '"\\ud800"', "[[1], {}]", '{"1": [1, 2, 3]}', "9" * 5000]
)
def test_no_value_of_a_setting_breaks_a_command(
    used: Library, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    names = sorted(PORTABLE | LOCAL_SETTINGS)
    used.close()

    def change(connection: sqlite3.Connection) -> None:
        connection.executemany("INSERT OR REPLACE INTO setting VALUES (?, ?)", [(name, text) for name in names])

    change_file(used.path / CATALOG, change)
    _works(used.path, capsys)
    with Library.open(used.path) as library:
        found = " ".join(finish(check(library)).problems)
        made = finish(back_up(library)).backup
    unset = [name for name in SETTINGS if f"The setting {name} cannot be read" not in found]
    assert unset == [], "every damage is reported"
    assert main(["settings", "decode.seconds", "7", "--library", str(used.path)]) == 0
    assert made is not None
    finish(restore(used.path, made))
    _works(used.path, capsys)
    with Library.open(used.path) as library:  # its archive omits unreadable settings
        finish(save_archive(library, tmp_path / "a.zip"))
    finish(unpack_archive(tmp_path / "a.zip", tmp_path / "new"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    ["a root with a zero byte", "a file with a zero byte", "tags without their parents", "tags with empty parts"],
)
def test_a_library_with_odd_rows_can_be_used_and_checked(
    used: Library, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    used.close()
    change_file(used.path / CATALOG, ROWS[kind][0])
    _works(used.path, capsys)


@pytest.mark.parametrize("kind", ["version 0", "version -1", "another program's", "a trigger"])
def test_a_library_with_an_unusable_catalogue_is_refused(
    used: Library, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    used.close()
    change_file(used.path / CATALOG, ROWS[kind][0])
    _works(used.path, capsys, is_refused=True)


@pytest.mark.parametrize(
    "kind", ["a root with a zero byte", "a size of nothing", "no moment", "deep scores", "a huge id"]
)
def test_check_reports_rows_that_focal_did_not_write(used: Library, kind: str) -> None:
    change, words = ROWS[kind]
    used.close()
    change_file(used.path / CATALOG, change)
    with Library.open(used.path, read_only=True) as library:
        problems = [one for one in finish(check(library)).problems if "Focal did not write" in one]
    assert len(problems) == 1
    assert words in problems[0]


def test_undo_skips_steps_that_focal_did_not_write(used: Library, capsys: pytest.CaptureFixture[str]) -> None:
    used.close()
    for text in (
        DEEP,
        "[3]",
        '[["tag", [1e999], null, []]]',
        '[["setting", [], null, null]]',
        json.dumps([["mark", [10**30], None, [1]]]),
    ):
        change_file(used.path / CATALOG, _put("UPDATE journal SET changes = ?, undone = 0", text))
        assert main(["undo", "--library", str(used.path)]) == 1
        assert "can no longer be undone" in capsys.readouterr().err
        assert main(["check", "--library", str(used.path)]) == 0


def test_an_old_backup_without_a_version_is_refused(used: Library) -> None:
    made = finish(back_up(used)).backup
    assert made is not None
    before = used.tags.all()
    used.close()
    change_file(made.path, _sql("PRAGMA user_version = 0"))
    made.manifest.unlink()
    with pytest.raises(OperationError, match=r"The backup .* is damaged .*its schema has no version"):
        finish(restore(used.path, find_backup(used.path)))
    with Library.open(used.path) as library:
        assert library.tags.all() == before
