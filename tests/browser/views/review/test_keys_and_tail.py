# SPDX-License-Identifier: MIT
"""Tags keep their keys, the last photos come one by one, and percentages agree with the line."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QImage, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from focal_photos.browser.models.review.photo_by_photo import PhotoByPhoto
from focal_photos.browser.models.review.tag_keys import KEYS
from focal_photos.browser.operations.tagging.review import photo_by_photo
from focal_photos.browser.views.review.key_bar import KeyBar
from focal_photos.browser.views.review.progress_line import ProgressLine, duration
from focal_photos.browser.views.review.review_delegate import ReviewDelegate
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.views.review.review_driver import ReviewDriver

Key = Qt.Key


@pytest.fixture
def nearly_done(driver: WindowDriver) -> ReviewDriver:
    """Return the review of a library in which all kinds have tags and one photo of each is left."""
    kinds: dict[str, list[int]] = {}
    for photo in driver.session.library.photos.get(driver.session.grid.ids.tolist()):
        kinds.setdefault(photo.path.parent.name, []).append(photo.id)
    for kind, ids in kinds.items():
        driver.session.editor.tag(ids[:-1], [kind])
    driver.wait_until_idle("tagging")
    return ReviewDriver(driver)


def kinds(reviewing: ReviewDriver) -> dict[int, str]:
    library = reviewing.driver.session.library
    return {photo.id: photo.path.parent.name for photo in library.photos.get(library.photos.ids("").tolist())}


def chips(bar: KeyBar) -> list[str]:
    return [chip.text() for chip in bar.findChildren(QPushButton) if chip.isVisible()]


def press_shift(window: ReviewDriver, digit: int) -> None:
    """Press Shift and a digit with the event of a real keyboard."""
    widget = window.driver.window.focusWidget()
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        event = QKeyEvent(kind, Key.Key_Exclam, Qt.KeyboardModifier.ShiftModifier, 9 + digit, 0, 0, "!")
        QApplication.sendEvent(widget, event)


@pytest.mark.slow
def test_remaining_photos_are_asked_one_by_one_and_settled_by_one_key(nearly_done: ReviewDriver) -> None:
    nearly_done.open()
    session, page = nearly_done.driver.session, nearly_done.page
    truth, answered = kinds(nearly_done), 0
    while session.overview.now.untagged:
        question, photo = nearly_done.review.question, session.review_pages.photo_by_photo.photo
        if photo is None:
            assert question is not None
            assert question.tag is not None, "mixed photos are not a new kind"
            nearly_done.press(Key.Key_Tab)
        else:
            assert page.photo_page.isVisible()
            key = session.review_pages.tag_keys.key(truth[photo.photo_id])
            assert key in "1234567890"
            nearly_done.driver.type(key)
            answered += 1
        nearly_done.wait()
    assert answered >= 2
    assert {photo_id: names[0] for photo_id, names in nearly_done.tags().items()} == truth


def test_one_click_settles_a_photo_and_enter_takes_the_marked_tag(nearly_done: ReviewDriver) -> None:
    nearly_done.open()
    session, page = nearly_done.driver.session, nearly_done.page.photo_page
    asked = session.review_pages.photo_by_photo
    while asked.photo is None:
        nearly_done.press(Key.Key_Tab)
        nearly_done.wait()
    first, truth = asked.photo, kinds(nearly_done)
    chip = page.findChild(QPushButton, f"known {truth[first.photo_id]}")
    assert chip is not None
    QTest.mouseMove(chip, QPoint(2, 2))
    QTest.mouseMove(chip, chip.rect().center())
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    nearly_done.wait()
    assert nearly_done.tags()[first.photo_id] == [truth[first.photo_id]]
    second = asked.photo
    assert second is not None
    if second.proposed:
        assert page.keep_button.text().startswith(f"It is {second.likely[0]}")
        nearly_done.press(Key.Key_Return)
        nearly_done.wait()
        assert nearly_done.tags()[second.photo_id] == [second.likely[0]]


def ask_photos(reviewing: ReviewDriver) -> PhotoByPhoto:
    """Skip questions until photos come one by one."""
    asked = reviewing.driver.session.review_pages.photo_by_photo
    while asked.photo is None:
        reviewing.press(Key.Key_Tab)
        reviewing.wait()
    return asked


def answer(reviewing: ReviewDriver, truth: dict[int, str]) -> int:
    """Answer for the present photo by the key of its tag; return the photo."""
    photo = reviewing.driver.session.review_pages.photo_by_photo.photo
    assert photo is not None
    reviewing.driver.type(reviewing.driver.session.review_pages.tag_keys.key(truth[photo.photo_id]))
    reviewing.driver.wait_until_idle("the answer")
    return photo.photo_id


def test_typing_the_proposed_name_counts_as_an_answer(nearly_done: ReviewDriver) -> None:
    nearly_done.open()
    asked, truth = ask_photos(nearly_done), kinds(nearly_done)
    while asked.photo is not None and not asked.chosen:
        answer(nearly_done, truth)
    photo = asked.photo
    assert photo is not None
    nearly_done.driver.type(photo.likely[0])
    nearly_done.press(Key.Key_Return)
    nearly_done.wait()
    assert nearly_done.tags()[photo.photo_id] == [photo.likely[0]]
    assert asked.photo is not photo


@pytest.mark.slow
def test_undo_asks_about_answered_photos_again_after_new_ones_were_found(
    nearly_done: ReviewDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photo_by_photo, "COUNT_OF_ONE_TAG", 3)
    nearly_done.open()
    asked, truth, page = ask_photos(nearly_done), kinds(nearly_done), nearly_done.page.photo_page
    round_, answered = asked.photos, []
    while asked.photo is not None and asked.photos is round_:
        answered.append(answer(nearly_done, truth))
    nearly_done.wait()
    ask_photos(nearly_done)
    other = asked.photo
    left = asked.left
    for photo_id in reversed(answered[-2:]):
        nearly_done.press(Key.Key_Z, CTRL)
        nearly_done.wait()
        assert page.isVisible()
        assert asked.photo is not None
        assert asked.photo.photo_id == photo_id
        assert nearly_done.tags()[photo_id] == []
    assert asked.left == left + 2
    for photo_id in answered[-2:]:
        assert answer(nearly_done, truth) == photo_id
    assert asked.photo is other
    nearly_done.press(Key.Key_Z, CTRL)
    nearly_done.wait()
    assert asked.photo is not other
    nearly_done.press(Key.Key_Z, CTRL | SHIFT)
    nearly_done.wait()
    assert asked.photo is other, "redo repeats the answer"
    while nearly_done.driver.session.overview.now.untagged:
        if asked.photo is None:
            nearly_done.press(Key.Key_Tab)
        else:
            last = answer(nearly_done, truth)
        nearly_done.wait()
    assert not page.isVisible()
    nearly_done.press(Key.Key_Z, CTRL)
    nearly_done.wait()
    assert page.isVisible()
    assert asked.photo is not None
    assert asked.photo.photo_id == last


@pytest.mark.slow
def test_keys_keep_their_tags_from_question_to_question_and_twelve_tags_have_keys(driver: WindowDriver) -> None:
    session = driver.session
    for number in range(12):
        session.editor.tag([session.grid.photo_id(number)], [f"kind {number:02}"])
        driver.wait_until_idle("tagging")
    reviewing = ReviewDriver(driver)
    reviewing.open()
    asked, bar = session.review_pages.photo_by_photo, reviewing.page.photo_page.key_bar
    while asked.photo is None:
        reviewing.press(Key.Key_Tab)
        reviewing.wait()
    tags = [session.review_pages.tag_keys.tag(number) for number in range(1, 13)]
    assert sorted(tags) == [f"kind {number:02}" for number in range(12)]
    wanted = [f"{key}  {tag}" for key, tag in zip([*"1234567890", "⇧1", "⇧2"], tags, strict=True)]
    given = {}
    for key in ("3", "0", "⇧1", "⇧2"):
        assert chips(bar) == wanted
        photo = asked.photo
        assert photo is not None
        if len(key) == 1:
            reviewing.driver.type(key)
        else:
            press_shift(reviewing, int(key[1]))
        given[photo.photo_id] = [session.review_pages.tag_keys.tag(KEYS.index(key) + 1)]
        reviewing.wait()
    assert {photo_id: reviewing.tags()[photo_id] for photo_id in given} == given
    assert sorted(given.values()) == sorted([[tags[2]], [tags[9]], [tags[10]], [tags[11]]])


@pytest.mark.slow
def test_tags_of_other_folders_leave_the_keys_of_a_folder_free(driver: WindowDriver) -> None:
    session = driver.session
    photos = session.library.photos.get(session.grid.ids.tolist())
    folder = photos[0].path.parent
    here = [photo.id for photo in photos if photo.path.parent == folder]
    elsewhere = [photo.id for photo in photos if photo.path.parent != folder]
    for number in range(12):
        session.editor.tag([elsewhere[number]], [f"kind {number:02}"])
        driver.wait_until_idle("tagging")
    assert session.tagging.pinned.tag(1)
    driver.navigator.show_folder(folder)
    driver.wait_until_idle("the folder")
    ReviewDriver(driver).open()
    assert session.review_pages.tag_keys.in_order() == []
    session.editor.tag(here[:1], ["new here"])
    driver.wait_until_idle("a new tag")
    session.editor.tag(here[1:2], ["kind 07"])
    driver.wait_until_idle("a tag of another folder")
    assert session.review_pages.tag_keys.in_order() == ["new here", "kind 07"]


def test_undoing_a_new_tag_frees_its_key(taught: ReviewDriver) -> None:
    session = taught.driver.session
    before = session.review_pages.tag_keys.in_order()
    session.editor.tag(session.grid.ids.tolist()[:1], ["spelling mistake"])
    taught.wait()
    assert session.review_pages.tag_keys.in_order() == [*before, "spelling mistake"]
    taught.press(Key.Key_Z, CTRL)
    taught.wait()
    assert session.review_pages.tag_keys.in_order() == before
    assert not [chip for chip in chips(taught.questions.key_bar) if "spelling" in chip]


def test_percentages_fall_and_agree_with_the_line(taught: ReviewDriver) -> None:
    review = taught.review
    for question in review.questions:
        review.go_to(question)
        assert (np.diff(review.current.shown) <= 1e-6).all()
        assert all(share >= 0.5 for share in review.current.shown[: question.line])
        assert all(share <= 0.5 for share in review.current.shown[question.line :])


def test_the_bar_joins_alike_photos_on_the_screen(taught: ReviewDriver) -> None:
    review, grid = taught.review, taught.grid
    question = next(question for question in review.questions if (np.diff(question.groups[question.line :]) == 0).any())
    review.go_to(question)
    taught.driver.wait_until_idle("the photos")
    delegate, columns = grid.itemDelegate(), grid.columns
    assert isinstance(delegate, ReviewDelegate)
    image = grid.viewport().grab().toImage()
    below = -(-question.line // columns) * columns  # the line is not painted between these tiles
    shown = [row for row in range(below, below + 2 * columns) if row % columns != columns - 1]
    joined = next(row for row in shown if delegate.joined(row))
    apart = next(row for row in shown if not delegate.joined(row))
    cells = [grid.visualRect(grid.model().index(row, 0)) for row in (joined, apart)]
    between, beside = [image.pixelColor(cell.right(), cell.bottom()) for cell in cells]
    assert between.lightness() > taught.page._theme.color("tile").lightness() + 40
    assert beside != between


@pytest.mark.usefixtures("large_font")
def test_with_a_large_font_the_asked_tag_has_priority_over_the_next_ones(taught: ReviewDriver) -> None:
    title = taught.questions.heading.title
    taught.driver.window.resize(1000, 600)
    taught.driver.wait_until_idle("the layout")
    assert taught.review.question is not None
    assert title.text() == title.full_text()


def test_thumbnails_fill_their_tiles(taught: ReviewDriver) -> None:
    """Before, a photo of 3:2 left a third of its tile empty."""
    grid = taught.grid
    delegate, index = grid.itemDelegate(), grid.model().index(0, 0)
    assert isinstance(delegate, ReviewDelegate)
    taught.driver.wait_until_idle("the photos")
    parts = delegate.parts(grid.visualRect(index).toRectF(), grid._option())
    image: QImage = grid.viewport().grab(QRect(parts.picture.toAlignedRect())).toImage()
    ground = taught.page._theme.color("tile")
    corners = [(1, 1), (image.width() - 2, 1), (1, image.height() - 2), (image.width() - 2, image.height() - 2)]
    edges = [image.pixelColor(x, y) for x, y in corners]
    assert parts.picture.width() > 0.9 * grid.visualRect(index).width()
    assert all(color != ground for color in edges)


@pytest.mark.slow
def test_the_progress_line_counts_down_and_estimates_the_time(taught: ReviewDriver) -> None:
    line = taught.page.findChild(ProgressLine, "reviewProgress")
    assert line is not None
    overview = taught.driver.session.overview.now
    assert line.text() == f"{overview.untagged} of 32 left"
    assert line.isVisible()
    for _ in range(3):
        taught.press(Key.Key_Return)
        taught.wait()
    left = taught.driver.session.overview.now.untagged
    assert line.text().startswith(f"{left} of 32 left, about a minute") or not left


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (4.0, "about a minute"),
        (89.0, "about a minute"),
        (170.0, "about 3 minutes"),
        (80 * 60.0, "about 80 minutes"),
        (3 * 3600.0, "about 3 hours"),
    ],
)
def test_a_duration_has_no_seconds(qapp: QApplication, seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_ask_me_next_takes_the_same_keys(taught: ReviewDriver) -> None:
    session = taught.driver.session
    tag = session.review_pages.tag_keys.tag(1)
    taught.press(Key.Key_K, CTRL)
    taught.driver.wait_until_idle("the photos")
    photo_id = session.review_pages.ask_next.photo_id
    assert photo_id is not None
    assert chips(taught.page.ask_page.key_bar)[0] == f"1  {tag}"
    taught.press(Key.Key_1)
    taught.driver.wait_until_idle("the answer")
    assert taught.tags()[photo_id] == [tag]


@pytest.mark.usefixtures("large_font")
def test_with_a_large_font_the_end_of_the_line_covers_no_percentage(taught: ReviewDriver) -> None:
    review, grid = taught.review, taught.grid
    review.tiles.move_line(grid.columns)
    taught.driver.wait_until_idle("the line")
    last = grid.visualRect(grid.model().index(grid.columns - 1, 0))
    image = grid.viewport().grab().toImage()
    accent = taught.page._theme.color("accent").rgb()
    caption = range(last.bottom() - grid.fontMetrics().height(), last.bottom() - 12)
    assert caption
    assert all(image.pixel(x, y) != accent for y in caption for x in range(last.left() + 8, last.right() - 8))
    assert any(image.pixel(last.center().x(), y) == accent for y in range(last.bottom() - 4, last.bottom() + 8))
