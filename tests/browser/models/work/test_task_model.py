# SPDX-License-Identifier: MIT
from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from focal_photos.browser.models.work.task_model import TaskModel, duration
from focal_photos.browser.operations.jobs.progress import Progress
from focal_photos.browser.tasks.runner import Runner, TaskState, TaskStatus


@pytest.fixture
def runner(qtbot: QtBot) -> Iterator[Runner]:
    runner = Runner()
    yield runner
    runner.close()


def test_the_model_follows_the_runner(runner: Runner, qtbot: QtBot) -> None:
    model = TaskModel(runner)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    for state in (
        TaskState(1, "Indexing"),
        TaskState(2, "Training"),
        TaskState(1, "Indexing", TaskStatus.RUNNING, Progress("Reading photos", 4120, 9000, 38.2, 128.0)),
    ):
        runner.task_changed.emit(state)
    assert [model.index(row).data() for row in range(model.rowCount())] == [
        "Reading photos 4\N{NARROW NO-BREAK SPACE}120/9\N{NARROW NO-BREAK SPACE}000 · 38/s · 2 min left",
        "Training: waiting",
    ]
    runner.task_changed.emit(TaskState(1, "Indexing", TaskStatus.DONE))
    assert [state.number for state in model.states()] == [2]
    runner.task_changed.emit(TaskState(3, "Done before it was seen", TaskStatus.CANCELLED))
    assert model.rowCount() == 1


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (TaskState(1, "Indexing", TaskStatus.RUNNING), "Indexing"),
        (TaskState(1, "Indexing", TaskStatus.RUNNING, Progress("Looking", 12)), "Looking 12"),
        (TaskState(1, "Indexing", TaskStatus.RUNNING, Progress("Learning words", 0)), "Learning words"),
        (TaskState(1, "Indexing", TaskStatus.RUNNING, Progress("Reading", 0, 0)), "Reading"),
        (TaskState(1, "I", TaskStatus.RUNNING, Progress("Learning", 312, 1000, is_share=True)), "Learning 31 %"),
        (
            TaskState(1, "I", TaskStatus.RUNNING, Progress("Reading", 1, 2, 3.14, 0.3), paused=True),
            "Reading 1/2 · paused",
        ),
        (TaskState(1, "I", TaskStatus.RUNNING, Progress("Reading", 1, 2, 3.14, 0.3)), "Reading 1/2 · 3.1/s · 1 s left"),
    ],
)
def test_each_task_has_its_text(runner: Runner, state: TaskState, text: str) -> None:
    assert TaskModel(runner).text(state) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "1 s"), (13.4, "13 s"), (99, "99 s"), (120, "2 min"), (3900, "1 h 5 min")]
)
def test_durations_are_formatted(seconds: float, text: str) -> None:
    assert duration(seconds) == text
