# SPDX-License-Identifier: MIT
"""The status bar: counts, messages, the running task and the size of the tiles."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from focal_photos.browser.models.photos.formatting import grouped, metric_titles, photos_in_words
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.ranking.queries.query import Examples
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import ElidedLabel, label
from focal_photos.browser.views.base.layouts import in_row
from focal_photos.browser.views.base.task_strip import TaskStrip
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.grid.tile_arrangement import TILE_SIZES
from focal_photos.browser.views.window.bars.message_bar import MessageBar

_UNLIMITED_WIDTH: Final = (1 << 24) - 1
_GAPS: Final = 100
"""Pixels of the margins and gaps."""
_LEAST_COUNTS: Final = 160
"""Smallest useful width of the counts; if less is left beside a message, they are hidden."""


class StatusBar(QWidget):
    """Counts at the left, the running task with pause and cancel at the right, the size of the tiles at the end."""

    failures_wanted = Signal()
    """The number of unreadable files was clicked."""
    tile_size_wanted = Signal(int)
    """The slider was moved."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("statusBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Status"))
        self._session = session
        self._messages: MessageBar | None = None
        self._counts = ElidedLabel()
        self._failures = button("", "link", self.failures_wanted.emit)
        self.polled = label("", "faint")
        self.task_strip = TaskStrip(session, theme, self)
        self._slider = QSlider(Qt.Orientation.Horizontal)
        self._slider.setRange(TILE_SIZES[0], TILE_SIZES[-1])
        self._slider.setFixedWidth(110)
        self._slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._slider.setAccessibleName(self.tr("Size of the photos"))
        self._slider.setToolTip(self.tr("Size of the photos (Ctrl+wheel, + and -)"))
        self._slider.valueChanged.connect(self.tile_size_wanted)
        policy = self._slider.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # the buttons beside it must not move under the pointer
        self._slider.setSizePolicy(policy)
        layout = in_row((self._counts, 1), margins=(14, 3, 12, 3), spacing=8, parent=self)
        layout.addStretch(0)
        layout.addWidget(self.polled)
        layout.addWidget(self._failures)
        layout.addSpacing(10)
        layout.addWidget(self.task_strip)
        layout.addSpacing(14)
        layout.addWidget(self._slider)
        self.setFixedHeight(36)
        session.overview.changed.connect(self._show)
        session.photo_folders.watching.states_changed.connect(self._show_polled)
        session.navigator.selection_changed.connect(self._show)
        session.navigator.trail_changed.connect(self._show)
        session.grid.modelReset.connect(self._show)
        self._show()
        self._show_polled()

    def add_messages(self, messages: MessageBar) -> None:
        """Put messages in the left part of the bar, and the button of their log at the right end."""
        row = self.layout()
        if isinstance(row, QHBoxLayout):
            row.insertWidget(0, messages)
            row.addWidget(messages.log_button)
        self._messages = messages
        messages.message_changed.connect(self._make_room)

    def _make_room(self) -> None:
        """Give a message its full width: hide the counts, then shorten the text of the running task."""
        messages, doing = self._messages, self.task_strip.text
        doing.setMaximumWidth(_UNLIMITED_WIDTH)
        if messages is None or messages.isHidden():
            self._counts.show()
            return
        others = (self.task_strip, self._failures, self.polled, self._slider, messages.log_button)
        taken = sum(each.sizeHint().width() for each in others if not each.isHidden())
        left = self.width() - taken - _GAPS - messages.sizeHint().width()
        self._counts.setVisible(left > min(self._counts.whole_width(), _LEAST_COUNTS))
        if left < 0:
            doing.setMaximumWidth(max(doing.whole_width() + left, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Divide the new width."""
        super().resizeEvent(event)
        self._make_room()

    def event(self, event: QEvent) -> bool:
        """Divide the width again when a task begins or ends, or a text changes."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._make_room()
        return super().event(event)

    def set_tile_size(self, size: int) -> None:
        """Move the slider without a signal."""
        self._slider.blockSignals(True)
        self._slider.setValue(size)
        self._slider.blockSignals(False)

    def show_slider(self, show: bool) -> None:
        """Show the slider, or hide it if there are no tiles."""
        self._slider.setVisible(show)

    def text(self) -> str:
        """Return the text of the counts."""
        return self._counts.full_text()

    def _show_polled(self) -> None:
        polled = self._session.photo_folders.watching.polled
        text = self.tr("1 folder polled") if len(polled) == 1 else self.tr("{0} folders polled").format(len(polled))
        each = self.tr("{0}: every {1:.0f} s ({2})")
        lines = [each.format(shown(str(state.path)), state.seconds, state.polled) for state in polled]
        self.polled.setText(text if polled else "")
        self.polled.setVisible(bool(polled))
        self.polled.setToolTip(tool_tip("\n".join(lines)))
        self.polled.setAccessibleName("\n".join([text, *lines]) if polled else "")

    def _show(self) -> None:
        session = self._session
        overview, navigator = session.overview.now, session.navigator
        shown_now = session.grid.total
        parts = [photos_in_words(overview.photos)]
        if not navigator.collection.everything and shown_now != overview.photos:
            parts.append(self.tr("{0} shown").format(grouped(shown_now)))
        if navigator.selected or navigator.focal_selected:
            parts.append(self.tr("{0} selected").format(grouped(len(navigator.targets))))
        if navigator.collection.folder is not None:
            parts.append(self.tr("folder: {0}").format(shown(navigator.collection.folder.name)))
        if navigator.collection.query:
            parts.append(self.tr("filter: {0}").format(navigator.collection.query))
        if navigator.focal is not None and navigator.shown.metric is not None:
            titles = metric_titles({*self._session.overview.now.metrics, navigator.shown.metric})
            parts.append(self._ranked_by(titles[navigator.shown.metric.id], navigator.shown.judgements))
            if navigator.shown.unranked:
                parts[-1] += self._among(shown_now, navigator.shown.unranked)
        if navigator.trail.current.query is not None:
            label = navigator.trail.current.label
            several = isinstance(navigator.trail.current.query, Examples)
            parts.append(label if several else self.tr("nearest to {0}").format(label))
            if navigator.part is not None and navigator.shown.unranked:
                parts[-1] += self._among(shown_now, navigator.shown.unranked)
        if session.read_only:
            parts.append(self.tr("read-only"))
        self._counts.setText("  \N{MIDDLE DOT}  ".join(parts))
        self._failures.setVisible(overview.failed > 0)
        self._failures.setText(self.tr("{0} with problems").format(grouped(overview.failed)))

    def _among(self, shown: int, unranked: int) -> str:
        return self.tr(" among {0} of {1}").format(grouped(shown), grouped(shown + unranked))

    def _ranked_by(self, metric: str, judgements: int) -> str:
        if not judgements:
            return self.tr("ranked by {0}").format(metric)
        if judgements == 1:
            return self.tr("ranked by {0} and your judgement").format(metric)
        return self.tr("ranked by {0} and your {1} judgements").format(metric, grouped(judgements))
