# SPDX-License-Identifier: MIT
"""The certificate as a table: a row for each tag, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.operations.exchange.certificates import certificate_page
from focal_photos.browser.views.base.tables import FigureTable
from focal_photos.browser.views.review.agreement.agreement_table import agreement_cell

if TYPE_CHECKING:
    from focal_photos.browser.operations.tagging.audit.certificate import Certificate

_COLUMNS: Final = (
    QT_TRANSLATE_NOOP("certificate", "Tag"),
    QT_TRANSLATE_NOOP("certificate", "Photos"),
    QT_TRANSLATE_NOOP("certificate", "Answers"),
    QT_TRANSLATE_NOOP("certificate", "Right, of the tagged"),
    QT_TRANSLATE_NOOP("certificate", "Still missing"),
    QT_TRANSLATE_NOOP("certificate", "Found, of all"),
    QT_TRANSLATE_NOOP("certificate", "Kappa"),
)


class CertificateTable(FigureTable):
    """Shows a certificate."""

    def __init__(self) -> None:
        names = [QCoreApplication.translate("certificate", str(name)) for name in _COLUMNS]
        super().__init__(QCoreApplication.translate("CertificateTable", "Certificate"), names)
        self.setObjectName("certificateTable")

    def show_certificate(self, certificate: Certificate) -> None:
        """Show the tags of a certificate, and all together."""
        rows = []
        for one in certificate.tags:
            name = f"{one.tag} *" if one.changed else one.tag
            estimates = certificate_page.estimate_texts(one.estimate)
            texts = [name, grouped(one.photos), f"{one.answered}/{one.drawn}", *estimates]
            rows.append([*_cells(texts), agreement_cell(*one.agreement)])
        photos = grouped(sum(one.photos for one in certificate.tags))
        answers = f"{certificate.answered}/{certificate.drawn}"
        total = certificate_page.estimate_texts(certificate.total)
        name = QCoreApplication.translate("CertificateTable", "All these tags together")
        self.show_rows([*rows, _cells([name, photos, answers, *total, ""])])


def _cells(texts: Sequence[str]) -> list[tuple[str, str]]:
    return [(text, text) for text in texts]
