# SPDX-License-Identifier: MIT
"""Training in the window, by Retrain and by the menu of learners beside it, and the suggestions that follow."""

from __future__ import annotations

import html

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.views.tags.suggestion_list import row_parts
from focal_photos.browser.views.window.learner_menu import LearnerMenu
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver
from focal_photos.learners.persistence import load
from tests.browser.views.window_steps import (
    advanced_learners,
    learner_actions,
    learner_menu,
    tags_of,
    teach,
    use_trained,
    walk_to,
)

Key = Qt.Key


@pytest.mark.slow
def test_retraining_changes_the_ranking_and_can_be_undone(driver: WindowDriver) -> None:
    teach(driver)
    before = driver.session.grid.ids.tolist()
    driver.press(Key.Key_R, CTRL)
    assert driver.session.jobs.training.running
    assert not driver.window.top_bar.retrain_button.isEnabled()
    driver.wait_until_idle("training", 120)
    box = driver.window.top_bar.metric_box
    assert box.currentText().startswith("Learned ")
    assert [box.itemText(row) for row in range(box.count())] == ["Euclidean", box.currentText()]
    assert driver.session.grid.ids.tolist() != before
    assert driver.window.top_bar.retrain_button.text() == "Retrain"
    box.setCurrentIndex(0)
    box.activated.emit(0)
    driver.wait_until_idle("the metric")
    assert driver.session.grid.ids.tolist() == before
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("undo")
    assert box.currentIndex() == 1


def test_the_menu_lists_every_learner_with_a_description(driver: WindowDriver) -> None:
    table = driver.session.jobs.training.learners
    actions = learner_actions(driver)
    assert list(actions) == [one.title for one in table]
    assert all(one.text in html.unescape(actions[one.title].toolTip()) for one in table)
    assert [entry.text() for entry in learner_menu(driver).actions()] == ["Automatic", "Advanced"]
    families = advanced_learners(driver)
    assert [family.text() for family in families] == list(dict.fromkeys(one.family for one in table))
    alone = [family.text() for family in families if family.menu() is None]
    assert alone == ["Local distances"], "the only learner of a family has no submenu"
    assert len(families) <= 7
    assert families[-1].text() == "For comparison"
    learn = next(menu for menu in driver.window.menuBar().findChildren(QMenu) if "Learn" in menu.title())
    assert len(learn.findChildren(LearnerMenu)) == 1


@pytest.mark.slow
def test_retrain_repeats_the_chosen_learner(driver: WindowDriver) -> None:
    teach(driver)
    learner_actions(driver)["Kernels weighted by family"].trigger()
    assert driver.session.jobs.training.running
    assert not driver.window.top_bar.learner_button.isEnabled()
    driver.wait_until_idle("training", 120)
    assert driver.window.top_bar.learner_button.isEnabled()
    box = driver.window.top_bar.metric_box
    assert box.currentText().startswith("Learned ")
    weights = dict(driver.session.overview.now.family_weights)
    assert sum(weights.values()) == pytest.approx(1)
    shown = box.toolTip().splitlines()
    assert shown[0] == "Kernels weighted by family (v1)"
    assert len(shown) == 2 + len(weights)
    assert next(iter(weights)) in shown[2]
    driver.press(Key.Key_R, CTRL)
    driver.wait_until_idle("training", 120)
    assert box.toolTip().startswith("Kernels weighted by family (v2)")
    assert driver.navigator.shown.metric == driver.session.overview.now.metric


@pytest.mark.slow
def test_retrain_is_not_lost_during_automatic_training(driver: WindowDriver) -> None:
    teach(driver)
    session, button = driver.session, driver.window.top_bar.retrain_button
    said: list[str] = []
    session.notices.posted.connect(lambda message: said.append(message.text))
    session.jobs.training.retrain(quiet=True)
    assert button.isEnabled(), "automatic training does not block the button"
    assert not session.jobs.training.running
    driver.press(Key.Key_R, CTRL)
    assert session.jobs.training.running
    assert button.text().startswith("Training")
    assert not button.isEnabled()
    driver.press(Key.Key_R, CTRL)
    driver.wait_until_idle("both trainings", 120)
    assert len([metric for metric in session.overview.now.metrics if metric.file is not None]) == 2
    assert len([text for text in said if "Learned from" in text]) == 1, "only the requested training is reported"
    assert button.isEnabled()


@pytest.mark.slow
def test_a_training_that_waits_keeps_its_parameters(driver: WindowDriver) -> None:
    teach(driver)
    session = driver.session
    session.jobs.training.retrain(quiet=True)
    session.jobs.training.retrain("rca", parameters={"ridge": 0.7})
    driver.wait_until_idle("both trainings", 120)
    use_trained(driver)
    path = session.library.metrics.path(session.library.metrics.by_name("rca"))
    assert path is not None
    assert load(path)["learner"].ridge == 0.7


def test_the_gain_of_a_requested_training_is_shown(driver: WindowDriver) -> None:
    ids = driver.session.library.photos.ids().tolist()
    driver.session.library.tags.change(ids[0:20:2], ["even"])
    driver.session.library.tags.change(ids[1:20:2], ["odd"])  # fewer than 30, so it is saved even without gain
    said: list[str] = []
    driver.session.notices.posted.connect(lambda message: said.append(message.text))
    learner_actions(driver)["Tag ratio"].trigger()
    driver.wait_until_idle("training and measuring", 120)
    assert "Learned from 20 tagged photos. Too little data to measure improvement." in said


def test_a_learner_names_its_missing_data(driver: WindowDriver) -> None:
    walk_to(driver, 0)
    driver.hover(0)
    driver.press(Key.Key_S)
    driver.wait_until_idle("judging")
    learner_actions(driver)["Multi-label metric"].trigger()
    driver.wait_until(lambda: driver.window.message_bar.message is not None, "the message")
    message = driver.window.message_bar.message
    assert message is not None
    assert message.severity == "info"
    assert "it needs tags that several photos share" in message.text
    driver.wait_until(lambda: not driver.session.jobs.training.running, "the end")


@pytest.mark.slow
def test_an_untrained_metric_leaves_judgements_new(driver: WindowDriver) -> None:
    teach(driver)
    new = driver.session.overview.now.new_judgements
    learner_actions(driver)["Kernels of all families alike"].trigger()
    driver.wait_until_idle("training", 120)
    assert driver.session.overview.now.new_judgements == new > 0
    assert "nothing learned" in driver.window.top_bar.metric_box.toolTip()


@pytest.mark.slow
def test_an_online_metric_follows_each_judgement(driver: WindowDriver) -> None:
    teach(driver)
    learner_actions(driver)["Online multi-modal, low rank"].trigger()
    driver.wait_until_idle("training", 120)
    file = driver.session.overview.now.metrics[-1]
    before = driver.session.grid.ids.tolist()
    driver.hover(25)
    driver.press(Key.Key_S)
    driver.wait_until_idle("the judgement and the metric")
    assert driver.session.overview.now.new_judgements == 1
    assert driver.session.overview.now.metrics[-1] == file, "judgements do not each add a metric"
    after = driver.session.grid.ids.tolist()
    assert after != before
    assert after.index(before[25]) < 25
    assert driver.navigator.marks[before[25]] is Verdict.SIMILAR
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("undo")
    assert driver.session.grid.ids.tolist() == before


def test_training_without_data_names_the_missing_data(driver: WindowDriver) -> None:
    driver.press(Key.Key_R, CTRL)
    driver.wait_until(lambda: driver.window.message_bar.message is not None, "the message")
    message = driver.window.message_bar.message
    assert message is not None
    assert message.severity == "info"
    driver.wait_until(lambda: not driver.session.jobs.training.running, "the end")
    assert driver.window.top_bar.retrain_button.isEnabled()


def test_suggesting_without_a_tag_names_the_missing_data(driver: WindowDriver) -> None:
    driver.press(Key.Key_G, CTRL)
    driver.wait_until(lambda: driver.window.message_bar.message is not None, "the message")
    message = driver.window.message_bar.message
    assert message is not None
    assert (message.severity, message.text) == ("info", "Tag a few photos first.")


@pytest.mark.slow
def test_suggestions_are_answered_by_keys_and_clicks(driver: WindowDriver) -> None:
    teach(driver)
    driver.press(Key.Key_G)
    driver.wait_until_idle("the order of the folders")
    driver.press(Key.Key_G, CTRL)
    driver.wait_until_idle("suggesting", 120)
    panel, model, library = (
        driver.window.right_column.suggestions,
        driver.session.tagging.suggestions,
        driver.session.library,
    )
    count = model.rowCount()
    assert count > 3
    assert driver.session.tagging.suggestions.everywhere
    assert driver.session.overview.now.open_suggestions == count

    photo_id, tag = model.row(0).pair
    following = next(row.pair for row in map(model.row, range(count)) if row.card.photo.id != photo_id)
    driver.press(Key.Key_A)
    driver.wait_until_idle("accepting")
    assert tag in library.tags.of([photo_id])[photo_id]
    assert panel.list.current_row() is not None
    assert model.row(0).pair == following, "the next pair has moved up"
    assert panel.list.currentIndex().row() == 0

    driver.press(Key.Key_X)
    driver.wait_until_idle("rejecting")
    assert following in library.suggestions.rejected_pairs()
    assert following[1] not in library.tags.of([following[0]])[following[0]]

    clicked, left = model.row(1).pair, model.rowCount()
    rect = panel.list.visualRect(model.index(1)).toRectF()
    spot = row_parts(rect).reject.center().toPoint()
    for at in (spot - QPoint(30, 0), spot):
        QTest.mouseMove(panel.list.viewport(), at)
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    driver.wait_until_idle("rejecting")
    assert clicked in library.suggestions.rejected_pairs()
    assert model.rowCount() == left - 1

    for _ in range(3):
        driver.press(Key.Key_Z, CTRL)
        driver.wait_until_idle("undo")
    assert model.rowCount() == count
    assert library.suggestions.rejected_pairs() == set()


@pytest.mark.slow
def test_an_answer_makes_the_next_suggestion_current(driver: WindowDriver) -> None:
    teach(driver)
    driver.press(Key.Key_G)
    driver.wait_until_idle("the order of the folders")
    driver.press(Key.Key_G, CTRL)
    driver.wait_until_idle("suggesting", 120)
    panel, model = driver.window.right_column.suggestions, driver.session.tagging.suggestions
    panel.list.make_current(2)
    following = model.row(3).pair
    panel.answer_current(accept=False)
    current = panel.list.current_row()
    assert current is not None
    assert current.pair == following
    driver.wait_until_idle("rejecting")
    panel.list.make_current(model.rowCount() - 1)
    before = model.row(model.rowCount() - 2).pair
    panel.answer_current(accept=False)
    current = panel.list.current_row()
    assert current is not None
    assert current.pair == before, "after the last pair, the previous pair is current"
    driver.wait_until_idle("rejecting")


def test_the_selection_gets_suggestions(driver: WindowDriver) -> None:
    teach(driver)
    driver.press(Key.Key_G)
    driver.wait_until_idle("the order of the folders")
    untagged = [row for row in range(32) if not tags_of(driver, row)]
    driver.click(untagged[0], CTRL)
    driver.wait_until_idle("the selection")
    driver.press(Key.Key_G, CTRL)
    driver.wait_until_idle("suggesting", 120)
    model = driver.session.tagging.suggestions
    chosen = driver.session.grid.photo_id(untagged[0])
    assert not driver.session.tagging.suggestions.everywhere
    assert {model.row(row).suggestion.photo_id for row in range(model.rowCount())} == {chosen}
    assert model.row(0).supporters
    driver.window.right_column.suggestions.list.setFocus()
    driver.press(Key.Key_Return)
    driver.wait_until_idle("the ranking")
    assert driver.navigator.focal_id == chosen
