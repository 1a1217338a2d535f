# SPDX-License-Identifier: MIT
from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from focal_photos.browser.operations.jobs.progress import Job, Progress
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.tasks.lanes import JobLane, JobRun, ReadLane
from focal_photos.browser.tasks.main_thread import MainThreadPriority
from focal_photos.browser.tasks.thumbnail_loader import PixelSize, ThumbnailLoader
from tests.browser.operations.jobs.waiting import stands_in, until

_LONG = 60.0
_WHILE = 0.05  # seconds in which a thread that does not wait finishes


def _until(loop: QEventLoop, reached: Callable[[], bool]) -> None:
    """Run the event loop until a condition holds."""
    look = QTimer(interval=2)
    look.timeout.connect(lambda: loop.quit() if reached() else None)
    look.start()
    give_up = QTimer(singleShot=True, interval=round(1000 * _LONG))
    give_up.timeout.connect(loop.quit)
    give_up.start()
    loop.exec()
    assert reached()


def test_a_thread_waits_until_the_main_thread_is_idle(qapp: QApplication) -> None:
    priority, order, begun = MainThreadPriority(patience=_LONG), list[str](), threading.Event()

    def work() -> None:
        begun.set()
        priority.wait()
        order.append("thread")

    thread = threading.Thread(target=work)

    class Handler(QObject):
        def event(self, event: QEvent) -> bool:
            time.sleep(_WHILE)
            order.append("main")
            return super().event(event)

    handler = Handler()

    def handle() -> None:
        priority.take()
        thread.start()
        assert begun.wait(_LONG)
        for _ in range(2):  # remaining work, such as painting
            QCoreApplication.postEvent(handler, QEvent(QEvent.Type.User), Qt.EventPriority.LowEventPriority.value)

    QTimer.singleShot(0, handle)
    _until(QEventLoop(), lambda: "thread" in order)
    thread.join(_LONG)
    assert order == ["main", "main", "thread"]


def test_a_released_thread_waits_again_if_the_main_thread_became_busy(qapp: QApplication) -> None:
    priority, order = MainThreadPriority(patience=_LONG), list[str]()

    def work() -> None:
        priority.wait()
        order.append("thread")

    thread, later = threading.Thread(target=work), threading.Thread(target=work)
    priority.take()
    thread.start()
    assert until(lambda: stands_in(thread, "work", "wait"))
    with no_other_thread():
        priority._rest()
        time_passes(_WHILE)  # the thread is awake by now, but cannot run
        priority.take()
    later.start()
    time.sleep(_WHILE)
    order.append("main")
    _until(QEventLoop(), lambda: len(order) == 3)
    assert order == ["main", "thread", "thread"]


@contextmanager
def no_other_thread() -> Iterator[None]:
    """Prevent other threads from running; the block must not release the GIL."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_LONG)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def time_passes(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_no_thread_waits_while_the_main_thread_is_idle(qapp: QApplication) -> None:
    priority = MainThreadPriority(patience=_LONG)
    thread = threading.Thread(target=priority.wait)
    thread.start()
    thread.join(_LONG / 2)
    assert not thread.is_alive()


def test_all_waiting_threads_are_released(qapp: QApplication) -> None:
    priority = MainThreadPriority(patience=_LONG)
    priority.take()
    priority.take()  # no effect the second time
    threads = [threading.Thread(target=priority.wait) for _ in range(5)]
    for thread in threads:
        thread.start()
    _until(QEventLoop(), lambda: not any(thread.is_alive() for thread in threads))


def test_a_busy_main_thread_blocks_no_thread_for_ever(qapp: QApplication) -> None:
    priority = MainThreadPriority(patience=_WHILE)
    priority.take()
    thread = threading.Thread(target=priority.wait)
    thread.start()
    thread.join(_LONG)  # no event loop runs
    assert not thread.is_alive()


def _run_job(pause: Callable[[], None], work: Callable[[], None]) -> Callable[[], None]:
    def job() -> Job[None]:
        yield Progress("begun", 0, 1)
        work()

    lane = JobLane("focal-test", pause)
    lane.put(JobRun(job, lambda _: None, lambda *_: None))
    return lambda: lane.close(_LONG)


def _compute(pause: Callable[[], None], work: Callable[[], None]) -> Callable[[], None]:
    def compute(report: Callable[[float], None]) -> None:
        report(0.5)
        work()

    def job() -> Job[None]:
        yield from in_thread("computed", compute)

    lane = JobLane("focal-test", pause)
    lane.put(JobRun(job, lambda _: None, lambda *_: None))
    return lambda: lane.close(_LONG)


def _load(pause: Callable[[], None], work: Callable[[], None]) -> Callable[[], None]:
    def make(photo_id: int, size: PixelSize) -> QImage:
        work()
        return QImage(*size, QImage.Format.Format_RGB32)

    loader = ThumbnailLoader(make, threads=1, pause=pause)
    loader.request("test", [1], PixelSize(4, 4))
    return lambda: loader.close(_LONG)


def _ask_aside(pause: Callable[[], None], work: Callable[[], None]) -> Callable[[], None]:
    lane = ReadLane("focal-test", threads=1, pause=pause)
    lane.put("test", work, lambda *_: None)
    return lambda: lane.close(_LONG)


@pytest.mark.parametrize("begin", [_run_job, _compute, _load, _ask_aside])
def test_jobs_and_thumbnails_give_way_to_the_main_thread(
    qapp: QApplication, begin: Callable[[Callable[[], None], Callable[[], None]], Callable[[], None]]
) -> None:
    order, asked, free, done = list[str](), threading.Event(), threading.Event(), threading.Event()

    def pause() -> None:
        asked.set()
        free.wait(_LONG)

    def work() -> None:
        order.append("work")
        done.set()

    close = begin(pause, work)
    assert asked.wait(_LONG)
    time.sleep(_WHILE)
    order.append("main")
    free.set()
    assert done.wait(_LONG)
    close()
    assert order == ["main", "work"]
