# SPDX-License-Identifier: MIT
"""The scoreboard: plots of precision by rank, correct held-out judgements, and reliability of suggestions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QBuffer, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QFileDialog, QProgressBar, QWidget

from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.models.session import Session
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_column, in_row
from focal_photos.browser.views.base.theme import Theme

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.scoreboard import Line, Scoreboard

_MIN_PLOTTED_JUDGEMENTS: Final = 10
"""Least number of judgements for a plot of their share; with fewer, it is shown as text."""

_COLORS: Final = ("text-soft", "accent", "focal", "similar", "dissimilar", "error")


class ScoreboardPage(QWidget):
    """Computed on request, and drawn with pyqtgraph, which is imported for the first board."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._scores = session.metrics.scores
        self._theme = theme
        self.words = label("", "soft", wrap=True)
        self.work_button = button("", "primary", self._scores.work_out)
        self.cancel_button = button(self.tr("Stop"), "", self._scores.cancel)
        self.progress = QProgressBar()
        self.progress.setRange(0, 100)
        self.progress.setAccessibleName(self.tr("Measuring the metrics"))
        self.csv_button = button(self.tr("Export the figures…"), "", self._ask_for_csv)
        self.svg_button = button(self.tr("Save the picture\N{HORIZONTAL ELLIPSIS}"), "", self._ask_for_svg)
        self.plots: Any = None
        top = in_row(
            self.work_button, self.cancel_button, (self.progress, 1), STRETCH, self.svg_button, self.csv_button
        )
        self._layout = in_column(self.words, top, STRETCH, margins=(18, 14, 18, 14), spacing=10, parent=self)
        self._drawn: Scoreboard | None = None
        self._scores.changed.connect(self._show)
        theme.changed.connect(self._draw_again)
        self._show()

    def enter(self) -> None:
        """Show the current state."""
        self._show()
        self.work_button.setFocus()

    def _show(self) -> None:
        scores, board = self._scores, self._scores.board
        self.work_button.setText(self.tr("Measure again") if board is not None else self.tr("Measure the metrics"))
        self._change_buttons(busy=scores.busy)
        self.progress.setVisible(scores.busy)
        self.progress.setValue(round(100 * scores.share))
        for each in (self.csv_button, self.svg_button):
            each.setVisible(board is not None)
        text = self.tr(
            "Each learner in the history is tested by three-fold cross-validation: it is trained without some "
            "photos and judgements, then tested on these. This takes seconds to minutes."
        )
        if board is not None:
            text = self.words_of(board)
        self.words.setText(scores.obstacle or text)
        if board is not None and board is not self._drawn and self.isVisible():
            self._draw(board)

    def _change_buttons(self, *, busy: bool) -> None:
        """Enable the button that can be pressed, and keep the keyboard focus on the page."""
        measure, stopped = self.work_button, self.cancel_button
        if busy:
            stopped.show()
            if measure.hasFocus():
                stopped.setFocus()
            measure.setEnabled(False)
        else:
            measure.setEnabled(True)
            if stopped.hasFocus():
                measure.setFocus()
            stopped.hide()

    def words_of(self, board: Scoreboard) -> str:
        """Describe the plots in words, for users who cannot see them."""
        questions = self.tr(
            "{0} held-out queries in {1} folds, each ranked among the held-out photos of its fold. These "
            "contain fewer photos of each kind than the library, so fewer of the first results are right than "
            "when you browse."
        )
        parts = [questions.format(grouped(board.queries), board.folds)]
        for line in board.lines:
            if line.reason:
                parts.append(f"{in_words(line.title)}: {in_words(line.reason)}")
            elif line.precision:
                place = min(10, len(line.precision))
                text = self.tr("{0}: right among the first {1}: {2:.0f} %")
                said = text.format(in_words(line.title), place, 100 * line.precision[place - 1])
                if line.judged:
                    share = self.tr("; held-out judgements right: {0:.0f} % (n = {1})")
                    said += share.format(100 * line.right / line.judged, line.judged)
                if line.reliability:
                    off = self.tr("; mean confidence error of suggestions: {0:.0f} points (n = {1})")
                    number = sum(count for _, _, count in line.reliability)
                    said += off.format(100 * line.unreliability, grouped(number))
                parts.append(said + ".")
        known = [line.reliability for line in board.lines if line.reliability]
        if len(set(known)) < len(known):
            parts.append(self.tr("For metrics learned from tags, suggestions use the untrained metric."))
        return " ".join(parts)

    # ------------------------------------------------------------------ drawing
    def _draw_again(self) -> None:
        if self._drawn is not None:
            self._draw(self._drawn)

    def _draw(self, board: Scoreboard) -> None:
        os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"  # even if another Qt binding is installed
        import pyqtgraph

        if self.plots is not None:
            self._layout.removeWidget(self.plots)
            self.plots.deleteLater()
        self._drawn = board
        self.plots = pyqtgraph.GraphicsLayoutWidget()
        self.plots.setBackground(self._theme.color("canvas"))
        self.plots.setAccessibleName(self.words_of(board))
        self.plots.setMinimumHeight(320)
        self._draw_precision(pyqtgraph, board)
        column = 1
        if any(line.judged >= _MIN_PLOTTED_JUDGEMENTS for line in board.lines):
            self._draw_judgements(pyqtgraph, board, column)
            column += 1
        if any(line.reliability for line in board.lines):
            self._draw_reliability(pyqtgraph, board, column)
        self._layout.insertWidget(2, self.plots, 100)

    def _plot(self, column: int, title: str, below: str, left: str) -> Any:
        plot = self.plots.addPlot(row=0, col=column)
        color = self._theme.color("text-soft").name()
        plot.setTitle(title, color=self._theme.color("text").name(), size="10pt")
        plot.setLabel("bottom", below, color=color)
        plot.setLabel("left", left, color=color)
        plot.setMenuEnabled(False)
        plot.setMouseEnabled(False, False)
        plot.hideButtons()
        for side in ("bottom", "left"):
            axis = plot.getAxis(side)
            axis.setPen(self._theme.color("border"))
            axis.setTextPen(self._theme.color("text-soft"))
        plot.showGrid(x=False, y=True, alpha=0.15)
        return plot

    def _color(self, number: int) -> QColor:
        return self._theme.color(_COLORS[number % len(_COLORS)])

    def _draw_precision(self, pyqtgraph: Any, board: Scoreboard) -> None:
        plot = self._plot(0, self.tr("Right among the first"), self.tr("photos viewed"), "%")
        plot.addLegend(offset=(-8, 8), labelTextColor=self._theme.color("text-soft"))
        for number, line in enumerate(board.lines):
            if line.precision:
                ranks = list(range(1, len(line.precision) + 1))
                values = [100 * value for value in line.precision]
                self._band(pyqtgraph, plot, ranks, line, self._color(number))
                pen = pyqtgraph.mkPen(self._color(number), width=2)
                plot.plot(ranks, values, pen=pen, name=in_words(line.title), antialias=True)
        if board.chance is not None:
            pen = pyqtgraph.mkPen(self._theme.color("text-faint"), style=Qt.PenStyle.DotLine)
            plot.addItem(pyqtgraph.InfiniteLine(100 * board.chance, angle=0, pen=pen))
        plot.setYRange(0, 100)

    def _band(self, pyqtgraph: Any, plot: Any, ranks: list[int], line: Line, color: QColor) -> None:
        """Shade one standard deviation over the folds."""
        edges = [
            plot.plot(ranks, [100 * (v + sign * sd) for v, sd in zip(line.precision, line.deviation, strict=True)])
            for sign in (-1, 1)
        ]
        for edge in edges:
            edge.setPen(None)
        shade = QColor(color)
        shade.setAlpha(36)
        plot.addItem(pyqtgraph.FillBetweenItem(*edges, brush=shade))

    def _draw_judgements(self, pyqtgraph: Any, board: Scoreboard, column: int) -> None:
        plot = self._plot(column, self.tr("Held-out judgements right"), "", "%")
        shown = [(number, line) for number, line in enumerate(board.lines) if line.judged]
        for place, (number, line) in enumerate(shown):
            share = 100 * line.right / line.judged
            color = self._color(number)
            plot.addItem(pyqtgraph.BarGraphItem(x=[place], height=[share], width=0.6, brush=color, pen=None))
            if line.interval is not None:
                low, high = (100 * limit for limit in line.interval)
                pen = pyqtgraph.mkPen(self._theme.color("text"), width=1.5)
                plot.plot([place, place], [low, high], pen=pen)
        if board.majority is not None:
            pen = pyqtgraph.mkPen(self._theme.color("text-faint"), style=Qt.PenStyle.DotLine)
            plot.addItem(pyqtgraph.InfiniteLine(100 * board.majority, angle=0, pen=pen))
        plot.getAxis("bottom").setTicks([[]])  # the colours are those of the first plot
        plot.setYRange(0, 100)

    def _draw_reliability(self, pyqtgraph: Any, board: Scoreboard, column: int) -> None:
        title = self.tr("How reliable are the percentages?")
        plot = self._plot(column, title, self.tr("confidence, %"), self.tr("right, %"))
        diagonal = pyqtgraph.mkPen(self._theme.color("text-faint"), style=Qt.PenStyle.DotLine)
        plot.plot([0, 100], [0, 100], pen=diagonal)
        most = max(count for line in board.lines for _, _, count in line.reliability)
        drawn: set[tuple[tuple[float, float, int], ...]] = {()}
        for number, line in enumerate(board.lines):
            if line.reliability in drawn:  # suggestions of several metrics may use the same coordinates
                continue
            drawn.add(line.reliability)
            said = [100 * confidence for confidence, _, _ in line.reliability]
            right = [100 * share for _, share, _ in line.reliability]
            sizes = [6 + 12 * (count / most) ** 0.5 for _, _, count in line.reliability]
            color = self._color(number)
            pen = pyqtgraph.mkPen(color, width=2)
            plot.plot(said, right, pen=pen, symbol="o", symbolSize=sizes, symbolBrush=color, symbolPen=None)
        plot.setXRange(0, 100)
        plot.setYRange(0, 100)

    # ------------------------------------------------------------------ saving
    def _ask_for_csv(self) -> None:
        path = self._ask_where(self.tr("Export the figures"), ".csv", "CSV (*.csv)")
        if path is not None:
            self._scores.save_csv(path)

    def _ask_for_svg(self) -> None:
        path = self._ask_where(self.tr("Save the picture"), ".svg", "SVG (*.svg)")
        if path is not None:
            self.save_svg(path)

    def _ask_where(self, title: str, suffix: str, kinds: str) -> Path | None:
        start = Path.home() / f"scoreboard{suffix}"
        name, _ = QFileDialog.getSaveFileName(self, title, str(start), kinds)
        return Path(name if name.lower().endswith(suffix) else name + suffix) if name else None

    def save_svg(self, path: Path) -> None:
        """Save the plots as a scalable picture."""
        # pyqtgraph's own exporter fails for some paths; Qt writes all of them
        from PySide6.QtSvg import QSvgGenerator

        buffer = QBuffer()
        buffer.open(QBuffer.OpenModeFlag.WriteOnly)
        picture = QSvgGenerator()
        picture.setOutputDevice(buffer)
        # axes are recorded pictures, which Qt scales by the resolutions of screen and file; curves are not
        picture.setResolution(self.plots.logicalDpiX())
        picture.setSize(self.plots.size())
        picture.setViewBox(self.plots.rect())
        picture.setTitle(self.tr("Scoreboard"))
        painter = QPainter(picture)
        with self._as_shapes():
            self.plots.render(painter)
        painter.end()
        self._scores.save_picture(path, bytes(buffer.data().data()))

    @contextmanager
    def _as_shapes(self) -> Iterator[None]:
        """Draw points as shapes, not as the images cached for the screen."""
        points = [item for item in self.plots.scene().items() if hasattr(item, "setExportMode")]
        for item in points:
            item.setExportMode(True, {"antialias": True})
        try:
            yield
        finally:
            for item in points:
                item.setExportMode(False)
