# SPDX-License-Identifier: MIT
"""Review in each phase: searching, asking, saving, undo, pauses, and its end."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from focal_photos.browser.catalog.store.changes import Kind
from focal_photos.browser.models.photos.scope import Scope
from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.models.review.questions.question_search import SearchState
from focal_photos.browser.models.review.review import Phase
from focal_photos.browser.operations.jobs.errors import OperationError
from focal_photos.browser.operations.tagging.review.photo_by_photo import OpenPhoto
from focal_photos.browser.operations.tagging.review.review import Question
from tests.browser.models.review.conftest import HeldReview, changes, question

SEA = question("sea", 1, 2, 3, 4)
SKY = question("sky", 5, 6, 7, 8)
KIND = question(None, 10, 11, 12, 13)
SCOPE = Scope(Collection("untagged"))


@pytest.fixture
def asking(held: HeldReview) -> HeldReview:
    """Return a review that asks about the sea, and then about the sky and a new kind."""
    held.review.open()
    held.find(SEA, SKY, KIND)
    return held


# ---------------------------------------------------------------- opening and closing
def test_opening_searches_and_shows_the_first_question(held: HeldReview) -> None:
    review = held.review
    assert review.phase is Phase.CLOSED
    review.open()
    assert (review.phase, review.busy, review.search.state) == (Phase.ASKING, True, SearchState.SEARCHING)
    assert not review.search.loaded
    held.find(SEA, SKY)
    assert (review.question, review.questions) == (SEA, [SEA, SKY])
    assert (review.busy, review.search.state, review.search.loaded) == (False, SearchState.IDLE, True)
    assert review.answers.photo_ids == (1, 2, 3, 4)
    assert review.answers.yes == [1, 2]
    assert (review.progress.photo_count, review.progress.untagged_count) == (100, 50)


def test_opening_again_continues(asking: HeldReview) -> None:
    asking.review.open()
    assert asking.runner.searches == []
    assert asking.review.question is SEA


def test_leaving_withdraws_the_question_and_ignores_changes(asking: HeldReview) -> None:
    asking.review.leave()
    assert asking.review.phase is Phase.CLOSED
    assert asking.review.question is None
    asking.change(1)
    asking.review.pause()
    assert asking.review.phase is Phase.CLOSED
    assert asking.runner.searches == []


def test_without_questions_nothing_is_asked(held: HeldReview) -> None:
    held.review.open()
    held.find()
    assert held.review.question is None
    assert not held.review.busy
    assert not held.review.accept("name")
    assert not held.review.leave_open()


# ---------------------------------------------------------------- changes by other parts
def test_changes_during_a_search_are_merged_into_one_more(asking: HeldReview) -> None:
    for photo_id in (20, 21, 22):
        asking.change(photo_id)
    assert len(asking.runner.searches) == 1
    assert asking.search_state() is SearchState.SEARCHING_AGAIN
    asking.find(SKY)
    assert asking.review.questions == [SEA, SKY, KIND], "the result is out of date"
    asking.find(SEA, SKY)
    assert asking.review.questions == [SEA, SKY]
    assert asking.search_state() is SearchState.IDLE


def test_a_shown_question_is_not_asked_again(asking: HeldReview) -> None:
    asking.change(20)
    asking.find(SKY, question("sea", 1, 2, 3, 4, 5))
    assert asking.review.question is SEA
    assert asking.review.questions == [SEA, SKY]
    asking.review.go_to(SKY)
    asking.change(20)
    asking.find(SEA, question("sky", 5, 6))
    assert asking.review.questions == [SKY, SEA]


def test_a_shown_kind_is_not_asked_again(held: HeldReview) -> None:
    held.review.open()
    held.find(KIND)
    held.change(20)
    other = question(None, 30, 31, 10)
    held.find(question(None, 10, 11, 14), other)
    assert held.review.questions == [KIND, other]


def test_a_question_whose_photos_changed_is_replaced_and_keeps_its_answers(asking: HeldReview) -> None:
    review = asking.review
    review.tiles.flip([0])
    review.tiles.flip([3])
    asking.change(2)
    now = question("sea", 1, 3, 4, 9, line=1)
    asking.find(now, SKY)
    assert review.question is now
    assert review.answers.flipped == {1, 4}
    assert review.answers.line == 1, "the user has not moved the line"
    review.tiles.move_line(3)
    asking.change(3)
    asking.find(question("sea", 1, 4, 9, line=1))
    assert review.answers.line == 3
    asking.change(1)
    asking.find(SKY)
    assert review.question is SKY, "no photo of the question is left"


@pytest.mark.parametrize("kinds", [{Kind.SUGGESTIONS}, {Kind.PHOTOS}, {Kind.ROOTS, Kind.PHOTOS, Kind.FILES}])
@pytest.mark.parametrize("shown", [SEA, KIND])
def test_work_in_the_background_does_not_replace_the_question(
    kinds: set[Kind], shown: Question, held: HeldReview
) -> None:
    review = held.review
    review.open()
    held.find(shown, SKY)
    held.announce(*kinds)
    held.find(SKY, question(shown.tag, *shown.photo_ids[::-1].tolist(), 9, line=3))
    assert review.question is shown
    held.announce(*kinds)
    held.find(SKY, names=frozenset({"sea", "sky"}))
    assert (review.question, review.questions) == (shown, [shown, SKY])


def test_a_question_whose_photos_left_the_library_is_replaced(asking: HeldReview) -> None:
    review = asking.review
    asking.announce(Kind.ROOTS, Kind.PHOTOS)
    now = question("sea", 1, 3)
    asking.find(now, SKY, present=np.array([1, 3, 5, 6, 7, 8], dtype=np.int64))
    assert review.question is now


def test_merged_tags_replace_the_question(asking: HeldReview) -> None:
    asking.announce(Kind.TAGS)
    now = question("sea", 1, 2, 3)
    asking.find(now, SKY)
    assert asking.review.question is now


def test_an_untagged_kind_stays_although_it_is_no_longer_proposed(held: HeldReview) -> None:
    held.review.open()
    held.find(KIND)
    held.change(10)
    held.find(SEA, untagged=(10, 11, 12, 13))
    assert held.review.question is KIND
    assert held.review.questions == [KIND, SEA]
    assert not held.review.current.outdated
    held.change(10)
    held.find(SEA, untagged=(11, 12, 13))
    assert held.review.question is SEA


def test_a_deleted_tag_is_not_asked_about(asking: HeldReview) -> None:
    asking.change(20)
    asking.find(SKY)
    assert asking.review.question is SKY


def test_a_question_follows_the_renamed_tag(asking: HeldReview, qtbot: QtBot) -> None:
    review = asking.review
    with qtbot.waitSignal(review.renamed):
        review.follow_name("sea", "water/sea")
    assert review.question is review.questions[0]
    assert [each.tag for each in review.questions] == ["water/sea", "sky", None]
    with qtbot.assertNotEmitted(review.renamed):
        review.follow_name("sky", "air")


def test_another_question_is_asked_first_unless_the_next_is_being_computed(asking: HeldReview) -> None:
    review = asking.review
    review.go_to(question("of another search", 1, 2))
    assert review.question is SEA
    review.go_to(SKY)
    assert (review.question, review.questions) == (SKY, [SEA, SKY, KIND])
    review.accept()
    review.go_to(SEA)
    assert review.question is SKY


# ---------------------------------------------------------------- limits
def test_other_limits_withdraw_the_question(asking: HeldReview) -> None:
    review = asking.review
    review.limit(Scope())
    assert review.question is SEA, "they are the same"
    review.limit(SCOPE)
    assert review.current.tag is None
    assert review.busy
    assert not review.questions
    asking.find(SKY)
    assert review.question is SKY
    review.leave()
    review.limit(SCOPE, frozenset({"sea"}), new_kinds=False)
    assert asking.runner.searches == []


# ---------------------------------------------------------------- pauses
def test_during_a_pause_changes_wait_until_it_ends(asking: HeldReview) -> None:
    review = asking.review
    review.pause()
    assert asking.phase() is Phase.PAUSED
    review.resume()
    assert asking.phase() is Phase.ASKING
    assert asking.runner.searches == [], "nothing has changed"
    review.pause()
    asking.change(20)
    assert asking.runner.searches == []
    review.resume()
    assert review.busy
    asking.find(SKY, SEA)
    assert review.question is SKY
    review.resume()
    assert asking.runner.searches == []


def test_a_finished_photo_is_searched_without_after_the_pause(asking: HeldReview) -> None:
    review = asking.review
    review.pause()
    review.finish_photo(7, ["sea"])
    assert review._record.finished == {7}
    assert review._record.passed == {(7, "sea")}
    review.resume()
    asking.find(SEA)
    review.reopen_photo(7, ["sea"])
    assert not review._record.finished
    assert not review._record.passed
    assert len(asking.runner.searches) == 1


# ---------------------------------------------------------------- answers
def test_an_answer_is_saved_while_the_next_question_is_searched(asking: HeldReview) -> None:
    review = asking.review
    review.current.see(4)
    review.tiles.flip([1])
    assert review.accept()
    assert review.busy
    assert not review.accept(), "not before the next question is shown"
    asking.change(1)
    assert asking.runner.searches == [], "the change is this answer"
    asking.save("sea", 1, 2)
    assert review._record.passed == {(3, "sea"), (4, "sea")}
    assert asking.editor.published == [changes("sea", 1, 2)]
    asking.find(SKY)
    assert review.question is SKY
    assert not review.busy


def test_photos_out_of_sight_are_asked_about_again(asking: HeldReview) -> None:
    review = asking.review
    review.current.see(3)
    review.current.see(2)
    review.accept()
    assert review._record.passed == {(3, "sea")}
    (answered,) = review._record.answered.tags
    assert answered.right.tolist() == [True, True, False]
    np.testing.assert_array_equal(answered.stated, SEA.stated[:3])


def test_photos_above_the_line_count_as_answered_without_scrolling(asking: HeldReview) -> None:
    asking.review.accept()
    (answered,) = asking.review._record.answered.tags
    assert answered.right.tolist() == [True, True]


def test_a_new_kind_needs_a_valid_name(held: HeldReview) -> None:
    messages: list[object] = []
    held.notices.posted.connect(messages.append)
    held.review.open()
    held.find(KIND)
    assert not held.review.accept("  ")
    assert messages == []
    assert not held.review.accept("a;b")
    assert len(messages) == 1
    assert held.review.question is KIND
    assert held.review.accept(" fox ")
    held.save("fox", 10, 11, new=["fox"])
    assert held.editor.new == ["fox"]
    assert len(held.review._record.answered.kinds) == 1
    assert not held.review._record.answered.tags


def test_settled_photos_leave_the_other_questions(held: HeldReview) -> None:
    held.review.open()
    held.find(SEA, question("sky", 2, 3, 4, 5, 6))
    held.review.accept()
    (left,) = held.review.questions
    assert left.photo_ids.tolist() == [3, 4, 5, 6]


def test_an_answer_that_cannot_be_saved_keeps_its_question(asking: HeldReview) -> None:
    review = asking.review
    review.accept()
    assert not asking.runner.writes.pop()[1](OSError()), "the runner reports the error"
    assert not review.busy
    assert (review.question, review.questions) == (SEA, [SEA, SKY, KIND])
    asking.change(20)
    assert len(asking.runner.searches) == 1, "changes are followed again"


def test_a_slow_search_shows_a_known_question(asking: HeldReview) -> None:
    review = asking.review
    review.accept()
    review._patience.timeout.emit()
    assert (review.current.tag, review.busy) == ("sky", False)


def test_photos_that_had_tags_come_last_even_in_a_slow_search(held: HeldReview) -> None:
    review = held.review
    again = question("sky", 5, 6, again=True)
    review.open()
    held.find(SEA, again)
    review.accept()
    review._patience.timeout.emit()
    assert review.busy, "photos without all their tags may come first"


def test_a_question_whose_photos_an_answer_settles_is_not_asked(asking: HeldReview) -> None:
    review = asking.review
    rest = question("shore", 1, 2, 9, line=2)  # .9, .5 and .1
    review.questions = [SEA, rest, SKY]
    review.accept()  # of photos 1 and 2, which leaves .1
    review._patience.timeout.emit()
    assert review.question is not None
    assert review.question.tag == "sky"
    assert review.leave_open()
    assert review.question is None


def test_leaving_open_saves_only_flipped_photos(asking: HeldReview) -> None:
    review = asking.review
    review.current.see(4)
    review.tiles.flip([3])
    assert review.leave_open()
    assert len(asking.runner.writes) == 1
    asking.save("sea", 4)
    asking.find(SKY, KIND)
    review.current.see(2)
    assert review.leave_open()
    assert asking.runner.writes == []
    assert review.question is KIND
    assert review._record.passed == {*((i, "sea") for i in (1, 2, 3, 4)), (5, "sky"), (6, "sky")}


def test_a_kind_left_open_comes_after_the_others(held: HeldReview) -> None:
    review, other = held.review, question(None, 20, 21, 22)
    review.open()
    held.find(KIND, other)
    review.leave_open()
    assert review.question is other
    assert held.runner.searches == []
    review.leave_open()
    assert review.question is None
    assert len(held.runner.searches) == 1, "photos are now asked about one by one"


def test_photos_are_asked_about_one_by_one_once_the_questions_are_slow(held: HeldReview) -> None:
    review, photos, asked = held.review, [OpenPhoto(1, (), (), 0)], list[object]()
    review.photos_found.connect(asked.append)
    review.open()
    held.find(SEA, photos=photos)
    assert asked == [photos]
    review.leave_open()
    held.runner.searches.pop()[0](photos)
    assert asked == [photos, photos]
    review.skip_photos()
    held.change(20)
    held.find(question("sky", 5, 6))
    review.leave_open()
    assert held.runner.searches == []


@pytest.mark.parametrize("kind", ["slow", "again"])
def test_single_photos_replace_no_question_that_the_user_looks_at(kind: str, held: HeldReview) -> None:
    review, photos, asked = held.review, [OpenPhoto(1, (), (), 0)], list[object]()
    review.photos_found.connect(asked.append)
    late = question("sky", 5, 6, **{kind: True})
    review.open()
    held.find(SEA, late)
    assert review.leave_open()
    assert (review.question, review.busy) == (SEA, True), "the late question would be replaced by the single photos"
    held.runner.searches.pop()[0](photos)
    assert (review.question, review.busy, asked) == (late, False, [photos])
    held.change(20)
    held.find(late, photos=photos)
    assert asked == [photos]


def test_a_late_question_is_shown_if_no_single_photo_is_found(held: HeldReview) -> None:
    asked: list[object] = []
    held.review.photos_found.connect(asked.append)
    late = question("sky", 5, 6, slow=True)
    held.review.open()
    held.find(SEA, late)
    held.review.leave_open()
    held.runner.searches.pop()[0]([])
    assert (held.review.question, held.review.busy, asked) == (late, False, [])


def test_no_photos_are_asked_about_after_the_end(held: HeldReview) -> None:
    asked: list[object] = []
    held.review.photos_found.connect(asked.append)
    held.review.open()
    held.review.leave()
    held.find(photos=[OpenPhoto(1, (), (), 0)])
    assert asked == []


def test_the_pace_counts_the_tagged_photos_of_each_answer(asking: HeldReview) -> None:
    review = asking.review
    review.leave_open()
    review.tiles.flip([2])
    review.accept()
    asking.save("sky", 5, 6, 7)
    asking.find(KIND)
    review.leave_open()
    assert [count for _, count in review.progress.pace._answers] == [0, 3, 0]


# ---------------------------------------------------------------- undo and redo
def test_undo_asks_a_question_again_with_its_answers(asking: HeldReview) -> None:
    review = asking.review
    review.current.see(4)
    review.tiles.flip([0])
    review.accept()
    asking.save("sea", 1, 2)
    asking.find(SKY)
    undone = changes("sea", 1, 2)
    asking.editor.undone.emit(undone)
    assert review.question is SEA
    assert review.answers.flipped == {1}
    assert review.questions == [SEA, SKY]
    assert not review._record.passed
    assert not review._record.answered.tags
    asking.feed.publish(undone)
    asking.find(question("sea", 2, 3, 4), SKY)
    assert review.question is SEA, "the undone change does not replace it"
    asking.editor.redone.emit(undone)
    assert review.busy
    assert review._record.passed == {(3, "sea"), (4, "sea")}
    assert len(review._record.answered.tags) == 1


def test_undo_returns_the_name_of_a_new_kind(held: HeldReview) -> None:
    held.review.open()
    held.find(KIND)
    held.review.accept("fox")
    held.save("fox", 10, 11)
    held.find(SEA)
    held.editor.undone.emit(changes("another action", 10, 11))
    assert held.review.question is SEA
    held.editor.undone.emit(changes("fox", 10, 11))
    assert (held.review.question, held.review.current.name) == (KIND, "fox")


def test_pairs_left_open_after_an_answer_stay_open_when_it_is_undone(asking: HeldReview) -> None:
    review = asking.review
    review.accept()
    asking.save("sea", 1, 2)
    asking.find(SKY)
    review.current.see(4)
    review.leave_open()
    left = {(photo_id, "sky") for photo_id in (5, 6, 7, 8)}
    assert review._record.passed == left
    asking.editor.undone.emit(changes("sea", 1, 2))
    assert review._record.passed == left
    asking.editor.redone.emit(changes("sea", 1, 2))
    assert review._record.passed == left


@pytest.mark.parametrize("when", ["closed", "paused", "saving"])
def test_undo_at_another_time_asks_nothing(asking: HeldReview, when: str) -> None:
    review = asking.review
    review.accept()
    asking.save("sea", 1, 2)
    asking.find(SKY, KIND)
    if when == "closed":
        review.leave()
    elif when == "paused":
        review.pause()
    else:
        review.accept()
    asking.editor.undone.emit(changes("sea", 1, 2))
    assert review.question is (None if when == "closed" else SKY)
    assert review._saver._saved == []


# ---------------------------------------------------------------- the end of a search
def test_a_failed_search_reports_its_reason(asking: HeldReview) -> None:
    review = asking.review
    asking.change(20)
    assert asking.runner.searches.pop()[1](OperationError("no photo is described yet"))
    assert review.question is None
    assert review.search.obstacle == "no photo is described yet"
    asking.change(20)
    assert review.search.obstacle == ""
    assert not asking.runner.searches.pop()[1](ValueError()), "the runner reports it"
    assert not review.busy


def test_a_cancelled_search_continues_with_known_questions(asking: HeldReview) -> None:
    review = asking.review
    review.accept()
    asking.save("sea", 1, 2)
    asking.runner.searches.pop()[2]()
    assert (review.current.tag, review.busy) == ("sky", False)
    assert review.search.obstacle == ""
    review.leave()
    review.open()
    review.questions = []
    asking.runner.searches.pop()[2]()
    assert review.question is None
    assert "stopped" in review.search.obstacle


# ---------------------------------------------------------------- progress
def test_a_round_ends_when_half_as_many_more_photos_are_tagged(held: HeldReview, qtbot: QtBot) -> None:
    review = held.review
    review.open()
    held.find(right=dict.fromkeys(range(9), True))
    for wrong, count, gain in (
        (8, 10, None),
        (4, 14, (0.2, 0.6, 10)),
        (2, 15, (0.2, 0.8, 10)),
        (0, 16, (13 / 15, 1.0, 15)),
    ):
        held.change(99)
        held.find(right={photo_id: photo_id >= wrong for photo_id in range(count)})
        gained = review.progress.gained
        assert (gained and (gained.before, gained.after, gained.photos)) == (gain and pytest.approx(gain))
    held.change(99)
    held.find(right={})
    assert review.progress.gained is None, "the tags were undone"


def test_a_metric_is_trained_when_half_as_many_more_photos_are_tagged(held: HeldReview, qtbot: QtBot) -> None:
    review, trainings = held.review, list[None]()
    review.progress.retrain_wanted.connect(lambda: trainings.append(None))
    review.open()
    held.find(tagged_count=9, retrains=True)
    assert trainings == [], "too few"
    for count, number in ((10, 1), (14, 1), (15, 2), (16, 2)):
        held.change(99)
        held.find(tagged_count=count, retrains=True)
        assert len(trainings) == number, "without a gain, the metric in use knows no tag"
    for state, number in (
        ({"tagged_count": 30, "retrains": False}, 2),
        ({"tagged_count": 60, "metric_tagged": 50}, 2),
        ({"tagged_count": 8, "metric_tagged": 0}, 2),
        ({"tagged_count": 12, "metric_tagged": 0}, 3),
    ):
        held.change(99)
        held.find(**{"retrains": True, **state})
        assert len(trainings) == number, "switched off, seen by the metric, undone, tagged again"
