"""The loop by keys and mouse: a folder, the focal image, walking, judging, and one photo alone."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from browser.catalog.facts.records import Verdict
from browser.views.photos.tile_delegate import tile_parts
from browser.walkthrough.keys_and_mouse import ALT, CTRL, SHIFT, Hands
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.steps import walk_to

Key = Qt.Key


def test_a_folder_is_opened_and_indexed(open_window: OpenWindow, tmp_path: Path, drawn_album: Path) -> None:
    hands = open_window(tmp_path / "new")
    assert hands.window.welcome.isVisible()
    hands.window.open_folders([drawn_album])
    hands.until(hands.grid.isVisible, "the grid")
    hands.settle("indexing", 120)
    assert hands.session.grid.rowCount() == 32
    assert hands.window.status_bar.text().startswith("32 photos")
    assert hands.session.folders.rowCount() == 1
    notice = hands.window.message_bar.message
    assert notice is not None
    assert "32 photos indexed, 32 of them new" in notice.text


def test_a_click_makes_the_focal_image_and_ranks_the_others(hands: Hands) -> None:
    focal = walk_to(hands, 5)
    assert hands.navigator.focal_id == focal
    assert hands.window.focal_panel.isVisible()
    assert focal not in hands.session.grid.ids
    assert len(hands.session.grid.ids) == 31
    scores = [hands.session.grid.index(row).data(257).score for row in range(31)]
    assert scores == sorted(scores)
    assert hands.window.windowTitle().startswith(hands.focal_name())


def test_ctrl_and_shift_select_without_ranking(hands: Hands) -> None:
    hands.click(1, CTRL)
    hands.click(4, SHIFT)
    hands.click(2, CTRL)
    assert len(hands.grid.selected_ids()) == 3
    assert hands.navigator.focal_id is None
    hands.key(Key.Key_Right, SHIFT)
    assert hands.navigator.focal_id is None


def test_arrows_walk_and_enter_makes_the_focal_image(hands: Hands) -> None:
    hands.grid.setFocus()
    hands.key(Key.Key_Right)
    hands.key(Key.Key_Right)
    chosen = hands.grid.current_id()
    hands.key(Key.Key_Return)
    hands.settle("the ranking")
    assert hands.navigator.focal_id == chosen


def test_a_slip_of_the_hand_loses_no_selection(hands: Hands) -> None:
    for row in (1, 3, 6):
        hands.click(row, CTRL)
    selected = hands.grid.selected_ids()
    walk_to(hands, 9)
    assert hands.grid.selected_ids() == []
    hands.key(Key.Key_Left, ALT)
    hands.settle("going back")
    assert hands.grid.selected_ids() == selected
    assert hands.navigator.focal_id is None


def test_back_and_forward_restore_the_place(hands: Hands) -> None:
    bar = hands.grid.verticalScrollBar()
    first = walk_to(hands, 0)
    bar.setValue(bar.maximum() - 7)
    hands.spot(29)
    at = bar.value()
    assert at > 0
    second = walk_to(hands, 29)
    assert hands.navigator.focal_id == second
    assert bar.value() == 0
    hands.key(Key.Key_Left, ALT)
    hands.settle("going back")
    assert hands.navigator.focal_id == first
    assert bar.value() == at
    hands.key(Key.Key_Right, ALT)
    hands.settle("going forward")
    assert hands.navigator.focal_id == second
    assert hands.navigator.trail.steps[0].label == "All photos"


def test_the_trail_leads_back_with_one_click(hands: Hands) -> None:
    first = walk_to(hands, 3)
    walk_to(hands, 4)
    step = hands.window.top_bar.trail.steps()[1]
    QTest.mouseClick(step, Qt.MouseButton.LeftButton)
    hands.settle("the step")
    assert hands.navigator.focal_id == first


def test_judging_by_keys_with_the_pointer_or_a_selection(hands: Hands) -> None:
    focal = walk_to(hands, 0)
    hands.hover(2)
    hands.key(Key.Key_S)
    hands.settle("judging")
    marked = hands.session.grid.photo_id(2)
    assert hands.navigator.marks == {marked: Verdict.SIMILAR}
    for row in (4, 5):
        hands.click(row, CTRL)
    hands.key(Key.Key_D)
    hands.settle("judging")
    assert sorted(hands.navigator.marks.values()) == [Verdict.DISSIMILAR, Verdict.DISSIMILAR, Verdict.SIMILAR]
    assert hands.session.library.judgements.of(focal) == hands.navigator.marks
    assert hands.window.top_bar.retrain_button.text() == "Retrain (3 new)"
    hands.key(Key.Key_D)
    hands.settle("clearing")
    assert hands.navigator.marks == {marked: Verdict.SIMILAR}
    hands.key(Key.Key_Escape)
    hands.hover(2)
    hands.key(Key.Key_U)
    hands.settle("clearing")
    assert hands.navigator.marks == {}


def test_judging_by_the_buttons_under_the_pointer(hands: Hands) -> None:
    walk_to(hands, 0)
    spot = hands.spot(1)
    cell = hands.grid.visualRect(hands.session.grid.index(1))
    height = hands.grid._caption_height()
    parts = tile_parts(cell.toRectF(), height)
    QTest.mouseMove(hands.grid.viewport(), spot)
    for rect, verdict in ((parts.dissimilar, Verdict.DISSIMILAR), (parts.similar, Verdict.SIMILAR)):
        QTest.mouseClick(hands.grid.viewport(), Qt.MouseButton.LeftButton, pos=rect.center().toPoint())
        hands.settle("judging")
        assert list(hands.navigator.marks.values()) == [verdict]


def test_judging_without_a_focal_image_says_what_to_do(hands: Hands) -> None:
    hands.click(1, CTRL)
    hands.key(Key.Key_S)
    notice = hands.window.message_bar.message
    assert notice is not None
    assert "focal image" in notice.text


def test_the_folder_order_is_found_again(hands: Hands) -> None:
    bar = hands.grid.verticalScrollBar()
    bar.setValue(90)
    focal = walk_to(hands, 12)
    at = hands.navigator.trail.steps[0].position
    hands.key(Key.Key_G)
    hands.settle("the order of the folders")
    assert hands.navigator.focal_id is None
    assert hands.grid.position().anchor == at.anchor
    row = hands.session.grid.row_of(focal)
    assert hands.session.grid.index(row).data(257).is_focal, "where the walk came from is marked"


def test_the_single_photo(hands: Hands) -> None:
    for row in (2, 5):
        hands.click(row, CTRL)
    selected = hands.grid.selected_ids()
    viewer = hands.window.viewer
    hands.key(Key.Key_E)
    hands.settle("the photo")
    assert viewer.isVisible()
    assert viewer.photo_id == selected[0]
    hands.key(Key.Key_Space)
    hands.settle("the next photo")
    assert viewer.photo_id == hands.session.grid.photo_id(3)
    assert hands.navigator.targets == (viewer.photo_id,), "tagging means the photo that is shown"
    fitted = viewer.scale
    hands.key(Key.Key_Plus)
    assert viewer.scale > fitted
    viewer.toggle_full_size()
    assert viewer.scale == fitted
    hands.key(Key.Key_Escape)
    assert hands.grid.isVisible()
    assert hands.grid.selected_ids() == selected, "the selection is back"


def test_zooming_keeps_the_photo_in_place(hands: Hands) -> None:
    bar = hands.grid.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    first = hands.grid.position().anchor
    size = hands.grid.tile_size
    hands.grid.setFocus()
    hands.key(Key.Key_Plus)
    assert hands.grid.tile_size > size
    assert hands.grid.first_visible() <= hands.session.grid.row_of(first or -1) < hands.grid.first_visible() + 6
    hands.key(Key.Key_Minus)
    assert hands.grid.tile_size == size


def test_a_double_click_opens_the_photo(hands: Hands) -> None:
    photo_id = hands.session.grid.photo_id(3)
    spot = hands.spot(3)
    QTest.mouseClick(hands.grid.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    hands.settle("the ranking")
    QTest.mouseDClick(hands.grid.viewport(), Qt.MouseButton.LeftButton, pos=spot + QPoint(1, 0))
    hands.settle("the photo")
    assert hands.window.viewer.isVisible()
    assert hands.window.viewer.photo_id == photo_id
