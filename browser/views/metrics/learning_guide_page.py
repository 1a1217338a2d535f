# SPDX-License-Identifier: MIT
"""The learning guide: the metric in use and its weights, then each learner with two or three parameters."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, isnan
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QFrame, QGridLayout, QScrollArea, QSlider, QWidget

from focal_photos.browser.models.metrics.learning import Learning
from focal_photos.browser.models.metrics.reasons import Bar
from focal_photos.browser.models.photos.formatting import metric_title
from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.training.held_out import sentence
from focal_photos.browser.operations.training.learning_guide import LearnerGuide, Round, Slider
from focal_photos.browser.tasks.messages import Localized, in_words
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import clear_layout, in_column, in_row
from focal_photos.browser.views.base.separator import separator
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.metrics.why_panel import PartBars

_MAX_WIDTH: Final = 860
_ROUNDS: Final = 12


class LearningGuidePage(QWidget):
    """The metric in use at the top; below it the learners, family by family."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._model: Learning = session.metrics.learning
        self.heading = label("", "title", wrap=True)
        self.families = PartBars(theme)
        self.rounds_title = label(self.tr("Training error by round"), "faint")
        self.rounds = PartBars(theme)
        self.related = label("", "soft", wrap=True)
        self.cards: dict[str, _Card] = {}
        self._list = in_column(spacing=10)
        inside = QWidget()
        inside.setMaximumWidth(_MAX_WIDTH)
        column = in_column(
            self.heading,
            self.families,
            self.rounds_title,
            self.rounds,
            self.related,
            margins=(18, 14, 18, 14),
            spacing=8,
            parent=inside,
        )
        column.addSpacing(8)
        column.addLayout(self._list)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(inside)
        in_column(area, margins=0, parent=self)
        self._model.changed.connect(self._show)
        session.tagging.related.changed.connect(self._show_related)
        session.jobs.training.running_changed.connect(self._show_busy)
        self._show()

    def enter(self) -> None:
        """Read the data."""
        self._model.read()
        self._show_related()

    def _show(self) -> None:
        current = self._model.current
        self.heading.setText("" if current is None else self.tr("In use: {0}").format(metric_title(current.metric)))
        weights = () if current is None else current.families
        self.families.show_bars(tuple(Bar(in_words(title), weight) for title, weight in weights))
        self.families.setVisible(bool(weights))
        self.families.setFixedHeight(self.families.row_height() * max(len(weights), 1))
        self.families.setAccessibleName(self.tr("Weight of each feature family"))
        if current is not None and current.steps:
            self._show_steps(current.steps)
        else:
            self._show_rounds(() if current is None else current.rounds)
        clear_layout(self._list)
        self.cards = {}
        family = ""
        for guide in self._model.guides:
            if guide.info.family != family:
                family = guide.info.family
                self._list.addWidget(label(in_words(family), "title"))
            self.cards[guide.info.name] = _Card(guide, self._model)
            self._list.addWidget(self.cards[guide.info.name])
            self._list.addWidget(separator())
        self._show_busy()

    def _show_rounds(self, rounds: tuple[float, ...]) -> None:
        """Show a selection of rounds: the training objective, as a share of that of the first round."""
        step = max(1, -(-len(rounds) // _ROUNDS))
        chosen = list(range(0, len(rounds), step))
        title = self.tr("after {0}")
        self.rounds_title.setText(self.tr("Training error by round"))
        self.rounds.show_bars(tuple(Bar(title.format(number), exp(rounds[number] - rounds[0])) for number in chosen))
        for widget in (self.rounds, self.rounds_title):
            widget.setVisible(bool(rounds))
        self.rounds.setFixedHeight(self.rounds.row_height() * max(len(chosen), 1))

    def _show_steps(self, steps: tuple[Round, ...]) -> None:
        """Show the last batches: their training data, and how much nearer they brought similar photos."""
        text = self.tr("Distance of similar photos relative to dissimilar ones after each batch")
        self.rounds_title.setText(text)
        first = max(0, len(steps) - _ROUNDS)
        chosen = [(number, one) for number, one in enumerate(steps, start=1) if number > first]
        self.rounds.show_bars(tuple(Bar(self._say_step(number, one), one.after / one.before) for number, one in chosen))
        for widget in (self.rounds, self.rounds_title):
            widget.setVisible(True)
        self.rounds.setFixedHeight(self.rounds.row_height() * len(chosen))

    def _say_step(self, number: int, one: Round) -> str:
        if isnan(one.right_after):
            text = self.tr("{0}: {1} similar, {2} dissimilar")
            if not one.dissimilar and number == 1:
                text = self.tr("{0}: {1} training photos")
            return text.format(number, one.similar, one.dissimilar)
        text = self.tr("{0}: {1} similar, {2} dissimilar, {3:.0f} \N{RIGHTWARDS ARROW} {4:.0f} % in order")
        return text.format(number, one.similar, one.dissimilar, 100 * one.right_before, 100 * one.right_after)

    def _show_related(self) -> None:
        tags = self._session.tagging.related.tags
        text = self.tr("Tags related to those of the selected photos: {0}.")
        self.related.setText(text.format(", ".join(one.tag for one in tags)))
        self.related.setVisible(bool(tags))

    def _show_busy(self) -> None:
        for card in self.cards.values():
            card.train_button.setEnabled(not self._model.read_only and not self._model.training)


class _Card(QWidget):
    """One learner: explanation, requirements, cost, gain, parameters, and a button to train it."""

    def __init__(self, guide: LearnerGuide, model: Learning) -> None:
        super().__init__()
        self._guide = guide
        self._model = model
        info = guide.info
        self.sliders: dict[str, QSlider] = {}
        self._moved: dict[str, Callable[[int], None]] = {}
        self.train_button = button(self.tr("Train"), "", lambda: model.train(info.name))
        self.train_button.setAccessibleName(self.tr("Train: {0}").format(in_words(info.title)))
        heading = in_row((label(in_words(info.title)), 1), self.train_button)
        self.facts = label(self._facts(), "faint", wrap=True)
        layout = in_column(
            heading, label(f"{in_words(info.text)}.", "soft", wrap=True), self.facts, margins=0, spacing=3, parent=self
        )
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        for row, setting in enumerate(guide.settings):
            self._add(grid, row, setting)
        layout.addLayout(grid)
        self.printed: QCheckBox | None = None
        """Trains the learner as printed in its paper; None if it is not from one."""
        if guide.printed is not None:
            self.printed = QCheckBox(self.tr("As printed in the paper"))
            self.printed.setAccessibleName(f"{in_words(info.title)}: {self.printed.text()}")
            self.printed.setChecked(info.name in model.as_printed)
            self.printed.toggled.connect(self._show_printed)
            layout.addWidget(self.printed)
            self._show_printed(self.printed.isChecked())

    def _show_printed(self, paper: bool) -> None:
        """Train as printed or not; the paper determines the parameters of some sliders."""
        self._model.print_as(self._guide.info.name, paper)
        for name, slider in self.sliders.items():
            slider.setEnabled(not (paper and name in (self._guide.printed or ())))
            self._moved[name](slider.value())

    def _facts(self) -> str:
        guide, parts = self._guide, []
        needs = guide.info.needs
        parts.append(self.tr("Learns from {0}.").format(in_words(needs)) if needs else self.tr("Needs nothing."))
        parts.append(self.tr("Takes seconds.") if guide.quick else self.tr("May take minutes."))
        if guide.follows:
            parts.append(self.tr("Updates with every judgement."))
        if guide.best is not None:
            parts.append(self.tr("Here: {0}").format(in_words(sentence(guide.best))))
        elif guide.newest is not None:
            parts.append(self.tr("Trained, not measured."))
        if guide.info.source:
            parts.append(in_words(guide.info.source) + ".")
        return " ".join(parts)

    def _add(self, grid: QGridLayout, row: int, setting: Slider) -> None:
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setRange(0, len(setting.values) - 1)
        slider.setPageStep(1)
        slider.setFixedWidth(220)
        given = self._model.given.get(self._guide.info.name, {}).get(setting.name, setting.default)
        slider.setValue(setting.values.index(given))
        learner, title, low, high = map(in_words, (self._guide.info.title, setting.title, setting.low, setting.high))
        slider.setAccessibleName(f"{learner}: {title}, {low} \N{EN DASH} {high}")
        number = label("", "faint")

        def moved(place: int) -> None:
            value = setting.values[place]
            own = value == setting.default
            self._model.give(self._guide.info.name, setting.name, None if own else self._value(setting, value))
            text = self.tr("{0:g} (default)").format(Localized(value)) if own else f"{Localized(value):g}"
            number.setText(text if slider.isEnabled() else self.tr("as printed"))

        slider.valueChanged.connect(moved)
        moved(slider.value())
        self.sliders[setting.name], self._moved[setting.name] = slider, moved
        for column, widget in enumerate(
            (label(title, "soft"), label(low, "faint"), slider, label(high, "faint"), number)
        ):
            grid.addWidget(widget, row, column)
        grid.setColumnStretch(4, 1)

    def _value(self, setting: Slider, value: float) -> float:
        return int(value) if setting.whole else value
