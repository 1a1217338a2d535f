# SPDX-License-Identifier: MIT
"""The review in the real window: by keys, by mouse, undone in one step."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QToolButton

from focal_photos.browser.models.base.notices import MessageAction
from focal_photos.browser.models.review.review import Phase
from focal_photos.browser.operations.tagging.review.photo_by_photo import OpenPhoto
from focal_photos.browser.operations.tagging.review.review import Question
from focal_photos.browser.views.base.buttons import FreshButton
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.models.conftest import cancelled_at_once
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.review.review_driver import ReviewDriver

Key = Qt.Key


@contextmanager
def quickly() -> Iterator[None]:
    """Make presses and clicks count as quick, even on a busy machine."""
    interval = QApplication.doubleClickInterval()
    QApplication.setDoubleClickInterval(600_000)
    try:
        yield
    finally:
        QApplication.setDoubleClickInterval(interval)


def test_a_new_kind_is_named_by_typing_and_undone_in_one_step(reviewing: ReviewDriver) -> None:
    review = reviewing.review
    assert review.question is not None
    assert review.question.tag is None, "without tags, the first question is an unnamed group"
    yes, no = set(review.answers.yes), review.answers.photo_ids[0]
    assert len(yes) > 1
    reviewing.click(0)
    for letter in "sea":
        reviewing.driver.type(letter)
    assert reviewing.questions.heading.field.text() == "sea", "letters typed over the photos go to the name"
    reviewing.press(Key.Key_Return)
    reviewing.wait()
    tagged = {photo_id for photo_id, names in reviewing.tags().items() if names == ["sea"]}
    assert tagged == yes - {no}
    assert reviewing.rejected() == {(no, "sea")}
    reviewing.press(Key.Key_Z, CTRL)
    reviewing.wait()
    assert not any(reviewing.tags().values()), "the whole answer is one step"
    assert not reviewing.rejected()
    assert reviewing.driver.session.overview.now.undo is None


def test_enter_in_the_empty_field_takes_the_proposed_name(reviewing: ReviewDriver) -> None:
    library, review = reviewing.driver.session.library, reviewing.review

    def folders(question: Question) -> Counter[str]:
        return Counter(path.parent.name for path in library.photos.paths(question.photo_ids[: question.line]))

    review.go_to(max(review.questions, key=lambda one: max(folders(one).values()) / one.line))
    assert review.question is not None
    ((folder, _),) = folders(review.question).most_common(1)
    driver, field = reviewing.driver, reviewing.questions.heading.field
    driver.wait_until(lambda: field.placeholderText() == f"Enter: {folder}, or type a name", "the proposed name")
    yes = set(reviewing.review.answers.yes)
    reviewing.press(Key.Key_Return)
    reviewing.wait()
    assert {photo_id for photo_id, names in reviewing.tags().items() if names == [folder]} == yes
    assert driver.message_text == f"New tag: {folder}"


def test_enter_without_a_name_requests_one(reviewing: ReviewDriver) -> None:
    reviewing.driver.session.review_pages.proposed.names.clear()  # as if the photos were in one folder
    reviewing.click(0)
    assert reviewing.grid.hasFocus()
    reviewing.press(Key.Key_Return)
    assert reviewing.questions.heading.field.hasFocus()
    assert not reviewing.review.busy
    assert "needs a name" in reviewing.driver.message_text, "otherwise Enter seems to do nothing"
    asked = reviewing.review.question
    reviewing.press(Key.Key_Tab)
    reviewing.wait()
    assert reviewing.review.question is not asked, "Tab does what the message announces"


def leave_open(driver: ReviewDriver) -> set[int]:
    """Leave a group without a name open, and return its proposed photos."""
    first = driver.review.question
    assert first is not None
    assert first.tag is None
    driver.press(Key.Key_Tab)
    driver.wait()
    return set(first.photo_ids[: first.line].tolist())


def answer_another(driver: ReviewDriver, left: set[int], name: str) -> None:
    """Answer the present question, which is not about most of the photos left open."""
    question = driver.review.question
    assert question is not None
    assert len(left & set(question.photo_ids[: question.line].tolist())) <= question.line / 2
    if question.tag is None:
        driver.driver.type(name)
    driver.press(Key.Key_Return)
    driver.wait()


def test_a_skipped_group_returns_only_after_reopening(reviewing: ReviewDriver) -> None:
    left = leave_open(reviewing)
    answer_another(reviewing, left, "kind")  # only one: of few remaining photos, Review would ask one by one
    reviewing.press(Key.Key_Escape)
    reviewing.open()
    questions = [question for question in reviewing.review.questions if question.tag is None]
    shown = [set(question.photo_ids[: question.line].tolist()) for question in questions]
    assert any(len(left & each) > len(each) / 2 for each in shown)


def test_enter_tags_photos_above_the_line_and_flipped_ones_below(taught: ReviewDriver) -> None:
    review = taught.review
    question = review.question
    assert question is not None
    assert question.tag is not None
    ids, tag = question.photo_ids.tolist(), question.tag
    review.tiles.move_line(3)
    taught.click(1)
    taught.click(5)
    assert review.answers.yes == [ids[0], ids[2], ids[5]]
    taught.press(Key.Key_Return)
    taught.wait()
    tags = taught.tags()
    assert [tag in tags[photo_id] for photo_id in ids[:7]] == [True, False, True, False, False, True, False]
    assert taught.rejected() == {(ids[1], tag)}, "photos below the line stay open"
    assert taught.review.question is not question, "the next question is shown"


def test_tab_answers_only_flipped_photos(taught: ReviewDriver) -> None:
    review = taught.review
    assert review.question is not None
    ids, tag = review.question.photo_ids.tolist(), review.question.tag
    review.tiles.move_line(3)
    taught.click(0)
    taught.click(4)
    before = sum(map(len, taught.tags().values()))
    taught.press(Key.Key_Tab)
    taught.wait()
    assert taught.tags()[ids[4]] == [tag]
    assert sum(map(len, taught.tags().values())) == before + 1
    assert taught.rejected() == {(ids[0], tag)}
    assert review.question is not None
    assert review.question.tag != tag


def test_a_group_is_answered_by_keys_alone(taught: ReviewDriver) -> None:
    review = taught.review
    assert taught.grid.hasFocus()
    review.tiles.move_line(0)
    for key, line in ((Key.Key_Down, taught.grid.columns), (Key.Key_Right, taught.grid.columns + 1)):
        taught.press(key, CTRL)
        assert review.answers.line == min(line, len(review.answers.photo_ids))
    taught.press(Key.Key_Left, CTRL)
    taught.press(Key.Key_Up, CTRL)
    assert review.answers.line == 0
    for _ in range(2):
        taught.press(Key.Key_Right)
    taught.press(Key.Key_L)
    assert review.answers.line == 3
    taught.press(Key.Key_Space)
    assert review.answers.no == [review.answers.photo_ids[2]]
    taught.press(Key.Key_Space)
    assert review.answers.no == []
    taught.press(Key.Key_Left, SHIFT)
    taught.press(Key.Key_Space)
    assert review.answers.no == list(review.answers.photo_ids[1:3]), "Shift selects a range"


def test_a_group_is_answered_by_mouse_alone(taught: ReviewDriver) -> None:
    review, page = taught.review, taught.page
    question = review.question
    assert question is not None
    assert question.tag is not None
    labels = [one.text() for one in page.findChildren(QLabel) if one.isVisible()]
    (left,) = [text for text in labels if re.search(r"\d+ of \d+", text)]
    assert left.endswith(" left")
    review.tiles.move_line(0)
    QTest.mouseClick(taught.grid.viewport(), Qt.MouseButton.LeftButton, pos=taught.center(1))
    chosen = review.answers.photo_ids[1]
    QTest.mouseClick(page.question_page.foot.accept_button, Qt.MouseButton.LeftButton)
    taught.wait()
    assert taught.tags()[chosen] == [question.tag]
    assert review.question is not question


def test_a_group_of_a_known_kind_needs_no_typing(reviewing: ReviewDriver) -> None:
    review, page = reviewing.review, reviewing.page
    reviewing.driver.type("sea")
    reviewing.press(Key.Key_Return)
    reviewing.wait()
    kind = next(each for each in review.questions if each.tag is None)
    assert kind.known == ("sea",)
    review.go_to(kind)
    first = review.answers.photo_ids[0]
    chip = page.question_page.key_bar.findChild(FreshButton, "known sea")
    assert chip is not None
    assert chip.text() == "1  sea"
    QTest.mouseMove(chip, QPoint(2, 2))
    QTest.mouseMove(chip, chip.rect().center())
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    reviewing.wait()
    assert reviewing.tags()[first] == ["sea"]


def test_two_fingers_scroll_and_a_tap_flips_on_a_touch_pad(taught: ReviewDriver) -> None:
    grid, review = taught.grid, taught.review
    taught.driver.window.resize(900, 520)
    review.go_to(max(review.questions, key=lambda question: len(question.photo_ids)))
    taught.driver.wait_until_idle("the question")
    review.tiles.move_line(0)
    bar = grid.verticalScrollBar()
    assert bar.maximum() > 0
    for _ in range(12):
        scroll(grid, -9)
    assert bar.value() == min(108, bar.maximum()), "the view scrolls by pixels"
    assert not review.answers.flipped
    place = grid.viewport().rect().center()
    row = grid.indexAt(place).row()
    assert row >= 0
    QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert review.answers.yes == [review.answers.photo_ids[row]]
    for _ in range(30):
        scroll(grid, 9)
    assert bar.value() == 0
    # A two-finger tap is the right button: it moves the line without a drag.
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, taught.center(2), QPoint())
    QApplication.sendEvent(grid.viewport(), event)
    assert review.answers.line == 3


def scroll(grid: QAbstractItemView, pixels: int) -> None:
    """Move two fingers on a touch pad, which sends small steps in pixels."""
    viewport = grid.viewport()
    place = QPointF(viewport.rect().center())
    event = QWheelEvent(
        place,
        QPointF(viewport.mapToGlobal(place.toPoint())),
        QPoint(0, pixels),
        QPoint(0, pixels),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.ScrollUpdate,
        False,
    )
    QApplication.sendEvent(viewport, event)


def test_answers_correct_the_confidence_of_other_questions(taught: ReviewDriver) -> None:
    review = taught.review
    assert review.question is not None
    assert review.question.tag is not None
    np.testing.assert_array_equal(review.question.stated, review.question.confidences)
    shown = review.question
    review.tiles.move_line(0)
    taught.press(Key.Key_Return)
    taught.wait()
    (said,) = review._record.answered.tags
    assert not review._record.answered.kinds, "the question was about a tag"
    np.testing.assert_array_equal(said.stated, shown.stated[: len(said.right)])
    assert not said.right.any()
    seen = len(said.right)
    assert 0 < seen <= len(shown.photo_ids)
    others = [question for question in review.questions if question.tag is not None]
    assert others
    assert all(question.confidences.max() < question.stated.max() for question in others), (
        "the surest suggestions are less sure"
    )
    kind = next(question for question in review.questions if question.tag is None)
    np.testing.assert_allclose(kind.confidences, kind.stated, atol=1e-6)
    review.go_to(kind)
    QTest.keyClicks(taught.questions.heading.field, "more")
    taught.press(Key.Key_Return)
    taught.wait()
    assert len(review._record.answered.kinds) == len(review._record.answered.tags) == 1
    assert review._record.answered.kinds[0].right[: kind.line].all()


def test_the_line_and_tiles_are_dragged_and_a_double_click_flips_once(taught: ReviewDriver) -> None:
    review = taught.review
    review.tiles.move_line(0)
    taught.drag(taught.line_point(), taught.center(1), taught.center(3) + (taught.center(1) - taught.center(0)) / 3)
    assert review.answers.line == 4
    assert not review.answers.flipped
    taught.click(1, SHIFT)
    assert review.answers.line == 2, "Shift and a click move the line behind the tile"
    review.tiles.move_line(1)
    taught.drag(taught.center(2), taught.center(3), taught.center(5), taught.center(4))
    assert review.answers.yes == [review.answers.photo_ids[row] for row in (0, 2, 3, 4)]
    taught.drag(taught.center(3), taught.center(4))
    assert review.answers.yes == [review.answers.photo_ids[row] for row in (0, 2)]
    with quickly():
        taught.click(6)
        taught.click(6)
    assert review.answers.is_yes(6)


def test_a_drag_flips_the_photos_that_it_touches(taught: ReviewDriver) -> None:
    review, columns = taught.review, taught.grid.columns
    review.tiles.move_line(0)

    def flipped() -> list[int]:
        return [row for row in range(len(review.answers.photo_ids)) if review.answers.is_yes(row)]

    taught.drag(taught.center(1), taught.center(1 + columns), taught.center(2 + columns), taught.center(2))
    assert flipped() == [1, 2, 1 + columns, 2 + columns], "down, to the right, and up"
    taught.drag(taught.center(2), taught.center(1), taught.center(2), taught.center(2 + columns))
    assert flipped() == [1, 1 + columns], "back from the second photo, which is restored, and down"
    taught.drag(taught.center(3), taught.center(4 + columns))
    assert flipped() == [1, 3, 1 + columns, 4 + columns], "between the corners of two others"
    taught.drag(taught.center(columns), taught.center(columns + 3))
    assert flipped() == [1, 3, *range(columns, columns + 5)], "a fast drag misses none"
    near_the_edge = taught.center(0) + QPoint(taught.grid.gridSize().width() // 2 - 4, 0)
    taught.drag(near_the_edge, near_the_edge + QPoint(20, 0))
    assert flipped() == [0, 1, 3, *range(columns, columns + 5)], "a click that slips stays a click"


def test_a_drag_along_the_lowest_row_does_not_scroll(taught: ReviewDriver) -> None:
    grid, review = taught.page.grid, taught.review
    review.tiles.move_line(0)
    window = taught.driver.window
    window.resize(window.width(), window.minimumSizeHint().height())
    taught.driver.wait_until_idle("the smaller window")
    bar, low = grid.verticalScrollBar(), grid.viewport().height() - 5
    assert bar.maximum() > 200, "the question needs more than the visible rows"
    while grid.indexAt(QPoint(taught.center(0).x(), low)).row() < 0:
        bar.setValue(bar.value() + 5)
    before = bar.value()
    places = [QPoint(taught.center(column).x(), low) for column in range(3)]
    rows = [grid.indexAt(place).row() for place in places]
    taught.drag(*places)
    assert bar.value() == before
    assert review.answers.flipped == {review.answers.photo_ids[row] for row in rows}
    above = QPoint(places[0].x(), low - grid.gridSize().height() // 2)
    taught.drag(above, places[0], places[0] + QPoint(1, 1), places[0] + QPoint(0, 2))
    assert bar.value() > before, "a drag towards the edge scrolls"


def test_a_double_enter_answers_one_question(taught: ReviewDriver) -> None:
    review = taught.review
    assert review.question is not None
    tag = review.question.tag
    review.tiles.move_line(2)
    with quickly():
        taught.press(Key.Key_Return)
        taught.press(Key.Key_Return)
        taught.driver.wait_until_idle("the next question")
        taught.press(Key.Key_Return)
    taught.wait()
    given = {name for names in taught.tags().values() if len(names) == 1 for name in names}
    assert given
    assert taught.driver.session.overview.now.undo == f"Review {tag}: 2 photos"


@pytest.mark.slow
def test_answers_survive_a_kill(taught: ReviewDriver, open_window: OpenWindow, library_folder: Path) -> None:
    review = taught.review
    assert review.question is not None
    tag, ids = review.question.tag, review.question.photo_ids.tolist()
    review.tiles.move_line(2)
    taught.press(Key.Key_Return)
    taught.driver.wait_until(lambda: not taught.review._saver.saving, "the answer on the disk")
    copied = library_folder.parent / "copy"
    copied.mkdir()
    for file in library_folder.glob("catalog.sqlite*"):
        (copied / file.name).write_bytes(file.read_bytes())
    other = open_window(copied)
    assert [other.session.library.tags.of([photo_id])[photo_id] for photo_id in ids[:2]] == [[tag], [tag]]
    assert other.session.library.journal.undo_label() == f"Review {tag}: 2 photos"


def test_an_empty_library_shows_a_hint(open_window: OpenWindow, tmp_path: Path) -> None:
    driver = open_window(tmp_path / "empty")
    driver.press(Key.Key_G, CTRL | SHIFT)
    driver.wait_until_idle("the review")
    page = driver.window.modes.review_page
    shown = [driver.window.mode]
    assert "open a folder" in page.question_page.no_question.reason.text()
    driver.press(Key.Key_Return)
    driver.press(Key.Key_Escape)
    shown.append(driver.window.mode)
    assert shown == [Mode.REVIEW, Mode.BROWSE]


@pytest.mark.parametrize("opened", ["audit", "compare"])
def test_ask_me_next_ends_another_page_that_pauses_the_questions(taught: ReviewDriver, opened: str) -> None:
    getattr(taught.page, opened)()
    taught.driver.wait_until_idle("the page")
    paused = taught.review.phase
    taught.page.ask()
    taught.driver.wait_until_idle("the photos to ask about")
    assert (paused, taught.review.phase) == (Phase.PAUSED, Phase.ASKING)


def test_nothing_is_left_to_ask(reviewing: ReviewDriver) -> None:
    reviewing.driver.session.editor.tag(reviewing.driver.session.grid.ids.tolist(), ["all"])
    reviewing.wait()
    assert reviewing.review.question is None
    driver, foot, nothing = reviewing.driver, reviewing.questions.foot, reviewing.questions.no_question
    assert not any(each.isVisible() for each in (foot.accept_button, foot.skip_button, foot.why_button))
    assert "flips" not in foot.hint.text()
    assert nothing.reason.text().startswith("Every photo has a tag")
    assert nothing.browse_button.hasFocus()
    QTest.mouseClick(nothing.check_button, Qt.MouseButton.LeftButton)
    assert driver.window.mode is Mode.REVIEW
    assert reviewing.page.check_page.isVisible()
    driver.wait_until_idle("the likely label errors")
    driver.press(Key.Key_Escape)
    driver.wait_until(nothing.browse_button.isVisible, "the end of the review")
    driver.session.editor.tag(driver.session.grid.ids.tolist(), remove=["all"])
    reviewing.wait()
    assert foot.accept_button.isVisible()
    assert "flips" in foot.hint.text()
    driver.session.editor.undo()
    reviewing.wait()
    QTest.mouseClick(nothing.browse_button, Qt.MouseButton.LeftButton)
    assert driver.window.modes.review_page.isHidden()


def test_supporting_neighbours_are_shown_while_the_key_is_held(taught: ReviewDriver) -> None:
    from PySide6.QtTest import QTest

    review = taught.review
    assert review.question is not None
    tag = review.question.tag
    assert tag is not None
    QTest.keyPress(taught.grid, Key.Key_W)
    taught.driver.wait_until(taught.questions.supporters.strip.isVisible, "the supporting neighbours")
    cards = taught.questions.supporters.strip.cards
    assert [card.tags for card in cards] == [(tag,)]
    taught.press(Key.Key_1)
    taught.wait()
    assert taught.tags()[cards[0].photo.id] == []
    assert not taught.questions.supporters.strip.isVisible()
    QTest.keyRelease(taught.grid, Key.Key_W)


@pytest.mark.slow
def test_ten_photos_are_asked_about(driver: WindowDriver) -> None:
    driver.press(Key.Key_K, CTRL)
    driver.wait_until_idle("the photos")
    ask = driver.session.review_pages.ask_next
    assert len(ask.photo_ids) == 10
    first, second = ask.photo_ids[:2]
    driver.type("sea")
    driver.press(Key.Key_Return)
    driver.wait_until_idle("tagging")
    driver.press(Key.Key_1)
    driver.wait_until_idle("tagging")
    library = driver.session.library
    assert library.tags.of([first, second]) == {first: ["sea"], second: ["sea"]}
    for _ in range(8):
        driver.press(Key.Key_Tab)
    driver.wait_until_idle("the review")
    assert driver.session.review.question is not None
    assert driver.window.modes.review_page.grid.isVisible(), "then the questions continue"


@pytest.mark.slow
def test_undo_returns_to_the_answered_photo(driver: WindowDriver) -> None:
    driver.press(Key.Key_K, CTRL)
    driver.wait_until_idle("the photos")
    ask, page = driver.session.review_pages.ask_next, driver.window.modes.review_page

    def texts() -> list[str]:
        tiles = [page.findChild(QToolButton, f"ask{at}") for at in range(2)]
        return [tile.text() for tile in tiles if tile is not None]

    for tag in ("sea", "sky"):
        driver.type(tag)
        driver.press(Key.Key_Return)
        driver.wait_until_idle("tagging")
    assert texts() == ["sea", "sky"]
    assert ask.at == 2
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("undo")
    assert texts() == ["sea", "?"]
    assert ask.at == 1
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("undo")
    assert texts() == ["?", "?"]
    assert ask.at == 0
    driver.press(Key.Key_Z, CTRL | SHIFT)
    driver.wait_until_idle("redo")
    assert texts() == ["sea", "?"]
    assert ask.at == 1
    driver.type("lake")
    driver.press(Key.Key_Return)
    driver.wait_until_idle("tagging")
    assert texts() == ["sea", "lake"]
    assert ask.at == 2


@pytest.mark.slow
def test_undo_reverts_the_last_answer_despite_later_training(taught: ReviewDriver) -> None:
    library, review = taught.driver.session.library, taught.review
    question = review.question
    assert question is not None
    assert question.tag is not None
    before = taught.tags()
    review.tiles.move_line(12)
    taught.press(Key.Key_Return)
    taught.wait()
    answered, metric = taught.tags(), library.metrics.current()
    assert answered != before
    assert metric.tagged == 20, "one answer was enough to start training"
    label = library.journal.undo_label()
    assert label == f"Review {question.tag}: 12 photos"
    taught.press(Key.Key_Z, CTRL)
    taught.wait()
    assert taught.tags() == before
    assert library.metrics.current().tagged == 0, "undo also removes the metric learned from the answer"
    taught.press(Key.Key_Z, CTRL | SHIFT)
    taught.wait()
    assert taught.tags() == answered
    assert library.metrics.current() == metric
    assert library.journal.undo_label() == label


@pytest.mark.slow
def test_a_metric_is_trained_between_questions_and_its_gain_is_shown(driver: WindowDriver) -> None:
    library = driver.session.library
    _tag_by_folder(driver, 3)
    tagging = library.journal.undo_label()
    driver.window.message_bar.settle(MessageAction.UNDO)
    reviewing = ReviewDriver(driver)
    reviewing.open()
    metric = library.metrics.current()
    assert metric.tagged == 24, "there are enough tags to train on"
    assert library.journal.undo_label() == tagging, "automatic training is not a separate step"
    assert driver.window.message_bar.message is None, "automatic training shows no message"
    assert reviewing.review.progress.gained is None, "the first round has nothing to compare with"
    reviewing.press(Key.Key_Return)
    reviewing.wait()
    assert reviewing.review.progress.gained is not None
    assert reviewing.review.progress.gained.photos == 24
    assert reviewing.questions.foot.gain.text().startswith("Suggestion accuracy ")
    assert "before the last training" in reviewing.questions.foot.gain.toolTip()
    assert library.metrics.current() == metric, "one more photo is not enough for another round"


def test_automatic_training_can_be_switched_off(driver: WindowDriver) -> None:
    action = driver.window.window_actions.by_name["retrains"]
    assert action.isChecked()
    action.trigger()
    driver.wait_until_idle("the setting")
    assert not action.isChecked()
    _tag_by_folder(driver, 3)
    ReviewDriver(driver).open()
    assert driver.session.library.metrics.current().tagged == 0


def _tag_by_folder(driver: WindowDriver, count: int) -> None:
    kinds: dict[str, list[int]] = {}
    for photo in driver.session.library.photos.get(driver.session.grid.ids.tolist()):
        kinds.setdefault(photo.path.parent.name, []).append(photo.id)
    for kind, ids in kinds.items():
        driver.session.editor.tag(ids[:count], [kind])
    driver.wait_until_idle("tagging")


def test_photos_of_a_removed_folder_leave_review(taught: ReviewDriver) -> None:
    session = taught.driver.session
    assert taught.review.question is not None
    folder = session.library.roots.all()[0].path
    session.photo_folders.forget(folder)
    taught.wait()
    assert taught.review.question is None
    assert not taught.review.answers.photo_ids
    taught.press(Key.Key_Return)
    session.review_pages.ask_next.ask()
    taught.driver.wait_until_idle("the photos")
    assert not session.review_pages.ask_next.photo_ids


def test_a_group_of_a_known_kind_is_tagged_by_its_digit(taught: ReviewDriver) -> None:
    review, pinned = taught.review, taught.page._session.tagging.pinned
    kind = next(question for question in review.questions if question.tag is None and question.line)
    assert len(kind.known) == 5
    review.go_to(kind)
    assert taught.questions.heading.field.hasFocus()
    chosen, tag = list(review.answers.yes), kind.known[1]
    assert chosen
    pinned.pin(9, tag)
    taught.wait()
    free = pinned.tags.index("") + 1 if "" in pinned.tags else 0
    if free:
        taught.press(Key(Key.Key_0 + free))  # no tag is on it, so nothing happens
        assert review.question is kind
    taught.press(Key.Key_9)
    taught.wait()
    assert all(taught.tags()[photo_id] == [tag] for photo_id in chosen)
    assert review.question is not kind


def test_photos_never_shown_are_asked_about_again(taught: ReviewDriver) -> None:
    taught.driver.window.resize(760, 460)
    taught.grid.set_tile_size(240)
    taught.driver.wait_until_idle("the smaller window")
    taught.press(Key.Key_Tab)
    taught.wait()
    question = taught.review.question
    assert question is not None
    assert question.tag is not None
    taught.review.tiles.move_line(0)
    ids, viewport = taught.review.answers.photo_ids, taught.grid.viewport().rect()
    model = taught.grid.model()
    tiles = {photo_id: taught.grid.visualRect(model.index(row, 0)) for row, photo_id in enumerate(ids)}
    shown = {photo_id for photo_id, tile in tiles.items() if viewport.contains(tile)}
    unseen = {photo_id for photo_id, tile in tiles.items() if not viewport.intersects(tile)}
    assert shown
    assert unseen
    taught.press(Key.Key_Return)
    taught.wait()
    left_open = {photo_id for photo_id, tag in taught.review._record.passed if tag == question.tag}
    assert not unseen & left_open, "these were never shown"
    assert shown <= left_open
    again = {photo_id for each in taught.review.questions if each.tag == question.tag for photo_id in each.photo_ids}
    assert not shown & again, "photos shown and not marked are not asked again"


@pytest.mark.slow
def test_the_middle_button_or_ctrl_confirms_with_the_last_click(taught: ReviewDriver) -> None:
    review, viewport = taught.review, taught.grid.viewport()
    middle, none = Qt.MouseButton.MiddleButton, Qt.KeyboardModifier.NoModifier

    def question() -> tuple[list[int], str]:
        taught.wait()
        assert review.question is not None
        assert review.question.tag is not None
        for line in (len(review.answers.photo_ids), 0, 2):  # resets the answers that undo has restored
            review.tiles.move_line(line)
        return list(review.answers.photo_ids), review.question.tag

    def tagged(tag: str) -> set[int]:
        taught.wait()
        return {photo_id for photo_id, names in taught.tags().items() if tag in names}

    # a click flips, and goes on
    ids, tag = question()
    before = tagged(tag)
    QTest.mouseClick(viewport, middle, none, taught.center(3))
    assert tagged(tag) - before == {ids[0], ids[1], ids[3]}
    taught.press(Key.Key_Z, CTRL)
    # so does a drag over several photos, at its end
    ids, tag = question()
    before = tagged(tag)
    QTest.mousePress(viewport, middle, none, taught.center(2))
    assert not review.busy
    QTest.mouseMove(viewport, taught.center(3))
    QTest.mouseRelease(viewport, middle, none, taught.center(3))
    assert tagged(tag) - before == set(ids[:4])
    taught.press(Key.Key_Z, CTRL)
    # Ctrl with the left button acts like the middle button; with Shift too, it also moves the line there
    ids, tag = question()
    before = tagged(tag)
    taught.click(0, CTRL | SHIFT)
    assert tagged(tag) - before == {ids[0]}
    taught.press(Key.Key_Z, CTRL)
    # Ctrl+Space on the keyboard
    ids, tag = question()
    before = tagged(tag)
    taught.click(0)
    assert not review.busy
    taught.press(Key.Key_Space, CTRL)
    assert tagged(tag) - before == {ids[0], ids[1]}


def test_the_middle_button_answers_one_question_and_only_on_photos(taught: ReviewDriver) -> None:
    review, viewport = taught.review, taught.grid.viewport()
    middle, none = Qt.MouseButton.MiddleButton, Qt.KeyboardModifier.NoModifier
    question, before = review.question, taught.tags()
    outside = QPoint(viewport.width() - 3, viewport.height() - 3)
    assert not taught.grid.indexAt(outside).isValid()
    QTest.mouseClick(viewport, middle, none, outside)
    taught.wait()
    assert review.question is question
    assert taught.tags() == before
    place = taught.center(0)
    QTest.mouseClick(viewport, middle, none, place)
    taught.wait()
    first = review.question
    assert first is not None
    QTest.mouseDClick(viewport, middle, none, place)
    taught.wait()
    assert review.question is first
    assert not review.answers.flipped


def test_undo_reopens_the_question_with_its_answer(reviewing: ReviewDriver) -> None:
    page, review = reviewing.page, reviewing.review
    first = review.question
    assert first is not None
    assert first.tag is None
    reviewing.click(0)
    review.tiles.move_line(5)
    for letter in "sea":
        reviewing.driver.type(letter)
    reviewing.press(Key.Key_Return)
    reviewing.wait()
    second = review.question
    assert second is not None
    assert set(second.photo_ids) != set(first.photo_ids)
    assert page.question_page.heading.field.text() == ""
    reviewing.press(Key.Key_Z, CTRL)
    reviewing.wait()
    assert review.answers.photo_ids == tuple(first.photo_ids)
    assert review.answers.line == 5
    assert review.answers.no == [first.photo_ids[0]], "the flipped photo stays flipped"
    assert page.question_page.heading.field.text() == "sea"
    assert not any(reviewing.tags().values())
    reviewing.click(1)
    for letter in "lake":
        reviewing.driver.type(letter)
    assert page.question_page.heading.field.text() == "lake", "the old name is selected, and typing replaces it"
    reviewing.press(Key.Key_Return)
    reviewing.wait()
    assert {photo_id for photo_id, tags in reviewing.tags().items() if tags} == set(first.photo_ids[2:5].tolist())
    assert review.question is not None
    assert set(review.question.photo_ids) != set(first.photo_ids), "then the next question follows"


def test_undo_returns_from_single_photos_to_the_question(reviewing: ReviewDriver) -> None:
    page, review = reviewing.page, reviewing.review
    first = review.question
    assert first is not None
    review.tiles.move_line(5)
    reviewing.driver.type("sea")
    reviewing.press(Key.Key_Return)
    reviewing.wait()
    reviewing.driver.session.review_pages.photo_by_photo.begin([OpenPhoto(9, (), ("sea",), 1, one_tag=True)])
    assert page.photo_page.isVisible()
    reviewing.press(Key.Key_Z, CTRL)
    reviewing.driver.wait_until(page.grid.isVisible, "the question")
    reviewing.wait()
    assert review.answers.photo_ids == tuple(first.photo_ids)
    assert review.answers.line == 5
    assert page.question_page.heading.field.text() == "sea"
    assert not any(reviewing.tags().values())


@pytest.mark.slow
def test_several_answers_are_undone_and_redone_one_by_one(reviewing: ReviewDriver) -> None:
    field, review = reviewing.questions.heading.field, reviewing.review
    asked = []
    for name in ("sea", "city"):
        assert review.question is not None
        asked.append(review.answers.photo_ids)
        field.setFocus()
        reviewing.driver.type(name)
        reviewing.press(Key.Key_Return)
        reviewing.wait()
    tagged = reviewing.tags()
    for at, name in ((1, "city"), (0, "sea")):
        reviewing.press(Key.Key_Z, CTRL)
        reviewing.wait()
        assert review.answers.photo_ids == asked[at]
        assert field.text() == (name if field.isVisible() else "")
    assert not any(reviewing.tags().values())
    for _ in asked:
        reviewing.press(Key.Key_Z, CTRL | SHIFT)
        reviewing.wait()
    assert reviewing.tags() == tagged
    assert not set(review.answers.photo_ids) & {photo_id for photo_id, tags in tagged.items() if tags}
    reviewing.press(Key.Key_Z, CTRL)
    reviewing.wait()
    assert review.answers.photo_ids == asked[1], "a redone step can be undone again"


def test_new_photos_do_not_change_an_open_group_or_its_answers(reviewing: ReviewDriver, tmp_path: Path) -> None:
    driver, page, review = reviewing.driver, reviewing.page, reviewing.review
    asked = review.question
    assert asked is not None
    reviewing.click(1)
    for letter in "se":
        driver.type(letter)
    photos = driver.session.library.photos
    more = tmp_path / "more"
    more.mkdir()
    for number, path in enumerate(photos.paths(review.answers.photo_ids[:6])):
        with Image.open(path) as image:
            image.transpose(Image.Transpose.FLIP_LEFT_RIGHT).save(more / f"{number}.jpg")
    driver.window.dialogs.open_folders([more])
    driver.wait_until_idle("indexing", 120)
    assert photos.count() == 38
    assert review.question is asked
    assert review.answers.no == [asked.photo_ids[1]]
    assert page.question_page.heading.field.text() == "se"
    message = driver.window.message_bar.message
    assert message is not None
    assert message.action is MessageAction.NONE, "Review is open already"
    driver.type("a")
    reviewing.press(Key.Key_Return)
    reviewing.wait()
    assert {tag for tags in reviewing.tags().values() for tag in tags} == {"sea"}
    assert review.question is not asked


def test_a_cancelled_search_restarts_when_review_is_reopened(driver: WindowDriver) -> None:
    session, review, ask = driver.session, driver.session.review, driver.session.review_pages.ask_next
    with cancelled_at_once(session):
        driver.press(Key.Key_K, CTRL)
        driver.wait_until_idle("the end of the search")
    assert not ask.busy
    assert not ask.photo_ids
    ask.ask()
    driver.wait_until_idle("the photos")
    assert len(ask.photo_ids) == 10
    driver.press(Key.Key_Escape)
    with cancelled_at_once(session):
        driver.press(Key.Key_G, CTRL | SHIFT)
        driver.wait_until_idle("the end of the search")
    assert not review.busy
    assert review.question is None
    assert "stopped" in driver.window.modes.review_page.question_page.no_question.reason.text()
    driver.press(Key.Key_Escape)
    driver.press(Key.Key_G, CTRL | SHIFT)
    driver.wait_until_idle("the question")
    assert review.question is not None
