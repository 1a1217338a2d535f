# SPDX-License-Identifier: MIT
"""New photos unlike the tagged ones are announced once per folder, with an offer to review new kinds there."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.base.notices import MessageAction
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.operations.album import FAMILIES, Album
from tests.browser.operations.three_kinds import KINDS
from tests.browser.operations.two_worlds import draw_squares
from tests.browser.views.conftest import OpenWindow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a library in which all photos of three kinds are tagged."""
    album = Album(tmp_path / "known")
    with Library.open(tmp_path / "library") as library:
        set_enabled(library, FAMILIES)
        album.draw_kinds(KINDS, 10)
        finish(index(library, [album.folder], backend="threads", workers=1))
        for kind in KINDS:
            library.tags.change(library.photos.listed("", album.folder / kind).tolist(), [kind])
    return tmp_path / "library"


def unlike(driver: WindowDriver) -> list[str]:
    log = [message for _, message in driver.window.message_bar.log]
    return [message.text for message in log if message.action is MessageAction.REVIEW_NEW_KINDS]


def offered(driver: WindowDriver) -> bool:
    """Return whether the window shows the offer, or keeps it behind another message."""
    return any(one.action is MessageAction.REVIEW_NEW_KINDS for one in driver.window.message_bar.unread)


@pytest.mark.slow
def test_review_of_an_unlike_folder_removes_the_message(folder: Path, tmp_path: Path, open_window: OpenWindow) -> None:
    driver = open_window(folder)
    for number in range(20):
        draw_squares(tmp_path / "squares" / f"{number:02}.png", number)
    driver.session.photo_folders.opening.open_folders([tmp_path / "squares"])
    driver.wait_until_idle("the new folder")
    driver.wait_until(lambda: offered(driver), "the message")
    assert driver.navigator.collection.folder == tmp_path / "squares"
    driver.press(Qt.Key.Key_G, CTRL | SHIFT)
    assert driver.window.modes.review_page.scope_bar.text() == "Review of folder: squares"
    assert not offered(driver)


@pytest.mark.slow
def test_an_unlike_folder_is_reported_once_with_a_link_to_review(
    folder: Path, tmp_path: Path, open_window: OpenWindow
) -> None:
    driver = open_window(folder)
    new = tmp_path / "squares"
    for number in range(20):
        draw_squares(new / f"{number:02}.png", number)
    driver.session.review_pages.question_tags.choose({"warm"}, new_kinds=False)
    driver.session.photo_folders.opening.open_folders([new])
    driver.wait_until_idle("the new folder")
    driver.wait_until(lambda: bool(unlike(driver)), "the message")
    (text,) = unlike(driver)
    driver.window.show_mode(Mode.MAP)
    driver.session.scope.clear()
    driver.window.show_mode(Mode.REVIEW)
    assert offered(driver), "the message disappeared although Review shows the whole library"
    assert text.endswith("of the 20 new photos in squares are unlike anything you have tagged.")
    assert int(text.split()[0]) > 15
    offers = [
        one for one in driver.window.message_bar.findChildren(QPushButton) if one.text() == "Review new kinds there"
    ]
    QTest.mouseClick(offers[0], Qt.MouseButton.LeftButton)
    driver.wait_until_idle("the question")
    assert driver.window.mode is Mode.REVIEW
    assert driver.window.modes.review_page.scope_bar.text() == "Review of folder: squares"
    assert driver.window.modes.review_page.tag_chooser.full_text() == "tags: cold, green"
    question = driver.session.review.question
    assert question is not None
    assert question.tag is None
    assert not offered(driver)
    for number in range(20, 40):
        draw_squares(new / f"{number:02}.png", number)
    driver.session.jobs.indexing.rescan()
    driver.wait_until_idle("more photos of the folder")
    assert len(unlike(driver)) == 1
    driver.window.close()
    again = open_window(folder)
    for number in range(40, 60):
        draw_squares(new / f"{number:02}.png", number)
    again.session.jobs.indexing.rescan()
    again.wait_until_idle("still more")
    assert again.session.overview.now.photos == 90
    assert unlike(again) == []


@pytest.mark.slow
def test_photos_of_tagged_kinds_are_not_reported(folder: Path, tmp_path: Path, open_window: OpenWindow) -> None:
    driver = open_window(folder)
    album = Album(tmp_path / "more")
    for kind in KINDS:
        for number in range(30, 36):
            album.draw(f"{kind}-{number}.jpg", kind=kind, seed=number)
    driver.session.photo_folders.opening.open_folders([album.folder])
    driver.wait_until_idle("the new folder")
    assert driver.session.overview.now.photos == 48
    assert unlike(driver) == []
