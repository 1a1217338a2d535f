# SPDX-License-Identifier: MIT
"""Pages of suggested boxes of all tags in the real window: names by likeness, by digits and typed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import Job, Progress
from focal_photos.browser.operations.tagging.boxes import box_questions
from focal_photos.browser.walkthrough.window_driver import CTRL
from tests.browser import region_album
from tests.browser.catalog.albums import id_of
from tests.browser.copies import copied_with_photos
from tests.browser.region_album import MORE_KINDS, place
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.review.test_box_page import BoxDriver
from tests.conftest import MadeOnce

Key = Qt.Key
EACH, DRAWN = 7, 2
"""Photos of each kind, and those of them with a box."""


@pytest.fixture
def folder(made_once: MadeOnce, tmp_path: Path) -> Path:
    """Folder of a library with boxes of three tags."""

    def fill(made: Path) -> None:
        region_album.make(made, prepared=True, each=EACH, kinds=MORE_KINDS)
        with Library.open(made / "library") as library:
            library.boxes.add(
                (id_of(library, made / "photos" / f"{kind}_{number}.png"), place(number), kind)
                for kind in MORE_KINDS
                for number in range(DRAWN)
            )

    return copied_with_photos(made_once("boxes of three tags", fill), tmp_path / "photos", tmp_path / "library")


@pytest.fixture
def boxes(open_window: OpenWindow, folder: Path) -> BoxDriver:
    """Return the open page."""
    found = BoxDriver(open_window(folder, watching=False))
    found.open()
    return found


def suggested(boxes: BoxDriver) -> tuple[str, ...]:
    """Return the tags of the frames that are shown."""
    assert boxes.review.question is not None
    return boxes.review.question.tags


def digit(boxes: BoxDriver, tag: str) -> Qt.Key:
    return Qt.Key(ord(boxes.session.review_pages.box_keys.key(tag)))


def other_than(*tags: str | None) -> str:
    return next(kind for kind in MORE_KINDS if kind not in tags)


def test_enter_accepts_frames_of_several_tags_and_settles_the_photos(boxes: BoxDriver) -> None:
    assert boxes.page.title.full_text() == "All tags"
    assert boxes.page.key_bar.isVisible()
    assert set(MORE_KINDS) <= set(boxes.session.review_pages.box_keys.in_order())
    names, tags, seen = boxes.shown, suggested(boxes), boxes.review.current.seen_ids
    assert len(set(names)) == len(names) == len(tags)
    rows = [tags.index(tag) for tag in dict.fromkeys(tags)]
    assert len(rows) >= 2
    boxes.review.tiles.move_line(0)
    boxes.review.tiles.flip(rows)
    boxes.enter()
    assert {name: tag for name, (tag, _, _) in boxes.drawn().items()} == {names[row]: tags[row] for row in rows}
    assert all(set(seen).isdisjoint(question.photo_ids.tolist()) for question in boxes.review.questions)
    boxes.press(Key.Key_Z, CTRL)
    assert boxes.drawn() == {}
    assert boxes.shown == names


def test_a_drawn_box_gets_a_name_and_a_digit_or_a_typed_name_replaces_it(boxes: BoxDriver) -> None:
    name, number = boxes.shown[0], boxes.number(0)
    boxes.draw(0, place(number))
    ((guessed, _, _),) = boxes.drawn().values()
    assert guessed in MORE_KINDS
    shown = list(boxes.shown)
    boxes.press(digit(boxes, other_than(guessed)))
    assert boxes.drawn()[name][0] == other_than(guessed)
    assert boxes.shown == shown, "the page stays"
    boxes.press(Key.Key_T)
    assert boxes.page.name_field.hasFocus()
    QTest.keyClicks(boxes.page.name_field, "wheel")
    boxes.press(Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert boxes.drawn()[name][0] == "wheel"
    assert boxes.page.name_field.isHidden()
    assert boxes.page.grid.hasFocus()
    assert boxes.session.review_pages.box_keys.key("wheel")
    assert boxes.shown == shown


@pytest.fixture
def no_names(boxes: BoxDriver) -> Iterator[threading.Event]:
    """Let the search for names wait for the event."""
    go_on = threading.Event()

    def wait() -> Job[None]:
        assert go_on.wait(60)
        yield Progress("Waiting", 0)

    boxes.session.runner.start("Waiting", wait, lane="box names")
    yield go_on
    go_on.set()


def test_a_drawn_box_is_saved_before_it_has_a_name_and_undone_with_its_name(
    boxes: BoxDriver, no_names: threading.Event
) -> None:
    photo_id = boxes.review.answers.photo_ids[0]

    def names() -> list[str | None]:
        return [box.tag for box in boxes.library.boxes.of([photo_id]).get(photo_id, ())]

    assert boxes.review.draw(photo_id, place(boxes.number(0)), replaces=True)
    boxes.driver.wait_until(lambda: names() == [None], "the box without a name")
    no_names.set()
    boxes.settle()
    (name,) = names()
    assert name in MORE_KINDS
    boxes.press(Key.Key_Z, CTRL)
    assert names() == []
    boxes.press(Key.Key_Z, CTRL | Qt.KeyboardModifier.ShiftModifier)
    assert names() == [name]


def test_a_digit_during_the_search_for_the_name_names_the_box(boxes: BoxDriver, no_names: threading.Event) -> None:
    photo_id, tag = boxes.review.answers.photo_ids[0], MORE_KINDS[-1]
    boxes.review.draw(photo_id, place(boxes.number(0)), replaces=True)
    boxes.review.name_box(0, tag)
    no_names.set()
    boxes.settle()
    assert boxes.drawn()[boxes.shown[0]][0] == tag
    boxes.review.draw(photo_id, place(boxes.number(0) + 1), replaces=False)
    boxes.settle()
    boxes.review.name_box(0, MORE_KINDS[0])
    boxes.settle()
    assert [box.tag for box in boxes.library.boxes.of([photo_id])[photo_id]] == [tag, MORE_KINDS[0]]


def test_a_digit_accepts_the_frame_by_another_name(boxes: BoxDriver) -> None:
    boxes.review.tiles.move_line(0)
    name, tag = boxes.shown[0], other_than(suggested(boxes)[0])
    boxes.press(digit(boxes, tag))
    assert boxes.drawn() == {}, "Enter saves it"
    assert boxes.review.answers.is_yes(0)
    boxes.enter()
    assert [(one, found[0]) for one, found in boxes.drawn().items()] == [(name, tag)]


@pytest.mark.parametrize("by", ["chip", "Tab"])
def test_after_a_choice_of_one_tag_the_next_questions_are_about_one_tag(boxes: BoxDriver, by: str) -> None:
    if by == "chip":
        name = f"Continue with {MORE_KINDS[0]}"
        (chip,) = [each for each in boxes.page.findChildren(QPushButton) if each.accessibleName() == name]
        chip.click()
        boxes.settle()
        assert boxes.tag == MORE_KINDS[0]
    else:
        boxes.press(Key.Key_Tab)
    assert boxes.tag in MORE_KINDS
    assert not boxes.page.key_bar.isVisible()
    boxes.enter()
    assert boxes.tag in MORE_KINDS
    assert boxes.review.questions[-1].tags, "all tags come last"


def test_photos_that_hardly_show_a_box_are_asked_about_on_request(
    open_window: OpenWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(box_questions, "_MIN_EXPECTED", 1e9)
    boxes = BoxDriver(open_window(folder, watching=False))
    boxes.open()
    assert boxes.review.question is None
    button = boxes.page.rest_button
    assert button.isVisible()
    left = len(boxes.review.questions[0].photo_ids)
    assert str(left) in button.text()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    boxes.settle()
    assert len(boxes.shown) == left
    boxes.review.tiles.move_line(0)
    boxes.enter()
    assert boxes.review.question is not None, "the next page follows without another request"
    assert len(boxes.shown) < left
