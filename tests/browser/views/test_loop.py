"""The whole loop by keys and mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMenu

from browser.catalog.records import Verdict
from browser.views.hands import ALT, CTRL, SHIFT, Hands
from browser.views.learner_menu import LearnerMenu
from browser.views.suggestion_delegate import row_parts
from browser.views.tile_delegate import tile_parts
from tests.browser.views.conftest import OpenWindow

Key = Qt.Key


def tags_of(hands: Hands, row: int) -> list[str]:
    photo_id = hands.session.grid.photo_id(row)
    return hands.session.library.tags.of([photo_id])[photo_id]


def walk_to(hands: Hands, row: int) -> int:
    """Click a tile and return its photo."""
    photo_id = hands.session.grid.photo_id(row)
    hands.click(row)
    hands.settle("the ranking")
    return photo_id


def test_a_folder_is_opened_and_indexed(open_window: OpenWindow, tmp_path: Path, drawn_album: Path) -> None:
    hands = open_window(tmp_path / "new")
    assert hands.window.welcome.isVisible()
    hands.window.open_folders([drawn_album])
    hands.until(hands.grid.isVisible, "the grid")
    hands.settle("indexing", 120)
    assert hands.session.grid.rowCount() == 32
    assert hands.window.status_bar.text().startswith("32 photos")
    assert hands.session.folders.rowCount() == 1
    notice = hands.window.message_bar.notice
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
    notice = hands.window.message_bar.notice
    assert notice is not None
    assert "focal image" in notice.text


def test_tagging_several_photos_with_mixed_state(hands: Hands) -> None:
    hands.click(0, CTRL)
    hands.key(Key.Key_T)
    hands.type("sea, sky/blue")
    hands.key(Key.Key_Return)
    hands.settle("tagging")
    assert tags_of(hands, 0) == ["sea", "sky/blue"]
    assert hands.window.focusWidget() is hands.window.tag_panel.field, "the next tag can be typed at once"
    hands.key(Key.Key_Return)
    assert hands.window.focusWidget() is hands.grid, "an empty Enter leaves"
    hands.click(2, SHIFT)
    hands.settle("the selection")
    chips = hands.window.tag_panel.chips()
    assert [(chip.name.text(), chip.property("mixed")) for chip in chips] == [
        ("sea  1/3", True),
        ("sky/blue  1/3", True),
    ]
    chips[0].name.click()
    hands.settle("tagging")
    assert tags_of(hands, 2) == ["sea"]
    chips = hands.window.tag_panel.chips()
    assert chips[0].property("mixed") is False
    chips[0].remove.click()
    hands.settle("tagging")
    assert [tags_of(hands, row) for row in range(3)] == [["sky/blue"], [], []]
    assert hands.session.tags.find("sky/blue").isValid()


def test_recent_tags_and_repeating(hands: Hands) -> None:
    hands.click(0, CTRL)
    for text in ("one", "two"):
        hands.key(Key.Key_T)
        hands.type(text)
        hands.key(Key.Key_Return)
        hands.settle("tagging")
        hands.key(Key.Key_Escape)
    assert hands.session.overview.recent_tags[:2] == ("two", "one")
    hands.key(Key.Key_Right)
    hands.key(Key.Key_2)
    hands.settle("tagging")
    assert tags_of(hands, 1) == ["one"]
    hands.key(Key.Key_Right)
    hands.key(Key.Key_Period)
    hands.settle("tagging")
    assert tags_of(hands, 2) == ["one"]


def test_a_minus_sign_removes(hands: Hands) -> None:
    hands.click(0, CTRL)
    hands.key(Key.Key_T)
    for text in ("one, two", "-one, three"):
        hands.type(text)
        hands.key(Key.Key_Return)
        hands.settle("tagging")
    assert tags_of(hands, 0) == ["three", "two"]


def test_tags_are_completed(hands: Hands) -> None:
    hands.click(0, CTRL)
    hands.session.tag_targets(add=["animal/dog"])
    hands.settle("tagging")
    hands.key(Key.Key_T)
    hands.type("sea, do")
    hands.key(Key.Key_Tab)
    assert hands.window.tag_panel.field.text() == "sea, animal/dog"
    hands.key(Key.Key_Escape)
    assert hands.window.focusWidget() is hands.grid


def test_an_impossible_tag_is_refused_in_the_message_bar(hands: Hands) -> None:
    hands.click(0, CTRL)
    hands.key(Key.Key_T)
    hands.type("a;b")
    hands.key(Key.Key_Return)
    hands.until(lambda: hands.window.message_bar.notice is not None, "the message")
    notice = hands.window.message_bar.notice
    assert notice is not None
    assert notice.tone == "error"
    assert "semicolon" in notice.text
    assert tags_of(hands, 0) == []


def test_the_next_untagged_photo(hands: Hands) -> None:
    hands.session.editor.tag(hands.session.grid.ids[:3].tolist(), ["known"])
    hands.settle("tagging")
    hands.click(0, CTRL)
    hands.key(Key.Key_J, CTRL)
    hands.settle("the search")
    assert hands.grid.current_id() == hands.session.grid.photo_id(3)


def test_undo_and_redo(hands: Hands) -> None:
    hands.click(0, CTRL)
    hands.key(Key.Key_T)
    hands.type("sea")
    hands.key(Key.Key_Return)
    hands.settle("tagging")
    hands.key(Key.Key_Escape)
    assert hands.window.commands.actions["undo"].text() == "&Undo: Tag 1 photo: sea"
    hands.key(Key.Key_Z, CTRL)
    hands.settle("undo")
    assert tags_of(hands, 0) == []
    assert not hands.window.commands.actions["undo"].isEnabled()
    hands.key(Key.Key_Z, CTRL | SHIFT)
    hands.settle("redo")
    assert tags_of(hands, 0) == ["sea"]


def test_the_filter(hands: Hands) -> None:
    hands.session.editor.tag(hands.session.grid.ids[:3].tolist(), ["sea"])
    hands.settle("tagging")
    hands.key(Key.Key_F, CTRL)
    hands.type("tag:se")
    hands.key(Key.Key_Tab)
    assert hands.window.sidebar.search.text() == "tag:sea"
    hands.key(Key.Key_Return)
    hands.settle("the filter")
    assert hands.session.grid.rowCount() == 3
    assert "filter: tag:sea" in hands.window.status_bar.text()
    assert hands.window.focusWidget() is hands.grid
    focal = walk_to(hands, 0)
    assert len(hands.session.grid.ids) == 2, "the ranking keeps to the filter"
    hands.key(Key.Key_F, CTRL)
    hands.type("tag:nothing")
    hands.key(Key.Key_Return)
    hands.settle("the filter")
    assert hands.navigator.focal_id == focal
    assert hands.window.nothing.isVisible()
    hands.window.nothing.clear_button.click()
    hands.settle("all photos")
    assert hands.session.grid.rowCount() == 32
    assert hands.window.sidebar.search.text() == ""


@pytest.mark.parametrize("leave", [Key.Key_Escape, Key.Key_Return])
def test_a_filter_that_hides_all_can_be_left(hands: Hands, leave: Qt.Key) -> None:
    hands.key(Key.Key_F, CTRL)
    hands.type("zzzq")
    hands.until(hands.window.nothing.isVisible, "the empty page")
    hands.key(leave)
    assert hands.window.focusWidget() is hands.window.nothing
    hands.key(Key.Key_S)
    assert hands.window.sidebar.search.text() == "zzzq"
    hands.key(Key.Key_Escape)
    hands.settle("all photos")
    assert hands.window.sidebar.search.text() == ""
    assert hands.session.grid.rowCount() == 32
    assert hands.window.focusWidget() is hands.grid


def test_what_the_filter_hides_is_not_selected(hands: Hands) -> None:
    hands.session.editor.tag(hands.session.grid.ids[:1].tolist(), ["sea"])
    for row in (0, 1):
        hands.click(row, CTRL)
    hands.settle("tagging")
    kept = hands.session.grid.photo_id(0)
    hands.navigator.set_query("tag:sea")
    hands.settle("the filter")
    assert hands.grid.selected_ids() == [kept]
    assert hands.navigator.targets == (kept,)
    hands.navigator.set_query("zzzq")
    hands.settle("the filter")
    assert not hands.navigator.targets
    assert not hands.window.tag_panel.field.isEnabled()


def test_one_edit_of_the_filter_is_one_step(hands: Hands) -> None:
    def labels() -> list[str]:
        return [step.label for step in hands.navigator.trail.steps]

    hands.key(Key.Key_F, CTRL)
    for text in ("unt", "agged", " -judged"):
        hands.type(text)
        hands.until(lambda: not hands.window.sidebar.search.waiting, "the pause")
        hands.settle("the filter")
    assert labels() == ["All photos", "untagged -judged"]
    hands.key(Key.Key_Return)
    hands.key(Key.Key_F, CTRL)
    hands.type("untagged")
    hands.key(Key.Key_Return)
    hands.settle("the filter")
    assert labels() == ["All photos", "untagged -judged", "untagged"]


def test_a_filter_that_hides_the_ranking_is_named(hands: Hands) -> None:
    walk_to(hands, 0)
    hands.navigator.set_query("zzzq")
    hands.settle("the filter")
    texts = [each.text() for each in hands.window.nothing.findChildren(QLabel)]
    assert "No other photo fits \N{LEFT DOUBLE QUOTATION MARK}zzzq\N{RIGHT DOUBLE QUOTATION MARK}." in texts


def test_a_mistake_in_the_filter_is_shown_at_the_field(hands: Hands) -> None:
    hands.key(Key.Key_F, CTRL)
    hands.type("date:yesterday")
    hands.key(Key.Key_Return)
    hands.settle("the filter")
    search = hands.window.sidebar.search
    assert search.property("wrong") is True
    assert "date" in search.toolTip()
    assert hands.session.grid.rowCount() == 32
    search.setFocus()
    hands.key(Key.Key_Escape)
    assert search.text() == ""
    assert search.property("wrong") is False


def test_the_sidebar(hands: Hands) -> None:
    tree, model = hands.window.sidebar.folder_tree, hands.session.folders
    folder = model.index(0, 0, model.index(0, 0))
    tree.expandAll()
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualRect(folder).center())
    hands.settle("the folder")
    assert hands.session.grid.rowCount() == 4
    assert folder.data() in hands.window.status_bar.text()
    untagged = hands.window.sidebar.library_tree.model().index(1, 0)
    hands.window.sidebar.library_tree.setCurrentIndex(untagged)
    QTest.keyClick(hands.window.sidebar.library_tree, Key.Key_Return)
    hands.settle("the untagged photos")
    assert hands.session.grid.rowCount() == 32
    assert hands.window.sidebar.search.text() == "untagged"


def test_the_folder_order_is_found_again(hands: Hands) -> None:
    bar = hands.grid.verticalScrollBar()
    bar.setValue(90)
    focal = walk_to(hands, 12)
    at = hands.navigator.trail.steps[0].place
    hands.key(Key.Key_G)
    hands.settle("the order of the folders")
    assert hands.navigator.focal_id is None
    assert hands.grid.place().anchor == at.anchor
    row = hands.session.grid.row_of(focal)
    assert hands.session.grid.index(row).data(257).is_focal, "where the walk came from is marked"


def teach(hands: Hands) -> None:
    """Tag half of the photos by their folder, and judge some."""
    library = hands.session.library
    by_kind: dict[str, list[int]] = {}
    for photo in library.photos.get(hands.session.grid.ids.tolist()):
        by_kind.setdefault(photo.path.parent.name, []).append(photo.id)
    for kind, ids in by_kind.items():
        hands.session.editor.tag(ids[:2], [kind])
    hands.settle("tagging")
    walk_to(hands, 0)
    for row, key in ((0, Key.Key_S), (1, Key.Key_S), (20, Key.Key_D), (21, Key.Key_D)):
        hands.hover(row)
        hands.key(key)
        hands.settle("judging")


def test_retraining_changes_the_ranking_and_can_be_undone(hands: Hands) -> None:
    teach(hands)
    before = hands.session.grid.ids.tolist()
    hands.key(Key.Key_R, CTRL)
    assert hands.session.workshop.training
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


def learner_actions(hands: Hands) -> dict[str, QAction]:
    """Return the entries of the menu beside Retrain by their titles."""
    families = hands.window.top_bar.learner_button.menu().findChildren(QMenu)
    return {action.text(): action for family in families for action in family.actions()}


def test_every_learner_is_in_the_menu_beside_retrain_and_says_what_it_does(hands: Hands) -> None:
    table = hands.session.workshop.learners
    actions = learner_actions(hands)
    assert list(actions) == [one.title for one in table]
    assert all(one.text in actions[one.title].toolTip() for one in table)
    automatic, separator, *families = hands.window.top_bar.learner_button.menu().actions()
    assert automatic.text() == "Automatic"
    assert separator.isSeparator()
    assert [family.text() for family in families] == list(dict.fromkeys(one.family for one in table))
    assert len(families) <= 6
    learn = next(menu for menu in hands.window.menuBar().findChildren(QMenu) if "Learn" in menu.title())
    assert len(learn.findChildren(LearnerMenu)) == 1


def test_a_chosen_learner_is_trained_and_trained_again_by_retrain(hands: Hands) -> None:
    teach(hands)
    learner_actions(hands)["Kernels weighted by family"].trigger()
    assert hands.session.workshop.training
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
    hands.until(lambda: hands.window.message_bar.notice is not None, "the message")
    notice = hands.window.message_bar.notice
    assert notice is not None
    assert notice.tone == "info"
    assert "it needs tags that several photos share" in notice.text
    hands.until(lambda: not hands.session.workshop.training, "the end")


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
    hands.until(lambda: hands.window.message_bar.notice is not None, "the message")
    notice = hands.window.message_bar.notice
    assert notice is not None
    assert notice.tone == "info"
    hands.until(lambda: not hands.session.workshop.training, "the end")
    assert hands.window.top_bar.retrain_button.isEnabled()


def test_suggesting_without_a_tag_says_what_is_needed(hands: Hands) -> None:
    hands.key(Key.Key_G, CTRL)
    hands.until(lambda: hands.window.message_bar.notice is not None, "the message")
    notice = hands.window.message_bar.notice
    assert notice is not None
    assert (notice.tone, notice.text) == ("info", "Tag a few photos first.")


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
    first = hands.grid.place().anchor
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
