"""The certificate as a table: a row for each tag, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.operations.exchange.certificates import certificate_page

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.audit.certificate import Certificate

_COLUMNS: Final = (
    QT_TRANSLATE_NOOP("certificate", "Tag"),
    QT_TRANSLATE_NOOP("certificate", "Photos"),
    QT_TRANSLATE_NOOP("certificate", "Answers"),
    QT_TRANSLATE_NOOP("certificate", "Right, of the tagged"),
    QT_TRANSLATE_NOOP("certificate", "Still missing"),
    QT_TRANSLATE_NOOP("certificate", "Found, of all"),
)


class CertificateTable(QTableWidget):
    """Shows a certificate; its cells cannot be edited."""

    def __init__(self) -> None:
        super().__init__(0, len(_COLUMNS))
        self.setObjectName("certificateTable")
        self.setAccessibleName(self.tr("Certificate"))
        self.setHorizontalHeaderLabels([QCoreApplication.translate("certificate", str(name)) for name in _COLUMNS])
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def show_certificate(self, certificate: Certificate | None) -> None:
        """Show a certificate; None clears the table."""
        self.setRowCount(0)
        if certificate is None:
            return
        for one in certificate.tags:
            name = f"{one.tag} *" if one.changed else one.tag
            self._add(name, one.photos, f"{one.answered}/{one.drawn}", certificate_page.estimate_texts(one.estimate))
        photos = sum(one.photos for one in certificate.tags)
        total = self.tr("All these tags together")
        self._add(
            total,
            photos,
            f"{certificate.answered}/{certificate.drawn}",
            certificate_page.estimate_texts(certificate.total),
        )

    def _add(self, name: str, photos: int, answers: str, estimates: tuple[str, ...]) -> None:
        row = self.rowCount()
        self.insertRow(row)
        for column, text in enumerate((name, grouped(photos), answers, *estimates)):
            item = QTableWidgetItem(text)
            item.setToolTip(tool_tip(text))
            self.setItem(row, column, item)
