# SPDX-License-Identifier: MIT
"""The focal image in a strip above the photos, with its data and hints on what to do next."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QMimeData, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from focal_photos.browser.catalog.facts.records import Region, Verdict
from focal_photos.browser.models.photos.formatting import photo_facts
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from focal_photos.browser.views.base.buttons import tool_button
from focal_photos.browser.views.base.dropping import DropFrame
from focal_photos.browser.views.base.labels import ElidedLabel, HintLabel, label
from focal_photos.browser.views.base.layouts import FlowLayout, clear_layout, in_column, in_row
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.photos.heat_map import HeatControls
from focal_photos.browser.views.photos.matches.matches_panel import MatchesPanel
from focal_photos.browser.views.photos.picture import Picture
from focal_photos.browser.views.photos.verdict_badge import VerdictBadge

HEIGHT: Final = 140
"""Height of the strip; a larger height would leave less space for the photos."""
MARGIN: Final = 10
_UNLIMITED_HEIGHT: Final = (1 << 24) - 1
_MIN_WIDTH: Final = 80
_LEAST_WORDS: Final = 150
"""Smallest width of the picture, and of the texts beside it, in logical pixels."""
_MAX_PICTURE_SHARE: Final = 0.4
"""Largest share of the panel's width for the picture."""


class FocalPanel(QWidget):
    """The strip with the focal image above the grid."""

    judgements_wanted = Signal(object)
    """The user wants to list the judgements with this verdict (Verdict)."""
    part_wanted = Signal()
    """The user wants to choose a part of the focal image to search by."""
    dropped = Signal(QMimeData, bool)
    """Images or photos were dropped as additional positive examples (True) ((QMimeData, bool))."""
    needs_less = Signal()
    """The panel needs less height than a splitter may have given it, now or in the last session."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("focalPanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Focal image"))
        self.setAcceptDrops(True)
        self.drop_frame = DropFrame(self, theme, adds=True)
        self._session = session
        self._suppressed = False
        self.picture = Picture(theme)
        self.picture.setMinimumSize(80, 90)
        self.picture.setCursor(Qt.CursorShape.PointingHandCursor)
        self.picture.setToolTip(
            self.tr(
                "View single photo (Space); Ctrl+click (F) adds it to the selection; drag a box to search by that part"
            )
        )
        self.picture.toggled.connect(self._toggle)
        self._name = ElidedLabel("", "title")
        self._name.setFont(scaled_font(self.font(), 1.15))
        self._facts = ElidedLabel("", "soft", lines=2)
        self._similar = VerdictBadge(theme, Verdict.SIMILAR)
        self._dissimilar = VerdictBadge(theme, Verdict.DISSIMILAR)
        self._similar.clicked.connect(lambda: self.judgements_wanted.emit(Verdict.SIMILAR))
        self._dissimilar.clicked.connect(lambda: self.judgements_wanted.emit(Verdict.DISSIMILAR))
        self._tags = FlowLayout(4)
        self._tags_shown: tuple[tuple[str, ...], int] = ((), 0)
        self.heat_controls = HeatControls(session, theme)
        self.picture.takes_region = True
        self.picture.region_drawn.connect(self._take_region)
        self.part_button = tool_button(
            theme, "part", self.tr("Search by a part of the photo (R)"), self.part_wanted.emit
        )
        self.matches = MatchesPanel(session, theme)
        self.matches.hide()
        self._hint = HintLabel()
        self.close_button = tool_button(
            theme, "cross", self.tr("Leave the ranking (G)"), session.navigator.leave_ranking
        )
        self._words = self._make_words()
        self._reasons: QWidget | None = None
        parts = self.picture, (self._words, 1), (self.matches, 1)
        self._row = in_row(*parts, margins=(12, MARGIN, 12, MARGIN), spacing=14, parent=self)
        self.picture.resized.connect(self._want_picture)
        session.navigator.focal_changed.connect(self._show)
        session.navigator.marks_changed.connect(self._show_marks)
        session.navigator.selection_changed.connect(self._show_selected)
        session.overview.changed.connect(self._show_hint)
        session.navigator.trail_changed.connect(self._show_hint)
        session.loader.loaded.connect(self._pictures_arrived)
        session.local_view.heat_changed.connect(self._show_heat)
        session.local_view.matches_changed.connect(self._show_matches)
        self._show()
        self._keep_room()

    def set_suppressed(self, suppressed: bool) -> None:
        """Hide the strip, or show it again if there is a focal image."""
        self._suppressed = suppressed
        self._show()

    def set_reasons(self, widget: QWidget) -> None:
        """Add a widget at the right that explains why a photo is near; a comparison of patches replaces it."""
        self._reasons = widget
        self._row.insertWidget(2, widget, 1)

    def _make_words(self) -> QWidget:
        """Return the column beside the picture: name and judgements, facts, tags, heat map, and a hint."""
        heading = in_row((self._name, 1), self.part_button, self.close_button, spacing=8)
        foot = in_row(
            (self._similar, 0, Qt.AlignmentFlag.AlignBottom),
            (self._dissimilar, 0, Qt.AlignmentFlag.AlignBottom),
            (self._hint, 1),
            spacing=8,
        )
        foot.addStretch(0)  # keeps the counts in place if the hint is hidden
        self._hint.setAlignment(Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft)
        tags = self._tag_line = QWidget()
        tags.setLayout(self._tags)
        tags.installEventFilter(self)
        tags.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        column = QWidget()
        in_column(heading, self._facts, tags, self.heat_controls, (foot, 1), margins=0, spacing=3, parent=column)
        return column

    def _show(self) -> None:
        navigator = self._session.navigator
        card = navigator.focal
        self.setVisible(navigator.focal_id is not None and not self._suppressed)
        self._show_tags()
        if card is not None:
            self._name.show_file_name(card.name)
            folder = shown(str(card.photo.path.parent))
            self._facts.setText(f"{photo_facts(card.photo)}  \N{MIDDLE DOT}  {folder}")
        self._show_marks()
        self._show_hint()
        self._want_picture()
        self._show_heat()

    def _take_region(self, *sides: float) -> None:
        """Search by a drawn region, or teach local distances that it matters."""
        session, region = self._session, Region(*sides)
        if session.local_view.metric is not None and not session.read_only:
            session.local_view.teach_region(region)
        elif session.navigator.focal is not None:
            session.region_search.search_in(session.navigator.focal, region)

    def _toggle(self) -> None:
        navigator = self._session.navigator
        navigator.select_focal(not navigator.focal_selected)

    def _show_selected(self) -> None:
        selected = self._session.navigator.focal_selected
        self.picture.show_selected(selected)
        self.picture.setAccessibleName(self.tr("Selected") if selected else "")

    def _show_marks(self) -> None:
        verdicts = list(self._session.navigator.marks.values())
        self._similar.set_count(verdicts.count(Verdict.SIMILAR))
        self._dissimilar.set_count(verdicts.count(Verdict.DISSIMILAR))

    def _show_tags(self) -> None:
        """Show as many tags as fit in one line, and the number of the others; the right column shows them all."""
        card, room = self._session.navigator.focal, self._tag_line.width()
        tags = () if card is None else tuple(card.tags)
        if self._tags_shown == (tags, room):
            return
        self._tags_shown = tags, room
        # Fix the height, even while tags are replaced: the strip's height follows it and determines this width.
        probe = label("Tag", "tag")
        probe.ensurePolished()
        self._tag_line.setFixedHeight(probe.sizeHint().height() if tags else 0)
        clear_layout(self._tags)
        for number, tag in enumerate(tags):
            chip, more = label(tag, "tag"), label(f"+{len(tags) - number}", "faint")
            more.ensurePolished()
            chip.ensurePolished()
            last = number == len(tags) - 1
            needed = chip.sizeHint().width() + (0 if last else self._tags.spacing() + more.sizeHint().width())
            if needed > room and (number or not last):
                more.setToolTip(tool_tip(", ".join(tags[number:])))
                more.setAccessibleName(", ".join(tags[number:]))
                self._tags.addWidget(more)
                return
            self._tags.addWidget(chip)
            room -= chip.sizeHint().width() + self._tags.spacing()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show more or fewer tags after a change of the width."""
        if watched is self._tag_line and event.type() == QEvent.Type.Resize:
            self._show_tags()
        return super().eventFilter(watched, event)

    def _show_hint(self) -> None:
        if self._session.read_only:
            text = self.tr("Double-click or Enter: set as focal image. Alt+Left: back. G: back to the folders.")
        elif self._session.overview.now.new_judgements and self._session.navigator.shown.judgements:
            text = self.tr("The ranking follows your judgements. Retrain (Ctrl+R) to apply them to all focal images.")
        elif self._session.overview.now.new_judgements:
            text = self.tr("Press Retrain (Ctrl+R) to apply your judgements to the ranking.")
        else:
            text = self.tr("S: similar. D: not similar. Double-click or Enter: set as focal image.")
        self._hint.setText(text)

    def _show_heat(self) -> None:
        """Show the heat map over the photo; the hint is hidden to make space for its controls."""
        local = self._session.local_view
        heat = local.shown_map
        part = local.shown_region if local.metric is not None else None
        self.picture.show_region(None if part is None else QRectF(QPointF(part.x0, part.y0), QPointF(part.x1, part.y1)))
        self.picture.show_heat(heat)
        text = "" if heat is None else self.tr("Heat map: {0}").format(self.heat_controls.in_words())
        self.picture.setAccessibleDescription(text)
        self._hint.setVisible(not (local.heat_on and local.metric is not None))
        self._keep_room()

    def _show_matches(self) -> None:
        """Show the comparison instead of picture and texts, or the reverse."""
        comparing = self._session.local_view.matching
        self.matches.setVisible(comparing)
        self.picture.setVisible(not comparing)
        self._words.setVisible(not comparing)
        if self._reasons is not None:
            self._reasons.setVisible(not comparing and self._has_room_for_reasons())
        self._keep_room()

    def _box(self) -> PixelSize:
        ratio = self.devicePixelRatioF()
        # in steps of 128, so that dragging the splitter does not decode the original at every pixel
        side = -(-round(max(self.width() * _MAX_PICTURE_SHARE, self.height()) * ratio) // 128) * 128
        return PixelSize(side, side)

    def _want_picture(self) -> None:
        focal_id = self._session.navigator.focal_id
        if focal_id is not None and self.isVisible():
            self._session.loader.request("focal", [focal_id], self._box())
            self._show_picture(focal_id)

    def _pictures_arrived(self, photo_ids: list[int]) -> None:
        focal_id = self._session.navigator.focal_id
        if focal_id is not None and focal_id in photo_ids:
            self._show_picture(focal_id)

    def _show_picture(self, focal_id: int) -> None:
        self.picture.show_image(self._session.loader.image(focal_id, self._box()))
        self._fit()

    def _fit(self) -> None:
        """Make the picture as wide as the photo at this height, unless the widgets beside it need the space."""
        aspect = self.picture.aspect
        height = self.height() - 2 * MARGIN
        reasons = self._reasons is not None and not self._reasons.isHidden()
        widest = min(self.width() * _MAX_PICTURE_SHARE, self.width() - self._least_beside(reasons=reasons))
        self.picture.setFixedWidth(round(max(_MIN_WIDTH, min(height * aspect, widest))))

    def _least_beside(self, *, reasons: bool) -> int:
        """Return the width that the widgets beside the picture need, with or without the reasons.

        Margins and gaps are included.
        """
        margins, spacing = self._row.contentsMargins(), self._row.spacing()
        controls = 0 if self.heat_controls.isHidden() else self.heat_controls.whole_width()
        words = max(_LEAST_WORDS, self._words.minimumSizeHint().width())
        needed = max(words, controls)
        if reasons and self._reasons is not None:
            why = max(self._reasons.minimumWidth(), self._reasons.minimumSizeHint().width())
            needed = spacing + max(words + why, 2 * controls)  # both are equally wide if there is space
        return margins.left() + margins.right() + spacing + needed

    def _keep_room(self) -> None:
        """Set the height: that of a strip, or more for the heat map controls; unlimited for a comparison."""
        comparing = self._session.local_view.matching
        least = HEIGHT
        if not self.heat_controls.isHidden() and not self._words.isHidden():
            beside = round(self.width() * (1 - _MAX_PICTURE_SHARE)) - 44
            if self._reasons is not None and not self._reasons.isHidden():
                least_beside = max(self._reasons.minimumWidth(), self._reasons.minimumSizeHint().width())
                beside = min(beside // 2, beside - least_beside - 14)
            beside = max(beside, self._words.minimumSizeHint().width())
            least = max(least, self._words.heightForWidth(beside) + 2 * MARGIN)
        most = _UNLIMITED_HEIGHT if comparing else least
        less = most < self.maximumHeight()
        self.setMinimumHeight(least)
        self.setMaximumHeight(most)
        if less:
            self.needs_less.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept photos and images as additional examples."""
        event.acceptProposedAction()
        self.drop_frame.hold(event.mimeData())

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Remove the drop frame."""
        self.drop_frame.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """Emit the dropped data as additional examples."""
        self.drop_frame.hide()
        self.dropped.emit(event.mimeData(), True)
        event.acceptProposedAction()

    def event(self, event: QEvent) -> bool:
        """Update the layout when widgets were added or have changed."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
            self._keep_room()
        return handled

    def _has_room_for_reasons(self) -> bool:
        """Return whether the reasons fit beside the smallest picture and the texts without being cut off."""
        if self._reasons is None:
            return False
        return self.width() >= _MIN_WIDTH + self._least_beside(reasons=True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the picture to the new height, and show the reasons if they fit."""
        super().resizeEvent(event)
        if self._reasons is not None and not self._session.local_view.matching:
            self._reasons.setVisible(self._has_room_for_reasons())
        self._fit()
        self._keep_room()

    def showEvent(self, event: QShowEvent) -> None:
        """Request the picture at its size, and release unused height."""
        self._want_picture()
        self.needs_less.emit()
