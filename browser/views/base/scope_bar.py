# SPDX-License-Identifier: MIT
"""Shows the scope of a page, which a click clears, and whether it shows boxes instead of photos."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.photos.scope import CurrentScope
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.views.base.buttons import ElidedButton, button
from focal_photos.browser.views.base.labels import ElidedLabel
from focal_photos.browser.views.base.layouts import in_row

CLEAR_KEY: Final = "Ctrl+Shift+X"
"""Key that clears the scope."""

BOXES_KEY: Final = "Ctrl+Shift+R"
"""Key that switches between photos and boxes."""


class ScopeBar(QWidget):
    """Heading of a page: a caption such as "Review of", and the scope.

    Parameters
    ----------
    caption : str
        For example, "Review of".
    page : QWidget
        The widget in which `CLEAR_KEY` clears the scope, and `BOXES_KEY` switches between photos and boxes.
    """

    def __init__(self, scope: CurrentScope, caption: str, page: QWidget) -> None:
        super().__init__()
        self._scope = scope
        self._caption = ElidedLabel(caption, "title", asks=True)
        self._everything = ElidedLabel("", "soft", asks=True)
        self.chip = ElidedButton("recent", "  \N{MULTIPLICATION SIGN}")
        """The scope; a click clears it. Hidden for the whole library."""
        self.chip.clicked.connect(lambda _checked=False: scope.clear())
        self.boxes_button = button(self.tr("Boxes"), "segment", lambda: scope.show_boxes(not scope.boxes))
        """Switches between photos and boxes. Hidden in libraries without boxes, and on pages that cannot show them
        (`offer_boxes`)."""
        self.boxes_button.setCheckable(True)
        self.boxes_button.setToolTip(self.tr("Show the boxes of these photos instead of the photos (Ctrl+Shift+R)"))
        self._offers_boxes = False
        in_row(self._caption, self.chip, self._everything, self.boxes_button, margins=0, spacing=7, parent=self)
        for key, act in ((CLEAR_KEY, scope.clear), (BOXES_KEY, self._switch)):
            keys = QShortcut(QKeySequence(key), page, act)
            keys.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        scope.changed.connect(self._show)
        scope.items_changed.connect(self._show)
        self._show()

    def offer_boxes(self, offers: bool) -> None:
        """Set whether the page can show boxes instead of photos."""
        self._offers_boxes = offers
        self._show()

    def _switch(self) -> None:
        if self.boxes_button.isVisible():
            self._scope.show_boxes(not self._scope.boxes)

    def text(self) -> str:
        """Return the heading."""
        return f"{self._caption.full_text()} {self._scope.scope.label}"

    def _show(self) -> None:
        scope = self._scope.scope
        self.chip.setVisible(not scope.whole)
        self._everything.setVisible(scope.whole)
        self._everything.setText(scope.label)
        self.boxes_button.setVisible(self._offers_boxes and self._scope.has_boxes)
        self.boxes_button.setChecked(self._scope.boxes)
        self.chip.show_text(scope.label)
        self.chip.ensurePolished()
        self.setMinimumHeight(self.chip.sizeHint().height())  # the content below stays in place when the chip is hidden
        self.chip.setAccessibleName(self.tr("{0}: switch to the whole library").format(scope.label))
        self.chip.setToolTip(
            tool_tip(f"{scope.label}\n" + self.tr("Click to switch to the whole library (Ctrl+Shift+X)"))
        )
