# SPDX-License-Identifier: MIT
"""The page shown instead of an empty grid."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_column
from focal_photos.browser.views.base.theme import Theme


class EmptyPage(QWidget):
    """Explains why the grid is empty, and offers to show all photos."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("No photos"))
        self._session = session
        self._theme = theme
        self._icon = QLabel()
        self._text = label("", "soft", wrap=True)
        self._text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._text.setMinimumWidth(360)
        self.clear_button = button(
            self.tr("Show all photos"), "", lambda: session.navigator.show_collection(Collection())
        )
        layout = in_column(STRETCH, spacing=12, parent=self)
        for widget in (self._icon, self._text, self.clear_button):
            layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(1)

    def explain(self) -> None:
        """Show the current reason."""
        navigator = self._session.navigator
        icon = "photos"
        if navigator.focal_id is not None and navigator.collection.query:
            text = self.tr("No other photo matches “{0}”.")
            text, icon = text.format(navigator.collection.query), "search"
        elif navigator.focal_id is not None:
            text = self.tr("No other photos to rank yet.")
        elif navigator.collection.folder is not None and navigator.collection.query:
            text = self.tr("No photo in the folder {0} matches “{1}”.")
            text = text.format(shown(navigator.collection.folder.name), navigator.collection.query)
            icon = "search"
        elif not navigator.collection.everything:
            text = self.tr("No photo matches “{0}”.")
            text, icon = text.format(navigator.collection.query or navigator.trail.current.label), "search"
        elif self._session.jobs.indexing.running:
            text = self.tr("Looking for photos\N{HORIZONTAL ELLIPSIS}")
        else:
            text, icon = self.tr("There are no photos in these folders."), "folder"
        self._icon.setPixmap(self._theme.pixmap(icon, 44, "text-faint", self.devicePixelRatioF()))
        self._text.setText(text)
        self.clear_button.setVisible(not navigator.collection.everything)
