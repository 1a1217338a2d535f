# SPDX-License-Identifier: MIT
"""The audit in the real window: by keys, by mouse, undone in one step."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.scope import Scope
from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.models.review.audit import PER_TAG
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver, pause

Key = Qt.Key


class AuditDriver:
    """Drives the audit of a window in which all but three photos are tagged by their folders, one of them wrongly."""

    def __init__(self, driver: WindowDriver) -> None:
        self.driver = driver
        self.library = driver.session.library
        self.audit = driver.session.review_pages.audit
        self.page = driver.window.modes.review_page.audit_page
        photos = self.library.photos.get(driver.session.grid.ids.tolist())
        self.kind = {photo.id: photo.path.parent.name for photo in photos}
        self.kinds = sorted(set(self.kind.values()))
        for kind in self.kinds:
            own = [photo_id for photo_id in self.kind if self.kind[photo_id] == kind]
            self.driver.session.editor.tag(own[:-1], [kind])
        first = next(iter(self.kind))
        self.wrong = first, self.kinds[-1]
        self.driver.session.editor.tag([first], [self.kinds[-1]], [self.kind[first]])
        self.wait()

    def wait(self) -> None:
        self.driver.wait_until_idle("the audit")

    def open(self) -> None:
        """Open Review, and click the button for the audit."""
        self.driver.press(Key.Key_G, CTRL | SHIFT)
        self.wait()
        self.driver.window.modes.review_page.question_page.heading.audit_button.click()
        self.wait()
        self.driver.wait_until(lambda: self.audit.loaded, "the state of the audit")

    def begin(self) -> None:
        """Draw as many photos as possible."""
        self.page._sizes.button(PER_TAG[-1]).click()
        self.page.begin_button.click()
        self.wait()
        self.driver.wait_until(lambda: self.audit.question is not None, "the first question")

    def answer(self) -> None:
        """Answer the current question correctly: Space on wrong answers, then Enter."""
        question = self.audit.question
        assert question is not None
        rows = [
            row
            for row, photo_id in enumerate(question.photo_ids)
            if self.audit.tiles.answers.is_yes(row) != (self.kind[photo_id] == question.tag)
        ]
        at = 0
        for row in rows:
            for _ in range(row - at):
                self.driver.press(Key.Key_Right)
            at = row
            self.driver.press(Key.Key_Space)
        assert len(self.audit.tiles.answers.flipped) == len(rows)
        self.driver.press(Key.Key_Return)
        pause(5)

    def tags(self) -> dict[int, list[str]]:
        return self.library.tags.of(self.kind)


@pytest.fixture
def auditing(driver: WindowDriver) -> AuditDriver:
    found = AuditDriver(driver)
    found.open()
    return found


@pytest.mark.slow
def test_an_audit_of_all_photos_by_keys_is_exact_and_corrects_the_tags(auditing: AuditDriver) -> None:
    assert [chip.property("tag") for chip in auditing.page.tag_buttons if chip.isChecked()] == [
        tag for tag, _ in auditing.audit.tags
    ]
    auditing.begin()
    assert auditing.page.grid.hasFocus()
    steps = 0
    while auditing.audit.question is not None:
        auditing.answer()
        steps += 1
        auditing.wait()
    assert steps < 30
    wrong, given = auditing.wrong
    tags = auditing.tags()
    assert given not in tags[wrong], "an answer that contradicts a tag removes it"
    certificate = auditing.audit.certificate
    assert certificate is not None
    assert {one.tag for one in certificate.tags} == set(auditing.kinds)
    for one in certificate.tags:
        assert one.estimate.precision.low == one.estimate.precision.high == 1
    assert sum(one.wrong for one in certificate.tags) == 1
    assert auditing.page.table.rowCount() == len(auditing.kinds) + 1
    assert "% of the given tags are right" in auditing.page.summary.text()


def test_without_tags_the_page_says_where(driver: WindowDriver) -> None:
    driver.press(Key.Key_G, CTRL | SHIFT)
    driver.wait_until_idle("Review")
    page = driver.window.modes.review_page.audit_page
    driver.window.modes.review_page.question_page.heading.audit_button.click()
    driver.wait_until(lambda: page._why.text() == "No photo carries a tag yet.", "the text on the library")
    some = tuple(driver.session.library.photos.ids().tolist()[:2])
    driver.session.scope.choose(Scope(Collection(among=some)))
    driver.wait_until(lambda: page._why.text() == "No photo here carries a tag yet.", "the text on the scope")


def test_enter_presses_the_focused_button(auditing: AuditDriver) -> None:
    auditing.driver.wait_until(auditing.page.begin_button.hasFocus, "the focus on Begin")
    QTest.keyClick(auditing.page.begin_button, Key.Key_Return)
    auditing.wait()
    auditing.driver.wait_until(lambda: auditing.audit.question is not None, "the first question")


def test_an_answer_is_undone_in_one_step_and_asked_again(auditing: AuditDriver) -> None:
    auditing.begin()
    before, first = auditing.tags(), auditing.audit.question
    assert first is not None
    auditing.driver.press(Key.Key_Space)
    auditing.driver.press(Key.Key_Return)
    auditing.wait()
    assert auditing.tags() != before
    assert auditing.audit.question != first
    auditing.driver.press(Key.Key_Z, CTRL)
    auditing.wait()
    assert auditing.tags() == before
    assert auditing.audit.question == first
    assert not any(one.present is not None for one in auditing.library.audits.drawn())


def test_a_click_changes_an_answer_and_a_second_one_changes_it_back(auditing: AuditDriver) -> None:
    auditing.begin()
    grid = auditing.page.grid
    for flipped in (1, 0):
        point = grid.visualRect(auditing.audit.tiles.grid.index(2)).center()
        QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)
        assert len(auditing.audit.tiles.answers.flipped) == flipped
        pause(QApplication.doubleClickInterval() + 50)


def test_a_drag_changes_a_row_of_photos_and_control_saves_them(auditing: AuditDriver) -> None:
    auditing.begin()
    grid, tiles = auditing.page.grid, auditing.audit.tiles
    question, before = auditing.audit.question, [tiles.answers.is_yes(row) for row in range(4)]
    assert question is not None
    places = [grid.visualRect(tiles.grid.index(row)).center() for row in range(4)]
    QTest.mousePress(grid.viewport(), Qt.MouseButton.LeftButton, CTRL, places[0])
    for row in (3, 1, 2):
        QTest.mouseMove(grid.viewport(), places[row])
        assert [tiles.answers.is_yes(at) for at in range(4)] == [
            not before[0] if at <= row else before[at] for at in range(4)
        ], "tiles behind the pointer have their former answers"
    QTest.mouseRelease(grid.viewport(), Qt.MouseButton.LeftButton, CTRL, places[2])
    auditing.wait()
    assert auditing.audit.question != question, "Ctrl goes on to the next question"


def test_the_second_of_two_quick_clicks_does_nothing(auditing: AuditDriver) -> None:
    auditing.begin()
    grid = auditing.page.grid
    point = grid.visualRect(auditing.audit.tiles.grid.index(2)).center()
    QTest.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)
    QTest.mouseDClick(grid.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)
    assert len(auditing.audit.tiles.answers.flipped) == 1


def test_tab_moves_to_the_next_tag_and_escape_to_the_result(auditing: AuditDriver) -> None:
    auditing.begin()
    first = auditing.audit.question
    assert first is not None
    auditing.driver.press(Key.Key_Return)
    auditing.wait()
    question = auditing.audit.question
    assert question is not None
    auditing.driver.press(Key.Key_Tab)
    assert auditing.audit.question is None or auditing.audit.question.tag != question.tag
    auditing.driver.press(Key.Key_Escape)
    assert auditing.audit.question is None
    assert auditing.page.table.isVisible()
    assert auditing.page.go_on_button.isVisible()
    auditing.page.go_on_button.click()
    assert auditing.audit.question == question, "the skipped photo returns"
    for _ in range(2):
        auditing.driver.press(Key.Key_Escape)
    assert not auditing.page.isVisible()


def test_the_certificate_is_exported_from_the_window(
    auditing: AuditDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    auditing.begin()
    auditing.answer()
    auditing.wait()
    auditing.driver.press(Key.Key_Escape)
    file = tmp_path / "certificate.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(file), "Page to print (*.html)"))
    auditing.page.export_button.click()
    auditing.wait()
    assert file.read_text().startswith("<!DOCTYPE html>")


@pytest.mark.slow
def test_accepting_the_rest_shows_the_count_and_can_be_undone(auditing: AuditDriver) -> None:
    auditing.begin()
    while auditing.audit.question is not None:
        auditing.driver.press(Key.Key_Return)
        auditing.wait()
    auditing.page.rest_button.click()
    auditing.wait()
    rest = auditing.audit.rest
    assert rest is not None
    assert not rest.pairs, "no photo is unanswered"
    assert not auditing.page.rest_button.isEnabled()
    before = auditing.tags()
    untagged = next(photo_id for photo_id, names in before.items() if not names)
    auditing.audit.rest = type(rest)(((untagged, auditing.kinds[0]),), 0.97, 1)
    auditing.page._show()
    assert "1" in auditing.page.rest_button.text()
    auditing.page.rest_button.click()
    auditing.wait()
    assert auditing.tags()[untagged] == [auditing.kinds[0]]
    auditing.driver.press(Key.Key_Z, CTRL)
    auditing.wait()
    assert auditing.tags() == before


def test_an_audit_that_was_left_before_the_first_answer_goes_on(auditing: AuditDriver) -> None:
    page, driver = auditing.page, auditing.driver
    assert page.resume_button.isHidden(), "no photos were drawn yet"
    auditing.begin()
    question, drawn = auditing.audit.question, auditing.library.audits.drawn()
    driver.press(Key.Key_Escape)
    auditing.wait()
    driver.window.modes.review_page.question_page.heading.audit_button.click()
    driver.wait_until(page.resume_button.hasFocus, "the focus on the button that goes on")
    assert page.resume_button.text() == f"Check {len(drawn)} more photos"
    QTest.keyClick(page.resume_button, Key.Key_Return)
    driver.wait_until(lambda: auditing.audit.question == question, "the same photos")
    assert auditing.library.audits.drawn() == drawn, "no other photos were drawn"


def test_answers_are_saved_at_once(auditing: AuditDriver) -> None:
    auditing.begin()
    auditing.driver.press(Key.Key_Return)
    auditing.wait()
    answered = [one for one in auditing.library.audits.drawn() if one.present is not None]
    assert answered
    path = auditing.library.path
    with Library.open(path, read_only=True) as copy:
        assert [one for one in copy.audits.drawn() if one.present is not None] == answered, (
            "the answer is saved at once"
        )


def test_an_audit_covers_the_scope_of_review(auditing: AuditDriver) -> None:
    some = [photo_id for photo_id in auditing.kind if auditing.kind[photo_id] in auditing.kinds[:2]]
    auditing.driver.session.scope.choose(Scope(Collection(among=tuple(sorted(some)))))
    auditing.wait()
    assert {tag for tag, _ in auditing.audit.tags} <= {*auditing.kinds[:2], auditing.kinds[-1]}
    auditing.begin()
    assert {one.photo_id for one in auditing.library.audits.drawn()} <= set(some)
    assert {audit.photos for audit in auditing.library.audits.all()} == {len(some)}


def test_a_blind_pass_hides_the_tags_and_its_differences_are_settled_by_keys(
    auditing: AuditDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver, audit, page, library = auditing.driver, auditing.audit, auditing.page, auditing.library
    driver.wait_until(page.again_button.isEnabled, "the choice of tags")
    known = tmp_path / "known.jsonl"
    photos = library.photos.get(list(auditing.kind)[-2:])
    lines = [{"path": str(one.path), "tags": [auditing.kind[one.id]]} for one in photos]
    known.write_text("\n".join(map(json.dumps, lines)))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(known), ""))
    page.plant_list_button.click()
    assert page._planted.text() == "known.jsonl"
    page._sizes.button(PER_TAG[0]).click()
    number = sum(chip.isChecked() for chip in page.tag_buttons) * PER_TAG[0]
    assert page.again_button.text() == f"Ask me again about up to {number} photos"
    page.again_button.setFocus()
    driver.press(Key.Key_Return)
    auditing.wait()
    driver.wait_until(lambda: audit.question is not None, "the first question")
    before, question = auditing.tags(), audit.question
    assert question is not None
    driver.wait_until(lambda: audit.tiles.grid.card(question.photo_ids[0]) is not None, "the photos")
    assert not audit.tiles.answers.yes, "no photo is green"
    for row in range(len(question.photo_ids)):
        index = audit.tiles.grid.index(row)
        texts = [index.data(role) for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)]
        assert texts == [index.data()] * 2, "tool tips and screen readers do not tell the tags"
    auditing.answer()
    auditing.wait()
    with Library.open(library.path, read_only=True) as copy:
        saved = [one for one in copy.audits.drawn() if one.present is not None]
        assert len(saved) == len(question.photo_ids), "after a kill, the pass goes on with the next photos"
        assert copy.audits.blind
    while audit.question is not None:
        auditing.answer()
        auditing.wait()
    assert auditing.tags() == before
    certificate = audit.certificate
    assert certificate is not None
    assert certificate.blind
    assert "self-agreement" in page._about.text()
    assert f"{library.name}: 100 % (" in page._about.text(), "the planted photos were answered correctly"
    differences = audit.differences
    assert differences > 0
    assert page.settle_button.text().split()[:2] == ["Settle", str(differences)]
    page.settle_button.setFocus()
    driver.press(Key.Key_Return)
    agreement = driver.session.review_pages.agreement
    driver.wait_until(lambda: agreement.comparison is not None, "the differences")
    auditing.wait()
    there = driver.window.modes.review_page.agreement_page
    assert there.isVisible()
    assert there.table.isColumnHidden(4), "there is no alpha"
    for left in range(differences, 0, -1):
        one = agreement.current
        assert one is not None
        assert len(agreement.open) == left
        driver.press(Key.Key_Return if auditing.kind[one.photo_id] == one.tag else Key.Key_X)
        auditing.wait()
    assert not agreement.open
    assert auditing.wrong[1] not in auditing.tags()[auditing.wrong[0]], "settled as the second answer"
    there.again_button.click()
    auditing.wait()
    assert page.isVisible()
    assert page.begin_button.isVisible(), "another pass can begin"
