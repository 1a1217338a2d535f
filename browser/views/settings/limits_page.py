# SPDX-License-Identifier: MIT
"""The settings page of limits for reading files."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLineEdit, QToolButton, QWidget

from focal_photos.browser.models.settings.preferences import Limit, Preferences
from focal_photos.browser.views.base.buttons import tool_button
from focal_photos.browser.views.base.fields.field_error import show_field_error
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import ColumnScrollArea, in_column
from focal_photos.browser.views.base.separator import separator
from focal_photos.browser.views.base.theme import Theme


class LimitsPage(QWidget):
    """A line for each limit."""

    def __init__(self, preferences: Preferences, theme: Theme) -> None:
        super().__init__()
        self.rows = {limit.name: LimitRow(limit, preferences, theme) for limit in preferences.reading}
        text = self.tr(
            "Files beyond these limits are skipped and listed with the reason, so that they do not delay the "
            "others. If you raise a limit, they are read again."
        )
        lines = QWidget()
        layout = in_column(label(text, "soft", wrap=True), margins=0, spacing=0, parent=lines)
        layout.addSpacing(14)
        for number, row in enumerate(self.rows.values()):
            if number:
                layout.addWidget(separator())
            layout.addWidget(row)
        layout.addStretch(1)
        in_column(ColumnScrollArea(lines, self), margins=0, parent=self)


class LimitRow(QWidget):
    """One number: its title, a field, and a button that restores the default."""

    def __init__(self, limit: Limit, preferences: Preferences, theme: Theme) -> None:
        super().__init__()
        self._limit = limit
        self._preferences = preferences
        self.field = QLineEdit()
        self.field.setFixedWidth(110)
        self.field.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.field.setAccessibleName(f"{limit.title}, {limit.unit}")
        self.field.setEnabled(not preferences.read_only)
        self.field.textEdited.connect(lambda text: preferences.type_limit(limit.name, text))
        default = self.tr("Reset to the default: {0}").format(limit.default)
        self.reset_button: QToolButton = tool_button(theme, "undo", default, self._reset)
        self.error = label("", "error", wrap=True)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 14, 0, 14)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(0, 1)
        unit = label(limit.unit, "soft")
        unit.setMinimumWidth(unit.fontMetrics().horizontalAdvance("megapixels") + 4)
        top = Qt.AlignmentFlag.AlignVCenter
        grid.addWidget(label(limit.title, "title"), 0, 0)
        grid.addWidget(label(limit.help, "soft", wrap=True), 1, 0)
        grid.addWidget(self.error, 2, 0)
        for column, widget in enumerate((self.field, unit, self.reset_button), start=1):
            grid.addWidget(widget, 0, column, 2, 1, top)
        preferences.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        preferences, name = self._preferences, self._limit.name
        text, error = preferences.limit_text(name), preferences.limit_error(name)
        if self.field.text() != text and not (self.field.hasFocus() and self.field.text().strip() == text):
            self.field.setText(text)
        show_field_error(self.field, error)
        self.error.setText(error)
        self.error.setVisible(bool(error))
        self.reset_button.setEnabled(text != self._limit.default and not preferences.read_only)

    def _reset(self) -> None:
        self._preferences.type_limit(self._limit.name, self._limit.default)
        self.field.setFocus()
