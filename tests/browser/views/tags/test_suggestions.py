# SPDX-License-Identifier: MIT
"""`A` and `X` answer only suggestions of the selection, or the current and visible one."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from focal_photos.browser.catalog.facts.records import Suggestion, SuggestionState, TagSource
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.tagging.suggestion_model import MOST_SHOWN, SuggestionRow, read_suggestions
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.operations.album import Album
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import teach

Key = Qt.Key


def suggest(driver: WindowDriver, tags: dict[int, list[str]], confidence: float = 0.6) -> None:
    """Add suggestions: rows of the grid, with tags of the library."""
    library, ids = driver.session.library, driver.session.grid.ids
    names = sorted({tag for each in tags.values() for tag in each})
    library.tags.change([int(ids[-1])], names)
    found = [
        Suggestion(int(ids[row]), tag, confidence - place / 100, SuggestionState.OPEN, (int(ids[-1]),))
        for row, each in tags.items()
        for place, tag in enumerate(each)
    ]
    library.suggestions.replace_open(found, library.metrics.current().id)
    driver.session.feed.publish(ChangeSet("", frozenset({Kind.TAGS, Kind.SUGGESTIONS})))
    driver.wait_until_idle("the suggestions")


def tags_of(driver: WindowDriver, row: int) -> list[str]:
    photo_id = driver.session.grid.photo_id(row)
    return driver.session.library.tags.of([photo_id])[photo_id]


def test_an_answer_applies_to_the_whole_selection(driver: WindowDriver) -> None:
    suggest(driver, {row: ["sea"] if row % 2 else ["sea", "sky"] for row in range(8)})
    driver.click(0, CTRL)
    driver.click(4, SHIFT)
    driver.wait_until_idle("the selection")
    model = driver.session.tagging.suggestions
    assert [(model.row(row).suggestion.tag, len(model.row(row).photo_ids)) for row in range(model.rowCount())] == [
        ("sea", 5),
        ("sky", 3),
    ]
    driver.press(Key.Key_A)
    driver.wait_until_idle("accepting")
    assert [tags_of(driver, row) for row in range(6)] == [["sea"]] * 5 + [[]]
    driver.press(Key.Key_X)
    driver.wait_until_idle("rejecting")
    assert len(driver.session.library.suggestions.rejected_pairs()) == 3
    assert model.rowCount() == 0
    driver.press(Key.Key_Z, CTRL)
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("undo")
    assert [tags_of(driver, row) for row in range(5)] == [[]] * 5, "each answer is one step"


def test_a_new_selection_lists_its_own_suggestions(driver: WindowDriver) -> None:
    suggest(driver, {0: ["sea"], 3: ["sky"]})
    driver.session.tagging.suggestions.show(everywhere=True)
    driver.wait_until_idle("all suggestions")
    assert driver.session.tagging.suggestions.rowCount() == 2
    driver.click(3, CTRL)
    driver.wait_until_idle("the selection")
    assert not driver.session.tagging.suggestions.everywhere
    driver.press(Key.Key_A)
    driver.wait_until_idle("accepting")
    assert (tags_of(driver, 0), tags_of(driver, 3)) == ([], ["sky"])


def test_suggestions_of_all_photos_are_listed_surest_first(driver: WindowDriver) -> None:
    library, ids = driver.session.library, driver.session.grid.ids.tolist()
    library.tags.change(ids[-1:], ["sea", "sky"])
    sure = {(0, "sea"): 0.8, (0, "sky"): 0.18, (1, "sea"): 0.17, (2, "sky"): 0.79, (3, "sea"): 0.9}
    found = [Suggestion(ids[row], tag, how, SuggestionState.OPEN, ()) for (row, tag), how in sure.items()]
    library.suggestions.replace_open(found, library.metrics.current().id)
    driver.session.feed.publish(ChangeSet("", frozenset({Kind.TAGS, Kind.SUGGESTIONS})))
    driver.window.right_column.suggestions.of_all.click()
    driver.wait_until_idle("all suggestions")
    model = driver.session.tagging.suggestions
    shown = [model.row(row).suggestion for row in range(model.rowCount())]
    assert [each.confidence for each in shown] == [0.9, 0.8, 0.79, 0.18, 0.17]
    assert [(ids.index(each.photo_id), each.tag) for each in shown[:2]] == [(3, "sea"), (0, "sea")]


def test_suggestions_of_a_removed_folder_are_not_listed(own_photos: WindowDriver, tmp_path: Path) -> None:
    driver = own_photos
    library, kept = driver.session.library, driver.session.grid.ids.tolist()
    Album(tmp_path / "away").draw_many(6, kind="cold")
    driver.window.dialogs.open_folders([tmp_path / "away"])
    driver.wait_until_idle("indexing", 120)
    away = sorted(set(library.photos.ids().tolist()) - set(kept))
    names = [f"tag {number}" for number in range(100)]
    library.tags.change(kept[-1:], names)
    found = [Suggestion(photo_id, name, 0.9, SuggestionState.OPEN, ()) for photo_id in away for name in names]
    found += [Suggestion(kept[0], names[0], 0.1, SuggestionState.OPEN, ())]
    assert len(away) * len(names) > MOST_SHOWN, "the first batch holds only photos of that folder"
    library.suggestions.replace_open(found, library.metrics.current().id)
    [root] = [root for root in library.roots.all() if root.path == tmp_path / "away"]
    driver.session.feed.publish(library.roots.remove(root.id))
    driver.window.right_column.suggestions.of_all.click()
    driver.wait_until_idle("all suggestions")
    model = driver.session.tagging.suggestions
    assert [model.row(row).pair for row in range(model.rowCount())] == [(kept[0], names[0])]


def test_answering_a_selection_first_lists_its_suggestions(driver: WindowDriver) -> None:
    suggest(driver, {0: ["sea"], 3: ["sky"]})
    driver.click(3, CTRL)
    driver.wait_until_idle("the selection")
    driver.window.right_column.suggestions.of_all.click()
    driver.wait_until_idle("all suggestions")
    driver.press(Key.Key_A)
    driver.wait_until_idle("the suggestions of the selection")
    assert [tags_of(driver, row) for row in (0, 3)] == [[], []], "only listed suggestions are answered"
    driver.press(Key.Key_A)
    driver.wait_until_idle("accepting")
    assert [tags_of(driver, row) for row in (0, 3)] == [[], ["sky"]]


def test_an_invisible_suggestion_is_shown_before_it_is_answered(driver: WindowDriver) -> None:
    suggest(driver, {row: ["sea"] for row in range(24)})
    driver.session.tagging.suggestions.show(everywhere=True)
    driver.wait_until_idle("all suggestions")
    listed = driver.window.right_column.suggestions.list
    assert listed.currentIndex().row() == 0
    listed.verticalScrollBar().setValue(listed.verticalScrollBar().maximum())
    driver.grid.setFocus()
    driver.press(Key.Key_A)
    driver.wait_until_idle("nothing")
    assert tags_of(driver, 0) == []
    assert listed.current_is_seen
    driver.press(Key.Key_A)
    driver.wait_until_idle("accepting")
    assert tags_of(driver, 0) == ["sea"]


def test_hidden_suggestions_are_not_answered(driver: WindowDriver) -> None:
    suggest(driver, {0: ["sea"]})
    driver.click(0, CTRL)
    driver.wait_until_idle("the selection")
    driver.window._columns.setSizes([200, 1000, 0])
    driver.press(Key.Key_A)
    driver.wait_until_idle("nothing")
    assert tags_of(driver, 0) == []
    assert "suggestions are hidden" in driver.message_text


def test_the_list_of_another_selection_is_not_answered(driver: WindowDriver) -> None:
    suggest(driver, {0: ["sea"], 1: ["sky"]})
    driver.click(0, CTRL)
    driver.wait_until_idle("the selection")
    # the list still shows the suggestions of the first photo
    driver.session.navigator.select((driver.session.grid.photo_id(1),))
    driver.window.right_column.suggestions.answer_current(accept=True)
    driver.wait_until_idle("nothing")
    assert [tags_of(driver, row) for row in (0, 1)] == [[], []]


def test_the_current_suggestion_stays_when_the_list_is_read_again(driver: WindowDriver) -> None:
    suggest(driver, {row: ["sea"] for row in range(10)})
    driver.session.tagging.suggestions.show(everywhere=True)
    driver.wait_until_idle("all suggestions")
    listed, model = driver.window.right_column.suggestions.list, driver.session.tagging.suggestions
    listed.make_current(4)
    following = model.row(5).pair
    driver.press(Key.Key_A)
    driver.wait_until_idle("accepting")
    current = listed.current_row()
    assert current is not None
    assert (current.pair, listed.currentIndex().row()) == (following, 4)


def test_an_answer_settles_excluded_tags(driver: WindowDriver) -> None:
    ids = [int(photo_id) for photo_id in driver.session.grid.ids]
    driver.session.library.tags.change(ids[20:22], ["cat"])
    driver.session.library.tags.change(ids[22:24], ["boat"])
    found = [Suggestion(ids[0], tag, 0.5, SuggestionState.OPEN, ()) for tag in ("boat", "cat")]
    driver.session.library.suggestions.replace_open(found, 1)
    driver.session.feed.publish(ChangeSet("", frozenset({Kind.TAGS, Kind.SUGGESTIONS})))
    driver.click(0, CTRL)
    driver.wait_until_idle("the suggestions")
    assert driver.session.tagging.suggestions.rowCount() == 2
    driver.press(Key.Key_A)
    # at once, for the competing tag that is about to be settled
    driver.window.right_column.suggestions.answer_current(accept=True)
    driver.wait_until_idle("accepting")
    assert tags_of(driver, 0) == ["boat"]
    assert driver.session.tagging.suggestions.rowCount() == 0


@pytest.mark.slow
def test_the_list_follows_retrain_and_marks_suggestions_of_an_older_metric(driver: WindowDriver) -> None:
    teach(driver)
    driver.press(Key.Key_G)
    driver.press(Key.Key_G, CTRL)
    driver.wait_until_idle("suggesting")
    model, library = driver.session.tagging.suggestions, driver.session.library
    assert model.rowCount()
    assert not any(model.row(row).stale for row in range(model.rowCount()))
    driver.press(Key.Key_R, CTRL)
    driver.wait_until_idle("training, and suggesting again")
    rows = [model.row(row) for row in range(model.rowCount())]
    assert {row.suggestion.metric_id for row in rows} == {library.metrics.current().id} != {1}
    assert not any(row.stale for row in rows)
    library.metrics.set_current(1)
    older = read_suggestions(library, driver.session.ranker, None)
    assert older
    assert all(row.stale for row in older)


def test_the_hint_to_tag_photos_is_hidden_if_all_are_tagged(driver: WindowDriver) -> None:
    panel, session = driver.window.right_column.suggestions, driver.session
    session.editor.tag(session.grid.ids.tolist()[1:], ["sea"])
    driver.click(0)
    driver.wait_until_idle("tagging")
    assert panel._empty.text().startswith("Tag a few photos of each kind")
    session.editor.tag(session.grid.ids.tolist()[:1], ["sea"])
    driver.wait_until_idle("tagging")
    assert panel._empty.isVisible()
    assert panel._empty.text().startswith("Every photo has a tag.")


@pytest.mark.slow
def test_the_hint_to_tag_photos_is_hidden_if_kinds_are_tagged(driver: WindowDriver) -> None:
    teach(driver)
    panel, session = driver.window.right_column.suggestions, driver.session
    assert panel._empty.isVisible()
    assert panel._empty.text().startswith("Ctrl+G suggests tags")
    said: list[str] = []
    session.notices.posted.connect(lambda message: said.append(message.text))
    photo_id = int(session.library.photos.ids("tagged")[0])
    session.editor.tag([photo_id], [tag.name for tag in session.library.tags.all()])
    driver.wait_until_idle("tagging")
    session.jobs.suggesting.suggest([photo_id])
    driver.wait_until_idle("suggesting")
    assert len(said) == 1
    assert said[0].startswith("No further tag is likely for the selection.")


def test_tags_from_other_programs_count_too(driver: WindowDriver) -> None:
    library = driver.session.library
    ids = driver.session.grid.ids.tolist()
    library.tags.give({ids[0]: ["sea"], ids[1]: ["sky"]}, TagSource.IMPORT)
    driver.session.feed.publish(ChangeSet("", frozenset({Kind.TAGS})))
    driver.wait_until_idle("the tags")
    assert driver.window.right_column.suggestions._empty.text().startswith("Ctrl+G suggests tags")


def test_the_current_suggestion_stays_current_when_others_are_inserted(driver: WindowDriver) -> None:
    suggest(driver, {0: ["sea", "sky"]})
    driver.click(0)
    driver.wait_until_idle("the selection")
    listed, model = driver.window.right_column.suggestions.list, driver.session.tagging.suggestions
    listed.make_current(1)
    current = listed.current_row()
    assert current is not None
    rows = [model.row(row) for row in range(model.rowCount())]
    model.show_rows(rows[::-1])
    assert listed.current_row() == current
    model.show_rows(rows[:1])
    assert listed.currentIndex().row() == 0, "the next suggestion replaces it as current"


def current(driver: WindowDriver) -> SuggestionRow:
    row = driver.window.right_column.suggestions.list.current_row()
    assert row is not None
    return row


def supporter_spot(driver: WindowDriver, number: int) -> QPoint:
    """Return where a supporting neighbour of the current suggestion is painted, by testing each point of its row."""
    listed = driver.window.right_column.suggestions.list
    rect = listed.visualRect(listed.currentIndex())
    wanted = current(driver).supporters[number]
    found = [
        QPoint(x, y)
        for x in range(rect.left(), rect.right(), 4)
        for y in range(rect.top(), rect.bottom(), 4)
        if listed._supporter_at(QPointF(x, y)) == wanted
    ]
    assert found
    return found[len(found) // 2]


@pytest.fixture
def seen(driver: WindowDriver) -> WindowDriver:
    """Return a window in which sea is suggested for the first photo, supported by two others."""
    ids = driver.session.grid.ids.tolist()
    suggest(driver, {0: ["sea"]})
    driver.session.editor.tag(ids[-2:], ["sea"])
    driver.session.editor.tag(ids[-2:-1], ["sky"])
    library = driver.session.library
    found = Suggestion(ids[0], "sea", 0.6, SuggestionState.OPEN, (ids[-1], ids[-2]))
    library.suggestions.replace_open([found], library.metrics.current().id)
    driver.session.feed.publish(ChangeSet("", frozenset({Kind.TAGS, Kind.SUGGESTIONS})))
    driver.click(0)
    driver.wait_until_idle("the selection")
    assert [card.photo.id for card in current(driver).supporters] == [ids[-1], ids[-2]]
    return driver


def test_a_digit_removes_the_tag_from_a_supporting_neighbour(seen: WindowDriver) -> None:
    ids, popup = seen.session.grid.ids.tolist(), seen.window.right_column.suggestions.supporters
    for key in (Key.Key_W, Key.Key_Escape):
        seen.press(Key.Key_W)
        seen.wait_until(popup.isVisible, "what speaks for it")
        QTest.keyClick(popup, key)
        assert not popup.isVisible()
    assert seen.session.library.tags.of(ids[-1:]) == {ids[-1]: ["sea"]}
    seen.press(Key.Key_W)
    seen.wait_until(popup.isVisible, "what speaks for it")
    assert [card.photo.id for card in popup.strip.cards] == [ids[-1], ids[-2]]
    assert QApplication.activePopupWidget() is popup
    QTest.keyClick(popup, Key.Key_9)
    assert popup.isVisible(), "there are two suggestions"
    QTest.keyClick(popup, Key.Key_2)
    assert not popup.isVisible()
    seen.wait_until_idle("taking the tag off")
    tags = seen.session.library.tags.of(ids[-2:])
    assert tags == {ids[-2]: ["sky"], ids[-1]: ["sea"]}
    assert [card.photo.id for card in current(seen).supporters] == [ids[-1]], "the neighbour no longer supports it"
    seen.press(Key.Key_Z, CTRL)
    seen.wait_until_idle("undo")
    assert seen.session.library.tags.of(ids[-2:])[ids[-2]] == ["sea", "sky"]
    assert len(current(seen).supporters) == 2


def test_a_supporting_neighbour_is_opened(seen: WindowDriver) -> None:
    ids, popup = seen.session.grid.ids.tolist(), seen.window.right_column.suggestions.supporters
    seen.press(Key.Key_W)
    seen.wait_until(popup.isVisible, "what speaks for it")
    QTest.keyClick(popup, Key.Key_1, CTRL)
    assert not popup.isVisible()
    seen.wait_until_idle("the ranking")
    assert seen.session.navigator.focal_id == ids[-1]
    assert seen.session.library.tags.of(ids[-1:]) == {ids[-1]: ["sea"]}


def test_a_double_click_opens_a_supporting_neighbour(seen: WindowDriver) -> None:
    ids, listed = seen.session.grid.ids.tolist(), seen.window.right_column.suggestions.list
    spot = supporter_spot(seen, 1)
    QTest.mouseMove(listed.viewport(), spot + QPoint(40, 0))
    QTest.mouseMove(listed.viewport(), spot)
    QTest.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert seen.session.navigator.focal_id != ids[-2]
    QTest.mouseDClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    seen.wait_until_idle("the ranking")
    assert seen.session.navigator.focal_id == ids[-2]


def menu_of(driver: WindowDriver, at: QPoint, reason: QContextMenuEvent.Reason) -> QMenu:
    listed = driver.window.right_column.suggestions.list
    event = QContextMenuEvent(reason, at, listed.viewport().mapToGlobal(at))
    QApplication.sendEvent(listed.viewport(), event)
    driver.wait_until(lambda: QApplication.activePopupWidget() is not None, "the menu")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def texts(menu: QMenu) -> list[str]:
    return [action.text().replace("&", "") for action in menu.actions() if not action.isSeparator()]


def test_the_menu_of_a_supporting_neighbour_removes_the_tag(seen: WindowDriver) -> None:
    ids = seen.session.grid.ids.tolist()
    first, second = (card.name for card in current(seen).supporters)
    own = current(seen).card.name
    menu = menu_of(seen, supporter_spot(seen, 1), QContextMenuEvent.Reason.Mouse)
    assert texts(menu) == [
        f"Remove sea from {second}",
        f"Set {second} as focal image",
        "Accept",
        "Reject",
        f"Set {own} as focal image",
        "Why this tag?",
        first,
    ]
    menu.actions()[0].trigger()
    menu.close()
    seen.wait_until_idle("taking the tag off")
    assert seen.session.library.tags.of(ids[-2:]) == {ids[-2]: ["sky"], ids[-1]: ["sea"]}


def test_the_menu_by_key_lists_every_supporting_neighbour(seen: WindowDriver) -> None:
    ids, listed = seen.session.grid.ids.tolist(), seen.window.right_column.suggestions.list
    names = [card.name for card in current(seen).supporters]
    own = current(seen).card.name
    listed.setFocus()
    menu = menu_of(seen, QPoint(0, 0), QContextMenuEvent.Reason.Keyboard)
    assert texts(menu) == ["Accept", "Reject", f"Set {own} as focal image", "Why this tag?", *names]
    of_first = menu.actions()[-2].menu()
    assert isinstance(of_first, QMenu)
    assert texts(of_first) == [f"Remove sea from {names[0]}", f"Set {names[0]} as focal image"]
    of_first.actions()[1].trigger()
    menu.close()
    seen.wait_until_idle("the ranking")
    assert seen.session.navigator.focal_id == ids[-1]


@pytest.mark.slow
def test_a_read_only_library_offers_no_removal(open_window: OpenWindow, seen: WindowDriver) -> None:
    folder = seen.session.library.path
    seen.window.close()
    driver = open_window(folder, read_only=True)
    driver.session.tagging.suggestions.show(everywhere=True)
    driver.wait_until_idle("all suggestions")
    panel, ids = driver.window.right_column.suggestions, driver.session.grid.ids.tolist()
    panel.list.make_current(0)
    menu = panel.menu(current(driver), current(driver).supporters[0])
    assert not [text for text in texts(menu) if text.startswith(("Take", "Accept", "Reject"))]
    panel.list.setFocus()
    driver.press(Key.Key_W)
    driver.wait_until(panel.supporters.isVisible, "what speaks for it")
    QTest.keyClick(panel.supporters, Key.Key_1)
    driver.wait_until_idle("the ranking")
    assert driver.session.navigator.focal_id == ids[-1]
    assert driver.session.library.tags.of(ids[-1:]) == {ids[-1]: ["sea"]}


def test_without_a_suggestion_there_are_no_supporting_neighbours(driver: WindowDriver) -> None:
    driver.press(Key.Key_W)
    driver.wait_until_idle("nothing")
    assert not driver.window.right_column.suggestions.supporters.isVisible()
    assert "No suggestion here" in driver.message_text
