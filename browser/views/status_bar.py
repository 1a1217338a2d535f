"""What is shown and what is going on."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QSlider, QWidget

from browser.models.session import Session
from browser.models.texts import grouped
from browser.models.tiles import shown
from browser.tasks.runner import TaskState
from browser.views.grid_view import TILE_SIZES
from browser.views.look import Look
from browser.views.parts import ElidedLabel, button, label, tool_button


class StatusBar(QWidget):
    """Counts at the left, the running task with pause and cancel at the right, the size of the tiles at the end.

    Signals
    -------
    failures_wanted : None
        The number of unreadable files was clicked.
    tile_size_wanted : int
        The slider was moved.
    """

    failures_wanted = Signal()
    tile_size_wanted = Signal(int)

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self.setObjectName("statusBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Status"))
        self._session = session
        self._look = look
        self._counts = ElidedLabel()
        self._failures = button("", "link", self.failures_wanted.emit)
        self.task_text = label()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(150)
        self._bar.setAccessibleName(self.tr("Progress"))
        self.pause_button = tool_button(look, "pause", self.tr("Pause"), self._pause)
        self.cancel_button = tool_button(look, "cross", self.tr("Cancel"), self._cancel)
        self._slider = QSlider(Qt.Orientation.Horizontal)
        self._slider.setRange(TILE_SIZES[0], TILE_SIZES[-1])
        self._slider.setFixedWidth(110)
        self._slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._slider.setAccessibleName(self.tr("Size of the photos"))
        self._slider.setToolTip(self.tr("Size of the photos (Ctrl+wheel, + and -)"))
        self._slider.valueChanged.connect(self.tile_size_wanted)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 3, 12, 3)
        layout.setSpacing(8)
        layout.addWidget(self._counts, 1)
        layout.addWidget(self._failures)
        layout.addSpacing(10)
        for widget in (self.task_text, self._bar, self.pause_button, self.cancel_button):
            layout.addWidget(widget)
        layout.addSpacing(14)
        layout.addWidget(self._slider)
        self.setFixedHeight(36)
        session.overview_changed.connect(self._show)
        session.navigator.selection_changed.connect(self._show)
        session.navigator.trail_changed.connect(self._show)
        session.grid.modelReset.connect(self._show)
        tasks = session.tasks
        for signal in (tasks.rowsInserted, tasks.rowsRemoved, tasks.dataChanged):
            signal.connect(self._show_task)
        self._show()
        self._show_task()

    def set_tile_size(self, size: int) -> None:
        """Move the slider."""
        self._slider.blockSignals(True)
        self._slider.setValue(size)
        self._slider.blockSignals(False)

    def text(self) -> str:
        """Return the counts as they are shown."""
        return self._counts.full_text()

    def _show(self) -> None:
        session = self._session
        overview, navigator = session.overview, session.navigator
        shown_now = session.grid.rowCount()
        parts = [self.tr("{0} photos").format(grouped(overview.photos))]
        if not navigator.collection.everything:
            parts.append(self.tr("{0} shown").format(grouped(shown_now)))
        if navigator.selected:
            parts.append(self.tr("{0} selected").format(grouped(len(navigator.selected))))
        if navigator.collection.folder is not None:
            parts.append(self.tr("folder: {0}").format(shown(navigator.collection.folder.name)))
        if navigator.collection.query:
            parts.append(self.tr("filter: {0}").format(navigator.collection.query))
        if navigator.focal is not None and navigator.metric is not None:
            parts.append(self.tr("ranked by {0}").format(navigator.metric.title))
        if session.read_only:
            parts.append(self.tr("read-only"))
        self._counts.setText("  \N{MIDDLE DOT}  ".join(parts))
        self._failures.setVisible(overview.failed > 0)
        self._failures.setText(self.tr("{0} not readable").format(grouped(overview.failed)))

    def _task(self) -> TaskState | None:
        states = self._session.tasks.states()
        running = [state for state in states if state.progress is not None]
        return running[-1] if running else states[0] if states else None

    def _show_task(self) -> None:
        state = self._task()
        for widget in (self.task_text, self._bar, self.pause_button, self.cancel_button):
            widget.setVisible(state is not None)
        if state is None:
            return
        others = len(self._session.tasks.states()) - 1
        more = self.tr(" (+{0})").format(others) if others else ""
        self.task_text.setText(self._session.tasks.text(state) + more)
        progress = state.progress
        if progress is None or not progress.total:
            self._bar.setRange(0, 0 if progress is not None and not state.paused else 1)
        else:
            self._bar.setRange(0, progress.total)
            self._bar.setValue(progress.done)
        name = self.tr("Go on") if state.paused else self.tr("Pause")
        self.pause_button.setToolTip(name)
        self.pause_button.setAccessibleName(name)
        self._look.dress(self.pause_button, "play" if state.paused else "pause")

    def _pause(self) -> None:
        state = self._task()
        if state is not None:
            self._session.runner.pause(state.number, not state.paused)

    def _cancel(self) -> None:
        state = self._task()
        if state is not None:
            self._session.runner.cancel(state.number)
