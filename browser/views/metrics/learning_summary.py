# SPDX-License-Identifier: MIT
"""The metric in use, its gain over no learning, and the buttons to retrain or go back."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.metrics.history import MetricRow
from focal_photos.browser.models.photos.formatting import metric_titles, training_data_in_words
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.training.held_out import sentence
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import FlowLayout, in_column


class LearningSummary(QWidget):
    """Three lines about the metric in use, and two buttons below them."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._history = session.metrics.history
        self.name = label("", "title", wrap=True)
        self.source = label("", "soft", wrap=True)
        self.verdict = label("", wrap=True)
        self.retrain_button = button(self.tr("Retrain"), "primary", session.jobs.training.retrain)
        self.retrain_button.setToolTip(self.tr("Learn a new metric from all judgements and tags (Ctrl+R)"))
        self.back_button = button("", "", self._go_back)
        buttons = FlowLayout(6)
        buttons.addWidget(self.retrain_button)
        buttons.addWidget(self.back_button)
        layout = in_column(self.name, self.source, self.verdict, margins=0, spacing=4, parent=self)
        layout.addSpacing(4)
        layout.addLayout(buttons)
        session.metrics.history.changed.connect(self._show)
        session.jobs.training.running_changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        rows = self._history.rows
        current, previous = self._history.current, self._history.previous
        titles = metric_titles(row.metric for row in rows)
        self.name.setText("" if current is None else titles[current.metric.id])
        self.source.setText(self._say_source(current))
        self.verdict.setText(self._history.verdict())
        figures = current.held_out if current is not None else None
        self.verdict.setToolTip(tool_tip("" if figures is None else in_words(sentence(figures))))
        self.back_button.setVisible(previous is not None)
        if previous is not None:
            self.back_button.setText(self.tr("Go back to “{0}”").format(titles[previous.metric.id]))
        able = not self._session.read_only and not self._session.jobs.training.running
        self.retrain_button.setEnabled(able)
        self.back_button.setEnabled(able)

    def _say_source(self, row: MetricRow | None) -> str:
        if row is None or row.metric.file is None:
            return self.tr("Nothing has been learned yet. Judge or tag a few photos, then press Retrain.")
        return self.tr("Learned from {0}.").format(training_data_in_words(row.metric.judgements, row.metric.tagged))

    def _go_back(self) -> None:
        if self._history.previous is not None:
            self._history.use(self._history.previous.metric.id)
