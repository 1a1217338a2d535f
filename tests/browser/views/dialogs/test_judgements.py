# SPDX-License-Identifier: MIT
"""The list of judgements: opened from the counters and the sidebar, changed and cleared."""

from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from focal_photos.browser.catalog.facts.records import Relation, Verdict
from focal_photos.browser.views.dialogs.judgements_dialog import JudgementsDialog
from focal_photos.browser.walkthrough.window_driver import SHIFT, WindowDriver
from tests.browser.views.window_steps import walk_to

Key = Qt.Key


@pytest.fixture
def judged(driver: WindowDriver) -> WindowDriver:
    """Two photos are similar to the focal image, one is not, and one pair has another focal image."""
    library, ids = driver.session.library, driver.session.grid.ids.tolist()
    library.judgements.set(ids[0], ids[1:3], Verdict.SIMILAR)
    library.judgements.set(ids[0], [ids[3]], Verdict.DISSIMILAR)
    driver.session.editor.judge([ids[5]], [ids[6]], Verdict.SIMILAR)
    driver.wait_until_idle("the judgements")
    driver.walk(0)
    driver.wait_until_idle("the ranking")
    return driver


def opened(driver: WindowDriver) -> JudgementsDialog:
    driver.wait_until_idle("the dialog")
    (dialog,) = (one for one in QApplication.topLevelWidgets() if isinstance(one, JudgementsDialog) and one.isVisible())
    return dialog


def verdicts(dialog: JudgementsDialog) -> list[Verdict | Relation | None]:
    return [pair.verdict for pair in dialog.model.pairs]


@pytest.mark.slow
@pytest.mark.parametrize(("badge", "verdict", "count"), [("_similar", "similar", 2), ("_dissimilar", "dissimilar", 1)])
def test_a_click_on_a_counter_lists_the_judgements_it_counts(
    judged: WindowDriver, badge: str, verdict: str, count: int
) -> None:
    QTest.mouseClick(getattr(judged.window.photos.focal_panel, badge), Qt.MouseButton.LeftButton)
    dialog = opened(judged)
    assert verdicts(dialog) == [Verdict(verdict)] * count
    assert {pair.focal for pair in dialog.model.pairs} == {judged.navigator.focal_id}
    dialog.focal_box.setCurrentIndex(0)
    dialog.verdict_box.setCurrentIndex(0)
    assert len(dialog.model.pairs) == 4


def test_pictures_that_arrive_after_the_list_is_closed_are_ignored(judged: WindowDriver) -> None:
    judged.window.dialogs.show_judgements(None)
    dialog = opened(judged)
    QTest.keyClick(dialog, Key.Key_Escape)
    judged.wait_until(lambda: not isValid(dialog), "the end of the dialog")
    judged.session.loader.loaded.emit([judged.session.grid.photo_id(0)])


def test_the_sidebar_lists_all_pairs(judged: WindowDriver) -> None:
    tree = judged.window.sidebar.library_tree
    titles = [str(tree.model().index(row, 0).data()) for row in range(tree.model().rowCount())]
    entry = tree.model().index(titles.index("Judged"), 0)
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualRect(entry).center())
    dialog = opened(judged)
    names = {(dialog.model.index(row, 0).data(), dialog.model.index(row, 1).data()) for row in range(4)}
    assert len(names) == 4
    assert all(focal and photo for focal, photo in names)
    assert judged.navigator.focal_id is not None, "the shown ranking stays"


def test_a_judgement_is_changed_removed_and_restored(judged: WindowDriver) -> None:
    library, focal = judged.session.library, cast(int, judged.navigator.focal_id)
    QTest.mouseClick(judged.window.photos.focal_panel._similar, Qt.MouseButton.LeftButton)
    dialog = opened(judged)
    first = dialog.model.pairs[0].photo_id
    for key, verdict in ((Key.Key_D, Verdict.DISSIMILAR), (Key.Key_U, None), (Key.Key_S, Verdict.SIMILAR)):
        QTest.keyClick(dialog.table, key)
        judged.wait_until_idle("the judgement")
        assert library.judgements.of(focal).get(first) is verdict
        assert dialog.model.pairs[0].photo_id == first, "the pair stays in its row"
        assert dialog.model.pairs[0].verdict is verdict
    dialog.table.selectAll()
    QTest.mouseClick(dialog.back_button, Qt.MouseButton.LeftButton)
    judged.wait_until_idle("both taken back")
    assert verdicts(dialog) == [None, None]
    assert judged.navigator.marks == {next(iter(judged.navigator.marks)): Verdict.DISSIMILAR}
    judged.session.editor.undo()
    judged.wait_until_idle("one step of undo")
    assert verdicts(dialog) == [Verdict.SIMILAR] * 2


def test_keys_judge_looks_and_nearness_and_the_list_withdraws_them(driver: WindowDriver) -> None:
    library, focal = driver.session.library, walk_to(driver, 0)
    said: list[str] = []
    driver.session.notices.posted.connect(lambda message: said.append(message.text))
    driver.press(Key.Key_N, SHIFT)
    assert said[-1].startswith("Rank by one focal image and select exactly two photos")
    driver.grid.make_current(2)
    other = driver.session.grid.photo_id(2)
    driver.press(Key.Key_Right, SHIFT)
    current = driver.session.grid.photo_id(3)
    names = [path.name for path in library.photos.paths([current, other])]
    for holds in (True, False, True):
        driver.press(Key.Key_N, SHIFT)
        driver.wait_until_idle("the relative judgement")
        assert library.judged_relations.relative() == [(focal, current, other)] * holds
        text = "{} is nearer than {}." if holds else "No longer judged: {} nearer than {}."
        assert said[-1] == text.format(*names)
    driver.press(Key.Key_L, SHIFT)
    driver.wait_until_idle("the looks")
    assert sorted(library.judged_relations.visual()) == sorted([(focal, current), (focal, other)])
    assert said[-1] == "Looks alike: 2 photos."
    driver.window.dialogs.show_judgements(None)
    dialog = opened(driver)
    assert verdicts(dialog) == [Relation.LOOKS_ALIKE] * 2 + [Relation.NEARER]
    dialog.verdict_box.setCurrentIndex(dialog.verdict_box.count() - 1)
    assert dialog.model.index(0, 2).data() == f"Nearer than {names[1]}"
    assert not dialog.similar_button.isEnabled()
    for holds in (False, True):
        QTest.keyClick(dialog.table, Key.Key_U)
        driver.wait_until_idle("the withdrawal")
        assert len(library.judged_relations.relative()) == holds
        assert verdicts(dialog) == [Relation.NEARER if holds else None]
    driver.session.editor.undo()
    driver.wait_until_idle("the undo")
    assert library.judged_relations.relative() == []
    assert library.judged_relations.count() == 2


def test_judgements_against_a_text_are_listed_too(driver: WindowDriver) -> None:
    photo_id = driver.session.grid.photo_id(0)
    driver.session.library.text_judgements.set("a red boat", [photo_id], Verdict.SIMILAR)
    driver.window.dialogs.show_judgements()
    dialog = opened(driver)
    assert [(pair.focal, pair.photo_id) for pair in dialog.model.pairs] == [("a red boat", photo_id)]
    QTest.keyClick(dialog.table, Key.Key_U)
    driver.wait_until_idle("the judgement")
    assert driver.session.library.text_judgements.all() == []
