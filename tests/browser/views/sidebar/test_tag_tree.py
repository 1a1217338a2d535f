# SPDX-License-Identifier: MIT
"""The tag tree in the window: renaming, merging, deleting, dragging."""

from __future__ import annotations

import json
from typing import TypeVar

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QDrag, QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from focal_photos.browser.models.sidebar.tree_model import CountTreeModel, TreeRole
from focal_photos.browser.views.base.dropping import PHOTOS_TYPE
from focal_photos.browser.views.sidebar.search_tree import SearchNameDialog
from focal_photos.browser.views.sidebar.tag_dialogs import DeleteTagDialog, EditTagDialog, MergeTagsDialog
from focal_photos.browser.views.sidebar.tag_tree import TagTree, tag_data
from focal_photos.browser.walkthrough.window_driver import CTRL, WindowDriver, pause

Key = Qt.Key
D = TypeVar("D", bound=QDialog)


@pytest.fixture
def tree(driver: WindowDriver) -> TagTree:
    """The tag tree of a window: animal/dog on two photos, hound on three, sea on one."""
    ids = driver.session.grid.ids.tolist()
    driver.session.editor.tag(ids[:2], ["animal/dog"])
    driver.session.editor.tag(ids[2:5], ["hound"])
    driver.session.editor.tag(ids[5:6], ["sea"])
    driver.wait_until_idle("tagging")
    return driver.window.sidebar.tag_tree


def names(tree: TagTree) -> dict[str, int]:
    """Return the tags in the tree, with their counts."""
    found: dict[str, int] = {}
    model = tree.model()
    waiting = [model.index(row, 0) for row in range(model.rowCount())]
    while waiting:
        index = waiting.pop()
        found[index.data(TreeRole.KEY)] = index.data(TreeRole.COUNT)
        waiting += [model.index(row, 0, index) for row in range(model.rowCount(index))]
    return found


def choose(tree: TagTree, tag: str) -> None:
    model = tree.model()
    assert isinstance(model, CountTreeModel)
    tree.expandAll()
    tree.setCurrentIndex(model.find(tag))
    tree.setFocus()


def dialog_of(driver: WindowDriver, kind: type[D]) -> D:
    driver.wait_until(lambda: isinstance(QApplication.activeModalWidget(), kind), "the dialog")
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, kind)
    driver.wait_until(dialog.isActiveWindow, "the dialog to have the keyboard")
    return dialog


def drop(tree: TagTree, data: QMimeData, over: str, *, shift: bool = False) -> bool:
    """Drop data on a tag, or below all of them; return whether it was accepted."""
    model = tree.model()
    assert isinstance(model, CountTreeModel)
    tree.expandAll()
    place = tree.visualRect(model.find(over)).center() if over else tree.viewport().rect().bottomLeft() + QPoint(30, 40)
    event = QDropEvent(
        QPointF(place),
        Qt.DropAction.MoveAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier,
    )
    event.ignore()
    tree.dropEvent(event)
    return event.isAccepted()


def test_a_tag_is_dragged_to_the_top_level(
    driver: WindowDriver, tree: TagTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tree.top_level
    seen: list[bool] = []

    def drag(over: QDrag, *_: Qt.DropAction) -> Qt.DropAction:
        """Act as the drag of the system: move to the place for the top level, and release."""
        copy, left, none = Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        seen.append(place.isVisible())
        middle = place.rect().center()
        QApplication.sendEvent(place, QDragEnterEvent(middle, copy, over.mimeData(), left, none))
        assert bool(place.property("over")) is seen[-1]
        QApplication.sendEvent(place, QDropEvent(QPointF(middle), copy, over.mimeData(), left, none))
        assert not place.property("over")
        return copy

    monkeypatch.setattr(QDrag, "exec", drag)
    assert not place.isVisible()
    choose(tree, "sea")
    tree.startDrag(Qt.DropAction.MoveAction)
    choose(tree, "animal/dog")
    tree.startDrag(Qt.DropAction.MoveAction)
    assert seen == [False, True], "asked only for a new tag"
    assert not place.isVisible()
    driver.wait_until_idle("renaming")
    assert names(tree) == {"dog": 2, "hound": 3, "sea": 1}
    driver.session.editor.undo()
    driver.wait_until_idle("undo")
    assert names(tree) == {"animal": 2, "animal/dog": 2, "hound": 3, "sea": 1}


def test_f2_renames_a_tag_and_edits_its_other_names(driver: WindowDriver, tree: TagTree) -> None:
    choose(tree, "animal/dog")
    QTest.keyClick(tree, Key.Key_F2)
    dialog = dialog_of(driver, EditTagDialog)
    driver.wait_until(lambda: "2 photos" in dialog.touched_label.text(), "what hangs on the tag")
    assert dialog.focusWidget() is dialog.name_field
    assert dialog.name_field.selectedText() == "animal/dog"
    QTest.keyClicks(dialog.name_field, "pet")
    QTest.keyClicks(dialog.other_names_field, "Hund, chien")
    QTest.keyClick(dialog.other_names_field, Key.Key_Return)
    driver.wait_until_idle("renaming")
    assert QApplication.activeModalWidget() is None
    assert names(tree) == {"pet": 2, "hound": 3, "sea": 1}
    assert driver.session.sidebar.words.complete_tag("hu") == ["pet"]
    driver.navigator.set_query("tag:chien")
    driver.wait_until_idle("the filter")
    assert driver.session.grid.rowCount() == 2
    driver.session.editor.undo()
    driver.wait_until_idle("undo")
    assert names(tree) == {"animal": 2, "animal/dog": 2, "hound": 3, "sea": 1}
    assert driver.session.sidebar.words.complete_tag("hu") == []


def test_delete_lists_the_uses_of_a_tag(driver: WindowDriver, tree: TagTree) -> None:
    driver.session.tagging.pinned.pin(4, "hound")
    driver.session.naming.save_search("Hounds", "tag:hound")
    driver.wait_until_idle("saving")
    choose(tree, "animal")  # has only photos of the tag below it
    QTest.keyClick(tree, Key.Key_Delete)
    dialog = dialog_of(driver, DeleteTagDialog)
    driver.wait_until(lambda: bool(dialog.touched_label.text()), "what hangs on the tag")
    assert dialog.touched_label.text().startswith("2 photos; tags below it: 1")
    QTest.keyClick(dialog, Key.Key_Escape)
    choose(tree, "hound")
    QTest.keyClick(tree, Key.Key_Delete)
    dialog = dialog_of(driver, DeleteTagDialog)
    driver.wait_until(lambda: bool(dialog.touched_label.text()), "what hangs on the tag")
    assert dialog.touched_label.text() == "3 photos; on the keys: 4; saved searches: Hounds"
    QTest.keyClick(dialog, Key.Key_Escape)
    assert "hound" in names(tree)
    QTest.keyClick(tree, Key.Key_Delete)
    dialog = dialog_of(driver, DeleteTagDialog)
    QTest.keyClick(dialog, Key.Key_Return)
    driver.wait_until_idle("deleting")
    assert "hound" not in names(tree)
    assert driver.session.tagging.pinned.tag(4) == ""
    driver.session.editor.undo()
    driver.wait_until_idle("undo")
    assert names(tree)["hound"] == 3
    assert driver.session.tagging.pinned.tag(4) == "hound"


@pytest.mark.slow
@pytest.mark.parametrize("shown", ["animal/dog", "animal", "hound"])
def test_a_deleted_tag_disappears(driver: WindowDriver, tree: TagTree, shown: str) -> None:
    driver.navigator.show_tag(shown)
    driver.wait_until_idle("its photos")
    assert driver.session.grid.rowCount() in (2, 3)
    choose(tree, "animal")
    QTest.keyClick(tree, Key.Key_Delete)
    QTest.keyClick(dialog_of(driver, DeleteTagDialog), Key.Key_Return)
    driver.wait_until_idle("deleting")
    assert driver.navigator.shown_tag == (None if shown.startswith("animal") else shown)
    assert driver.session.grid.rowCount() == (32 if shown.startswith("animal") else 3)
    driver.session.editor.undo()
    driver.wait_until_idle("undo")
    driver.navigator.show_tag(shown)
    driver.wait_until_idle("its photos again")
    driver.session.editor.redo()
    driver.wait_until_idle("redo")
    assert driver.navigator.shown_tag == (None if shown.startswith("animal") else shown)


def test_the_name_of_another_tag_offers_to_merge(driver: WindowDriver, tree: TagTree) -> None:
    choose(tree, "sea")
    QTest.keyClick(tree, Key.Key_F2)
    renaming = dialog_of(driver, EditTagDialog)
    assert not renaming.merge_button.isVisible()
    QTest.keyClicks(renaming.name_field, "hound")
    QTest.keyClick(renaming.name_field, Key.Key_Return)
    driver.wait_until(renaming.merge_button.isVisible, "the offer")
    assert "merge sea into it" in renaming.problem_label.text()
    QTest.keyClicks(renaming.name_field, "s")
    assert not renaming.merge_button.isVisible(), "there is no tag with this name to merge with"
    assert not renaming.problem_label.isVisible()
    assert renaming.do_button.isEnabled()
    QTest.keyClick(renaming.name_field, Key.Key_Backspace)
    QTest.keyClick(renaming.name_field, Key.Key_Return)
    driver.wait_until(renaming.merge_button.isVisible, "the offer")
    QTest.keyClick(renaming.name_field, Key.Key_Return)
    merging = dialog_of(driver, MergeTagsDialog)
    assert merging.into_field.text() == "hound"
    assert names(tree)["sea"] == 1
    QTest.keyClick(merging.into_field, Key.Key_Return)
    driver.wait_until_idle("merging")
    assert names(tree) == {"animal": 2, "animal/dog": 2, "hound": 4}
    driver.session.editor.undo()
    driver.wait_until_idle("undo")
    assert names(tree) == {"animal": 2, "animal/dog": 2, "hound": 3, "sea": 1}


def test_a_tag_is_merged_into_an_existing_one(driver: WindowDriver, tree: TagTree) -> None:
    """An incomplete word is a typing error: Enter below its completion would create a tag."""
    driver.session.naming.edit_tag("hound", "hound", ["Hund"])
    driver.wait_until_idle("another name")
    tree.merge_tag("sea")
    dialog = dialog_of(driver, MergeTagsDialog)
    QTest.keyClicks(dialog.into_field, "houn")
    QTest.keyClick(dialog.into_field, Key.Key_Return)
    driver.wait_until(dialog.problem_label.isVisible, "what is wrong")
    assert "There is no tag houn" in dialog.problem_label.text()
    assert "sea" in names(tree)
    dialog.into_field.setText("hund")
    QTest.keyClick(dialog.into_field, Key.Key_Return)
    driver.wait_until_idle("merging")
    assert names(tree) == {"animal": 2, "animal/dog": 2, "hound": 4}
    tree.merge_tag("hound", "animal")
    dialog = dialog_of(driver, MergeTagsDialog)
    QTest.keyClick(dialog.into_field, Key.Key_Return)
    driver.wait_until_idle("merging")
    assert names(tree) == {"animal": 6, "animal/dog": 2}, "a tag may exist only as a parent"


def test_the_shown_tag_stays_marked_after_the_menu_of_another(driver: WindowDriver, tree: TagTree) -> None:
    driver.navigator.show_tag("hound")
    driver.wait_until_idle("the tag")
    model = tree.model()
    assert isinstance(model, CountTreeModel)
    place = tree.visualRect(model.find("sea")).center()
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.RightButton, pos=place)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, tree.viewport().mapToGlobal(place))
    QApplication.sendEvent(tree.viewport(), event)
    driver.wait_until(lambda: QApplication.activePopupWidget() is not None, "the menu")
    assert tree.currentIndex().data(TreeRole.KEY) == "sea", "the menu's tag is current"
    menu = QApplication.activePopupWidget()
    assert menu is not None
    QTest.keyClick(menu, Key.Key_Escape)
    assert tree.currentIndex().data(TreeRole.KEY) == "hound"


def test_a_tag_dropped_on_another_becomes_its_child(driver: WindowDriver, tree: TagTree) -> None:
    assert drop(tree, tag_data("sea"), "animal")
    driver.wait_until_idle("moving")
    assert names(tree) == {"animal": 3, "animal/dog": 2, "animal/sea": 1, "hound": 3}
    assert drop(tree, tag_data("animal/sea"), "")
    driver.wait_until_idle("moving")
    assert "sea" in names(tree)
    assert not drop(tree, tag_data("animal"), "animal/dog")
    assert not drop(tree, tag_data("animal"), "animal")
    assert driver.session.library.journal.undo_label() == "Rename tag: animal/sea to sea"


@pytest.mark.slow
@pytest.mark.parametrize("shown", ["hound", "animal"])
def test_the_grid_follows_a_merge_and_its_undo(driver: WindowDriver, tree: TagTree, shown: str) -> None:
    """For the merged tag as well as for the one that remains."""
    counts = {"hound": 3, "animal": 2}
    choose(tree, shown)
    QTest.keyClick(tree, Key.Key_Return)
    driver.wait_until_idle("its photos")
    assert driver.session.grid.rowCount() == counts[shown]
    tree.merge_tag("hound", "animal")
    QTest.keyClick(dialog_of(driver, MergeTagsDialog), Key.Key_Return)
    driver.wait_until_idle("merging")
    assert driver.navigator.shown_tag == "animal"
    assert driver.session.grid.rowCount() == 5
    # after a dialog, the offscreen window is inactive and receives no keys
    actions = driver.window.window_actions.by_name
    actions["undo"].trigger()
    driver.wait_until_idle("undo")
    assert names(tree) == {"animal": 2, "animal/dog": 2, "hound": 3, "sea": 1}
    assert driver.navigator.shown_tag == shown
    assert driver.session.grid.rowCount() == counts[shown]
    actions["redo"].trigger()
    driver.wait_until_idle("redo")
    assert driver.navigator.shown_tag == "animal"
    assert driver.session.grid.rowCount() == 5


@pytest.mark.slow
def test_shift_merges_after_a_question(driver: WindowDriver, tree: TagTree) -> None:
    assert drop(tree, tag_data("hound"), "animal/dog", shift=True)
    dialog = dialog_of(driver, MergeTagsDialog)
    assert dialog.into_field.text() == "animal/dog"
    assert names(tree)["hound"] == 3
    QTest.keyClick(dialog.into_field, Key.Key_Return)
    driver.wait_until_idle("merging")
    assert names(tree) == {"animal": 5, "animal/dog": 5, "sea": 1}


def test_dropping_on_a_used_name_asks(driver: WindowDriver, tree: TagTree) -> None:
    driver.session.editor.tag(driver.session.grid.ids[6:7].tolist(), ["dog"])
    driver.wait_until_idle("tagging")
    assert drop(tree, tag_data("dog"), "animal")
    dialog = dialog_of(driver, MergeTagsDialog)
    assert dialog.into_field.text() == "animal/dog"
    dialog.into_field.setText("dog")
    QTest.keyClick(dialog.into_field, Key.Key_Return)
    assert "into itself" in dialog.problem_label.text()
    dialog.into_field.setText("animal/dog")
    dialog.do_button.click()
    driver.wait_until_idle("merging")
    assert names(tree)["animal/dog"] == 3
    assert "dog" not in names(tree)


def test_the_drop_target_is_marked(driver: WindowDriver, tree: TagTree) -> None:
    model = tree.model()
    assert isinstance(model, CountTreeModel)

    def row() -> QImage:
        pause(20)
        return tree.viewport().grab(tree.visualRect(model.find("sea"))).toImage()

    before = row()
    place = tree.visualRect(model.find("sea")).center()
    data = QMimeData()
    data.setData(PHOTOS_TYPE, b"[3]")
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    tree.dragMoveEvent(QDragMoveEvent(place, Qt.DropAction.CopyAction, data, left, none))
    assert row() != before
    tree.dragLeaveEvent(QDragLeaveEvent())
    assert row() == before
    tree.dragMoveEvent(QDragMoveEvent(place, Qt.DropAction.CopyAction, data, left, none))
    assert drop(tree, data, "sea")
    assert not tree.drop_index.isValid()


def test_dropping_photos_on_a_tag_reports_the_result(driver: WindowDriver, tree: TagTree) -> None:
    ids = driver.session.grid.ids.tolist()  # the sixth carries sea

    def message_of(*photos: int) -> str:
        data = QMimeData()
        data.setData(PHOTOS_TYPE, json.dumps(photos).encode())
        assert drop(tree, data, "sea")
        driver.wait_until_idle("tagging")
        shown = driver.window.message_bar.message
        return shown.text if shown is not None else ""

    assert message_of(ids[0], ids[1]) == "2 photos tagged with sea."
    assert message_of(ids[0], *ids[2:6]) == "3 photos tagged with sea. 2 photos already had the tag."
    assert message_of(ids[0], ids[1]) == "Nothing to tag: 2 photos already tagged with sea."
    assert names(tree)["sea"] == 6
    data = QMimeData()
    data.setData(PHOTOS_TYPE, json.dumps(ids[:2]).encode())
    assert not drop(tree, data, "")


def test_the_menu_of_a_tag_offers_its_actions(driver: WindowDriver, tree: TagTree) -> None:
    titles = [action.text() for action in tree.menu_for("animal/dog").actions() if not action.isSeparator()]
    assert titles == [
        "Show photos",
        "Add to the selected photos",
        "Rename, other names…",
        "Move to the top level",
        "Merge into…",
        "Delete…",
    ]
    enabled = {action.text(): action.isEnabled() for action in tree.menu_for("sea").actions()}
    assert not enabled["Move to the top level"]
    assert not enabled["Add to the selected photos"]
    tree.move_tag("animal/dog", "")
    driver.wait_until_idle("moving")
    assert "dog" in names(tree)


def test_a_filter_of_the_tree_keeps_parents_and_the_current_entry(driver: WindowDriver, tree: TagTree) -> None:
    model = tree.model()
    tree.show_only("dog")
    rows = {model.index(row, 0).data(TreeRole.KEY): tree.isRowHidden(row, QModelIndex()) for row in range(3)}
    assert rows == {"animal": False, "hound": True, "sea": True}
    tree.show_only("")
    tree.setCurrentIndex(model.index(2, 0))
    tree.go_to_first()
    assert tree.currentIndex().data(TreeRole.KEY) == "sea"
    session = driver.session
    changes = session.library.tags.change(session.grid.ids.tolist()[:1], ["wolf"])
    session.navigator.show_tag("wolf")
    driver.wait_until_idle("its photos")
    assert not tree.currentIndex().isValid()
    session.feed.publish(changes)
    driver.wait_until_idle("its name")
    assert tree.currentIndex().data(TreeRole.KEY) == "wolf", "a tag loaded after its photos is marked"


def test_a_search_is_saved_from_the_field_shown_renamed_and_deleted(driver: WindowDriver, tree: TagTree) -> None:
    searches, search = driver.window.sidebar.search_tree, driver.window.sidebar.search
    assert not search.save_action.isVisible()
    driver.press(Key.Key_F, CTRL)
    driver.type("tag:hound  or tag:sea")
    assert search.save_action.isVisible()
    search.save_action.trigger()
    dialog = dialog_of(driver, SearchNameDialog)
    assert dialog.name_field.text() == "tag:hound or tag:sea"
    QTest.keyClicks(dialog.name_field, "Wet dogs")
    QTest.keyClick(dialog.name_field, Key.Key_Return)
    driver.wait_until(lambda: searches.model().rowCount() == 1, "the search")
    index = searches.model().index(0, 0)
    driver.wait_until(lambda: index.data(TreeRole.COUNT) == 4, "its count")
    assert index.data() == "Wet dogs"
    driver.wait_until_idle("the filter")
    assert searches.currentIndex().row() == 0, "the current search is selected"

    driver.navigator.show_tag("sea")
    driver.wait_until_idle("the tag")
    assert not searches.selectionModel().hasSelection()
    QTest.mouseClick(searches.viewport(), Qt.MouseButton.LeftButton, pos=searches.visualRect(index).center())
    driver.wait_until_idle("the search")
    assert driver.session.grid.rowCount() == 4

    searches.setFocus()
    QTest.keyClick(searches, Key.Key_F2)
    dialog = dialog_of(driver, SearchNameDialog)
    QTest.keyClicks(dialog.name_field, "Dogs")
    QTest.keyClick(dialog.name_field, Key.Key_Return)
    driver.wait_until(lambda: searches.model().index(0, 0).data() == "Dogs", "the new name")
    searches.setCurrentIndex(searches.model().index(0, 0))
    QTest.keyClick(searches, Key.Key_Delete)
    driver.wait_until(lambda: not searches.model().rowCount(), "its end")
    for count, name in ((1, "Dogs"), (1, "Wet dogs"), (0, None)):
        driver.session.editor.undo()
        driver.wait_until_idle("undo")
        assert searches.model().rowCount() == count
        assert name is None or searches.model().index(0, 0).data() == name


def test_a_saved_search_is_replaced_only_after_a_question(driver: WindowDriver, tree: TagTree) -> None:
    driver.session.naming.save_search("Sea", "tag:sea")
    driver.wait_until_idle("saving")
    driver.window.sidebar.search.setText("tag:hound")
    driver.window.sidebar.search.save()
    dialog = dialog_of(driver, SearchNameDialog)
    dialog.name_field.setText("Sea")
    dialog.do_button.click()
    assert "replace" in dialog.problem_label.text()
    dialog.do_button.click()
    driver.wait_until_idle("saving")
    assert [one.query for one in driver.session.sidebar.searches.searches] == ["tag:hound"]


def test_counts_of_searches_are_updated_and_a_broken_search_is_faint(driver: WindowDriver, tree: TagTree) -> None:
    searches = driver.window.sidebar.search_tree
    driver.session.naming.save_search("Sea", "tag:sea")
    driver.session.naming.save_search("Near", "similar:nothing.jpg")
    driver.wait_until(lambda: searches.model().rowCount() == 2, "the searches")
    driver.wait_until(lambda: bool(searches.model().index(0, 0).data(TreeRole.FAINT)), "the one that finds nothing")
    assert "No photo is called nothing.jpg" in searches.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    driver.session.editor.tag(driver.session.grid.ids[8:10].tolist(), ["sea"])
    driver.wait_until(lambda: searches.model().index(1, 0).data(TreeRole.COUNT) == 3, "the new count")


def test_an_error_in_the_filter_is_shown_below_the_field(driver: WindowDriver, tree: TagTree) -> None:
    field = driver.window.sidebar.search
    driver.press(Key.Key_F, CTRL)
    driver.type("(tag:sea or")
    driver.wait_until(lambda: field.message is not None and field.message.isVisible(), "the words")
    assert field.message is not None
    assert "or needs a term after it" in field.message.text()
    assert field.accessibleDescription() == field.message.text()
    top = field.mapTo(driver.window, field.rect().bottomLeft()).y()
    assert field.message.geometry().top() >= top
    assert driver.window.rect().contains(field.message.geometry())
    assert not field.save_action.isVisible()
    driver.type(" untagged)")
    assert not field.message.isVisible()
    driver.wait_until(lambda: driver.session.grid.rowCount() == 32 - 5, "the filter")
    driver.type(" -")
    driver.wait_until(field.message.isVisible, "the words")
    driver.press(Key.Key_Return)
    driver.wait_until_idle("the filter")
    assert field.hasFocus(), "Enter returns to the error; photos would have the focus below a field without a message"
    driver.press(Key.Key_Escape)
    assert not field.message.isVisible()


def test_renaming_a_tag_keeps_its_photos_visible(driver: WindowDriver, tree: TagTree) -> None:
    session = driver.session
    session.navigator.show_tag("hound")
    driver.wait_until_idle("the tag")
    shown = session.grid.ids.tolist()
    assert len(shown) == 3
    for number, name in enumerate(("animal/hound", "dogs")):
        if number:
            session.naming.edit_tag("animal/hound", name, ["chien"])
        else:
            session.naming.rename_tag("hound", name)
        driver.wait_until_idle("renaming")
        assert session.navigator.shown_tag == name
        assert session.grid.ids.tolist() == shown
        assert tree.currentIndex().data(TreeRole.KEY) == name
    session.naming.merge_tags(["dogs"], "sea")
    driver.wait_until_idle("merging")
    assert session.navigator.shown_tag == "sea"
    assert len(session.grid.ids) == 4
    session.naming.rename_tag("animal/dog", "dog")
    driver.wait_until_idle("renaming another one")
    assert session.navigator.shown_tag == "sea"


def test_undo_and_redo_of_a_rename_or_merge_keep_the_photos_visible(driver: WindowDriver, tree: TagTree) -> None:
    session = driver.session
    session.navigator.show_tag("hound")
    driver.wait_until_idle("the tag")
    shown = session.grid.ids.tolist()
    session.naming.edit_tag("hound", "animal/hound", ["chien"])
    driver.wait_until_idle("renaming")
    for step, name in ((session.editor.undo, "hound"), (session.editor.redo, "animal/hound")):
        step()
        driver.wait_until_idle("a step of undo")
        assert session.navigator.shown_tag == name
        assert session.grid.ids.tolist() == shown
        assert tree.currentIndex().data(TreeRole.KEY) == name
    session.navigator.show_tag("sea")
    driver.wait_until_idle("another tag")
    session.editor.undo()
    driver.wait_until_idle("a step of undo")
    assert session.navigator.shown_tag == "sea", "the tag is filtered out of the list"
    session.naming.merge_tags(["hound"], "sea")
    driver.wait_until_idle("merging")
    session.editor.undo()
    driver.wait_until_idle("a step of undo")
    assert session.navigator.shown_tag == "sea", "it remained in the merger"
    assert len(session.grid.ids) == 1
