# SPDX-License-Identifier: MIT
"""The status bar: a message is fully visible beside all other contents."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListWidget
from pytestqt.qtbot import QtBot

from focal_photos.browser.models.base.notices import Message, MessageAction, Severity
from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.operations.jobs.progress import Job, Progress
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.window.bars import message_bar
from focal_photos.browser.views.window.bars.message_bar import MessageBar
from focal_photos.browser.walkthrough.window_driver import CTRL, SHIFT, WindowDriver, pause
from tests.browser.views.window_steps import walk_to

TEXT = "The photos of the folder are away: connect its drive, or relocate it if it is elsewhere now, please."


@pytest.fixture
def bar(qtbot: QtBot, theme: Theme) -> MessageBar:
    """A message bar without a window."""
    bar = MessageBar(theme)
    qtbot.addWidget(bar)
    return bar


def shown(bar: MessageBar) -> str:
    return bar.message.text if bar.message is not None else ""


@pytest.mark.slow
@pytest.mark.parametrize("width", [1100, 1366])
def test_a_message_is_not_cut_while_a_task_runs_and_the_counts_return(driver: WindowDriver, width: int) -> None:
    window, bar = driver.window, driver.window.message_bar
    window.resize(width, 768)
    walk_to(driver, 0)
    driver.session.jobs.indexing.rescan()
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


def test_the_counts_return_when_the_task_beside_a_message_ends(driver: WindowDriver) -> None:
    window, bar = driver.window, driver.window.message_bar
    window.resize(1100, 768)
    walk_to(driver, 0)
    driver.session.jobs.indexing.rescan()
    [task] = driver.session.tasks.states()
    driver.session.runner.pause(task.number, True)
    driver.wait_until(window.status_bar.task_strip.isVisible, "the task")
    bar.show_message(Message(TEXT[:70], action=MessageAction.REVIEW))
    driver.wait_until(window.status_bar._counts.isHidden, "the message")
    driver.session.runner.pause(task.number, False)
    driver.wait_until_idle("looking for changes")
    assert bar.isVisible()
    driver.wait_until(window.status_bar._counts.isVisible, "the counts")


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


def test_a_short_message_leaves_space_for_the_counts(driver: WindowDriver) -> None:
    driver.window.resize(1600, 900)
    driver.window.message_bar.show_message(Message("Done."))
    driver.wait_until(lambda: driver.window.message_bar.width() < 300, "the layout")
    assert driver.window.status_bar._counts.isVisible()
    assert driver.window.status_bar._counts.text() == driver.window.status_bar.text()


def test_unused_keys_in_the_log_act_on_the_window(driver: WindowDriver) -> None:
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
            assert QApplication.activePopupWidget() is log, "the list of messages stays open"
            log.close()
        else:
            assert QApplication.activePopupWidget() is None
            assert driver.window.mode is mode


def test_an_offer_stays_until_the_next_message(bar: MessageBar) -> None:
    for action, stays in ((MessageAction.RELOCATE, True), (MessageAction.REVIEW, True), (MessageAction.NONE, False)):
        bar.show_message(Message(TEXT, Severity.WARNING, action))
        assert bar._timer.isActive() is not stays, action


def test_photos_are_counted_once(driver: WindowDriver) -> None:
    session, status = driver.session, driver.window.status_bar
    session.navigator.show_folder(session.overview.now.roots[0].path)
    driver.wait_until_idle("the folder")
    assert status.text().startswith("32 photos  \N{MIDDLE DOT}  folder: ")
    session.navigator.show_collection(Collection("judged"))
    driver.wait_until_idle("the filter")
    assert "0 shown" in status.text()


def test_the_newest_message_is_shown_and_the_others_are_counted(bar: MessageBar) -> None:
    """After a failure and a second attempt, the user must see that the second one succeeded."""
    bar.show_message(Message("Saving failed.", Severity.ERROR))
    assert bar.more.isHidden()
    bar.show_message(Message("3 photos are missing.", Severity.WARNING, MessageAction.SHOW_MISSING))
    bar.show_message(Message("Saved."))
    assert shown(bar) == "Saved."
    assert bar.more.text() == "1 more", "messages with a timeout do not queue"
    QTest.mouseClick(bar.more, Qt.MouseButton.LeftButton)
    log = QApplication.activePopupWidget()
    assert log is not None
    (listed,) = log.findChildren(QListWidget)
    texts = [listed.item(row).text()[8:] for row in range(3)]
    assert texts == ["Saved.", "3 photos are missing.", "Saving failed."]
    log.close()
    bar._timer.timeout.emit()  # timeout
    assert shown(bar) == "Saving failed.", "the message was not closed yet"
    assert bar.more.isHidden()
    QTest.mouseClick(bar.close_button, Qt.MouseButton.LeftButton)
    assert bar.message is None
    assert bar.isHidden()


def test_messages_hidden_by_the_newest_expire(bar: MessageBar, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(message_bar, "monotonic", lambda: now[0])
    bar.show_message(Message("First.", Severity.ERROR))
    now[0] += message_bar.WAITING_SECONDS  # the shown message does not expire
    bar.show_message(Message("Second.", Severity.ERROR))
    now[0] += message_bar.WAITING_SECONDS - 1
    bar.show_message(Message("Third.", Severity.ERROR))
    assert bar.more.text() == "2 more"
    now[0] += 2
    bar._expiry.timeout.emit()
    assert bar.more.text() == "1 more"
    bar.close_button.click()
    assert shown(bar) == "Second."
    assert [message.text for _, message in bar.log] == ["First.", "Second.", "Third."], "the list retains all messages"


def test_a_repeated_message_does_not_queue(bar: MessageBar) -> None:
    for text in ("First.", "First.", "Second.", "First."):
        bar.show_message(Message(text, Severity.ERROR))
    assert shown(bar) == "First."
    assert bar.more.text() == "1 more"
    bar.close_button.click()
    assert shown(bar) == "Second."
    assert bar.more.isHidden()


def test_no_message_appears_under_the_pointer(bar: MessageBar) -> None:
    """Otherwise a click on one message could press the button of another."""
    bar.show_message(Message("2 folders moved.", Severity.WARNING, MessageAction.RELOCATE))
    QApplication.sendEvent(bar, QEnterEvent(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5)))
    bar.show_message(Message("Indexed.", action=MessageAction.REVIEW))
    bar._timer.timeout.emit()
    assert shown(bar) == "2 folders moved."
    assert bar.more.text() == "1 more"
    QApplication.sendEvent(bar, QEvent(QEvent.Type.Leave))
    assert shown(bar) == "Indexed."
    assert bar.more.text() == "1 more"


def test_the_buttons_of_a_task_do_not_move(driver: WindowDriver) -> None:
    window, bar, session = driver.window, driver.window.message_bar, driver.session
    walk_to(driver, 0)
    session.jobs.indexing.rescan()
    [task] = session.tasks.states()
    session.runner.pause(task.number, True)
    strip = window.status_bar.task_strip
    driver.wait_until(strip.isVisible, "the task")

    def places() -> tuple[int, int]:
        pause(20)
        buttons = strip.pause_button, strip.cancel_button
        first, second = (button.mapTo(window, QPoint(0, 0)).x() for button in buttons)
        return first, second

    before = places()
    changes: tuple[Callable[[], object], ...] = (
        lambda: strip.text.setText(
            "Describing photos 12 345/40 000 \N{MIDDLE DOT} 3.1/s \N{MIDDLE DOT} 1 h 25 min left"
        ),
        lambda: bar.show_message(Message("Done.")),
        lambda: bar.show_message(Message(TEXT, Severity.ERROR)),
        lambda: strip.text.setText("Describing"),
        bar.close_button.click,
        lambda: window.show_mode(Mode.LEARNING),
        lambda: window.show_mode(Mode.COMPARE),
        lambda: window.show_mode(Mode.BROWSE),
    )
    for change in changes:
        change()
        assert places() == before
    session.runner.pause(task.number, False)
    driver.wait_until_idle("looking for changes")


def test_cancel_ends_the_task_under_the_pointer(driver: WindowDriver) -> None:
    session, strip = driver.session, driver.window.status_bar.task_strip
    session.jobs.indexing.rescan()
    [first] = session.tasks.states()
    session.runner.pause(first.number, True)
    driver.wait_until(strip.isVisible, "the task")
    QApplication.sendEvent(strip, QEnterEvent(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5)))
    ended: list[str] = []

    def job() -> Job[None]:
        while not ended:
            yield Progress("Something else", 1, 2)

    session.runner.start("Something else", job, lambda _: None, lane="other")
    driver.wait_until(lambda: len(session.tasks.states()) == 2, "the other task")
    QTest.mouseClick(strip.cancel_button, Qt.MouseButton.LeftButton)
    driver.wait_until(lambda: len(session.tasks.states()) == 1, "the end of one")
    assert session.tasks.states()[0].title == "Something else"
    ended.append("now")
    driver.wait_until_idle("the other task")
