"""Shows the scope of a page; a click clears it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.photos.scope import CurrentScope
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.views.base.buttons import ElidedButton
from focal_photos.browser.views.base.labels import ElidedLabel
from focal_photos.browser.views.base.layouts import in_row

CLEAR_KEY: Final = "Ctrl+Shift+X"
"""Key that clears the scope."""


class ScopeBar(QWidget):
    """Heading of a page: a caption such as "Review of", and the scope.

    Parameters
    ----------
    caption : str
        For example, "Review of".
    page : QWidget
        The widget in which `CLEAR_KEY` clears the scope.

    Attributes
    ----------
    chip : ElidedButton
        The scope; a click clears it. Hidden for the whole library.
    """

    def __init__(self, scope: CurrentScope, caption: str, page: QWidget) -> None:
        super().__init__()
        self._scope = scope
        self._caption = ElidedLabel(caption, "title", asks=True)
        self._everything = ElidedLabel("", "soft", asks=True)
        self.chip = ElidedButton("recent", "  \N{MULTIPLICATION SIGN}")
        self.chip.clicked.connect(lambda _checked=False: scope.clear())
        in_row(self._caption, self.chip, self._everything, margins=0, spacing=7, parent=self)
        keys = QShortcut(QKeySequence(CLEAR_KEY), page, scope.clear)
        keys.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        scope.changed.connect(self._show)
        self._show()

    def text(self) -> str:
        """Return the heading."""
        return f"{self._caption.full_text()} {self._scope.scope.label}"

    def _show(self) -> None:
        scope = self._scope.scope
        self.chip.setVisible(not scope.whole)
        self._everything.setVisible(scope.whole)
        self._everything.setText(scope.label)
        self.chip.show_text(scope.label)
        self.chip.ensurePolished()
        self.setMinimumHeight(self.chip.sizeHint().height())  # the content below stays in place when the chip is hidden
        self.chip.setAccessibleName(self.tr("{0}: switch to the whole library").format(scope.label))
        self.chip.setToolTip(
            tool_tip(f"{scope.label}\n" + self.tr("Click to switch to the whole library (Ctrl+Shift+X)"))
        )
