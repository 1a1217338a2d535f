# SPDX-License-Identifier: MIT
"""The page that the window shows while the library has no folders."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_column, in_row
from focal_photos.browser.views.base.theme import Theme, app_picture, scaled_font, set_property


class WelcomePage(QWidget):
    """Introduces Focal, and offers to choose a folder."""

    folder_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._box = QFrame()
        self._box.setObjectName("dropTarget")
        picture = QLabel()
        picture.setPixmap(app_picture(88, self.devicePixelRatioF()))
        title = label(self.tr("Your photos, by your own notion of similar"), "title", wrap=True)
        title.setFont(scaled_font(self.font(), 1.65))
        text = label(
            self.tr(
                "Double-click a photo: all others are ranked by it.\nMark photos as similar, and the ranking learns."
            ),
            "soft",
            wrap=True,
        )
        caption = self.tr("Open a folder of photos\N{HORIZONTAL ELLIPSIS}")
        self.open_button = button(caption, "primary", self.folder_wanted.emit)
        self.open_button.setFont(scaled_font(self.font(), 1.1))
        self.open_button.setMinimumHeight(42)
        theme.set_icon(self.open_button, "folder-open", "accent-text")
        self.open_button.setIconSize(QSize(20, 20))
        drop = label(self.tr("or drop a folder here"), "soft")
        promise = label(
            self.tr("Photos stay where they are. Focal never changes, moves or uploads them."), "faint", wrap=True
        )
        inside = in_column(margins=(36, 44, 36, 36), spacing=14, parent=self._box)
        for widget in (picture, title, text, self.open_button, drop, promise):
            if isinstance(widget, QLabel):
                widget.setAlignment(Qt.AlignmentFlag.AlignHCenter)
                inside.addWidget(widget)
            else:
                inside.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        self._box.setMinimumWidth(360)
        self._box.setMaximumWidth(560)
        middle = in_row(STRETCH, (self._box, 1000), STRETCH)
        in_column(STRETCH, middle, STRETCH, parent=self)

    def set_drop(self, over: bool) -> None:
        """Show whether a folder is dragged over the window."""
        set_property(self._box, "over", over)
