# SPDX-License-Identifier: MIT
"""Visual pairs and relative judgements on the tiles, and the key that clears them, in the real window."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QImage

from focal_photos.browser.catalog.facts.records import Relation, Verdict
from focal_photos.browser.models.photos.grid_model import Role
from focal_photos.browser.models.photos.tiles import TileState
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.views.window_steps import walk_to

Key = Qt.Key
BOTH = frozenset(Relation)


def tile(driver: WindowDriver, photo_id: int) -> TileState:
    model = driver.session.grid
    state: TileState = model.index(model.row_of(photo_id)).data(Role.TILE)
    return state


def press(driver: WindowDriver, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    driver.press(key, modifiers)
    driver.wait_until_idle("the key")


def corner(driver: WindowDriver, photo_id: int) -> QImage:
    """Return the upper left corner of a tile."""
    picture = driver.grid.parts_of(driver.session.grid.row_of(photo_id)).picture.toRect()
    return driver.grid.viewport().grab(QRect(picture.topLeft() + QPoint(5, 5), QSize(50, 50))).toImage()


def test_tiles_show_looks_and_nearness(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    other, photo = driver.session.grid.photo_id(2), driver.session.grid.photo_id(3)
    driver.grid.make_current(2)
    press(driver, Key.Key_Right, SHIFT)
    pictures = [corner(driver, photo)]
    press(driver, Key.Key_N, SHIFT)
    pictures.append(corner(driver, photo))
    assert tile(driver, photo).relations == {Relation.NEARER}
    assert tile(driver, other).relations == frozenset()
    press(driver, Key.Key_L, SHIFT)
    pictures.append(corner(driver, photo))
    assert tile(driver, photo).relations == BOTH
    assert tile(driver, other).relations == {Relation.LOOKS_ALIKE}
    model = driver.session.grid
    spoken = model.index(model.row_of(photo)).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "looks alike, nearer than another photo" in spoken
    assert all(pictures[one] != pictures[two] for one, two in ((0, 1), (0, 2), (1, 2)))
    walk_to(driver, 5)
    assert tile(driver, photo).relations == frozenset(), "the focal image is another"


def test_clearing_a_mark_clears_the_visual_pair_in_one_step(driver: WindowDriver) -> None:
    library, focal = driver.session.library, walk_to(driver, 0)
    photo, looks = driver.session.grid.photo_id(2), driver.session.grid.photo_id(3)
    driver.hover(2)
    press(driver, Key.Key_S)
    for photo_id in (photo, looks):
        driver.grid.make_current(driver.session.grid.row_of(photo_id))
        press(driver, Key.Key_L, SHIFT)
    library.judged_relations.set([(focal, photo, looks)], holds=True)
    driver.grid.make_current(driver.session.grid.row_of(photo))
    press(driver, Key.Key_S)
    assert library.judgements.of(focal) == {}
    assert len(library.judged_relations.visual()) == 2, "the key S concerns the verdict only"
    press(driver, Key.Key_S)
    driver.grid.selectAll()
    press(driver, Key.Key_U)
    assert library.judgements.of(focal) == {}
    assert library.judged_relations.visual() == []
    assert library.judged_relations.relative() == [(focal, photo, looks)], "a judgement of two photos stays"
    press(driver, Key.Key_Z, CTRL)
    assert library.judgements.of(focal) == {photo: Verdict.SIMILAR}
    assert sorted(library.judged_relations.visual()) == sorted([(focal, photo), (focal, looks)])
    assert tile(driver, looks).relations == {Relation.LOOKS_ALIKE}


def test_clearing_unmarked_photos_is_no_step(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    before = driver.session.library.journal.undo_label()
    driver.grid.make_current(2)
    press(driver, Key.Key_U)
    assert driver.session.library.journal.undo_label() == before


def test_the_viewer_shows_looks_and_the_key_clears_them(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    driver.grid.make_current(2)
    press(driver, Key.Key_E)
    viewer = driver.window.photos.viewer
    before = viewer.grab(QRect(0, 0, 60, 60)).toImage()
    press(driver, Key.Key_L, SHIFT)
    assert viewer.grab(QRect(0, 0, 60, 60)).toImage() != before
    press(driver, Key.Key_U)
    assert driver.session.library.judged_relations.visual() == []
    assert viewer.grab(QRect(0, 0, 60, 60)).toImage() == before
