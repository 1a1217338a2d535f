# SPDX-License-Identifier: MIT
"""Photos whose files are unreadable, offline or moved."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt

from focal_photos.browser.models.base.notices import MessageAction
from focal_photos.browser.models.photos.tiles import SMALL_TILE
from focal_photos.browser.views.base.labels import ElidedLabel
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.conftest import OpenWindow

Key = Qt.Key


@pytest.fixture
def with_broken(open_window: OpenWindow, tmp_path: Path, drawn_album: Path) -> WindowDriver:
    folder = tmp_path / "photos"
    shutil.copytree(next(path for path in drawn_album.iterdir() if path.is_dir()), folder)
    (folder / "a-broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 no more")
    driver = open_window(tmp_path / "library", folder)
    driver.wait_until_idle("indexing", 120)
    return driver


def test_unreadable_files_are_last(with_broken: WindowDriver) -> None:
    grid = with_broken.session.grid
    names = [grid.index(row).data() for row in range(grid.rowCount())]
    assert names[-1] == "a-broken.jpg"
    assert names[:-1] == sorted(names[:-1])


def test_a_click_on_an_unreadable_file_shows_its_error(with_broken: WindowDriver) -> None:
    driver = with_broken
    driver.walk(driver.session.grid.rowCount() - 1)
    driver.wait_until_idle("nothing")
    message = driver.window.message_bar.message
    assert message is not None
    assert message.severity == "warning"
    assert message.action is MessageAction.SHOW_FAILURES
    assert message.text.startswith("a-broken.jpg cannot be read: ")
    assert driver.navigator.focal_id is None


def test_reopening_a_folder_reports_only_newly_unreadable_files(with_broken: WindowDriver) -> None:
    driver = with_broken
    assert "Files and folders that could not be read: 1." in driver.message_text
    folder = driver.session.library.roots.all()[0].path
    driver.window.dialogs.open_folders([folder])
    driver.wait_until_idle("the same folder", 120)
    message = driver.window.message_bar.message
    assert message is not None
    assert message.text == "Nothing has changed: 5 photos."
    assert message.severity == "info"
    assert driver.session.overview.now.failed == 1, "the list still has the file"
    (folder / "b-broken.jpg").write_bytes(b"\xff\xd8\xff\xe0 no more either")
    driver.window.dialogs.open_folders([folder])
    driver.wait_until_idle("one more", 120)
    message = driver.window.message_bar.message
    assert message is not None
    assert "Files and folders that could not be read: 1." in message.text, "only the new file is counted"
    assert message.severity == "warning"
    assert driver.session.overview.now.failed == 2


def test_unsupported_formats_are_noted_once_and_in_the_tool_tip(
    open_window: OpenWindow, tmp_path: Path, drawn_album: Path
) -> None:
    folder = tmp_path / "photos"
    shutil.copytree(next(path for path in drawn_album.iterdir() if path.is_dir()), folder)
    for name in ("a.mp4", "b.mp4", "c.svg"):
        (folder / name).write_bytes(b"anything")
    driver = open_window(tmp_path / "library", folder)
    driver.wait_until_idle("indexing", 120)

    def noted() -> list[str]:
        return [message.text for _, message in driver.window.message_bar.log if "does not support" in message.text]

    def tip() -> str:
        folders = driver.session.sidebar.folders
        return str(folders.index(0, 0).data(Qt.ItemDataRole.ToolTipRole))

    sentence = "3 files of types that Focal does not support: 2 .mp4, 1 .svg."
    assert noted() == [sentence]
    assert "indexed in" in driver.message_text, "a quiet note covers no other message"
    driver.wait_until(lambda: sentence in tip(), "the folder's tool tip")
    driver.window.dialogs.open_folders([folder])
    driver.wait_until_idle("the same folder", 120)
    assert noted() == [sentence], "known files are not reported again"
    (folder / "d.exr").write_bytes(b"anything")
    driver.window.dialogs.open_folders([folder])
    driver.wait_until_idle("one more", 120)
    assert noted() == [sentence, "4 files of types that Focal does not support: 2 .mp4, 1 .exr, 1 .svg."]


def test_a_folder_without_supported_files_lists_its_formats(
    open_window: OpenWindow, tmp_path: Path, drawn_album: Path
) -> None:
    driver = open_window(tmp_path / "library", next(path for path in drawn_album.iterdir() if path.is_dir()))
    driver.wait_until_idle("indexing", 120)
    videos = tmp_path / "videos"
    videos.mkdir()
    for name in ("a.mp4", "b.mp4"):
        (videos / name).write_bytes(b"anything")
    driver.window.dialogs.open_folders([videos])
    driver.wait_until_idle("videos", 120)
    message = driver.window.message_bar.message
    assert message is not None
    assert message.text == "There are no photos in videos. 2 files of types that Focal does not support: 2 .mp4."
    assert message.severity == "warning"


def test_a_missing_folder_is_named(open_window: OpenWindow, tmp_path: Path, drawn_album: Path) -> None:
    folder = tmp_path / "stick"
    shutil.copytree(next(path for path in drawn_album.iterdir() if path.is_dir()), folder)
    driver = open_window(tmp_path / "library", folder)
    driver.wait_until_idle("indexing", 120)
    folder.rename(tmp_path / "elsewhere")
    driver.press(Key.Key_F5)
    driver.wait_until_idle("the scan", 60)
    message = driver.window.message_bar.message
    assert message is not None
    assert message.severity == "warning"
    assert "stick" in message.text
    assert "connect its drive" in message.text
    assert driver.session.overview.now.missing_photos == 0, "photos of an offline folder are not missing"
    photo_id = driver.session.grid.photo_id(0)
    card = driver.session.grid.card(photo_id)
    assert card is not None
    assert card.offline, "the tile is marked as offline"
    driver.wait_until(
        lambda: driver.session.loader.image(photo_id, SMALL_TILE) is not None, "the thumbnail that is kept"
    )
    assert driver.session.grid.rowCount() == 4


@pytest.mark.slow
def test_an_offline_folder_is_reported_once_and_then_only_listed(
    open_window: OpenWindow, tmp_path: Path, drawn_album: Path
) -> None:
    folder, source = tmp_path / "stick", next(path for path in drawn_album.iterdir() if path.is_dir())
    shutil.copytree(source, folder)
    driver = open_window(tmp_path / "library", folder)
    driver.wait_until_idle("indexing", 120)
    driver.window.close()
    shutil.rmtree(folder)

    def started() -> list[str]:
        again = open_window(tmp_path / "library")
        again.wait_until_idle("looking for changes", 120)
        folders = again.session.sidebar.folders
        again.wait_until(
            lambda: "Offline." in str(folders.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)), "the list of folders"
        )
        again.wait_until(lambda: bool(again.session.photo_folders.watching.states), "the watch")
        texts = [message.text for _, message in again.window.message_bar.log]
        again.press(Key.Key_F5)
        again.wait_until_idle("the scan", 60)
        assert "connect its drive" in again.message_text, "a request by the user gets an answer"
        again.window.close()
        return [text for text in texts if "stick" in text]

    assert len(started()) == 1
    assert started() == []
    shutil.copytree(source, folder)
    back = open_window(tmp_path / "library")
    back.wait_until_idle("looking for changes", 120)
    back.window.close()
    shutil.rmtree(folder)
    assert len(started()) == 1, "the drive is offline again"


def test_photos_of_a_moved_folder_open_at_their_new_place(
    open_window: OpenWindow, tmp_path: Path, drawn_album: Path
) -> None:
    folder = tmp_path / "a-before"
    shutil.copytree(next(path for path in drawn_album.iterdir() if path.is_dir()), folder)
    driver = open_window(tmp_path / "library", folder)
    driver.wait_until_idle("indexing", 120)
    photo_id = driver.session.grid.photo_id(0)
    driver.session.editor.tag([photo_id], ["kept"])
    driver.wait_until_idle("tagging")
    folder.rename(tmp_path / "b-now")
    driver.window.dialogs.open_folders([tmp_path / "b-now"])
    driver.wait_until_idle("indexing", 120)
    assert driver.session.overview.now.photos == 4
    [photo] = driver.session.library.photos.get([photo_id])
    assert photo.path.parent == tmp_path / "b-now"
    assert not photo.missing
    (tmp_path / "b-now").rename(folder)
    driver.press(Key.Key_F5)
    driver.wait_until_idle("the scan", 60)
    [photo] = driver.session.library.photos.get([photo_id])
    assert photo.path.parent == folder
    assert driver.session.library.tags.of([photo_id])[photo_id] == ["kept"]


@pytest.fixture
def with_truncated(open_window: OpenWindow, tmp_path: Path, drawn_album: Path) -> WindowDriver:
    """Return a window on a folder with the first half of a JPEG file."""
    folder = tmp_path / "photos"
    shutil.copytree(next(path for path in drawn_album.iterdir() if path.is_dir()), folder)
    Image.effect_noise((320, 240), 60).convert("RGB").save(folder / "b-whole.jpg", quality=90)
    content = (folder / "b-whole.jpg").read_bytes()
    (folder / "b-whole.jpg").rename(tmp_path / "whole.jpg")
    (folder / "a-truncated.jpg").write_bytes(content[: len(content) // 2])
    driver = open_window(tmp_path / "library", folder)
    driver.wait_until_idle("indexing", 120)
    return driver


def test_the_readable_part_of_a_truncated_photo_is_shown_and_ranked(with_truncated: WindowDriver) -> None:
    driver = with_truncated
    grid, library = driver.session.grid, driver.session.library
    row = next(row for row in range(grid.rowCount()) if grid.index(row).data() == "a-truncated.jpg")
    (photo,) = library.photos.get([grid.photo_id(row)])
    assert photo.failure is None
    assert (photo.width, photo.incomplete is not None) == (320, True)
    assert photo.height is not None
    assert photo.height / 240 == pytest.approx(0.5, abs=0.1)
    driver.click(row)
    driver.press(Key.Key_Space)
    driver.wait_until_idle("the preview")
    shown = driver.window.photos.viewer._image
    assert shown is not None
    assert (shown.width(), shown.height()) == (320, photo.height)
    driver.press(Key.Key_Space)
    facts = [one.full_text() for one in driver.window.right_column.information.findChildren(ElidedLabel)]
    assert any("The file is incomplete, only" in fact for fact in facts)
    driver.walk(row)
    driver.wait_until_idle("the ranking")
    assert driver.navigator.focal_id == photo.id
    assert driver.session.overview.now.failed == 1
    assert driver.window.status_bar._failures.text() == "1 with problems"
    listed: list[tuple[Path, str]] = []
    driver.session.photo_folders.read_failures(listed.extend)
    driver.wait_until_idle("the list")
    assert [path.name for path, _ in listed] == ["a-truncated.jpg"]


def test_a_truncated_photo_is_read_again_once_complete(with_truncated: WindowDriver, tmp_path: Path) -> None:
    driver = with_truncated
    library = driver.session.library
    folder = library.roots.all()[0].path
    shutil.copy(tmp_path / "whole.jpg", folder / "a-truncated.jpg")
    driver.session.jobs.indexing.rescan()
    driver.wait_until_idle("the whole file", 120)
    photo = library.photos.by_path(folder / "a-truncated.jpg")
    assert photo is not None
    assert (photo.width, photo.height, photo.incomplete) == (320, 240, None)
    assert driver.session.overview.now.failed == 0
