# SPDX-License-Identifier: MIT
"""Data dragged over the window and dropped on it, as other programs provide it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QWidget

from focal_photos.browser.operations.ranking.queries.query import Example
from focal_photos.browser.views.base.dropping import DropFrame
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import walk_to

Key = Qt.Key
COPY, LEFT, NO_KEY = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
NET = "Focal does not download anything: copy the picture itself and paste it here."


def path_of(driver: WindowDriver, row: int) -> Path:
    (path,) = driver.session.library.photos.paths([driver.session.grid.photo_id(row)])
    return path


def outside(driver: WindowDriver, tmp_path: Path) -> Path:
    """Return an image that is not in the library."""
    path = Path(shutil.copy(path_of(driver, 3), tmp_path / "outside.jpg"))
    with path.open("ab") as file:
        file.write(b"another content")
    return path


def files(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def text(said: str) -> QMimeData:
    data = QMimeData()
    data.setText(said)
    return data


def pixels(driver: WindowDriver) -> QMimeData:
    data = QMimeData()
    data.setImageData(QImage(str(path_of(driver, 3))))
    return data


def hold(widget: QWidget, data: QMimeData) -> bool:
    """Drag data over a widget; return whether the widget accepts it."""
    event = QDragEnterEvent(QPoint(40, 30), COPY, data, LEFT, NO_KEY)
    event.ignore()
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def drop(widget: QWidget, data: QMimeData) -> bool:
    """Drop data on a widget if it accepts the data; return whether it does."""
    if not hold(widget, data):
        return False
    QApplication.sendEvent(widget, QDropEvent(QPointF(40, 30), COPY, data, LEFT, NO_KEY))
    return True


def likes(driver: WindowDriver) -> tuple[Example, ...]:
    """Return the positive examples."""
    examples = driver.navigator.examples
    return () if examples is None else examples.like


def shown(driver: WindowDriver) -> list[str]:
    """Return the texts of the visible frames."""
    return [frame.text for frame in driver.window.findChildren(DropFrame) if frame.isVisible()]


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(Mode))
def test_a_frame_explains_the_effect_of_dropping(driver: WindowDriver, tmp_path: Path, mode: Mode) -> None:
    driver.window.show_mode(mode)
    window, image = driver.window, outside(driver, tmp_path)
    for data, said in (
        (files(image), "Drop to find photos like this one"),
        (files(image, path_of(driver, 1)), "Drop to find photos like these"),
        (text(f"{image.as_uri()}\n"), "Drop to find photos like this one"),
        (pixels(driver), "Drop to find photos like this one"),
        (files(tmp_path), "Drop to open it"),
        (text("https://example.org/a.jpg"), NET),
    ):
        assert hold(window, data)
        assert shown(driver) == [said]
        (frame,) = [one for one in window.findChildren(DropFrame) if one.isVisible()]
        parent = frame.parentWidget()
        assert parent is not None
        assert parent is window.centralWidget()
        assert frame.size() == parent.size()
        assert window.childAt(frame.mapTo(window, frame.rect().center())) is not frame, "the frame lets drops through"
        QApplication.sendEvent(window, QDragLeaveEvent())
        assert shown(driver) == []
    hold(window, files(image))
    drop(window, files(image))
    assert shown(driver) == []
    driver.wait_until(lambda: driver.session.navigator.ranked, "the ranking")


@pytest.mark.slow
def test_photos_of_the_window_and_texts_show_no_frame(driver: WindowDriver) -> None:
    data = files(path_of(driver, 1))
    data.setData("application/x-focal-photos", json.dumps([driver.session.grid.photo_id(1)]).encode())
    assert not hold(driver.window, data)
    assert not hold(driver.window, text("beach"))
    assert shown(driver) == []
    walk_to(driver, 1)
    hold(driver.window.photos.focal_panel, data)
    assert shown(driver) == []


def test_the_strips_announce_that_dropped_photos_are_added(driver: WindowDriver, tmp_path: Path) -> None:
    walk_to(driver, 1)
    image, panel = outside(driver, tmp_path), driver.window.photos.focal_panel
    assert hold(panel, files(image))
    assert shown(driver) == ["Drop to look for photos like this one too"]
    QApplication.sendEvent(panel, QDragLeaveEvent())
    assert shown(driver) == []
    drop(panel, files(image))
    assert shown(driver) == []
    driver.wait_until(lambda: len(likes(driver)) == 2, "the examples")
    driver.wait_until_idle("the ranking")
    strip = driver.window.photos.examples_strip
    assert hold(strip, files(image, path_of(driver, 2)))
    assert shown(driver) == ["Drop to look for photos like these too"]
    drop(strip, files(path_of(driver, 2)))
    assert shown(driver) == []


def test_an_empty_window_shows_no_frame(open_window: OpenWindow, tmp_path: Path) -> None:
    driver = open_window(tmp_path / "library")
    driver.wait_until(lambda: driver.window.photos.welcoming, "the welcome")
    assert hold(driver.window, files(tmp_path))
    assert shown(driver) == []


def test_the_frame_is_painted_in_both_themes(driver: WindowDriver, tmp_path: Path) -> None:
    hold(driver.window, files(outside(driver, tmp_path)))
    (frame,) = [one for one in driver.window.findChildren(DropFrame) if one.isVisible()]
    seen = set()
    for name in ("dark", "light"):
        driver.window.view_menu.choose_theme(type(driver.window.theme.choice)(name))
        edge = frame.grab().toImage().pixelColor(frame.width() // 2, 5)
        wanted = driver.window.theme.color("accent")
        assert abs(edge.blue() - wanted.blue()) < 40
        seen.add(edge.name())
    assert len(seen) == 2


def test_an_address_dropped_as_text_counts_as_an_address(driver: WindowDriver, tmp_path: Path) -> None:
    image = outside(driver, tmp_path)
    for said in (f"{image.as_uri()}\r\n", str(image)):
        assert drop(driver.window, text(said))
        driver.wait_until(lambda: driver.session.navigator.ranked, "the ranking")
        driver.wait_until_idle("the ranking")
        assert "nearest to outside.jpg" in driver.window.status_bar.text()
        driver.press(Key.Key_G)
        driver.wait_until_idle("the order of the folders")
        assert not driver.session.grid.ranked
    for said in ("https://example.org/a.jpg", "http://example.org/a b.jpg\n"):
        assert drop(driver.window, text(said))
        assert driver.message_text == NET
        driver.window.message_bar.close_button.click()
    assert not drop(driver.window, text("beach"))
    assert not drop(driver.window, text("mailto:a@example.org"))


def test_dropped_pixels_are_named_dropped_image(driver: WindowDriver) -> None:
    assert drop(driver.window, pixels(driver))
    driver.wait_until(lambda: driver.session.navigator.ranked, "the ranking")
    driver.wait_until_idle("the ranking")
    assert "nearest to Dropped image" in driver.window.status_bar.text()
    assert [driver.session.examples.name(one) for one in likes(driver)] == ["Dropped image"]
    driver.window.focus_photos()
    driver.press(Key.Key_G)
    driver.wait_until_idle("the order of the folders")
    QGuiApplication.clipboard().setImage(QImage(str(path_of(driver, 4))))
    driver.press(Key.Key_V, CTRL)
    driver.wait_until_idle("the ranking")
    assert "nearest to Pasted image" in driver.window.status_bar.text()


def show(driver: WindowDriver, mode: Mode) -> None:
    driver.window.show_mode(mode)
    driver.wait_until_idle("the page", 120)
    if mode is Mode.REVIEW:  # because its name field accepts text
        driver.window.modes.review_page.grid.setFocus()


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(Mode))
def test_an_image_is_pasted_on_every_page(driver: WindowDriver, mode: Mode) -> None:
    show(driver, mode)
    QGuiApplication.clipboard().setImage(QImage(str(path_of(driver, 4))))
    driver.press(Key.Key_V, CTRL)
    driver.wait_until(lambda: driver.session.navigator.ranked, "the ranking")
    driver.wait_until(lambda: driver.window.mode is Mode.BROWSE, "it is shown")
    assert "nearest to Pasted image" in driver.window.status_bar.text()
    show(driver, mode)
    QGuiApplication.clipboard().setImage(QImage(str(path_of(driver, 9))))
    driver.press(Key.Key_V, CTRL | SHIFT)
    driver.wait_until(lambda: len(likes(driver)) == 2, "both")
    driver.wait_until(lambda: driver.window.mode is Mode.BROWSE, "they are shown")


def test_text_pasted_into_a_field_stays_there(driver: WindowDriver) -> None:
    driver.window.focus_filter()
    QGuiApplication.clipboard().setText("cold")
    driver.press(Key.Key_V, CTRL)
    assert driver.window.sidebar.search.text() == "cold"
    assert driver.window.message_bar.message is None
