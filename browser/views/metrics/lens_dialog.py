# SPDX-License-Identifier: MIT
"""The dialog that opens a lens, or tries it first."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QWidget

from focal_photos.browser.models.metrics.history import History
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_dialog, in_row


class LensDialog(QDialog):
    """Shows what a lens gains on the user's own photos, and opens it.

    Parameters
    ----------
    file : Path
        The lens.
    """

    def __init__(self, history: History, file: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Open a lens"))
        self.setProperty("guide", "exchanging.md#lenses")
        self._history, self._file = history, file
        text = self.tr(
            "Try it first: Focal compares it with the metric in use on the photos that you have tagged or judged. "
            "About 30 are enough to notice a large difference. Nothing changes until you use the lens."
        )
        self.result_text = label("", wrap=True)
        self.result_text.hide()
        self.cancel_button = button(self.tr("Cancel"), "", self.reject)
        self.try_button = button(self.tr("Try"), "", self.try_lens)
        self.use_button = button(self.tr("Use"), "primary", self.accept)
        self.accepted.connect(lambda: history.open_lens(file))
        in_dialog(
            self,
            label(shown(file.name), "title", wrap=True),
            label(text, "soft", wrap=True),
            self.result_text,
            in_row(STRETCH, self.cancel_button, self.try_button, self.use_button),
        )
        self.setMinimumWidth(480)
        # a button can become the default only after it was added to the dialog
        self.cancel_button.setAutoDefault(False)
        self.use_button.setAutoDefault(False)
        self.try_button.setDefault(True)
        self.try_button.setFocus()
        history.lens_tried.connect(self._show)
        history.trying_changed.connect(self._enable)

    def try_lens(self) -> None:
        """Measure the gain of the lens."""
        self._show_result(self.tr("Trying\N{HORIZONTAL ELLIPSIS}"))
        self._history.try_lens(self._file)

    def _enable(self) -> None:
        self.try_button.setEnabled(not self._history.trying)
        if not self._history.trying and self.result_text.text() == self.tr("Trying\N{HORIZONTAL ELLIPSIS}"):
            self.result_text.hide()  # it failed, and the window says why

    def _show(self, file: Path, words: str) -> None:
        if file == self._file:
            self._show_result(words)
            self.use_button.setFocus()

    def _show_result(self, words: str) -> None:
        """Show a result, in a dialog that is high enough for it."""
        self.result_text.setText(words)
        self.result_text.show()
        self.resize(self.width(), max(self.height(), self.heightForWidth(self.width())))
