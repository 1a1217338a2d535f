# SPDX-License-Identifier: MIT
"""The map in the real window, by mouse and keys."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from focal_photos.browser.models.map.library_map import COLORS, ColorBy, Layout
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.map.map_page import MapPage
from focal_photos.browser.walkthrough.window_driver import CTRL, NONE, SHIFT, WindowDriver, pause
from tests.browser.views.conftest import OpenWindow

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def mapped(driver: WindowDriver) -> WindowDriver:
    """Return a window that shows the map of 32 photos."""
    QTest.mouseClick(driver.window.top_bar.mode_buttons[Mode.MAP], LEFT)
    driver.wait_until(lambda: driver.session.map.drawing is not None and not driver.session.map.busy, "the map", 180)
    driver.wait_until_idle("the map")
    return driver


def page(driver: WindowDriver) -> MapPage:
    return driver.window.modes.map_page


def middle(driver: WindowDriver, number: int) -> QPoint:
    return page(driver).canvas.tiles[number].rect.center().toPoint()


def surround(driver: WindowDriver, corners: list[QPoint], modifiers: Qt.KeyboardModifier = SHIFT) -> None:
    canvas = page(driver).canvas
    QTest.mousePress(canvas, LEFT, modifiers, corners[0])
    for corner in corners[1:]:
        QTest.mouseMove(canvas, corner)
        pause(5)
    QTest.mouseRelease(canvas, LEFT, modifiers, corners[-1])


def everything(driver: WindowDriver) -> list[QPoint]:
    rect = page(driver).canvas.rect().adjusted(1, 1, -1, -1)  # QTest would treat 0, 0 as the middle
    return [rect.topLeft(), rect.topRight(), rect.bottomRight(), rect.bottomLeft()]


@pytest.mark.slow
def test_selecting_photos_does_not_resize_the_map(mapped: WindowDriver) -> None:
    canvas, library_map = page(mapped).canvas, mapped.session.map
    size, tiles = canvas.size(), [tile.rect for tile in canvas.tiles]
    QTest.mouseClick(canvas, LEFT, NONE, middle(mapped, 0))
    assert library_map.selected
    mapped.wait_until_idle("the selection")
    assert page(mapped).count.isVisible()
    assert canvas.size() == size
    mapped.press(Key.Key_Escape)
    mapped.wait_until_idle("no selection")
    assert not page(mapped).count.isVisible()
    assert canvas.size() == size
    assert [tile.rect for tile in canvas.tiles] == tiles


def test_all_photos_are_on_the_map_and_a_click_selects(mapped: WindowDriver) -> None:
    canvas, library_map = page(mapped).canvas, mapped.session.map
    assert sum(tile.count for tile in canvas.tiles) == 32
    assert canvas.hasFocus()
    assert not page(mapped).show_button.isVisible()
    first = canvas.tiles[0].photo_id
    QTest.mouseClick(canvas, LEFT, NONE, middle(mapped, 0))
    assert list(library_map.selected) == [first]
    assert mapped.navigator.selected == (first,)
    second = canvas.tiles[1].photo_id
    QTest.mouseClick(canvas, LEFT, CTRL, middle(mapped, 1))
    assert list(library_map.selected) == [first, second]
    assert page(mapped).count.text() == "2 selected"
    QTest.mouseClick(canvas, LEFT, CTRL, middle(mapped, 0))
    assert list(library_map.selected) == [second]
    mapped.press(Key.Key_Escape)
    assert not page(mapped).count.isVisible()
    assert not mapped.navigator.selected
    assert page(mapped).isVisible(), "Esc first clears the selection"
    mapped.press(Key.Key_Escape)
    assert mapped.window.mode is Mode.BROWSE


def test_photos_in_a_lasso_are_tagged_and_shown(mapped: WindowDriver) -> None:
    library_map = mapped.session.map
    surround(mapped, everything(mapped))
    assert len(library_map.selected) == 32
    mapped.press(Key.Key_Escape)
    tile = page(mapped).canvas.tiles[0]
    frame = tile.rect.adjusted(-3, -3, 3, 3).toRect()
    surround(mapped, [frame.topLeft(), frame.topRight(), frame.bottomRight(), frame.bottomLeft()])
    assert len(library_map.selected) == tile.count
    assert tile.photo_id in library_map.selected
    chosen = library_map.selected
    mapped.press(Key.Key_T)
    assert page(mapped).field.hasFocus()
    mapped.type("reef")
    mapped.press(Key.Key_Return)
    mapped.wait_until_idle("tagging")
    tags = mapped.session.library.tags.of(range(1, 33))
    assert {photo_id for photo_id, names in tags.items() if "reef" in names} == set(chosen)
    assert [(entry.name, entry.count) for entry in library_map.legend] == [("reef", len(chosen))]
    QTest.mouseClick(page(mapped).show_button, LEFT)
    mapped.wait_until_idle("the photos")
    assert mapped.window.mode is Mode.BROWSE
    assert sorted(mapped.session.grid.ids.tolist()) == sorted(chosen)
    assert mapped.navigator.selected == ()
    mapped.navigator.back()
    mapped.wait_until_idle("all photos")
    assert mapped.session.grid.rowCount() == 32


def test_t_without_a_photo_explains_how_to_select(driver: WindowDriver) -> None:
    driver.walk(0)  # the focal image is not a target here, unlike in Browse
    driver.wait_until_idle("the ranking")
    driver.window.show_mode(Mode.MAP)
    driver.wait_until(lambda: driver.session.map.drawing is not None and not driver.session.map.busy, "the map", 180)
    driver.wait_until_idle("the map")
    driver.press(Key.Key_T)
    assert "Shift+drag around them" in driver.message_text
    assert page(driver).canvas.hasFocus()


def test_t_tags_the_current_photo_and_a_digit_gives_its_pinned_tag(mapped: WindowDriver) -> None:
    mapped.press(Key.Key_Right)
    current = page(mapped).canvas.current
    assert current is not None
    mapped.press(Key.Key_T)
    assert mapped.session.map.selected == (current,)
    assert page(mapped).field.hasFocus()
    mapped.type("reef")
    mapped.press(Key.Key_Return)
    mapped.wait_until_idle("tagging")
    assert mapped.session.library.tags.of([current])[current] == ["reef"]
    mapped.session.tagging.pinned.pin(3, "wood")
    mapped.wait_until_idle("pinning")
    QTest.mouseClick(page(mapped).canvas, LEFT, NONE, middle(mapped, 0))
    (chosen,) = mapped.session.map.selected
    mapped.press(Key.Key_3)
    mapped.wait_until_idle("tagging")
    assert "wood" in mapped.session.library.tags.of([chosen])[chosen]


def test_enter_and_a_double_click_walk(mapped: WindowDriver) -> None:
    canvas = page(mapped).canvas
    mapped.press(Key.Key_Right)  # the first arrow key goes to the middle
    assert canvas.current == canvas.tiles[0].photo_id
    before = canvas.tiles[0].rect.center()
    mapped.press(Key.Key_Right)
    there = next(tile for tile in canvas.tiles if tile.photo_id == canvas.current)
    assert there.rect.center().x() > before.x()
    mapped.press(Key.Key_Left)
    mapped.press(Key.Key_Space)
    assert mapped.session.map.selected == (canvas.current,)
    mapped.press(Key.Key_Return)
    mapped.wait_until_idle("the ranking")
    assert mapped.window.mode is Mode.BROWSE
    assert mapped.navigator.focal_id == canvas.current
    mapped.press(Key.Key_M, CTRL | SHIFT)
    mapped.wait_until_idle("the map")
    other = canvas.tiles[3].photo_id
    QTest.mouseDClick(canvas, LEFT, NONE, middle(mapped, 3))
    mapped.wait_until_idle("the ranking")
    assert mapped.navigator.focal_id == other


def test_wheel_keys_and_drags_move_and_zoom(mapped: WindowDriver) -> None:
    canvas = page(mapped).canvas
    whole = canvas.view
    at = QPointF(canvas.rect().center()) + QPointF(50, 20)
    under = canvas.view.to_map(at)
    for _ in range(4):
        event = QWheelEvent(
            at,
            canvas.mapToGlobal(at),
            QPoint(),
            QPoint(0, 240),
            Qt.MouseButton.NoButton,
            NONE,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(canvas, event)
    assert canvas.view.scale == pytest.approx(whole.scale * 16)
    assert canvas.view.to_map(at) == pytest.approx(under)
    assert all(tile.count == 1 for tile in canvas.tiles)
    scale = canvas.view.scale
    mapped.press(Key.Key_Minus)
    mapped.press(Key.Key_Plus)
    assert canvas.view.scale == pytest.approx(scale)
    before = canvas.view
    QTest.mousePress(canvas, LEFT, NONE, QPoint(300, 300))
    QTest.mouseMove(canvas, QPoint(330, 340))
    QTest.mouseMove(canvas, QPoint(360, 350))
    QTest.mouseRelease(canvas, LEFT, NONE, QPoint(360, 350))
    assert (before.left - canvas.view.left) * scale == pytest.approx(60)
    assert (before.top - canvas.view.top) * scale == pytest.approx(50)
    assert not mapped.session.map.selected, "dragging selects nothing"
    mapped.press(Key.Key_Up, SHIFT)
    assert canvas.view.top < before.top
    mapped.press(Key.Key_0)
    assert canvas.view == whole
    QTest.mouseClick(canvas, Qt.MouseButton.MiddleButton, NONE, middle(mapped, 0))
    assert not mapped.session.map.selected, "the middle button selects nothing"


def test_a_filter_hides_photos(mapped: WindowDriver) -> None:
    canvas = page(mapped).canvas
    some = tuple(mapped.session.map.drawing.ids[:5].tolist()) if mapped.session.map.drawing else ()
    mapped.session.map.select(some)
    QTest.mouseClick(page(mapped).show_button, LEFT)
    mapped.wait_until_idle("the filter")
    open_map(mapped)
    assert sum(tile.count for tile in canvas.tiles) == 5
    assert {tile.photo_id for tile in canvas.tiles} <= set(some)


def open_map(driver: WindowDriver) -> None:
    driver.press(Key.Key_M, CTRL | SHIFT)
    driver.wait_until_idle("the map")


def bounds_of(driver: WindowDriver, photo_ids: list[int]) -> QRectF:
    """Return the bounding rectangle of photos on the screen."""
    drawing, view = driver.session.map.drawing, page(driver).canvas.view
    assert drawing is not None
    places = drawing.places[np.isin(drawing.ids, photo_ids)]
    corners = [view.to_screen(*corner) for corner in (places.min(axis=0).tolist(), places.max(axis=0).tolist())]
    return QRectF(*corners)


def test_the_map_of_a_folder_fits_it_regardless_of_earlier_zoom(mapped: WindowDriver) -> None:
    canvas, session = page(mapped).canvas, mapped.session
    for _ in range(12):
        mapped.press(Key.Key_Plus)
    mapped.press(Key.Key_Escape)
    folder = session.library.photos.get([1])[0].path.parent
    here = session.library.photos.listed("", folder).tolist()
    assert 1 < len(here) < 32
    mapped.navigator.show_folder(folder)
    mapped.wait_until_idle("the folder")
    open_map(mapped)
    assert sum(tile.count for tile in canvas.tiles) == len(here)
    assert QRectF(canvas.rect()).contains(bounds_of(mapped, here))
    fitted = canvas.view
    mapped.press(Key.Key_0)
    assert canvas.view == fitted
    mapped.press(Key.Key_Plus)
    zoomed = canvas.view
    mapped.press(Key.Key_Escape)
    open_map(mapped)
    assert canvas.view == zoomed, "the folder is shown as before"


def test_the_legend_lists_only_tags_of_the_folder(mapped: WindowDriver) -> None:
    session, library_map = mapped.session, mapped.session.map
    folder = session.library.photos.get([1])[0].path.parent
    here = session.library.photos.listed("", folder).tolist()
    elsewhere = [photo_id for photo_id in range(1, 33) if photo_id not in here]
    for number in range(2 * COLORS):  # each has more photos than the tag of the folder
        session.library.tags.change(elsewhere[:8], [f"elsewhere {number}"])
    session.library.tags.change([*here[:2], *elsewhere[:3]], ["reef"])
    mapped.press(Key.Key_Escape)
    mapped.navigator.show_folder(folder)
    mapped.wait_until_idle("the folder")
    open_map(mapped)
    assert [(entry.name, entry.count) for entry in library_map.legend] == [("reef", 2)]
    mapped.press(Key.Key_Escape)
    mapped.navigator.show_folder(None)
    mapped.wait_until_idle("all photos")
    open_map(mapped)
    assert [entry.count for entry in library_map.legend] == [8] * COLORS


def test_colours_show_tags_or_folders(mapped: WindowDriver) -> None:
    library_map, box = mapped.session.map, page(mapped).color_box
    assert not library_map.legend
    box.setCurrentIndex(box.findText("Folders"))
    box.activated.emit(box.currentIndex())
    mapped.wait_until_idle("colours")
    assert library_map.color_by is ColorBy.FOLDERS
    assert sum(entry.count for entry in library_map.legend) == 32
    drawing = library_map.drawing
    assert drawing is not None
    for entry in library_map.legend:
        paths = mapped.session.library.photos.paths(drawing.ids[library_map.colors == entry.color].tolist())
        assert {path.parent.name for path in paths} == {entry.name}
    assert page(mapped).legend.count() == len(library_map.legend)
    image = page(mapped).canvas.grab().toImage()
    assert not image.isNull()


def test_the_map_follows_retraining_and_is_saved(mapped: WindowDriver) -> None:
    library_map, session = mapped.session.map, mapped.session
    before = library_map.drawing
    assert before is not None
    for path_kind in ("a", "b"):
        rows = [1, 2, 3] if path_kind == "a" else [20, 21, 22]
        session.library.tags.change(rows, [path_kind])
    session.jobs.training.retrain()
    mapped.wait_until_idle("training")
    mapped.wait_until(lambda: not library_map.busy, "the map")
    mapped.wait_until_idle("the map")
    assert library_map.metric is not None
    current = session.library.metrics.current()
    assert library_map.metric.id == current.id
    assert np.array_equal(library_map.drawing.ids, before.ids) if library_map.drawing else False
    mapped.press(Key.Key_Escape)
    mapped.press(Key.Key_M, CTRL | SHIFT)
    assert not library_map.busy, "the computed map stays"


def painted(driver: WindowDriver) -> QImage:
    return page(driver).canvas.grab().toImage()


def test_thumbnails_arriving_one_by_one_give_the_same_map(mapped: WindowDriver) -> None:
    canvas, loader = page(mapped).canvas, mapped.session.loader
    whole = painted(mapped)
    size = PixelSize(128, 128)
    pictures = {tile.photo_id: loader.image(tile.photo_id, size) for tile in canvas.tiles}
    assert all(image is not None for image in pictures.values())
    loader.cache.clear()
    QTest.mouseMove(canvas, QPoint(1, 1))
    canvas.zoom(1.0)  # the same tiles, created again without pictures
    loader.request("map", [], size)
    mapped.wait_until_idle("nothing to load")
    assert painted(mapped) != whole
    for photo_id, image in pictures.items():
        assert image is not None
        loader.cache.put(photo_id, size, image)
        loader.loaded.emit([photo_id])
        painted(mapped)
    assert painted(mapped) == whole


def test_selected_photos_are_framed_and_the_lasso_disappears_or_stays_on(mapped: WindowDriver) -> None:
    canvas = page(mapped).canvas
    before = painted(mapped)
    surround(mapped, everything(mapped))
    framed = painted(mapped)
    accent = mapped.window.theme.color("accent").rgb()
    corner = canvas.tiles[0].rect.toRect()
    colors = {framed.pixel(x, y) for x in range(corner.left(), corner.right()) for y in (corner.center().y(),)}
    assert accent in colors
    mapped.press(Key.Key_Escape)
    assert painted(mapped) == before
    mapped.press(Key.Key_L)
    assert page(mapped).lasso_button.isChecked()
    surround(mapped, everything(mapped), NONE)
    assert len(mapped.session.map.selected) == 32
    QTest.mouseClick(page(mapped).lasso_button, LEFT)
    assert not canvas.lasso


def test_the_drawing_follows_theme_and_zoom(mapped: WindowDriver) -> None:
    canvas = page(mapped).canvas
    before = painted(mapped)
    canvas.zoom(2.5)
    mapped.wait_until_idle("pictures")
    assert painted(mapped) != before
    canvas.fit()
    mapped.wait_until_idle("pictures")
    assert painted(mapped) == before


def test_an_empty_library_shows_a_hint(open_window: OpenWindow, tmp_path: Path) -> None:
    driver = open_window(tmp_path / "empty")
    driver.window.show_mode(Mode.MAP)
    driver.wait_until_idle("the map")
    shown = driver.window.modes.map_page
    assert "open a folder" in shown.nothing.text()
    assert not shown.again_button.isVisible()
    driver.press(Key.Key_Escape)
    assert driver.window.mode is Mode.BROWSE


def test_a_cancelled_map_can_be_laid_out_again(driver: WindowDriver) -> None:
    driver.window.show_mode(Mode.MAP)
    (task,) = [state for state in driver.session.runner.tasks() if "map" in state.title]
    driver.session.runner.cancel(task.number)
    driver.wait_until_idle("the end")
    shown = driver.window.modes.map_page
    if driver.session.map.drawing is None:
        assert shown.again_button.isVisible()
        QTest.mouseClick(shown.again_button, LEFT)
    driver.wait_until(lambda: driver.session.map.drawing is not None, "the map")
    driver.wait_until_idle("the map")
    assert not shown.again_button.isVisible()


def test_the_selection_of_the_grid_is_restored(driver: WindowDriver) -> None:
    driver.click(2, CTRL)
    before = driver.navigator.selected
    driver.press(Key.Key_M, CTRL | SHIFT)
    driver.wait_until(lambda: driver.session.map.drawing is not None, "the map")
    driver.wait_until_idle("the map")
    surround(driver, everything(driver))
    assert len(driver.navigator.selected) == 32
    driver.press(Key.Key_Escape)
    driver.press(Key.Key_Escape)
    assert driver.navigator.selected == before


def test_resizing_the_window_keeps_the_scale_unless_the_whole_map_was_shown(mapped: WindowDriver) -> None:
    canvas = page(mapped).canvas
    whole = canvas.view.scale
    mapped.window.resize(mapped.window.width() - 120, mapped.window.height() - 80)
    mapped.wait_until_idle("another size")
    assert canvas.view.scale < whole, "the whole map stays visible"
    mapped.press(Key.Key_Plus)
    zoomed = canvas.view
    mapped.window.resize(mapped.window.width() + 120, mapped.window.height() + 80)
    mapped.wait_until_idle("the first size")
    assert (canvas.view.left, canvas.view.top, canvas.view.scale) == (zoomed.left, zoomed.top, zoomed.scale)
    assert (canvas.view.width, canvas.view.height) == (canvas.width(), canvas.height())


# ---------------------------------------------------------------------- three principal components
@pytest.fixture
def in_space(driver: WindowDriver) -> WindowDriver:
    """Return a window that shows the principal components of 32 photos."""
    driver.session.map.choose_layout(Layout.COMPONENTS)  # before the map, whose places take longer
    QTest.mouseClick(driver.window.top_bar.mode_buttons[Mode.MAP], LEFT)
    driver.wait_until(lambda: driver.session.map.can_rotate, "the components", 180)
    rest(driver)
    return driver


def rest(driver: WindowDriver) -> None:
    driver.wait_until_idle("the drawing")
    driver.wait_until(lambda: len(page(driver).canvas.tiles) > 0, "photos in place of dots")


def places(driver: WindowDriver) -> np.ndarray:
    drawing = driver.session.map.drawing
    assert drawing is not None
    return drawing.places


def turn_by_mouse(driver: WindowDriver, way: QPoint) -> None:
    canvas, start, button = page(driver).canvas, QPoint(200, 150), Qt.MouseButton.RightButton
    QTest.mousePress(canvas, button, NONE, start)
    for step in range(1, 6):
        QTest.mouseMove(canvas, start + way * (step / 5))
        pause(5)
    QTest.mouseRelease(canvas, button, NONE, start + way)


def test_a_drag_with_the_right_button_turns_the_principal_components(in_space: WindowDriver) -> None:
    canvas, library_map = page(in_space).canvas, in_space.session.map
    assert page(in_space).space_button.isChecked()
    assert page(in_space).hint.full_text().startswith("Drag with the right button to turn.")
    before, view, cloud = places(in_space).copy(), canvas.view, library_map.drawing
    turn_by_mouse(in_space, QPoint(80, 0))
    in_space.wait_until(lambda: library_map.drawing is not cloud, "the turn")
    rest(in_space)
    rotated = places(in_space)
    np.testing.assert_allclose(rotated[:, 1], before[:, 1], atol=1e-6)
    assert np.abs(rotated[:, 0] - before[:, 0]).max() > 0.05
    assert canvas.view == view, "turning does not zoom or move"
    assert not library_map.selected
    QTest.mouseMove(canvas, QPoint(300, 200))
    in_space.wait_until_idle("no turn without the button")
    np.testing.assert_array_equal(places(in_space), rotated)
    turn_by_mouse(in_space, QPoint(-80, 0))
    rest(in_space)
    in_space.wait_until(lambda: bool(np.allclose(places(in_space), before, atol=1e-5)), "the turn back")


def test_keys_turn_the_principal_components_and_0_shows_them_from_the_front(in_space: WindowDriver) -> None:
    before = places(in_space).copy()
    for key in (Key.Key_Right, Key.Key_Down, Key.Key_Down):
        in_space.press(key, CTRL)
        rest(in_space)
    assert np.abs(places(in_space) - before).max(axis=0).min() > 0.01
    in_space.press(Key.Key_0)
    rest(in_space)
    np.testing.assert_allclose(places(in_space), before, atol=1e-6)


def test_turned_components_are_selected_and_coloured_like_the_map(in_space: WindowDriver) -> None:
    canvas, library_map = page(in_space).canvas, in_space.session.map
    page(in_space).color_box.setCurrentIndex(1)
    page(in_space).color_box.activated.emit(1)
    in_space.wait_until_idle("the colours")
    legend, colors = library_map.legend, library_map.colors.copy()
    assert legend
    in_space.press(Key.Key_Left, CTRL)
    rest(in_space)
    assert (library_map.legend, library_map.colors.tolist()) == (legend, colors.tolist())
    surround(in_space, everything(in_space))
    assert len(library_map.selected) == 32
    in_space.press(Key.Key_Escape)
    QTest.mouseClick(canvas, LEFT, NONE, middle(in_space, 0))
    assert list(library_map.selected) == [canvas.tiles[0].photo_id]
    in_space.press(Key.Key_Right, CTRL)
    in_space.wait_until_idle("the turn")
    assert list(library_map.selected), "turning keeps the selection"


def test_a_layout_that_was_interrupted_is_made_when_it_is_chosen_again(driver: WindowDriver) -> None:
    library_map = driver.session.map
    QTest.mouseClick(driver.window.top_bar.mode_buttons[Mode.MAP], LEFT)
    assert library_map.busy
    library_map.choose_layout(Layout.COMPONENTS)
    driver.wait_until(lambda: library_map.can_rotate, "the components", 180)
    driver.wait_until_idle("the drawing")
    library_map.choose_layout(Layout.NEIGHBORS)
    driver.wait_until(lambda: not library_map.busy and not library_map.can_rotate, "the map", 180)


def test_the_button_returns_to_the_map_of_neighbours(mapped: WindowDriver) -> None:
    library_map, before = mapped.session.map, places(mapped).copy()
    assert not library_map.can_rotate
    turn_by_mouse(mapped, QPoint(80, 0))
    mapped.press(Key.Key_Left, CTRL)
    mapped.wait_until_idle("no turn of a plane")
    np.testing.assert_array_equal(places(mapped), before)
    mapped.press(Key.Key_Z)
    mapped.wait_until(lambda: library_map.can_rotate, "the components", 180)
    rest(mapped)
    assert page(mapped).canvas.view == page(mapped).canvas._whole()
    QTest.mouseClick(page(mapped).space_button, LEFT)
    mapped.wait_until(lambda: not library_map.can_rotate, "the map")
    rest(mapped)
    assert library_map.layout is Layout.NEIGHBORS
    assert not page(mapped).space_button.isChecked()
    assert page(mapped).hint.full_text().startswith("Drag to move")
    np.testing.assert_array_equal(places(mapped), before)


def test_new_photos_and_metrics_renew_the_principal_components(in_space: WindowDriver) -> None:
    library_map = in_space.session.map
    in_space.session.editor.tag([1, 2], ["reef"])
    in_space.wait_until_idle("tagging")
    rest(in_space)
    assert library_map.can_rotate
    assert [entry.name for entry in library_map.legend] == ["reef"]
    in_space.press(Key.Key_Escape)
    in_space.press(Key.Key_M, CTRL | SHIFT)
    rest(in_space)
    assert library_map.can_rotate, "the map has not changed"
