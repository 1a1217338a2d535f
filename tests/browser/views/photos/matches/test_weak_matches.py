# SPDX-License-Identifier: MIT
"""The line in a ranking above the weak matches."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from focal_photos.browser.operations.ranking import sure_distance
from focal_photos.browser.views.photos.grid.tile_arrangement import TileShape
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.window_steps import walk_to

Key = Qt.Key


@pytest.mark.slow
@pytest.mark.parametrize("shape", list(TileShape))
def test_a_band_between_the_photos_covers_none(driver: WindowDriver, shape: TileShape) -> None:
    driver.grid.set_shape(shape)
    assert driver.grid.divider.isEmpty(), "without a ranking there are no weak matches"
    focal = walk_to(driver, 0)
    ranker, model = driver.session.ranker, driver.session.grid
    counted = ranker.count_sure(ranker.rank(focal))
    assert counted is not None
    assert model.weak_from == counted[0]
    assert 0 < counted[0] < 31
    band = driver.grid.divider
    assert not band.isEmpty()
    rects = [driver.grid.visualRect(model.index(row)) for row in range(model.rowCount())]
    assert not any(rect.intersects(band) for rect in rects)
    assert max(rect.bottom() for rect in rects[: counted[0]]) < band.top()
    assert min(rect.top() for rect in rects[counted[0] :]) > band.bottom()
    driver.grid.go_to(driver.grid.position())
    driver.grid.setFocus()
    for row in (counted[0] - 1, counted[0]):
        driver.grid.make_current(row)
        assert driver.grid.current_id() == model.photo_id(row)
    driver.press(Key.Key_Left)
    assert driver.grid.currentIndex().row() == counted[0] - 1
    driver.press(Key.Key_Down)
    assert driver.grid.currentIndex().row() >= counted[0], "keys move across the divider"


def test_the_tool_tip_explains_the_band(driver: WindowDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sure_distance, "_LEAST_PAIRS", 10)
    walk_to(driver, 0)
    assert "share no neighbours" in driver.session.grid.weak_tip
    photos = driver.session.library.photos.get(driver.session.library.photos.ids().tolist())
    for photo in photos:
        driver.session.editor.tag([photo.id], [photo.path.parent.name])
    driver.wait_until_idle("tagging")
    driver.navigator.again()
    driver.wait_until_idle("the ranking")
    tip = driver.session.grid.weak_tip
    assert "share a tag" in tip
    assert "%" in tip
    driver.grid.verticalScrollBar().setValue(0)
    band = driver.grid.divider
    place = QPoint(40, band.center().y())
    event = QHelpEvent(QHelpEvent.Type.ToolTip, place, driver.grid.viewport().mapToGlobal(place))
    QApplication.sendEvent(driver.grid.viewport(), event)
    assert "share a tag" in QToolTip.text()
    QToolTip.hideText()


def test_the_band_disappears_with_the_ranking(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    assert driver.session.grid.weak_from is not None
    driver.grid.setFocus()
    driver.press(Key.Key_G)
    driver.wait_until_idle("the grid")
    assert driver.session.grid.weak_from is None
    assert driver.grid.divider.isEmpty()
