# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest

from focal_photos.browser.models.review.questions.question_matching import postponed, same_question, without
from focal_photos.browser.operations.tagging.review.review import Question


def test_settled_photos_are_removed_from_the_other_questions() -> None:
    sure, stated = np.array([0.9, 0.8, 0.6, 0.2], np.float32), np.array([0.7, 0.5, 0.4, 0.1], np.float32)
    question = Question("sea", np.array([11, 12, 13, 14]), sure, stated, 3, float(sure.sum()), ("sky",), True)
    left = without(question, np.array([12, 14, 99]))
    assert left.photo_ids.tolist() == [11, 13]
    np.testing.assert_array_equal(left.confidences, sure[[0, 2]])
    np.testing.assert_array_equal(left.stated, stated[[0, 2]])
    assert left.line == 2
    assert left.expected == pytest.approx(1.5)
    assert (left.tag, left.known, left.again) == ("sea", ("sky",), True)


def test_percentages_stay_when_photos_are_removed() -> None:
    sure = np.array([0.8, 0.3, 0.5, 0.5], np.float32)
    shown = np.array([0.55, 0.55, 0.5, 0.5])
    groups = np.array([0, 0, 1, 1])
    question = Question(None, np.array([1, 2, 3, 4]), sure, sure, 2, 2.1, groups=groups, shown=shown)
    left = without(question, np.array([1]))
    np.testing.assert_array_equal(left.shown, shown[1:])
    np.testing.assert_array_equal(left.groups, groups[1:])
    alone = Question(None, np.array([1, 2]), sure[:2], sure[:2], 1, 1.1)
    np.testing.assert_allclose(alone.shown, sure[:2])
    assert alone.groups.tolist() == [0, 1]


def turn_of(tag: str | None, ids: list[int], line: int, *, again: bool = False) -> Question:
    confidences = np.linspace(0.9, 0.5, len(ids)).astype(np.float32)
    return Question(tag, np.array(ids), confidences, confidences, line, float(confidences.sum()), (), again)


def test_questions_about_tagged_and_untagged_photos_differ() -> None:
    questions = [turn_of("sea", [1, 2, 3], 2), turn_of("sea", [4, 5], 1, again=True), turn_of("sky", [1, 2], 1)]
    assert same_question(turn_of("sea", [4, 5, 6], 1, again=True), questions) is questions[1]
    assert same_question(turn_of("sea", [4, 5, 6], 1), questions) is questions[0]
    assert same_question(turn_of("boat", [1, 2, 3], 2), questions) is None


def test_an_unnamed_question_is_matched_by_most_shared_photos() -> None:
    old = turn_of(None, [1, 2, 3, 4, 5, 6], 4)
    half, most = turn_of(None, [1, 2, 8, 9], 2), turn_of(None, [7, 4, 3, 2], 1)
    named = turn_of("sea", [1, 2, 3, 4], 4)
    assert same_question(old, [named, half, most]) is most
    assert same_question(old, [named, half]) is None, "photos below the line are not proposed"


def test_a_new_kind_of_photos_that_were_left_open_comes_last() -> None:
    left, half = turn_of(None, [1, 2, 3, 9], 3), turn_of(None, [3, 4, 5, 6], 2)
    named, again = turn_of("sea", [1, 2, 3], 3), turn_of("sky", [7], 1, again=True)
    found = postponed([left, half, named, again], {1, 2, 3})
    assert found[:3] == [half, named, again], "tags, and kinds with half their photos open, keep their place"
    assert found[3].photo_ids.tolist() == [1, 2, 3, 9]
    assert found[3].slow
    assert postponed([left, half], {9}) == [left, half], "the photo was below the line"
