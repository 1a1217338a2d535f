# SPDX-License-Identifier: MIT
"""Groups of duplicates and folded rankings in the real window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtTest import QTest

from focal_photos.browser.catalog.facts.records import Mark
from focal_photos.browser.models.photos.grid_model import Role
from focal_photos.browser.operations.duplicates.find_duplicates import GroupKind
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.photos.grid.tile_delegate import fold_place
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.copies import copied
from tests.browser.models.conftest import cancelled_at_once
from tests.browser.operations.album import Album
from tests.browser.operations.duplicates.test_same_picture import scene
from tests.browser.views.conftest import FEW, OpenWindow

Key = Qt.Key


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library of 20 photos, with two copies of the first and one of the second."""
    folder, photos = tmp_path_factory.mktemp("copies") / "library", tmp_path_factory.mktemp("photos")
    for i in range(20):
        scene(i).save(photos / f"{i:02}.jpg", quality=95)
    scene(0).resize((120, 80), Image.Resampling.LANCZOS).save(photos / "a-half.jpg")
    scene(0).save(photos / "a-pressed.jpg", quality=30)
    scene(1).resize((160, 107), Image.Resampling.LANCZOS).save(photos / "b-small.jpg")
    Album(photos).index(folder, FEW)
    return folder


@pytest.fixture
def copies(indexed: Path, tmp_path: Path, open_window: OpenWindow) -> WindowDriver:
    return open_window(copied(indexed, tmp_path / "library"))


def names(driver: WindowDriver, ids: object) -> list[str]:
    return [path.stem for path in driver.session.library.photos.paths(ids)]  # type: ignore[arg-type]


def press(driver: WindowDriver, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    driver.press(key, modifiers)
    driver.wait_until_idle("what the key does")


def walk_to(driver: WindowDriver, name: str) -> None:
    row = names(driver, driver.session.grid.ids).index(name)
    driver.session.navigator.focus(driver.session.grid.photo_id(row))
    driver.wait_until_idle("the ranking")


@pytest.mark.usefixtures("large_font")
def test_with_a_large_font_the_groups_fit_on_a_small_screen(copies: WindowDriver) -> None:
    copies.window.resize(1000, 600)
    press(copies, Key.Key_D, CTRL)
    assert copies.window.mode is Mode.DUPLICATES
    assert copies.session.duplicates.groups
    copies.wait_until_idle("the layout")
    assert copies.window.size() == QSize(1000, 600)
    page = copies.window.modes.duplicates_page
    assert page.next_button.geometry().right() < page.width(), "the buttons wrap"


@pytest.mark.slow
def test_a_key_rejects_all_but_one_photo_of_a_group(copies: WindowDriver) -> None:
    window, duplicates = copies.window, copies.session.duplicates
    press(copies, Key.Key_D, CTRL)
    assert window.mode is Mode.DUPLICATES
    page = window.modes.duplicates_page
    assert [sorted(names(copies, group.photo_ids)) for group in duplicates.groups] == [
        ["00", "a-half", "a-pressed"],
        ["01", "b-small"],
    ]
    assert page.list.count() == 2
    assert names(copies, [duplicates.keep]) == ["00"]
    assert page.tiles[0].verdict.text().startswith("Keep: ")
    others = [tile.photo_id for tile in page.tiles[1:]]
    assert all(not tile.verdict.text() for tile in page.tiles[1:])
    assert page.tiles[0].name.text() == "00.jpg"
    tops = [tile.mapTo(page, QPoint(0, 0)).y() for tile in page.tiles]
    assert tops[0] == tops[1] < tops[2], "the row is filled from the left"
    press(copies, Key.Key_R)
    marks = copies.session.library.marks
    assert marks.of(others) == {photo_id: Mark(-1) for photo_id in others}
    assert marks.of([duplicates.groups[0].photo_ids[0]]) == {duplicates.groups[0].photo_ids[0]: Mark()}
    assert duplicates.current == 1, "the next group is shown"
    assert [page.list.item(row).text().endswith("\N{CHECK MARK}") for row in range(2)] == [True, False]
    assert page.counts() == "2 groups, 5 photos  \N{MIDDLE DOT}  1 done"
    assert page.everywhere_button.isHidden(), "only one group is left"
    assert all(path.exists() for path in copies.session.library.photos.paths(copies.session.library.photos.ids()))
    press(copies, Key.Key_Z, CTRL)
    assert marks.of(others) == {photo_id: Mark() for photo_id in others}
    assert duplicates.current == 0, "the undone group is shown"
    assert [page.list.item(row).text().endswith("\N{CHECK MARK}") for row in range(2)] == [False, False]
    assert page.counts() == "2 groups, 5 photos"


def test_one_key_rejects_the_duplicates_of_all_groups_and_one_undoes_it(copies: WindowDriver) -> None:
    page, duplicates = copies.window.modes.duplicates_page, copies.session.duplicates
    press(copies, Key.Key_D, CTRL)
    assert page.everywhere_button.text() == "Reject duplicates in all 2 groups"
    first, second = duplicates.groups
    press(copies, Key.Key_Right)
    chosen = duplicates.keep
    assert chosen == first.photo_ids[1]
    press(copies, Key.Key_R, SHIFT)
    marks = copies.session.library.marks
    rejected = {
        photo_id for photo_id, mark in marks.of(copies.session.library.photos.ids().tolist()).items() if mark.rating
    }
    assert rejected == {first.photo_ids[0], first.photo_ids[2], second.photo_ids[1]}, "the choice on screen counts"
    assert page.everywhere_button.isHidden()
    assert page.counts().endswith("2 done")
    press(copies, Key.Key_R, SHIFT)
    press(copies, Key.Key_Z, CTRL)
    assert not any(mark.rating for mark in marks.of(sorted(rejected)).values()), (
        "one step, and the second click did nothing"
    )
    copies.session.duplicates.groups = [replace(first, kind=GroupKind.BURST), second]
    assert duplicates.open_pictures == [second]
    duplicates.go(1)
    press(copies, Key.Key_R, SHIFT)
    assert {each for each in rejected if marks.of([each])[each].rating} == {second.photo_ids[1]}, (
        "bursts are left to the user"
    )


def test_a_click_or_arrow_chooses_the_kept_photo_and_the_others_are_tagged(copies: WindowDriver) -> None:
    press(copies, Key.Key_D, CTRL)
    page, duplicates = copies.window.modes.duplicates_page, copies.session.duplicates
    QTest.mouseClick(page.tiles[1], Qt.MouseButton.LeftButton, pos=QPoint(30, 30))
    assert duplicates.keep == page.tiles[1].photo_id
    assert page.tiles[1].verdict.text() == "Keep: your choice"
    press(copies, Key.Key_Right)
    assert duplicates.keep == page.tiles[2].photo_id
    press(copies, Key.Key_T)
    copies.type("copy")
    press(copies, Key.Key_Return)
    press(copies, Key.Key_Escape)
    tags = copies.session.library.tags.of(duplicates.groups[0].photo_ids)
    assert tags.pop(page.tiles[2].photo_id) == []
    assert set(map(tuple, tags.values())) == {("copy",)}
    assert "copy" in page.tiles[0].facts.text()


def test_a_group_is_compared_and_selected(copies: WindowDriver) -> None:
    press(copies, Key.Key_D, CTRL)
    page, duplicates = copies.window.modes.duplicates_page, copies.session.duplicates
    press(copies, Key.Key_Down)
    wanted = list(duplicates.groups[1].photo_ids)
    assert [tile.photo_id for tile in page.tiles] == wanted
    press(copies, Key.Key_C)
    assert copies.window.mode == "compare"
    assert list(copies.session.comparison.photo_ids) == wanted
    copies.window.show_mode(Mode.DUPLICATES)
    copies.wait_until_idle("the groups")
    press(copies, Key.Key_Return)
    assert copies.window.mode == "browse"
    assert sorted(copies.grid.selected_ids()) == sorted(wanted)


def test_the_grid_shows_the_first_photo_of_a_group_in_its_order(copies: WindowDriver) -> None:
    copies.window.resize(900, 500)
    copies.grid.set_tile_size(240)
    copies.wait_until_idle("the tiles")
    best_behind = [copies.session.grid.photo_id(row) for row in (16, 4)]  # a group is shown with the best first
    copies.session.navigator.show_selected(best_behind)
    copies.wait_until_idle("the photos")
    assert copies.grid.current_id() == best_behind[0]
    assert copies.grid.visualRect(copies.session.grid.index(4)).top() == 0


def test_a_ranking_shows_one_photo_per_group_and_unfolds_by_key_and_click(copies: WindowDriver) -> None:
    walk_to(copies, "05")
    copies.session.duplicates.find_once()
    copies.wait_until_idle("the duplicates")
    model = copies.session.grid
    shown = names(copies, model.ids)
    assert len(shown) == len(set(shown)) == 22 - 3
    group = {"00", "a-half", "a-pressed"}
    (first,) = group & set(shown)
    row = shown.index(first)
    assert model.index(row).data(Role.TILE).folded == 2
    assert "2 duplicates stacked" in model.index(row).data(Qt.ItemDataRole.AccessibleTextRole)
    copies.grid.setFocus()
    copies.grid.make_current(row)
    press(copies, Key.Key_B)
    assert group <= set(names(copies, model.ids))
    assert len(model.ids) == 22 - 1
    copies.grid.make_current(names(copies, model.ids).index(first))
    press(copies, Key.Key_B)
    assert len(model.ids) == 22 - 3
    index = model.index(names(copies, model.ids).index(first))
    copies.grid.scrollTo(index)
    option = copies.grid._option()
    parts = copies.grid._delegate.parts(copies.grid.visualRect(index).toRectF(), option)
    spot = fold_place(parts, index.data(Role.TILE)).center().toPoint()
    QTest.mouseMove(copies.grid.viewport(), spot + QPoint(30, 30))
    QTest.mouseMove(copies.grid.viewport(), spot)
    QTest.mouseClick(copies.grid.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    copies.wait_until_idle("the unfolded group")
    assert group <= set(names(copies, model.ids)), "a click on the number unfolds"
    assert names(copies, [copies.session.navigator.focal_id]) == ["05"], "unfolding does not change the focal image"


def test_folding_is_switched_off_in_the_menu(copies: WindowDriver) -> None:
    walk_to(copies, "05")
    copies.session.duplicates.find_once()
    copies.wait_until_idle("the duplicates")
    folds = copies.window.window_actions.folds
    assert folds.isChecked()
    folds.trigger()
    copies.wait_until_idle("the setting")
    assert len(copies.session.grid.ids) == 22
    folds.trigger()
    copies.wait_until_idle("the setting")
    assert len(copies.session.grid.ids) == 22 - 3


def test_groups_found_before_the_page_opens_are_shown_too(copies: WindowDriver) -> None:
    walk_to(copies, "05")
    copies.session.duplicates.find_once()
    copies.wait_until_idle("the duplicates")
    press(copies, Key.Key_D, CTRL)
    page = copies.window.modes.duplicates_page
    assert page.tiles[0].name.text() == "00.jpg"
    assert "240 \N{MULTIPLICATION SIGN} 160" in page.tiles[0].facts.text()
    assert not page.list.item(0).icon().isNull()
    assert page.tiles[0].picture.aspect == pytest.approx(1.5, abs=0.02)


def test_new_photos_are_searched_for_duplicates_once_indexed(copies: WindowDriver, tmp_path: Path) -> None:
    duplicates = copies.session.duplicates
    duplicates.find_once()
    copies.wait_until_idle("the duplicates")
    assert len(duplicates.groups[0].members) == 3
    (tmp_path / "more").mkdir()
    scene(0).save(tmp_path / "more" / "a-again.jpg", quality=50)
    copies.session.photo_folders.opening.open([tmp_path / "more"])
    copies.wait_until(lambda: len(duplicates.groups[0].members) == 4, "the new one")
    assert set(names(copies, duplicates.groups[0].photo_ids)) == {"00", "a-half", "a-pressed", "a-again"}


def test_photos_of_a_group_are_laid_out_in_rows(copies: WindowDriver) -> None:
    press(copies, Key.Key_D, CTRL)
    page = copies.window.modes.duplicates_page
    for width in (1400, 960):
        copies.window.resize(width, 800)
        copies.wait_until_idle("the size")
        right = max(tile.mapTo(page, QPoint(tile.width(), 0)).x() for tile in page.tiles)
        assert right <= page.width()


def test_a_cancelled_search_for_duplicates_can_be_repeated(copies: WindowDriver) -> None:
    session, duplicates = copies.session, copies.session.duplicates
    with cancelled_at_once(session):
        press(copies, Key.Key_D, CTRL)
    assert not duplicates.busy
    assert "stopped" in copies.window.modes.duplicates_page._nothing.text()
    press(copies, Key.Key_Escape)
    press(copies, Key.Key_D, CTRL)
    assert len(duplicates.groups) == 2


def test_merging_copies_tags_and_marks_to_the_kept_photo(copies: WindowDriver) -> None:
    session = copies.session
    press(copies, Key.Key_D, CTRL)
    kept, *others = (tile.photo_id for tile in copies.window.modes.duplicates_page.tiles)
    session.library.tags.change([others[0]], ["beach"])
    session.library.marks.set([others[1]], rating=3)
    press(copies, Key.Key_M)
    assert session.library.tags.of([kept])[kept] == ["beach"]
    assert session.library.marks.of([kept])[kept].rating == 3
    assert session.duplicates.current == 1, "the next group is shown"
    assert session.duplicates.is_done(session.duplicates.groups[0])
    session.editor.undo()
    copies.wait_until_idle("undo")
    assert session.library.tags.of([kept])[kept] == []
    assert session.duplicates.current == 0


def test_photos_marked_as_no_duplicates_leave_the_list_until_undo(copies: WindowDriver) -> None:
    session, page = copies.session, copies.window.modes.duplicates_page
    press(copies, Key.Key_D, CTRL)
    groups = [group.photo_ids for group in session.duplicates.groups]
    QTest.mouseClick(page.apart_button, Qt.MouseButton.LeftButton)
    copies.wait_until_idle("the groups")
    assert [group.photo_ids for group in session.duplicates.groups] == groups[1:]
    assert page.list.count() == 1
    session.editor.undo()
    copies.wait_until_idle("the groups")
    assert [group.photo_ids for group in session.duplicates.groups] == groups
