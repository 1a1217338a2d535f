# SPDX-License-Identifier: MIT
"""The window notices changes in the photo folders without F5."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.base.notices import MessageAction
from focal_photos.browser.models.sidebar.tree_model import TreeRole
from focal_photos.browser.operations.describing.settings import WATCH, WATCH_SECONDS
from focal_photos.browser.views.dialogs.missing_dialog import MissingDialog
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from focal_photos.features.metadata.xmp import merge_xmp
from tests.browser.operations.metadata.test_read_metadata import import_all_tags
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import Key


@pytest.fixture
def photos(tmp_path: Path, drawn_album: Path) -> Path:
    """Return a folder with four photos."""
    kind = sorted(path for path in drawn_album.iterdir() if path.is_dir())[0]
    folder = tmp_path / "photos"
    shutil.copytree(kind, folder)
    return folder


@pytest.fixture
def driver(open_window: OpenWindow, tmp_path: Path, photos: Path) -> WindowDriver:
    driver = open_window(tmp_path / "library", photos)
    driver.wait_until_idle("indexing", 120)
    driver.wait_until(lambda: bool(driver.session.photo_folders.watching.states), "the watch")
    return driver


def names(driver: WindowDriver) -> list[str]:
    library = driver.session.library
    return [path.name for path in library.photos.paths(driver.session.grid.ids.tolist())]


def said(driver: WindowDriver) -> str:
    message = driver.window.message_bar.message
    return "" if message is None else message.text


def wait(driver: WindowDriver, condition: Callable[[], bool], what: str) -> None:
    driver.wait_until(condition, what, 120)
    driver.wait_until_idle(what, 120)


def another(drawn_album: Path, number: int) -> Path:
    kinds = sorted(path for path in drawn_album.iterdir() if path.is_dir())
    return sorted(kinds[1].iterdir())[number]


def test_new_moved_and_deleted_photos_appear_automatically(
    driver: WindowDriver, photos: Path, drawn_album: Path
) -> None:
    assert driver.session.grid.rowCount() == 4
    source = another(drawn_album, 0)
    shutil.copy(source, photos / "new.jpg")
    wait(driver, lambda: driver.session.grid.rowCount() == 5, "the new photo")
    row = names(driver).index("new.jpg")
    number = driver.session.grid.photo_id(row)
    driver.session.editor.tag([number], ["kept"])
    assert driver.session.library.vectors.keys()
    (photos / "deep").mkdir()
    (photos / "new.jpg").rename(photos / "deep" / "renamed.jpg")
    wait(driver, lambda: "renamed.jpg" in names(driver), "the renamed photo")
    assert driver.session.library.photos.files(number) == [photos / "deep" / "renamed.jpg"]
    assert driver.session.library.tags.of([number]) == {number: ["kept"]}
    (photos / "deep" / "renamed.jpg").unlink()
    wait(driver, lambda: driver.session.overview.now.missing_photos == 1, "the missing photo")
    assert driver.session.grid.rowCount() == 5, "the photo is shown, marked as missing"


def test_an_offline_folder_is_grey_and_its_photos_are_marked_and_ranked(
    driver: WindowDriver, photos: Path, tmp_path: Path
) -> None:
    model, session = driver.session.sidebar.folders, driver.session
    aside = tmp_path / "aside"
    photos.rename(aside)
    wait(driver, lambda: bool(model.find(photos).data(TreeRole.FAINT)), "the folder that went")
    driver.wait_until(lambda: "was not found" in said(driver), "the message")
    assert "connect its drive" in model.find(photos).data(Qt.ItemDataRole.ToolTipRole)
    assert session.overview.now.missing_photos == 0
    assert session.grid.rowCount() == 4
    card = session.grid.card(session.grid.photo_id(0))
    assert card is not None
    assert card.offline
    assert not card.photo.missing
    driver.walk(0)
    driver.wait_until_idle("the ranking")
    assert session.grid.rowCount() == 3, "offline photos are ranked too"
    driver.press(Key.Key_F5)
    driver.wait_until_idle("the search for changes")
    assert "connect its drive" in said(driver), "F5 shows the message too"
    message = driver.window.message_bar.message
    assert message is not None
    assert message.action is MessageAction.RELOCATE, "the message offers to locate the folder"
    driver.press(Key.Key_E)
    driver.wait_until_idle("the viewer")
    viewer = driver.window.photos.viewer
    assert "its folder is offline. Connect its drive, or relocate" in viewer.accessibleDescription()
    assert viewer._image is not None
    assert not viewer._image.isNull(), "the thumbnail is shown"
    assert viewer.grab().width() > 0
    aside.rename(photos)
    wait(driver, lambda: not model.find(photos).data(TreeRole.FAINT), "the folder that is back")
    card = session.grid.card(session.grid.photo_id(0))
    assert card is not None
    assert not card.offline
    assert session.overview.now.missing_photos == 0


def test_photos_lost_while_focal_was_closed_are_reported_with_a_link(
    open_window: OpenWindow, driver: WindowDriver, photos: Path, tmp_path: Path
) -> None:
    driver.window.close()
    sorted(photos.iterdir())[0].unlink()
    again = open_window(tmp_path / "library")
    assert again.message_text.startswith("The file of 1 photo is missing")
    again.window.message_bar._take_offer()
    (dialog,) = again.window.findChildren(MissingDialog)
    again.wait_until(lambda: dialog.photos.model().rowCount() == 1, "the missing photo")
    again.wait_until_idle("the search")


def test_changes_during_indexing_wait_until_its_end(driver: WindowDriver, photos: Path, drawn_album: Path) -> None:
    indexing, runs = driver.session.jobs.indexing, []
    driver.session.runner.task_changed.connect(lambda state: runs.append(state.number))
    indexing.rescan()
    for number in range(3):
        shutil.copy(another(drawn_album, number), photos / f"new{number}.jpg")
        indexing.take_changes([photos / f"new{number}.jpg"])
    assert len(indexing._indexing) == 1, "one job at a time"
    wait(driver, lambda: driver.session.grid.rowCount() == 7, "the new photos")


def test_watching_is_switched_off_and_on(driver: WindowDriver, photos: Path, drawn_album: Path) -> None:
    action, session = driver.window.window_actions.by_name["watch"], driver.session
    assert action.isChecked()
    action.trigger()
    wait(driver, lambda: not session.photo_folders.watching.on, "the switch")
    assert not action.isChecked()
    assert session.photo_folders.watching.states == ()
    assert WATCH.get(session.library) is False
    shutil.copy(another(drawn_album, 0), photos / "new.jpg")
    action.trigger()
    wait(driver, lambda: session.grid.rowCount() == 5, "what changed meanwhile")


@pytest.mark.slow
def test_polled_folders_are_named_with_the_reason(
    open_window: OpenWindow, tmp_path: Path, photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focal_photos.browser.operations.photos.watch.file_system", lambda _path: "fuse.sshfs")
    with Library.open(tmp_path / "library") as library:
        WATCH_SECONDS.set(library, 5.0)
    driver = open_window(tmp_path / "library", photos)
    wait(driver, driver.window.status_bar.polled.isVisible, "the watch")
    assert driver.window.status_bar.polled.text() == "1 folder polled"
    assert "every 5 s (it is on a network drive (sshfs)" in driver.window.status_bar.polled.toolTip()
    model = driver.session.sidebar.folders
    assert "every 5 s" in model.find(photos).data(Qt.ItemDataRole.ToolTipRole)
    (photos / "new.jpg").write_bytes(next(path for path in photos.iterdir()).read_bytes() + b"\0")
    wait(driver, lambda: driver.session.grid.rowCount() == 5, "the new photo")


def test_a_read_only_window_marks_offline_folders(
    open_window: OpenWindow, driver: WindowDriver, photos: Path, tmp_path: Path
) -> None:
    photos.rename(tmp_path / "aside")
    second = open_window(tmp_path / "library", read_only=True)
    model = second.session.sidebar.folders
    wait(second, lambda: bool(model.find(photos).data(TreeRole.FAINT)), "the folder that is away")


def test_changes_of_a_sidecar_by_another_program_are_imported(driver: WindowDriver, photos: Path) -> None:
    number = driver.session.grid.photo_id(0)
    (photo,) = driver.session.library.photos.paths([number])
    import_all_tags(driver.session.library)
    photo.with_suffix(".xmp").write_bytes(merge_xmp(None, ["sea"], 4))
    wait(driver, lambda: driver.session.library.tags.of([number]) == {number: ["sea"]}, "the tag")
    assert "Imported" in said(driver)
    card = driver.session.grid.card(number)
    assert card is not None
    assert card.tags == ("sea",)


def test_a_watch_that_is_renewed_twice_leaves_no_thread(driver: WindowDriver) -> None:
    """Closing at once also ends the watch; the check of threads after each test would notice otherwise."""
    watching = driver.session.photo_folders.watching
    for _ in range(3):
        watching.start()
    wait(driver, lambda: len([thread for thread in threading.enumerate() if thread.name == "focal-watch"]) == 1, "one")
    watching.start()
    driver.window.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "focal-watch"]


def test_changes_after_cancelled_indexing_do_not_restart_it(
    open_window: OpenWindow, tmp_path: Path, photos: Path, drawn_album: Path
) -> None:
    driver = open_window(tmp_path / "library", settled=False)
    session = driver.session
    session.library.roots.add(photos)  # it may be cancelled before the folder is added
    session.show()
    session.photo_folders.opening.open_folders([photos])
    (number,) = session.jobs.indexing._indexing
    session.runner.cancel(number)
    driver.wait_until_idle("the end of indexing", 120)
    session.jobs.indexing.take_changes([photos])
    driver.wait_until_idle("what changed", 120)
    library = session.library
    assert library.photos.count() == 4, "new photos are found"
    assert len(library.photos.undescribed()) == 4, "new photos are not described"
    session.jobs.indexing.rescan()
    driver.wait_until_idle("indexing", 120)
    assert len(library.photos.undescribed()) == 0
