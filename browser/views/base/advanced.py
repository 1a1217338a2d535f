# SPDX-License-Identifier: MIT
"""A button that shows or hides advanced options."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget


class AdvancedButton(QPushButton):
    """Shows the widgets added to it while it is checked; at first they are hidden.

    Parameters
    ----------
    variant : str
        Style variant, as in `buttons.button`.
    """

    def __init__(self, variant: str = "") -> None:
        super().__init__(self.tr("Advanced"))
        self.setCheckable(True)
        self.setAutoDefault(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("variant", variant)
        self._widgets: list[QWidget] = []
        self.toggled.connect(self._show)

    def add(self, widget: QWidget) -> None:
        """Show a widget only while the button is checked."""
        self._widgets.append(widget)
        widget.setVisible(self.isChecked())

    def holds(self, widget: QWidget) -> bool:
        """Return whether the button controls a widget."""
        return widget in self._widgets

    def _show(self, on: bool) -> None:
        for widget in self._widgets:
            widget.setVisible(on)
