# SPDX-License-Identifier: MIT
"""A table of backups, and the description of differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QHeaderView

from focal_photos.browser.catalog.store.backups import Backup
from focal_photos.browser.catalog.store.rescue.difference import Difference
from focal_photos.browser.catalog.store.verified import Verification
from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.tasks.messages import Localized
from focal_photos.browser.views.base.tables import RowTable

_EXAMPLES = 3
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class BackupTable(RowTable):
    """Backups, the newest first, one of which can be selected.

    Signals
    -------
    chosen : Backup
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__("")
        self.setAccessibleName(self.tr("Backups"))
        self._backups: list[Backup] = []
        self._model = QStandardItemModel(0, 7, self)
        self.setModel(self._model)
        self.selectionModel().selectionChanged.connect(self._choose)

    def show_backups(self, backups: Sequence[Backup], verified: Mapping[Path, Verification] | None = None) -> None:
        """Show other backups; keep the selected one if it still exists, otherwise select the first.

        Parameters
        ----------
        verified : mapping of pathlib.Path to Verification, optional
            Results of their last verification.
        """
        before = self.backup
        self._backups = list(backups)
        self._model.clear()
        titles = [
            self.tr("Made"), self.tr("Photos"), self.tr("Tags"), self.tr("Judgements"), self.tr("Size"), self.tr("Why"),
            self.tr("Verified"),
        ]  # fmt: skip
        self._model.setHorizontalHeaderLabels(titles)
        for one in self._backups:
            known = one.shown_counts
            counts = [grouped(known[name]) if name in known else "" for name in _COUNTS]
            size = f"{Localized(one.bytes / 1e6):.1f} MB"
            made = f"{one.at.astimezone():%Y-%m-%d %H:%M}"
            texts = [made, *counts, size, one.reason, self._verified((verified or {}).get(one.path))]
            cells = [QStandardItem(text) for text in texts]
            for place, cell in enumerate(cells):
                cell.setEditable(False)
                cell.setToolTip(tool_tip(shown(str(one.path))))
                if 0 < place < len(cells) - 2:
                    cell.setTextAlignment(_RIGHT)
            self._model.appendRow(cells)
        for place, width in enumerate((140, 80, 80, 90, 80, 110)):
            self.setColumnWidth(place, max(width, self.horizontalHeader().sectionSizeHint(place)))
        self.horizontalHeader().setSectionResizeMode(len(titles) - 1, QHeaderView.ResizeMode.Stretch)
        if self._backups:
            self.selectRow(self._backups.index(before) if before in self._backups else 0)

    def _verified(self, found: Verification | None) -> str:
        """Return the date on which a backup was found intact, or that it is damaged."""
        if found is None:
            return ""
        return self.tr("damaged") if found.problem is not None else f"{found.at.astimezone():%Y-%m-%d}"

    @property
    def backup(self) -> Backup | None:
        """The selected backup."""
        rows = self.selectionModel().selectedRows()
        return self._backups[rows[0].row()] if rows and rows[0].row() < len(self._backups) else None

    def _choose(self) -> None:
        if self.backup is not None:
            self.chosen.emit(self.backup)


_COUNTS = ("photos", "tags", "judgements")


def difference_text(differences: Sequence[Difference]) -> str:
    """Describe losses and gains, one line for each kind, with examples."""
    if not differences:
        return QCoreApplication.translate("backups", "The backup matches everything that can be read of the library.")
    lines = []
    for one in differences:
        kind = QCoreApplication.translate("backups", one.kind)
        for number, examples, words in (
            (one.lost, one.lost_examples, QCoreApplication.translate("backups", "Would lose {0} {1}: {2}")),
            (one.gained, one.gained_examples, QCoreApplication.translate("backups", "Would restore {0} {1}: {2}")),
        ):
            if number:
                some = ", ".join(shown(_brief(text)) for text in examples[:_EXAMPLES])
                more = ", \N{HORIZONTAL ELLIPSIS}" if number > _EXAMPLES else ""
                lines.append(words.format(grouped(number), kind, some + more))
    return "\n".join(lines)


def _brief(text: str) -> str:
    """Return an example without the folders of its photo."""
    path, separator, rest = text.partition(": ")
    return path.rsplit("/", 1)[-1] + separator + rest
