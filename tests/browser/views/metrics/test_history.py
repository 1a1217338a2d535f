# SPDX-License-Identifier: MIT
"""The history of metrics, and two of them side by side, in the real window."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.photos.formatting import metric_title, metric_titles
from focal_photos.browser.models.photos.grid_model import Role
from focal_photos.browser.operations.exchange.archives.unpack_archive import unpack_archive
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.training.held_out import keep_held_out, saved_held_out
from focal_photos.browser.operations.training.train import train as learn
from focal_photos.browser.views.base.fields.field_error import FieldMessage
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.metrics.history_page import HistoryPage
from focal_photos.browser.views.metrics.learning_page import HISTORY, LENSES
from focal_photos.browser.views.metrics.lens_dialog import LensDialog
from focal_photos.browser.views.metrics.lenses_page import LensesPage
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from focal_photos.learners.evaluation.selection import HeldOut
from tests.browser.operations.album import Album
from tests.browser.views.conftest import OpenWindow
from tests.browser.views.window_steps import Key, train, walk_to
from tests.fixtures.make_shared_files import ARCHIVE

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def history(driver: WindowDriver) -> HistoryPage:
    driver.press(Key.Key_L, CTRL | SHIFT)
    driver.wait_until_idle("the history")
    page = driver.window.modes.learning_page.pages[HISTORY]
    assert isinstance(page, HistoryPage)
    assert page.isVisible()
    return page


def cells(page: HistoryPage, row: int) -> list[str]:
    model = page.table.model()
    return [str(model.index(row, column).data()) for column in range(model.columnCount())]


def click(page: HistoryPage, row: int) -> None:
    place = page.table.visualRect(page.table.model().index(row, 1)).center()
    QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


def test_each_metric_shows_its_training_data_and_gain(driver: WindowDriver) -> None:
    train(driver, "Kernel metric", "RCA")
    page = history(driver)
    rows = [cells(page, row) for row in range(page.table.model().rowCount())]
    assert rows[0][0] == "Euclidean"
    assert all(re.match(r"Learned (today|yesterday) \d\d:\d\d", row[0]) for row in rows[1:]), (
        "both metrics are a few minutes old"
    )
    assert rows[1][0] != rows[2][0]
    methods = [page.table.model().index(row, 0).data(Qt.ItemDataRole.ToolTipRole) for row in (1, 2)]
    assert "RCA (v1)" in methods[0]
    assert "Kernel metric (v1)" in methods[1]
    assert rows[0][1:] == ["nothing", "", ""]
    assert rows[1][1] == "32 tagged photos"
    kept = saved_held_out(driver.session.library)
    for row, name in ((1, "rca-1"), (2, "kernel-1")):
        found = kept[driver.session.library.metrics.by_name(name).id]
        assert rows[row][2] == f"{100 * found.score:.0f} %"
        gain = round(100 * found.gain)
        assert rows[row][3].startswith(f"{gain:+}" if gain else "0")
        assert found.questions > 20
    metrics = driver.session.library.metrics
    current = metric_titles(metrics.all())[metrics.current().id]
    (row,) = [number for number, texts in enumerate(rows) if texts[0] == current]
    spoken = page.table.model().index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == f"{current}, in use"
    driver.press(Key.Key_Escape)
    assert driver.window.mode is Mode.BROWSE


def test_too_few_photos_give_no_figures(driver: WindowDriver) -> None:
    train(driver, "RCA")
    library = driver.session.library
    metric = library.metrics.by_name("rca")
    page = history(driver)
    for questions, texts in ((30, ["100 %", "0 ± 1"]), (29, ["", ""])):
        keep_held_out(library, metric, HeldOut("precision", 10, 1.0, 1.0, 0.0, 0.0, questions))
        page.enter()
        driver.wait_until_idle("the history")
        assert cells(page, 1)[2:] == texts


def test_rename_use_delete_and_undo_by_keys(driver: WindowDriver) -> None:
    train(driver, "RCA")
    library, page = driver.session.library, history(driver)
    click(page, 1)
    page.rename_button.click()
    editor = page.table.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    QTest.keyClicks(editor, "Our two cats")
    QTest.keyClick(editor, Key.Key_Return)
    driver.wait_until_idle("renaming")
    assert library.metrics.by_name("rca").title == "Our two cats"
    box = driver.window.top_bar.metric_box
    assert [box.itemText(row) for row in range(box.count())] == ["Euclidean", "Our two cats"]
    click(page, 0)
    assert not page.delete_button.isEnabled()
    if page.use_button.isEnabled():
        page.use_button.click()
        driver.wait_until_idle("choosing")
    assert library.metrics.current().name == "euclidean"
    click(page, 1)
    assert page.use_button.isEnabled()
    page.table.setFocus()
    driver.press(Key.Key_Delete)
    driver.wait_until_idle("deleting")
    assert page.table.model().rowCount() == 1
    driver.session.editor.undo()
    driver.wait_until_idle("undo")
    assert cells(page, 1)[0] == "Our two cats"
    assert cells(page, 1)[2], "the measured gain is restored too"


@pytest.mark.parametrize("speaking", ["de"], indirect=True)
def test_german_names_of_metrics_are_distinct_too(speaking: str, open_window: OpenWindow, library_folder: Path) -> None:
    driver = open_window(library_folder)
    driver.wait_until_idle("looking for changes", 120)
    library = driver.session.library
    for name, title in (("kernel", "Kernel metric (v1)"), ("rca", "RCA (v1)")):
        library.metrics.add(name, title, f"{name}-1.npz")
    library.metrics.use_euclidean()
    page = history(driver)
    assert cells(page, 0)[0] == "Euklidisch"
    assert all(re.match(r"(Heute|Gestern) gelernt", cells(page, row)[0]) for row in (1, 2))
    learned = metric_title(library.metrics.by_name("kernel-1"))
    for taken in (learned, "euklidisch"):
        page.table.model().setData(page.table.model().index(1, 0), taken)
        driver.wait_until_idle("renaming")
        assert re.match(r"(Heute|Gestern) gelernt", cells(page, 1)[0])
        assert f"eine Metrik {taken}" in driver.message_text
    # named by the user in an English window
    library.metrics.rename(library.metrics.by_name("rca-1").id, "Euklidisch")
    driver.session.feed.publish(ChangeSet("", frozenset({Kind.METRICS})))
    driver.wait_until_idle("the names")
    names = ["Euklidisch (euclidean)", "Euklidisch (rca-1)", learned]
    assert [cells(page, row)[0] for row in range(3)] == names
    box = driver.window.top_bar.metric_box
    assert [box.itemText(row) for row in range(3)] == names


def test_a_refused_name_can_be_corrected_in_place(driver: WindowDriver) -> None:
    train(driver, "RCA")
    library, page = driver.session.library, history(driver)
    click(page, 1)
    page.rename_button.click()
    field = page.table.indexWidget(page.table.model().index(1, 0))
    assert isinstance(field, QLineEdit)
    field.selectAll()
    QTest.keyClicks(field, "euclidean")
    QTest.keyClick(field, Key.Key_Return)
    driver.wait_until_idle("renaming")
    again = page.table.indexWidget(page.table.model().index(1, 0))
    assert isinstance(again, QLineEdit)
    assert again.text() == "euclidean"
    assert "There is a metric euclidean already" in again.toolTip()
    (words,) = [one for one in driver.window.findChildren(FieldMessage) if one.isVisible()]
    assert "There is a metric euclidean already" in words.text()
    QTest.keyClick(again, Key.Key_End)
    QTest.keyClicks(again, " taught")
    assert not words.isVisible(), "the metric has another name now"
    QTest.keyClick(again, Key.Key_Return)
    driver.wait_until_idle("renaming")
    assert library.metrics.by_name("rca").title == "euclidean taught"
    assert cells(page, 1)[0] == "euclidean taught"


def test_esc_restores_the_old_name_after_a_refused_one(driver: WindowDriver) -> None:
    train(driver, "RCA")
    page = history(driver)
    page.table.model().setData(page.table.model().index(1, 0), "euclidean")
    driver.wait_until_idle("renaming")
    assert "There is a metric euclidean already" in driver.message_text
    field = page.table.indexWidget(page.table.model().index(1, 0))
    assert isinstance(field, QLineEdit)
    QTest.keyClick(field, Key.Key_Escape)
    driver.wait_until_idle("nothing")
    assert cells(page, 1)[0].startswith("Learned ")
    assert not [one for one in driver.window.findChildren(FieldMessage) if one.isVisible()]


def test_two_metrics_are_compared_side_by_side(driver: WindowDriver) -> None:
    train(driver, "RCA")
    walk_to(driver, 4)
    library, focal = driver.session.library, driver.session.navigator.focal_id
    assert focal is not None
    page = history(driver)
    page.table.selectAll()
    page.compare_button.click()
    driver.wait_until_idle("both rankings")
    lenses = driver.window.modes.learning_page.pages[LENSES]
    assert isinstance(lenses, LensesPage)
    assert lenses.isVisible()
    names = [lenses.left.box.currentData().name, lenses.right.box.currentData().name]
    assert sorted(names) == ["euclidean", "rca-1"]
    for column, name in ((lenses.left, names[0]), (lenses.right, names[1])):
        expected = driver.session.ranker.rank(focal, name).photo_ids.tolist()
        model = column.grid.model()
        shown = [model.index(row, 0).data(Role.PHOTO_ID) for row in range(model.rowCount())]
        assert shown == expected
    left = driver.session.metrics.lenses.left.grid.ids.tolist()
    right = driver.session.metrics.lenses.right.grid
    for row in range(right.rowCount()):
        tile = right.data(right.index(row), Role.TILE)
        assert tile.rose == left.index(tile.photo_id) - row
    assert f"{driver.session.metrics.lenses.shared(20)} of the first 20 are the same" in lenses.words.text()
    lenses.right.box.setCurrentIndex(lenses.left.box.currentIndex())
    lenses.right.box.activated.emit(lenses.left.box.currentIndex())
    driver.wait_until_idle("the ranking")
    assert driver.session.metrics.lenses.shared(20) == 20
    assert library.metrics.current().name in names, "showing the history changes nothing"


def test_a_metric_is_measured_shared_and_opened_again(
    driver: WindowDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = driver.session.library
    train(driver)
    metric = finish(learn(library, "rca"))
    page = history(driver)
    assert cells(page, 1)[2] == ""
    click(page, 1)
    page.measure_button.click()
    assert not page.measure_button.isEnabled()
    driver.wait_until_idle("measuring", 120)
    assert cells(page, 1)[2] == f"{100 * saved_held_out(library)[metric.id].score:.0f} %"
    assert page.measure_button.text() == "Measure"
    click(page, 0)
    assert not page.share_button.isEnabled()  # Euclidean distance is the same everywhere
    click(page, 1)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine"), ""))
    page.share_button.click()
    driver.wait_until_idle("the lens is written", 60)
    lens = tmp_path / "mine.focal-lens"
    assert lens.stat().st_size > 1000
    page.delete_button.click()  # from now on it is another user's lens
    driver.wait_until(lambda: page.table.model().rowCount() == 1, "the row to go")
    driver.wait_until_idle("deleting")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(lens), ""))
    page.open_button.click()
    dialog = page.findChild(LensDialog)
    assert isinstance(dialog, LensDialog)
    driver.wait_until(dialog.isVisible, "the dialog")
    assert not dialog.result_text.isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Return)  # tries it
    assert not dialog.try_button.isEnabled()
    driver.wait_until(lambda: "% of cases (difference " in dialog.result_text.text(), "the trial", 120)
    assert dialog.try_button.isEnabled()
    assert dialog.result_text.isVisible()
    for words in dialog.findChildren(QLabel):
        assert words.height() >= words.heightForWidth(words.width())  # the dialog grows with the result
    assert "RCA (v1)" in dialog.result_text.text()
    assert library.metrics.current().name == "euclidean"
    dialog.use_button.click()
    driver.wait_until_idle("the lens is taken in", 120)
    driver.wait_until(lambda: page.table.model().rowCount() == 2, "the row of the lens")
    assert library.metrics.current().learner == "rca"
    assert cells(page, 1)[0] == metric_titles(library.metrics.all())[library.metrics.current().id]
    driver.window.activateWindow()  # the window manager does this when a dialog closes
    driver.wait_until(driver.window.isActiveWindow, "the window")
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until(lambda: page.table.model().rowCount() == 1, "the row to go")
    assert library.metrics.current().name == "euclidean"


def test_a_metric_is_shared_with_other_programs(
    driver: WindowDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    train(driver, "RCA")
    page = history(driver)
    click(page, 1)
    seen: list[str] = []
    for number, made in enumerate(("metric.npz", "metric.onnx"), start=1):

        def choose(*given: object, number: int = number) -> tuple[str, str]:
            kinds = str(given[3]).split(";;")
            seen[:] = kinds
            return str(tmp_path / f"out-{number}.focal-lens"), kinds[number]

        monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
        page.share_button.click()
        driver.wait_until_idle("the export", 60)
        folder = tmp_path / f"out-{number}"
        assert {made, "model-card.md", "model-card.json"} <= {file.name for file in folder.iterdir()}
        assert driver.message_text.endswith("with a model card. It contains no photos.")
    assert len(seen) == 3
    page.share_button.click()  # the folder exists now
    driver.wait_until(lambda: "name a new or an empty folder" in driver.message_text, "the refusal", 60)


def test_a_lens_is_not_opened_by_cancelling(
    driver: WindowDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = history(driver)
    file = tmp_path / "no.focal-lens"
    file.write_text("no lens")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(file), ""))
    page.open_button.click()
    dialog = page.findChild(LensDialog)
    assert isinstance(dialog, LensDialog)
    driver.wait_until(dialog.isVisible, "the dialog")
    dialog.try_button.click()
    driver.wait_until(dialog.try_button.isEnabled, "the trial", 60)
    assert not dialog.result_text.isVisible()
    driver.wait_until(lambda: "no.focal-lens" in driver.message_text, "the reason")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    driver.wait_until(lambda: page.findChild(LensDialog) is None, "the dialog to close")
    assert driver.session.library.metrics.current().name == "euclidean"


def test_comparing_metrics_without_a_focal_image_shows_one_hint(driver: WindowDriver) -> None:
    history(driver)
    driver.window.modes.learning_page.buttons[LENSES].click()
    page = driver.window.modes.learning_page.pages[LENSES]
    driver.wait_until_idle("the page")
    said = [each.text() for each in page.findChildren(QLabel) if each.isVisible() and each.text()]
    assert said == ["Choose a focal image in Browse: it is ranked here by two metrics."]


def test_a_metric_from_before_the_descriptors_changed_is_trained_again(open_window: OpenWindow, tmp_path: Path) -> None:
    album = Album(tmp_path / "album")
    album.draw_kinds()
    finish(unpack_archive(ARCHIVE.parent / "before_1_0" / "archive_v8.focal", tmp_path / "library"))
    driver = open_window(tmp_path / "library", album.folder)
    library = driver.session.library
    driver.wait_until_idle("the training", 120)
    assert [metric.name for metric in library.metrics.all()] == ["euclidean", "rca-1", "rca-2"]
    assert library.metrics.current().name == "rca-2"
    driver.walk(0)
    driver.wait_until_idle("the ranking")
    assert len(driver.session.grid.ids) == 11
