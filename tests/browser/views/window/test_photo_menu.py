# SPDX-License-Identifier: MIT
"""The context menu of photos, dragging them, and images from other programs."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QContextMenuEvent, QDesktopServices, QDragEnterEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QMessageBox

from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.settings.user_settings import TRASH
from focal_photos.browser.operations.ranking.queries.query import Examples
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import walk_to

Key = Qt.Key


def texts(menu: QMenu) -> list[str]:
    return [action.text().replace("&", "") for action in menu.actions() if not action.isSeparator()]


def entry(menu: QMenu, begins: str) -> None:
    """Trigger an entry."""
    next(each for each in menu.actions() if each.text().replace("&", "").startswith(begins)).trigger()


def path_of(driver: WindowDriver, row: int) -> Path:
    (path,) = driver.session.library.photos.paths([driver.session.grid.photo_id(row)])
    return path


def select(driver: WindowDriver, *rows: int) -> None:
    for row in rows:
        driver.click(row, CTRL)
    driver.wait_until_idle("the selection")


def right_click(driver: WindowDriver, row: int) -> QMenu:
    """Open the menu of a photo."""
    viewport, spot = driver.grid.viewport(), driver.tile_center(row)
    here = viewport.mapToGlobal(spot)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, spot, here, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(viewport, event)
    return next(menu for menu in driver.window.findChildren(QMenu, "photoMenu") if menu.isVisible())


def test_a_right_click_opens_the_menu_of_the_selection_or_selects_its_photo(driver: WindowDriver) -> None:
    select(driver, 0, 3)
    menu = right_click(driver, 3)
    assert len(driver.grid.selected_ids()) == 2
    assert any("Compare" in text for text in texts(menu))
    menu.close()
    menu = right_click(driver, 4)
    assert driver.grid.selected_ids() == [driver.session.grid.photo_id(4)]
    offered = " | ".join(texts(menu))
    parts = "focal image", "system's program", "file manager", "path", "Copy the image", "tags", "Rating", "Rotate"
    assert all(each in offered for each in parts)
    assert "trash" not in offered, "the command is off by default"
    menu.close()


def test_letters_choose_entries_while_a_menu_is_open(driver: WindowDriver) -> None:
    """They are also keys of the photos below."""
    walk_to(driver, 1)
    select(driver, 5)
    session, window, menus = driver.session, driver.window, driver.window.window_actions.menus
    QGuiApplication.clipboard().clear()
    menu = window.photo_menu.make()
    menu.popup(window.mapToGlobal(window.rect().center()))
    QTest.keyClick(menu, Key.Key_C)  # "Copy the image"; the key would compare photos below
    driver.wait_until_idle("the image")
    assert not QGuiApplication.clipboard().image().isNull()
    assert window.mode is Mode.BROWSE
    bar = window.menuBar()
    for opened in (one.menu() for one in bar.actions() if one.menu() is not menus["view"]):
        bar.setFocus()  # as Alt and a letter do
        assert isinstance(opened, QMenu)
        for key in (Key.Key_D, Key.Key_1, Key.Key_H):
            opened.popup(window.mapToGlobal(window.rect().center()))
            if not any(f"&{chr(key).lower()}" in one.text().lower() for one in opened.actions()):
                QTest.keyClick(opened, key)
            opened.close()
    driver.wait_until_idle("nothing")
    assert session.library.judgements.count() == 0
    assert window.message_bar.message is None


def test_photos_are_copied_as_files_and_pasted_as_a_query(driver: WindowDriver) -> None:
    select(driver, 1, 2)
    driver.press(Key.Key_C, CTRL)
    data = QGuiApplication.clipboard().mimeData()
    paths = [path_of(driver, 1), path_of(driver, 2)]
    assert data.text().splitlines() == [str(path) for path in paths]
    assert [Path(url.toLocalFile()) for url in data.urls()] == paths
    driver.press(Key.Key_Escape)
    select(driver, 5)
    photo_id = driver.session.grid.photo_id(5)
    entry(driver.window.photo_menu.make(), "Copy the image")
    driver.wait_until_idle("the image")
    assert not QGuiApplication.clipboard().image().isNull()
    driver.press(Key.Key_V, CTRL)
    driver.wait_until_idle("the ranking")
    assert driver.navigator.focal_id is None
    assert driver.session.grid.ranked
    assert driver.session.grid.photo_id(0) == photo_id, "the photo is nearest to its own pixels"
    assert "nearest to Pasted image" in driver.window.status_bar.text()
    driver.press(Key.Key_Escape)
    driver.press(Key.Key_Escape)
    driver.wait_until_idle("the order of the folders")
    assert not driver.session.grid.ranked


def test_a_pasted_or_dropped_photo_of_the_library_becomes_the_focal_image(driver: WindowDriver) -> None:
    select(driver, 5)
    first = driver.session.grid.photo_id(5)
    driver.press(Key.Key_C, CTRL)
    driver.press(Key.Key_V, CTRL)
    driver.wait_until_idle("the ranking")
    assert driver.navigator.focal_id == first
    other = driver.session.grid.photo_id(3)
    drop_file(driver, path_of(driver, 3))
    driver.wait_until_idle("the ranking")
    assert driver.navigator.focal_id == other


def drop_file(driver: WindowDriver, path: Path) -> None:
    """Drop a file onto the window."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy, left, no_key = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(driver.window, QDragEnterEvent(QPoint(400, 300), copy, data, left, no_key))
    QApplication.sendEvent(driver.window, QDropEvent(QPointF(400, 300), copy, data, left, no_key))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "way"),
    [("map", "drop"), ("map", "second start"), ("viewer", "drop"), ("viewer", "paste"), ("viewer", "second start")],
)
def test_every_mode_shows_the_ranking_by_an_external_image(
    driver: WindowDriver, tmp_path: Path, place: str, way: str
) -> None:
    outside = tmp_path / "outside.jpg"
    outside.write_bytes(path_of(driver, 3).read_bytes())
    with outside.open("ab") as file:
        file.write(b"of another content")
    window = driver.window
    if place == "map":
        window.show_mode(Mode.MAP)
    else:
        select(driver, 2)
        driver.press(Key.Key_E)
        assert window.photos.viewing
    if way == "drop":
        drop_file(driver, outside)
    elif way == "paste":
        QGuiApplication.clipboard().setImage(QImage(str(outside)))
        driver.press(Key.Key_V, CTRL)
    else:
        driver.session.photo_folders.opening.open([outside])
    driver.wait_until(lambda: driver.session.navigator.ranked, "the ranking")
    driver.wait_until(lambda: window.mode is Mode.BROWSE and not window.photos.viewing, "it is shown")


def test_a_dropped_file_that_is_not_an_image_leaves_the_page_open(driver: WindowDriver, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Not a photo.")
    driver.window.show_mode(Mode.LEARNING)
    drop_file(driver, tmp_path / "notes.txt")
    driver.wait_until(lambda: driver.window.message_bar.message is not None, "the warning")
    driver.wait_until_idle("nothing more")
    assert driver.window.mode is Mode.LEARNING


def test_a_pasted_query_can_be_filtered_and_restored(driver: WindowDriver) -> None:
    driver.navigator.rank_by(path_of(driver, 3).read_bytes(), "an image")
    driver.wait_until_idle("the ranking")
    first = driver.session.library.photos.get([driver.session.grid.photo_id(0)])[0]
    driver.navigator.set_query(first.path.parent.name)
    driver.wait_until_idle("the filter")
    assert driver.session.grid.ranked
    assert 0 < driver.session.grid.rowCount() < 32
    walk_to(driver, 1)
    driver.navigator.back()
    driver.wait_until_idle("back")
    assert driver.session.grid.ranked
    assert driver.navigator.focal_id is None
    driver.press(Key.Key_G)
    driver.wait_until_idle("the order of the folders")
    assert not driver.session.grid.ranked


def test_an_address_pasted_as_text_is_a_query(driver: WindowDriver, tmp_path: Path) -> None:
    """Terminals, editors and other programs copy addresses as text."""
    outside = Path(shutil.copy(path_of(driver, 3), tmp_path / "with a blank.jpg"))
    with outside.open("ab") as file:
        file.write(b"another content")
    driver.grid.setFocus()
    for text in (QUrl.fromLocalFile(str(outside)).toString(), f"{outside.as_uri()}\n", str(outside)):
        QGuiApplication.clipboard().setText(text)
        driver.press(Key.Key_V, CTRL)
        driver.wait_until_idle("the ranking")
        assert "nearest to with a blank.jpg" in driver.window.status_bar.text()
        driver.press(Key.Key_G)
        driver.wait_until_idle("the order of the folders")
        assert not driver.session.grid.ranked
    QGuiApplication.clipboard().setText(str(path_of(driver, 5)))
    first = driver.session.grid.photo_id(5)
    driver.press(Key.Key_V, CTRL)
    driver.wait_until_idle("the ranking")
    assert driver.navigator.focal_id == first


def test_a_dropped_image_is_a_query_and_a_dropped_folder_is_opened(driver: WindowDriver, tmp_path: Path) -> None:
    image = QImage(40, 30, QImage.Format.Format_RGB32)
    image.fill(0xFF3366)
    image.save(str(tmp_path / "elsewhere.png"))
    drop_file(driver, tmp_path / "elsewhere.png")
    driver.wait_until_idle("the ranking")
    assert driver.session.grid.ranked
    assert driver.session.overview.now.photos == 32, "the image is not added to the library"
    assert len(driver.session.overview.now.roots) == 1


def test_dragged_photos_are_files_for_others_and_tags_for_the_tree(driver: WindowDriver) -> None:
    driver.session.editor.tag([driver.session.grid.photo_id(9)], ["sea"])
    driver.wait_until_idle("tagging")
    select(driver, 1, 2)
    data = driver.window.photo_menu.drag_data()
    ids = [driver.session.grid.photo_id(1), driver.session.grid.photo_id(2)]
    assert [Path(url.toLocalFile()) for url in data.urls()] == [path_of(driver, 1), path_of(driver, 2)]
    assert json.loads(bytes(data.data("application/x-focal-photos").data())) == ids
    assert not driver.window.photo_menu.take_image(data), "a photo of the library is not an external image"
    tree = driver.window.sidebar.tag_tree
    spot = tree.visualRect(tree.model().index(0, 0)).center()
    event = QDropEvent(
        QPointF(spot), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    tree.dropEvent(event)
    driver.wait_until_idle("tagging")
    assert driver.session.library.tags.of(ids) == {ids[0]: ["sea"], ids[1]: ["sea"]}


def test_a_drag_takes_the_pressed_photo(driver: WindowDriver) -> None:
    dragged: list[list[int]] = []
    driver.grid.dragged.disconnect()
    driver.grid.dragged.connect(lambda: dragged.append(driver.grid.selected_ids()))
    select(driver, 0, 1)
    for row, expected in ((1, [0, 1]), (4, [4])):
        start = driver.tile_center(row)
        QTest.mousePress(driver.grid.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
        QTest.mouseMove(driver.grid.viewport(), start + QPoint(3, 3))
        QTest.mouseMove(driver.grid.viewport(), start + QPoint(30, 10))
        QTest.mouseRelease(
            driver.grid.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start + QPoint(30, 10)
        )
        assert dragged[-1] == [driver.session.grid.photo_id(each) for each in expected]


def test_photos_go_to_the_trash_after_a_question(
    open_window: OpenWindow, tmp_path: Path, drawn_album: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    own = tmp_path / "own"
    shutil.copytree(next(path for path in drawn_album.iterdir() if path.is_dir()), own)
    driver = open_window(tmp_path / "library", own)
    driver.wait_until_idle("indexing", 120)
    driver.window.dialogs.user_settings.set(TRASH, True)
    driver.session.editor.tag([driver.session.grid.photo_id(0)], ["sea"])
    driver.wait_until_idle("tagging")
    select(driver, 0)
    photo_id, path = driver.session.grid.photo_id(0), path_of(driver, 0)
    for answer, there in (("Cancel", True), ("Move to the trash", False)):
        entry(driver.window.photo_menu.make(), "Move to the trash")
        box = next(box for box in driver.window.findChildren(QMessageBox) if box.isVisible())
        assert "keeps their tags" in box.informativeText()
        next(button for button in box.buttons() if button.text() == answer).click()
        driver.wait_until_idle("the trash")
        assert path.exists() is there
    assert driver.session.library.photos.get([photo_id])[0].missing
    assert driver.session.library.tags.of([photo_id])[photo_id] == ["sea"]


def test_the_selection_is_exported_as_copies_and_tables(
    driver: WindowDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = driver.window.window_actions.by_name
    named["export_copies"].trigger()
    assert driver.message_text.startswith("Select the photos to export first")
    driver.click(0)
    driver.click(3, CTRL)
    driver.wait_until_idle("the selection")
    texts = [action.text() for action in driver.window.photo_menu.make().actions()]
    assert {"Export copies of the selected &photos…", "Export a &table of the selected photos…"} <= set(texts)
    folder = tmp_path / "copies"
    folder.mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    named["export_copies"].trigger()
    driver.wait_until_idle("the copies")
    paths = driver.session.library.photos.paths(driver.grid.selected_ids())
    assert sorted(path.name for path in folder.iterdir()) == sorted(path.name for path in paths)
    assert driver.message_text == f"Copied to {folder}: 2 photos."
    for chosen, kind, made in (
        ("some", "CSV (*.csv)", "some.csv"),
        ("some", "JSON Lines (*.jsonl)", "some.jsonl"),
        ("more.jsonl", "CSV (*.csv)", "more.jsonl"),
    ):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, a=chosen, b=kind: (str(tmp_path / a), b))
        named["export_table"].trigger()
        driver.wait_until_idle("the table")
        text = (tmp_path / made).read_text("utf-8")
        assert all(path.name in text for path in paths)
        assert text.startswith("{") == made.endswith("jsonl")


def test_a_failed_copy_of_all_photos_is_reported(
    open_window: OpenWindow, tmp_path: Path, drawn_album: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, folder = tmp_path / "own", tmp_path / "copies"
    shutil.copytree(next(path for path in drawn_album.iterdir() if path.is_dir()), own)
    folder.mkdir()
    driver = open_window(tmp_path / "library", own)
    driver.wait_until_idle("indexing", 120)
    driver.click(0)
    driver.click(1, CTRL)
    driver.wait_until_idle("the selection")
    for path in driver.session.library.photos.paths(driver.grid.selected_ids()):
        path.unlink()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))

    def told() -> str:
        message = driver.window.message_bar.message
        return "" if message is None else message.text

    driver.window.window_actions.by_name["export_copies"].trigger()
    driver.wait_until(lambda: told().startswith("Nothing was copied"), "the message")
    assert told().startswith(f"Nothing was copied to {folder}. Not copied: 2 photos, the first is ")
    assert list(folder.iterdir()) == []


def opener(opened: list[Path]) -> Callable[[QUrl], bool]:
    """Return a replacement for the system's programs."""

    def open_url(url: QUrl) -> bool:
        opened.append(Path(url.toLocalFile()))
        return True

    return open_url


def test_the_disk_is_read_outside_the_main_thread(
    driver: WindowDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A network drive may not answer for minutes."""
    elsewhere = tmp_path / "elsewhere.jpg"
    shutil.copy(path_of(driver, 7), elsewhere)
    photo, main, asked = path_of(driver, 5), threading.get_ident(), set[str]()
    for name in ("exists", "is_file", "is_dir"):
        ask = getattr(Path, name)

        def told(path: Path, ask: Callable[[Path], bool] = ask, name: str = name) -> bool:
            if path in (photo, photo.parent, elsewhere):
                assert threading.get_ident() != main, f"{name} of {path}"
                asked.add(path.name)
            return ask(path)

        monkeypatch.setattr(Path, name, told)
    opened: list[Path] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opener(opened))
    select(driver, 5)
    menu = driver.window.photo_menu.make()
    for begins in ("Open with", "Show in the file"):
        entry(menu, begins)
        driver.wait_until_idle("another program")
    assert opened == [photo, photo.parent]
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(elsewhere))])
    driver.grid.setFocus()
    for number, keys in enumerate((CTRL, CTRL | SHIFT)):
        QGuiApplication.clipboard().setMimeData(data)
        driver.press(Key.Key_V, keys)
        driver.wait_until_idle("the ranking")
        assert driver.session.grid.ranked, number
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(photo))])
    assert driver.navigator.examples == Examples((elsewhere, photo))
    assert asked == {photo.name, photo.parent.name, elsewhere.name}


def test_opening_a_missing_file_is_reported(
    driver: WindowDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opener(opened))
    driver.window.photo_menu._open([tmp_path / "gone.jpg", path_of(driver, 2)])
    driver.wait_until_idle("another program")
    assert opened == [path_of(driver, 2)]
    assert driver.message_text == "gone.jpg could not be opened."


def test_a_pasted_text_or_web_address_is_reported(driver: WindowDriver) -> None:
    QGuiApplication.clipboard().setText("beach")
    driver.grid.setFocus()
    driver.press(Key.Key_V, CTRL)
    message = driver.window.message_bar.message
    assert message is not None
    assert message.severity is Severity.WARNING
    assert "no image" in message.text
    data = QMimeData()
    data.setUrls([QUrl("https://example.org/a.jpg")])
    for keys in (CTRL, CTRL | SHIFT):
        QGuiApplication.clipboard().setMimeData(data)
        driver.press(Key.Key_V, keys)
        assert "does not download" in driver.message_text
        data = QMimeData()
        data.setUrls([QUrl("http://example.org/a.jpg")])
    assert not driver.session.grid.ranked


@pytest.mark.slow
@pytest.mark.parametrize("name", ["notes.txt", "letter.pdf", "broken.jpg"])
def test_a_dropped_file_that_is_not_an_image_is_reported_briefly(
    driver: WindowDriver, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_bytes(b"Not a photo, but a few words.\n" * 20)
    before = driver.session.grid.ids.tolist()
    drop_file(driver, tmp_path / name)
    driver.wait_until_idle("the ranking")
    message = driver.window.message_bar.message
    assert message is not None
    assert message.severity is Severity.WARNING
    assert f"{name} cannot be used as focal image: " in message.text
    assert "Error" not in message.text
    assert driver.window.message_bar._timer.isActive(), "the message disappears automatically"
    assert driver.session.grid.ids.tolist() == before
