"""Presses and releases in the grid: which photo a click means."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from browser.walkthrough.window_driver import WindowDriver

LEFT = Qt.MouseButton.LeftButton


def test_a_press_that_ends_on_another_tile_chooses_nothing(driver: WindowDriver) -> None:
    driver.grid.walks_on_click = True
    grid = driver.grid.viewport()
    start, end = driver.tile_center(1), driver.tile_center(2)
    QTest.mousePress(grid, LEFT, pos=start)
    QTest.mouseMove(grid, end)
    QTest.mouseRelease(grid, LEFT, pos=end)
    driver.wait_until_idle("nothing")
    assert driver.navigator.focal_id is None
    QTest.mousePress(grid, LEFT, pos=start)
    QTest.mouseRelease(grid, LEFT, pos=start)
    driver.wait_until_idle("the ranking")
    assert driver.navigator.focal_id is not None


def test_a_press_means_nothing_once_the_grid_shows_other_photos(driver: WindowDriver) -> None:
    driver.grid.walks_on_click = True
    grid, navigator = driver.grid.viewport(), driver.navigator
    pressed = driver.session.grid.photo_id(1)
    spot = driver.tile_center(1)
    QTest.mousePress(grid, LEFT, pos=spot)
    last = driver.session.library.photos.get([driver.session.grid.photo_id(31)])[0]
    navigator.show_folder(last.path.parent)
    driver.wait_until_idle("the folder")
    assert driver.session.grid.photo_id(1) != pressed
    QTest.mouseRelease(grid, LEFT, pos=spot)
    driver.wait_until_idle("nothing")
    assert navigator.focal_id is None, "nobody has pressed the button over the photo that is there now"
