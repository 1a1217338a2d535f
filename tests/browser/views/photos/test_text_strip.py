# SPDX-License-Identifier: MIT
"""Ranking by a text in the real window: written, judged, left, filtered, saved, undone, and refused."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.text_query import split_text
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.describing.networks import add_network
from focal_photos.browser.operations.ranking.queries.query import TextQuery
from focal_photos.browser.views.metrics.why_panel import WhyPanel
from focal_photos.browser.views.photos.text_strip import TextStrip
from focal_photos.browser.views.photos.verdict_badge import VerdictBadge
from focal_photos.browser.views.window.search_field import SearchField
from focal_photos.browser.walkthrough.window_driver import ALT, CTRL, SHIFT, DriverError, WindowDriver
from tests.browser.operations.colored_album import EACH, add_colors
from tests.browser.operations.own_descriptors import write_network
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.test_accessibility import check
from tests.browser.views.window_steps import walk_to

Key = Qt.Key
BOAT = "a red boat"


@pytest.fixture
def colors(tmp_path: Path) -> Path:
    """Return the folder of a library with photos of all colours and a network for texts."""
    folder = tmp_path / "colors"
    with Library.open(folder) as library:
        set_enabled(library, ["color_moments"])
        add_colors(library, tmp_path / "photos", tmp_path / "networks")
    return folder


@pytest.fixture
def colored(open_window: OpenWindow, colors: Path) -> WindowDriver:
    return open_window(colors)


def strip(driver: WindowDriver) -> TextStrip:
    return driver.window.photos.text_strip


def kinds(driver: WindowDriver) -> list[str]:
    return [path.parent.name for path in driver.session.library.photos.paths(driver.session.grid.ids)]


def write(driver: WindowDriver, text: str) -> None:
    driver.press(Key.Key_F, CTRL | SHIFT)
    driver.wait_until(strip(driver).field.hasFocus, "the field")
    QTest.keyClicks(strip(driver).field, text)
    QTest.keyClick(strip(driver).field, Key.Key_Return)
    driver.wait_until_idle("the ranking", 120)


def judge(driver: WindowDriver, kind: str, key: Qt.Key) -> int:
    """Judge the first photo of a kind with a key, and return it."""
    row = kinds(driver).index(kind)
    photo_id = driver.session.grid.photo_id(row)
    driver.grid.setFocus()
    driver.grid.make_current(row)
    driver.press(key)
    driver.wait_until_idle("the judgement and the ranking")
    return photo_id


def test_a_text_is_written_and_ranks_the_photos(colored: WindowDriver) -> None:
    assert not strip(colored).isVisible()
    write(colored, BOAT)
    assert kinds(colored)[:EACH] == ["red"] * EACH
    assert strip(colored).isVisible()
    assert strip(colored).field.text() == BOAT
    assert colored.grid.hasFocus()
    assert not colored.window.photos.focal_panel.isVisible()
    assert BOAT in colored.window.status_bar._counts.text()
    write(colored, "something blue")
    assert kinds(colored)[:EACH] == ["blue"] * EACH
    colored.press(Key.Key_Left, ALT)
    colored.wait_until_idle("the step before")
    assert strip(colored).field.text() == BOAT
    assert kinds(colored)[:EACH] == ["red"] * EACH
    colored.press(Key.Key_G)
    colored.wait_until_idle("the folders")
    assert not strip(colored).isVisible()
    assert kinds(colored) == sorted(kinds(colored))


def photos_begin_at(driver: WindowDriver, height: int) -> bool:
    """Return whether the photos begin at a height of the window, ignoring the line above them."""
    return abs(driver.grid.mapTo(driver.window, QPoint(0, 0)).y() - height) <= 1


def test_a_text_replaces_the_current_query(driver: WindowDriver) -> None:
    photos = driver.window.photos
    reasons = strip(driver).findChildren(WhyPanel) + strip(driver).findChildren(VerdictBadge)
    assert len(reasons) == 3
    for above in (photos.focal_panel, photos.examples_strip):
        walk_to(driver, 0)
        if above is photos.examples_strip:
            driver.navigator.rank_by_examples(driver.session.grid.ids[:2].tolist())
            driver.wait_until_idle("the ranking")
        assert above.isVisible()
        photos_from = driver.grid.mapTo(driver.window, QPoint(0, 0)).y()
        assert photos_begin_at(driver, photos_from)
        driver.press(Key.Key_F, CTRL | SHIFT)
        driver.wait_until(strip(driver).field.hasFocus, "the field")
        assert strip(driver).isVisible()
        assert not above.isVisible()
        assert not any(each.isVisible() for each in reasons), "there is no ranking to explain yet"
        driver.wait_until(partial(photos_begin_at, driver, photos_from), "the photos in their place")
        driver.press(Key.Key_Escape)
        assert not strip(driver).isVisible()
        assert above.isVisible()
        assert driver.grid.hasFocus()
        driver.press(Key.Key_G)
        driver.wait_until_idle("the folders")


def test_leaving_an_empty_field_hides_it(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    driver.press(Key.Key_F, CTRL | SHIFT)
    driver.wait_until(strip(driver).field.hasFocus, "the field")
    driver.click(2)
    assert not strip(driver).isVisible()
    assert driver.window.photos.focal_panel.isVisible()
    driver.press(Key.Key_F, CTRL | SHIFT)
    driver.type("a boat")
    driver.click(3)
    assert strip(driver).isVisible(), "the text stays"
    assert strip(driver).field.text() == "a boat"


def test_a_late_ranking_does_not_clear_the_text(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    driver.press(Key.Key_F, CTRL | SHIFT)
    driver.wait_until(strip(driver).field.hasFocus, "the field")
    driver.type("a bo")
    driver.navigator.focus(driver.session.grid.photo_id(3))
    driver.wait_until_idle("the ranking")
    assert strip(driver).field.hasFocus()
    driver.type("at")
    assert strip(driver).field.text() == "a boat"
    driver.press(Key.Key_Escape)
    assert not strip(driver).isVisible()
    assert driver.window.photos.focal_panel.isVisible()


def test_full_screen_and_a_text_each_hide_the_focal_image(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    driver.press(Key.Key_F, CTRL | SHIFT)
    driver.type("a boat")
    driver.press(Key.Key_F11)
    driver.wait_until_idle("full screen")
    assert not strip(driver).isVisible()
    driver.press(Key.Key_F11)
    driver.wait_until_idle("the window")
    assert strip(driver).isVisible()
    assert not driver.window.photos.focal_panel.isVisible()


@pytest.mark.slow
def test_judgements_against_a_text_survive_undo_and_a_restart(
    colored: WindowDriver, open_window: OpenWindow, colors: Path
) -> None:
    write(colored, BOAT)
    before = kinds(colored)
    blue = judge(colored, "blue", Key.Key_S)
    green = judge(colored, "green", Key.Key_D)
    library = colored.session.library
    assert library.text_judgements.of(BOAT) == {blue: Verdict.SIMILAR, green: Verdict.DISSIMILAR}
    assert library.judgements.all() == []
    ids = colored.session.grid.ids
    assert (ids[0], ids[-1]) == (blue, green)
    assert colored.navigator.marks == {blue: Verdict.SIMILAR, green: Verdict.DISSIMILAR}
    assert "1 judged similar" in strip(colored)._similar.toolTip()
    colored.press(Key.Key_Z, CTRL)
    colored.wait_until_idle("undo")
    colored.press(Key.Key_Z, CTRL)
    colored.wait_until_idle("undo")
    assert kinds(colored) == before
    assert colored.navigator.marks == {}
    colored.press(Key.Key_Z, CTRL | SHIFT)
    colored.wait_until_idle("redo")
    assert colored.session.grid.ids[0] == blue
    colored.window.close()
    again = open_window(colors)
    write(again, "  a red   boat ")
    assert again.session.grid.ids[0] == blue
    assert again.navigator.marks == {blue: Verdict.SIMILAR}
    judge(again, "blue", Key.Key_S)  # pressing the same key again clears it
    assert again.session.library.text_judgements.all() == []


def test_the_trail_leads_from_a_text_and_back(colored: WindowDriver) -> None:
    write(colored, BOAT)
    first = int(colored.session.grid.ids[0])
    colored.walk(0)
    colored.wait_until_idle("the walk")
    assert colored.navigator.focal_id == first
    assert not strip(colored).isVisible()
    assert colored.window.photos.focal_panel.isVisible()
    colored.press(Key.Key_Left, ALT)
    colored.wait_until_idle("the text")
    assert colored.navigator.trail.current.query == TextQuery(BOAT)
    assert (
        colored.navigator.trail.current.label.strip("\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}")
        == BOAT
    )
    assert int(colored.session.grid.ids[0]) == first


def test_the_filter_field_accepts_a_text_beside_a_filter(colored: WindowDriver) -> None:
    colored.press(Key.Key_F, CTRL)
    field = colored.focus_widget()
    assert isinstance(field, SearchField)
    QTest.keyClicks(field, "path:blue or path:red ")
    QTest.keyClicks(field, "text:some blue thing")
    colored.wait_until(lambda: not field.waiting, "the filter")
    colored.wait_until_idle("the filter")
    assert kinds(colored) == ["blue"] * EACH + ["red"] * EACH
    assert colored.navigator.trail.current.query is None, "the search waits for Enter"
    assert field.text() == "path:blue or path:red text:some blue thing", "slow typing loses no text"
    QTest.keyClick(colored.focus_widget(), Key.Key_Return)
    colored.wait_until_idle("the ranking")
    assert kinds(colored) == ["blue"] * EACH + ["red"] * EACH
    assert colored.navigator.collection.query == "path:blue or path:red"
    assert strip(colored).field.text() == "some blue thing"
    assert field.text() == "path:blue or path:red"


def test_the_first_letters_stop_filtering_once_they_form_a_text(colored: WindowDriver) -> None:
    colored.press(Key.Key_F, CTRL)
    field = colored.focus_widget()
    assert isinstance(field, SearchField)
    for letters, filtered in (("text", "text"), (":boat", "")):
        QTest.keyClicks(field, letters)
        colored.wait_until(lambda: not field.waiting, "the filter")
        colored.wait_until_idle("the filter")
        assert colored.navigator.collection.query == filtered
    assert field.text() == "text:boat"
    assert colored.session.grid.rowCount() == colored.session.overview.now.photos


def test_esc_discards_the_text(colored: WindowDriver) -> None:
    colored.press(Key.Key_F, CTRL | SHIFT)
    colored.wait_until(strip(colored).field.hasFocus, "the field")
    QTest.keyClicks(strip(colored).field, "nothing")
    QTest.keyClick(strip(colored).field, Key.Key_Escape)
    assert not strip(colored).isVisible()
    assert not colored.navigator.ranked
    write(colored, BOAT)
    colored.press(Key.Key_F, CTRL | SHIFT)
    QTest.keyClicks(strip(colored).field, "other")
    QTest.keyClick(strip(colored).field, Key.Key_Escape)
    assert strip(colored).field.text() == BOAT
    assert strip(colored).isVisible()


def test_why_near_names_the_family(colored: WindowDriver) -> None:
    write(colored, BOAT)
    colored.click(1)
    colored.wait_until(lambda: bool(colored.session.metrics.reasons.shown.bars), "the reason")
    (bar,) = colored.session.metrics.reasons.shown.bars
    assert bar.value == pytest.approx(colored.session.metrics.reasons.shown.total)
    judge(colored, "blue", Key.Key_S)
    colored.click(2)
    colored.wait_until(lambda: len(colored.session.metrics.reasons.shown.bars) == 2, "both parts")
    assert "blue" not in colored.session.metrics.reasons.shown.title
    assert "Moved by your judgements" in colored.session.metrics.reasons.shown.note


def test_a_text_is_saved_in_a_trail(colored: WindowDriver) -> None:
    write(colored, BOAT)
    session = colored.session
    session.library.trails.save("Boats", session.saved_trails.present())
    kept = session.library.trails.all()[0]
    assert kept.steps[-1].text == BOAT
    colored.press(Key.Key_G)
    colored.wait_until_idle("the folders")
    session.saved_trails.open(kept)
    colored.wait_until_idle("the trail")
    assert colored.navigator.trail.current.query == TextQuery(BOAT)
    assert kinds(colored)[:EACH] == ["red"] * EACH


@pytest.mark.slow
def test_a_library_without_text_queries_explains_why(
    open_window: OpenWindow, library_folder: Path, tmp_path: Path
) -> None:
    driver = open_window(library_folder)
    told: list[str] = []
    driver.session.notices.posted.connect(lambda message: told.append(message.text))
    with pytest.raises(DriverError, match="add one with"):
        write(driver, BOAT)
    assert driver.navigator.trail.current.query is None
    add_network(driver.session.library, {"name": "plain", "file": str(write_network(tmp_path / "plain.onnx"))})
    with pytest.raises(DriverError):  # the first message is still shown
        write(driver, BOAT)
    driver.wait_until(lambda: "The network plain cannot encode texts" in told[-1], "the other reason")
    assert not driver.navigator.ranked
    np.testing.assert_array_equal(np.sort(driver.session.grid.ids), driver.session.library.photos.ids())


@pytest.mark.parametrize(
    ("query", "rest", "text"),
    [
        ("text:a red boat", "", "a red boat"),
        ('text:"a red boat"', "", "a red boat"),
        ('tag:sea text:"a  red boat" -failed', "tag:sea -failed", "a red boat"),
        ("tag:sea text:a red tag:boat", "tag:sea", "a red tag:boat"),
        ("TEXT: boat", "", "boat"),
        ("text:", "", ""),
        ('text:"', "", '"'),
        ("context:a boat", "context:a boat", None),
        ("path:text:a", "path:text:a", None),
        ("", "", None),
    ],
)
def test_a_text_is_distinguished_from_a_filter(query: str, rest: str, text: str | None) -> None:
    assert split_text(query) == (rest, text)


def test_the_strip_is_accessible(colored: WindowDriver) -> None:
    write(colored, BOAT)
    assert check(strip(colored)) == []
    colored.press(Key.Key_F, CTRL | SHIFT)
    assert check(strip(colored)) == []
    assert strip(colored).field.accessibleName() == "What the photos show"
