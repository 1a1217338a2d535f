# SPDX-License-Identifier: MIT
"""A lost catalogue is rebuilt from sidecars, or from the tables of an archive."""

from __future__ import annotations

import json
import shutil
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.learning.audits import AuditStratum, DrawnPhoto, TagAudit
from focal_photos.browser.catalog.facts.records import Mark, Region, SavedStep, TagSource, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.exchange.archives.archive import JUDGEMENTS, PHOTOS
from focal_photos.browser.operations.exchange.archives.save_archive import save_archive
from focal_photos.browser.operations.exchange.formats import JSON_LINES
from focal_photos.browser.operations.exchange.import_file import import_judgements, import_tags
from focal_photos.browser.operations.exchange.work_records import (
    confirmation_records,
    export_everything,
    import_everything,
    left_out_of_tables,
    not_duplicate_records,
    records_of_audit,
    region_records,
    trail_records,
)
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.metadata.exchange_sidecars import Direction, compare_sidecars, exchange_sidecars
from tests.browser.operations.album import FAMILIES, Album
from tests.browser.operations.exchange.contents import done_by_user


def use(library: Library) -> None:
    """Make the changes that sidecars can hold, and judge."""
    ids = library.photos.ids().tolist()
    library.tags.change(ids[:5], ["animal/dog", "été"])
    library.tags.change(ids[4:9], ["sea", "a b/c"])
    library.marks.set(ids[2:7], rating=4)
    library.marks.set(ids[6:8], rating=-1, label="Red")
    library.marks.set(ids[9:10], label="Grün")
    library.judgements.set(ids[0], ids[1:4], Verdict.SIMILAR)
    library.judgements.set(ids[0], ids[8:9], Verdict.DISSIMILAR)
    library.judged_relations.set([(ids[0], ids[8], None)], holds=True)
    library.judged_relations.set([(ids[0], ids[5], ids[6])], holds=True)


def test_a_catalogue_is_rebuilt_from_sidecars(indexed: Library, album: Album, tmp_path: Path) -> None:
    use(indexed)
    comparison = finish(compare_sidecars(indexed, indexed.photos.ids().tolist()))
    finish(exchange_sidecars(indexed, comparison, Direction.WRITE))
    person = done_by_user(indexed)
    indexed.close()
    shutil.rmtree(indexed.path)
    shutil.move(album.folder, tmp_path / "elsewhere")
    with Library.open(tmp_path / "again") as again:
        set_enabled(again, FAMILIES)
        finish(index(again, [tmp_path / "elsewhere"], import_tags=True))
        found = done_by_user(again)
        assert found["tags"] == person["tags"]
        assert found["marks"] == person["marks"]
        assert len({mark for _, mark in found["marks"]} - {Mark()}) == 3


def test_a_catalogue_is_rebuilt_from_the_tables_of_an_archive(indexed: Library, album: Album, tmp_path: Path) -> None:
    """The archive may have a damaged catalogue, so any program may have extracted the tables."""
    use(indexed)
    person = done_by_user(indexed)
    finish(save_archive(indexed, tmp_path / "all.zip"))
    with zipfile.ZipFile(tmp_path / "all.zip") as opened:
        for name in (PHOTOS, JUDGEMENTS):
            opened.extract(name, tmp_path)
    with Library.open(tmp_path / "again") as again:
        set_enabled(again, FAMILIES)
        finish(index(again, [album.folder]))
        finish(import_tags(again, tmp_path / PHOTOS, JSON_LINES))
        finish(import_judgements(again, tmp_path / JUDGEMENTS, JSON_LINES))
        assert done_by_user(again) == person


def use_all(library: Library) -> None:
    """Make the changes that only lines with a kind can hold, too."""
    use(library)
    ids = library.photos.ids().tolist()
    library.suggestions.reject([(ids[9], "sea")])
    library.searches.save("blue", "tag:sea")
    library.vocabulary.add_alias("ocean", "sea")
    library.trails.save(
        "a walk", [SavedStep("", focal=ids[0]), SavedStep("tag:sea", like=(ids[1], ids[2]), unlike=(ids[3],))]
    )
    library.regions.set(ids[4], Region(0.1, 0.2, 0.5, 0.75))
    library.rotations.rotate(ids[3:5], 1)
    library.rotations.rotate(ids[4:5], 2)
    library.confirmations.confirm_tag(ids[4], "sea")
    library.confirmations.confirm_judgement(ids[0], ids[8])
    library.text_judgements.set("a red boat", ids[5:7], Verdict.SIMILAR)
    library.text_judgements.set("a red boat", ids[7:8], Verdict.DISSIMILAR)
    library.not_duplicates.add(ids[8:11])
    library.boxes.add([(ids[2], Region(0.1, 0.2, 0.5, 0.75), "boat"), (ids[2], Region(0.0, 0.0, 1.0, 0.3), None)])
    library.boxes.add([(ids[3], Region(0.25, 0.25, 0.5, 0.5), "boat")], TagSource.IMPORT)
    left, right = Region(0.0, 0.0, 0.5, 1.0), Region(0.5, 0.25, 1.0, 0.75)
    library.boxes.reject([(ids[3], left, "boat"), (ids[3], left, "a word that no photo carries")])
    library.region_judgements.set(ids[0], left, [(ids[1], right), (ids[2], left)], Verdict.SIMILAR)
    library.region_judgements.set(ids[0], right, [(ids[1], right)], Verdict.DISSIMILAR)
    drawn = [DrawnPhoto("sea", ids[4], 7, True), DrawnPhoto("sea", ids[9], 0, False), DrawnPhoto("sea", ids[10], 0)]
    strata = AuditStratum(0, 7, 0.25), AuditStratum(7, 5, 0.75)
    library.audits.begin([TagAudit("sea", "", 12, False, strata, "", datetime.now(UTC))], drawn)


def all_of(library: Library) -> dict[str, object]:
    return {
        **done_by_user(library),
        "searches": [(one.name, one.query) for one in library.searches.all()],
        "aliases": [(one.name, one.tag) for one in library.vocabulary.aliases()],
        "trails": list(trail_records(library)),
        "regions": list(region_records(library)),
        "confirmations": list(confirmation_records(library)),
        "not duplicates": list(not_duplicate_records(library)),
        "audit": list(records_of_audit(library)),
    }


def test_a_catalogue_is_rebuilt_from_json_lines(indexed: Library, album: Album, tmp_path: Path) -> None:
    use_all(indexed)
    person, file = all_of(indexed), tmp_path / "all.jsonl"
    assert left_out_of_tables(indexed) == {
        "saved searches": 1,
        "other names of tags": 1,
        "trails": 1,
        "parts of photos": 1,
        "confirmations": 2,
        "judgements against texts": 3,
        "turned photos": 2,
        "pairs that are not duplicates": 3,
        "tags and photos of an audit": 4,
        "boxes": 3,
        "judgements of parts": 3,
        "rejected boxes": 2,
    }
    with file.open("w") as stream:
        lines = export_everything(indexed, stream)
    assert lines == len(file.read_text().splitlines()) == len(indexed.photos.ids()) + 6 + 9 + 2 + 3 + 4 + 3 + 5
    indexed.close()
    shutil.rmtree(indexed.path)
    with Library.open(tmp_path / "again") as again:
        set_enabled(again, FAMILIES)
        finish(index(again, [album.folder]))
        before = all_of(again)
        report = finish(import_everything(again, file))
        assert (report.lines, report.refused, report.unknown) == (lines, [], [])
        assert all_of(again) == person
        assert again.journal.undo_label() == "Import all.jsonl"
        second = finish(import_everything(again, file))
        assert not second.changes, "doing it again is no step"
        again.journal.undo()
        assert all_of(again) == before, "rebuilding is one step"


def test_photos_of_a_removed_folder_are_among_the_lines(indexed: Library, tmp_path: Path) -> None:
    use_all(indexed)

    def written(name: str) -> list[dict[str, object]]:
        with (tmp_path / name).open("w") as stream:
            export_everything(indexed, stream)
        lines = [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]
        # Names cannot be relative to a removed folder, and its files are not searched for.
        return [{key: line[key] for key in line.keys() - {"file_name", "missing"}} for line in lines]

    before = written("before.jsonl")
    (root,) = indexed.roots.all()
    indexed.roots.remove(root.id)
    assert written("after.jsonl") == before


def test_existing_values_stay_and_a_wrong_file_changes_nothing(indexed: Library, tmp_path: Path) -> None:
    use_all(indexed)
    file = tmp_path / "all.jsonl"
    with file.open("w") as stream:
        export_everything(indexed, stream)
    ids = indexed.photos.ids().tolist()
    indexed.judgements.set(ids[0], ids[1:2], Verdict.DISSIMILAR)
    indexed.marks.set(ids[2:3], rating=1)
    indexed.text_judgements.set("a red boat", ids[5:6], Verdict.DISSIMILAR)
    here = all_of(indexed)
    finish(import_everything(indexed, file))
    assert all_of(indexed) == here
    for wrong, told in (
        ({"kind": "potato"}, "line 1: its kind 'potato' is unknown"),
        ({"kind": "photo", "tags": []}, "line 1: it names no file"),
        ({"kind": "judgement", "focal": "a.jpg"}, "line 1: it has no other"),
    ):
        broken = tmp_path / "broken.jsonl"
        broken.write_text(json.dumps(wrong) + "\n" + file.read_text())
        indexed.tags.change(ids, [], ["sea"])
        without = all_of(indexed)
        with pytest.raises(OperationError, match=told) as raised:
            finish(import_everything(indexed, broken))
        assert str(broken) in str(raised.value)
        assert all_of(indexed) == without
