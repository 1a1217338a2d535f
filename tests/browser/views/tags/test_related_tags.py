# SPDX-License-Identifier: MIT
"""Tags related to those of the selection, offered in the tag panel."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.views.tags.tag_panel import TagPanel
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.conftest import OpenWindow

Key = Qt.Key


@pytest.fixture
def tagged_folder(library_folder: Path) -> Path:
    """Sea occurs with beach, less often with boat and once with storm, forest with plant/tree; photo 10 has no tag."""
    with Library.open(library_folder) as library:
        ids = library.photos.listed("").tolist()
        every = list(library.tags.of(ids).items())
        for photo_id, names in every:
            library.tags.change([photo_id], remove=names)
        library.tags.change(ids[:3], ["sea", "beach"])
        library.tags.change(ids[3:5], ["sea", "boat"])
        library.tags.change([ids[5]], ["sea"])
        library.tags.change([ids[11]], ["sea", "storm"])
        library.tags.change(ids[6:9], ["forest", "plant/tree"])
        library.tags.change([ids[9]], ["alone"])
    return library_folder


def select(driver: WindowDriver, row: int) -> TagPanel:
    driver.session.navigator.select([driver.session.grid.photo_id(row)])
    driver.wait_until_idle("the related tags")
    return driver.window.right_column.tags


def names(panel: TagPanel) -> list[str]:
    return [chip.text().removeprefix("+ ") for chip in panel.related()]


def test_tags_related_to_the_selection_are_offered_nearest_first(open_window: OpenWindow, tagged_folder: Path) -> None:
    driver = open_window(tagged_folder)
    panel = select(driver, 5)
    assert names(panel) == ["beach", "boat"]
    beach = panel.related()[0]
    assert beach.isVisible()
    assert beach.toolTip() == "Add beach too: 3 photos have it together with one of these tags"
    assert beach.accessibleName() == "Add the related tag beach"
    panel = select(driver, 0)
    assert names(panel) == ["boat"]  # tags of the photo are not offered
    assert names(select(driver, 6)) == []  # nor are tags above one of its tags


def test_one_photo_does_not_relate_two_tags(open_window: OpenWindow, tagged_folder: Path) -> None:
    driver = open_window(tagged_folder)
    assert "storm" not in names(select(driver, 5))
    driver.session.editor.tag([driver.session.grid.photo_id(0)], ["storm"])
    driver.wait_until_idle("a second photo with both tags")
    assert "storm" in names(select(driver, 5))


def test_without_related_tags_nothing_is_shown(open_window: OpenWindow, tagged_folder: Path) -> None:
    driver = open_window(tagged_folder)
    for row in (9, 10):  # a tag without related tags; no tag
        panel = select(driver, row)
        assert not panel.related()
    assert names(select(driver, 5))
    assert not names(select(driver, 10))


def test_a_click_gives_the_tag_and_updates_the_offer(open_window: OpenWindow, tagged_folder: Path) -> None:
    driver = open_window(tagged_folder)
    panel = select(driver, 5)
    panel.related()[0].click()
    driver.wait_until_idle("the tag")
    photo_id = driver.session.grid.photo_id(5)
    assert driver.session.library.tags.of([photo_id])[photo_id] == ["beach", "sea"]
    assert names(panel) == ["boat"]
    driver.session.editor.tag([photo_id, driver.session.grid.photo_id(1)], ["lighthouse"])
    driver.wait_until_idle("the new tag")
    assert "lighthouse" in names(select(driver, 0))  # learned again: it now occurs with sea


def test_the_keyboard_reaches_them_and_stays(open_window: OpenWindow, tagged_folder: Path) -> None:
    driver = open_window(tagged_folder)
    panel = select(driver, 5)
    panel.field.setFocus()
    driver.press(Key.Key_Tab)
    focused: QWidget = driver.focus_widget()
    assert focused is panel.related()[0]
    driver.press(Key.Key_Space)
    driver.wait_until_idle("the tag")
    assert [chip.name.text() for chip in panel.chips()] == ["beach", "sea"]
    assert driver.focus_widget() is panel.related()[0]
    driver.press(Key.Key_Space)
    driver.wait_until_idle("the last tag")
    assert not panel.related()
    assert driver.focus_widget() is panel.field


def test_a_read_only_library_offers_none(open_window: OpenWindow, tagged_folder: Path) -> None:
    driver = open_window(tagged_folder, read_only=True)
    panel = select(driver, 5)
    assert panel.chips()
    assert not panel.related()


def test_after_a_cancellation_the_next_change_of_tags_retries(open_window: OpenWindow, tagged_folder: Path) -> None:
    driver = open_window(tagged_folder)
    session = driver.session
    cancelling = session.runner.task_changed.connect(lambda state: session.runner.cancel(state.number))
    panel = select(driver, 5)
    assert not panel.related()
    session.runner.task_changed.disconnect(cancelling)
    session.editor.tag([session.grid.photo_id(5)], ["lighthouse"])
    driver.wait_until_idle("another attempt")
    assert names(panel)
