# SPDX-License-Identifier: MIT
"""Audits and pairs that are not duplicates, merged from another library as an archive or as JSON Lines."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from focal_photos.browser.catalog.facts.learning.audits import AuditStratum, DrawnPhoto, TagAudit
from focal_photos.browser.catalog.facts.learning.items import item_of
from focal_photos.browser.catalog.facts.records import Region
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.archives.archive import AUDIT, NOT_DUPLICATES
from focal_photos.browser.operations.exchange.archives.save_archive import save_archive
from focal_photos.browser.operations.exchange.archives.unpack_archive import merge_archive
from focal_photos.browser.operations.exchange.export_file import output_file
from focal_photos.browser.operations.exchange.import_file import ImportReport
from focal_photos.browser.operations.exchange.work_records import (
    add_records,
    export_everything,
    import_everything,
    records_of_audit,
)
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.photos.scan import scan
from focal_photos.browser.operations.tagging.audit.audited_state import audited_state
from focal_photos.browser.operations.tagging.audit.certificate import read_certificate
from tests.browser.operations.album import Album

WAYS = ("archive", "lines")
WHOLE = {"x0": 0, "y0": 0, "x1": 1, "y1": 1}


@pytest.fixture
def here(tmp_path: Path, album: Album, there: Library) -> Iterator[Library]:
    """Library of the same photos with other names, and so other ids."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    for number, path in enumerate(sorted(album.folder.rglob("*.jpg"))):
        shutil.copy(path, folder / f"{99 - number}.jpg")
    with Library.open(tmp_path / "here") as opened:
        finish(scan(opened, [folder]))
        yield opened


@pytest.fixture
def there(album: Album, library: Library) -> Library:
    for number in range(12):
        album.draw(f"{number}.jpg", kind="cold" if number % 2 else "warm", seed=number)
    finish(scan(library, [album.folder]))
    return library


def ids_of(library: Library) -> list[int]:
    """Return the photos in an order that is the same in all libraries."""
    ids = library.photos.ids().tolist()
    contents = library.photos.content_hashes(ids)
    return sorted(ids, key=lambda number: contents[number])


def audit(library: Library, asked: int = 8) -> None:
    """Tag six photos and draw some for an audit: half of them have the tag."""
    ids = ids_of(library)
    library.tags.change(ids[:6], ["fox"])
    drawn = [DrawnPhoto("fox", photo_id, 7 * (photo_id in ids[:6])) for photo_id in ids[2 : 2 + asked]]
    strata = AuditStratum(0, len(ids) - 6, 0.25), AuditStratum(7, 6, 0.75)
    state = audited_state(library, ["fox"], drawn, whole=True)["fox"]
    library.audits.begin([TagAudit("fox", "", len(ids), False, strata, state, datetime.now(UTC))], drawn)


def answered(library: Library) -> dict[int, bool | None]:
    """Return the answers by the positions of the photos in `ids_of`."""
    place = {number: place for place, number in enumerate(ids_of(library))}
    return {place[one.photo_id]: one.present for one in library.audits.drawn()}


def answer(library: Library, answers: Mapping[int, bool]) -> None:
    ids = ids_of(library)
    library.audits.answer("fox", {ids[place]: present for place, present in answers.items()})


def take_in(library: Library, other: Library, way: str) -> ImportReport:
    file = other.path.parent / f"out-{way}"
    if way == "archive":
        finish(save_archive(other, file))
        return finish(merge_archive(library, file))
    with output_file(file) as stream:
        export_everything(other, stream)
    return finish(import_everything(library, file))


# ---------------------------------------------------------------------- not duplicates
@pytest.mark.parametrize("way", WAYS)
def test_not_duplicates_of_both_libraries_are_joined(there: Library, here: Library, way: str) -> None:
    a, b, c, d = ids_of(there)[:4]
    there.not_duplicates.add([a, b, c])
    own = ids_of(here)
    here.not_duplicates.add(own[2:4])
    assert take_in(here, there, way).changes
    together = {frozenset(pair) for pair in here.not_duplicates.all()}
    assert together == {frozenset((own[i], own[j])) for i, j in ((0, 1), (0, 2), (1, 2), (2, 3))}
    assert not take_in(here, there, way).changes, "merging again changes nothing"
    here.journal.undo()
    assert len(here.not_duplicates.all()) == 1, "the merge is one step"
    assert take_in(there, here, way).changes
    assert len(there.not_duplicates.all()) == 4
    assert (min(c, d), max(c, d)) in there.not_duplicates.all()


@pytest.mark.parametrize("way", WAYS)
def test_boxes_that_are_not_duplicates_are_joined(there: Library, here: Library, way: str) -> None:
    left, right = Region(0.0, 0.0, 0.5, 1.0), Region(0.5, 0.25, 1.0, 0.75)
    a, b = ids_of(there)[:2]
    there.boxes.add([(a, left, "fox"), (a, left, "animal"), (a, right, None), (b, left, "fox")])
    items = {(box.photo_id, box.region, box.tag): item_of(box.id) for box in there.boxes.all()}
    there.not_duplicates.add([items[a, left, "animal"], items[a, right, None]])
    there.not_duplicates.add([items[a, left, "fox"], items[b, left, "fox"]])
    there.not_duplicates.add([items[b, left, "fox"], item_of(99)])  # of a box that is gone
    own_a, own_b = ids_of(here)[:2]
    here.boxes.add([(own_b, right, None), (own_b, left, "fox"), (own_a, right, "hare")])
    ours = [item_of(box.id) for box in here.boxes.of([own_b])[own_b]]
    here.not_duplicates.add(ours)
    assert take_in(here, there, way).changes
    boxes = {item_of(box.id): (box.photo_id, box.region, box.tag) for box in here.boxes.all()}
    assert {frozenset(boxes[item] for item in pair) for pair in here.not_duplicates.of_boxes()} == {
        frozenset(((own_a, left, "animal"), (own_a, right, "hare"))),
        frozenset(((own_a, left, "fox"), (own_b, left, "fox"))),
        frozenset(((own_b, right, None), (own_b, left, "fox"))),
    }
    assert here.not_duplicates.all() == [], "their photos may be duplicates"
    assert not take_in(here, there, way).changes, "merging again changes nothing"
    here.journal.undo()
    assert here.not_duplicates.of_boxes() == [tuple(sorted(ours))], "the merge is one step"


def test_pairs_of_unknown_photos_are_left_out(there: Library) -> None:
    known = {"hash": there.photos.content_hashes([ids_of(there)[0]])[ids_of(there)[0]]}
    pairs: list[Any] = [
        {"photo": known, "other": known},
        {"photo": known, "other": {"hash": "00"}},
        {"photo": known, "other": [3]},
        {"photo": known},
        {},
        {"box": known, "other_box": {**known, "x0": 0.1}},
        {"box": 3, "other_box": {**WHOLE, **known}},
        {"box": [], "other_box": {}},
        {"box": {**WHOLE, **known, "tag": []}, "other_box": {**WHOLE, **known, "tag": {}}},
    ]
    there.boxes.add([(ids_of(there)[0], Region(0, 0, 1, 1), None)])
    add_records(there, [], [], [], [], [], pairs)
    assert there.not_duplicates.all() == there.not_duplicates.of_boxes() == []


# ---------------------------------------------------------------------- audits
@pytest.mark.parametrize("way", WAYS)
def test_a_merged_audit_gives_the_same_certificate(there: Library, here: Library, way: str) -> None:
    audit(there)
    answer(there, {2: True, 3: False, 6: True, 7: False, 8: False})
    assert take_in(here, there, way).refused == []
    assert answered(here) == answered(there)
    assert read_certificate(here) == read_certificate(there)
    found = read_certificate(here)
    assert found is not None
    assert not found.changed
    assert not take_in(here, there, way).changes, "merging again changes nothing"
    here.journal.undo()
    assert here.audits.all() == []
    here.journal.redo()
    here.tags.change(ids_of(here)[:1], [], ["fox"])
    found = read_certificate(here)
    assert found is not None
    assert found.changed, "a later change is noticed here too"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("changed", ["there", "here", "more photos"])
def test_the_certificate_is_out_of_date_if_tags_or_photos_differ(
    there: Library, here: Library, tmp_path: Path, way: str, changed: str
) -> None:
    audit(there)
    answer(there, {2: True, 6: False})
    if changed == "there":
        there.tags.change(ids_of(there)[-1:], ["fox"])
    elif changed == "here":
        here.tags.change(ids_of(here)[-1:], ["fox"])
    else:
        more = Album(tmp_path / "more")
        more.draw("new.jpg", seed=77)
        finish(scan(here, [more.folder]))
    take_in(here, there, way)
    found = read_certificate(here)
    assert found is not None
    assert found.changed


@pytest.mark.parametrize("way", WAYS)
def test_answers_to_the_same_audit_are_joined(there: Library, here: Library, way: str) -> None:
    audit(there)
    answer(there, {2: True})
    take_in(here, there, way)
    answer(there, {3: True, 6: False, 7: True})
    answer(here, {4: False, 7: False})
    take_in(here, there, way)
    assert answered(here) == {2: True, 3: True, 4: False, 5: None, 6: False, 7: False, 8: None, 9: None}
    here.journal.undo()
    assert answered(here) == {2: True, 3: None, 4: False, 5: None, 6: None, 7: False, 8: None, 9: None}


@pytest.mark.parametrize("way", WAYS)
def test_the_audit_of_the_open_library_stays(there: Library, here: Library, way: str) -> None:
    audit(there)
    answer(there, {2: True, 6: False})
    audit(here, asked=6)
    before = here.audits.all(), here.audits.drawn()
    take_in(here, there, way)
    assert (here.audits.all(), here.audits.drawn()) == before


@pytest.mark.parametrize("way", WAYS)
def test_unknown_photos_leave_the_sample_and_its_strata(there: Library, here: Library, way: str) -> None:
    audit(there)
    answer(there, {2: True, 3: False, 6: True, 7: False})
    lost = [here.photos.paths([ids_of(here)[place]])[0] for place in (2, 6, 7)]
    folder = lost[0].parent
    with Library.open(here.path.with_name("few")) as few:
        for path in lost:
            path.unlink()
        finish(scan(few, [folder]))
        take_in(few, there, way)
        (found,) = few.audits.all()
        assert found.strata == (AuditStratum(0, 4, 0.25), AuditStratum(7, 5, 0.75))
        assert sorted((one.stratum, one.present is None) for one in few.audits.drawn()) == [
            *((0, True), (0, True), (7, False), (7, True), (7, True)),
        ]
        certificate = read_certificate(few)
        assert certificate is not None
        assert certificate.changed
        for path in folder.iterdir():
            path.unlink()
    with Library.open(here.path.with_name("none")) as none:
        finish(scan(none, [folder]))
        take_in(none, there, way)
        assert none.audits.all() == []


WRONG: list[dict[str, Any]] = [
    {"strata": "abc"},
    {"strata": [[7, 6]]},
    {"strata": [[7, 6, 0.5], [7, 6, 0.5]]},
    {"strata": [[300, 6, 0.5]]},
    {"strata": [[0, 10**40, 0.5]]},
    {"strata": [[0, 6, 7.5], [7, 6, 0.5]]},
    {"strata": [[0, 6, float("nan")], [7, 6, 0.5]]},
    {"strata": [[0, 2, 0.5], [7, 6, 0.5]]},
    {"strata": [[0, 6, "x"], [7, 6, 0.5]]},
    {"strata": [[True, 6, 0.5], [7, 6, 0.5]]},
    {"strata": None},
    {"photos": -1},
    {"photos": 10**30},
    {"photos": "many"},
    {"scope": 3},
    {"scope": "\ud800"},
    {"exclusive": 1},
    {"at": "yesterday"},
    {"at": None},
    {"tag": ""},
    {"tag": 7},
    {"tag": "owl"},
    {"tag": "\ud800"},
    {"stratum": 8},
    {"stratum": -1},
    {"stratum": True},
    {"stratum": 1.0},
    {"present": 1},
    {"present": "yes"},
    {"photo": {}},
]


@pytest.mark.slow
@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_invalid_records_add_nothing(there: Library, here: Library, wrong: dict[str, Any]) -> None:
    audit(there)
    answer(there, {2: True, 6: False})
    lines = list(records_of_audit(there))
    (key,) = wrong
    broken = [{**line, **wrong} if key in line else line for line in lines]
    if wrong == {"tag": "owl"}:  # another tag in the line of the tag alone
        broken = [{**lines[0], **wrong}, *lines[1:]]
    add_records(here, [], [], [], audit=broken)
    assert here.audits.all() == []
    add_records(here, [], [], [], audit=lines)
    assert len(here.audits.drawn()) == len(lines) - 1, "only one line was wrong"


def test_records_without_their_tag_add_nothing_and_repeated_photos_count_once(there: Library, here: Library) -> None:
    audit(there)
    answer(there, {2: True, 6: False})
    first, *drawn = list(records_of_audit(there))
    broken: list[list[dict[str, Any]]] = [[{}], [first], drawn, [first, *drawn, *drawn]]
    for lines in broken:
        add_records(here, [], [], [], audit=lines)
        assert here.audits.all() == []
    add_records(here, [], [], [], audit=[first, drawn[0], *drawn[:3]])
    (found,) = here.audits.all()
    assert sum(stratum.photos for stratum in found.strata) == 12 - 1
    assert len(here.audits.drawn()) == 3
    assert read_certificate(here) is not None


def test_an_archive_of_version_5_is_merged(there: Library, here: Library, tmp_path: Path) -> None:
    audit(there)
    there.not_duplicates.add(ids_of(there)[:2])
    finish(save_archive(there, tmp_path / "now.zip"))
    with zipfile.ZipFile(tmp_path / "now.zip") as now, zipfile.ZipFile(tmp_path / "old.zip", "w") as old:
        for info in now.infolist():
            content = now.read(info)
            if info.filename == "manifest.json":
                manifest = {**json.loads(content), "version": 5}
                for name in (NOT_DUPLICATES, AUDIT):
                    assert manifest["members"].pop(name)["bytes"] > 0
                content = json.dumps(manifest).encode()
            if info.filename not in (NOT_DUPLICATES, AUDIT):
                old.writestr(info, content)
    finish(merge_archive(here, tmp_path / "old.zip"))
    assert here.tags.of(ids_of(here)[:1]) == {ids_of(here)[0]: ["fox"]}
    assert here.audits.all() == []
    assert here.not_duplicates.all() == []
