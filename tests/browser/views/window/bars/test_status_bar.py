"""The bar at the bottom: a message is read whole, whatever else stands there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListWidget

from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.models.work.message import Message, MessageAction, Severity
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver
from tests.browser.views.window_steps import walk_to

TEXT = "The photos of the folder are away: connect its drive, or relocate it if it is elsewhere now, please."


@pytest.mark.parametrize("width", [1100, 1366])
def test_a_message_is_whole_while_a_task_runs_and_the_counts_come_back(driver: WindowDriver, width: int) -> None:
    window, bar = driver.window, driver.window.message_bar
    window.resize(width, 768)
    walk_to(driver, 0)
    driver.session.jobs.rescan()
    [task] = driver.session.tasks.states()
    driver.session.runner.pause(task.number, True)
    driver.wait_until(window.status_bar.task_strip.isVisible, "the task")
    bar.show_message(Message(TEXT, Severity.ERROR))
    driver.wait_until(lambda: bar._text.text() == TEXT, "the whole message")
    assert bar.geometry().right() <= window.status_bar.width()
    bar._next()
    driver.wait_until(window.status_bar._counts.isVisible, "the counts")
    driver.session.runner.pause(task.number, False)
    driver.wait_until_idle("looking for changes")


def test_a_long_message_does_not_widen_the_window(driver: WindowDriver) -> None:
    window, bar = driver.window, driver.window.message_bar
    window.resize(1024, 700)
    least = window.minimumSizeHint().width()
    bar.show_message(Message(TEXT * 4, Severity.ERROR))
    driver.wait_until(lambda: bar.isVisible() and bar.width() > 300, "the layout")
    assert window.width() == 1024
    assert window.minimumSizeHint().width() <= max(least, 1024)
    assert bar._text.text() != TEXT * 4
    assert bar._text.toolTip()


def test_a_short_message_leaves_the_counts_where_there_is_room(driver: WindowDriver) -> None:
    driver.window.resize(1600, 900)
    driver.window.message_bar.show_message(Message("Done."))
    driver.wait_until(lambda: driver.window.message_bar.width() < 300, "the layout")
    assert driver.window.status_bar._counts.isVisible()
    assert driver.window.status_bar._counts.text() == driver.window.status_bar.text()


def test_keys_that_the_log_has_no_use_for_do_what_they_do_elsewhere(driver: WindowDriver) -> None:
    bar = driver.window.message_bar
    bar.show_message(Message("Done."))
    for keys, mode in ((CTRL | SHIFT, Mode.REVIEW), (CTRL, None)):
        bar.show_log()
        log = QApplication.activePopupWidget()
        assert log is not None
        (listed,) = log.findChildren(QListWidget)
        QTest.keyClick(listed, Qt.Key.Key_G if mode is not None else Qt.Key.Key_C, keys)
        driver.wait_until_idle("the page")
        if mode is None:
            assert QApplication.activePopupWidget() is log, "nothing of the window"
            log.close()
        else:
            assert QApplication.activePopupWidget() is None
            assert driver.window.mode is mode


def test_what_needs_an_answer_is_offered_until_something_else_is_said(driver: WindowDriver) -> None:
    bar = driver.window.message_bar
    for action, stays in ((MessageAction.RELOCATE, True), (MessageAction.REVIEW, True), (MessageAction.NONE, False)):
        bar.show_message(Message(TEXT, Severity.WARNING, action))
        assert bar._timer.isActive() is not stays, action


def test_photos_are_counted_once(driver: WindowDriver) -> None:
    session, status = driver.session, driver.window.status_bar
    session.navigator.show_folder(session.overview.roots[0].path)
    driver.wait_until_idle("the folder")
    assert status.text().startswith("32 photos  \N{MIDDLE DOT}  folder: ")
    session.navigator.show_collection(Collection("judged"))
    driver.wait_until_idle("the filter")
    assert "0 shown" in status.text()


def test_an_error_says_how_many_messages_wait_behind_it(driver: WindowDriver) -> None:
    """Who tries again after a failure, and succeeds, would else read that it failed again."""
    bar = driver.window.message_bar
    bar.show_message(Message("Saving failed.", Severity.ERROR))
    assert bar.more.isHidden()
    bar.show_message(Message("Saved."))
    assert bar.more.text() == "1 more"
    bar.show_message(Message("Something else."))
    assert bar.more.text() == "2 more"
    bar.close_button.click()
    assert bar.message is not None
    assert bar.message.text == "Saved."
    assert bar.more.text() == "1 more"
    bar.close_button.click()
    assert bar.more.isHidden()
