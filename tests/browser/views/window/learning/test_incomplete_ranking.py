# SPDX-License-Identifier: MIT
"""A ranking while photos are being described: it is marked incomplete, fills up, and sets the order of reading."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.base.notices import Message, Severity
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.photos.scan import scan
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import walk_to


def copies(drawn_album: Path, folder: Path, count: int) -> Path:
    """Return a folder of photos that are not in the library."""
    folder.mkdir()
    for number, photo in zip(range(count), sorted(drawn_album.rglob("*.jpg")), strict=False):
        shutil.copy(photo, folder / f"{number}.jpg")
        with (folder / f"{number}.jpg").open("ab") as file:
            file.write(b"another content")
    return folder


def test_an_incomplete_ranking_is_marked_and_completed(
    open_window: OpenWindow, library_folder: Path, drawn_album: Path, tmp_path: Path
) -> None:
    driver = open_window(library_folder)
    library = driver.session.library
    finish(scan(library, [copies(drawn_album, tmp_path / "more", 6)]))
    walk_to(driver, 0)
    assert driver.session.grid.rowCount() == 31
    assert "among 31 of 37" in driver.window.status_bar.text()
    finish(index(library, workers=1))
    driver.session.jobs.indexing.photos_arriving.emit()
    driver.wait_until_idle("the ranking")
    assert driver.session.grid.rowCount() == 37
    assert "among" not in driver.window.status_bar.text()


def test_the_ranking_does_not_wait_for_unreadable_photos(
    open_window: OpenWindow, library_folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "one.jpg").write_bytes(b"\xff\xd8\xff\xe0 no more")
    with Library.open(library_folder) as library:
        finish(index(library, [tmp_path / "broken"], workers=1))
    driver = open_window(library_folder)
    walk_to(driver, 5)
    assert "among" not in driver.window.status_bar.text()


@pytest.mark.slow
def test_visible_photos_and_those_near_the_focal_image_are_described_first(
    open_window: OpenWindow, library_folder: Path, drawn_album: Path, tmp_path: Path
) -> None:
    driver = open_window(library_folder)
    session = driver.session
    session.jobs.indexing.open_folders([copies(drawn_album, tmp_path / "more", 20)])
    assert list(session.jobs.indexing.wanted) == session.grid.visible_ids != []
    focal = walk_to(driver, 20)
    session.jobs.indexing.rescan()
    driver.wait_until(
        lambda: len(session.jobs.indexing.wanted) > 0 and session.jobs.indexing.wanted[0] == focal, "the order"
    )
    [path] = session.library.photos.paths([focal])
    folder = session.library.photos.listed(folder=path.parent).tolist()
    assert set(folder) <= set(session.jobs.indexing.wanted)
    driver.wait_until_idle("indexing", 120)


def undescribed(open_window: OpenWindow, drawn_album: Path, folder: Path) -> tuple[WindowDriver, int]:
    """Return a window with 12 undescribed photos, and the number of the indexing task, which is paused."""
    with Library.open(folder / "library") as library:
        finish(scan(library, [copies(drawn_album, folder / "more", 12)]))
    driver = open_window(folder / "library", settled=False)
    [indexing] = driver.session.jobs.indexing._indexing
    driver.session.runner.pause(indexing, True)
    driver.wait_until(lambda: driver.session.grid.rowCount() == 12, "the photos")
    return driver, indexing


@pytest.mark.slow
def test_a_double_click_before_any_description_waits_for_the_first(
    open_window: OpenWindow, drawn_album: Path, tmp_path: Path
) -> None:
    driver, indexing = undescribed(open_window, drawn_album, tmp_path)
    session, said = driver.session, list[Message]()
    session.notices.posted.connect(said.append)
    focal = session.grid.photo_id(3)
    driver.walk(3)
    driver.wait_until(lambda: bool(said), "a message")
    assert [message.severity for message in said] == [Severity.INFO]
    assert said[0].text.startswith("Photos are still being described. The ranking appears")
    session.jobs.indexing.photos_arriving.emit()  # photos were found, but none is described yet
    session.runner.pause(indexing, False)
    driver.wait_until(lambda: session.navigator.focal_id == focal, "the ranking", 120)
    driver.wait_until_idle("indexing", 120)
    assert session.grid.rowCount() == 11
    assert [step.focal_id for step in session.navigator.trail.steps] == [None, focal]
    assert not [message.text for message in said if message.severity is Severity.ERROR]
    assert sum("still being described" in message.text for message in said) == 1


@pytest.mark.slow
def test_moving_on_abandons_a_ranking_that_waits_for_descriptions(
    open_window: OpenWindow, drawn_album: Path, tmp_path: Path
) -> None:
    driver, indexing = undescribed(open_window, drawn_album, tmp_path)
    session, awaited = driver.session, list[Message]()
    session.notices.posted.connect(awaited.append)
    session.navigator.focus(session.grid.photo_id(1))
    driver.wait_until(lambda: any("still being described" in one.text for one in awaited), "an answer")
    session.navigator.show_folder(tmp_path / "more")
    session.runner.pause(indexing, False)
    driver.wait_until_idle("indexing", 120)
    assert session.navigator.focal_id is None
    assert session.navigator.collection.folder == tmp_path / "more"


def test_without_photos_retrain_and_suggest_ask_to_open_a_folder(open_window: OpenWindow, tmp_path: Path) -> None:
    driver = open_window(tmp_path / "library")
    said: list[Message] = []
    driver.session.notices.posted.connect(said.append)
    driver.press(Qt.Key.Key_R, CTRL)
    driver.wait_until_idle("training")
    driver.press(Qt.Key.Key_G, CTRL)
    driver.wait_until_idle("suggesting")
    assert {message.severity for message in said} == {Severity.INFO}
    assert all("open a folder first" in message.text for message in said)
    assert len(said) == 2
