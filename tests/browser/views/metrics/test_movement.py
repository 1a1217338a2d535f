# SPDX-License-Identifier: MIT
"""After a training, each tile shows how far it moved, a key shows the former order, and a click restores it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from focal_photos.browser.models.base.notices import Message, MessageAction
from focal_photos.browser.models.photos.grid_model import Role
from focal_photos.browser.models.photos.tiles import TileState
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.training.held_out import saved_held_out, sentence
from focal_photos.browser.operations.training.train import train_for_gain
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from focal_photos.learners.evaluation.selection import MIN_QUESTIONS
from tests.browser.operations.album import Album
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import Key, learner_actions, teach, walk_to

SEED = 0
NONE = Qt.KeyboardModifier.NoModifier


def tiles(driver: WindowDriver) -> list[TileState]:
    grid = driver.session.grid
    return [grid.data(grid.index(row), Role.TILE) for row in range(grid.rowCount())]


def train(driver: WindowDriver, title: str = "Kernel metric") -> tuple[list[int], list[int]]:
    """Rank by a photo, train, and return both orders."""
    teach(driver)
    walk_to(driver, 5)
    before = driver.session.grid.ids.tolist()
    assert not driver.session.metrics.movement.moved
    learner_actions(driver)[title].trigger()
    driver.wait_until_idle("training", 120)
    return before, driver.session.grid.ids.tolist()


def release(driver: WindowDriver, *, repeated: bool = False) -> None:
    event = QKeyEvent(QEvent.Type.KeyRelease, Key.Key_O, NONE, "o", repeated)
    QApplication.sendEvent(driver.focus_widget(), event)


@pytest.mark.slow
def test_tiles_show_how_far_they_moved(driver: WindowDriver) -> None:
    before, after = train(driver)
    assert before != after
    assert sorted(before) == sorted(after)
    for tile in tiles(driver):
        assert tile.rose == before.index(tile.photo_id) - tile.row
    moved = next(tile for tile in tiles(driver) if tile.rose)
    grid = driver.session.grid
    spoken = grid.data(grid.index(moved.row), Qt.ItemDataRole.AccessibleTextRole)
    assert f"{'rose' if moved.rose > 0 else 'fell'} by {abs(moved.rose)}" in spoken
    walk_to(driver, 2)  # another focal image has no earlier order
    assert not any(tile.rose for tile in tiles(driver))
    assert not driver.session.metrics.movement.moved


@pytest.mark.slow
def test_photos_added_after_the_training_have_not_moved(driver: WindowDriver, tmp_path: Path) -> None:
    train(driver)
    album = Album(tmp_path / "more")
    new = {path.name for path in album.draw_many(3, kind="green")}
    driver.session.jobs.indexing.open_folders([album.folder])
    driver.wait_until_idle("indexing", 120)
    names = {tile.card.name: tile.rose for tile in tiles(driver) if tile.card is not None}
    assert new < names.keys()
    assert any(names.values())
    assert not any(names[name] for name in new)


@pytest.mark.slow
def test_the_former_order_is_shown_while_the_key_is_held(driver: WindowDriver) -> None:
    before, after = train(driver)
    driver.window.focus_photos()
    driver.press(Key.Key_Right)
    selected = driver.session.navigator.selected
    assert selected
    driver.window.window_actions.by_name["old_order"].trigger()
    assert driver.session.grid.ids.tolist() == before
    assert not any(tile.rose for tile in tiles(driver))
    release(driver, repeated=True)
    assert driver.session.grid.ids.tolist() == before, "the key is still held"
    release(driver)
    assert driver.session.grid.ids.tolist() == after
    assert driver.session.navigator.selected == selected
    assert any(tile.rose for tile in tiles(driver))


@pytest.mark.slow
def test_tile_shapes_and_the_line_of_weak_matches_stay(driver: WindowDriver) -> None:
    grid = driver.session.grid
    teach(driver)
    walk_to(driver, 5)
    before, former = grid.aspects, grid.weak_from
    assert len(set(before.tolist())) > 1
    learner_actions(driver)["Kernel metric"].trigger()
    driver.wait_until_idle("training", 120)
    turned = grid.photo_id(1)
    driver.session.editor.rotate([turned], 1)
    driver.wait_until_idle("the turned photo")
    now, line = dict(zip(grid.ids.tolist(), grid.aspects.tolist(), strict=True)), grid.weak_from
    driver.window.focus_photos()
    driver.window.window_actions.by_name["old_order"].trigger()
    before = before.copy()
    before[grid.row_of(turned)] **= -1
    assert grid.aspects.tolist() == pytest.approx(before.tolist())
    assert grid.weak_from == former
    release(driver)
    assert dict(zip(grid.ids.tolist(), grid.aspects.tolist(), strict=True)) == now
    assert grid.weak_from == line


@pytest.mark.slow
def test_releasing_the_key_restores_the_whole_of_a_long_ranking(driver: WindowDriver) -> None:
    _, after = train(driver)
    grid, movement = driver.session.grid, driver.session.metrics.movement
    scores = grid.scores
    assert scores is not None
    # as in a large library: the beginning first, then the rest
    grid.arrange(grid.ids[:6], scores[:6], driver.navigator.focal_id, total=len(after))
    driver.session.navigator.trail_changed.emit()
    movement.show_before(True)
    assert not movement.showing_before, "the rest of the ranking is not loaded yet"
    grid.extend(np.array(after[6:]), scores[6:])
    movement.show_before(True)
    movement.show_before(False)
    assert grid.ids.tolist() == after


@pytest.mark.slow
def test_the_key_shows_the_former_order(driver: WindowDriver) -> None:
    before, after = train(driver)
    driver.window.focus_photos()
    driver.press(Key.Key_O)  # pressed and released
    assert driver.session.grid.ids.tolist() == after
    seen: list[list[int]] = []
    driver.session.metrics.movement.changed.connect(lambda: seen.append(driver.session.grid.ids.tolist()))
    driver.press(Key.Key_O)
    assert seen == [before, after]


def test_a_missing_former_order_is_reported(driver: WindowDriver) -> None:
    walk_to(driver, 3)
    driver.press(Key.Key_O)
    assert "no earlier order" in driver.message_text


@pytest.mark.slow
def test_the_former_metric_is_one_click_and_one_step_of_undo_away(driver: WindowDriver) -> None:
    before, _ = train(driver)
    library = driver.session.library
    trained = library.metrics.current()
    message = driver.window.message_bar.message
    assert message is not None
    assert message.action is MessageAction.FORMER_METRIC
    driver.window.message_bar._offer.click()
    driver.wait_until_idle("the former metric")
    assert library.metrics.current().name == "euclidean"
    assert driver.session.grid.ids.tolist() == before
    assert not driver.session.metrics.movement.moved, "the order is the same as before"
    driver.session.editor.undo()
    driver.wait_until_idle("undo")
    assert library.metrics.current() == trained


@pytest.mark.slow
def test_the_former_metric_is_offered_until_the_next_message_or_training(driver: WindowDriver) -> None:
    """It takes more than a few seconds to see whether the new metric is better."""
    train(driver)
    bar = driver.window.message_bar
    assert bar.message is not None
    assert bar.message.action is MessageAction.FORMER_METRIC
    assert not bar._timer.isActive()
    assert bar._offer.isVisible()
    walk_to(driver, 2)
    assert bar._offer.isVisible()
    driver.press(Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    assert driver.session.jobs.training.running
    assert bar.message is None, "the offer was for another metric"
    driver.wait_until_idle("training", 120)
    assert bar.message is not None
    assert not bar._timer.isActive()


@pytest.mark.slow
@pytest.mark.parametrize("way", ["automatic", "undone"])
def test_the_former_metric_is_not_offered_once_another_metric_is_current(driver: WindowDriver, way: str) -> None:
    train(driver)
    bar, trained = driver.window.message_bar, driver.session.library.metrics.current()
    assert bar.message is not None
    if way == "automatic":
        driver.session.jobs.training.retrain("rca", quiet=True)
        driver.wait_until_idle("the automatic training", 120)
    else:
        driver.session.editor.undo()
        driver.wait_until_idle("undo")
    assert driver.session.library.metrics.current() != trained
    assert all(message.action is not MessageAction.FORMER_METRIC for message in bar.unread)


def tag_by_lot(driver: WindowDriver, seed: int = SEED, count: int = 32) -> None:
    """Tag photos at random, so that the tags are unrelated to their appearance."""
    library = driver.session.library
    drawn = np.random.default_rng(seed).permutation(library.photos.ids())[:count]
    library.tags.change(drawn[::2], ["one"])
    library.tags.change(drawn[1::2], ["other"])


def learn(driver: WindowDriver, title: str) -> Message:
    """Train a metric, and return the last message."""
    learner_actions(driver)[title].trigger()
    driver.wait_until_idle("training and measuring", 120)
    message = driver.window.message_bar.message
    assert message is not None
    return message


def names(driver: WindowDriver) -> list[str]:
    return [metric.name for metric in driver.session.library.metrics.all()]


def test_a_training_without_gain_adds_no_version_unless_requested(driver: WindowDriver) -> None:
    library = driver.session.library
    tag_by_lot(driver)
    walk_to(driver, 5)
    before, undone = driver.session.grid.ids.tolist(), library.journal.undo_label()
    message = learn(driver, "Kernel metric")
    assert "Kernel metric: no measurable improvement; right among the first" in message.text
    assert "The previous metric stays in use." in message.text
    assert message.action is MessageAction.TRAINED_METRIC
    assert names(driver) == ["euclidean"]
    assert library.journal.undo_label() == undone
    assert driver.session.overview.now.metric == library.metrics.current()
    assert driver.session.grid.ids.tolist() == before
    box = driver.window.top_bar.metric_box
    assert [box.itemText(row) for row in range(box.count())] == ["Euclidean"]
    driver.window.message_bar._offer.click()
    driver.wait_until_idle("the metric", 60)
    assert names(driver) == ["euclidean", "kernel-1"]
    assert library.metrics.current().name == "kernel-1"
    assert box.currentText().startswith("Learned ")
    assert saved_held_out(library)[library.metrics.current().id].gain <= 0
    assert driver.session.metrics.movement.moved
    driver.press(Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    driver.wait_until_idle("undo")
    assert names(driver) == ["euclidean"]
    driver.press(Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    driver.wait_until_idle("redo")
    assert library.metrics.current().name == "kernel-1"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "count", "told", "names_then"),
    [
        # the gain is within the error
        (8, 32, "RCA: no measurable improvement; right among the first ", ["euclidean"]),
        (8, 20, "Learned from 20 tagged photos. Too little data to measure improvement.", ["euclidean", "rca-1"]),
        (
            62,
            32,
            "Learned from 32 tagged photos: an improvement, perhaps by chance; right among the first ",
            ["euclidean", "rca-1"],
        ),
    ],
)
def test_the_message_agrees_with_what_is_kept(
    seed: int, count: int, told: str, names_then: list[str], driver: WindowDriver
) -> None:
    library = driver.session.library
    tag_by_lot(driver, seed, count)
    undone = library.journal.undo_label()
    message = learn(driver, "RCA")
    assert message.text.startswith(told)
    assert names(driver) == names_then
    is_kept = len(names_then) > 1
    assert message.action is (MessageAction.FORMER_METRIC if is_kept else MessageAction.TRAINED_METRIC)
    assert (library.journal.undo_label() != undone) is is_kept
    driver.session.metrics.history.read()
    driver.wait_until_idle("the history")
    assert [row.metric.name for row in driver.session.metrics.history.rows] == names_then
    if is_kept:
        found = driver.session.metrics.history.rows[1].held_out
        assert found is not None
        assert found.questions == count
        assert message.text.endswith(sentence(found)) is (count >= MIN_QUESTIONS), "few judgements are not reported"


def test_trainings_in_review_without_gain_add_no_version(driver: WindowDriver) -> None:
    tag_by_lot(driver, 8)
    session = driver.session
    said: list[str] = []
    session.notices.posted.connect(lambda message: said.append(message.text))
    undone = session.library.journal.undo_label()
    session.jobs.training.retrain("rca", quiet=True)
    driver.wait_until_idle("an automatic training", 120)
    assert (names(driver), said) == (["euclidean"], [])
    assert session.library.journal.undo_label() == undone


def test_a_missing_measurement_is_stated(driver: WindowDriver) -> None:
    tag_by_lot(driver)
    message = learn(driver, "Kernel multi-label metric")
    assert message.text == "Learned from 32 tagged photos. Improvement was not measured."
    assert names(driver) == ["euclidean", "kml-dml-1"]


def test_retrain_repeats_the_last_training_after_a_restart(
    driver: WindowDriver, open_window: OpenWindow, library_folder: Path
) -> None:
    tag_by_lot(driver, 8)
    assert learn(driver, "RCA").action is MessageAction.TRAINED_METRIC
    driver.window.close()
    again = open_window(library_folder)
    again.press(Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    again.wait_until_idle("training", 120)
    assert again.message_text.startswith("RCA: no measurable improvement")


def test_the_offer_belongs_to_the_last_training(driver: WindowDriver) -> None:
    tag_by_lot(driver)
    learn(driver, "Kernel metric")
    assert learn(driver, "RCA").text.startswith("RCA: no measurable improvement")
    driver.window.message_bar._offer.click()
    driver.wait_until_idle("the metric", 60)
    assert names(driver) == ["euclidean", "rca-1"]
    driver.session.jobs.training.use_nevertheless()  # from a message that was already used
    driver.wait_until_idle("nothing")
    assert "no longer available: train again" in driver.message_text
    assert names(driver) == ["euclidean", "rca-1"]


def test_a_metric_without_gain_can_be_kept_after_automatic_training(driver: WindowDriver) -> None:
    tag_by_lot(driver)
    learn(driver, "RCA")
    driver.session.jobs.training.retrain("kernel", quiet=True)
    driver.session.jobs.training.use_nevertheless()
    driver.wait_until_idle("both", 120)
    assert names(driver)[-1] == "rca-1"
    assert driver.session.library.metrics.current().name == "rca-1"
    assert not driver.session.jobs.training.running


def test_unused_versions_of_older_libraries_stay(driver: WindowDriver) -> None:
    """Earlier versions saved metrics without gain in the history, unused."""
    tag_by_lot(driver)
    library = driver.session.library
    old = finish(train_for_gain(library, "rca", keep_all=True)).metric
    assert old is not None
    library.metrics.set_current(library.metrics.by_name("euclidean").id)
    assert learn(driver, "RCA").action is MessageAction.TRAINED_METRIC
    assert names(driver) == ["euclidean", "rca-1"]
    driver.session.metrics.history.read()
    driver.wait_until_idle("the history")
    assert [(row.metric.name, bool(row.gain)) for row in driver.session.metrics.history.rows] == [
        ("euclidean", False),
        ("rca-1", True),
    ]
    library.metrics.set_current(old.id)
    assert library.metrics.current() == old
