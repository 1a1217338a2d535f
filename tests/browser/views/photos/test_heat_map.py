# SPDX-License-Identifier: MIT
"""Local metrics in the window: the heat map, and the matching patches of two photos."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QImage, QTransform
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.base.notices import MessageAction, Severity
from focal_photos.browser.models.local.heat_map import HeatMap
from focal_photos.browser.models.photos.formatting import metric_title
from focal_photos.browser.operations.describing.enabled import set_enabled
from focal_photos.browser.operations.describing.settings import FOLD
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.local.learner import is_local
from focal_photos.browser.operations.training.train import train
from focal_photos.browser.views.base.theme import ThemeChoice
from focal_photos.browser.views.photos.verdict_badge import VerdictBadge
from focal_photos.browser.walkthrough.window_driver import NONE, SHIFT, WindowDriver, pause
from tests.browser.copies import copied
from tests.browser.views.conftest import OpenWindow

Key = Qt.Key
KINDS = ("disc", "cross")


def draw(kind: str, number: int) -> Image.Image:
    """Draw a disc or a cross at the left, and at the right the same fence as in all other photos."""
    rng = np.random.default_rng(number)
    image = Image.new("RGB", (192, 128), (200, 205, 210))
    pen = ImageDraw.Draw(image)
    for x in range(120, 192, 16):
        pen.line((x, 10, x, 118), fill=(90, 80, 70), width=4)
    x, y = 45 + int(rng.integers(-8, 9)), 64 + int(rng.integers(-8, 9))
    if kind == "disc":
        pen.ellipse((x - 24, y - 24, x + 24, y + 24), fill=(200, 40, 30))
    elif kind == "cross":
        for up in (-22, 22):
            pen.line((x - 22, y - up, x + 22, y + up), fill=(20, 60, 160), width=9)
    return image


@pytest.fixture(scope="session")
def album(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Libraries of tagged discs and crosses, a fence and an empty sky, before and after training."""
    folder = tmp_path_factory.mktemp("taught")
    for kind in KINDS:
        (folder / "photos" / kind).mkdir(parents=True)
        for number in range(5):
            draw(kind, number).save(folder / "photos" / kind / f"{kind}_{number}.png")
    draw("", 0).save(folder / "photos" / "fence.png")
    Image.new("RGB", (160, 120), (120, 160, 220)).save(folder / "photos" / "sky.png")
    with Library.open(folder / "before") as library:
        set_enabled(library, ["color_moments"])
        FOLD.set(library, False)  # the drawn discs are duplicates
        finish(index(library, [folder / "photos"], backend="threads", workers=1))
        for photo in library.photos.get(library.photos.listed()):
            if photo.path.parent.name in KINDS:
                library.tags.change([photo.id], add=[photo.path.parent.name])
    copied(folder / "before", folder / "after")
    with Library.open(folder / "after") as library:
        finish(train(library, "local"))
    return folder


@pytest.fixture
def taught(album: Path, tmp_path: Path) -> Path:
    return copied(album / "after", tmp_path / "library")


@pytest.fixture
def local(open_window: OpenWindow, taught: Path) -> WindowDriver:
    """Return a window in which the local metric is in use and a disc is the focal image."""
    driver = open_window(taught)
    walk(driver, "disc_0.png")
    return driver


def walk(driver: WindowDriver, name: str) -> None:
    """Make a photo the focal image."""
    driver.walk(row(driver, name))
    driver.wait_until_idle("the ranking")


def row(driver: WindowDriver, name: str) -> int:
    """Return the row of a photo in the grid."""
    grid = driver.session.grid
    cards = [(number, grid.card(int(photo_id))) for number, photo_id in enumerate(grid.ids)]
    return next(number for number, card in cards if card is not None and card.name == name)


def on_the_object(image: QImage | None) -> bool:
    """Return whether all hot parts of a map (at least half the greatest opacity) are on the object."""
    assert image is not None
    alpha = np.array([[image.pixelColor(x, y).alphaF() for x in range(image.width())] for y in range(image.height())])
    places = np.argwhere(alpha >= 0.5 * alpha.max()) / alpha.shape  # rows and columns as shares
    return bool(len(places)) and bool((places[:, 1] < 0.47).all()) and bool((abs(places[:, 0] - 0.5) < 0.4).all())


def away(driver: WindowDriver) -> None:
    """Move the pointer off the grid."""
    QApplication.sendEvent(driver.grid, QEvent(QEvent.Type.Leave))


def notice(driver: WindowDriver) -> str:
    shown = driver.window.message_bar.message
    return shown.text if shown is not None else ""


# ---------------------------------------------------------------------- the heat map
@pytest.mark.slow
def test_counts_of_judgements_stay_side_by_side_beside_the_heat_map(
    local: WindowDriver,
) -> None:
    panel = local.window.photos.focal_panel
    similar, dissimilar = panel.findChildren(VerdictBadge)
    local.session.local_view.show_heat(True)
    local.wait_until_idle("the heat map")
    local.wait_until(lambda: not panel._hint.isVisible(), "the room of the hint")
    local.wait_until(lambda: 0 < dissimilar.x() - similar.geometry().right() < 12, "the counts side by side")


def test_the_heat_is_on_the_distinguishing_parts(local: WindowDriver) -> None:
    controls, picture = local.window.photos.focal_panel.heat_controls, local.window.photos.focal_panel.picture
    view = local.session.local_view
    assert controls.isVisible()
    assert not controls.kinds[0].isVisible()
    bare = picture.grab().toImage()
    local.press(Key.Key_H)
    local.wait_until_idle("the weights")
    local.session.local_view.choose_kind(3)
    assert on_the_object(view.shown_map)
    view.choose_kind(0)
    assert picture.grab().toImage() != bare
    assert controls.switch.isChecked()
    assert controls.legend.isVisible()
    assert all(one.isVisible() for one in controls.kinds)
    assert "Large shapes" in picture.accessibleDescription()
    parts = [int(one.text().split()[-2]) for one in controls.kinds[1:]]
    assert sum(parts) == pytest.approx(100, abs=2)
    local.press(Key.Key_H)
    local.wait_until_idle("nothing")
    assert view.shown_map is None
    assert picture.grab().toImage() == bare
    assert picture.accessibleDescription() == ""


def test_the_height_of_the_strip_settles(local: WindowDriver) -> None:
    """Its height determines the width of the picture, and so the space for the tags, whose line is part of its
    height."""
    panel, picture = local.window.photos.focal_panel, local.window.photos.focal_panel.picture
    seen = set()
    for _ in range(30):
        pause(10)
        seen.add((panel.height(), picture.width()))
    assert len(seen) == 1


def test_kinds_are_chosen_by_key_and_mouse(local: WindowDriver) -> None:
    view, controls = local.session.local_view, local.window.photos.focal_panel.heat_controls
    local.press(Key.Key_H, SHIFT)
    local.wait_until_idle("the weights")
    assert (view.heat_on, view.kind) == (True, 0)
    seen = [view.shown_map]
    for kind in (1, 2, 3, 0):
        local.press(Key.Key_H, SHIFT)
        assert view.kind == kind
        assert [one.isChecked() for one in controls.kinds] == [number == kind for number in range(4)]
        seen.append(view.shown_map)
    assert seen[0] == seen[4]
    assert len({image.cacheKey() for image in seen if image is not None}) == 4
    QTest.mouseClick(controls.kinds[3], Qt.MouseButton.LeftButton)
    assert view.kind == 3
    local.window.resize(900, 700)
    pause(20)
    panel, legend = local.window.photos.focal_panel, controls.legend
    bottoms = [one.mapTo(panel, one.rect().bottomLeft()).y() for one in controls.kinds]
    assert max(bottoms) < legend.mapTo(panel, legend.rect().topLeft()).y() + 2, "the buttons fit into a narrow window"
    assert legend.mapTo(panel, legend.rect().bottomLeft()).y() < panel.height()
    QTest.mouseClick(controls.switch, Qt.MouseButton.LeftButton)
    assert not view.heat_on
    assert not controls.kinds[0].isVisible()


def test_the_map_follows_the_walk_and_the_last_request_wins(local: WindowDriver) -> None:
    view, status = local.session.local_view, local.window.photos.focal_panel.heat_controls.status
    view.show_heat(True)
    assert "Learning which parts of this photo matter" in status.text()
    local.wait_until_idle("the weights")
    assert not status.text()
    walk(local, "cross_2.png")
    assert view.heat_map is not None
    assert view.heat_map.photo_id == local.navigator.focal_id
    assert view.shown_map is not None
    # the result of the first of two requests in a row is never shown
    local.navigator.focus(local.session.grid.photo_id(0))
    local.navigator.focus(local.session.grid.photo_id(1))
    maps: list[HeatMap | None] = []
    view.heat_changed.connect(lambda: maps.append(view.heat_map))
    local.wait_until_idle("the ranking")
    assert {one.photo_id for one in maps if one is not None} == {local.navigator.focal_id}
    assert view.heat_map.photo_id == local.navigator.focal_id
    walk(local, "fence.png")
    assert view.shown_map is None, "a photo without a tag has no learned map"
    assert status.isVisible()
    assert "Nothing has been learned about this photo yet" in status.text()


@pytest.mark.usefixtures("large_font")
def test_with_a_large_font_the_button_for_matching_patches_is_whole_or_elided(local: WindowDriver) -> None:
    button = local.window.photos.focal_panel.heat_controls.matches_button
    local.window.resize(1400, 900)
    local.wait_until_idle("the layout")
    assert button.width() >= button.sizeHint().width()
    assert button.text() == "Matching patches"
    local.window.resize(1000, 600)
    local.wait_until_idle("the layout")
    assert button.text().endswith("\N{HORIZONTAL ELLIPSIS}") == (button.width() < button.sizeHint().width())


def test_another_metric_hides_the_map_but_not_the_switch(local: WindowDriver) -> None:
    view, overview = local.session.local_view, local.session.overview.now
    local.press(Key.Key_H)
    local.wait_until_idle("the weights")
    other, mine = (next(one for one in overview.metrics if is_local(one) is wanted) for wanted in (False, True))
    local.session.editor.choose_metric(other.id)
    local.wait_until_idle("the other metric")
    assert view.shown_map is None
    assert not local.window.photos.focal_panel.heat_controls.isVisible()
    local.press(Key.Key_H)
    assert metric_title(mine) in notice(local)
    assert view.heat_on
    local.session.editor.choose_metric(mine.id)
    local.wait_until_idle("the metric")
    assert view.shown_map is not None
    assert local.window.photos.focal_panel.heat_controls.isVisible()


@pytest.mark.slow
def test_without_a_local_metric_the_keys_offer_to_train_one(
    open_window: OpenWindow, album: Path, tmp_path: Path
) -> None:
    driver = open_window(copied(album / "before", tmp_path / "library"))
    walk(driver, "disc_0.png")
    view = driver.session.local_view
    for key in (Key.Key_M, Key.Key_H):
        driver.press(key)
        assert "not trained yet" in notice(driver)
    assert not view.heat_on
    assert not driver.window.photos.focal_panel.heat_controls.isVisible()
    click(driver, "Train local distances")
    driver.wait_until(lambda: view.shown_map is not None, "the heat map of the trained distances")
    assert on_the_object(view.shown_map)


def test_while_local_distances_are_trained_the_keys_tell_to_wait(
    open_window: OpenWindow, album: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = open_window(copied(album / "before", tmp_path / "library"))
    walk(driver, "disc_0.png")
    training = driver.session.jobs.training
    monkeypatch.setattr(type(training), "running", property(lambda _self: True))
    for key in (Key.Key_M, Key.Key_H):
        driver.press(key)
        message = driver.window.message_bar.message
        assert message is not None
        assert "A metric is being trained" in message.text
        assert message.action is MessageAction.NONE
    assert not driver.session.local_view.heat_on


def test_a_local_metric_that_is_not_in_use_is_offered(local: WindowDriver) -> None:
    view = local.session.local_view
    (mine,) = [metric for metric in local.session.overview.now.metrics if is_local(metric)]
    (first,) = [metric for metric in local.session.overview.now.metrics if not is_local(metric)]
    local.session.editor.choose_metric(first.id)
    local.wait_until_idle("the first metric")
    local.press(Key.Key_H)
    assert "which is not in use" in notice(local)
    click(local, "Use this metric")
    local.wait_until(lambda: view.shown_map is not None, "the heat map")
    assert view.metric is not None
    assert view.metric.id == mine.id


def click(driver: WindowDriver, offer: str) -> None:
    """Click the button of the current message."""
    (button,) = [one for one in driver.window.message_bar.findChildren(QPushButton) if one.text() == offer]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.slow
def test_an_error_is_reported_and_the_next_photo_has_its_map(local: WindowDriver) -> None:
    view, status = local.session.local_view, local.window.photos.focal_panel.heat_controls.status
    (file,) = local.session.library.metrics.folder.glob("local-*")
    file.rename(file.with_name("away"))
    local.press(Key.Key_H)
    local.wait_until(lambda: bool(view.failure), "the failure")
    assert "local-1 cannot be used" in status.text()
    shown = local.window.message_bar.message
    assert shown is not None
    assert shown.severity is Severity.ERROR
    file.with_name("away").rename(file)
    local.walk(row(local, "cross_1.png"))
    local.wait_until(lambda: view.shown_map is not None, "the map")
    assert not view.failure
    assert not status.isVisible()


def test_the_single_photo_shows_the_map_of_the_focal_image_only(local: WindowDriver) -> None:
    viewer = local.window.photos.viewer
    QTest.mouseClick(local.window.photos.focal_panel.picture, Qt.MouseButton.LeftButton)
    local.wait_until_idle("the photo")
    assert viewer.photo_id == local.navigator.focal_id
    bare = viewer.grab().toImage()
    local.press(Key.Key_H)
    local.wait_until_idle("the weights")
    assert viewer.grab().toImage() != bare
    local.press(Key.Key_H)
    assert viewer.grab().toImage() == bare
    local.press(Key.Key_Right)
    local.wait_until_idle("the next photo")
    other = viewer.grab().toImage()
    local.press(Key.Key_H)
    local.wait_until_idle("the weights")
    assert viewer.grab().toImage() == other
    assert "Press Enter to set this photo as focal image" in notice(local)
    alone = viewer.photo_id
    local.press(Key.Key_M)
    local.wait_until_idle("the matches")
    assert not viewer.isVisible()
    assert local.session.local_view.matches is not None
    assert local.session.local_view.matches.other.photo.id == alone
    QTest.mouseClick(local.window.photos.focal_panel.matches.close_button, Qt.MouseButton.LeftButton)
    assert not local.session.local_view.matching


# ---------------------------------------------------------------------- matching patches
def test_matching_patches_of_the_selected_photo_are_shown(local: WindowDriver) -> None:
    view, panel = local.session.local_view, local.window.photos.focal_panel
    heights = panel.height()
    local.grid.make_current(row(local, "disc_3.png"))
    local.grid.setFocus()
    local.press(Key.Key_M)
    local.wait_until_idle("the matches")
    assert panel.matches.isVisible()
    assert not panel.picture.isVisible()
    assert panel.height() > heights
    assert view.matches is not None
    assert [view.matches.focal.name, view.matches.other.name] == ["disc_0.png", "disc_3.png"]
    pairs = view.matches.pairs
    assert 1 < len(pairs) <= 12
    assert [pair.share for pair in pairs] == sorted((pair.share for pair in pairs), reverse=True)
    # a disc is recognised by the disc: both points are on it, at the left
    assert all(pair.focal[0] < 0.5 and pair.other[0] < 0.5 for pair in pairs[:3])
    canvas = panel.matches.canvas
    assert len(canvas.pairs) == len(pairs)
    left, right = canvas.rect().width() / 2, canvas.rect().width()
    assert all(0 < pair.ends[0].x() < left < pair.ends[1].x() < right for pair in canvas.pairs)
    assert "1: " in canvas.accessibleDescription()
    plain = canvas.grab().toImage()
    QTest.mouseMove(canvas, canvas.pairs[0].labels[0].toPoint())
    local.wait_until(lambda: canvas.chosen is not None, "the pair under the pointer")
    assert canvas.toolTip().startswith(f"{(canvas.chosen or 0) + 1}: ")
    assert canvas.grab().toImage() != plain
    local.press(Key.Key_Escape)
    assert not panel.matches.isVisible()
    assert panel.picture.isVisible()
    assert panel.height() == heights
    assert local.grid.selected_ids(), "the first Esc only ends the comparison"


def test_the_strip_fits_a_small_window(local: WindowDriver) -> None:
    panel = local.window.photos.focal_panel
    local.window.resize(1024, 700)
    local.wait_until_idle("the photos")
    controls = panel.heat_controls

    def whole() -> bool:
        return all(each.width() >= each.sizeHint().width() for each in (controls.switch, controls.matches_button))

    local.wait_until(whole, "the whole buttons")
    right = controls.matches_button.mapTo(panel, controls.matches_button.rect().topRight()).x()
    assert right < panel._words.geometry().right() + 1
    assert panel._words.width() >= 150
    assert panel.picture.width() >= 80


def test_no_gap_is_left_below_the_focal_image(local: WindowDriver) -> None:
    panel, splitter = local.window.photos.focal_panel, local.window.photos.splitter

    def fits() -> bool:
        return splitter.sizes()[0] == panel.height()

    local.window.resize(1000, 800)
    local.wait_until_idle("the photos")
    local.wait_until(fits, "the strip in a narrow window")
    narrow = panel.height()
    local.press(Key.Key_M)
    local.wait_until_idle("the matches")
    local.window.resize(1600, 800)
    local.wait_until_idle("the photos")
    local.press(Key.Key_Escape)
    local.wait_until(fits, "the strip after a comparison")
    assert panel.height() < narrow, "texts need less height in a wide window"
    local.window.resize(1000, 800)
    local.wait_until(lambda: panel.height() == narrow, "the strip in a narrow window")
    local.window.resize(1600, 800)
    local.wait_until(lambda: panel.height() < narrow, "the strip in a wide window")
    local.wait_until(fits, "no band")


@pytest.mark.slow
def test_a_comparison_leaves_no_gap_in_the_next_window(local: WindowDriver, open_window: OpenWindow) -> None:
    """The height for the heat map controls was saved, but the next window does not show them."""
    local.window.resize(1400, 900)
    local.session.local_view.show_heat(True)
    local.wait_until_idle("the heat map")
    local.press(Key.Key_M)
    local.wait_until_idle("the matches")
    local.window.close()
    later = open_window(local.session.library.path)
    later.walk(0)
    later.wait_until_idle("the ranking")
    panel, grid = later.window.photos.focal_panel, later.grid

    def band() -> int:
        below = panel.mapTo(later.window, panel.rect().bottomLeft()).y()
        return grid.mapTo(later.window, grid.rect().topLeft()).y() - below

    later.wait_until(lambda: 0 < band() <= 3, "the photos right below the focal image", 5)
    spot = grid.mapTo(later.window, grid.rect().topLeft())
    assert later.window.childAt(spot.x() + 40, spot.y() + 4) is grid.viewport(), "a click there hits a photo"


def test_the_comparison_follows_the_selection_and_the_walk(local: WindowDriver) -> None:
    view, grid = local.session.local_view, local.session.grid
    away(local)
    local.press(Key.Key_M)
    local.wait_until_idle("the matches")
    assert view.other_id == grid.photo_id(0), "with no selection, the nearest photo is compared"
    local.grid.make_current(0)
    for number in (1, 2):
        local.press(Key.Key_Right)
        local.wait_until_idle("the matches")
        assert view.matches is not None
        assert view.matches.other.photo.id == grid.photo_id(number)
        assert view.matches.other.name in local.window.photos.focal_panel.matches.title.full_text()
    walk(local, "cross_3.png")
    assert view.matching
    found = view.matches
    assert found is not None
    assert found.focal.name == "cross_3.png"
    assert found.other.photo.id == grid.photo_id(0)
    local.press(Key.Key_M)
    assert not view.matching


def test_leaving_the_ranking_or_the_metric_ends_the_comparison(local: WindowDriver) -> None:
    view, metrics, editor = local.session.local_view, local.session.overview.now.metrics, local.session.editor
    other, mine = (next(one.id for one in metrics if is_local(one) is wanted) for wanted in (False, True))
    for leave in (partial(editor.choose_metric, other), local.navigator.leave_ranking):
        QTest.mouseClick(local.window.photos.focal_panel.heat_controls.matches_button, Qt.MouseButton.LeftButton)
        local.wait_until_idle("the matches")
        assert view.matching
        leave()
        local.wait_until_idle("the grid")
        assert not view.matching
        assert not local.window.photos.focal_panel.matches.isVisible()
        editor.choose_metric(mine)
        local.wait_until_idle("the metric")


@pytest.mark.slow
def test_a_read_only_library_shows_all_of_it_in_both_themes(open_window: OpenWindow, taught: Path) -> None:
    driver = open_window(taught, read_only=True)
    driver.window.theme.choose(ThemeChoice.LIGHT)
    driver.grid.setFocus()
    driver.press(Key.Key_H)
    assert "Double-click a photo first" in notice(driver)
    walk(driver, "cross_0.png")
    driver.press(Key.Key_H)
    driver.press(Key.Key_M)
    driver.wait_until_idle("the matches")
    view = driver.session.local_view
    assert on_the_object(view.shown_map)
    assert view.matches is not None
    driver.window.theme.choose(ThemeChoice.DARK)
    pause(1)
    assert not driver.window.grab().isNull()


def test_a_box_on_the_focal_image_trains_its_region(open_window: OpenWindow, album: Path, tmp_path: Path) -> None:
    copied(album / "after", tmp_path / "copy")
    driver = open_window(tmp_path / "copy")
    session, picture = driver.session, driver.window.photos.focal_panel.picture
    session.navigator.focus(session.grid.photo_id(0))
    driver.wait_until_idle("the ranking")
    focal = session.navigator.focal_id
    assert focal is not None
    before = session.grid.scores
    assert before is not None
    center = picture.rect().center()
    QTest.mousePress(picture, Qt.MouseButton.LeftButton, NONE, center)
    QTest.mouseMove(picture, center - QPoint(20, 12))
    QTest.mouseMove(picture, center - QPoint(40, 25))
    QTest.mouseRelease(picture, Qt.MouseButton.LeftButton, NONE, center - QPoint(40, 25))
    driver.wait_until_idle("the region")
    region = session.library.regions.of(focal)
    assert region is not None
    assert region.x1 == pytest.approx(0.5, abs=0.03)
    assert region.y1 == pytest.approx(0.5, abs=0.03)
    assert 0 <= region.x0 < region.x1
    assert session.local_view.region == region
    assert not driver.window.photos.viewing, "dragging is not a click"
    after = session.grid.scores
    assert after is not None
    assert not np.array_equal(before, after)
    controls = driver.window.photos.focal_panel.heat_controls
    assert controls.region_button.isVisible()
    driver.press(Key.Key_R)
    driver.wait_until_idle("the picture")
    assert driver.window.photos.region_strip.picture.region == region, "the search begins with the drawn box"
    driver.press(Key.Key_Escape)
    assert driver.window.photos.focal_panel.isVisible()
    session.editor.undo()
    driver.wait_until_idle("undo")
    assert session.library.regions.of(focal) is None
    assert session.local_view.region is None
    assert not controls.region_button.isVisible()
    np.testing.assert_array_equal(session.grid.scores, before)
    session.editor.redo()
    driver.wait_until_idle("redo")
    controls.region_button.click()
    driver.wait_until_idle("forgetting")
    assert session.library.regions.of(focal) is None


def test_patches_are_rotated_with_the_photo(local: WindowDriver) -> None:
    """Learned data refers to the file: map, points and region must follow the displayed rotation."""
    session, panel = local.session, local.window.photos.focal_panel
    view, focal = session.local_view, session.navigator.focal_id
    assert focal is not None
    local.grid.setFocus()
    local.press(Key.Key_H)
    local.wait_until(lambda: view.shown_map is not None, "the map")
    assert on_the_object(view.shown_map)
    session.editor.rotate([focal], 1)
    local.wait_until(lambda: session.navigator.focal is not None and session.navigator.focal.quarters == 1, "the turn")
    local.wait_until_idle("the picture")
    assert view.shown_map is not None
    assert on_the_object(view.shown_map.transformed(QTransform().rotate(-90)))
    assert not on_the_object(view.shown_map)

    picture = panel.picture
    center = picture.rect().center()
    QTest.mousePress(picture, Qt.MouseButton.LeftButton, NONE, center)
    QTest.mouseMove(picture, center - QPoint(12, 20))
    QTest.mouseMove(picture, center - QPoint(25, 40))
    QTest.mouseRelease(picture, Qt.MouseButton.LeftButton, NONE, center - QPoint(25, 40))
    local.wait_until_idle("the region")
    region = session.library.regions.of(focal)
    assert region is not None, "the upper left of the rotated photo is the lower left of its file"
    assert [region.x1, region.y0] == pytest.approx([0.5, 0.5], abs=0.04)
    assert region.x0 < 0.45
    assert region.y1 > 0.55
    shown = view.shown_region
    assert shown is not None
    assert [shown.x1, shown.y1] == pytest.approx([0.5, 0.5], abs=0.04)
    session.editor.undo()
    local.wait_until_idle("undo")

    local.grid.make_current(row(local, "disc_3.png"))
    local.grid.setFocus()
    local.press(Key.Key_M)
    local.wait_until_idle("the matches")
    canvas = panel.matches.canvas
    place, other = canvas._photos()
    assert place.height() > place.width(), "the focal image is rotated"
    assert other.width() > other.height()
    assert all(pair.ends[0].y() < place.center().y() for pair in canvas.pairs[:3]), "the disc is at the top now"
    assert all(pair.ends[1].x() < other.center().x() for pair in canvas.pairs[:3])
    session.editor.rotate([focal], 2)
    local.wait_until(lambda: canvas._matches is not None and canvas._matches.focal.quarters == 3, "the turned points")
    assert all(pair.ends[0].y() > canvas._photos()[0].center().y() for pair in canvas.pairs[:3])
