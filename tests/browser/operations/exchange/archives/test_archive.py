# SPDX-License-Identifier: MIT
"""Archives of a whole library: saving, unpacking and merging them, and refusing damaged or foreign ones."""

from __future__ import annotations

import hashlib
import io
import json
import os
import random
import shutil
import sqlite3
import stat
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.records import (
    Mark,
    Region,
    SavedStep,
    Suggestion,
    SuggestionState,
    TagSource,
    Verdict,
)
from focal_photos.browser.catalog.library import Library, LibraryError
from focal_photos.browser.catalog.store.schema.functions import add_to as add_functions
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.exchange.archives import archive as archives
from focal_photos.browser.operations.exchange.archives.archive import (
    JUDGEMENTS,
    MANIFEST,
    PHOTOS,
    VERSION,
    Archive,
    ArchiveError,
)
from focal_photos.browser.operations.exchange.archives.portable import PORTABLE
from focal_photos.browser.operations.exchange.archives.save_archive import save_archive
from focal_photos.browser.operations.exchange.archives.unpack_archive import merge_archive, unpack_archive
from focal_photos.browser.operations.exchange.export_file import export_judgements, export_photos, output_file
from focal_photos.browser.operations.exchange.file_format import FileFormat
from focal_photos.browser.operations.exchange.formats import CSV, JSON_LINES
from focal_photos.browser.operations.exchange.import_file import import_judgements, import_tags
from focal_photos.browser.operations.exchange.work_records import add_records
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.check import check
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.photos.scan import scan
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.training.train import train
from tests.browser.operations.album import FAMILIES, Album
from tests.browser.operations.exchange.archives.hand_made import Change, entry, rewritten, with_catalogue
from tests.browser.operations.exchange.contents import done_by_user, rows_of

FIXTURES = Path(__file__).parents[4] / "fixtures"


@pytest.fixture
def used(indexed: Library) -> Library:
    """Library with an example of everything that a user can do."""
    ids = indexed.photos.ids().tolist()
    indexed.tags.change(ids[:5], ["cold/snow", "été"])
    indexed.tags.change(ids[6:9], ["warm"], source=TagSource.IMPORT)
    indexed.boxes.add([(ids[6], Region(0.1, 0.2, 0.5, 0.75), "warm"), (ids[9], Region(0.0, 0.0, 1.0, 0.3), None)])
    left, right = Region(0.0, 0.0, 0.5, 1.0), Region(0.5, 0.25, 1.0, 0.75)
    indexed.boxes.reject([(ids[7], left, "warm")])
    indexed.region_judgements.set(ids[0], left, [(ids[1], right)], Verdict.SIMILAR)
    indexed.region_judgements.set(ids[0], left, [(ids[7], left)], Verdict.DISSIMILAR)
    indexed.judgements.set(ids[0], ids[1:3], Verdict.SIMILAR)
    indexed.judgements.set(ids[0], ids[7:8], Verdict.DISSIMILAR)
    indexed.text_judgements.set("a red boat", ids[1:3], Verdict.SIMILAR)
    indexed.text_judgements.set("a red boat", ids[7:8], Verdict.DISSIMILAR)
    open_ones = [Suggestion(ids[9], "warm", 0.7, SuggestionState.OPEN, (ids[6],)) for _ in range(1)]
    indexed.suggestions.replace_open(open_ones, 1)
    indexed.suggestions.reject([(ids[10], "warm"), (ids[11], "cold/snow")])
    indexed.suggestions.accept([(ids[10], "été")])
    indexed.marks.set(ids[2:5], rating=4)
    indexed.marks.set(ids[4:6], label="Grün")
    indexed.marks.set(ids[7:8], rating=-1, label="Red")
    finish(train(indexed, "kernel"))
    finish(train(indexed, "ratio"))
    indexed.journal.undo()
    indexed.settings.set("ranking.fold", False)
    indexed.settings.set("decode.seconds", 17)  # of this machine
    return indexed


@pytest.fixture
def saved(used: Library, tmp_path: Path) -> Path:
    file = tmp_path / "all.focal.zip"
    finish(save_archive(used, file))
    return file


@pytest.fixture
def other(tmp_path: Path, album: Album, used: Library) -> Iterator[Library]:
    """Library of the same photos without any user data."""
    with Library.open(tmp_path / "other") as opened:
        set_enabled(opened, FAMILIES)
        finish(index(opened, [album.folder]))
        yield opened


def travelling(library: Library) -> dict[str, list[Any]]:
    """Return every row that an archive holds: all but the settings of the machine."""
    rows = rows_of(library)
    return {**rows, "setting": [row for row in rows["setting"] if row[0] in PORTABLE]}


def names_of(file: Path) -> list[str]:
    with zipfile.ZipFile(file) as opened:
        return opened.namelist()


# ---------------------------------------------------------------------- there and back
def test_a_library_survives_a_round_trip(used: Library, saved: Path, tmp_path: Path) -> None:
    report = finish(unpack_archive(saved, tmp_path / "new"))
    assert report.counts == {"photos": 12, "tags": 4, "judgements": 8, "boxes": 2, "metrics": 2}
    assert not list(tmp_path.glob(".*.part"))
    with Library.open(tmp_path / "new") as new:
        assert rows_of(new) == travelling(used)
        assert new.settings.get("ranking.fold") is False
        assert new.settings.get("decode.seconds") is None
        assert new.metrics.current().learner == "kernel"
        assert new.journal.redo().label.startswith("Train metric"), "the undone metric's file is in the archive too"
        new.journal.undo()
        labels = []
        while change := new.journal.undo():
            labels.append(change.label)
        assert len(labels) == 16
        assert done_by_user(new)["tags"] == set()


@pytest.mark.slow
def test_moved_photos_are_found_and_rank_as_before(used: Library, saved: Path, album: Album, tmp_path: Path) -> None:
    focal = used.photos.ids()[0]
    before = Ranker(used).rank(int(focal), metric=used.metrics.current().name)
    person = done_by_user(used)
    shutil.move(album.folder, tmp_path / "elsewhere")
    finish(unpack_archive(saved, tmp_path / "new"))
    with Library.open(tmp_path / "new") as new:
        report = finish(index(new, [tmp_path / "elsewhere"]))
        assert (report.new, report.photos) == (0, 12)
        assert done_by_user(new) == person
        assert new.photos.ids("missing").size == 0
        after = Ranker(new).rank(int(focal), metric=new.metrics.current().name)
        np.testing.assert_array_equal(after.photo_ids, before.photo_ids)
        np.testing.assert_allclose(after.distances, before.distances, rtol=1e-6)
        assert finish(check(new)).problems == []


def test_an_archive_with_derived_data_needs_no_describing(used: Library, tmp_path: Path) -> None:
    used.thumbnails.put(1, b"picture")
    file = tmp_path / "all.focal.zip"
    finish(save_archive(used, file, with_derived=True))
    assert any(name.startswith("derived/vectors/") for name in names_of(file))
    finish(unpack_archive(file, tmp_path / "new"))
    with Library.open(tmp_path / "new") as new:
        assert new.thumbnails.get(1) == b"picture"
        report = finish(index(new))
        assert report.extract.done == 0
        found = finish(check(new))
        assert (found.problems, found.repaired) == ([], [])


def test_boxes_that_are_not_duplicates_survive_a_round_trip(used: Library, tmp_path: Path) -> None:
    used.not_duplicates.add([-1, -2])
    finish(save_archive(used, tmp_path / "saved.zip"))
    finish(unpack_archive(tmp_path / "saved.zip", tmp_path / "new"))
    with Library.open(tmp_path / "new") as new:
        assert new.not_duplicates.of_boxes() == [(-2, -1)]
        assert [box.id for box in new.boxes.all()] == [1, 2]


def test_a_read_only_library_can_be_saved(used: Library, tmp_path: Path) -> None:
    with Library.open(used.path, read_only=True) as reader:
        finish(save_archive(reader, tmp_path / "a.focal.zip"))
    finish(unpack_archive(tmp_path / "a.focal.zip", tmp_path / "new"))
    with Library.open(tmp_path / "new") as new:
        assert rows_of(new) == travelling(used)


def test_a_change_during_saving_is_in_no_part_of_the_archive(used: Library, tmp_path: Path) -> None:
    file = tmp_path / "all.focal.zip"
    job = save_archive(used, file)
    states = [next(job) for _ in range(3)]
    assert states
    used.tags.change(used.photos.ids().tolist(), ["zebra"])
    finish(job)
    with zipfile.ZipFile(file) as opened:
        assert b"zebra" not in opened.read(PHOTOS)
    finish(unpack_archive(file, tmp_path / "new"))
    with Library.open(tmp_path / "new") as new:
        assert "zebra" not in [tag.name for tag in new.tags.all()]


def test_any_program_can_read_an_archive(used: Library, saved: Path, album: Album) -> None:
    with zipfile.ZipFile(saved) as opened:
        photos = [json.loads(line) for line in opened.read(PHOTOS).splitlines()]
        judgements = [json.loads(line) for line in opened.read(JUDGEMENTS).splitlines()]
        manifest = json.loads(opened.read(MANIFEST))
        assert b"photos.jsonl" in opened.read("README.txt")
        for name, entry in manifest["members"].items():
            content = opened.read(name)
            assert (len(content), hashlib.sha256(content).hexdigest()) == (entry["bytes"], entry["sha256"])
    first = next(one for one in photos if one["path"] == str(album.path("cold/0.jpg")))
    assert first["tags"] == ["cold/snow", "été"]
    assert first["hash"] == hashlib.blake2b(album.path("cold/0.jpg").read_bytes(), digest_size=16).hexdigest()
    assert sum(bool(one["rejected"]) for one in photos) == 2
    assert [(one["verdict"], one["focal_hash"]) for one in judgements] == [
        ("similar", first["hash"]),
        ("similar", first["hash"]),
        ("dissimilar", first["hash"]),
    ]


def test_removed_folders_are_saved_too(used: Library, tmp_path: Path) -> None:
    (root,) = used.roots.all()
    person = done_by_user(used)
    used.roots.remove(root.id)
    finish(save_archive(used, tmp_path / "a.zip"))
    finish(unpack_archive(tmp_path / "a.zip", tmp_path / "new"))
    with Library.open(tmp_path / "new") as new:
        assert done_by_user(new) == person
    with Archive(tmp_path / "a.zip") as archive:
        assert sum(block.count(b"\n") for block in archive.blocks(PHOTOS)) == 12


# ---------------------------------------------------------------------- merging, rebuilding
def test_merging_adds_everything_in_one_step(used: Library, saved: Path, other: Library) -> None:
    report = finish(merge_archive(other, saved))
    assert report.unknown == []
    assert report.refused == []
    assert done_by_user(other) == done_by_user(used)
    assert other.journal.undo().label == "Merge all.focal.zip"
    assert done_by_user(other) == {
        "tags": set(),
        "rejected": set(),
        "marks": set(),
        "judgements": set(),
        "relations": set(),
        "judgements of texts": set(),
        "boxes": set(),
        "judgements of regions": set(),
        "rejected boxes": set(),
        "turned": set(),
    }
    assert other.journal.undo_label() is None


def test_merging_removes_nothing(used: Library, saved: Path, other: Library) -> None:
    ids = other.photos.ids().tolist()
    other.tags.change(ids[:1], ["mine"])
    other.tags.change(ids[10:11], ["warm"])  # rejected in the archive
    other.judgements.set(ids[0], ids[1:2], Verdict.DISSIMILAR)  # similar in the archive
    other.text_judgements.set("a red boat", ids[1:2], Verdict.DISSIMILAR)  # likewise
    left, right = Region(0.0, 0.0, 0.5, 1.0), Region(0.5, 0.25, 1.0, 0.75)
    other.region_judgements.set(ids[0], left, [(ids[1], left)], Verdict.DISSIMILAR)  # another region is similar there
    other.marks.set(ids[2:3], rating=1)  # 4 in the archive
    other.marks.set(ids[3:5], label="Blue")  # the archive has another label for one
    finish(merge_archive(other, saved))
    found, theirs = done_by_user(other), done_by_user(used)
    hashes = [photo.content_hash for photo in other.photos.get(ids)]
    assert found["tags"] == theirs["tags"] | {(hashes[0], "mine"), (hashes[10], "warm")}
    assert found["rejected"] == theirs["rejected"] - {(hashes[10], "warm")}
    assert found["judgements"] == theirs["judgements"] - {(hashes[0], hashes[1], "similar")} | {
        (hashes[0], hashes[1], "dissimilar")
    }
    assert found["judgements of texts"] == theirs["judgements of texts"] - {("a red boat", hashes[1], "similar")} | {
        ("a red boat", hashes[1], "dissimilar")
    }
    assert found["judgements of regions"] == theirs["judgements of regions"] - {
        (hashes[0], left, hashes[1], right, "similar")
    } | {(hashes[0], left, hashes[1], left, "dissimilar")}
    assert [other.marks.of(ids)[photo] for photo in ids[2:6]] == [
        Mark(1, None),
        Mark(4, "Blue"),
        Mark(4, "Blue"),
        Mark(None, "Grün"),
    ]
    assert not finish(merge_archive(other, saved)).changes, "merging again changes nothing"


def test_merging_reports_unknown_photos(saved: Path, tmp_path: Path, album: Album) -> None:
    shutil.rmtree(album.folder)
    with Library.open(tmp_path / "empty") as empty:
        report = finish(merge_archive(empty, saved))
    assert sorted(report.unknown) == sorted(
        album.path(f"{kind}/{i}.jpg") for kind in ("cold", "warm") for i in range(6)
    )


@pytest.mark.parametrize("form", [CSV, JSON_LINES])
@pytest.mark.parametrize("moved", [False, True])
def test_a_lost_catalogue_is_rebuilt_from_an_export(
    used: Library, album: Album, tmp_path: Path, form: FileFormat, moved: bool
) -> None:
    photos, judgements = tmp_path / "tags.out", tmp_path / "judgements.out"
    with output_file(photos) as stream:
        export_photos(used, stream, form)
    with output_file(judgements) as stream:
        export_judgements(used, stream, form)
    person = done_by_user(used)
    folder = album.folder
    if moved:
        for number, path in enumerate(sorted(album.folder.rglob("*.jpg"))):  # another folder, other names
            (tmp_path / "elsewhere").mkdir(exist_ok=True)
            shutil.copy(path, tmp_path / "elsewhere" / f"{99 - number}.jpg")
        folder = tmp_path / "elsewhere"
        shutil.rmtree(album.folder)
    with Library.open(tmp_path / "other") as other:
        set_enabled(other, FAMILIES)
        finish(index(other, [folder]))
        for report in (
            finish(import_tags(other, photos, form)),
            finish(import_judgements(other, judgements, form)),
        ):
            assert report.unknown == []
            assert report.refused == []
        # These tables have no judgements against texts and of regions, and no boxes.
        left_out = ("judgements of texts", "judgements of regions", "boxes", "rejected boxes")
        assert done_by_user(other) == person | {key: set() for key in left_out}


# ---------------------------------------------------------------------- what is refused
def test_an_existing_library_is_not_overwritten(used: Library, saved: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for place in (used.path, tmp_path / "file"):
        with pytest.raises(OperationError, match="exists already: choose a new or an empty folder"):
            finish(unpack_archive(saved, place))
    (tmp_path / "empty").mkdir()
    finish(unpack_archive(saved, tmp_path / "empty"))


def test_no_archive_is_written_into_the_library(used: Library) -> None:
    with pytest.raises(OperationError, match="is in the library itself"):
        finish(save_archive(used, used.path / "backups" / "a.zip"))


def test_an_archive_is_written_completely_or_not_at_all(used: Library, tmp_path: Path) -> None:
    file = tmp_path / "all.zip"
    file.write_text("before")
    job = save_archive(used, file)
    for _ in range(5):
        next(job)
    job.close()
    assert file.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir() if ".part" in path.name] == []
    with pytest.raises(OperationError, match="cannot be written: No such file"):
        finish(save_archive(used, tmp_path / "none" / "a.zip"))


def test_a_cancelled_unpacking_leaves_nothing(saved: Path, tmp_path: Path) -> None:
    job = unpack_archive(saved, tmp_path / "new")
    for _ in range(3):
        next(job)
    job.close()
    assert not (tmp_path / "new").exists()
    assert not list(tmp_path.glob(".new*"))


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x05\x06" + bytes(18), b"PK\x03\x04" * 100])
def test_a_file_that_is_no_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "a.zip"
    file.write_bytes(content)
    with pytest.raises(ArchiveError, match=r"a\.zip is not an archive"):
        finish(unpack_archive(file, tmp_path / "new"))
    assert not (tmp_path / "new").exists()


def test_only_regular_members_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, words in (("pipe", "is no file"), (".", "is no file"), ("none", "is not there")):
        with pytest.raises(ArchiveError, match=words):
            Archive(tmp_path / name)


def adding(name: str, mode: int = stat.S_IFREG | 0o644, content: bytes = b"x") -> Change:
    def change(members: list[tuple[zipfile.ZipInfo, bytes]], manifest: dict[str, Any]) -> None:
        info = zipfile.ZipInfo("placeholder")
        info.filename = info.orig_filename = name
        info.external_attr = mode << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        members.append((info, content))
        manifest["members"][name] = entry(content)

    return change


HOSTILE = {
    "absolute path": (adding("/etc/passwd"), "it holds"),
    "above": (adding("../out"), "it holds"),
    "above a folder": (adding("metrics/../../out"), "it holds"),
    "above by backslash": (adding("metrics\\..\\out"), "it holds"),
    "hidden": (adding("metrics/.out"), "it holds"),
    "drive": (adding("C:/out"), "it holds"),
    "another place": (adding("derived/other/x"), "it holds"),
    "a folder": (adding("metrics/x/"), "it holds"),
    "line break": (adding("metrics/a\nb"), "it holds"),
    "a link": (adding("metrics/link", stat.S_IFLNK | 0o777, b"/etc/passwd"), "a link or the like"),
    "a device": (adding("metrics/device", stat.S_IFCHR | 0o666), "a link or the like"),
    "a bomb": (adding("metrics/bomb", content=bytes(100 << 20)), "would unpack to"),
    "a second catalogue": (adding("catalog.sqlite"), "is in it twice"),
}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("kind", HOSTILE)
def test_an_archive_that_focal_did_not_write_is_refused(saved: Path, tmp_path: Path, kind: str) -> None:
    change, words = HOSTILE[kind]
    bad = rewritten(saved, tmp_path / "bad.zip", change)
    before = sorted(path.name for path in tmp_path.iterdir())
    for job in (unpack_archive(bad, tmp_path / "new"),):
        with pytest.raises(ArchiveError, match=f"was not written by Focal .*{words}"):
            finish(job)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def _unlisted(members: list[tuple[zipfile.ZipInfo, bytes]], manifest: dict[str, Any]) -> None:
    adding("metrics/x")(members, manifest)
    del manifest["members"]["metrics/x"]


def _lacking(members: list[tuple[zipfile.ZipInfo, bytes]], manifest: dict[str, Any]) -> None:
    members[:] = [(info, content) for info, content in members if info.filename != PHOTOS]


def _unneeded(members: list[tuple[zipfile.ZipInfo, bytes]], manifest: dict[str, Any]) -> None:
    _lacking(members, manifest)
    del manifest["members"][PHOTOS]


def _other_bytes(members: list[tuple[zipfile.ZipInfo, bytes]], manifest: dict[str, Any]) -> None:
    place = next(i for i, (info, _) in enumerate(members) if info.filename == "catalog.sqlite")
    info, content = members[place]
    members[place] = (info, content[:5000] + bytes([content[5000] ^ 1]) + content[5001:])


def _other_size(members: list[tuple[zipfile.ZipInfo, bytes]], manifest: dict[str, Any]) -> None:
    manifest["members"]["catalog.sqlite"]["bytes"] += 1


def _no_members(members: list[tuple[zipfile.ZipInfo, bytes]], manifest: dict[str, Any]) -> None:
    manifest["members"] = [1]


def _odd_member(members: list[tuple[zipfile.ZipInfo, bytes]], manifest: dict[str, Any]) -> None:
    manifest["members"]["catalog.sqlite"] = {"bytes": "many"}


def _no_version(members: list[tuple[zipfile.ZipInfo, bytes]], manifest: dict[str, Any]) -> None:
    manifest["version"] = None


def _later(members: list[tuple[zipfile.ZipInfo, bytes]], manifest: dict[str, Any]) -> None:
    manifest["version"] = VERSION + 1


def _other_format(members: list[tuple[zipfile.ZipInfo, bytes]], manifest: dict[str, Any]) -> None:
    manifest["format"] = "else"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_unlisted, "of which its manifest says nothing"),
        (_lacking, r"photos\.jsonl\" is missing"),
        (_unneeded, r"photos\.jsonl\" is missing"),
        (_other_bytes, r"catalog\.sqlite is not as it was written"),
        (_other_size, "has another size"),
        (_no_members, "is missing"),
        (_odd_member, "its manifest cannot be read"),
        (_no_version, "has no version"),
        (_later, "later version of Focal: update Focal"),
        (_other_format, "is not an archive of a library"),
    ],
)
def test_a_wrong_manifest_is_refused(
    saved: Path,
    tmp_path: Path,
    change: Change,
    words: str,
) -> None:
    bad = rewritten(saved, tmp_path / "bad.zip", change)
    with pytest.raises(ArchiveError, match=words):
        finish(unpack_archive(bad, tmp_path / "new"))
    assert not (tmp_path / "new").exists()


def test_a_catalogue_damaged_before_packing_is_refused(saved: Path, used: Library, tmp_path: Path) -> None:
    with zipfile.ZipFile(saved) as opened:
        catalog = opened.read("catalog.sqlite")
    at = catalog.index("été".encode())
    for content in (catalog[:at] + b"\xc3\xa8" + catalog[at + 2 :], b"no database" * 1000, catalog[:8192]):
        bad = with_catalogue(saved, tmp_path / "bad.zip", content)
        with pytest.raises((ArchiveError, LibraryError)):
            finish(unpack_archive(bad, tmp_path / "new"))
        assert not (tmp_path / "new").exists()


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(FIXTURES.glob("library_v*.sqlite")), ids=lambda path: str(path.stem))
def test_an_archive_of_an_earlier_version_is_unpacked(saved: Path, tmp_path: Path, path: Path) -> None:
    old = with_catalogue(saved, tmp_path / "old.zip", path.read_bytes())
    finish(unpack_archive(old, tmp_path / "new"))
    with Library.open(tmp_path / "new", read_only=True) as new:
        assert new.tags.all()
        assert new.database.check() == []


def test_an_archive_of_format_7_is_unpacked_and_merged(
    used: Library, saved: Path, other: Library, tmp_path: Path
) -> None:
    """It has no judgements of regions, and its manifest does not count judgements against texts."""

    def format_7(members: list[tuple[zipfile.ZipInfo, bytes]], manifest: dict[str, Any]) -> None:
        new = ("region_judgements.jsonl", "rejected_boxes.jsonl")
        members[:] = [(info, content) for info, content in members if info.filename not in new]
        for name in new:
            del manifest["members"][name]
        manifest["version"] = 7
        manifest["counts"]["judgements"] -= used.text_judgements.count()

    for one in used.region_judgements.all():
        used.region_judgements.set(one.photo_id, one.region, [(one.other_id, one.other_region)], None)
    finish(save_archive(used, saved))
    old = rewritten(saved, tmp_path / "old.focal.zip", format_7)
    finish(unpack_archive(old, tmp_path / "new"))
    with Library.open(tmp_path / "new") as new:
        assert done_by_user(new) == done_by_user(used)
    finish(merge_archive(other, old))
    assert done_by_user(other) == done_by_user(used) | {"rejected boxes": set()}


def test_an_archive_of_a_later_version_is_refused_with_the_reason(saved: Path, tmp_path: Path) -> None:
    catalog = tmp_path / "catalog.sqlite"
    with zipfile.ZipFile(saved) as opened:
        catalog.write_bytes(opened.read("catalog.sqlite"))
    with closing(sqlite3.connect(catalog)) as connection:
        connection.execute("PRAGMA user_version = 99")
    later = with_catalogue(saved, tmp_path / "later.zip", catalog.read_bytes())
    with pytest.raises(ArchiveError, match="written by a later version of Focal: update Focal"):
        finish(unpack_archive(later, tmp_path / "new"))
    assert not (tmp_path / "new").exists()


def test_a_catalogue_with_the_path_of_an_outside_file_is_refused(saved: Path, tmp_path: Path) -> None:
    catalog = tmp_path / "catalog.sqlite"
    with zipfile.ZipFile(saved) as opened:
        catalog.write_bytes(opened.read("catalog.sqlite"))
    with closing(sqlite3.connect(catalog)) as connection:
        add_functions(connection)
        connection.execute("UPDATE metric SET file = '../../etc/passwd' WHERE file IS NOT NULL")
        connection.commit()
    bad = with_catalogue(saved, tmp_path / "bad.zip", catalog.read_bytes())
    with pytest.raises(ArchiveError, match="the file of the metric kernel-1 lies outside of the library"):
        finish(unpack_archive(bad, tmp_path / "new"))


def test_a_flipped_bit_is_noticed_or_has_no_effect(saved: Path, used: Library, tmp_path: Path) -> None:
    whole, expected, chance = saved.read_bytes(), travelling(used), random.Random(3)
    end = whole.rindex(b"PK\x05\x06")
    first = whole.index(b"PK\x01\x02")
    spots = [chance.randrange(len(whole)) for _ in range(60)] + [chance.randrange(first, end + 22) for _ in range(60)]
    noticed = 0
    for number, spot in enumerate(spots):
        damaged = bytearray(whole)
        damaged[spot] ^= 1 << chance.randrange(8)
        bad = tmp_path / "bad.zip"
        bad.write_bytes(damaged)
        place = tmp_path / f"new{number}"
        try:
            finish(unpack_archive(bad, place))
        except ArchiveError:
            noticed += 1
            assert not place.exists()
            continue
        with Library.open(place) as new:
            assert rows_of(new) == expected, spot
    assert noticed > 60


def test_unpacking_does_not_begin_without_enough_disk_space(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _place: real._replace(free=1 << 20))
    with pytest.raises(OperationError, match="free some space"):
        finish(unpack_archive(saved, tmp_path / "new"))
    assert not list(tmp_path.glob("*new*"))


def test_every_member_has_a_name_that_can_be_read_back(tmp_path: Path) -> None:
    writer = archives.ArchiveWriter(tmp_path / "a.zip")
    with pytest.raises(ValueError, match="no archive has a member"):
        list(writer.add("../x", iter([b"x"]), compressed=True))
    writer.close()
    assert archives.fits("metrics/kernel-1.npz")
    assert not archives.fits("metrics/.kernel-1.npz.part")
    assert list(archives.read_blocks(io.BytesIO(b"abc"))) == [b"abc"]


def test_searches_and_aliases_are_merged_without_replacing_existing_ones(
    used: Library, other: Library, tmp_path: Path
) -> None:
    used.searches.save("Both", "tag:sea or tag:sky")
    used.searches.save("Mine", "tag:theirs")
    tag = used.tags.all()[0].name
    used.vocabulary.add_alias("Anders", tag)
    used.vocabulary.add_alias("Eigen", tag)
    finish(save_archive(used, tmp_path / "names.focal.zip"))
    other.searches.save("Mine", "untagged")
    other.tags.change(other.photos.ids()[:1].tolist(), ["Eigen"])
    steps = "SELECT count(*) FROM journal WHERE undone = 0"
    before = other.database.row(steps)
    finish(merge_archive(other, tmp_path / "names.focal.zip"))
    assert [(one.name, one.query) for one in other.searches.all()] == [
        ("Both", "tag:sea or tag:sky"),
        ("Mine", "untagged"),
    ]
    assert [(one.name, one.tag) for one in other.vocabulary.aliases()] == [("Anders", tag)]
    assert before is not None
    assert other.database.row(steps) == (before[0] + 1,)
    other.journal.undo()
    assert [one.name for one in other.searches.all()] == ["Mine"]
    assert other.vocabulary.aliases() == []
    finish(unpack_archive(tmp_path / "names.focal.zip", tmp_path / "unpacked"))
    with Library.open(tmp_path / "unpacked") as library:
        assert library.searches.all() == used.searches.all()
        assert library.vocabulary.aliases() == used.vocabulary.aliases()


def test_searches_of_an_older_archive_keep_their_meaning(used: Library, other: Library, tmp_path: Path) -> None:
    """Plain words searched only names when the archive was written."""
    focal = used.photos.ids().tolist()[0]
    used.searches.save("Both", "beach -tag:sky")
    used.trails.save("Walk", [SavedStep("beach", focal=focal)])
    finish(save_archive(used, tmp_path / "now.focal.zip"))
    with zipfile.ZipFile(tmp_path / "now.focal.zip") as now, zipfile.ZipFile(tmp_path / "old.focal.zip", "w") as old:
        for info in now.infolist():
            content = now.read(info)
            if info.filename == "manifest.json":
                content = json.dumps({**json.loads(content), "version": 4}).encode()
            old.writestr(info, content)
    finish(merge_archive(other, tmp_path / "old.focal.zip"))
    assert [(one.name, one.query) for one in other.searches.all()] == [("Both", "name:beach -tag:sky")]
    assert [step.query for trail in other.trails.all() for step in trail.steps] == ["name:beach"]


def same_photos(library: Library, other: Library, ids: Iterable[int]) -> tuple[int, ...]:
    """Return the photos of another library with the same contents."""
    hashes = library.photos.content_hashes(ids)
    found = [other.photos.by_hash(hashes[photo_id]) for photo_id in ids]
    return tuple(photo.id for photo in found if photo is not None)


def test_trails_regions_and_confirmations_are_merged(used: Library, other: Library, tmp_path: Path) -> None:
    ids = used.photos.ids().tolist()
    carried = next(one for one in used.tags.all() if one.name == "cold/snow")
    photo = used.photos.ids(f'tag:"{carried.name}"').tolist()[0]
    judged = used.judgements.all()[0]
    steps = (
        SavedStep("tag:sea", Path("/some/folder"), tuple(ids[2:5]), "name", 3, label="sea"),
        SavedStep(focal=ids[4], label="a.jpg"),
        SavedStep(label="like these 2", like=(ids[1], ids[7]), unlike=(ids[3],)),
        SavedStep("tag:sea", label="a red boat", text="a red boat"),
        SavedStep(label="part of a.jpg", part_of=ids[6], region=Region(0.25, 0.1, 0.5, 0.9)),
    )
    used.trails.save("Way", steps)
    used.trails.save("Text", steps[3:4])
    used.trails.save("Part", steps[4:])
    used.trails.save("Mine", steps[1:2])
    used.regions.set(ids[4], Region(0.1, 0.2, 0.5, 0.75))
    used.regions.set(ids[5], Region(0, 0, 1, 0.5))
    used.confirmations.confirm_tag(photo, carried.name)
    used.confirmations.confirm_judgement(judged.focal_id, judged.other_id)
    file = tmp_path / "kept.focal.zip"
    finish(save_archive(used, file))

    here = partial(same_photos, used, other)
    own = (SavedStep(focal=int(other.photos.ids()[0])),)
    other.trails.save("Mine", own)
    own_region = Region(0.5, 0.5, 1, 1)
    other.regions.set(here([ids[5]])[0], own_region)
    finish(merge_archive(other, file))
    trails = {one.name: one.steps for one in other.trails.all()}
    assert trails["Mine"] == own, "the local trail is retained"
    assert trails["Way"] == (
        replace(steps[0], among=here(ids[2:5])),
        replace(steps[1], focal=here([ids[4]])[0]),
        replace(steps[2], like=here([ids[1], ids[7]]), unlike=here([ids[3]])),
        steps[3],
        replace(steps[4], part_of=here([ids[6]])[0]),
    )
    assert trails["Text"] == steps[3:4]
    assert trails["Part"] == trails["Way"][4:]
    assert other.regions.all() == {here([ids[4]])[0]: Region(0.1, 0.2, 0.5, 0.75), here([ids[5]])[0]: own_region}
    assert other.confirmations.tags() == {(here([photo])[0], carried.name)}
    pair = here([judged.focal_id, judged.other_id])
    assert other.confirmations.judgements() == {(pair[0], pair[1]): judged.verdict}
    other.journal.undo()
    assert [one.name for one in other.trails.all()] == ["Mine"]
    assert list(other.regions.all().values()) == [own_region]
    assert not other.confirmations.tags()
    finish(unpack_archive(file, tmp_path / "unpacked"))
    with Library.open(tmp_path / "unpacked") as library:
        assert library.trails.all() == used.trails.all()
        assert library.regions.all() == used.regions.all()
        assert library.confirmations.tags() == used.confirmations.tags()
        assert library.confirmations.judgements() == used.confirmations.judgements()


def test_trails_and_confirmations_omit_unknown_photos(used: Library, tmp_path: Path) -> None:
    ids = used.photos.ids().tolist()
    gone = SavedStep(part_of=ids[2], region=Region(0, 0, 1, 1))
    used.trails.save("Gone", (SavedStep(focal=ids[0]), SavedStep(like=(ids[0], ids[1])), gone))
    used.regions.set(ids[0], Region(0, 0, 1, 1))
    file = tmp_path / "kept.focal.zip"
    finish(save_archive(used, file))
    own = Album(tmp_path / "own")
    own.draw("new.jpg", seed=77)
    with Library.open(tmp_path / "empty") as empty:
        finish(scan(empty, [own.folder]))
        finish(merge_archive(empty, file))
        assert empty.trails.all() == []
        assert empty.regions.all() == {}
        assert empty.confirmations.tags() == set()


@pytest.mark.parametrize("line", ['{"name": "A"}', '{"name": "A", "steps": [3, {"query": 1}]}', "[1]", "nonsense", ""])
def test_empty_lines_of_trails_regions_and_confirmations_are_skipped(indexed: Library, line: str) -> None:
    entries = [json.loads(line)] if line.startswith("{") else []
    add_records(indexed, entries, [{"x0": "a"}, {"hash": 3, "path": "\0"}], [{"tag": "sea"}, {"verdict": "alike"}, {}])
    assert indexed.trails.all() == []
    assert indexed.regions.all() == {}


def test_lines_with_invalid_values_are_skipped(indexed: Library) -> None:
    ids = indexed.photos.ids().tolist()
    photo = {"path": str(indexed.photos.paths(ids[:1])[0])}
    step = {"query": "", "order": "", "seed": 0, "label": "", "focal": photo}
    outside = {
        "query": "",
        "order": "",
        "seed": 0,
        "label": "",
        "part_of": photo,
        "region": {"x0": 0, "y0": 0, "x1": 10**400, "y1": 1},
    }
    odd = [{**step, "seed": 10**40}, {**step, "seed": -1}, outside, {**outside, "region": [0, 1]}]
    add_records(
        indexed,
        [{"name": "A", "steps": odd}, {"name": "\ud800", "steps": [step]}],
        [{**photo, "x0": 0, "y0": 0, "x1": 10**400, "y1": 1}, {"hash": "\ud800", "x0": 0, "y0": 0, "x1": 1, "y1": 1}],
        [{"photo": photo, "tag": "\ud800"}, {"photo": {"path": "\ud800.jpg"}, "tag": "sea"}],
        [{"text": "a boat", "other": {"path": "\ud800.jpg"}, "verdict": "similar"}],
    )
    assert ([one.name for one in indexed.trails.all()], indexed.regions.all()) == ([], {})
    assert (indexed.confirmations.tags(), indexed.text_judgements.all()) == (set(), [])


def test_a_trail_step_omits_unknown_photos(indexed: Library) -> None:
    paths = [{"path": str(path)} for path in indexed.photos.paths(indexed.photos.ids().tolist()[:3])]
    step = {"query": "", "order": "", "seed": 0, "label": "", "focal": paths[0]}
    away = {"path": "/nowhere/photo.jpg"}
    steps = [{**step, "among": [away]}, {**step, "among": [*paths, away]}, step]
    add_records(indexed, [{"name": "A", "steps": steps}], [], [])
    (trail,) = indexed.trails.all()
    assert [one.among and len(one.among) for one in trail.steps] == [3, None]


def test_a_contradicted_judgement_is_not_confirmed(indexed: Library) -> None:
    ids = indexed.photos.ids().tolist()[:3]
    first, second, third = ({"path": str(path)} for path in indexed.photos.paths(ids))
    indexed.judgements.set(ids[0], ids[1:], Verdict.DISSIMILAR)
    add_records(
        indexed,
        [],
        [],
        [
            {"focal": first, "other": second, "verdict": "similar"},
            {"focal": first, "other": third, "verdict": "dissimilar"},
        ],
    )
    assert indexed.confirmations.judgements() == {(ids[0], ids[2]): Verdict.DISSIMILAR}


def test_an_existing_judgement_against_a_text_stays(indexed: Library) -> None:
    ids = indexed.photos.ids().tolist()[:2]
    first, second = ({"path": str(path)} for path in indexed.photos.paths(ids))
    indexed.text_judgements.set("a boat", ids[:1], Verdict.DISSIMILAR)
    told = [{"text": "a boat", "other": one, "verdict": "similar"} for one in (first, second)]
    add_records(indexed, [], [], [], told)
    assert indexed.text_judgements.of("a boat") == {ids[0]: Verdict.DISSIMILAR, ids[1]: Verdict.SIMILAR}
