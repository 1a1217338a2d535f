# SPDX-License-Identifier: MIT
"""The bar below the menu: modes, trail, metric and Retrain."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QPushButton, QToolButton, QWidget

from focal_photos.browser.catalog.facts.records import Metric
from focal_photos.browser.models.photos.formatting import metric_titles, training_data_in_words
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.views.base.buttons import button, tool_button
from focal_photos.browser.views.base.fields.combo_box import ComboBox
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import in_row
from focal_photos.browser.views.base.modes import Mode
from focal_photos.browser.views.base.theme import Theme, set_property
from focal_photos.browser.views.window.bars.trail_bar import TrailBar
from focal_photos.browser.views.window.learner_menu import LearnerMenu

_SPACING = 9
_SIDES = 24  # margins, and gaps between the buttons
_TRAIL = 80  # minimum width of the trail
_UNLIMITED_WIDTH = 16777215
_CAPTION_WIDTH = 960
"""Width in pixels from which the metric chooser has a caption."""
_BLOCK = "\N{FULL BLOCK}"
_BAR = 24  # number of blocks for a weight of 1


class TopBar(QWidget):
    """The bar below the menu."""

    mode_wanted = Signal(object)
    """The button of a mode was pressed (Mode)."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("topBar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._session = session
        self._theme = theme
        self.mode_buttons: dict[Mode, QPushButton] = {}
        self._modes = QButtonGroup(self)
        self._mode_row = in_row(spacing=2)
        self.trail = TrailBar(session, theme)
        self.metric_box = ComboBox(theme)
        self.metric_box.setAccessibleName(self.tr("Metric"))
        self.metric_box.setMinimumWidth(100)
        self.metric_box.setMaximumWidth(290)
        self.metric_box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        self.metric_box.setEnabled(not session.read_only)
        self.retrain_button = button("", "", session.jobs.training.retrain)
        self._retrain_text = ""
        theme.set_icon(self.retrain_button, "retrain")
        self.learner_button = tool_button(theme, "chevron-down", self.tr("Choose a learner"))
        self.learner_button.setMenu(LearnerMenu(self.tr("Retrain with"), session, self))
        self.learner_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._caption = caption = label(self.tr("Metric"), "faint")
        caption.setBuddy(self.metric_box)
        in_row(
            self._mode_row,
            (self.trail, 1),
            caption,
            self.metric_box,
            self.retrain_button,
            self.learner_button,
            margins=(10, 6, 12, 6),
            spacing=_SPACING,
            parent=self,
        )
        self.metric_box.activated.connect(self._metric_chosen)
        session.overview.changed.connect(self._show)
        session.jobs.training.running_changed.connect(self._show_retrain)
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide widgets that do not fit."""
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Return the minimum size: the modes and the icon of Retrain."""
        return QSize(_SIDES + self._modes_width() + self._retrain_width(""), super().minimumSizeHint().height())

    def _modes_width(self) -> int:
        return sum(each.sizeHint().width() + 2 for each in self.mode_buttons.values())

    def _retrain_width(self, text: str) -> int:
        """Return the width of Retrain with a text, and of the button beside it."""
        widget = self.retrain_button
        of_text = widget.fontMetrics().horizontalAdvance(text) - widget.fontMetrics().horizontalAdvance(widget.text())
        return widget.sizeHint().width() + of_text + self.learner_button.sizeHint().width() + 2 * _SPACING

    def _fit(self) -> None:
        """Hide, as the width shrinks, the caption, the metric chooser, the trail and the text of Retrain."""
        rest = self.width() - _SIDES - self._modes_width()
        texts = (self._retrain_text, self.tr("Retrain"), "")
        text = next((text for text in texts if self._retrain_width(text) <= rest), "")
        self.retrain_button.setText(text)
        room = rest - self._retrain_width(text) - _TRAIL - _SPACING
        self.trail.setMinimumWidth(_TRAIL if room >= 0 else 0)
        self.trail.setMaximumWidth(_UNLIMITED_WIDTH if room >= 0 else 0)
        self.metric_box.setVisible(room >= self.metric_box.minimumWidth() + _SPACING)
        self._caption.setVisible(self.width() >= _CAPTION_WIDTH and room >= self.metric_box.sizeHint().width())

    def add_mode(self, mode: Mode, title: str, tip: str) -> None:
        """Add the button of a mode after the existing ones."""
        added = button(title, "segment", lambda: self.mode_wanted.emit(mode))
        added.setToolTip(tool_tip(tip))
        added.setCheckable(True)
        added.setChecked(not self.mode_buttons)
        self._modes.addButton(added)
        self._mode_row.addWidget(added)
        self.mode_buttons[mode] = added

    def show_mode(self, mode: Mode) -> None:
        """Show the mode of the window; the trail is visible only in Browse."""
        self.mode_buttons[mode].setChecked(True)
        policy = self.trail.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.trail.setSizePolicy(policy)
        self.trail.setHidden(mode is not Mode.BROWSE)

    def _show(self) -> None:
        overview = self._session.overview.now
        rows = range(self.metric_box.count())
        known = [(self.metric_box.itemData(row), self.metric_box.itemText(row)) for row in rows]
        # the untrained metric first, then the newest trained ones
        metrics = sorted(overview.metrics, key=lambda metric: (metric.file is not None, -metric.id))
        titles = metric_titles(metrics)
        if known != [(metric, titles[metric.id]) for metric in metrics]:
            with QSignalBlocker(self.metric_box):
                self.metric_box.clear()
                for metric in metrics:
                    self.metric_box.addItem(titles[metric.id], metric)
                    self.metric_box.setItemData(
                        self.metric_box.count() - 1, tool_tip(self._tip(metric)), Qt.ItemDataRole.ToolTipRole
                    )
        if overview.metric in metrics:
            self.metric_box.setCurrentIndex(metrics.index(overview.metric))
            lines = [self._tip(overview.metric), *map(_bar, overview.family_weights)]
            self.metric_box.setToolTip(tool_tip("\n".join(lines)))
        self._show_retrain()

    def _show_retrain(self) -> None:
        session = self._session
        new = session.overview.now.new_judgements
        if session.jobs.training.running:
            text = self.tr("Training\N{HORIZONTAL ELLIPSIS}")
        elif new:
            text = self.tr("Retrain ({0} new)").format(new)
        else:
            text = self.tr("Retrain")
        primary = bool(new) and not session.jobs.training.running
        self._retrain_text = text
        self.retrain_button.setAccessibleName(text)
        self.retrain_button.setToolTip(self.tr("Learn a new metric from all judgements and tags (Ctrl+R)"))
        self.retrain_button.setEnabled(not session.read_only and not session.jobs.training.running)
        self.learner_button.setEnabled(self.retrain_button.isEnabled())
        set_property(self.retrain_button, "variant", "primary" if primary else "")
        self._theme.set_icon(self.retrain_button, "retrain", "accent-text" if primary else "text")
        self._fit()

    def _tip(self, metric: Metric) -> str:
        if metric.file is None:
            return self.tr("Colour and texture; nothing learned")
        if not (metric.judgements or metric.tagged):
            return self.tr("Kernels of the feature families; nothing learned")
        learned = self.tr("Learned from: {0}").format(training_data_in_words(metric.judgements, metric.tagged))
        return learned if metric.named else f"{in_words(metric.title)}\n{learned}"

    def _metric_chosen(self, row: int) -> None:
        metric = self.metric_box.itemData(row)
        if metric != self._session.overview.now.metric:
            self._session.editor.choose_metric(metric.id)


def _bar(family: tuple[str, float]) -> str:
    """Return the weight of a family of features as a line of text."""
    title, weight = family
    return f"{100 * weight:3.0f} %  {_BLOCK * round(_BAR * weight)} {in_words(title)}"
