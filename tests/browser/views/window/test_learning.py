"""Training in the window, by Retrain and by the menu of learners beside it, and the suggestions that follow."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from browser.catalog.facts.records import Verdict
from browser.views.tags.suggestion_delegate import row_parts
from browser.views.window.learner_menu import LearnerMenu
from browser.walkthrough.keys_and_mouse import CTRL, Hands
from tests.browser.views.steps import learner_actions, tags_of, teach, walk_to

Key = Qt.Key


def test_retraining_changes_the_ranking_and_can_be_undone(hands: Hands) -> None:
    teach(hands)
    before = hands.session.grid.ids.tolist()
    hands.key(Key.Key_R, CTRL)
    assert hands.session.jobs.training
    assert not hands.window.top_bar.retrain_button.isEnabled()
    hands.settle("training", 120)
    box = hands.window.top_bar.metric_box
    assert box.currentText() == hands.session.overview.metrics[-1].title
    assert [box.itemText(row) for row in range(box.count())] == ["Euclidean", box.currentText()]
    assert hands.session.grid.ids.tolist() != before
    assert hands.window.top_bar.retrain_button.text() == "Retrain"
    box.setCurrentIndex(0)
    box.activated.emit(0)
    hands.settle("the metric")
    assert hands.session.grid.ids.tolist() == before
    hands.key(Key.Key_Z, CTRL)
    hands.settle("undo")
    assert box.currentIndex() == 1


def test_every_learner_is_in_the_menu_beside_retrain_and_says_what_it_does(hands: Hands) -> None:
    table = hands.session.jobs.learners
    actions = learner_actions(hands)
    assert list(actions) == [one.title for one in table]
    assert all(one.text in actions[one.title].toolTip() for one in table)
    automatic, separator, *families = hands.window.top_bar.learner_button.menu().actions()
    assert automatic.text() == "Automatic"
    assert separator.isSeparator()
    assert [family.text() for family in families] == list(dict.fromkeys(one.family for one in table))
    alone = [family.text() for family in families if family.menu() is None]
    assert alone == ["Local distances"], "what is the only one of its family is no submenu"
    assert len(families) <= 6
    learn = next(menu for menu in hands.window.menuBar().findChildren(QMenu) if "Learn" in menu.title())
    assert len(learn.findChildren(LearnerMenu)) == 1


def test_a_chosen_learner_is_trained_and_trained_again_by_retrain(hands: Hands) -> None:
    teach(hands)
    learner_actions(hands)["Kernels weighted by family"].trigger()
    assert hands.session.jobs.training
    assert not hands.window.top_bar.learner_button.isEnabled()
    hands.settle("training", 120)
    assert hands.window.top_bar.learner_button.isEnabled()
    box = hands.window.top_bar.metric_box
    assert box.currentText() == "Kernels weighted by family (v1)"
    weights = dict(hands.session.overview.family_weights)
    assert sum(weights.values()) == pytest.approx(1)
    shown = box.toolTip().splitlines()
    assert len(shown) == 1 + len(weights)
    assert next(iter(weights)).replace("_", " ") in shown[1]
    hands.key(Key.Key_R, CTRL)
    hands.settle("training", 120)
    assert box.currentText() == "Kernels weighted by family (v2)"
    assert hands.navigator.metric == hands.session.overview.metric


def test_a_learner_that_lacks_something_says_what(hands: Hands) -> None:
    walk_to(hands, 0)
    hands.hover(0)
    hands.key(Key.Key_S)
    hands.settle("judging")
    learner_actions(hands)["Multi-label metric"].trigger()
    hands.until(lambda: hands.window.message_bar.message is not None, "the message")
    notice = hands.window.message_bar.message
    assert notice is not None
    assert notice.severity == "info"
    assert "it needs tags that several photos share" in notice.text
    hands.until(lambda: not hands.session.jobs.training, "the end")


def test_a_metric_of_nothing_learned_leaves_the_judgements_new(hands: Hands) -> None:
    teach(hands)
    new = hands.session.overview.new_judgements
    learner_actions(hands)["Kernels of all families alike"].trigger()
    hands.settle("training", 120)
    assert hands.session.overview.new_judgements == new > 0
    assert "nothing learned" in hands.window.top_bar.metric_box.toolTip()


def test_an_online_metric_follows_each_judgement(hands: Hands) -> None:
    teach(hands)
    learner_actions(hands)["Online multi-modal, low rank"].trigger()
    hands.settle("training", 120)
    file = hands.session.overview.metrics[-1]
    before = hands.session.grid.ids.tolist()
    hands.hover(25)
    hands.key(Key.Key_S)
    hands.settle("the judgement and the metric")
    assert hands.session.overview.new_judgements == 1
    assert hands.session.overview.metrics[-1] == file, "no metric of its own for each judgement"
    after = hands.session.grid.ids.tolist()
    assert after != before
    assert after.index(before[25]) < 25
    assert hands.navigator.marks[before[25]] is Verdict.SIMILAR
    hands.key(Key.Key_Z, CTRL)
    hands.settle("undo")
    assert hands.session.grid.ids.tolist() == before


def test_training_on_nothing_says_what_is_needed(hands: Hands) -> None:
    hands.key(Key.Key_R, CTRL)
    hands.until(lambda: hands.window.message_bar.message is not None, "the message")
    notice = hands.window.message_bar.message
    assert notice is not None
    assert notice.severity == "info"
    hands.until(lambda: not hands.session.jobs.training, "the end")
    assert hands.window.top_bar.retrain_button.isEnabled()


def test_suggesting_without_a_tag_says_what_is_needed(hands: Hands) -> None:
    hands.key(Key.Key_G, CTRL)
    hands.until(lambda: hands.window.message_bar.message is not None, "the message")
    notice = hands.window.message_bar.message
    assert notice is not None
    assert (notice.severity, notice.text) == ("info", "Tag a few photos first.")


def test_suggestions_are_answered_by_keys_and_clicks(hands: Hands) -> None:
    teach(hands)
    hands.key(Key.Key_G)
    hands.settle("the order of the folders")
    hands.key(Key.Key_G, CTRL)
    hands.settle("suggesting", 120)
    panel, model, library = hands.window.suggestion_panel, hands.session.suggestions, hands.session.library
    count = model.rowCount()
    assert count > 3
    assert hands.session.all_suggestions
    assert hands.session.overview.open_suggestions == count

    photo_id, tag = model.row(0).pair
    following = model.row(1).pair
    hands.key(Key.Key_A)
    hands.settle("accepting")
    assert tag in library.tags.of([photo_id])[photo_id]
    assert panel.list.current_row() is not None
    assert model.row(0).pair == following, "the next one has moved up"
    assert panel.list.currentIndex().row() == 0

    hands.key(Key.Key_X)
    hands.settle("rejecting")
    assert following in library.suggestions.rejected_pairs()
    assert following[1] not in library.tags.of([following[0]])[following[0]]

    clicked = model.row(1).pair
    rect = panel.list.visualRect(model.index(1)).toRectF()
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=row_parts(rect).reject.center().toPoint())
    hands.settle("rejecting")
    assert clicked in library.suggestions.rejected_pairs()
    assert model.rowCount() == count - 3

    for _ in range(3):
        hands.key(Key.Key_Z, CTRL)
        hands.settle("undo")
    assert model.rowCount() == count
    assert library.suggestions.rejected_pairs() == set()


def test_suggestions_of_the_selection(hands: Hands) -> None:
    teach(hands)
    hands.key(Key.Key_G)
    hands.settle("the order of the folders")
    untagged = [row for row in range(32) if not tags_of(hands, row)]
    hands.click(untagged[0], CTRL)
    hands.settle("the selection")
    hands.key(Key.Key_G, CTRL)
    hands.settle("suggesting", 120)
    model = hands.session.suggestions
    chosen = hands.session.grid.photo_id(untagged[0])
    assert not hands.session.all_suggestions
    assert {model.row(row).suggestion.photo_id for row in range(model.rowCount())} == {chosen}
    assert model.row(0).witnesses
    hands.window.suggestion_panel.list.setFocus()
    hands.key(Key.Key_Return)
    hands.settle("the ranking")
    assert hands.navigator.focal_id == chosen
