# SPDX-License-Identifier: MIT
"""Facts about the selected photo."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from focal_photos.browser.catalog.facts.records import Information, Mark
from focal_photos.browser.models.photos.formatting import file_size, rating_text
from focal_photos.browser.models.photos.tiles import PhotoCard, shown
from focal_photos.browser.models.session import Session
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.views.base.buttons import FoldButton, button
from focal_photos.browser.views.base.labels import ElidedLabel, label
from focal_photos.browser.views.base.layouts import clear_layout, in_column
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.shared_neighbors import SharedNeighborsRow

_MOST_COPIES: Final = 5


class InfoPanel(QWidget):
    """Name, date, rating, camera and other data of the selected photo or else of the focal image; shared neighbours."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self.setAccessibleName(self.tr("Information"))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnStretch(1, 1)
        body = QWidget()
        self.fold = FoldButton(theme, self.tr("Information"), body)
        in_column(self.fold, body, margins=(12, 10, 12, 12), spacing=7, parent=self)
        self.place_button = button(self.tr("Show place"), "link", self._show_place)
        self.shared_neighbors = SharedNeighborsRow(session, theme)
        in_column(
            self._grid,
            (self.place_button, 0, Qt.AlignmentFlag.AlignLeft),
            self.shared_neighbors,
            margins=0,
            spacing=7,
            parent=body,
        )
        self._place_of: tuple[int, ...] = ()
        session.tagging.target_tags.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        clear_layout(self._grid)
        found = self._session.tagging.target_tags.now
        rows: list[tuple[str, str]] = []
        files = range(0)  # rows with names and paths of files
        if found.card is not None:
            paths, others = self._paths(found.card, found.copies), self._facts(found.card)
            files = range(len(paths))
            rows = paths + others + self._said(found.mark, found.information)
            if self._place_of == found.photo_ids:
                rows += self._place(found.information)
        self.place_button.setVisible(bool(self._place(found.information)) and self._place_of != found.photo_ids)
        for row, (name, value) in enumerate(rows):
            fact = ElidedLabel(value, "soft")
            if row in files:
                fact.show_file_name(value)
            self._grid.addWidget(label(name, "faint"), row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(fact, row, 1)

    def _show_place(self) -> None:
        """Show the place where this photo was taken, but not those of other photos."""
        self._place_of = self._session.tagging.target_tags.now.photo_ids
        self._show()

    def _place(self, information: Information) -> list[tuple[str, str]]:
        if information.latitude is None or information.longitude is None:
            return []
        return [(self.tr("Place"), f"{information.latitude:.5f}, {information.longitude:.5f}")]

    def _paths(self, card: PhotoCard, copies: Sequence[Path]) -> list[tuple[str, str]]:
        """Return the name and the folder of the photo, and the places of copies."""
        named = [shown(str(path)) for path in copies[:_MOST_COPIES]]
        if len(copies) > _MOST_COPIES:
            named.append(f"+ {len(copies) - _MOST_COPIES}")
        same = [("\N{NO-BREAK SPACE}" if at else self.tr("Same file"), text) for at, text in enumerate(named)]
        return [(self.tr("Name"), card.name), (self.tr("Folder"), shown(str(card.photo.path.parent))), *same]

    def _facts(self, card: PhotoCard) -> list[tuple[str, str]]:
        photo = card.photo
        facts = [(self.tr("File"), file_size(photo.bytes))]
        if photo.width and photo.height:
            size = f"{photo.width} \N{MULTIPLICATION SIGN} {photo.height}"
            facts.append((self.tr("Size"), size))
        if photo.taken is not None:
            facts.append((self.tr("Taken"), photo.taken.strftime("%Y-%m-%d %H:%M:%S")))
        if photo.missing:
            facts.append((self.tr("State"), self.tr("The file is missing")))
        elif card.offline:
            facts.append((self.tr("State"), self.tr("Folder not found: connect its drive")))
        if photo.failure or photo.incomplete:
            facts.append((self.tr("Problem"), in_words(photo.failure or photo.incomplete or "")))
        return facts

    def _said(self, mark: Mark, information: Information) -> list[tuple[str, str]]:
        """Return ratings by the user and camera data; the place is shown on request only."""
        facts = [
            (self.tr("Rating"), rating_text(mark.rating) if mark.rating else None),
            (self.tr("Label"), in_words(mark.label) if mark.label else None),
            (self.tr("Camera"), information.camera),
            (self.tr("Lens"), information.lens),
            (self.tr("Exposure"), information.exposure),
        ]
        return [(name, shown(value)) for name, value in facts if value]
