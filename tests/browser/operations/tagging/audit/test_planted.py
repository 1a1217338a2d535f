# SPDX-License-Identifier: MIT
"""Planted photos with known answers, and the quality of the people who answer them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.annotators.passes import compare_passes
from focal_photos.browser.operations.exchange.audit_records import audit_records, take_audit_records
from focal_photos.browser.operations.exchange.certificates.certificate_file import as_document
from focal_photos.browser.operations.exchange.certificates.certificate_page import certificate_page
from focal_photos.browser.operations.exchange.certificates.planted_photos import read_planted
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.audit.answer import answer_audit
from focal_photos.browser.operations.tagging.audit.certificate import read_certificate
from focal_photos.browser.operations.tagging.audit.draw import draw_audit
from focal_photos.browser.operations.tagging.audit.take_audit import inconsistency
from focal_photos.learners.evaluation.audit import PLANTED, KnownAnswers
from tests.browser.operations.three_kinds import KINDS, of_kind

TAG = KINDS[0]


@pytest.fixture
def known(three: Library) -> dict[int, set[str]]:
    """Return four photos of each kind with their known tags; all other photos are tagged."""
    found: dict[int, set[str]] = {}
    for kind in KINDS:
        photos = of_kind(three, kind)
        three.tags.change(photos[4:], [kind])
        found |= {photo_id: {kind} for photo_id in photos[:4]}
    return found


def draw(library: Library, known: dict[int, set[str]], seed: int = 0) -> None:
    finish(draw_audit(library, Ranker(library), tags=[TAG], answers=16, blind=True, planted=known, seed=seed))


def answer(library: Library, yes: set[int]) -> None:
    answer_audit(library, TAG, {one.photo_id: one.photo_id in yes for one in library.audits.drawn()})


def records(library: Library) -> list[dict[str, object]]:
    return list(audit_records(library, lambda _library, ids: {each: {"id": each} for each in ids}))


def take(library: Library, found: list[dict[str, object]]) -> None:
    with library.journal.action("merge"):
        take_audit_records(library, found, lambda photo: photo["id"])  # type: ignore[index]


def test_planted_photos_are_mixed_in_and_are_no_part_of_the_sample(three: Library, known: dict[int, set[str]]) -> None:
    draw(three, known)
    drawn = three.audits.drawn()
    planted = [one for one in drawn if one.stratum in PLANTED]
    assert len(planted) == 8, "half of the number of answers"
    assert {one.photo_id for one in planted} == known.keys() & {one.photo_id for one in drawn}
    assert all((TAG in known[one.photo_id]) == (one.stratum == PLANTED[1]) for one in planted)
    assert sum(one.stratum == PLANTED[1] for one in planted) == 4
    places = [row for row, one in enumerate(drawn) if one.stratum in PLANTED]
    assert places[-1] - places[0] > len(drawn) / 2, "they are spread over the questions"
    audit = three.audits.all()[0]
    assert audit.photos == len(three.photos.ids()) - len(known)
    assert inconsistency(three.audits.all(), drawn) is None
    answer(three, set(of_kind(three, TAG)))
    certificate = read_certificate(three)
    assert certificate is not None
    assert certificate.drawn == certificate.answered == len(drawn) - 8
    assert [(one.name, one.answers) for one in certificate.people] == [(three.name, KnownAnswers(4, 0, 0, 4))]
    wrong = [one.photo_id for one in planted][:2]
    answer_audit(three, TAG, {each: TAG not in known[each] for each in wrong})
    again = read_certificate(three)
    assert again is not None
    assert (again.total, again.tags) == (certificate.total, certificate.tags), "they do not count for the tags"
    assert sum(again.people[0].answers[1:3]) == 2
    assert not compare_passes(three).disagreements


def test_planted_photos_that_carry_the_tag_leave_the_certificate_current(
    three: Library, known: dict[int, set[str]]
) -> None:
    three.tags.change([photo_id for photo_id, tags in known.items() if TAG in tags], [TAG])
    draw(three, known)
    answer(three, set(of_kind(three, TAG)))
    found = read_certificate(three)
    assert found is not None
    assert not found.changed
    three.tags.change(of_kind(three, KINDS[1])[4:], [TAG])
    again = read_certificate(three)
    assert again is not None
    assert again.changed


def test_careless_people_are_measured(three: Library, known: dict[int, set[str]]) -> None:
    rng = np.random.default_rng(1)
    total = np.zeros(4, dtype=int)
    for seed in range(6):
        draw(three, known, seed)
        planted = [one.photo_id for one in three.audits.drawn() if one.stratum in PLANTED]
        flipped = {each for each in planted if rng.random() < 0.25}
        answer(three, {each for each in planted if (TAG in known[each]) != (each in flipped)})
        certificate = read_certificate(three)
        assert certificate is not None
        (person,) = certificate.people
        assert person.answers.missed + person.answers.wrong == len(flipped)
        total += np.array(person.answers)
    together = KnownAnswers(*total.tolist())
    assert together.recall().low <= 0.75 <= together.recall().high
    assert together.precision().low <= 0.75 <= together.precision().high


def test_the_answers_of_other_people_are_merged_once(three: Library, known: dict[int, set[str]]) -> None:
    draw(three, known)
    answer(three, set(of_kind(three, TAG)))
    lines = records(three)
    assert lines[0]["counts"] == [4, 0, 0, 4]
    anna = [{**lines[0], "person": "anna", "counts": [3, 1, 2, 2]}, *lines[1:]]
    for _ in range(2):
        take(three, anna)
        take(three, lines)
    certificate = read_certificate(three)
    assert certificate is not None
    assert [(one.name, tuple(one.answers)) for one in certificate.people] == [
        (three.name, (4, 0, 0, 4)),
        ("anna", (3, 1, 2, 2)),
    ]
    document = as_document(certificate)["people"][1]
    assert document["precision"]["value"] == pytest.approx(0.6)
    assert document["recall"]["value"] == pytest.approx(0.75)
    page = certificate_page(certificate, "mine")
    assert re.search(r"<td[^>]*>anna</td><td[^>]*>8</td><td[^>]*>60 % \(", page)
    assert [one["person"] for one in records(three)[:2]] == ["anna", three.name], "exports include them"
    take(three, [{**anna[0], "counts": [1, 2, 3]}])
    take(three, [{**anna[0], "at": "yesterday"}])
    assert read_certificate(three) == certificate, "invalid records are left out"


def test_answers_to_planted_photos_do_not_become_those_of_another_user(
    three: Library, known: dict[int, set[str]]
) -> None:
    draw(three, known)
    answer(three, set(of_kind(three, TAG)))
    lines = records(three)
    for _ in range(2):
        three.journal.undo()
    assert not three.audits.drawn()
    take(three, [{**lines[0], "person": "anna"}, *lines[1:]])
    drawn = three.audits.drawn()
    assert drawn
    assert all((one.present is None) == (one.stratum in PLANTED) for one in drawn)
    certificate = read_certificate(three)
    assert certificate is not None
    assert [one.name for one in certificate.people] == ["anna"]
    three.journal.undo()
    assert not three.audits.people(), "undo takes the merge back"


def test_known_tags_are_read_from_a_list_or_from_folders(three: Library, tmp_path: Path) -> None:
    first, other = (of_kind(three, kind)[0] for kind in KINDS[:2])
    paths = {photo.id: photo.path for photo in three.photos.get([first, other])}
    file = tmp_path / "known.jsonl"
    lines = [{"path": str(paths[first]), "tags": ["animal/fox"]}, {"path": str(paths[other]), "tags": []}]
    file.write_text("\n".join(map(json.dumps, lines)))
    assert read_planted(three, file) == {first: {"animal/fox", "animal"}, other: set()}
    copy = tmp_path / "known" / "fox" / "renamed.jpg"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(paths[first].read_bytes())
    assert read_planted(three, tmp_path / "known") == {first: {"fox"}}
    (tmp_path / "known" / "fox" / "strange.jpg").write_bytes(b"unknown")
    with pytest.raises(OperationError, match=r"strange\.jpg is not in the library"):
        read_planted(three, tmp_path / "known")
    file.write_text("")
    with pytest.raises(OperationError, match="no photos"):
        read_planted(three, file)
    file.write_text(json.dumps({"path": str(paths[first]), "tags": [""]}))
    with pytest.raises(OperationError, match="line 1"):
        read_planted(three, file)


def test_planted_photos_need_an_audited_tag(three: Library, known: dict[int, set[str]]) -> None:
    with pytest.raises(OperationError, match=TAG):
        draw(three, {photo_id: {"elsewhere"} for photo_id in known})
