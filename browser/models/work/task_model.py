# SPDX-License-Identifier: MIT
"""The unfinished background tasks, for the status bar."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt

from focal_photos.browser.models.photos.grid_model import Index
from focal_photos.browser.operations.jobs.progress import Progress
from focal_photos.browser.tasks.messages import Localized, in_words
from focal_photos.browser.tasks.runner import Runner, TaskState, TaskStatus


class TaskRole(IntEnum):
    """Item data roles in addition to Qt's."""

    STATE = Qt.ItemDataRole.UserRole + 1
    """`TaskState`."""


class TaskModel(QAbstractListModel):
    """One row for each running or waiting task, oldest first."""

    def __init__(self, runner: Runner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._states: list[TaskState] = list(runner.tasks())
        runner.task_changed.connect(self._changed)

    def states(self) -> list[TaskState]:
        """Return the tasks."""
        return list(self._states)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of tasks."""
        return 0 if parent.isValid() else len(self._states)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the state of a task, or its text."""
        if not 0 <= index.row() < len(self._states):
            return None
        state = self._states[index.row()]
        if role == TaskRole.STATE:
            return state
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(state)
        return None

    def text(self, state: TaskState) -> str:
        """Return a task in one line: stage, progress, rate and remaining time."""
        progress = state.progress
        if progress is None:
            waits = state.status is TaskStatus.WAITING
            parts = [self.tr("{0}: waiting").format(state.title) if waits else state.title]
        else:
            parts = [f"{in_words(progress.stage)} {_count(progress)}".rstrip()]
        if state.paused:
            parts.append(self.tr("paused"))
        elif progress is not None and progress.rate:
            parts.append(self.tr("{0}/s").format(_rate(progress.rate)))
            if progress.seconds_left is not None:
                parts.append(self.tr("{0} left").format(duration(progress.seconds_left)))
        return " · ".join(parts)

    def _changed(self, state: TaskState) -> None:
        row = next((row for row, each in enumerate(self._states) if each.number == state.number), None)
        ended = state.status not in (TaskStatus.WAITING, TaskStatus.RUNNING)
        if row is None:
            if not ended:
                self.beginInsertRows(QModelIndex(), len(self._states), len(self._states))
                self._states.append(state)
                self.endInsertRows()
        elif ended:
            self.beginRemoveRows(QModelIndex(), row, row)
            del self._states[row]
            self.endRemoveRows()
        else:
            self._states[row] = state
            self.dataChanged.emit(self.index(row), self.index(row))


def duration(seconds: float) -> str:
    """Format a duration: ``13 s``, ``2 min``, ``1 h 5 min``."""
    whole = max(1, round(seconds))
    if whole < 100:
        return f"{whole} s"
    minutes = round(whole / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _count(progress: Progress) -> str:
    if progress.is_share:
        return progress.percent
    done = f"{progress.done:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")
    if not progress.total:
        return done if progress.done else ""
    return f"{done}/{progress.total:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def _rate(rate: float) -> str:
    return f"{rate:.0f}" if rate >= 10 else f"{Localized(rate):.1f}"
