# SPDX-License-Identifier: MIT
"""Rotated photos: displayed rotated everywhere, also after a restart, while their files stay unchanged."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QMenu

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.tiles import SMALL_TILE
from focal_photos.browser.operations.describing.settings import SLIDESHOW_SECONDS
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.walkthrough.window_driver import ALT, CTRL, WindowDriver
from tests.browser.views.conftest import OpenWindow

Key = Qt.Key
SIDE = 300
CORNERS = {"red": (220, 30, 30), "green": (30, 200, 30), "blue": (30, 30, 220), "white": (240, 240, 240)}
UPRIGHT = ["red", "green", "blue", "white"]
"""Colours of the corners, clockwise from the upper left."""
RIGHT = [*UPRIGHT[-1:], *UPRIGHT[:-1]]
LEFT = [*UPRIGHT[1:], *UPRIGHT[:1]]


@pytest.fixture
def album(tmp_path: Path) -> Path:
    """Return a folder of three photos, twice as wide as high, with a different colour in each corner."""
    folder = tmp_path / "album"
    folder.mkdir()
    pixels = np.zeros((SIDE, 2 * SIDE, 3), np.uint8)
    for name, (y, x) in zip(UPRIGHT, ((0, 0), (0, 1), (1, 1), (1, 0)), strict=True):
        pixels[y * SIDE // 2 : (y + 1) * SIDE // 2, x * SIDE : (x + 1) * SIDE] = CORNERS[name]
    for number in range(3):
        pixels[:, SIDE - 4 * number : SIDE + 4 * number] = 128
        Image.fromarray(pixels).save(folder / f"{number}.jpg", quality=95)
    return folder


@pytest.fixture
def driver(open_window: OpenWindow, tmp_path: Path, album: Path) -> WindowDriver:
    driver = open_window(tmp_path / "library", album)
    driver.wait_until_idle("indexing", 120)
    return driver


def corners(image: QImage, area: QRectF | None = None) -> list[str]:
    """Return the corner colours of an image region, clockwise from the upper left."""
    area = QRectF(image.rect()) if area is None else area
    found = []
    for x, y in ((0.2, 0.35), (0.8, 0.35), (0.8, 0.65), (0.2, 0.65)):  # a tile under the pointer has texts at its edges
        left, top = area.left() + x * (area.width() - 1), area.top() + y * (area.height() - 1)
        color = image.pixelColor(round(left), round(top))
        seen = (color.red(), color.green(), color.blue())
        found.append(min(CORNERS, key=lambda name: sum(abs(a - b) for a, b in zip(CORNERS[name], seen, strict=True))))
    return found


def tile(driver: WindowDriver, row: int) -> list[str]:
    """Return the corner colours of a tile in the grid."""
    grid = driver.grid
    place = QRectF(grid.visualRect(driver.session.grid.index(row)))
    image = grid.viewport().grab().toImage()
    image.setDevicePixelRatio(1)
    return corners(image, place)


def select(driver: WindowDriver, *rows: int) -> list[int]:
    driver.window.focus_photos()
    driver.press(Key.Key_A, CTRL | Qt.KeyboardModifier.ShiftModifier)
    for row in rows:
        driver.click(row, CTRL)
    driver.wait_until_idle("the selection")
    return [driver.session.grid.photo_id(row) for row in rows]


def turn(driver: WindowDriver, key: Key = Key.Key_Greater) -> None:
    driver.press(key)
    driver.wait_until_idle("the turned photos")


def test_keys_and_menu_rotate_the_selection_in_one_step(driver: WindowDriver, album: Path) -> None:
    grid, library = driver.session.grid, driver.session.library
    files = [path.read_bytes() for path in sorted(album.iterdir())]
    a, b = select(driver, 0, 1)
    assert grid.aspects.tolist() == pytest.approx([2, 2, 2])
    turn(driver)
    assert library.rotations.all() == {a: 1, b: 1}
    assert grid.aspects.tolist() == pytest.approx([0.5, 0.5, 2])
    assert [tile(driver, row) for row in range(3)] == [RIGHT, RIGHT, UPRIGHT]
    select(driver, 1)
    turn(driver, Key.Key_Less)
    assert [tile(driver, row) for row in range(3)] == [RIGHT, UPRIGHT, UPRIGHT]
    menu = driver.window.photo_menu.make()
    next(each for each in menu.actions() if each.text().replace("&", "") == "Rotate left").trigger()
    driver.wait_until_idle("the turned photo")
    assert [tile(driver, row) for row in range(3)] == [RIGHT, LEFT, UPRIGHT]
    view = next(each.menu() for each in driver.window.menuBar().actions() if each.text() == "&View")
    assert isinstance(view, QMenu)
    assert {"Rotate left", "Rotate right"} <= {each.text().replace("&", "") for each in view.actions()}
    for expected in (UPRIGHT, RIGHT):
        driver.press(Key.Key_Z, CTRL)
        driver.wait_until_idle("the undone step")
        assert tile(driver, 1) == expected
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("the undone step")
    assert [tile(driver, row) for row in range(3)] == [UPRIGHT] * 3, "rotating several photos is one step"
    assert driver.session.overview.now.undo is None
    driver.press(Key.Key_Y, CTRL)
    driver.wait_until_idle("the step that is done again")
    assert [tile(driver, row) for row in range(2)] == [RIGHT, RIGHT]
    assert [path.read_bytes() for path in sorted(album.iterdir())] == files


@pytest.mark.slow
def test_rotations_are_saved(driver: WindowDriver, open_window: OpenWindow, tmp_path: Path) -> None:
    """After a restart, and in the files left behind by a killed program."""
    (a,) = select(driver, 0)
    turn(driver)
    killed = tmp_path / "killed"
    killed.mkdir()
    for path in (tmp_path / "library").glob("catalog.sqlite*"):
        shutil.copy(path, killed / path.name)
    with Library.open(killed) as library:
        assert library.rotations.all() == {a: 1}
    driver.window.close()
    driver = open_window(tmp_path / "library")
    driver.wait_until_idle("looking for changes", 120)
    driver.wait_until_idle("the pictures")
    assert driver.session.grid.aspects.tolist() == pytest.approx([0.5, 2, 2])
    assert [tile(driver, row) for row in range(3)] == [RIGHT, UPRIGHT, UPRIGHT]
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("the undone step")
    assert tile(driver, 0) == UPRIGHT


def shown(viewer: object) -> list[str]:
    """Return the corner colours of the photo in a viewer."""
    image = viewer.grab().toImage()  # type: ignore[attr-defined]
    image.setDevicePixelRatio(1)
    return corners(image, viewer.photo_rect())  # type: ignore[attr-defined]


def test_a_single_photo_is_rotated_and_zoomed_at_the_right_place(driver: WindowDriver) -> None:
    select(driver, 0)
    driver.press(Key.Key_E)
    driver.wait_until_idle("the photo")
    viewer = driver.window.photos.viewer
    assert shown(viewer) == UPRIGHT
    wide = viewer.photo_rect()
    turn(driver)
    assert shown(viewer) == RIGHT
    high = viewer.photo_rect()
    assert high.width() / high.height() == pytest.approx(wide.height() / wide.width())
    turn(driver)
    assert shown(viewer) == [*UPRIGHT[2:], *UPRIGHT[:2]]
    turn(driver)
    assert shown(viewer) == LEFT
    viewer.zoom(3.0)
    image = viewer.grab().toImage()
    image.setDevicePixelRatio(1)
    middle, reach = viewer.photo_rect().center(), 0.1 * viewer.photo_rect().width()
    assert corners(image, QRectF(middle.x() - reach, middle.y() - reach, 2 * reach, 2 * reach)) == LEFT
    driver.press(Key.Key_Escape)
    driver.press(Key.Key_E)
    driver.wait_until_idle("the photo again")
    assert shown(viewer) == LEFT
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("the undone step")
    assert shown(viewer) == [*UPRIGHT[2:], *UPRIGHT[:2]]


def test_a_slideshow_shows_rotated_photos_and_can_rotate_them(driver: WindowDriver) -> None:
    (a,) = select(driver, 0)
    b = driver.session.grid.photo_id(1)
    turn(driver)
    SLIDESHOW_SECONDS.set(driver.session.library, 600)
    driver.window.focus_photos()
    driver.press(Key.Key_P)
    viewer, show = driver.window.photos.viewer, driver.window.window_actions.show
    driver.wait_until(lambda: show.running, "the slideshow")

    def seen(photo_id: int, corners: list[str]) -> None:
        driver.wait_until(lambda: viewer.photo_id == photo_id and shown(viewer) == corners, "the photo as it is turned")

    def pass_time() -> None:
        driver.wait_until(show.timer.isActive, "the clock")
        show.timer.stop()
        show.timer.timeout.emit()

    seen(a, RIGHT)
    pass_time()
    seen(b, UPRIGHT)
    driver.press(Key.Key_Less)
    seen(b, LEFT)
    driver.wait_until_idle("the turned photo")
    assert driver.session.library.rotations.all() == {a: 1, b: 3}
    assert show.running, "rotating does not end the slideshow"
    pass_time()
    seen(driver.session.grid.photo_id(2), UPRIGHT)
    driver.press(Key.Key_Escape)
    driver.wait_until_idle("the grid")
    assert [tile(driver, row) for row in range(3)] == [RIGHT, LEFT, UPRIGHT]


def test_a_missing_photo_can_be_rotated_too(driver: WindowDriver, album: Path) -> None:
    select(driver, 0)
    (album / "0.jpg").unlink()
    driver.press(Key.Key_E)
    driver.wait_until_idle("the photo")
    viewer = driver.window.photos.viewer
    assert shown(viewer) == UPRIGHT, "a small picture is shown first"
    turn(driver)
    assert shown(viewer) == RIGHT


def test_a_file_rotated_by_another_program_loses_the_users_rotation(driver: WindowDriver, album: Path) -> None:
    """The user has rotated two photos; another program then rotates one of the files."""
    a, b = select(driver, 0, 1)
    turn(driver)
    file = sorted(album.iterdir())[0]
    with Image.open(file) as image:
        image.transpose(Image.Transpose.ROTATE_270).save(file, quality=95)
    driver.wait_until(lambda: driver.session.library.rotations.all() == {b: 1}, "the file that was turned", 120)
    driver.wait_until_idle("the file that was turned", 120)
    driver.wait_until(lambda: tile(driver, 0) == RIGHT, "the picture", 120)
    assert [tile(driver, row) for row in range(3)] == [RIGHT, RIGHT, UPRIGHT]
    assert driver.session.grid.aspects.tolist() == pytest.approx([0.5, 0.5, 2])
    texts = [message.text for _, message in driver.window.message_bar.log]
    assert any(text.startswith("Another program has rotated the files of 1 ") for text in texts)
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("the undone step")
    assert driver.session.library.rotations.all() == {a: 1, b: 1}


def test_keys_rotate_the_current_photo_of_a_comparison(driver: WindowDriver) -> None:
    _a, b = select(driver, 0, 1)
    driver.press(Key.Key_C)
    driver.wait_until_idle("the photos side by side")
    page = driver.window.modes.compare_page
    driver.press(Key.Key_Right)
    turn(driver)
    assert [shown(pane.photo) for pane in page.panes[:2]] == [UPRIGHT, RIGHT]
    assert driver.session.library.rotations.all() == {b: 1}
    driver.press(Key.Key_Escape)
    select(driver, 1)
    turn(driver)
    select(driver, 0, 1)
    driver.press(Key.Key_C)
    driver.wait_until_idle("the photos side by side again")
    assert [shown(pane.photo) for pane in page.panes[:2]] == [UPRIGHT, [*UPRIGHT[2:], *UPRIGHT[:2]]]


def test_every_size_of_a_photo_is_rotated(driver: WindowDriver) -> None:
    """All pictures of the window come from one loader: trail, map, review, tags, dragged photos."""
    (a,) = select(driver, 0)
    loader = driver.session.loader
    large = PixelSize(512, 512)
    loader.request("test", [a], SMALL_TILE)
    loader.request("test large", [a], large)
    driver.wait_until_idle("the pictures")
    turn(driver)
    for size in (SMALL_TILE, large, PixelSize(200, 200)):
        image = loader.image(a, size)
        assert image is not None
        assert corners(image) == RIGHT
        assert image.height() == pytest.approx(2 * image.width(), abs=2)
    image = loader.image(a, SMALL_TILE)
    assert image is not None
    assert image.height() == SMALL_TILE.height, "the picture fills the space"
    select(driver, 0)
    driver.press(Key.Key_Return)
    driver.wait_until_idle("the ranking")
    picture = driver.window.photos.focal_panel.picture
    assert picture.aspect == pytest.approx(0.5, abs=0.02)
    turn(driver)
    assert picture.aspect == pytest.approx(2, abs=0.05), "without a selection, keys act on the focal image"


def test_the_rotated_image_is_copied(driver: WindowDriver) -> None:
    select(driver, 0)
    turn(driver)
    menu = driver.window.photo_menu.make()
    next(each for each in menu.actions() if each.text().replace("&", "") == "Copy the image").trigger()
    driver.wait_until_idle("the image")
    assert corners(QGuiApplication.clipboard().image()) == RIGHT


def test_rotating_without_a_photo_shows_a_hint(driver: WindowDriver) -> None:
    driver.window.focus_photos()
    driver.press(Key.Key_A, CTRL | Qt.KeyboardModifier.ShiftModifier)
    turn(driver)
    assert driver.message_text == "Select the photos to rotate first."
    assert driver.window.mode is Mode.BROWSE
    assert driver.session.library.rotations.all() == {}


def test_photos_on_the_map_are_rotated_too(driver: WindowDriver) -> None:
    driver.press(Key.Key_M, CTRL | Qt.KeyboardModifier.ShiftModifier)
    driver.wait_until_idle("the map", 120)
    assert driver.window.mode is Mode.MAP
    driver.session.editor.rotate(driver.session.grid.ids.tolist(), 1)
    driver.wait_until_idle("the turned photos")
    driver.press(Key.Key_Left, ALT)
    canvas = driver.window.modes.map_page.canvas
    for each in canvas._tiles:
        image = driver.session.loader.image(each.photo_id, canvas._painting.tile_size)
        assert image is not None
        assert corners(image) == RIGHT
