# SPDX-License-Identifier: MIT
"""The right column: of the panels about photos, those that the selection needs."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSettings, QSize, Qt
from PySide6.QtWidgets import QStyle, QWidget

from focal_photos.browser.models.session import Session
from focal_photos.browser.models.settings.user_settings import UserSettings
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import ColumnScrollArea, in_column
from focal_photos.browser.views.base.separator import separator
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.boxes.box_list import BoxList
from focal_photos.browser.views.photos.info_panel import InfoPanel
from focal_photos.browser.views.tags.suggestion_panel import SuggestionPanel
from focal_photos.browser.views.tags.tag_panel import TagPanel

_LIMITS: Final = (200, 520)  # smallest and largest width, in pixels

_MARGIN: Final = 12  # beside each panel


class RightColumn(QWidget):
    """Tags, boxes, suggestions and information of the selection, one below the other.

    Of one photo all are shown, boxes only if it has some or is in box mode; of several their tags, and suggestions if
    there are any. Where nothing is selected a hint takes their place, with the suggestions of all photos if there are
    any.

    Parameters
    ----------
    settings : QSettings
        Where it is kept which panels are folded.
    """

    def __init__(
        self, session: Session, theme: Theme, user_settings: UserSettings, settings: QSettings, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._session = session
        self.setObjectName("rightPanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMaximumWidth(_LIMITS[1])
        self.tags = TagPanel(session, theme, user_settings)
        self.boxes = BoxList(session, theme)
        self.suggestions = SuggestionPanel(session, theme)
        self.information = InfoPanel(session, theme)
        self.hint = label(
            self.tr("Nothing is selected. Click a photo to see its tags, suggestions and information."),
            "faint",
            wrap=True,
        )
        self.hint.setContentsMargins(14, 14, 12, 12)
        column = QWidget()
        column.setObjectName("content")
        rows = in_column(self.hint, margins=0, spacing=0, parent=column)
        self._lines: list[tuple[QWidget, QWidget]] = []
        """The line above each panel, and the panel."""
        for panel, stretch in ((self.tags, 0), (self.boxes, 0), (self.suggestions, 1), (self.information, 0)):
            self._lines.append((separator(), panel))
            rows.addWidget(self._lines[-1][0])
            rows.addWidget(panel, stretch)
        rows.addStretch(0)  # takes the room of hidden suggestions
        scrolled = ColumnScrollArea(column, self)
        scrolled.setAccessibleName(self.tr("Tags and suggestions"))
        in_column((scrolled, 1), self.suggestions.foot, margins=0, spacing=0, parent=self)
        for panel, name in (
            (self.tags, "tags"),
            (self.boxes, "boxes"),
            (self.suggestions, "suggestions"),
            (self.information, "information"),
        ):
            panel.fold.keep_in(settings, name)
        session.tagging.target_tags.changed.connect(self._show)
        session.tagging.suggestions.changed.connect(self._show)
        session.tagging.suggestions.rowsRemoved.connect(self._show)
        session.overview.changed.connect(self._show)
        session.tagging.boxes.changed.connect(self._show)
        session.tagging.boxes.editing_changed.connect(self._show)
        self.tags.field_left.connect(self._show)
        self._show()

    @property
    def panels(self) -> tuple[TagPanel, BoxList, SuggestionPanel, InfoPanel]:
        """The panels from the top."""
        return self.tags, self.boxes, self.suggestions, self.information

    def minimumSizeHint(self) -> QSize:
        """Return the least width at which the headings of the panels are whole."""
        layouts = [layout for panel in self.panels if (layout := panel.layout()) is not None]
        headings = [layout.itemAt(0) for layout in layouts]
        sides = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent) + 2 * _MARGIN
        widths = [heading.minimumSize().width() + sides for heading in headings if heading is not None]
        return QSize(max(_LIMITS[0], *widths), super().minimumSizeHint().height())

    def write_tags(self) -> None:
        """Give the field for tags the keyboard, also while nothing is selected: what is typed next is a tag."""
        self.tags.show()
        self.tags.take_keyboard()
        self._show()

    def _show(self) -> None:
        session, found = self._session, self._session.tagging.target_tags.now
        count = len(found.photo_ids)
        suggested = session.tagging.suggestions.rowCount() > 0 or (
            not count and session.overview.now.open_suggestions > 0
        )
        can_tag = not session.read_only or bool(found.counts)
        wanted = {
            self.tags: (count > 0 and can_tag) or self.tags.field.hasFocus(),
            self.boxes: self.boxes.wanted,
            self.suggestions: suggested or (count == 1 and not session.read_only),
            self.information: count == 1,
        }
        self.hint.setVisible(not count and not wanted[self.tags])
        first = not self.hint.isVisibleTo(self)
        for line, panel in self._lines:
            panel.setVisible(wanted[panel])
            line.setVisible(wanted[panel] and not first)
            first = first and not wanted[panel]
