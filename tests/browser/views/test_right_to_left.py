"""The window laid out from right to left: columns are mirrored, what is painted stays as it is, nothing is cut off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QWidget

from focal_photos.browser.models.metrics.reasons import Bar
from focal_photos.browser.views.metrics.why_panel import PartBars
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.places import modes
from tests.browser.views.test_every_text import cut_off
from tests.browser.views.window_steps import walk_to


@pytest.fixture
def turned(qapp: QApplication) -> Iterator[QApplication]:
    """An application that is laid out from right to left."""
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield qapp
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def x_of(driver: WindowDriver, widget: QWidget) -> int:
    return widget.mapTo(driver.window, widget.rect().center()).x()


def test_columns_and_arrows_are_mirrored(turned: QApplication, open_window: OpenWindow, library_folder: Path) -> None:
    driver = open_window(library_folder)
    walk_to(driver, 3)
    window = driver.window
    assert x_of(driver, window.right_column) < x_of(driver, window.photos) < x_of(driver, window.sidebar)
    trail = window.top_bar.trail
    assert x_of(driver, trail.forward_button) < x_of(driver, trail.back_button)
    sides = [button.icon().pixmap(16, 16).toImage() for button in (trail.back_button, trail.forward_button)]
    turned.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    plain = open_window(library_folder.parent / "other").window.top_bar.trail
    assert [one.icon().pixmap(16, 16).toImage() for one in (plain.forward_button, plain.back_button)] == sides


def test_tiles_and_bars_are_painted_as_ever(driver: WindowDriver, theme: object, qapp: QApplication) -> None:
    walk_to(driver, 3)
    driver.window.photos.grid.set_captions(True)
    driver.wait_until_idle("captions")
    bars = PartBars(driver.window.theme)
    bars.resize(300, 60)
    bars.show_bars((Bar("Neighbours not shared", 0.5), Bar("Colour", 0.1, 0.3)))
    painted = []
    for direction in (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft):
        qapp.setLayoutDirection(direction)
        driver.wait_until_idle("the layout")
        painted.append((bars.grab().toImage(), driver.grid.viewport().grab().toImage()))
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    assert painted[0][0] == painted[1][0]
    assert painted[0][1] == painted[1][1]


@pytest.mark.parametrize("size", [QSize(1024, 700), QSize(1366, 768)], ids=["1024", "1366"])
def test_nothing_is_cut_off_in_any_mode(
    turned: QApplication, open_window: OpenWindow, library_folder: Path, size: QSize
) -> None:
    driver = open_window(library_folder)
    driver.window.resize(size)
    walk_to(driver, 3)
    driver.click(2)
    driver.wait_until_idle("the selection")
    found = [f"{name}: {text}" for name, root in modes(driver) for text in cut_off(root)]
    assert not found, "\n".join(dict.fromkeys(found))
