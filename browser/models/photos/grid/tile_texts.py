# SPDX-License-Identifier: MIT
"""The texts of a tile: its tool tip, and its description for a screen reader."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from focal_photos.browser.catalog.facts.records import Relation, Verdict
from focal_photos.browser.models.photos.tiles import TileState
from focal_photos.browser.tasks.messages import Localized, in_words


def tr(text: str) -> str:
    """Return a text in the language of the window."""
    return QCoreApplication.translate("tile", text)


def spoken(tile: TileState) -> str:
    """Return the description of a tile for a screen reader."""
    parts = [tile.card.name if tile.card else tr("Photo")]
    if tile.score is not None:
        parts.append(tr("rank {0}, distance {1:.3f}").format(tile.row + 1, Localized(tile.score)))
    if tile.rose:
        up = tr("rose by {0}") if tile.rose > 0 else tr("fell by {0}")
        parts.append(up.format(abs(tile.rose)))
    if tile.folded:
        parts.append(tr("{0} duplicates stacked").format(tile.folded))
    if tile.mark is not None:
        similar = tile.mark is Verdict.SIMILAR
        parts.append(tr("judged similar") if similar else tr("judged not similar"))
    if Relation.LOOKS_ALIKE in tile.relations:
        parts.append(tr("looks alike"))
    if Relation.NEARER in tile.relations:
        parts.append(tr("nearer than another photo"))
    if tile.card and tile.card.tags:
        parts.append(tr("tags: {0}").format(", ".join(tile.card.tags)))
    if tile.card and tile.card.photo.failure:
        parts.append(tr("cannot be shown: {0}").format(tile.card.photo.failure))
    return ", ".join(parts)


def tool_tip(tile: TileState) -> str | None:
    """Return the tool tip of a tile; None if the data of the photo have not arrived."""
    if tile.card is None:
        return None
    lines = [tile.card.name, *tile.card.tags]
    if tile.card.photo.failure:
        lines.append(tile.card.photo.failure)
    if tile.card.photo.incomplete:
        lines.append(in_words(tile.card.photo.incomplete))
    return "\n".join(lines)
