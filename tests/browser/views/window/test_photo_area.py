# SPDX-License-Identifier: MIT
"""The middle of the window by keys and mouse: a folder, the focal image, judging, and the viewer."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QEvent, QModelIndex, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QToolTip

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.base.notices import MessageAction
from focal_photos.browser.models.photos.trail import Collection, Step
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.base.painting import BADGE_HEIGHT
from focal_photos.browser.views.photos.grid.tile_arrangement import TILE_SIZES
from focal_photos.browser.views.photos.grid.tile_delegate import TileButton, count_places
from focal_photos.browser.walkthrough.window_driver import ALT, CTRL, SHIFT, WindowDriver
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import walk_to

Key = Qt.Key


@pytest.mark.slow
def test_a_folder_is_opened_and_indexed(open_window: OpenWindow, tmp_path: Path, drawn_album: Path) -> None:
    driver = open_window(tmp_path / "new")
    assert driver.window.photos.welcome_page.isVisible()
    driver.window.dialogs.open_folders([drawn_album])
    driver.wait_until(driver.grid.isVisible, "the grid")
    driver.wait_until_idle("indexing", 120)
    assert driver.session.grid.rowCount() == 32
    assert driver.window.status_bar.text().startswith("32 photos")
    assert driver.session.sidebar.folders.rowCount() == 1
    message = driver.window.message_bar.message
    assert message is not None
    assert re.fullmatch(r"32 photos indexed in \d+ s\.", message.text)
    [offer] = [one for one in driver.window.message_bar.findChildren(QPushButton) if one.text() == "Tag them in Review"]
    assert offer.isVisible()
    assert not driver.window.message_bar._timer.isActive(), "the message waits until the user returns"
    driver.window.show_mode(Mode.REVIEW)
    assert driver.window.message_bar.message is None, "opening Review settles the offer"
    driver.window.show_mode(Mode.BROWSE)
    driver.session.notices.posted.emit(message)
    QTest.mouseClick(offer, Qt.MouseButton.LeftButton)
    assert driver.window.mode is Mode.REVIEW


@pytest.mark.slow
def test_copies_of_photos_are_reported(open_window: OpenWindow, tmp_path: Path, drawn_album: Path) -> None:
    photos = shutil.copytree(drawn_album, tmp_path / "photos")
    first, second = sorted(photos.rglob("*.jpg"))[:2]
    shutil.copy(first, photos / "copy of the first.jpg")
    driver = open_window(tmp_path / "new")
    driver.window.dialogs.open_folders([photos])
    driver.wait_until(driver.grid.isVisible, "the grid")
    driver.wait_until_idle("indexing", 120)
    assert re.fullmatch(r"32 photos indexed in \d+ s\. 1 more file is a copy of one of them\.", driver.message_text)
    more = tmp_path / "more"
    more.mkdir()
    shutil.copy(second, more / "known.jpg")
    driver.window.dialogs.open_folders([more])
    driver.wait_until_idle("indexing", 120)
    assert re.fullmatch(r"1 photos indexed in \d+ s\.", driver.message_text), "the other photo's place was known before"


@pytest.mark.slow
def test_review_is_offered_after_resumed_indexing_too(
    open_window: OpenWindow, tmp_path: Path, drawn_album: Path
) -> None:
    album = tmp_path / "album"
    album.mkdir()
    for path in drawn_album.glob("*/*.*"):
        with Image.open(path) as photo:
            small = photo.reduce(4)
            for turn in range(8):  # many, so that the window is closed before all are indexed
                small.rotate(turn).save(album / f"{path.stem}-{turn}.png")
    Library.open(tmp_path / "new").close()  # with all descriptors, which take longer
    driver = open_window(tmp_path / "new")
    driver.window.dialogs.open_folders([album])
    driver.wait_until(driver.grid.isVisible, "the grid")
    driver.window.close()
    with Library.open(tmp_path / "new") as library:
        assert library.photos.count() == 256
    driver = open_window(tmp_path / "new")
    driver.wait_until_idle("indexing", 120)
    assert re.fullmatch(r"256 photos indexed in \d+ s\.", driver.message_text)
    [offer] = [one for one in driver.window.message_bar.findChildren(QPushButton) if one.text() == "Tag them in Review"]
    assert offer.isVisible()
    driver.window.close()
    driver = open_window(tmp_path / "new")
    driver.wait_until_idle("looking for changes", 120)
    assert driver.window.message_bar.message is None, "with nothing left to do, no message is shown"


@pytest.mark.parametrize("all_tagged", [False, True])
def test_review_is_offered_after_describing_again_only_if_photos_are_untagged(
    open_window: OpenWindow, library_folder: Path, *, all_tagged: bool
) -> None:
    with Library.open(library_folder) as library:
        ids = library.photos.ids()
        library.tags.change(ids.tolist() if all_tagged else ids[1:].tolist(), ["drawn"])
    shutil.rmtree(library_folder / "derived")
    driver = open_window(library_folder)
    driver.wait_until_idle("describing", 120)
    message = driver.window.message_bar.message
    assert message is not None
    assert message.text.startswith("32 photos indexed in ")
    assert message.action is (MessageAction.NONE if all_tagged else MessageAction.REVIEW)


def test_an_opened_folder_is_shown_or_reported_as_empty(driver: WindowDriver, tmp_path: Path) -> None:
    [root] = [root.path for root in driver.session.library.roots.all()]
    inner = driver.session.library.photos.paths([driver.session.grid.photo_id(0)])[0].parent
    assert inner != root
    driver.window.dialogs.open_folders([inner])
    driver.wait_until_idle("the folder", 120)
    assert driver.navigator.collection.folder == inner
    assert driver.session.grid.rowCount() == len(list(inner.glob("*.jpg")))
    driver.navigator.show_folder(None)
    driver.wait_until_idle("all photos")
    driver.window.dialogs.open_folders([root])
    driver.wait_until_idle("the only folder", 120)
    assert driver.navigator.collection.everything
    (tmp_path / "no photos").mkdir()
    driver.window.dialogs.open_folders([tmp_path / "no photos"])
    driver.wait_until_idle("indexing")
    assert driver.message_text == "There are no photos in no photos."


def test_a_photo_with_an_unusual_suffix_is_added(open_window: OpenWindow, tmp_path: Path, drawn_album: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    first = min(drawn_album.rglob("*.jpg"))
    shutil.copy(first, photos / "a.jpg")
    shutil.copy(max(drawn_album.rglob("*.jpg")), photos / "b<b>.dat")
    driver = open_window(tmp_path / "new")
    driver.window.dialogs.open_folders([photos])
    driver.wait_until(driver.grid.isVisible, "the grid")
    driver.wait_until_idle("indexing", 120)
    assert driver.message_text.startswith("2 photos indexed in ")


def test_a_click_makes_the_focal_image_and_ranks_the_others(driver: WindowDriver) -> None:
    focal = walk_to(driver, 5)
    assert driver.navigator.focal_id == focal
    assert driver.window.photos.focal_panel.isVisible()
    assert focal not in driver.session.grid.ids
    assert len(driver.session.grid.ids) == 31
    scores = [driver.session.grid.index(row).data(257).score for row in range(31)]
    assert scores == sorted(scores)
    assert driver.window.windowTitle().startswith(driver.focal_name())


def test_ctrl_and_shift_select_without_ranking_or_judging(driver: WindowDriver) -> None:
    driver.click(1, CTRL)
    driver.click(4, SHIFT)
    driver.click(2, CTRL)
    assert len(driver.grid.selected_ids()) == 3
    assert driver.navigator.focal_id is None
    driver.press(Key.Key_Right, SHIFT)
    assert driver.navigator.focal_id is None
    driver.press(Key.Key_S)
    assert "focal image" in driver.message_text


def test_arrows_walk_and_enter_makes_the_focal_image(driver: WindowDriver) -> None:
    driver.grid.setFocus()
    driver.press(Key.Key_Right)
    driver.press(Key.Key_Right)
    chosen = driver.grid.current_id()
    driver.press(Key.Key_Return)
    driver.wait_until_idle("the ranking")
    assert driver.navigator.focal_id == chosen


def test_a_slip_of_the_hand_loses_no_selection(driver: WindowDriver) -> None:
    for row in (1, 3, 6):
        driver.click(row, CTRL)
    selected = driver.grid.selected_ids()
    walk_to(driver, 9)
    assert driver.grid.selected_ids() == []
    driver.press(Key.Key_Left, ALT)
    driver.wait_until_idle("going back")
    assert driver.grid.selected_ids() == selected
    assert driver.navigator.focal_id is None


def test_back_forward_and_the_trail_restore_the_place(driver: WindowDriver) -> None:
    bar = driver.grid.verticalScrollBar()
    first = walk_to(driver, 0)
    bar.setValue(bar.maximum() - 7)
    driver.tile_center(29)
    at = bar.value()
    assert at > 0
    second = walk_to(driver, 29)
    assert driver.navigator.focal_id == second
    assert bar.value() == 0
    driver.press(Key.Key_Left, ALT)
    driver.wait_until_idle("going back")
    assert driver.navigator.focal_id == first
    assert bar.value() == at
    driver.press(Key.Key_Right, ALT)
    driver.wait_until_idle("going forward")
    assert driver.navigator.focal_id == second
    assert driver.navigator.trail.steps[0].label == "All photos"
    QTest.mouseClick(driver.window.top_bar.trail.steps()[1], Qt.MouseButton.LeftButton)
    driver.wait_until_idle("the step")
    assert driver.navigator.focal_id == first


def test_keys_judge_the_photo_under_the_pointer_or_the_selection(driver: WindowDriver) -> None:
    focal = walk_to(driver, 0)
    marked = driver.session.grid.photo_id(2)
    driver.hover(2)
    driver.press(Key.Key_S)
    driver.wait_until_idle("judging")
    assert driver.navigator.marks == {marked: Verdict.SIMILAR}
    for row in (4, 5):
        driver.click(row, CTRL)
    driver.press(Key.Key_D)
    driver.wait_until_idle("judging")
    assert sorted(driver.navigator.marks.values()) == [Verdict.DISSIMILAR, Verdict.DISSIMILAR, Verdict.SIMILAR]
    assert driver.session.library.judgements.of(focal) == driver.navigator.marks
    assert driver.window.top_bar.retrain_button.text() == "Retrain (3 new)"
    driver.press(Key.Key_D)
    driver.wait_until_idle("clearing")
    assert driver.navigator.marks == {marked: Verdict.SIMILAR}
    driver.press(Key.Key_Escape)
    driver.hover(driver.session.grid.row_of(marked))
    driver.press(Key.Key_U)
    driver.wait_until_idle("clearing")
    assert driver.navigator.marks == {}


def test_buttons_under_the_pointer_judge(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    judged = driver.session.grid.photo_id(1)
    for verdict, row_then in ((Verdict.DISSIMILAR, 30), (Verdict.SIMILAR, 0)):
        row = driver.session.grid.row_of(judged)
        driver.hover(row)
        button = TileButton.SIMILAR if verdict is Verdict.SIMILAR else TileButton.DISSIMILAR
        rect = driver.grid.parts_of(row).buttons[button]
        QTest.mouseClick(driver.grid.viewport(), Qt.MouseButton.LeftButton, pos=rect.center().toPoint())
        driver.wait_until_idle("judging")
        assert driver.navigator.marks == {judged: verdict}
        assert driver.session.grid.row_of(judged) == row_then


def test_the_folder_order_is_restored(driver: WindowDriver) -> None:
    bar = driver.grid.verticalScrollBar()
    bar.setValue(90)
    focal = walk_to(driver, 12)
    at = driver.navigator.trail.steps[0].position
    driver.press(Key.Key_G)
    driver.wait_until_idle("the order of the folders")
    assert driver.navigator.focal_id is None
    assert driver.grid.position().anchor == at.anchor
    row = driver.session.grid.row_of(focal)
    assert driver.session.grid.index(row).data(257).is_focal, "the previous focal image is marked"


def test_a_single_photo_is_shown_and_left(driver: WindowDriver) -> None:
    for row in (2, 5):
        driver.click(row, CTRL)
    selected = driver.grid.selected_ids()
    viewer = driver.window.photos.viewer
    driver.press(Key.Key_E)
    driver.wait_until_idle("the photo")
    assert viewer.isVisible()
    assert viewer.photo_id == selected[0]
    driver.press(Key.Key_Right)
    driver.wait_until_idle("the next photo")
    assert viewer.photo_id == driver.session.grid.photo_id(3)
    assert driver.navigator.targets == (viewer.photo_id,), "tags go to the shown photo"
    fitted = viewer.scale
    driver.press(Key.Key_Plus)
    assert viewer.scale > fitted
    viewer.toggle_full_size()
    assert viewer.scale == fitted
    driver.press(Key.Key_Escape)
    assert driver.grid.isVisible()
    assert driver.grid.selected_ids() == selected, "the selection is restored"


def test_space_previews_and_arrows_move(driver: WindowDriver) -> None:
    viewer, ids = driver.window.photos.viewer, driver.session.grid.ids
    driver.click(2)
    driver.press(Key.Key_Space)
    driver.wait_until_idle("the preview")
    assert (viewer.isVisible(), viewer.photo_id) == (True, ids[2])
    for key, row in ((Key.Key_Right, 3), (Key.Key_Down, 4), (Key.Key_Left, 3), (Key.Key_N, 4)):
        driver.press(key)
        driver.wait_until_idle("the photo beside it")
        assert viewer.photo_id == ids[row]
    driver.press(Key.Key_Space)
    assert not viewer.isVisible()
    assert driver.grid.current_id() == ids[4]


def test_zooming_keeps_the_photo_in_place(driver: WindowDriver) -> None:
    bar = driver.grid.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    first = driver.grid.position().anchor
    size = driver.grid.tile_size
    driver.grid.setFocus()
    driver.press(Key.Key_Plus)
    assert driver.grid.tile_size > size
    assert driver.grid.first_visible() <= driver.session.grid.row_of(first or -1) < driver.grid.first_visible() + 6
    driver.press(Key.Key_Minus)
    assert driver.grid.tile_size == size


def test_end_without_a_current_photo_moves_to_the_last(driver: WindowDriver) -> None:
    driver.grid.setFocus()
    QApplication.processEvents()  # if the window is active, Qt makes the first photo the current one now
    driver.grid.setCurrentIndex(QModelIndex())
    assert driver.grid.current_id() is None
    driver.press(Key.Key_End)
    assert driver.grid.current_id() == driver.session.grid.photo_id(31)


def test_no_reason_is_named_while_a_ranking_is_computed(driver: WindowDriver) -> None:
    session, photos = driver.session, driver.window.photos
    first = session.grid.photo_id(0)
    session.navigator.restore([Step(Collection("-missing"), first, "photo.jpg")], 0)
    session.grid.arrange(np.empty(0, dtype=np.int64))
    assert not photos.empty_page.isVisible()
    driver.wait_until_idle("the ranking")
    assert session.grid.rowCount() == 31
    driver.navigator.show_collection(Collection("tag:nothing"))
    driver.wait_until(photos.empty_page.isVisible, "the reason")


def test_the_empty_page_names_the_current_filter_and_folder(driver: WindowDriver) -> None:
    first = driver.session.library.photos.get([driver.session.grid.photo_id(0)])[0]
    walk_to(driver, 0)
    page = driver.window.photos.empty_page
    for query in ("zzzr", "zzzq"):
        driver.navigator.set_query(query)
        driver.wait_until_idle("the filter")
        assert page._text.text() == f"No other photo matches “{query}”."
    driver.navigator.leave_ranking()
    driver.wait_until_idle("the order of the folders")
    assert page.isVisible()
    assert page._text.text() == "No photo matches “zzzq”."
    driver.navigator.set_query("")
    driver.wait_until_idle("the filter")
    assert not page.isVisible()
    driver.navigator.show_folder(first.path.parent)
    driver.wait_until_idle("the folder")
    driver.navigator.set_query("zzzq")
    driver.wait_until_idle("the filter")
    assert page._text.text() == f"No photo in the folder {first.path.parent.name} matches “zzzq”."


def test_escape_leaves_a_ranking_and_stays_in_the_order_of_the_folders(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    driver.press(Key.Key_Escape)
    driver.wait_until_idle("the order of the folders")
    assert driver.navigator.focal_id is None
    walk_to(driver, 0)
    driver.press(Key.Key_G)
    driver.wait_until_idle("the order of the folders")
    driver.press(Key.Key_Escape)
    driver.wait_until_idle("nothing")
    assert driver.navigator.focal_id is None, "the ranking that was left is not shown"


@pytest.mark.slow
@pytest.mark.parametrize("size", TILE_SIZES)
def test_the_buttons_under_the_pointer_cover_no_count(driver: WindowDriver, size: int) -> None:
    driver.grid.set_tile_size(size)
    parts = driver.grid.parts_of(0)
    places = count_places(parts, [31.0, 31.0], BADGE_HEIGHT)
    assert len(places) == (2 if size > 132 else 1)
    for place in places:
        assert not any(place.intersects(button) for button in parts.buttons.values())
        assert parts.picture.contains(place)


def test_a_tool_tip_adds_to_the_tile_and_does_not_cover_its_photo(driver: WindowDriver) -> None:
    driver.session.editor.tag(
        [driver.session.grid.photo_id(1)], ["sea", "a name that is longer than a tile is wide and is cut off there"]
    )
    driver.wait_until_idle("tagging")
    viewport = driver.grid.viewport()
    for row, text in ((2, ""), (1, "sea")):
        spot = driver.tile_center(row)
        QApplication.sendEvent(viewport, QHelpEvent(QEvent.Type.ToolTip, spot, viewport.mapToGlobal(spot)))
        assert (text in QToolTip.text()) if text else QToolTip.text() == ""
    shown = next(widget for widget in QApplication.topLevelWidgets() if widget.inherits("QTipLabel"))
    picture = driver.grid.parts_of(1).picture.toRect()
    picture.moveTopLeft(viewport.mapToGlobal(picture.topLeft()))
    assert not shown.geometry().intersects(picture)
    QToolTip.hideText()


def test_another_folder_closes_a_single_photo_outside_it(driver: WindowDriver) -> None:
    folders = sorted({card.path.parent for card in driver.session.library.photos.get(driver.session.grid.ids.tolist())})
    photo = driver.session.grid.photo_id(0)
    [own] = [card.path.parent for card in driver.session.library.photos.get([photo])]
    driver.window.photos.open_viewer(photo)
    assert driver.window.photos.viewing
    driver.session.navigator.show_collection(Collection(folder=own))
    driver.wait_until_idle("its folder")
    assert driver.window.photos.viewing, "the photo is in the chosen folder"
    driver.session.navigator.show_collection(Collection(folder=next(one for one in folders if one != own)))
    driver.wait_until_idle("the other folder")
    assert not driver.window.photos.viewing
    assert driver.grid.isVisible()


def test_a_single_photo_stays_although_a_new_tag_excludes_it(
    driver: WindowDriver,
) -> None:
    driver.session.navigator.show_collection(Collection(query="untagged"))
    driver.wait_until_idle("the filter")
    photo = driver.session.grid.photo_id(0)
    driver.window.photos.open_viewer(photo)
    driver.session.editor.tag([photo], ["sea"])
    driver.wait_until_idle("tagging")
    assert driver.window.photos.viewing
    assert driver.window.photos.viewer.photo_id == photo
