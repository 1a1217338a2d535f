# SPDX-License-Identifier: MIT
"""Libraries of every earlier schema version: opened, read, undone, written."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.learning.audits import AuditStratum, DrawnPhoto
from focal_photos.browser.catalog.facts.records import (
    Alias,
    Information,
    Mark,
    NamedRegion,
    Region,
    SavedSearch,
    SuggestionState,
    Verdict,
    Waiting,
    Written,
)
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.migrations import migrations

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"


VERSIONS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)


@pytest.fixture(params=VERSIONS)
def saved(place: Path, request: pytest.FixtureRequest) -> Path:
    place.mkdir()
    shutil.copy(FIXTURES / f"library_v{request.param}.sqlite", place / "catalog.sqlite")
    return place


def _version(folder: Path) -> int:
    with closing(sqlite3.connect(f"{(folder / 'catalog.sqlite').as_uri()}?immutable=1", uri=True)) as connection:
        (number,) = connection.execute("PRAGMA user_version").fetchone()
    return int(number)


def test_every_version_has_a_saved_library() -> None:
    assert [step.version for step in migrations()] == list(VERSIONS)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_saved_library_is_small_and_has_its_version(version: int) -> None:
    file = FIXTURES / f"library_v{version}.sqlite"
    assert file.stat().st_size < 100_000
    with closing(sqlite3.connect(f"{file.as_uri()}?immutable=1", uri=True)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (version,)


@pytest.mark.parametrize("read_only", [False, True])
def test_a_saved_library_is_read(saved: Path, read_only: bool) -> None:
    version = _version(saved)
    Library.open(saved).close()  # migrates it
    with Library.open(saved, read_only=read_only) as library:
        assert library.database.check() == []
        assert [root.path for root in library.roots.all()] == [Path("/photos/album")]
        album = library.roots.all()[0]
        ids = library.photos.ids().tolist()
        names = [os.fsencode(path.relative_to("/photos")) for path in library.photos.paths(ids)]
        assert names == [
            b"album/a.jpg",
            "album/beach/Größe 🦊.png".encode(),
            b"album/beach/b.jpg",
            b"album/beach/caf\xe9\n.jpg",
            b"album/broken.jpg",
            b"album/edited.jpg",
            b"album/vanished.jpg",
            b"removed \xff/old.jpg",
            b"album/overwritten.jpg",  # another photo is at its path now
        ]
        assert [(str(path), count) for path, count in library.roots.folders(album.id)] == [(".", 6), ("beach", 3)]
        a, b, c, d, e, f, _, h = range(1, 9)
        kept = "kept" if version < 5 else "things/kept"
        first = library.photos.get([a])[0]
        assert (first.path, first.width, first.height) == (Path("/photos/album/a.jpg"), 640, 480)
        assert first.taken == datetime(2024, 5, 31, 12, 30)
        assert library.photos.files(a) == [Path("/photos/album/a.jpg"), Path("/photos/album/copy of a.jpg")]
        assert set(library.photos.ids("missing").tolist()) == {f, h, 9}
        assert [str(path) for path, _ in library.photos.failed()] == [
            "/photos/album/broken.jpg",
            "/photos/album/locked.jpg",
        ]
        assert {tag.name: tag.count for tag in library.tags.all()} == {
            "animal": 2 if version < 14 else 3,
            **({} if version < 14 else {"animal/cat": 1}),
            "animal/dog": 2,
            "beach": 4,
            "holiday": 3,
            "holiday/2024": 3,
            **({"kept": 3} if version < 5 else {"things": 3, "things/kept": 3}),
        }
        assert library.tags.of([c, e, h]) == {
            c: ["animal/dog", "beach", "holiday/2024"],
            e: [kept],
            h: [kept],
        }
        assert library.judgements.of(a) == {b: Verdict.SIMILAR, c: Verdict.SIMILAR, d: Verdict.DISSIMILAR}
        assert library.suggestions.counts() == {
            SuggestionState.OPEN: 2,
            SuggestionState.ACCEPTED: 1,
            SuggestionState.REJECTED: 1,
        }
        assert library.suggestions.rejected_pairs() == {(b, "animal/dog")}
        (one,) = library.suggestions.of([e])[e]
        assert (one.tag, one.confidence, one.supporters) == ("beach", 0.5, (a, c))
        metric = library.metrics.current()
        assert (metric.name, metric.file, metric.judgements, metric.tagged) == ("kernel-1", "kernel-1.npz", 3, 6)
        assert metric.at == datetime(2024, 6, 1, 8, 0, tzinfo=UTC)
        assert library.settings.get("thumbnail_size") == 192
        last = "Exchange with sidecars" if version >= 3 else "Reject 1 suggestion: animal/dog"
        last = "Confirm" if version >= 5 else last
        assert library.journal.undo_label() == last
        assert library.journal.redo_label() == "Tag 1 photo: undone"


def test_all_of_a_saved_library_can_be_undone_and_redone(saved: Path) -> None:
    version = _version(saved)
    with Library.open(saved) as library:
        assert library.journal.redo().photo_ids == {7}
        assert library.journal.redo().label == "Train metric: Kernel metric (v2)"
        assert library.metrics.current().name == "kernel-2"
        assert not library.journal.redo()
        steps = 0
        while library.journal.undo():
            steps += 1
        before = {1: 10, 2: 10, 3: 13, 4: 13, 5: 18, 6: 18, 7: 20, 8: 22, 9: 24, 10: 24, 11: 25, 12: 25, 13: 27, 14: 29}
        assert steps == before.get(version, 32)
        # Tags that a scan copied to duplicates are not in the journal and remain.
        assert library.tags.all() == []
        assert library.judgements.all() == []
        assert [metric.name for metric in library.metrics.all()] == ["euclidean"]
        while library.journal.redo():
            pass
        assert library.photos.count("tag:beach") == 4
        assert library.database.check() == []


def test_a_saved_library_keeps_ratings_and_metadata(saved: Path) -> None:
    version = _version(saved)
    with Library.open(saved) as library:
        a, b, c, d = range(1, 5)
        assert library.information.unread().tolist() == ([3, 4, 5, 6, 7, 8, 9] if version >= 3 else [*range(1, 10)])
        if version < 3:
            assert set(library.marks.of(range(1, 10)).values()) == {Mark()}
            library.marks.set([a], rating=5)
            library.journal.undo()
            assert library.marks.of([a]) == {a: Mark()}
            return
        assert library.marks.of([a, b, c, d]) == {a: Mark(4, "Red"), b: Mark(4, "Red"), c: Mark(-1), d: Mark()}
        assert library.information.of([a])[a] == Information("Canon EOS 5D", None, "1/250 s", 48.1, -11.5)
        assert library.information.waiting() == [Waiting(b, Written(), Written(("beach",)))]
        ((one,),) = library.exchange.of([c]).values()
        boxes = (NamedRegion("beach", Region(0.25, 0.0, 1.0, 0.5)), NamedRegion(None, Region(0.0, 0.0, 0.5, 0.5)))
        assert one.boxes == (boxes if version >= 16 else ())
        assert (one.sidecar, one.tags, one.rating) == (Path("/photos/album/beach/caf\udce9\n.jpg.xmp"), ("beach",), -1)
        while library.journal.undo():
            pass
        assert set(library.marks.of(range(1, 10)).values()) == {Mark()}
        assert library.exchange.of([c]) == {c: ()}
        while library.journal.redo():
            pass
        assert library.exchange.of([c]) == {c: (one,)}


def test_a_saved_library_keeps_judgements_against_texts(saved: Path) -> None:
    version = _version(saved)
    with Library.open(saved) as library:
        if version < 7:
            assert library.text_judgements.all() == []
            library.text_judgements.set("a red boat", [1], Verdict.SIMILAR)
            assert library.text_judgements.of("a red boat") == {1: Verdict.SIMILAR}
            library.journal.undo()
            assert library.text_judgements.all() == []
            return
        kept = {2: Verdict.SIMILAR, 3: Verdict.SIMILAR, 4: Verdict.DISSIMILAR}
        assert library.text_judgements.of("a red boat") == kept
        while library.journal.undo():
            pass
        assert library.text_judgements.all() == []
        while library.journal.redo():
            pass
        assert library.text_judgements.of("a red boat") == kept


def test_a_saved_library_keeps_relations(saved: Path) -> None:
    version = _version(saved)
    with Library.open(saved) as library:
        kept = [(1, 2, None), (1, 3, 4)]
        if version < 13:
            assert library.judged_relations.all() == []
            library.judged_relations.set(kept, holds=True)
            assert len(library.judged_relations.all()) == 2
            library.journal.undo()
            assert library.judged_relations.all() == []
            return
        assert [(one.focal_id, one.other_id, one.than_id) for one in library.judged_relations.all()] == kept
        while library.journal.undo():
            pass
        assert library.judged_relations.all() == []
        while library.journal.redo():
            pass
        assert library.judged_relations.count() == 2


def test_a_saved_library_keeps_boxes(saved: Path) -> None:
    version = _version(saved)
    with Library.open(saved) as library:
        if version < 14:
            assert library.boxes.all() == []
            library.boxes.add([(1, Region(0.0, 0.0, 0.5, 0.5), "cat")])
            assert "cat" in library.tags.of([1])[1]
            library.journal.undo()
            assert library.boxes.all() == []
            return
        kept = [(1, Region(0.25, 0.0, 1.0, 0.5), "animal/cat"), (2, Region(0.125, 0.25, 0.5, 1.0), "beach")]
        assert [(box.photo_id, box.region, box.tag) for box in library.boxes.all()] == kept
        library.boxes.remove([1, 2])
        assert library.tags.of([1, 2]) == {1: ["beach", "holiday/2024"], 2: ["beach", "holiday/2024"]}
        library.journal.undo()
        while library.journal.undo():
            pass
        assert library.boxes.all() == []
        while library.journal.redo():
            pass
        assert library.boxes.all() == []
        library.journal.undo()
        assert [(box.photo_id, box.region, box.tag) for box in library.boxes.all()] == kept


def test_a_saved_library_keeps_judged_regions_and_rejected_boxes(saved: Path) -> None:
    version = _version(saved)
    left, right = Region(0.0, 0.25, 0.5, 1.0), Region(0.5, 0.0, 1.0, 0.75)
    with Library.open(saved) as library:
        if version < 15:
            assert (library.region_judgements.all(), library.boxes.rejected()) == ([], [])
            library.region_judgements.set(1, left, [(2, right)], Verdict.SIMILAR)
            library.boxes.reject([(1, left, "cat")])
            assert (library.region_judgements.count(), len(library.boxes.rejected())) == (1, 1)
            library.journal.undo()
            library.journal.undo()
            assert (library.region_judgements.all(), library.boxes.rejected()) == ([], [])
            return

        def kept() -> tuple[dict[int, Verdict], list[tuple[int, Region, str]]]:
            rejected = [(box.photo_id, box.region, box.tag) for box in library.boxes.rejected()]
            return library.region_judgements.of(1, left), rejected

        judged = {2: Verdict.SIMILAR, 3: Verdict.SIMILAR, 4: Verdict.DISSIMILAR}
        assert kept() == (judged, [(2, right, "animal/cat"), (3, left, "beach")])
        assert [one.other_region for one in library.region_judgements.all()] == [right, left, right]
        while library.journal.undo():
            pass
        assert kept() == ({}, [])
        while library.journal.redo():
            pass
        assert kept() == (judged, [(2, right, "animal/cat"), (3, left, "beach")])


def test_a_saved_library_keeps_rotations(saved: Path) -> None:
    version = _version(saved)
    with Library.open(saved) as library:
        if version < 8:
            assert library.rotations.all() == {}
            library.rotations.rotate([1], -1)
            assert library.rotations.all() == {1: 3}
            library.journal.undo()
            assert library.rotations.all() == {}
            return
        assert library.rotations.all() == {2: 1, 3: 2}
        while library.journal.undo():
            pass
        assert library.rotations.all() == {}
        while library.journal.redo():
            pass
        assert library.rotations.all() == {2: 1, 3: 2}


def test_a_saved_library_keeps_audits(saved: Path) -> None:
    version = _version(saved)
    with Library.open(saved) as library:
        if version < 9:
            assert library.audits.all() == []
            assert library.audits.drawn() == []
            return
        (audit,) = library.audits.all()
        assert (audit.tag, audit.photos, audit.strata[1]) == ("beach", 8, AuditStratum(7, 3, 0.875))
        kept = [DrawnPhoto("beach", 1, 7, True), DrawnPhoto("beach", 5, 0, False), DrawnPhoto("beach", 2, 7)]
        assert library.audits.drawn() == kept
        while library.journal.undo():
            pass
        assert library.audits.all() == []
        while library.journal.redo():
            pass
        assert library.audits.drawn() == kept


def test_a_saved_library_keeps_photos_marked_as_no_duplicates(saved: Path) -> None:
    version = _version(saved)
    with Library.open(saved) as library:
        if version < 11:
            assert library.not_duplicates.all() == []
            assert library.photos.incomplete() == []
            return
        assert library.not_duplicates.all() == [(1, 3)]
        (reason,) = {reason for _, reason in library.photos.incomplete()}
        assert reason == ("The file is incomplete." if version == 11 else "The file is incomplete, only 40 %.")
        while library.journal.undo():
            pass
        assert library.not_duplicates.all() == []
        while library.journal.redo():
            pass
        assert library.not_duplicates.all() == [(1, 3)]


def test_a_saved_library_keeps_names_and_confirmations(saved: Path) -> None:
    version = _version(saved)
    with Library.open(saved) as library:
        if version < 5:
            assert library.searches.all() == []
            assert library.vocabulary.aliases() == []
            library.vocabulary.rename("animal/dog", "pet/dog")
            library.journal.undo()
            assert library.photos.count("tag:animal/dog") == 2
            return
        assert library.searches.all() == [
            SavedSearch("Beaches", "tag:beach rating>=3"),
            SavedSearch("Dogs of Größe", 'tag:"animal/dog" path:Größe'),
        ]
        assert library.vocabulary.aliases() == [Alias("Hund", "animal/dog")]
        assert library.photos.count("tag:hund") == 2
        rows = {
            table: library.database.rows(f"SELECT * FROM {table}")[0][:-2]  # without time and digest
            for table in ("confirmed_tag", "confirmed_judgement", "region", "metric_scores", "trail")
        }
        assert rows["confirmed_judgement"] == (1, 4, "dissimilar")
        assert rows["region"] == (1, 0.25, 0.0, 1.0, 0.5)
        assert rows["trail"] == ("Boats", '[{"query": "tag:sea"}]')
        assert rows["metric_scores"] == (2, '{"held_out": 0.75}')
        while library.journal.undo():
            pass
        assert library.searches.all() == []
        assert library.vocabulary.aliases() == []
        assert library.database.row("SELECT name FROM tag WHERE name LIKE '%kept'") == ("kept",)
        while library.journal.redo():
            pass
        assert len(library.searches.all()) == 2
        assert library.photos.count("tag:things/kept") == 3


def test_a_saved_library_is_written(saved: Path) -> None:
    with Library.open(saved) as library:
        library.tags.change([1], ["new"])
        assert library.journal.redo_label() is None
        assert library.metrics.add("kernel")[0].id > 3
    with Library.open(saved) as library:
        assert library.photos.ids("tag:new").tolist() == [1]


def test_a_new_library_has_the_schema_of_an_updated_one(saved: Path, tmp_path: Path) -> None:
    def schema(folder: Path) -> list[tuple[object, ...]]:
        with Library.open(folder) as library:
            return library.database.rows(
                "SELECT type, name, tbl_name, sql FROM sqlite_master "
                "WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name"
            )

    assert schema(saved) == schema(tmp_path / "new")
