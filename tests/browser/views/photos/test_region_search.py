# SPDX-License-Identifier: MIT
"""Searches by a part of a photo in the real window, by mouse and keys."""

from __future__ import annotations

from dataclasses import astuple
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem, QWidget

from focal_photos.browser.catalog.facts.records import Region, Verdict
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.grid_model import Role
from focal_photos.browser.models.photos.rotation import rotated_region
from focal_photos.browser.models.photos.tiles import TileState
from focal_photos.browser.operations.ranking.queries.query import RegionQuery
from focal_photos.browser.views.base.painting import cut_rect, fitted_rect
from focal_photos.browser.views.dialogs.judgements_dialog import JudgementsDialog
from focal_photos.browser.views.photos.boxes.box_geometry import on_screen
from focal_photos.browser.views.photos.grid.match_zoom import REST_MILLISECONDS
from focal_photos.browser.views.photos.grid.tile_arrangement import TileShape
from focal_photos.browser.views.photos.grid.tile_delegate import TileButton, enlarged_part, window_place
from focal_photos.browser.views.photos.picture import Picture
from focal_photos.browser.views.photos.region_strip import RegionStrip
from focal_photos.browser.views.window.bars.trail_bar import TrailStep
from focal_photos.browser.walkthrough.window_driver import ALT, CTRL, NONE, SHIFT, WindowDriver, pause
from tests.browser import region_album
from tests.browser.copies import copied_with_photos
from tests.browser.region_album import EACH, place
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import train
from tests.conftest import MadeOnce

Key = Qt.Key
SIMILAR = Verdict.SIMILAR


@pytest.fixture
def prepared(made_once: MadeOnce, tmp_path: Path) -> Path:
    """Folder of a library that is prepared for searches by a region, with its own photos."""
    folder = made_once("regions", partial(region_album.make, prepared=True))
    return copied_with_photos(folder, tmp_path / "photos", tmp_path / "library")


@pytest.fixture
def plain(made_once: MadeOnce, tmp_path: Path) -> Path:
    """Folder of a library that is not prepared."""
    folder = made_once("regions not prepared", partial(region_album.make, prepared=False))
    return copied_with_photos(folder, tmp_path / "photos", tmp_path / "library")


@pytest.fixture
def window(open_window: OpenWindow, prepared: Path) -> WindowDriver:
    """Return a window in which rings are the focal image."""
    driver = open_window(prepared, watching=False)
    walk(driver, "rings_0.png")
    return driver


def names(driver: WindowDriver) -> list[str]:
    return [path.name for path in driver.session.library.photos.paths(driver.session.grid.ids)]


def walk(driver: WindowDriver, name: str) -> None:
    driver.walk(names(driver).index(name))
    driver.wait_until_idle("the ranking")


def strip(driver: WindowDriver) -> RegionStrip:
    return driver.window.photos.region_strip


def query(driver: WindowDriver) -> RegionQuery:
    part = driver.navigator.part
    assert part is not None
    return part


def drag(picture: Picture, region: Region) -> None:
    """Drag a box on a photo."""
    photo = picture._photo()
    assert photo is not None
    start, end = (
        QPointF(photo.left() + x * photo.width(), photo.top() + y * photo.height()).toPoint()
        for x, y in ((region.x0, region.y0), (region.x1, region.y1))
    )
    QTest.mousePress(picture, Qt.MouseButton.LeftButton, NONE, start)
    for step in range(1, 5):
        QTest.mouseMove(picture, start + (end - start) * step / 4)
        pause(5)
    QTest.mouseRelease(picture, Qt.MouseButton.LeftButton, NONE, end)


def drag_on_focal(driver: WindowDriver) -> None:
    """Search by the rings of the focal image."""
    drag(driver.window.photos.focal_panel.picture, place(0))
    driver.wait_until_idle("the ranking")


def near(one: Region, other: Region, most: float = 0.04) -> bool:
    sides = ((one.x0, other.x0), (one.y0, other.y0), (one.x1, other.x1), (one.y1, other.y1))
    return all(abs(a - b) < most for a, b in sides)


def rings_first(driver: WindowDriver) -> bool:
    """Return whether the other rings are first; the focal image itself is not among them."""
    first = names(driver)[: EACH - 1]
    return all(name.startswith("rings") for name in first) and "rings_0.png" not in names(driver)


def overlap(one: Region, other: Region) -> float:
    """Return the share of `other` that is within `one`."""
    width = min(one.x1, other.x1) - max(one.x0, other.x0)
    height = min(one.y1, other.y1) - max(one.y0, other.y0)
    return max(width, 0) * max(height, 0) / ((other.x1 - other.x0) * (other.y1 - other.y0))


def window_of(driver: WindowDriver, name: str) -> Region:
    found = driver.session.grid.window(driver.session.grid.photo_id(names(driver).index(name)))
    assert found is not None
    return found


# ---------------------------------------------------------------------- mouse
def test_a_dragged_box_ranks_by_it_and_tiles_mark_the_match(window: WindowDriver) -> None:
    drag_on_focal(window)
    assert near(query(window).region, place(0))
    assert rings_first(window)
    for number in range(1, EACH):
        assert overlap(window_of(window, f"rings_{number}.png"), place(number)) > 0.3
    assert strip(window).isVisible()
    assert not window.window.photos.focal_panel.isVisible()
    assert not window.window.photos.viewing, "dragging is not a click"
    assert window.navigator.trail.current.label == "part of rings_0.png"
    status = window.window.status_bar.text()
    assert "nearest to part of rings_0.png" in status
    assert "ranked by" not in status, "no metric ranks by regions"
    assert window.session.grid.weak_from is None


def test_another_box_and_the_whole_photo(window: WindowDriver) -> None:
    drag_on_focal(window)
    other = Region(0.5, 0.4, 0.9, 0.9)
    drag(strip(window).picture, other)
    window.wait_until_idle("the ranking")
    assert near(query(window).region, other)
    QTest.mouseClick(strip(window).whole_button, Qt.MouseButton.LeftButton)
    window.wait_until_idle("the ranking")
    assert window.focal_name() == "rings_0.png"
    assert not strip(window).isVisible()
    assert window.window.photos.focal_panel.isVisible()
    assert window.session.grid.window(window.session.grid.photo_id(0)) is None
    for _ in range(2):
        window.press(Key.Key_Left, ALT)
        window.wait_until_idle("the step before")
    assert rings_first(window)
    assert near(strip(window).picture.region or other, place(0))
    window.press(Key.Key_G)
    window.wait_until_idle("the folders")
    assert not strip(window).isVisible()


def test_an_image_from_elsewhere(window: WindowDriver, tmp_path: Path) -> None:
    file = tmp_path / "elsewhere.png"
    region_album.draw("rings", 3).save(file)
    window.navigator.rank_by_examples([file])
    window.wait_until_idle("the ranking")
    button = window.window.photos.examples_strip.part_button
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    window.wait_until_idle("the picture")
    assert strip(window).choosing
    drag(strip(window).picture, place(3))
    window.wait_until_idle("the ranking")
    assert query(window).source == file
    assert [name[:5] for name in names(window)[: EACH - 1]] == ["rings"] * (EACH - 1)
    QTest.mouseClick(strip(window).whole_button, Qt.MouseButton.LeftButton)
    window.wait_until_idle("the ranking")
    assert window.navigator.trail.current.query == file


# ---------------------------------------------------------------------- keys
def test_by_keys_alone(window: WindowDriver) -> None:
    before = strip(window).height()
    window.press(Key.Key_R)
    window.wait_until_idle("the picture")
    assert strip(window).choosing
    assert strip(window).height() > before
    picture = strip(window).picture
    assert picture.hasFocus()
    assert not window.window.photos.focal_panel.isVisible()
    for key, modifiers, times in (
        (Key.Key_Left, NONE, 20),
        (Key.Key_Up, NONE, 5),
        (Key.Key_Left, SHIFT, 12),
        (Key.Key_Up, SHIFT, 8),
    ):
        for _ in range(times):
            window.press(key, modifiers)
    assert picture.region is not None
    assert near(picture.region, Region(0.0, 0.15, 0.26, 0.49), 0.001)
    window.press(Key.Key_Return)
    window.wait_until_idle("the ranking")
    assert rings_first(window)
    assert not strip(window).choosing
    assert strip(window).height() == before
    assert window.grid.hasFocus()


def test_esc_ends_choosing_and_then_leaves_the_ranking(window: WindowDriver) -> None:
    window.press(Key.Key_R)
    window.press(Key.Key_Escape)
    assert not strip(window).isVisible()
    assert window.window.photos.focal_panel.isVisible()
    assert window.focal_name() == "rings_0.png"
    drag_on_focal(window)
    window.press(Key.Key_R)
    window.press(Key.Key_Escape)
    assert strip(window).isVisible()
    window.press(Key.Key_Escape)
    window.wait_until_idle("the step before")
    assert window.focal_name() == "rings_0.png"


def test_without_a_focal_image_and_in_the_preview_the_current_photo_is_used(window: WindowDriver) -> None:
    window.press(Key.Key_G)
    window.wait_until_idle("the folders")
    row = names(window).index("bars_1.png")
    window.click(row)
    window.press(Key.Key_Space)
    window.wait_until_idle("the preview")
    window.press(Key.Key_R)
    window.wait_until_idle("the picture")
    assert not window.window.photos.viewing
    assert strip(window).choosing
    assert window.session.region_search.name == "bars_1.png"
    drag(strip(window).picture, place(1))
    window.wait_until_idle("the ranking")
    assert [name[:4] for name in names(window)[: EACH - 1]] == ["bars"] * (EACH - 1)


@pytest.mark.parametrize("preview", [True, False])
def test_choosing_begins_with_the_only_box_of_the_photo(window: WindowDriver, preview: bool) -> None:
    photo = int(window.session.grid.ids[names(window).index("bars_1.png")])
    library, editor = window.session.library, window.session.editor
    editor.publish(library.boxes.add([(photo, place(1), "bars")]))
    editor.publish(library.rotations.rotate([photo], 1))
    window.wait_until_idle("the rotated photo")
    if preview:
        window.click(names(window).index("bars_1.png"))
        window.press(Key.Key_Space)
    else:
        walk(window, "bars_1.png")
    window.wait_until_idle("the photo")
    window.press(Key.Key_R)
    window.wait_until_idle("the picture")
    picture = strip(window).picture
    assert strip(window).choosing
    assert picture.region is not None
    assert near(picture.region, rotated_region(place(1), 1), 0.001)
    window.press(Key.Key_Return)
    window.wait_until_idle("the ranking")
    assert near(query(window).region, place(1), 0.001)
    assert [name[:4] for name in names(window)[: EACH - 1]] == ["bars"] * (EACH - 1)


def test_of_several_boxes_choosing_begins_with_the_current_one(window: WindowDriver) -> None:
    window.press(Key.Key_G)
    window.wait_until_idle("the folders")
    row = names(window).index("bars_1.png")
    photo = int(window.session.grid.ids[row])
    library = window.session.library
    window.session.editor.publish(library.boxes.add([(photo, place(0), "sky"), (photo, place(1), "bars")]))
    window.click(row)
    window.wait_until_idle("the boxes")
    window.press(Key.Key_R)
    window.wait_until_idle("the picture")
    picture = strip(window).picture
    assert picture.region is not None
    assert near(picture.region, Region(0.25, 0.25, 0.75, 0.75), 0.001), "none of several is preferred"
    window.press(Key.Key_Escape)
    rows = window.window.right_column.boxes.rows
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualItemRect(rows.item(1)).center())
    window.wait_until_idle("the box")
    window.click(row)
    window.press(Key.Key_R)
    window.wait_until_idle("the picture")
    assert strip(window).choosing
    assert near(picture.region, place(1), 0.001)


def test_the_current_box_of_the_preview_is_searched_at_once(window: WindowDriver) -> None:
    row = names(window).index("bars_1.png")
    photo = int(window.session.grid.ids[row])
    library, editor = window.session.library, window.session.editor
    editor.publish(library.boxes.add([(photo, place(1), None)]))
    editor.publish(library.rotations.rotate([photo], 1))
    window.wait_until_idle("the rotated photo")
    window.click(row)
    window.press(Key.Key_Space)
    window.wait_until_idle("the preview")
    window.press(Key.Key_B)
    window.press(Key.Key_Tab)
    window.press(Key.Key_R)
    window.wait_until_idle("the ranking by the box")
    assert not window.window.photos.viewing
    assert query(window).source == photo
    (box,) = library.boxes.of([photo])[photo]
    assert astuple(query(window).region) == pytest.approx(astuple(box.region))
    assert [name[:4] for name in names(window)[: EACH - 1]] == ["bars"] * (EACH - 1)


def test_an_image_from_elsewhere_is_not_judged_against(window: WindowDriver, tmp_path: Path) -> None:
    file = tmp_path / "elsewhere.png"
    region_album.draw("rings", 3).save(file)
    window.navigator.rank_by(RegionQuery(file, place(3)), "elsewhere")
    window.wait_until_idle("the ranking")
    window.click(0)
    for key in (Key.Key_S, Key.Key_D):
        window.press(key)
        window.wait_until_idle("no judgement")
        assert "not against an image from elsewhere" in window.message_text
    assert not window.grid._delegate.can_judge
    assert window.session.overview.now.judgements == 0
    assert not strip(window)._similar.isVisible()


def test_relations_need_a_whole_photo(window: WindowDriver) -> None:
    drag_on_focal(window)
    window.click(0)
    window.press(Key.Key_L, SHIFT)
    window.wait_until_idle("no relation")
    assert "Use the whole photo" in window.message_text
    window.click(1, CTRL)
    window.press(Key.Key_N, SHIFT)
    window.wait_until_idle("no relation")
    assert window.session.overview.now.judgements == 0
    window.press(Key.Key_C)
    window.wait_until_idle("the comparison")
    window.press(Key.Key_Escape)
    window.press(Key.Key_S, SHIFT)
    window.wait_until_idle("the examples")
    examples = window.navigator.examples
    assert examples is not None
    assert len(examples.like) == 3, "the whole photo and the selected ones"


# ---------------------------------------------------------------------- judging
def judged(driver: WindowDriver) -> dict[str, tuple[Verdict, Region]]:
    """Return the judgements of the library by name of the found photo."""
    library = driver.session.library
    found = library.region_judgements.all()
    for one in found:
        assert one.photo_id == query(driver).source
        assert near(one.region, query(driver).region, 1e-5)
    paths = library.photos.paths([one.other_id for one in found])
    return {path.name: (one.verdict, one.other_region) for path, one in zip(paths, found, strict=True)}


def test_keys_judge_the_found_parts_with_undo_badges_and_counters(window: WindowDriver) -> None:
    drag_on_focal(window)
    first, second = names(window)[0], names(window)[-1]
    window.click(0)
    window.press(Key.Key_S)
    window.wait_until_idle("the judgement")
    window.click(len(names(window)) - 1)
    window.press(Key.Key_D)
    window.wait_until_idle("the judgement")
    found = judged(window)
    assert {name: verdict for name, (verdict, _) in found.items()} == {
        first: Verdict.SIMILAR,
        second: Verdict.DISSIMILAR,
    }
    assert near(found[first][1], window_of(window, first), 1e-5)
    assert window.session.library.judgements.count() == 0, "the whole photos are not judged"
    tiles = [window.session.grid.index(names(window).index(name)).data(Role.TILE) for name in (first, second)]
    assert [tile.mark for tile in tiles] == [Verdict.SIMILAR, Verdict.DISSIMILAR]
    assert window.session.overview.now.judgements == 2
    assert window.session.overview.now.new_judgements == 2
    counters = strip(window)._similar, strip(window)._dissimilar
    assert [(each.isVisible(), each._count) for each in counters] == [(True, 1), (True, 1)]
    window.press(Key.Key_Z, CTRL)
    window.wait_until_idle("undo")
    assert [*judged(window)] == [first]
    assert strip(window)._dissimilar._count == 0
    window.click(0)
    window.press(Key.Key_S)
    window.wait_until_idle("the same key again")
    assert judged(window) == {}
    window.press(Key.Key_S)
    window.wait_until_idle("the judgement")
    window.press(Key.Key_U)
    window.wait_until_idle("no judgement")
    assert judged(window) == {}


def test_the_buttons_of_a_rotated_tile_judge_the_part_of_the_unrotated_photo(window: WindowDriver) -> None:
    drag_on_focal(window)
    row = names(window).index("rings_2.png")
    before = window_of(window, "rings_2.png")
    window.session.editor.rotate([window.session.grid.photo_id(row)], 1)
    window.wait_until_idle("the rotation")
    spot = window.grid.parts_of(row).buttons[TileButton.SIMILAR].center().toPoint()
    QTest.mouseMove(window.grid.viewport(), spot - QPoint(9, 9))
    QTest.mouseMove(window.grid.viewport(), spot)
    QTest.mouseClick(window.grid.viewport(), Qt.MouseButton.LeftButton, NONE, spot)
    window.wait_until_idle("the judgement")
    verdict, region = judged(window)["rings_2.png"]
    assert verdict is Verdict.SIMILAR
    assert near(region, before, 1e-5)


def test_the_preview_judges_too_and_another_part_has_its_own_judgements(window: WindowDriver) -> None:
    drag_on_focal(window)
    window.click(0)
    window.press(Key.Key_Space)
    window.wait_until_idle("the preview")
    window.press(Key.Key_D)
    window.wait_until_idle("the judgement")
    assert [verdict for verdict, _ in judged(window).values()] == [Verdict.DISSIMILAR]
    window.press(Key.Key_Escape)
    drag(strip(window).picture, Region(0.5, 0.4, 0.9, 0.9))
    window.wait_until_idle("the ranking")
    assert window.navigator.marks == {}
    window.press(Key.Key_Left, ALT)
    window.wait_until_idle("the step before")
    assert list(window.navigator.marks.values()) == [Verdict.DISSIMILAR]


def test_a_read_only_library_judges_no_parts(open_window: OpenWindow, prepared: Path) -> None:
    driver = open_window(prepared, read_only=True, watching=False)
    walk(driver, "rings_0.png")
    drag_on_focal(driver)
    driver.click(0)
    driver.press(Key.Key_S)
    driver.wait_until_idle("no judgement")
    assert driver.session.library.region_judgements.count() == 0
    assert not driver.grid._delegate.can_judge


def test_the_list_of_judgements_shows_both_parts_and_changes_them(window: WindowDriver) -> None:
    drag_on_focal(window)
    window.session.library.judgements.set(int(query(window).photo_id or 0), [window.session.grid.photo_id(2)], SIMILAR)
    window.click(0)
    window.press(Key.Key_S)
    window.wait_until_idle("the judgement")
    name = names(window)[0]
    QTest.mouseClick(strip(window)._similar, Qt.MouseButton.LeftButton)
    window.wait_until_idle("the dialog")
    (dialog,) = [one for one in QApplication.topLevelWidgets() if isinstance(one, JudgementsDialog) and one.isVisible()]
    assert dialog.focal_box.currentText() == "Current part"
    model = dialog.model
    assert model.rowCount() == 1, "not the judgement on whole photos"
    assert [model.index(0, column).data() for column in range(3)] == [
        "part of rings_0.png",
        f"part of {name}",
        "Similar",
    ]
    icons = [
        model.index(0, column).data(Qt.ItemDataRole.DecorationRole).pixmap(56, 56).toImage() for column in range(2)
    ]
    drawn = np.asarray(region_album.draw("rings", 1))
    reds = np.mean((drawn[..., 0] > 120) & (drawn[..., 1] < 90) & (drawn[..., 2] < 90))
    assert all(red_share(icon) > 2 * reds for icon in icons), "the parts, not the photos"
    dialog.judge(Verdict.DISSIMILAR)
    window.wait_until_idle("the changed judgement")
    assert judged(window)[name][0] is Verdict.DISSIMILAR
    dialog.judge(None)
    window.wait_until_idle("the withdrawn judgement")
    assert judged(window) == {}
    assert window.session.library.judgements.count() == 1
    dialog.judge(Verdict.SIMILAR)
    window.wait_until_idle("the restored judgement")
    assert judged(window)[name][0] is Verdict.SIMILAR
    region = query(window).region
    window.navigator.leave_ranking()
    window.wait_until_idle("the folders")
    dialog.table.doubleClicked.emit(model.index(0, 0))
    window.wait_until_idle("the ranking")
    assert near(query(window).region, region, 1e-5)


def test_the_trail_shows_the_photo_with_a_sign_and_survives_a_restart(
    window: WindowDriver, open_window: OpenWindow, prepared: Path
) -> None:
    drag_on_focal(window)
    region = query(window).region
    (step,) = [one for one in window.window.findChildren(TrailStep) if one.step.query is not None]
    assert step.photo_id == query(window).source
    assert "part of rings_0.png" in step.accessibleName()
    window.session.saved_trails.keep_place()
    window.session.close()
    again = open_window(prepared, watching=False)
    again.session.show(where_left=True)
    again.wait_until_idle("the last place")
    assert query(again).region == region
    assert rings_first(again)
    assert strip(again).isVisible()


def test_a_rotated_photo_keeps_its_box_and_match_in_place(window: WindowDriver) -> None:
    drag_on_focal(window)
    ids = dict(zip(names(window), window.session.grid.ids.tolist(), strict=True))
    before = window_of(window, "rings_1.png")
    window.session.editor.rotate([ids["rings_1.png"], query(window).photo_id or 0], 1)
    window.wait_until_idle("the rotation")
    turned = window_of(window, "rings_1.png")
    assert near(turned, Region(1 - before.y1, before.x0, 1 - before.y0, before.x1), 0.001)
    shown, drawn = strip(window).picture.region, query(window).region
    assert shown is not None
    assert near(shown, Region(1 - drawn.y1, drawn.x0, 1 - drawn.y0, drawn.x1), 0.001)
    drag(strip(window).picture, shown)
    window.wait_until_idle("the ranking")
    assert near(query(window).region, drawn)


@pytest.mark.parametrize("fills", [True, False])
def test_the_frame_is_on_the_match_in_whole_and_cropped_tiles(window: WindowDriver, fills: bool) -> None:
    drag_on_focal(window)
    grid, delegate = window.grid, window.grid._delegate
    delegate.fills = fills
    index = window.session.grid.index(names(window).index("rings_1.png"))
    tile: TileState = index.data(Role.TILE)
    assert tile.window is not None
    option = QStyleOptionViewItem()
    option.rect = grid.visualRect(index)
    option.rect.moveTo(0, 0)
    if fills:
        option.rect.setWidth(option.rect.height())
    pictures = []
    for part in (tile.window, None):
        picture = QImage(option.rect.size(), QImage.Format.Format_RGB32)
        picture.fill(0)
        painter = QPainter(picture)
        if part is None:
            window.session.grid._rows.windows = None
        delegate.paint(painter, option, index)
        painter.end()
        pictures.append(picture)
    area = delegate.parts(QRectF(option.rect), option).picture
    height = area.width() / 1.5 if not fills else area.height()
    width = height * 1.5
    photo = QRectF(area.center().x() - width / 2, area.center().y() - height / 2, width, height)
    expected = window_place(tile, photo, area)
    assert expected is not None
    different = [
        (x, y)
        for x in range(picture.width())
        for y in range(picture.height())
        if pictures[0].pixel(x, y) != pictures[1].pixel(x, y)
    ]
    left, right = min(x for x, _ in different), max(x for x, _ in different)
    top, bottom = min(y for _, y in different), max(y for _, y in different)
    assert expected.adjusted(-4, -4, 4, 4).contains(QRectF(left, top, right - left, bottom - top))
    assert abs(left - expected.left()) < 4
    assert abs(right - expected.right()) < 4
    inside = expected.adjusted(4, 4, -4, -4)
    assert not any(inside.contains(QPointF(x, y)) for x, y in different), "a thin frame"


# ---------------------------------------------------------------------- enlarged matches
def red_share(picture: QImage) -> float:
    """Return the share of pixels in the red of the rings."""
    pixels = [picture.pixelColor(x, y) for x in range(0, picture.width(), 2) for y in range(0, picture.height(), 2)]
    return sum(each.red() > 120 and each.green() < 90 and each.blue() < 90 for each in pixels) / len(pixels)


def point_at(driver: WindowDriver, name: str, *, beside: bool = False) -> QRectF:
    """Move the pointer onto the frame of a tile, or beside the frame; return the rectangle of the picture."""
    grid, row = driver.grid, names(driver).index(name)
    index = driver.session.grid.index(row)
    tile: TileState = index.data(Role.TILE)
    area = grid.parts_of(row).picture
    assert tile.image is not None
    photo = cut_rect(tile.image, area) if grid._delegate.fills else fitted_rect(tile.image, area)
    frame = window_place(tile, photo, area)
    assert frame is not None
    at = frame.center() if not beside else area.topLeft() + QPointF(2, 2)
    assert beside != frame.contains(at)
    QTest.mouseMove(grid.viewport(), at.toPoint())
    return area


@pytest.mark.parametrize("fills", [True, False])
def test_resting_on_a_frame_enlarges_the_match_until_the_pointer_leaves_the_tile(
    window: WindowDriver, fills: bool
) -> None:
    drag_on_focal(window)
    grid = window.grid
    if fills:
        grid.set_shape(TileShape.SQUARE)
    area = point_at(window, "rings_1.png", beside=True).toRect()
    pause(REST_MILLISECONDS + 100)
    window.wait_until_idle("nothing")
    before = red_share(grid.viewport().grab(area).toImage())
    point_at(window, "rings_1.png")
    pause(REST_MILLISECONDS // 3)
    assert window.session.grid._enlarged is None, "the pointer only passes"
    pause(REST_MILLISECONDS)
    window.wait_until_idle("the larger picture")
    enlarged = red_share(grid.viewport().grab(area).toImage())
    assert enlarged > 1.5 * before
    QTest.mouseMove(grid.viewport(), area.topLeft() + QPoint(3, 3))
    pause(20)
    assert red_share(grid.viewport().grab(area).toImage()) == pytest.approx(enlarged, rel=0.2), "still the same tile"
    other = names(window).index("bars_0.png")
    QTest.mouseMove(grid.viewport(), grid.parts_of(other).picture.topLeft().toPoint() + QPoint(2, 2))
    pause(20)
    assert red_share(grid.viewport().grab(area).toImage()) == pytest.approx(before, rel=0.2)


def test_the_match_of_a_rotated_photo_is_enlarged(window: WindowDriver) -> None:
    drag_on_focal(window)
    ids = dict(zip(names(window), window.session.grid.ids.tolist(), strict=True))
    window.session.editor.rotate([ids["rings_3.png"]], 1)
    window.wait_until_idle("the rotation")
    area = point_at(window, "rings_3.png", beside=True).toRect()
    before = red_share(window.grid.viewport().grab(area).toImage())
    point_at(window, "rings_3.png")
    pause(REST_MILLISECONDS + 100)
    window.wait_until_idle("the larger picture")
    assert red_share(window.grid.viewport().grab(area).toImage()) > 1.5 * before


def test_scrolling_and_a_new_ranking_end_the_enlargement(window: WindowDriver) -> None:
    drag_on_focal(window)
    point_at(window, "rings_1.png")
    pause(REST_MILLISECONDS + 100)
    assert window.session.grid._enlarged is not None
    window.press(Key.Key_G)
    window.wait_until_idle("the folders")
    assert window.session.grid._enlarged is None


def test_an_enlarged_part_is_whole_and_has_the_proportions_of_the_tile() -> None:
    image = QImage(600, 400, QImage.Format.Format_RGB32)
    for region in (Region(0.1, 0.1, 0.2, 0.6), Region(0.8, 0.0, 1.0, 0.1), Region(0.0, 0.0, 1.0, 1.0)):
        for area in (QRectF(5, 5, 100, 100), QRectF(0, 0, 150, 100), QRectF(0, 0, 60, 100)):
            part = enlarged_part(region, image, area)
            assert QRectF(0, 0, 600, 400).contains(part)
            inner = QRectF(QPointF(region.x0 * 600, region.y0 * 400), QPointF(region.x1 * 600, region.y1 * 400))
            assert part.adjusted(-0.01, -0.01, 0.01, 0.01).contains(inner)
            if part.width() < 600 and part.height() < 400:
                assert part.width() / part.height() == pytest.approx(area.width() / area.height())


# ---------------------------------------------------------------------- the preview
def alike(one: QColor, other: QColor) -> bool:
    sides = ((one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()))
    return max(abs(a - b) for a, b in sides) < 60


def test_the_preview_frames_the_match(window: WindowDriver) -> None:
    drag_on_focal(window)
    window.click(names(window).index("rings_1.png"))
    window.press(Key.Key_Space)
    window.wait_until_idle("the preview")
    viewer = window.window.photos.viewer

    def framed() -> bool:
        """Return whether the sides of the match have the colour of frames."""
        rect = on_screen(window_of(window, "rings_1.png"), viewer.photo_rect())
        picture = viewer.grab().toImage()
        color = window.window.theme.color("focal-on-photo")
        places = [(rect.center().x(), rect.top()), (rect.right(), rect.center().y())]
        around = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        return all(
            any(alike(picture.pixelColor(round(x) + dx, round(y) + dy), color) for dx, dy in around) for x, y in places
        )

    assert framed()
    window.session.editor.rotate([viewer.photo_id or 0], 1)
    window.wait_until_idle("the rotation")
    assert framed()
    match = window_of(window, "rings_1.png")
    assert overlap(match, rotated_region(place(1), 1)) > 0.3


def drag_in_viewer(driver: WindowDriver, region: Region, modifiers: Qt.KeyboardModifier) -> None:
    """Drag in the preview, over a region of the displayed photo."""
    layer, photo = driver.window.photos.boxes, driver.window.photos.viewer.photo_rect()
    rect = on_screen(region, photo)
    start, end = rect.topLeft().toPoint(), rect.bottomRight().toPoint()
    QTest.mousePress(layer, Qt.MouseButton.LeftButton, modifiers, start)
    for step in range(1, 5):
        QTest.mouseMove(layer, start + (end - start) * step / 4)
        pause(5)
    QTest.mouseRelease(layer, Qt.MouseButton.LeftButton, modifiers, end)
    driver.wait_until_idle("the drag")


@pytest.mark.parametrize("quarters", [0, 1])
def test_a_drag_with_shift_in_the_preview_searches_by_that_region(window: WindowDriver, quarters: int) -> None:
    window.press(Key.Key_G)
    window.wait_until_idle("the folders")
    photo = window.session.grid.photo_id(names(window).index("bars_1.png"))
    if quarters:
        window.session.editor.rotate([photo], quarters)
    window.click(names(window).index("bars_1.png"))
    window.press(Key.Key_Space)
    window.wait_until_idle("the preview")
    region = rotated_region(place(1), quarters)
    drag_in_viewer(window, region, NONE)
    assert window.navigator.part is None, "without Shift, a drag moves the photo"
    assert window.window.photos.viewing
    drag_in_viewer(window, Region(region.x0, region.y0, region.x0, region.y0), SHIFT)
    assert window.navigator.part is None, "a click is no drag"
    drag_in_viewer(window, region, SHIFT)
    assert not window.window.photos.viewing
    assert query(window).source == photo
    assert near(query(window).region, place(1))
    assert [name[:4] for name in names(window)[: EACH - 1]] == ["bars"] * (EACH - 1)
    assert not window.session.library.boxes.all(), "nothing is drawn"


def test_the_focal_image_in_the_preview_is_searched_too(window: WindowDriver) -> None:
    QTest.mouseClick(window.window.photos.focal_panel.picture, Qt.MouseButton.LeftButton)
    window.wait_until_idle("the preview")
    drag_in_viewer(window, place(0), SHIFT)
    assert near(query(window).region, place(0))
    assert rings_first(window)


# ---------------------------------------------------------------------- the first search
def test_the_first_search_describes_the_photos(open_window: OpenWindow, plain: Path) -> None:
    driver = open_window(plain, watching=False)
    walk(driver, "rings_0.png")
    told: list[str] = []
    driver.session.notices.posted.connect(lambda message: told.append(message.text))
    titles: list[str] = []
    counts: list[int] = []
    driver.navigator.trail_changed.connect(lambda: counts.append(len(driver.session.grid.ids)))
    driver.session.runner.task_changed.connect(lambda state: titles.append(state.title))
    drag(driver.window.photos.focal_panel.picture, place(0))
    driver.wait_until(lambda: any("Preparing searches by a region" in text for text in told), "the message")
    assert strip(driver).isVisible()
    assert strip(driver).choosing, "the box is shown while photos are being described"
    driver.wait_until(lambda: driver.navigator.part is not None, "the ranking", 120)
    driver.wait_until_idle("all photos", 120)
    assert "Preparing searches by a region" in titles
    assert rings_first(driver)
    assert len(names(driver)) == 2 * EACH - 1
    assert driver.navigator.shown.unranked == 0
    assert not strip(driver).choosing
    assert min(counts) > 0, "the ranking appears when the first photos are ready"


def test_a_read_only_library_says_what_is_missing(open_window: OpenWindow, plain: Path) -> None:
    driver = open_window(plain, read_only=True, watching=False)
    walk(driver, "rings_0.png")
    drag(driver.window.photos.focal_panel.picture, place(0))
    driver.wait_until(lambda: "focal descriptors --on" in driver.message_text, "the reason")
    message = driver.window.message_bar.message
    assert message is not None
    assert message.severity is not Severity.INFO
    assert driver.focal_name() == "rings_0.png"


def test_a_missing_file_uses_its_nearest_window(open_window: OpenWindow, prepared: Path) -> None:
    driver = open_window(prepared, watching=False)
    walk(driver, "rings_0.png")
    library = driver.session.library
    (photo,) = library.photos.get([driver.navigator.focal_id or 0])
    photo.path.unlink()
    driver.session.jobs.indexing.rescan()
    driver.wait_until_idle("the missing file")
    drag_on_focal(driver)
    assert rings_first(driver)


def test_a_metric_that_does_not_rank_parts_is_named_with_the_reason(window: WindowDriver) -> None:
    library = window.session.library
    ids = library.photos.ids().tolist()
    window.session.editor.publish(library.tags.change(ids[:EACH], ["one"]))
    window.session.editor.publish(library.tags.change(ids[EACH:], ["other"]))
    train(window, "RCA")
    window.press(Key.Key_R)
    window.press(Key.Key_Return)
    window.wait_until(lambda: "does not rank parts of photos" in window.message_text, "the reason")
    assert window.message_text.endswith("too few boxes, tags and judgements show whether it improves them.")


def test_nothing_overlaps_in_a_narrow_strip(window: WindowDriver) -> None:
    drag_on_focal(window)
    shown = strip(window)
    for width in (420, 900):
        shown.setFixedWidth(width)
        pause(20)
        widgets = (shown.choose_button, shown.whole_button, shown._similar, shown.close_button)
        assert all(each.geometry().left() >= shown.picture.geometry().right() for each in widgets)
        assert all(each.geometry().right() < width for each in widgets)
        assert not shown.choose_button.geometry().intersects(shown.whole_button.geometry())
    assert shown.whole_button.text() == shown.whole_button.full_text()


def test_every_widget_of_the_strip_is_reached_by_tab_and_named(window: WindowDriver) -> None:
    drag_on_focal(window)
    reached: set[QWidget] = set()
    strip(window).choose_button.setFocus()
    for _ in range(6):
        reached.add(window.focus_widget())
        QTest.keyClick(window.focus_widget(), Key.Key_Tab)
    here = {strip(window).choose_button, strip(window).whole_button}
    assert here <= reached
    assert all(widget.accessibleName() for widget in (strip(window), strip(window).picture, strip(window).close_button))
