# SPDX-License-Identifier: MIT
"""Rankings follow judgements at once: the visible result, and the target of the next key or click."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.views.photos.grid.tile_arrangement import TileShape
from focal_photos.browser.views.photos.grid.tile_delegate import TileButton, TileDelegate
from focal_photos.browser.walkthrough.window_driver import ALT, CTRL, WindowDriver
from tests.browser.views.window_steps import walk_to

Key = Qt.Key


def ids(driver: WindowDriver) -> list[int]:
    found: list[int] = driver.session.grid.ids.tolist()
    return found


def select(driver: WindowDriver, row: int) -> int:
    """Select one photo and return it."""
    driver.grid.setFocus()
    driver.grid.make_current(row)
    return driver.session.grid.photo_id(row)


def press(driver: WindowDriver, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    driver.press(key, modifiers)
    driver.wait_until_idle("the judgement and the ranking")


def test_similar_photos_come_first_and_dissimilar_ones_last_now_and_in_the_next_session(driver: WindowDriver) -> None:
    focal = walk_to(driver, 0)
    before = ids(driver)
    similar = select(driver, 9)
    press(driver, Key.Key_S)
    assert ids(driver)[0] == similar
    dissimilar = select(driver, 1)
    press(driver, Key.Key_D)
    other = select(driver, 12)
    press(driver, Key.Key_S)
    after = ids(driver)
    assert {*after[:2]} == {similar, other}
    assert after[-1] == dissimilar
    assert sorted(after) == sorted(before)
    scores = [driver.session.grid.index(row).data(257).score for row in range(len(after))]
    assert scores == sorted(scores)
    marks = [driver.session.grid.index(row).data(257).mark for row in (0, 1, -1 % len(after), 5)]
    assert marks == [Verdict.SIMILAR, Verdict.SIMILAR, Verdict.DISSIMILAR, None]
    folder = driver.session.library.path
    driver.window.close()
    with Library.open(folder, read_only=True) as library:
        assert Ranker(library).rank(focal).photo_ids.tolist() == after


def test_unjudged_photos_follow_the_judgements(driver: WindowDriver) -> None:
    library = driver.session.library
    focal = walk_to(driver, 0)
    before = ids(driver)
    stranger = before[-1]
    (folder,) = {photo.path.parent for photo in library.photos.get([stranger])}
    kin = [photo.id for photo in library.photos.get(before) if photo.path.parent == folder and photo.id != stranger]
    select(driver, len(before) - 1)
    press(driver, Key.Key_S)
    after = ids(driver)
    assert np.mean([after.index(each) for each in kin]) < np.mean([before.index(each) for each in kin])
    assert library.judgements.of(focal) == {stranger: Verdict.SIMILAR}


def test_repeating_the_key_undo_and_redo_rank_again(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    before = ids(driver)
    for key in (Key.Key_S, Key.Key_D):
        judged = select(driver, 7)
        press(driver, key)
        assert driver.grid.selected_ids() == [judged]
        assert list(driver.navigator.marks) == [judged]
        after = ids(driver)
        press(driver, key)
        assert driver.navigator.marks == {}
        assert ids(driver) == before
        press(driver, Key.Key_Z, CTRL)
        assert ids(driver) == after
        press(driver, Key.Key_Y, CTRL)
        assert ids(driver) == before


def test_two_quick_keys_judge_one_photo_and_a_key_only_that_under_the_pointer(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    first = select(driver, 5)
    QTest.keyClick(driver.grid, Key.Key_S)
    QTest.keyClick(driver.grid, Key.Key_D)
    driver.wait_until_idle("the judgements")
    assert driver.navigator.marks == {first: Verdict.DISSIMILAR}
    driver.press(Key.Key_Escape)  # clears the selection
    driver.hover(6)
    judged = driver.session.grid.photo_id(6)
    for _ in range(2):  # the photo that moved under a resting pointer is not judged
        press(driver, Key.Key_D)
        assert driver.navigator.marks == {first: Verdict.DISSIMILAR, judged: Verdict.DISSIMILAR}


def test_a_button_under_the_pointer_answers_again_once_the_pointer_has_moved(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    viewport = driver.grid.viewport()
    driver.tile_center(3)
    spot = driver.grid.parts_of(3).buttons[TileButton.DISSIMILAR].center().toPoint()
    for at in (spot - QPoint(20, 0), spot):
        QTest.mouseMove(viewport, at)
    focal, first = driver.navigator.focal_id, driver.session.grid.photo_id(3)
    for _ in range(3):
        QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=spot)
        driver.wait_until_idle("the judgement")
        assert driver.navigator.marks == {first: Verdict.DISSIMILAR}
        assert driver.navigator.focal_id == focal
    second = driver.session.grid.photo_id(4)
    spot = driver.grid.parts_of(4).buttons[TileButton.DISSIMILAR].center().toPoint()
    QTest.mouseMove(viewport, spot)
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=spot)
    driver.wait_until_idle("the judgement")
    assert driver.navigator.marks == {first: Verdict.DISSIMILAR, second: Verdict.DISSIMILAR}


@pytest.mark.slow
def test_arrow_keys_continue_from_the_old_row_of_the_judged_photo(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    select(driver, 0)
    for _ in range(3):
        press(driver, Key.Key_S)
        driver.press(Key.Key_Right)
    # the first three are now similar, and the next photo is current
    assert list(driver.navigator.marks.values()) == [Verdict.SIMILAR] * 3
    assert {*ids(driver)[:3]} == {*driver.navigator.marks}
    assert driver.grid.currentIndex().row() == 3
    press(driver, Key.Key_D)
    assert ids(driver)[-1] == driver.grid.current_id()
    driver.press(Key.Key_Right)
    assert driver.grid.currentIndex().row() == 3
    assert driver.grid.selected_ids() == [driver.session.grid.photo_id(3)]


def test_arrow_keys_continue_from_the_first_row_and_from_a_judged_photo_selected_afterwards(
    driver: WindowDriver,
) -> None:
    walk_to(driver, 0)
    select(driver, 0)
    press(driver, Key.Key_D)
    driver.press(Key.Key_Right)
    assert driver.grid.currentIndex().row() == 0
    driver.press(Key.Key_Right)
    assert driver.grid.currentIndex().row() == 1
    judged = select(driver, 8)
    press(driver, Key.Key_S)
    driver.press(Key.Key_Right)
    assert driver.grid.currentIndex().row() == 9
    driver.click(0, CTRL)
    assert driver.grid.current_id() == judged
    driver.press(Key.Key_Right)
    assert driver.grid.currentIndex().row() == 1


def test_the_scroll_position_stays(driver: WindowDriver) -> None:
    driver.grid.set_shape(TileShape.SQUARE)  # because the heights of justified lines depend on their photos
    walk_to(driver, 0)
    select(driver, 30)
    bar, grid = driver.grid.verticalScrollBar(), driver.grid
    bar.setValue(bar.maximum() - 5)
    first = grid.first_visible()
    assert first > 0
    place = grid.visualRect(grid.model().index(first, 0))
    press(driver, Key.Key_S)
    assert ids(driver)[0] == grid.current_id()
    # The line of weak matches may move, and with it the scroll bar and the columns.
    assert grid.visualRect(grid.model().index(first, 0)).top() == place.top()


def test_judging_a_single_photo_shows_the_next_one(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    select(driver, 4)
    driver.press(Key.Key_E)
    driver.wait_until_idle("the photo alone")
    judged = driver.window.photos.viewer.photo_id
    press(driver, Key.Key_D)
    assert driver.window.photos.viewer.photo_id == judged
    driver.press(Key.Key_Right)
    assert driver.window.photos.viewer.photo_id == driver.session.grid.photo_id(4) != judged


def test_a_filtered_ranking_follows_judgements_too(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    library = driver.session.library
    (photo,) = library.photos.get([ids(driver)[20]])
    driver.navigator.set_query(photo.path.parent.name)
    driver.wait_until_idle("the filter")
    shown = ids(driver)
    judged = select(driver, len(shown) - 1)
    press(driver, Key.Key_S)
    assert ids(driver)[0] == judged
    assert sorted(ids(driver)) == sorted(shown)


def test_the_status_bar_names_the_basis_of_the_ranking(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    metric = driver.session.overview.now.metric
    assert metric is not None
    status = driver.window.status_bar
    assert status.text().endswith(f"ranked by {metric.title}")
    select(driver, 3)
    press(driver, Key.Key_S)
    assert status.text().endswith(f"ranked by {metric.title} and your judgement")
    select(driver, 3)
    press(driver, Key.Key_D)
    assert status.text().endswith(f"ranked by {metric.title} and your 2 judgements")
    walk_to(driver, 5)
    assert status.text().endswith(f"ranked by {metric.title}")
    driver.press(Key.Key_Left, ALT)
    driver.wait_until_idle("going back")
    assert status.text().endswith(f"ranked by {metric.title} and your 2 judgements")


def test_rankings_follow_judgements_only_if_enabled(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    before = ids(driver)
    follow = driver.window.window_actions.follow_judgements
    assert follow.isChecked()
    judged = select(driver, 6)
    press(driver, Key.Key_S)
    assert ids(driver) != before
    follow.trigger()
    driver.wait_until_idle("the setting")
    assert not follow.isChecked()
    assert ids(driver) == before
    assert driver.navigator.marks == {judged: Verdict.SIMILAR}
    select(driver, 9)
    press(driver, Key.Key_S)
    assert ids(driver) == before
    follow.trigger()
    driver.wait_until_idle("the setting")
    assert {*ids(driver)[:2]} == {*driver.navigator.marks}


def test_a_judgement_is_against_the_shown_focal_image_while_another_is_loading(driver: WindowDriver) -> None:
    first = walk_to(driver, 0)
    second = walk_to(driver, 3)
    judged = driver.session.grid.photo_id(5)
    driver.click(5)
    driver.wait_until_idle("the selection")
    driver.navigator.back()
    assert driver.navigator.focal_id == second, "the ranking by the first photo is not loaded yet"
    driver.press(Qt.Key.Key_S)
    driver.wait_until_idle("judging")
    assert driver.navigator.focal_id == first
    judgements = driver.session.library.judgements
    assert judged in judgements.of(second)
    assert judged not in judgements.of(first)


def test_the_name_below_a_photo_goes_when_the_ranking_changes(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    driver.grid.setFocus()
    driver.grid.make_current(8)
    driver.press(Key.Key_Right)
    delegate = driver.grid.itemDelegate()
    assert isinstance(delegate, TileDelegate)
    assert delegate.named == 9
    press(driver, Key.Key_S)
    assert delegate.named == -1, "another photo is there now"
    driver.press(Key.Key_Right)
    assert delegate.named == 10
    driver.navigator.show_folder(None)
    driver.wait_until_idle("all photos")
    assert delegate.named == -1
