# SPDX-License-Identifier: MIT
from __future__ import annotations

import dataclasses
import json
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.learning.audits import AuditStratum, DrawnPhoto, TagAudit
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.certificates.audit_table import read_answers, write_questions
from focal_photos.browser.operations.exchange.certificates.certificate_file import (
    as_document,
    as_json,
    write_certificate,
)
from focal_photos.browser.operations.exchange.certificates.certificate_page import (
    BLIND,
    CHANGED,
    certificate_page,
    percent,
    sentence,
)
from focal_photos.browser.operations.exchange.export_data_set import save_photos
from focal_photos.browser.operations.exchange.export_file import output_file
from focal_photos.browser.operations.exchange.formats import FORMATS
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.tagging.audit.audited_state import audited_state
from focal_photos.browser.operations.tagging.audit.certificate import Certificate, TagCertificate, read_certificate
from focal_photos.learners.evaluation.audit import Estimate, TagEstimate


def example() -> Certificate:
    found = TagEstimate(Estimate(0.97, 0.913, 0.998), Estimate(3.2, 0, 9), Estimate(0.964, 0.941, 1.0))
    tags = (
        TagCertificate("<b>fox</b> & co", 90, 50, 50, 1, 2, found, Estimate(0.9, 0.8, 0.95), False),
        TagCertificate("owl", 9, 5, 50, 0, 0, found, Estimate(1.0, 0.6, 1.0), True),
    )
    return Certificate("folder: woods", 1200, datetime(2026, 5, 4, 3, 2, tzinfo=UTC), tags, found, 55, 100)


@pytest.fixture
def audited(indexed: Library) -> Library:
    """Library with three photos tagged "sea" and a half-answered audit of the tag."""
    ids = indexed.photos.ids("-missing").tolist()
    indexed.tags.change(ids[:3], ["sea"])
    drawn = [DrawnPhoto("sea", ids[0], 7), DrawnPhoto("sea", ids[1], 7), DrawnPhoto("sea", ids[4], 1)]
    strata = AuditStratum(1, len(ids) - 3, 0.05), AuditStratum(7, 3, 0.9)
    state = audited_state(indexed, ["sea"], drawn, whole=True)["sea"]
    audit = TagAudit("sea", "", len(ids), True, strata, state, datetime.now(UTC))
    indexed.audits.begin([audit], drawn)
    indexed.audits.answer("sea", {ids[0]: True, ids[4]: False})
    return indexed


def test_a_certificate_is_written_as_json() -> None:
    found = {
        "precision": {"value": 0.97, "low": 0.913, "high": 0.998},
        "missing": {"value": 3.2, "low": 0, "high": 9},
        "recall": {"value": 0.964, "low": 0.941, "high": 1.0},
    }
    agreement = {"value": 0.9, "low": 0.8, "high": 0.95}
    counts = {"photos": 90, "answered": 50, "drawn": 50, "wrong_found": 1, "missing_found": 2, "out_of_date": False}
    document = json.loads(as_json(example()))
    assert document["tags"][0] == {"tag": "<b>fox</b> & co", **counts, **found, "agreement": agreement}
    assert document["tags"][1]["out_of_date"]
    assert document["total"] == found
    assert (document["scope"], document["photos"], document["begun"]) == (
        "folder: woods", 1200, "2026-05-04T03:02:00.000000",
    )  # fmt: skip
    assert (document["answered"], document["drawn"], document["out_of_date"]) == (55, 100, True)


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br", "link", "img"):
            self.open.append(tag)
        self.links += [str(value) for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data.strip())


def test_the_page_is_complete_and_needs_no_other_file() -> None:
    text = certificate_page(example(), "My <library>")
    page = _Page()
    page.feed(text)
    assert not page.open, "all elements are closed"
    assert not page.links
    assert "url(" not in text
    both = "At least 91 % of the given tags are right, and at least 94 % of the tags that photos should have are given."
    assert both in page.texts
    assert "<b>fox</b> & co" in page.texts, "names are text, not markup"
    assert "97 % (91\N{EN DASH}100)" in page.texts
    assert "3 (0\N{EN DASH}9)" in page.texts
    assert f"* {CHANGED}" in page.texts, "the mark of its tags is explained"
    assert text.count('data-column="Still missing"') == len(example().tags) + 1, "a small screen has no heads"
    assert "0.90 (0.80\N{EN DASH}0.95)" in page.texts, "kappa"
    assert BLIND not in text
    assert BLIND in certificate_page(dataclasses.replace(example(), blind=True), "mine")
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def test_the_page_can_be_translated() -> None:
    words = {"Still missing": "Fehlt noch"}
    text = certificate_page(example(), "Fotos", lambda source: words.get(source, source))
    assert "Fehlt noch" in text


def test_interval_ends_are_rounded_outwards() -> None:
    assert percent(Estimate(0.955, 0.949, 0.951)) == "96 % (94\N{EN DASH}96)"
    assert percent(Estimate(1.0, 1.0, 1.0)) == "100 % (100\N{EN DASH}100)"
    one = dataclasses.replace(example(), tags=example().tags[1:])
    assert sentence(one) == (
        "At least 91 % of the photos tagged owl should have the tag, and at least 94 % of the photos that should have "
        "it do."
    )


def test_the_suffix_selects_the_format_and_other_files_are_not_overwritten(audited: Library, tmp_path: Path) -> None:
    certificate = read_certificate(audited)
    assert certificate is not None
    write_certificate(audited, certificate, tmp_path / "a.json")
    assert json.loads((tmp_path / "a.json").read_text()) == as_document(certificate)
    write_certificate(audited, certificate, tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text().startswith("<!DOCTYPE html>")
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(OperationError):
        write_certificate(audited, certificate, tmp_path / "notes.txt")
    with pytest.raises(OperationError):
        write_certificate(audited, certificate, audited.path / "a.json")
    with pytest.raises(OperationError):
        write_certificate(audited, certificate, tmp_path / "none" / "a.json")


def test_questions_can_be_answered_in_a_table(audited: Library, tmp_path: Path) -> None:
    file = tmp_path / "questions.csv"
    with output_file(file) as stream:
        assert write_questions(audited, stream) == 3
    lines = file.read_text().splitlines()
    assert lines[0] == "tag,file,hash,tagged,present"
    assert [line.rsplit(",", 2)[1:] for line in lines[1:]] == [["yes", "yes"], ["yes", ""], ["no", "no"]]
    file.write_text("\n".join([lines[0], lines[2] + "no", lines[3]]))
    changes = read_answers(audited, file)
    assert changes.label == "Audit sea: 2 photos"
    wrong = audited.audits.drawn()[1]
    assert wrong.present is False
    assert audited.tags.of([wrong.photo_id])[wrong.photo_id] == []
    audited.journal.undo()
    assert audited.tags.of([wrong.photo_id])[wrong.photo_id] == ["sea"]


@pytest.mark.parametrize("row", ["sea,{0},,yes,perhaps", "sea,/nowhere.jpg,,yes,yes"])
def test_a_table_with_a_wrong_line_changes_nothing(audited: Library, tmp_path: Path, row: str) -> None:
    first = audited.audits.drawn()[1]
    path = audited.photos.paths([first.photo_id])[0]
    file = tmp_path / "answers.csv"
    file.write_text(f"tag,file,hash,tagged,present\nsea,{path},,yes,yes\n{row.format(path)}\n")
    before = audited.audits.drawn()
    with pytest.raises(OperationError, match="line 3"):
        read_answers(audited, file)
    assert audited.audits.drawn() == before


@pytest.mark.parametrize("name", [name for name, one in FORMATS.items() if one.save_photos is not None])
def test_data_set_folders_contain_the_certificate(audited: Library, tmp_path: Path, name: str) -> None:
    form = FORMATS[name]
    report = finish(save_photos(audited, tmp_path / "saved", form))
    assert report.certificate == form.is_folder
    if form.is_folder:
        certificate = read_certificate(audited)
        assert certificate is not None
        assert json.loads((tmp_path / "saved" / "certificate.json").read_text()) == as_document(certificate)


def test_a_data_set_without_an_audit_has_no_certificate(indexed: Library, tmp_path: Path) -> None:
    indexed.tags.change(indexed.photos.ids("-missing").tolist()[:2], ["sea"])
    name = next(name for name, one in FORMATS.items() if one.save_photos is not None and one.is_folder)
    assert not finish(save_photos(indexed, tmp_path / "saved", FORMATS[name])).certificate
    assert not (tmp_path / "saved" / "certificate.json").exists()
