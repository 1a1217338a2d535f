# SPDX-License-Identifier: MIT
"""The canvas of the map, or the reason why there is no map yet."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from focal_photos.browser.catalog.facts.learning.items import box_ids_of
from focal_photos.browser.models.photos.formatting import no_photos_yet
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_column
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.map.map_canvas import MapCanvas


class MapView(QStackedWidget):
    """Follows the map of the session.

    Parameters
    ----------
    consumer : str
        Name under which the canvas requests thumbnails; unique for each view.
    """

    def __init__(self, session: Session, theme: Theme, consumer: str) -> None:
        super().__init__()
        self._session, self._map = session, session.map
        self.canvas = MapCanvas(session.map, session.loader, theme, consumer)
        self.nothing = label("", "soft", wrap=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.again_button = button(self.tr("Arrange the map"), "primary", session.map.lay_out)
        page = QWidget()
        in_column(STRETCH, self.nothing, (self.again_button, 0, Qt.AlignmentFlag.AlignCenter), STRETCH, parent=page)
        self.addWidget(self.canvas)
        self.addWidget(page)

    @property
    def has_map(self) -> bool:
        """Whether the canvas is shown."""
        return self.currentWidget() is self.canvas

    def follow(self) -> None:
        """Show the canvas if there is a map, or else the reason why there is none."""
        library_map = self._map
        self.setCurrentIndex(0 if library_map.drawing is not None else 1)
        if not self._session.overview.now.photos:
            self.nothing.setText(no_photos_yet())
        elif library_map.obstacle:
            self.nothing.setText(library_map.obstacle)
        elif library_map.busy or not library_map.opened:
            self.nothing.setText(self.tr("Arranging photos…"))
        else:
            self.nothing.setText(self.tr("Arranging the map was stopped."))
        self.again_button.setVisible(not library_map.busy and not library_map.obstacle and library_map.opened)


def tag_selected(session: Session, add: Sequence[str], remove: Sequence[str] = ()) -> None:
    """Tag the photos selected on the map, or name the selected boxes by the first tag; removing it removes the name."""
    if not session.map.boxes:
        session.targets.tag(add, remove)
    elif add or remove:
        session.editor.name_boxes(box_ids_of(session.map.selected), add[0] if add else None)


def tag_by_digit(session: Session, event: QKeyEvent) -> bool:
    """Add the tag of a digit key to the photos or boxes selected on the map; return whether the key was a digit."""
    digit = event.text()
    if not digit or digit not in "123456789" or event.modifiers() or not session.map.selected:
        return False
    if tag := session.tagging.pinned.tag(int(digit)):
        tag_selected(session, [tag])
    return True
