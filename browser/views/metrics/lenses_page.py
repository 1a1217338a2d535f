# SPDX-License-Identifier: MIT
"""Two rankings of the focal image side by side, each by a separate metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QSplitter, QWidget

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.models.metrics.lenses import Lens
from focal_photos.browser.models.photos.formatting import metric_titles
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.fields.combo_box import ComboBox
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import in_column, in_row
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.grid.grid_view import GridView

_FIRST_PHOTOS: Final = 20


class LensesPage(QWidget):
    """Two columns, each with a metric chooser above its photos; a click on a photo makes it the focal image of both."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._lenses = session.metrics.lenses
        self.left = _Column(self.tr("Left metric"), self._lenses.left, session, theme)
        self.right = _Column(self.tr("Right metric"), self._lenses.right, session, theme)
        self.words = label("", "soft", wrap=True)
        columns = QSplitter(Qt.Orientation.Horizontal)
        columns.setHandleWidth(1)
        for column in (self.left, self.right):
            columns.addWidget(column)
        in_column(self.words, (columns, 1), margins=(18, 14, 18, 14), spacing=8, parent=self)
        for lens in (self._lenses.left, self._lenses.right):
            lens.changed.connect(self._show)
        session.navigator.focal_changed.connect(self._read_if_shown)
        session.metrics.history.changed.connect(self._fill)

    def enter(self) -> None:
        """Rank by the chosen metrics; at first by the one in use, and the newest other one or Euclidean distance."""
        self._fill()
        self._lenses.read()
        self._show()
        self.left.grid.setFocus()

    def choose(self, left: int, right: int) -> None:
        """Show these two metrics."""
        by_id = {row.metric.id: row.metric for row in self._session.metrics.history.rows}
        self._lenses.left.choose(by_id.get(left))
        self._lenses.right.choose(by_id.get(right))
        self._fill()

    def _fill(self) -> None:
        rows = self._session.metrics.history.rows
        known = {row.metric.id: row.metric for row in rows}
        current = next((row.metric for row in rows if row.current), None)
        newest = next((row.metric for row in rows if row.metric.file is not None and not row.current), None)
        plain = rows[0].metric if rows else None
        for lens, otherwise in ((self._lenses.left, current), (self._lenses.right, newest or plain)):
            chosen = known.get(lens.metric.id) if lens.metric is not None else None
            lens.choose(chosen or otherwise)
        for column in (self.left, self.right):
            column.fill([row.metric for row in rows])

    def _read_if_shown(self) -> None:
        if self.isVisible():
            self._lenses.read()

    def _show(self) -> None:
        focal = self._session.navigator.focal
        for column in (self.left, self.right):
            column.show_obstacle()
        if focal is None:
            self.words.setText(self.tr("Choose a focal image in Browse: it is ranked here by two metrics."))
            return
        text = self.tr(
            "{0} under two metrics; {1} of the first {2} are the same. On the right, arrows show how many "
            "places a photo is before or behind its place on the left."
        )
        among = min(_FIRST_PHOTOS, len(self._lenses.left.grid.ids), len(self._lenses.right.grid.ids))
        self.words.setText(text.format(focal.name, self._lenses.shared(among), among))


class _Column(QWidget):
    def __init__(self, name: str, lens: Lens, session: Session, theme: Theme) -> None:
        super().__init__()
        self._lens = lens
        self.box = ComboBox(theme)
        self.box.setAccessibleName(name)
        self.box.activated.connect(self._chosen)
        self.obstacle = label("", "faint", wrap=True)
        self.grid = GridView(lens.grid, theme)
        self.grid.setAccessibleName(name)
        self.grid.photo_chosen.connect(session.navigator.focus)
        top = in_row((self.box, 1))
        in_column(top, self.obstacle, (self.grid, 1), margins=(4, 0, 4, 0), spacing=6, parent=self)

    def fill(self, metrics: Sequence[Metric]) -> None:
        """Set the metrics to choose from."""
        with QSignalBlocker(self.box):
            self.box.clear()
            titles = metric_titles(metrics)
            for metric in metrics:
                self.box.addItem(titles[metric.id], metric)
            ids = [metric.id for metric in metrics]
            if self._lens.metric is not None and self._lens.metric.id in ids:
                self.box.setCurrentIndex(ids.index(self._lens.metric.id))

    def show_obstacle(self) -> None:
        """Show the reason why there is no ranking, if there is none."""
        self.obstacle.setText(self._lens.obstacle)
        self.obstacle.setVisible(bool(self._lens.obstacle))

    def _chosen(self, row: int) -> None:
        self._lens.choose(self.box.itemData(row))
