# SPDX-License-Identifier: MIT
"""The comparison of two photos: their matching patches, a legend of kinds, and the explained similarity."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import tool_button
from focal_photos.browser.views.base.labels import ElidedLabel, label
from focal_photos.browser.views.base.layouts import in_column, in_row
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.matches.matches_canvas import MatchesCanvas
from focal_photos.browser.views.photos.matches.matches_painting import shape


class MatchesPanel(QWidget):
    """The focal image and another photo side by side, with a heading and a legend."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Matching patches"))
        self._session = session
        self._local = session.local_view
        self.canvas = MatchesCanvas(session, theme)
        self.title = ElidedLabel("", "title")
        self.status = label(variant="soft")
        self.close_button = tool_button(
            theme, "cross", self.tr("Leave the comparison (Esc)"), self._local.leave_matches
        )
        heading = in_row((self.title, 1), self.close_button)
        foot = in_row(spacing=14)
        for number, name in enumerate(self._local.kinds):
            foot.addWidget(PatchKindLabel(theme, number, self.tr(name)))
        foot.addStretch(1)
        foot.addWidget(self.status)
        in_column(heading, (self.canvas, 1), foot, margins=0, spacing=6, parent=self)
        self._local.matches_changed.connect(self._show)
        self._local.heat_changed.connect(self._show_status)

    def _show(self) -> None:
        matches = self._local.matches
        if matches is not None:
            self.title.show_file_name(f"{matches.focal.name}  \N{LEFT RIGHT ARROW}  {matches.other.name}")
        elif not self._local.matching:
            self.title.setText("")
        self.canvas.show_matches(matches)
        self._show_status()

    def _show_status(self) -> None:
        local, matches = self._local, self._local.matches
        waiting = matches is None or matches.other.photo.id != local.other_id
        if local.failure:
            text = local.failure
        elif local.computing:
            text = self.tr("Learning which parts of this photo matter…")
        elif local.other_id is None:
            text = self.tr("Select a photo to compare with.")
        elif waiting or matches is None:
            text = self.tr("Comparing the patches\N{HORIZONTAL ELLIPSIS}")
        elif not matches.pairs:
            text = self.tr("No part of the focal image closely matches this photo.")
        else:
            text = self.tr("{0} patches: {1:.0f} % of the similarity")
            text = text.format(len(matches.pairs), 100 * sum(pair.share for pair in matches.pairs))
        self.status.setText(text)


class PatchKindLabel(QWidget):
    """The shape of a kind of patch, with its name."""

    def __init__(self, theme: Theme, kind: int, name: str) -> None:
        super().__init__()
        self._theme, self._kind, self._name = theme, kind, name
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return the size of shape and name."""
        metrics = self.fontMetrics()
        return QSize(19 + metrics.horizontalAdvance(self._name), metrics.height() + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint shape and name."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("text-faint"))
        painter.drawPath(shape(self._kind, QPointF(6.5, self.height() / 2), 5))
        painter.setPen(self._theme.color("text-soft"))
        painter.drawText(self.rect().adjusted(19, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self._name)
