"""After a training each tile says how far it moved; a held key shows the former order; the former metric is a click."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from focal_photos.browser.models.photos.grid_model import Role
from focal_photos.browser.models.photos.tiles import TileState
from focal_photos.browser.models.work.message import Message, MessageAction
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.window_steps import Key, learner_actions, teach, walk_to

SEED = 0
NONE = Qt.KeyboardModifier.NoModifier


def tiles(driver: WindowDriver) -> list[TileState]:
    grid = driver.session.grid
    return [grid.data(grid.index(row), Role.TILE) for row in range(grid.rowCount())]


def train(driver: WindowDriver, title: str = "Kernel metric") -> tuple[list[int], list[int]]:
    """Walk to a photo, train, and return both orders."""
    teach(driver)
    walk_to(driver, 5)
    before = driver.session.grid.ids.tolist()
    assert not driver.session.movement.moved
    learner_actions(driver)[title].trigger()
    driver.wait_until_idle("training", 120)
    return before, driver.session.grid.ids.tolist()


def release(driver: WindowDriver, *, repeated: bool = False) -> None:
    event = QKeyEvent(QEvent.Type.KeyRelease, Key.Key_O, NONE, "o", repeated)
    QApplication.sendEvent(driver.focus_widget(), event)


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
    walk_to(driver, 2)  # another focal image has no former order
    assert not any(tile.rose for tile in tiles(driver))
    assert not driver.session.movement.moved


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


def test_the_key_itself(driver: WindowDriver) -> None:
    before, after = train(driver)
    driver.window.focus_photos()
    driver.press(Key.Key_O)  # pressed and let go
    assert driver.session.grid.ids.tolist() == after
    seen: list[list[int]] = []
    driver.session.movement.changed.connect(lambda: seen.append(driver.session.grid.ids.tolist()))
    driver.press(Key.Key_O)
    assert seen == [before, after]


def test_without_a_former_order_it_says_so(driver: WindowDriver) -> None:
    walk_to(driver, 3)
    driver.press(Key.Key_O)
    message = driver.window.message_bar.message
    assert message is not None
    assert "no former order" in message.text


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
    assert not driver.session.movement.moved, "it is the order of before again"
    driver.session.editor.undo()
    driver.wait_until_idle("undo")
    assert library.metrics.current() == trained


def test_what_gains_nothing_is_kept_but_not_used(driver: WindowDriver) -> None:
    library = driver.session.library
    ids = library.photos.ids()
    drawn = np.random.default_rng(SEED).permutation(ids)  # tags that say nothing of what the photos look like
    library.tags.change(drawn[::2], ["one"])
    library.tags.change(drawn[1::2], ["other"])
    said: list[Message] = []
    driver.session.jobs.message_posted.connect(said.append)
    learner_actions(driver)["Kernel metric"].trigger()
    driver.wait_until_idle("training and measuring", 120)
    assert [metric.learner for metric in library.metrics.all()] == ["euclidean", "kernel"]
    assert "it gains nothing" in said[-1].text
    assert "kept in the history" in said[-1].text
    assert said[-1].action is MessageAction.TRAINED_METRIC
    assert library.metrics.current().learner == "euclidean"
    assert driver.session.overview.metric == library.metrics.current()
    driver.window.message_bar._offer.click()
    driver.wait_until_idle("the metric")
    assert library.metrics.current().learner == "kernel"


def test_what_a_person_chose_meanwhile_stays_in_use(driver: WindowDriver) -> None:
    library, session = driver.session.library, driver.session
    ids = library.photos.ids()
    drawn = np.random.default_rng(SEED).permutation(ids)
    library.tags.change(drawn[::2], ["one"])
    library.tags.change(drawn[1::2], ["other"])
    learner_actions(driver)["RCA"].trigger()
    driver.wait_until_idle("training and measuring", 120)
    library.metrics.set_current(library.metrics.by_name("rca").id)
    said: list[Message] = []

    def choose(message: Message) -> None:
        said.append(message)
        if "learned from" in message.text:
            library.metrics.set_current(library.metrics.by_name("euclidean").id)

    session.jobs.message_posted.connect(choose)
    learner_actions(driver)["Kernel metric"].trigger()
    driver.wait_until_idle("training and measuring", 120)
    assert "it gains nothing" in said[-1].text
    assert said[-1].action is MessageAction.FORMER_METRIC
    assert library.metrics.current().name == "euclidean"
