# SPDX-License-Identifier: MIT
"""The running task in one line, with pause and cancel."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.tasks.runner import TaskState
from focal_photos.browser.views.base.buttons import tool_button
from focal_photos.browser.views.base.labels import ElidedLabel
from focal_photos.browser.views.base.layouts import in_row
from focal_photos.browser.views.base.theme import Theme


def busy_bar(name: str) -> QProgressBar:
    """Return a bar that moves while the share of the completed work is unknown; `name` is its accessible name."""
    bar = QProgressBar()
    bar.setAccessibleName(name)
    bar.setTextVisible(False)
    bar.setRange(0, 0)
    return bar


class TaskStrip(QWidget):
    """The running task, its progress and the remaining time; hidden if there is no task.

    Parameters
    ----------
    parent : QWidget
        Needed at creation, because the strip shows itself.
    fills : bool
        Whether it takes the whole available width and elides its text.
    """

    def __init__(self, session: Session, theme: Theme, parent: QWidget, *, fills: bool = False) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme
        self._pointed_at: int | None = None
        """Number of the task under the pointer, which the buttons apply to."""
        self.text = ElidedLabel(asks=not fills)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(150)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.pause_button = tool_button(theme, "pause", self.tr("Pause"), self._pause)
        self.cancel_button = tool_button(theme, "cross", self.tr("Cancel"), self._cancel)
        layout = in_row((self.text, 1), margins=0, spacing=8, parent=self)
        for widget in (self.bar, self.pause_button, self.cancel_button):
            layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        if not fills:
            self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        tasks = session.tasks
        for signal in (tasks.rowsInserted, tasks.rowsRemoved, tasks.dataChanged):
            signal.connect(self._show)
        self._show()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Keep showing the task that the pointer has entered."""
        task = self._task()
        self._pointed_at = None if task is None else task.number
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Show the newest task again."""
        self._pointed_at = None
        self._show()
        super().leaveEvent(event)

    def _task(self) -> TaskState | None:
        states = self._session.tasks.states()
        for state in states:
            if state.number == self._pointed_at:
                return state
        running = [state for state in states if state.progress is not None]
        return running[-1] if running else states[0] if states else None

    def _show(self) -> None:
        state = self._task()
        self.setVisible(state is not None)
        if state is None:
            return
        others = len(self._session.tasks.states()) - 1
        more = self.tr(" (+{0})").format(others) if others else ""
        self.text.setText(self._session.tasks.text(state) + more)
        progress = state.progress
        if progress is None or not progress.total:
            self.bar.setRange(0, 0 if progress is not None and not state.paused else 1)
        else:
            self.bar.setRange(0, progress.total)
            self.bar.setValue(progress.done)
        name = self.tr("Continue") if state.paused else self.tr("Pause")
        self.pause_button.setToolTip(tool_tip(name))
        self.pause_button.setAccessibleName(name)
        self._theme.set_icon(self.pause_button, "play" if state.paused else "pause")

    def _pause(self) -> None:
        state = self._task()
        if state is not None:
            self._session.runner.pause(state.number, not state.paused)

    def _cancel(self) -> None:
        state = self._task()
        if state is not None:
            self._session.runner.cancel(state.number)
