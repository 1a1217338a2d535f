# SPDX-License-Identifier: MIT
"""The mode Learning in the real window: better or worse, going back, and the pages under Advanced."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.photos.formatting import metric_titles
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.metrics.history_page import HistoryPage
from focal_photos.browser.views.metrics.learning_page import GUIDE, HISTORY, LENSES, SCOREBOARD
from focal_photos.browser.views.metrics.learning_summary import LearningSummary
from focal_photos.browser.walkthrough.window_driver import WindowDriver
from tests.browser.views.window_steps import Key, train, use_trained

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def summary_of(driver: WindowDriver) -> LearningSummary:
    """Open the mode with its key, and return the summary at the top of its first page."""
    driver.press(Key.Key_L, CTRL | SHIFT)
    driver.wait_until_idle("the history")
    assert driver.window.mode is Mode.LEARNING
    page = driver.window.modes.learning_page.pages[HISTORY]
    assert isinstance(page, HistoryPage)
    found = page.findChild(LearningSummary)
    assert isinstance(found, LearningSummary)
    assert found.isVisible()
    return found


def tag_all(driver: WindowDriver) -> None:
    library = driver.session.library
    for photo in library.photos.get(library.photos.ids().tolist()):
        library.tags.change([photo.id], [photo.path.parent.name])


def test_pages_about_metrics_are_under_advanced(driver: WindowDriver) -> None:
    summary_of(driver)
    page = driver.window.modes.learning_page
    laboratory = [page.buttons[name] for name in (LENSES, SCOREBOARD, GUIDE)]
    assert not any(tab.isVisible() for tab in laboratory)
    click(page.advanced)
    assert all(tab.isVisible() for tab in laboratory)
    click(page.buttons[SCOREBOARD])
    driver.wait_until_idle("the scoreboard")
    assert page.shown == SCOREBOARD
    click(page.advanced)
    assert not any(tab.isVisible() for tab in laboratory)
    page.show_page(LENSES)
    assert page.buttons[LENSES].isVisible(), "the tab of the shown page is visible"


def test_the_page_shows_the_training_and_goes_back(driver: WindowDriver) -> None:
    summary = summary_of(driver)
    assert summary.name.text() == "Euclidean"
    assert summary.source.text().startswith("Nothing has been learned yet.")
    assert summary.verdict.text() == ""
    assert not summary.back_button.isVisible()
    library = driver.session.library
    train(driver, "Kernel metric", "RCA")
    names = metric_titles(library.metrics.all())
    newest, older = library.metrics.by_name("rca-1"), library.metrics.by_name("kernel-1")
    driver.session.metrics.history.use(newest.id)
    driver.wait_until_idle("the newest")
    assert summary.name.text() == names[newest.id]
    assert summary.source.text() == "Learned from 32 tagged photos."
    assert summary.verdict.text().endswith(" % without learning.")
    assert "(n = 32" in summary.verdict.toolTip()
    assert summary.back_button.text() == f"Go back to “{names[older.id]}”"
    click(summary.back_button)
    driver.wait_until_idle("the metric before")
    assert library.metrics.current().name == "kernel-1"
    assert summary.back_button.text() == "Go back to “Euclidean”"
    click(summary.back_button)
    driver.wait_until_idle("no metric")
    assert library.metrics.current().name == "euclidean"
    assert not summary.back_button.isVisible()
    driver.press(Key.Key_Z, CTRL)
    driver.wait_until_idle("undo")
    assert library.metrics.current().name == "kernel-1"


def test_retrain_is_a_button_of_the_page(driver: WindowDriver) -> None:
    tag_all(driver)
    summary = summary_of(driver)
    click(summary.retrain_button)
    assert driver.session.jobs.training.running
    assert not summary.retrain_button.isEnabled()
    driver.wait_until_idle("training and measuring", 180)
    use_trained(driver)
    assert summary.retrain_button.isEnabled()
    assert summary.name.text().startswith("Learned ")
