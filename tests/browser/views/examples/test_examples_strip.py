# SPDX-License-Identifier: MIT
"""Ranking by several examples in the real window: from a selection, from files and the clipboard, with judgements."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.operations.ranking.queries.query import Examples
from focal_photos.browser.views.examples.examples_strip import ExamplesStrip
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.views.window_steps import walk_to

Key = Qt.Key


def strip(driver: WindowDriver) -> ExamplesStrip:
    return driver.window.photos.examples_strip


def select(driver: WindowDriver, *rows: int) -> list[int]:
    driver.click(rows[0])
    for row in rows[1:]:
        driver.click(row, CTRL)
    driver.wait_until_idle("the selection")
    return driver.grid.selected_ids()


def rank_by(driver: WindowDriver, *rows: int) -> list[int]:
    chosen = select(driver, *rows)
    driver.press(Key.Key_Return, SHIFT)
    driver.wait_until_idle("the ranking")
    return chosen


def drop(widget: QWidget, data: QMimeData, at: QPoint | None = None) -> None:
    place = widget.rect().center() if at is None else at
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(place, Qt.DropAction.CopyAction, data, left, none)
    QGuiApplication.sendEvent(widget, entering)
    assert entering.isAccepted()
    QGuiApplication.sendEvent(widget, QDropEvent(QPointF(place), Qt.DropAction.CopyAction, data, left, none))


def files(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def test_the_selected_photos_rank_all_others(driver: WindowDriver) -> None:
    chosen = rank_by(driver, 0, 1, 2)
    assert driver.navigator.examples == Examples(tuple(chosen))
    assert driver.session.grid.rowCount() == 29
    assert driver.session.grid.ranked
    expected = driver.session.ranker.rank(Examples(tuple(chosen))).photo_ids
    assert driver.session.grid.ids.tolist() == expected.tolist()
    assert strip(driver).isVisible()
    assert not driver.window.photos.focal_panel.isVisible()
    assert [picture.example for picture in strip(driver).pictures()] == chosen
    assert all("Like " in picture.accessibleName() for picture in strip(driver).pictures())
    assert driver.window.top_bar.trail.steps()[-1].photo_id == chosen[0]


def test_a_ranking_by_examples_does_not_mark_the_previous_focal_image(driver: WindowDriver) -> None:
    former = walk_to(driver, 5)
    grid = driver.session.grid
    rank_by(driver, 20, 21)
    row = grid.row_of(former)
    assert row >= 0
    assert not any(grid.index(each).data(257).is_focal for each in range(grid.rowCount()))
    driver.press(Key.Key_G)
    driver.wait_until_idle("the order of the folders")
    assert grid.index(grid.row_of(former)).data(257).is_focal, "the previous focal image is marked"


def test_examples_are_a_step_of_the_trail(driver: WindowDriver) -> None:
    chosen = rank_by(driver, 0, 1)
    photo_id = walk_to(driver, 3)
    assert driver.navigator.focal_id == photo_id
    assert not strip(driver).isVisible()
    driver.navigator.back()
    driver.wait_until_idle("the way back")
    assert driver.navigator.examples == Examples(tuple(chosen))
    assert strip(driver).isVisible()
    driver.grid.setFocus()
    driver.press(Key.Key_G)
    driver.wait_until_idle("the grid")
    assert driver.navigator.examples is None
    assert not strip(driver).isVisible()
    assert driver.session.grid.rowCount() == 32


def test_examples_of_both_kinds_are_added_and_removed(driver: WindowDriver) -> None:
    focal = walk_to(driver, 0)
    (like,) = select(driver, 2)
    driver.press(Key.Key_S, SHIFT)
    driver.wait_until_idle("the ranking")
    assert driver.navigator.examples == Examples((focal, like))
    (unlike,) = select(driver, 5)
    driver.press(Key.Key_D, SHIFT)
    driver.wait_until_idle("the ranking")
    assert driver.navigator.examples == Examples((focal, like), (unlike,))
    assert unlike not in driver.session.grid.ids
    pictures = strip(driver).pictures()
    assert [(one.example, one.like) for one in pictures] == [(focal, True), (like, True), (unlike, False)]
    pictures[2].turned_round.emit()
    driver.wait_until_idle("the ranking")
    assert driver.navigator.examples == Examples((focal, like, unlike))
    strip(driver).pictures()[2].setFocus()
    QTest.keyClick(strip(driver).pictures()[2], Key.Key_Delete)
    driver.wait_until_idle("the ranking")
    assert driver.navigator.examples == Examples((focal, like))
    assert driver.navigator.marks == {}, "Delete removed the example, not a mark"
    assert strip(driver).pictures()[0].hasFocus()
    QTest.keyClick(strip(driver).pictures()[1], Key.Key_Delete)
    driver.wait_until_idle("the ranking")
    assert driver.navigator.focal_id == focal, "a single example is an ordinary focal image"
    assert driver.navigator.examples is None


def test_a_judgement_against_all_examples_is_one_step(driver: WindowDriver) -> None:
    chosen = rank_by(driver, 0, 1)
    (judged,) = select(driver, 4)
    driver.press(Key.Key_S)
    driver.wait_until_idle("judging")
    verdicts = driver.session.library.judgements
    assert [verdicts.of(one) for one in chosen] == [{judged: Verdict.SIMILAR}] * 2
    assert driver.navigator.marks == {judged: Verdict.SIMILAR}
    assert driver.session.grid.photo_id(0) == judged
    driver.press(Key.Key_S)
    driver.wait_until_idle("judging")
    assert driver.navigator.marks == {}
    driver.window.window_actions.undo()
    driver.window.window_actions.undo()
    driver.wait_until_idle("undo")
    assert verdicts.count() == 0
    assert driver.navigator.marks == {}


@pytest.mark.slow
def test_dropped_and_pasted_images_are_examples(driver: WindowDriver, drawn_album: Path) -> None:
    photos = sorted(drawn_album.rglob("*.jpg"))
    drop(driver.window, files(photos[0], photos[1]))
    driver.wait_until_idle("the ranking")
    assert driver.navigator.examples == Examples((photos[0], photos[1]))
    assert all(image is not None and not image.isNull() for image in map(driver.session.examples.picture, photos[:2]))
    drop(strip(driver), files(photos[8]))
    driver.wait_until_idle("the ranking")
    assert driver.navigator.examples == Examples((photos[0], photos[1], photos[8]))
    driver.navigator.add_examples([photos[8]], like=False)
    driver.wait_until_idle("the ranking")
    unlike = strip(driver).pictures()[-1]
    drop(strip(driver), files(photos[12]), unlike.mapTo(strip(driver), unlike.rect().center()))
    driver.wait_until_idle("the ranking")
    assert driver.navigator.examples == Examples((photos[0], photos[1]), (photos[8], photos[12]))
    QGuiApplication.clipboard().setImage(QImage(str(photos[4])))
    driver.grid.setFocus()
    driver.press(Key.Key_V, CTRL | SHIFT)
    driver.wait_until_idle("the ranking")
    examples = driver.navigator.examples
    assert examples is not None
    assert len(examples.like) == 3
    assert isinstance(examples.like[2], bytes)
    driver.press(Key.Key_V, CTRL)
    driver.wait_until_idle("the ranking")
    assert driver.navigator.examples == Examples((examples.like[2],))
    assert strip(driver).isVisible(), "an external image is shown while it ranks"
    select(driver, 3)
    driver.press(Key.Key_S)
    assert driver.session.library.judgements.count() == 0, "photos are not judged against an external image"


def test_photos_are_dropped_on_the_focal_image(driver: WindowDriver) -> None:
    focal = walk_to(driver, 0)
    chosen = select(driver, 3, 4)
    drop(driver.window.photos.focal_panel, driver.window.photo_menu.drag_data())
    driver.wait_until_idle("the ranking")
    assert driver.navigator.examples == Examples((focal, *chosen))


def test_the_menu_offers_ranking_by_examples(driver: WindowDriver) -> None:
    select(driver, 0, 1)
    texts = [action.text() for action in driver.window.photo_menu.make().actions()]
    assert "Rank by the &selected photos" in texts
    assert "N&ot like these" not in texts
    walk_to(driver, 0)
    select(driver, 2)
    texts = [action.text() for action in driver.window.photo_menu.make().actions()]
    assert {"&Like these too", "N&ot like these"} <= set(texts)


def test_a_trail_with_examples_is_saved(driver: WindowDriver) -> None:
    chosen = rank_by(driver, 0, 1)
    session = driver.session
    session.feed.publish(session.library.trails.save("two", session.saved_trails.present()))
    driver.navigator.leave_ranking()
    driver.wait_until_idle("the grid")
    kept = session.saved_trails.find_named("two")
    assert kept is not None
    session.saved_trails.open(kept)
    driver.wait_until_idle("the trail")
    assert driver.navigator.examples == Examples(tuple(chosen))


def test_an_external_image_explains_why_photos_are_near(driver: WindowDriver, tmp_path: Path) -> None:
    (path,) = driver.session.library.photos.paths([driver.session.grid.photo_id(3)])
    other = tmp_path / "turned.png"
    QImage(str(path)).flipped().save(str(other))
    drop(driver.window, files(other))
    driver.wait_until_idle("the ranking")
    driver.click(2)
    driver.wait_until_idle("the reasons")
    shown = driver.session.metrics.reasons.shown
    assert shown.bars
    assert sum(bar.value for bar in shown.bars) == pytest.approx(round(shown.total, 3))
    panel = strip(driver)._reasons
    assert panel is not None
    assert panel.isVisible()
    rank_by(driver, 4, 5)
    assert not panel.isVisible(), "several examples have no bars"
