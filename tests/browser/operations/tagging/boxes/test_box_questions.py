# SPDX-License-Identifier: MIT
"""Questions about suggested boxes, and the record of their answers."""

from __future__ import annotations

import numpy as np
import pytest

from focal_photos.browser.catalog.facts.learning.boxes import BoxError
from focal_photos.browser.catalog.facts.records import Region, TagSource
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.tagging.boxes.box_questions import answer_boxes, box_questions
from focal_photos.browser.operations.tagging.boxes.suggest_boxes import SuggestedBox, suggest_boxes
from focal_photos.browser.operations.tagging.review.question_scope import QuestionScope
from focal_photos.browser.operations.tagging.review.review import EVERY_TAG, Question
from focal_photos.learners.tags.confidence.answered import Answered
from tests.browser.operations.tagging.boxes.test_suggest_boxes import bare as bare
from tests.browser.operations.tagging.boxes.test_suggest_boxes import drawn as drawn
from tests.browser.operations.tagging.boxes.test_suggest_boxes import photo, region_of


def test_a_question_for_each_tag_has_its_boxes_the_surest_first(drawn: Library) -> None:
    questions = finish(box_questions(drawn))
    assert {question.tag for question in questions} == {"kind0", "kind1"}
    for question in questions:
        sure = question.confidences.tolist()
        assert sure == sorted(sure, reverse=True)
        assert question.line == sum(one >= 0.5 for one in sure)
        assert question.expected == pytest.approx(sum(sure))
        assert question.regions is not None
        assert question.regions.shape == (len(sure), 4)
        part = question.taken(question.photo_ids == question.photo_ids[0])
        assert part.regions is not None
        assert part.regions.tolist() == [question.regions[0].tolist()]


def test_photos_left_open_other_tags_and_photos_outside_the_scope_are_not_asked_about(drawn: Library) -> None:
    (first, *_) = finish(box_questions(drawn))
    assert first.tag is not None
    passed = [(photo_id, first.tag) for photo_id in first.photo_ids.tolist()]
    assert first.tag not in {question.tag for question in finish(box_questions(drawn, passed=passed))}
    left_out = QuestionScope(left_out=frozenset({first.tag}))
    assert first.tag not in {question.tag for question in finish(box_questions(drawn, scope=left_out))}
    here = first.photo_ids[:1]
    found = finish(box_questions(drawn, scope=QuestionScope(here)))
    assert {photo_id for question in found for photo_id in question.photo_ids.tolist()} <= set(here.tolist())


def test_photos_are_asked_about_however_unlikely_they_are(drawn: Library) -> None:
    likely, every = (finish(suggest_boxes(drawn, min_confidence=least)) for least in (0.1, 1e-6))
    assert 0 < len(likely) < len(every)
    assert min(one.confidence for one in likely) >= 0.1
    asked = {(photo_id, q.tag) for q in finish(box_questions(drawn)) for photo_id in q.photo_ids.tolist()}
    assert asked == {(one.photo_id, one.tag) for one in every}


def test_answers_to_former_questions_correct_the_confidences_but_not_the_order(drawn: Library) -> None:
    (before, *_) = finish(box_questions(drawn))
    found = Answered(np.full(10, 0.05), np.ones(10, np.bool_))
    (after,) = [one for one in finish(box_questions(drawn, answered=[found])) if one.tag == before.tag]
    np.testing.assert_array_equal(after.photo_ids, before.photo_ids)
    np.testing.assert_array_equal(after.stated, before.stated)
    assert (after.confidences > before.confidences).all()
    assert after.line > before.line
    assert after.expected == pytest.approx(float(after.confidences.sum()))


def test_from_three_tags_on_the_first_question_shows_each_photo_once(drawn: Library) -> None:
    assert EVERY_TAG not in {question.tag for question in finish(box_questions(drawn))}
    drawn.boxes.add([(photo(drawn, f"plain-{number}.png"), region_of(number), "kind2") for number in (0, 1)])
    every, *others = finish(box_questions(drawn))
    assert every.tag == EVERY_TAG
    assert [question.tag for question in others].count(EVERY_TAG) == 0
    assert len(set(every.photo_ids.tolist())) == len(every.photo_ids) == len(every.tags)
    best: dict[int, SuggestedBox] = {}
    for one in finish(suggest_boxes(drawn, min_confidence=1e-6)):
        best.setdefault(one.photo_id, one)
    assert dict(zip(every.photo_ids.tolist(), every.tags, strict=True)) == {
        photo_id: one.tag for photo_id, one in best.items()
    }
    part = every.taken(np.arange(len(every.photo_ids)) >= 2)
    assert part.tags == every.tags[2:]
    first = int(every.photo_ids[0])
    later = finish(box_questions(drawn, passed=[(first, EVERY_TAG)]))
    assert all(first not in question.photo_ids for question in later), "the photo is settled for each tag"
    (again, *_) = finish(box_questions(drawn, passed=[(first, every.tags[0])]))
    assert first not in again.photo_ids or again.tags[again.photo_ids.tolist().index(first)] != every.tags[0]


def test_a_question_without_likely_photos_comes_last_and_on_request_only(drawn: Library) -> None:
    every = finish(box_questions(drawn))
    assert not any(question.late for question in every)
    wrong = Answered(np.full(100, 0.5), np.zeros(100, np.bool_))
    after = finish(box_questions(drawn, answered=[wrong] * 50, passed=_likely(every)))
    assert {question.late for question in after} == {True}
    assert all(question.expected < 0.1 for question in after)
    assert all(len(question.photo_ids) for question in after)


def _likely(questions: list[Question]) -> list[tuple[int, str]]:
    """Return the photos of questions that are not the least likely ones, with their tags."""
    return [(photo_id, str(one.tag)) for one in questions for photo_id in one.photo_ids[:-2].tolist()]


def test_answers_draw_and_reject_in_one_step(bare: Library) -> None:
    good, bad, gone = photo(bare, "0-0.png"), photo(bare, "0-1.png"), 10_000
    changes = answer_boxes(
        bare, [(good, region_of(0), "kind0"), (gone, region_of(1), "kind0")], [(bad, region_of(1), "kind0")]
    )
    assert str(changes.label) == "Review boxes of kind0: 1 box, not 1"
    (box,) = bare.boxes.all()
    assert (box.photo_id, box.region, box.tag, box.source) == (good, region_of(0), "kind0", TagSource.ACCEPTED)
    (rejected,) = bare.boxes.rejected()
    assert (rejected.photo_id, rejected.region, rejected.tag) == (bad, region_of(1), "kind0")
    assert bare.tags.of([good])[good] == ["kind0"]
    bare.journal.undo()
    assert bare.boxes.all() == []
    assert bare.boxes.rejected() == []
    assert bare.tags.of([good])[good] == []


def test_answers_about_boxes_of_several_tags_are_one_step(bare: Library) -> None:
    one, other, third = (photo(bare, f"{name}.png") for name in ("0-0", "1-0", "1-1"))
    changes = answer_boxes(
        bare, [(one, region_of(0), "kind0"), (other, region_of(1), "kind1")], [(third, region_of(1), "kind0")]
    )
    assert str(changes.label) == "Review boxes of 2 tags: 2 boxes, not 1"
    assert {(box.photo_id, box.tag) for box in bare.boxes.all()} == {(one, "kind0"), (other, "kind1")}
    bare.journal.undo()
    assert bare.boxes.all() == []
    assert bare.boxes.rejected() == []


def test_an_invalid_region_saves_nothing(bare: Library) -> None:
    one, other = photo(bare, "0-0.png"), photo(bare, "0-1.png")
    with pytest.raises(BoxError):
        answer_boxes(bare, [(one, region_of(0), "kind0"), (other, Region(0.5, 0.5, 0.5, 0.6), "kind0")], [])
    assert bare.boxes.all() == []
