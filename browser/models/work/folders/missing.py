# SPDX-License-Identifier: MIT
"""Tables of the missing photos and the proposals for them, and the actions on both."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.rows_table import Index, RowsTable
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.work.folders.watching import Watching
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.photos.missing_files import missing
from focal_photos.browser.tasks.thumbnail_loader import PixelSize, ThumbnailLoader

THUMBNAIL: Final = PixelSize(72, 48)


class MissingTable(RowsTable):
    """One row for each missing photo, folder by folder."""

    def __init__(self, loader: ThumbnailLoader, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.photos: list[missing.MissingPhoto] = []
        self._loader = loader
        loader.loaded.connect(self._pictures_arrived)

    def show_photos(self, photos: Sequence[missing.MissingPhoto]) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self.photos = list(photos)
        self.endResetModel()

    def want(self, first: int, last: int) -> None:
        """Request the pictures of some rows."""
        self._loader.request("missing", [each.photo.id for each in self.photos[first : last + 1]], THUMBNAIL)

    def items(self) -> Sequence[missing.MissingPhoto]:
        """Return the missing photos."""
        return self.photos

    def titles(self) -> tuple[str, ...]:
        """Return the headings."""
        return self.tr("Photo"), self.tr("Attached data"), self.tr("Folder")

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the cached data of a cell."""
        each = self.photos[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            path = each.photo.path
            return (shown(path.name), self._work(each), shown(str(path.parent)))[index.column()]
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            return _in_the_middle(self._loader.image(each.photo.id, THUMBNAIL))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{shown(str(each.photo.path))}. {self._work(each)}"
        return None

    def _work(self, each: missing.MissingPhoto) -> str:
        """Return the user's work on a missing photo: its tags, judgements, boxes and marks."""
        parts = [", ".join(each.tags)] if each.tags else []
        if each.judgements:
            count = each.judgements
            parts.append(self.tr("1 judgement") if count == 1 else self.tr("{0} judgements").format(count))
        if each.boxes:
            parts.append(self.tr("1 box") if each.boxes == 1 else self.tr("{0} boxes").format(each.boxes))
        if each.marked:
            parts.append(self.tr("rating or label"))
        return "  \N{MIDDLE DOT}  ".join(parts)

    def _pictures_arrived(self, photo_ids: Sequence[int]) -> None:
        if self.photos and photo_ids:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.photos) - 1, 0))


class ProposalTable(RowsTable):
    """One row for each proposal."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.proposals: list[missing.Proposal] = []

    def show_proposals(self, proposals: Sequence[missing.Proposal]) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self.proposals = list(proposals)
        self.endResetModel()

    def items(self) -> Sequence[missing.Proposal]:
        """Return the proposals."""
        return self.proposals

    def titles(self) -> tuple[str, ...]:
        """Return the headings."""
        return self.tr("Was"), self.tr("Probably now in"), self.tr("Why")

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the cached data of a cell."""
        each = self.proposals[index.row()]
        texts = (shown(str(each.old)), shown(str(each.new)), self._why(each))
        if role == Qt.ItemDataRole.DisplayRole:
            return texts[index.column()]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ". ".join(texts)
        return None

    def _why(self, each: missing.Proposal) -> str:
        if each.kind is missing.ProposalKind.RELOCATE:
            return self.tr("contains most of its photos")
        if each.kind is missing.ProposalKind.SAME_CONTENT:
            return self.tr("the same content")
        return self.tr("the same name; it may have been changed")


class Missing(Model):
    """The state and the actions of the dialog for missing photos."""

    state_changed = Signal()
    """`searching`, `loaded` or one of the tables has changed."""

    def __init__(self, services: Services, watching: Watching) -> None:
        super().__init__(services)
        self._watching = watching
        self.table = MissingTable(self._loader, self)
        self.proposals = ProposalTable(self)
        self.loaded = False
        """Whether the missing photos have been read."""
        self._job: int | None = None
        self._among: tuple[Path, ...] = ()

    @property
    def searching(self) -> bool:
        """Whether files are being searched for or a proposal is being carried out."""
        return self._job is not None

    def begin(self) -> None:
        """Read the missing photos, and search for their files in the obvious places."""
        self._among = ()
        self.read()
        self.search()

    def read(self) -> None:
        """Read the missing photos again."""
        library = self._library

        def done(found: dict[Path, list[missing.MissingPhoto]]) -> None:
            self.loaded = True
            self.table.show_photos([each for photos in found.values() for each in photos])
            self.state_changed.emit()

        self._runner.read("missing", lambda: missing.missing_photos(library), done)

    def search(self, *among: Path) -> None:
        """Search for the files of missing photos; also in the given folders, now and later."""
        self._among = tuple(dict.fromkeys([*self._among, *among]))
        library, folders = self._library, self._among
        self._start(self.tr("Searching for missing photos"), lambda: missing.propose(library, folders), self._show)

    def stop(self) -> None:
        """Stop searching."""
        if self._job is not None:
            self._runner.cancel(self._job)
            self._job = None

    def accept(self, proposals: Sequence[missing.Proposal]) -> None:
        """Carry out proposals."""
        library, chosen = self._library, list(proposals)

        def work() -> Job[None]:
            for proposal in chosen:
                yield from missing.accept(library, proposal)

        self._start(self.tr("Accepting the found locations"), work, lambda _: self._written())

    def forget(self, photo_ids: Sequence[int]) -> None:
        """Stop listing photos, even those with tags or judgements; the user has confirmed."""
        library = self._library

        def done(changes: ChangeSet) -> None:
            self._publish(changes._replace(kinds=changes.kinds | {Kind.FILES}))
            self.read()

        self._runner.write(
            self.tr("Forgetting missing photos"), lambda: missing.forget(library, photo_ids, with_work=True), done
        )

    # ------------------------------------------------------------------ private
    def _start(self, title: str, make: Any, done: Any) -> None:
        self.stop()

        def ended(result: Any) -> None:
            if number == self._job:
                self._job = None
                done(result)
                self.state_changed.emit()

        def failed(_error: Exception) -> bool:
            if number == self._job:
                self._job = None
                self._written()
            return False

        number = self._job = self._runner.start(title, make, ended, failed, lane="folders")
        self.state_changed.emit()

    def _show(self, proposals: Sequence[missing.Proposal]) -> None:
        self.proposals.show_proposals(proposals)

    def _publish(self, changes: ChangeSet) -> None:
        self._feed.publish(changes)
        self._watching.look()

    def _written(self) -> None:
        self._publish(ChangeSet("", frozenset(Kind)))
        self.read()
        self.search()


def _in_the_middle(picture: QImage | None) -> QImage:
    """Centre a picture in a frame of fixed size, so that rows do not move when pictures arrive and names align."""
    image = QImage(*THUMBNAIL, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    if picture is not None and not picture.isNull():
        fitted = picture.scaled(
            QSize(*THUMBNAIL), Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        painter = QPainter(image)
        painter.drawImage((THUMBNAIL.width - fitted.width()) // 2, (THUMBNAIL.height - fitted.height()) // 2, fitted)
        painter.end()
    return image
