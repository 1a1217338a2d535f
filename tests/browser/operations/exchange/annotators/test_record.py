# SPDX-License-Identifier: MIT
"""Recorded agreement with other annotators, and its place in the certificate."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.learning.audits import AuditStratum, DrawnPhoto, TagAudit
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.journal import AGREEMENTS
from focal_photos.browser.operations.exchange.annotators.compare import compare_annotators
from focal_photos.browser.operations.exchange.annotators.record import merge_annotator, record_agreement
from focal_photos.browser.operations.exchange.archives.save_archive import save_archive
from focal_photos.browser.operations.exchange.archives.unpack_archive import unpack_archive
from focal_photos.browser.operations.exchange.certificates.certificate_file import as_document
from focal_photos.browser.operations.exchange.certificates.certificate_page import certificate_page
from focal_photos.browser.operations.exchange.provenance.merges import merges_of
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.photos.scan import scan
from focal_photos.browser.operations.tagging.audit.audited_state import audited_state
from focal_photos.browser.operations.tagging.audit.certificate import read_certificate
from tests.browser.operations.album import Album

TAGS = {"anna": "xxxooo", "ben": "xxoooo"}


@pytest.fixture
def people(tmp_path: Path) -> Iterator[dict[str, Library]]:
    """Two libraries of six photos, whose tags differ on one photo."""
    album = Album(tmp_path / "photos")
    album.draw_many(6)
    opened = {name: Library.open(tmp_path / name) for name in TAGS}
    for name, library in opened.items():
        finish(scan(library, [album.folder]))
        for photo_id, tag in zip(library.photos.ids().tolist(), TAGS[name], strict=True):
            library.tags.change([photo_id], [tag])
    yield opened
    for library in opened.values():
        library.close()


@pytest.fixture
def archive(people: dict[str, Library], tmp_path: Path) -> Path:
    finish(save_archive(people["ben"], tmp_path / "from ben.focal.zip"))
    return tmp_path / "from ben.focal.zip"


def audit(library: Library) -> None:
    """Audit a tag by one answer."""
    ids = library.photos.ids().tolist()
    drawn = [DrawnPhoto("x", ids[0], 7)]
    strata = AuditStratum(1, len(ids) - 3, 0.05), AuditStratum(7, 3, 0.9)
    state = audited_state(library, ["x"], drawn, whole=True)["x"]
    library.audits.begin([TagAudit("x", "", len(ids), True, strata, state, datetime.now(UTC))], drawn)
    library.audits.answer("x", {ids[0]: True})


def test_a_merge_records_the_agreement_before_it_and_undo_removes_it(people: dict[str, Library], archive: Path) -> None:
    anna = people["anna"]
    finish(merge_annotator(anna, archive))
    (one,) = anna.audits.agreements()
    assert one.people == ("anna", "ben")
    assert not one.merged, "they were independent until then"
    tags = {each.tag: each for each in one.tags}
    assert (tags["x"].photos, tags["x"].disagreements) == (6, 1)
    assert tags["x"].kappa is not None
    assert tags["x"].kappa[0] == pytest.approx(2 / 3), "by hand: (5/6 - 1/2) / (1 - 1/2)"
    anna.journal.undo()
    assert anna.audits.agreements() == []
    assert merges_of(anna) == ()
    anna.journal.redo()
    assert anna.audits.agreements() == [one]


def test_after_a_merge_agreement_is_no_longer_independent(people: dict[str, Library], archive: Path) -> None:
    anna, ben = people["anna"], people["ben"]
    finish(merge_annotator(anna, archive))
    before = anna.audits.agreements()
    ben.tags.change(ben.photos.ids()[:1], ["new"])
    archive.unlink()
    finish(save_archive(ben, archive))
    finish(merge_annotator(anna, archive))
    assert anna.audits.agreements() == before, "the first comparison stays"
    record_agreement(anna, finish(compare_annotators(anna, [ben.path])))
    (one,) = anna.audits.agreements()
    assert one.people == ("anna", "ben")
    assert one.merged
    assert {each.disagreements for each in one.tags if each.tag != "new"} == {0, 1}


def test_the_certificate_contains_it_as_json_and_as_a_page(people: dict[str, Library], archive: Path) -> None:
    anna = people["anna"]
    audit(anna)
    certificate = read_certificate(anna)
    assert certificate is not None
    assert as_document(certificate)["agreements"] == []
    assert "Differ" not in certificate_page(certificate, "anna")
    record_agreement(anna, finish(compare_annotators(anna, [archive])))
    certificate = read_certificate(anna)
    assert certificate is not None
    (found,) = json.loads(json.dumps(as_document(certificate)))["agreements"]
    assert (found["people"], found["merged"]) == (["anna", "from ben"], False)
    x = next(one for one in found["tags"] if one["tag"] == "x")
    assert x["kappa"]["low"] <= x["kappa"]["value"] <= x["kappa"]["high"]
    page = certificate_page(certificate, "anna")
    assert "Agreement of anna, from ben on" in page
    assert '<td class="number" data-column="Differ">1</td>' in page
    assert "0.67 (" in page


def test_archives_contain_the_record(people: dict[str, Library], archive: Path, tmp_path: Path) -> None:
    anna = people["anna"]
    finish(merge_annotator(anna, archive))
    finish(save_archive(anna, tmp_path / "anna.focal.zip"))
    finish(unpack_archive(tmp_path / "anna.focal.zip", tmp_path / "copy"))
    with Library.open(tmp_path / "copy") as copy:
        assert copy.audits.agreements() == anna.audits.agreements() != []


def test_nothing_is_recorded_without_photos_in_common(
    people: dict[str, Library], archive: Path, tmp_path: Path
) -> None:
    album = Album(tmp_path / "other")
    album.draw("green.jpg", kind="green")
    with Library.open(tmp_path / "carla") as carla:
        finish(scan(carla, [album.folder]))
        finish(merge_annotator(carla, archive))
        assert carla.audits.agreements() == []


@pytest.mark.parametrize("value", ["3", "[1]", '[["a"], 3, 4, 5]', '[[["a", "b"], "yesterday", true, []]]', "{"])
def test_invalid_records_are_left_out(people: dict[str, Library], value: str) -> None:
    anna = people["anna"]
    with anna.journal.action("test") as action:
        action.put("setting", {"name": AGREEMENTS}, {"value": value})
    assert anna.audits.agreements() == []
