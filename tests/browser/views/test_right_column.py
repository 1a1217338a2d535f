# SPDX-License-Identifier: MIT
"""The right column: sections fold and save this, empty ones fold automatically; a place is shown on request only."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLabel, QScrollArea

from focal_photos.browser.catalog.facts.records import Information, Reading, Written
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.views.base import translation
from focal_photos.browser.views.base.theme import ThemeChoice
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver
from tests.browser.views.conftest import OpenWindow

Key = Qt.Key


def test_folded_sections_are_remembered(open_window: OpenWindow, library_folder: Path) -> None:
    driver = open_window(library_folder)
    driver.click(0)
    driver.wait_until_idle("the selection")
    window = driver.window
    tags, suggestions, information = (
        panel.fold
        for panel in (window.right_column.tags, window.right_column.suggestions, window.right_column.information)
    )
    assert window.right_column.tags.field.isVisible()
    tags.click()
    suggestions.click()
    assert not window.right_column.tags.field.isVisible()
    assert window.right_column.suggestions.suggest_button.isVisible()
    assert tags.accessibleName() == "Expand Tags"
    assert not information.folded
    driver.click(1)
    driver.wait_until_idle("the selection")
    assert tags.folded
    driver.window.close()

    driver = open_window(library_folder)
    driver.click(0)
    driver.wait_until_idle("the selection")
    window = driver.window
    assert not window.right_column.tags.field.isVisible()
    assert window.right_column.suggestions.fold.folded
    assert not window.right_column.information.fold.folded
    driver.press(Key.Key_T)
    assert window.right_column.tags.field.isVisible(), "the tag field is visible"
    assert driver.focus_widget() is window.right_column.tags.field


def test_headings_are_not_cut_with_many_suggestions(driver: WindowDriver) -> None:
    window, session = driver.window, driver.session
    window.resize(1366, 768)
    session.overview.now = replace(session.overview.now, open_suggestions=12_345)
    session.overview.changed.emit()
    driver.wait_until_idle("the layout")
    fold = window.right_column.suggestions.fold
    assert fold.width() >= fold.sizeHint().width()
    assert "12" in window.right_column.suggestions.of_all.toolTip()


def test_the_column_shows_sections_for_the_selection(driver: WindowDriver) -> None:
    window, session = driver.window, driver.session
    column = window.right_column
    session.editor.tag([session.grid.photo_id(0), session.grid.photo_id(1)], ["sea"])
    driver.wait_until_idle("tagging")

    def shown() -> list[bool]:
        assert window.right_column.suggestions.suggest_button.isVisible(), "the button never moves"
        assert not column.boxes.isVisible(), "no photo has boxes"
        return [one.isVisible() for one in (column.hint, column.tags, column.suggestions, column.information)]

    nothing, one, several = [True, False, False, False], [False, True, True, True], [False, True, False, False]
    assert shown() == nothing
    driver.click(0)
    driver.wait_until_idle("one photo")
    assert shown() == one
    driver.click(1, CTRL)
    driver.wait_until_idle("two photos")
    assert shown() == several
    assert [chip.shows for chip in window.right_column.tags.chips()] == [("sea", 2, 2)]
    driver.grid.clearSelection()
    driver.wait_until_idle("no photo")
    assert shown() == nothing
    driver.press(Key.Key_T)
    assert shown()[:2] == [False, True], "the tag field is visible at once"
    assert driver.focus_widget() is window.right_column.tags.field
    driver.wait_until_idle("the current photo")
    assert shown() == one
    driver.press(Key.Key_Escape)
    driver.wait_until_idle("the photos")
    assert shown() == one, "the grid has the focus and the current photo is selected"
    driver.walk(0)
    driver.wait_until_idle("a focal image")
    assert shown() == one, "the sections are about the focal image"


def test_open_suggestions_are_shown_without_a_selection(driver: WindowDriver) -> None:
    session, column = driver.session, driver.window.right_column
    for kind, start in (("a", 0), ("b", 8)):
        session.editor.tag(session.grid.ids[start : start + 4].tolist(), [kind])
    driver.wait_until_idle("tagging")
    driver.press(Key.Key_G, CTRL)
    driver.wait_until_idle("the suggestions")
    assert session.tagging.suggestions.rowCount()
    assert [one.isVisible() for one in (column.hint, *column.panels)] == [True, False, False, True, False]


def test_a_place_is_shown_on_request_only(open_window: OpenWindow, library_folder: Path) -> None:
    with Library.open(library_folder) as library:
        first, second = library.photos.ids()[:2].tolist()
        places = {first: (52.5163, 13.3777), second: (-33.8568, 151.2153)}
        for photo in library.photos.get(places):
            there = Information(latitude=places[photo.id][0], longitude=places[photo.id][1])
            library.information.record([Reading(photo.id, photo.content_hash, "", Written(), there)])
    driver = open_window(library_folder)
    panel = driver.window.right_column.information

    def texts() -> str:
        return " ".join(each.accessibleName() or each.text() for each in panel.findChildren(QLabel))

    driver.click(0)
    driver.wait_until_idle("the selection")
    assert panel.place_button.isVisible()
    assert "52.5" not in texts()
    panel.place_button.click()
    assert "52.51630, 13.37770" in texts()
    assert not panel.place_button.isVisible()
    driver.click(1)
    driver.wait_until_idle("the selection")
    assert panel.place_button.isVisible(), "for another photo, the place is requested again"
    assert "151.2" not in texts()
    driver.click(2)
    driver.wait_until_idle("the selection")
    assert not panel.place_button.isVisible(), "this photo has no place"
    driver.click(0, CTRL)
    driver.wait_until_idle("the selection")
    assert not panel.place_button.isVisible()


@pytest.mark.slow
@pytest.mark.parametrize("choice", [ThemeChoice.DARK, ThemeChoice.LIGHT])
@pytest.mark.parametrize("speaking", translation.LANGUAGES, indirect=True)
def test_nine_pinned_tags_fit_beside_related_tags(speaking: str, driver: WindowDriver, choice: ThemeChoice) -> None:
    """If they do not fit, the panel scrolls: no line of tags is squeezed."""
    session, window = driver.session, driver.window
    library, ids = session.library, session.library.photos.ids().tolist()
    names = ["harbour at dusk", "mountain", "sea and sky", "grandmother", "animal/dog", "holiday 2024"]
    names += ["architecture", "black and white", "long exposure"]
    for name in [*names, *(f"other {number}" for number in range(8))]:
        library.tags.change(ids[:9], [name])
    library.tags.change([ids[20]], ["animal/dog"])
    for digit, name in enumerate(names, start=1):
        session.tagging.pinned.pin(digit, name)
    window.theme.choose(choice)
    session.show()
    driver.wait_until_idle("the tags")
    session.navigator.select([ids[20]])
    driver.wait_until_idle("the selection")
    panel = window.right_column.tags
    assert len(panel.pinned()) == 9
    assert len({button.y() for button in panel.related()}) >= 3
    for size in (QSize(1366, 768), QSize(1024, 700)):
        window.resize(size)
        driver.wait_until_idle("the layout")
        assert window.size() == size
        for area in (panel._chips_area, panel._related_area, panel._pinned_area):
            assert area.height() >= area.heightForWidth(area.width())
        (scrolled,) = panel.findChildren(QScrollArea)
        content = scrolled.widget()
        assert content is not None
        assert content.height() >= content.heightForWidth(content.width())
        if size.height() > 750:
            assert scrolled.verticalScrollBar().maximum() == 0, "all sections fit"
        last = panel.pinned()[-1]
        scrolled.ensureWidgetVisible(last)
        inside = QRect(last.mapTo(scrolled.viewport(), QPoint(0, 0)), last.size())
        assert scrolled.viewport().rect().contains(inside)


def test_the_tags_fold_and_take_only_the_height_they_need(driver: WindowDriver) -> None:
    driver.click(0)
    driver.wait_until_idle("the selection")
    panel = driver.window.right_column.tags
    (scrolled,) = panel.findChildren(QScrollArea)
    assert scrolled.height() == scrolled.heightForWidth(scrolled.width())
    before = panel.height()
    driver.session.targets.tag(["one", "quite a long tag", "another long tag of this photo"])
    driver.wait_until_idle("tagging")
    assert panel.height() > before
    panel.fold.click()
    driver.wait_until_idle("folding")
    assert not scrolled.isVisible()
    assert panel.height() < before


def test_tags_need_not_scroll_while_the_space_for_suggestions_is_empty(driver: WindowDriver) -> None:
    session, window = driver.session, driver.window
    window.resize(1366, 768)
    for digit, name in enumerate(["big cat", "motorbike", "beach", "pizza", "sunflower", "flower", "strawberry"], 1):
        session.tagging.pinned.pin(digit, name)
    driver.walk(0)
    driver.wait_until_idle("the ranking")
    driver.click(0)
    session.targets.tag([f"quite a long tag {number}" for number in range(4)])
    driver.wait_until_idle("tagging")
    assert session.tagging.suggestions.rowCount() == 0
    panel = window.right_column.tags
    (scrolled,) = panel.findChildren(QScrollArea)
    assert window.right_column.suggestions._empty.isVisible()
    assert scrolled.verticalScrollBar().maximum() == 0


def test_suggest_tags_stays_in_place_for_every_selection(driver: WindowDriver) -> None:
    window, ids = driver.window, driver.session.grid.ids.tolist()
    button = window.right_column.suggestions.suggest_button
    driver.session.editor.tag(ids[:1], [f"quite a long tag {number}" for number in range(12)])
    driver.wait_until_idle("tagging")
    places = {button.mapTo(window, button.rect().topLeft()).toTuple()}
    for rows in ([0], [1], [1, 2], []):
        driver.grid.clearSelection()
        for row in rows:
            driver.click(row, CTRL)
        driver.wait_until_idle("the selection")
        places.add(button.mapTo(window, button.rect().topLeft()).toTuple())
    window.right_column.information.fold.click()
    window.right_column.suggestions.fold.click()
    driver.wait_until_idle("folding")
    places.add(button.mapTo(window, button.rect().topLeft()).toTuple())
    assert len(places) == 1
