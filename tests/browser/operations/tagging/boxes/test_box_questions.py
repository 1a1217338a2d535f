# SPDX-License-Identifier: MIT
"""Questions about suggested boxes, and the record of their answers."""

from __future__ import annotations

import pytest

from focal_photos.browser.catalog.facts.learning.boxes import BoxError
from focal_photos.browser.catalog.facts.records import Region, TagSource
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.tagging.boxes.box_questions import answer_boxes, box_questions
from focal_photos.browser.operations.tagging.review.question_scope import QuestionScope
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


def test_answers_draw_and_reject_in_one_step(bare: Library) -> None:
    good, bad, gone = photo(bare, "0-0.png"), photo(bare, "0-1.png"), 10_000
    changes = answer_boxes(bare, "kind0", [(good, region_of(0)), (gone, region_of(1))], [(bad, region_of(1))])
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


def test_an_invalid_region_saves_nothing(bare: Library) -> None:
    one, other = photo(bare, "0-0.png"), photo(bare, "0-1.png")
    with pytest.raises(BoxError):
        answer_boxes(bare, "kind0", [(one, region_of(0)), (other, Region(0.5, 0.5, 0.5, 0.6))], [])
    assert bare.boxes.all() == []
