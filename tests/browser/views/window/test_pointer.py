# SPDX-License-Identifier: MIT
"""Mouse presses while the content under the pointer changes: never an unintended judgement."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.views.photos.grid.tile_delegate import TileButton
from focal_photos.browser.views.tags.suggestion_list import row_parts
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.window_steps import walk_to

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton


def button_of(driver: WindowDriver, row: int, verdict: Verdict = Verdict.SIMILAR) -> QPoint:
    """Return the place of a tile's button, even if the photos are not ranked."""
    driver.tile_center(row)
    similar = verdict is Verdict.SIMILAR
    buttons = driver.grid.parts_of(row).buttons
    return buttons[TileButton.SIMILAR if similar else TileButton.DISSIMILAR].center().toPoint()


def test_the_second_click_of_a_double_click_judges_nothing(driver: WindowDriver) -> None:
    driver.grid.mouse.walks_on_click = True
    viewport = driver.grid.viewport()
    for verdict in Verdict:
        spot = button_of(driver, 2, verdict)
        photo_id = driver.session.grid.photo_id(2)
        QTest.mouseMove(viewport, spot)
        QTest.mouseClick(viewport, LEFT, pos=spot)
        driver.wait_until(lambda photo_id=photo_id: driver.navigator.focal_id == photo_id, "the ranking")  # type: ignore[misc]
        QTest.mouseDClick(viewport, LEFT, pos=spot + QPoint(1, 1))
        driver.wait_until_idle("the photo alone")
        assert driver.session.library.judgements.of(photo_id) == {}
        assert driver.window.photos.viewer.photo_id == photo_id
        assert driver.window.photos.viewing
        driver.press(Key.Key_Escape)
        driver.press(Key.Key_G)
        driver.wait_until_idle("the order of the folders")


def test_a_button_answers_again_once_the_pointer_has_moved(driver: WindowDriver) -> None:
    viewport = driver.grid.viewport()
    walk_to(driver, 0)
    spot = button_of(driver, 3)
    QTest.mouseMove(viewport, spot + QPoint(0, 40))
    QTest.mouseMove(viewport, spot)
    driver.navigator.reorder()
    driver.session.grid.beginResetModel()
    driver.session.grid.endResetModel()
    driver.wait_until_idle("the same order again")
    assert driver.grid.ids_to_judge() == [], "a resting pointer points at nothing"
    QTest.mouseMove(viewport, spot + QPoint(2, 0))
    assert driver.grid.ids_to_judge() == [], "a tremor of the hand does not count"
    QTest.mouseMove(viewport, spot + QPoint(9, 0))
    assert driver.grid.ids_to_judge() == [driver.session.grid.photo_id(3)]
    pointed_at = driver.session.grid.photo_id(3)
    QTest.mouseClick(viewport, LEFT, pos=spot + QPoint(9, 0))
    driver.wait_until_idle("judging")
    assert driver.navigator.marks == {pointed_at: Verdict.SIMILAR}


def test_a_key_does_not_judge_a_photo_that_moved_under_a_resting_pointer(driver: WindowDriver) -> None:
    focal = walk_to(driver, 0)
    driver.hover(4)
    driver.press(Key.Key_G)
    driver.wait_until_idle("the order of the folders")
    driver.session.navigator.focus(focal)
    driver.wait_until_idle("the ranking")
    driver.press(Key.Key_S)
    driver.wait_until_idle("nothing")
    assert driver.navigator.marks == {}
    assert "point at a photo" in driver.message_text


def test_the_wheel_brings_photos_under_the_pointer(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    driver.hover(1)
    spot, bar = driver.tile_center(1), driver.grid.verticalScrollBar()
    bar.setValue(bar.value() + 400)
    assert driver.grid.ids_to_judge() == [], "the grid was scrolled by other means"
    here = QPointF(spot)
    turn = QWheelEvent(
        here,
        QPointF(driver.grid.viewport().mapToGlobal(spot)),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(driver.grid.viewport(), turn)
    row = driver.grid.indexAt(spot).row()
    assert row > 1
    assert driver.grid.ids_to_judge() == [driver.session.grid.photo_id(row)]


def test_a_fast_double_click_opens_the_clicked_photo(driver: WindowDriver) -> None:
    driver.grid.mouse.walks_on_click = True
    walk_to(driver, 9)
    spot = driver.tile_center(3)
    photo_id = driver.session.grid.photo_id(3)
    QTest.mouseClick(driver.grid.viewport(), LEFT, pos=spot)
    QTest.mouseDClick(driver.grid.viewport(), LEFT, pos=spot)  # the ranking has not arrived yet
    assert driver.window.photos.viewer.photo_id == photo_id
    driver.wait_until_idle("the ranking")
    assert driver.window.photos.viewer.photo_id == photo_id
    assert driver.navigator.focal_id == photo_id


def test_a_double_click_answers_one_suggestion(driver: WindowDriver) -> None:
    library, ids = driver.session.library, driver.session.grid.ids
    driver.session.editor.tag([int(ids[0])], ["one", "two", "three"])
    driver.wait_until_idle("tagging")
    driver.click(9, Qt.KeyboardModifier.ControlModifier)
    driver.press(Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    driver.wait_until_idle("suggesting")
    listed = driver.window.right_column.suggestions.list
    assert driver.session.tagging.suggestions.rowCount() == 3
    spot = row_parts(listed.visualRect(driver.session.tagging.suggestions.index(0)).toRectF()).accept.center().toPoint()
    QTest.mouseMove(listed.viewport(), spot + QPoint(20, 0))
    QTest.mouseMove(listed.viewport(), spot)
    QTest.mouseClick(listed.viewport(), LEFT, pos=spot)
    QTest.mouseDClick(listed.viewport(), LEFT, pos=spot)
    driver.wait_until_idle("accepting")
    assert len(library.tags.of([int(ids[9])])[int(ids[9])]) == 1
