# SPDX-License-Identifier: MIT
"""Agreement: disagreements with a colleague in the real window, settled by keys and by mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.exchange.archives.save_archive import save_archive
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.views.review.agreement.agreement_page import AgreementPage
from focal_photos.browser.walkthrough.window_driver import DriverError, WindowDriver
from tests.browser.operations.album import Album
from tests.browser.views.conftest import FEW, OpenWindow
from tests.browser.views.window_steps import Key

OWN = ("fox", "fox", "fox", "hare", "hare", "hare")
OTHER = ("fox", "fox", "hare", "hare", "hare", "fox")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Return the archive of a colleague who differs on the photos 2 and 5, for both tags."""
    album = Album(tmp_path / "photos")
    album.draw_many(6)
    for name, tags in (("library", OWN), ("anna", OTHER)):
        album.index(tmp_path / name, FEW)
        with Library.open(tmp_path / name) as library:
            for photo_id, tag in zip(library.photos.ids().tolist(), tags, strict=True):
                library.tags.change([photo_id], [tag])
            finish(save_archive(library, tmp_path / f"{name}.focal.zip"))
    return tmp_path / "anna.focal.zip"


@pytest.fixture
def driver(open_window: OpenWindow, archive: Path) -> WindowDriver:
    return open_window(archive.parent / "library", watching=False)


def compared(driver: WindowDriver, archive: Path, monkeypatch: pytest.MonkeyPatch) -> AgreementPage:
    """Open the page by the menu, and compare with the archive chosen in the dialog."""
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(archive), ""))
    driver.window.window_actions.by_name["compare_tags"].trigger()
    driver.wait_until_idle("the page")
    page = driver.window.modes.review_page.agreement_page
    assert page.isVisible()
    assert not page.list.isVisible(), "there is no empty list"
    assert page.archive_button.hasFocus()
    driver.press(Key.Key_Return)
    driver.wait_until_idle("the comparison")
    return page


def test_disagreements_are_settled_by_keys_and_undone_one_by_one(
    driver: WindowDriver, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = compared(driver, archive, monkeypatch)
    library, model = driver.session.library, driver.session.review_pages.agreement
    ids = library.photos.ids().tolist()
    assert page.words.text() == "6 photos in common with anna. 4 disagreements to settle."
    assert [(one.photo_id, one.tag) for one in model.open] == [
        *((ids[2], "fox"), (ids[5], "fox")),
        *((ids[2], "hare"), (ids[5], "hare")),
    ]
    assert page.list.hasFocus()
    assert page.answers.text() == "library: yes\nanna: no"
    assert not page.picture._image.pixmap().isNull()
    assert (page.keep_button.text(), page.change_button.text()) == ("Tagged fox (Enter)", "Not fox (X)")
    QTest.mouseClick(page._body.viewport(), Qt.MouseButton.LeftButton, pos=page._body.viewport().rect().bottomRight())
    assert page.list.hasFocus(), "the keys go on working"
    driver.press(Key.Key_X)
    driver.wait_until_idle("the answer")
    assert library.tags.of([ids[2]])[ids[2]] == []
    assert (ids[2], "fox") in library.suggestions.rejected_pairs()
    assert page.list.count() == 3
    assert model.current is not None
    assert model.current.photo_id == ids[5]
    driver.press(Key.Key_Return)
    driver.wait_until_idle("the answer")
    assert library.tags.of([ids[5]])[ids[5]] == ["hare"], "Enter keeps the own answer"
    assert (ids[5], "fox") in library.suggestions.rejected_pairs()
    assert page.words.text().endswith("2 disagreements to settle.")
    for left in (3, 4):
        driver.session.editor.undo()
        driver.wait_until_idle("undo")
        assert page.list.count() == left, "the question is asked again"
    assert library.tags.of(ids) == {photo_id: [tag] for photo_id, tag in zip(ids, OWN, strict=True)}


def test_a_click_on_a_tag_lists_its_disagreements_first(
    driver: WindowDriver, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = compared(driver, archive, monkeypatch)
    assert [page.table.tag(row) for row in range(page.table.rowCount())] == ["fox", "hare"]
    item = page.table.item(0, 3)
    assert item is not None
    assert item.text() == "0.33", "by hand: (4/6 - 1/2) / (1 - 1/2)"
    assert "95 %" in item.toolTip()
    place = page.table.visualRect(page.table.model().index(1, 0)).center()
    QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    model = driver.session.review_pages.agreement
    assert [one.tag for one in model.open] == ["hare", "hare", "fox", "fox"]
    assert "hare" in page.question.text()
    page.list.setFocus()
    driver.press(Key.Key_Down)
    assert model.at == 1
    QTest.mouseClick(page.keep_button, Qt.MouseButton.LeftButton)
    driver.wait_until_idle("the answer")
    assert page.list.count() == 3


def test_when_all_is_settled_the_page_says_so_and_escape_returns(
    driver: WindowDriver, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = compared(driver, archive, monkeypatch)
    for _ in range(4):
        driver.press(Key.Key_Return)
        driver.wait_until_idle("the answer")
    assert page.words.text() == "6 photos in common with anna. There is no disagreement to settle."
    assert not page.keep_button.isVisible()
    page.list.setFocus()
    driver.press(Key.Key_Escape)
    assert not page.isVisible()
    assert driver.window.modes.review_page.isVisible()


def test_a_broken_archive_is_reported(driver: WindowDriver, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive.write_bytes(archive.read_bytes()[:-200])
    with pytest.raises(DriverError, match="is not an archive"):
        compared(driver, archive, monkeypatch)
    page = driver.window.modes.review_page.agreement_page
    assert page.archive_button.isEnabled()
    assert not page.list.isVisible()


@pytest.mark.parametrize("speaking", ["en", "de"], indirect=True)
@pytest.mark.usefixtures("large_font", "speaking")
def test_with_a_large_font_a_comparison_fits_on_a_small_screen(
    driver: WindowDriver, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = compared(driver, archive, monkeypatch)
    driver.window.resize(1000, 600)
    driver.wait_until_idle("the layout")
    assert driver.window.size() == QSize(1000, 600)
    for each in (page.archive_button, page.library_button, page.back_button):
        assert each.visibleRegion().boundingRect() == each.rect(), each.text()


def test_the_comparison_is_recorded_for_the_certificate_and_undone(
    driver: WindowDriver, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = compared(driver, archive, monkeypatch)
    audits = driver.session.library.audits
    assert audits.agreements() == []
    said: list[str] = []
    driver.session.notices.posted.connect(lambda message: said.append(message.text))
    QTest.mouseClick(page.record_button, Qt.MouseButton.LeftButton)
    driver.wait_until_idle("the record")
    (one,) = audits.agreements()
    assert said == ["The agreement with anna is recorded for the certificate."]
    assert page.list.hasFocus(), "the keys answer disagreements again"
    assert one.people == ("library", "anna")
    assert {each.tag: each.disagreements for each in one.tags} == {"fox": 2, "hare": 2}
    driver.window.window_actions.by_name["undo"].trigger()
    driver.wait_until_idle("undo")
    assert audits.agreements() == []
