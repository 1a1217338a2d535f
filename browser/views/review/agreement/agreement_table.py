# SPDX-License-Identifier: MIT
"""The agreement of annotators as a table: a row for each tag, with intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.tasks.messages import Localized
from focal_photos.browser.views.base.tables import FigureTable

if TYPE_CHECKING:
    from focal_photos.browser.operations.exchange.annotators.compare import Comparison

_COLUMNS: Final = (
    QT_TRANSLATE_NOOP("agreement", "Tag"),
    QT_TRANSLATE_NOOP("agreement", "Photos"),
    QT_TRANSLATE_NOOP("agreement", "Differ"),
    QT_TRANSLATE_NOOP("agreement", "Kappa"),
    QT_TRANSLATE_NOOP("agreement", "Alpha"),
)


class AgreementTable(FigureTable):
    """Shows a comparison. The row of a tag leads to its disagreements."""

    def __init__(self) -> None:
        names = [QCoreApplication.translate("agreement", str(name)) for name in _COLUMNS]
        super().__init__(QCoreApplication.translate("AgreementTable", "Agreement on each tag"), names)

    def show_comparison(self, comparison: Comparison | None) -> None:
        """Show the tags of a comparison; None clears the table."""
        tags = () if comparison is None else comparison.tags
        self.setColumnHidden(len(_COLUMNS) - 1, all(math.isnan(one.alpha.value) for one in tags))
        self.show_rows(
            [
                [
                    *((text, text) for text in (one.tag, grouped(one.photos), grouped(one.disagreements))),
                    agreement_cell(*one.kappa),
                    agreement_cell(*one.alpha),
                ]
                for one in tags
            ]
        )

    def tag(self, row: int) -> str:
        """Return the tag of a row."""
        item = self.item(row, 0)
        return "" if item is None else item.text()


def agreement_cell(value: float, low: float, high: float) -> tuple[str, str]:
    """Return a figure for a cell, and with its interval for the tool tip."""
    if math.isnan(value):
        return "\N{EN DASH}", QCoreApplication.translate("AgreementTable", "Not defined: all answers are equal.")
    text = QCoreApplication.translate(
        "AgreementTable", "{0:.2f}, with a probability of 95 % between {1:.2f} and {2:.2f}"
    )
    return f"{Localized(value):.2f}", text.format(Localized(value), Localized(low), Localized(high))
