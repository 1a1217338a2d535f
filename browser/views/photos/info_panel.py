"""Facts about the selected photo."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from browser.catalog.facts.marks import rating_in_words
from browser.catalog.facts.records import Information, Mark
from browser.models.photos.formatting import file_size, photos_in_words
from browser.models.photos.tiles import PhotoCard, shown
from browser.models.session import Session
from browser.views.base.labels import ElidedLabel, label
from browser.views.base.layouts import clear_layout
from browser.views.base.theme import Theme
from browser.views.photos.shared_neighbors import SharedNeighborsRow


class InfoPanel(QWidget):
    """Name, date, rating, camera and the like of the selected photo, else of the focal image; and why it is near."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self.setAccessibleName(self.tr("Information"))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnStretch(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 12)
        layout.setSpacing(7)
        layout.addWidget(label(self.tr("Information"), "section"))
        layout.addLayout(self._grid)
        self.shared_neighbors = SharedNeighborsRow(session, theme)
        layout.addWidget(self.shared_neighbors)
        session.target_tags_changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        clear_layout(self._grid)
        found = self._session.target_tags
        if found.card is not None:
            rows = self._facts(found.card) + self._said(found.mark, found.information)
        elif found.photo_ids:
            rows = [(self.tr("Selected"), photos_in_words(len(found.photo_ids)))]
        else:
            rows = [("", self.tr("Nothing selected"))]
        for row, (name, value) in enumerate(rows):
            if name:
                self._grid.addWidget(label(name, "faint"), row, 0, Qt.AlignmentFlag.AlignTop)
                self._grid.addWidget(ElidedLabel(value, "soft"), row, 1)
            else:
                self._grid.addWidget(ElidedLabel(value, "faint"), row, 0, 1, 2)

    def _facts(self, card: PhotoCard) -> list[tuple[str, str]]:
        photo = card.photo
        facts = [
            (self.tr("Name"), card.name),
            (self.tr("Folder"), shown(str(photo.path.parent))),
            (self.tr("File"), file_size(photo.bytes)),
        ]
        if photo.width and photo.height:
            size = f"{photo.width} \N{MULTIPLICATION SIGN} {photo.height}"
            facts.append((self.tr("Size"), size))
        if photo.taken is not None:
            facts.append((self.tr("Taken"), photo.taken.strftime("%Y-%m-%d %H:%M:%S")))
        if photo.missing:
            facts.append((self.tr("State"), self.tr("The file is missing")))
        elif card.away:
            facts.append((self.tr("State"), self.tr("Its folder is away: connect its drive")))
        if photo.failure:
            facts.append((self.tr("Problem"), photo.failure))
        return facts

    def _said(self, mark: Mark, information: Information) -> list[tuple[str, str]]:
        """Return what a person and the camera say; where the photo was taken is nobody's business on the screen."""
        facts = [
            (self.tr("Rating"), rating_in_words(mark.rating) if mark.rating else None),
            (self.tr("Label"), mark.label),
            (self.tr("Camera"), information.camera),
            (self.tr("Lens"), information.lens),
            (self.tr("Exposure"), information.exposure),
        ]
        return [(name, shown(value)) for name, value in facts if value]
