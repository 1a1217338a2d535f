# SPDX-License-Identifier: MIT
"""The image by whose part photos are ranked, in a strip above the photos, and choosing that part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from focal_photos.browser.catalog.facts.records import Region, Verdict
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.ranking.queries.query import RegionQuery
from focal_photos.browser.views.base.buttons import ElidedButton, tool_button
from focal_photos.browser.views.base.labels import ElidedLabel, HintLabel
from focal_photos.browser.views.base.layouts import STRETCH, in_column, in_row
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.photos.boxes.box_geometry import Handle, moved, resized
from focal_photos.browser.views.photos.focal_panel import HEIGHT, MARGIN
from focal_photos.browser.views.photos.picture import Picture
from focal_photos.browser.views.photos.verdict_badge import VerdictBadge

_CHOOSING_HEIGHT: Final = 340
"""Height while the user chooses a part."""
_SHARE: Final = 0.55
"""Largest share of the window's height for it."""
_MAX_PICTURE_SHARE: Final = 0.6
_MIN_PICTURE_WIDTH: Final = 60
"""Smallest width of the picture in pixels, where the texts beside it need much space."""
_SIDE: Final = 12
_GAP: Final = 14
_STEP: Final = 0.02
"""Part of the photo by which an arrow key moves or resizes the box."""
_MIN_BOX_SIDES: Final = QSizeF(0.04, 0.04)
"""Smallest sides of a box by keys, as parts of the photo."""
_LAST_CORNER: Final = Handle(1, 1)
_ARROWS: Final = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class RegionPicture(Picture):
    """A photo with a box, drawn by the mouse or changed by keys."""

    searched = Signal(object)
    """The user wants to search by this region (Region)."""
    ended = Signal()
    """Esc was pressed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, radius=0.0)
        self.region: Region | None = None
        self.takes_region = True
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.region_drawn.connect(lambda *sides: self._take_drawn(Region(*sides)))

    def _take_drawn(self, region: Region) -> None:
        self.searched.emit(region)

    def set_region(self, region: Region | None) -> None:
        """Show a box; None removes it."""
        self.region = region
        corners = None if region is None else (QPointF(region.x0, region.y0), QPointF(region.x1, region.y1))
        self.show_region(None if corners is None else QRectF(*corners))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the box with the arrow keys, resize it with Shift, and search with Enter."""
        if not self._is_ours(event):
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Escape:
            self.ended.emit()
        elif self.region is None:
            return
        elif event.key() in _ARROWS:
            across, down = _ARROWS[Qt.Key(event.key())]
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.set_region(resized(self.region, _LAST_CORNER, across * _STEP, down * _STEP, _MIN_BOX_SIDES))
            else:
                self.set_region(moved(self.region, across * _STEP, down * _STEP))
        else:
            self.searched.emit(self.region)

    def event(self, event: QEvent) -> bool:
        """Keep these keys from the photos, which have them as shortcuts."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and self._is_ours(event):
            event.accept()
            return True
        return super().event(event)

    def _is_ours(self, event: QKeyEvent) -> bool:
        kinds = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
        plain = not event.modifiers() & ~kinds
        return plain and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, *_ARROWS)


class RegionStrip(QWidget):
    """The image with the box by which photos are ranked; hidden unless there is one or the user chooses one."""

    judgements_wanted = Signal(object)
    """The user wants to list the judgements with this verdict (Verdict)."""
    finished = Signal()
    """A part was chosen, or choosing has ended, so the keyboard focus returns to the photos."""
    choosing_changed = Signal()
    """`choosing` has changed."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("focalPanel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Part of a photo"))
        self._session, self._search = session, session.region_search
        self._suppressed = self._was_choosing = False
        self.setFixedHeight(HEIGHT)
        self.picture = RegionPicture(theme)
        self.picture.setAccessibleName(self.tr("Photo with a box"))
        self.picture.setToolTip(self.tr("Drag a box to search by another part"))
        self.picture.searched.connect(self._take)
        self.picture.ended.connect(self._end)
        self._name = ElidedLabel("", "title")
        self._name.setFont(scaled_font(self.font(), 1.15))
        self._hint = HintLabel()
        self._hint.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.search_button = self._button(self.tr("Search by this part"), self._take_shown)
        self.choose_button = self._button(self.tr("Change the part (R)"), self._choose)
        self.whole_button = self._button(self.tr("Use the whole photo"), self._use_whole)
        self.close_button = tool_button(theme, "cross", "", self._close)
        self._similar, self._dissimilar = VerdictBadge(theme, Verdict.SIMILAR), VerdictBadge(theme, Verdict.DISSIMILAR)
        self._similar.clicked.connect(lambda: self.judgements_wanted.emit(Verdict.SIMILAR))
        self._dissimilar.clicked.connect(lambda: self.judgements_wanted.emit(Verdict.DISSIMILAR))
        heading = in_row((self._name, 1), self._similar, self._dissimilar, self.close_button, spacing=8)
        buttons = in_row(self.search_button, self.choose_button, self.whole_button, STRETCH, spacing=6)
        self._words = in_column(heading, (self._hint, 1), buttons, spacing=6)
        in_row(self.picture, (self._words, 1), margins=(_SIDE, MARGIN, _SIDE, MARGIN), spacing=_GAP, parent=self)
        self._search.changed.connect(self._show)
        self._search.picture_arrived.connect(self._show_picture)
        self.picture.resized.connect(self.picture.update)
        session.navigator.marks_changed.connect(self._show_marks)
        session.navigator.trail_changed.connect(self._show_marks)
        self._show()

    def _button(self, text: str, on_click: Callable[[], None]) -> ElidedButton:
        """Return a button whose text is cut in a narrow strip."""
        made = ElidedButton("segment", "")
        made.show_text(text)
        made.setToolTip(tool_tip(text))
        made.setAccessibleName(text)
        made.clicked.connect(lambda _checked=False: on_click())
        return made

    @property
    def choosing(self) -> bool:
        """Whether the user is choosing a part."""
        return self._search.choosing

    def set_suppressed(self, suppressed: bool) -> None:
        """Hide the strip, or show it again if it is needed."""
        self._suppressed = suppressed
        self.setVisible(self._search.source is not None and not suppressed)

    def fit(self, height: int) -> None:
        """Set the height for a window of this height."""
        tall = max(HEIGHT, min(_CHOOSING_HEIGHT, round(height * _SHARE)))
        self.setFixedHeight(tall if self.choosing else HEIGHT)
        self._fit_picture()

    # ------------------------------------------------------------------ display
    def _show(self) -> None:
        choosing, search = self.choosing, self._search
        self._name.show_file_name(search.name)
        self.picture.set_region(search.region)
        self.picture.setFocusPolicy(Qt.FocusPolicy.StrongFocus if choosing else Qt.FocusPolicy.TabFocus)
        if self._session.navigator.arranger.waiting is not None:
            hint = self.tr("Photos are still being described. The ranking appears when the first ones are ready.")
        elif choosing:
            hint = self.tr(
                "Drag a box around the part to search for. By keys: the arrows move the box, with Shift they resize "
                "it. Enter searches, Esc ends."
            )
        else:
            hint = self.tr(
                "Photos are ranked by their most similar part, framed in each of them. Rest the pointer on a frame to "
                "enlarge that part."
            )
            if isinstance(self._session.navigator.judged_against, RegionQuery):
                hint += " " + self.tr("S: this part is similar. D: it is not similar.")
        self._hint.setText(hint)
        self.search_button.setVisible(choosing)
        self.choose_button.setVisible(not choosing)
        name = self.tr("Cancel (Esc)") if choosing else self.tr("Leave the ranking (G)")
        self.close_button.setAccessibleName(name)
        self.close_button.setToolTip(tool_tip(name))
        self._show_picture()
        self._show_marks()
        self.set_suppressed(self._suppressed)
        if choosing != self._was_choosing:
            self._was_choosing = choosing
            self.choosing_changed.emit()
            if choosing:
                self.picture.setFocus()

    def _show_marks(self) -> None:
        """Show the numbers of judgements against the region."""
        judged = isinstance(self._session.navigator.judged_against, RegionQuery) and not self.choosing
        verdicts = list(self._session.navigator.marks.values()) if judged else []
        for badge, verdict in ((self._similar, Verdict.SIMILAR), (self._dissimilar, Verdict.DISSIMILAR)):
            badge.setVisible(judged)
            badge.set_count(verdicts.count(verdict))

    def _show_picture(self) -> None:
        self.picture.show_image(self._search.picture)
        self._fit_picture()

    def _fit_picture(self) -> None:
        height = self.height() - 2 * MARGIN
        room = self.width() - 2 * _SIDE - _GAP - self._words.minimumSize().width()
        most = min(self.width() * _MAX_PICTURE_SHARE, max(room, _MIN_PICTURE_WIDTH))
        self.picture.setFixedWidth(round(min(height * self.picture.aspect, most)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the picture to the new size."""
        super().resizeEvent(event)
        self._fit_picture()

    # ------------------------------------------------------------------ actions of the user
    def _take(self, region: Region) -> None:
        self._search.search(region)
        self.finished.emit()

    def _take_shown(self) -> None:
        if self.picture.region is not None:
            self._take(self.picture.region)

    def _choose(self) -> None:
        if self._search.source is not None:
            self._search.begin(self._search.source)

    def _use_whole(self) -> None:
        self._search.use_whole()
        self.finished.emit()

    def _close(self) -> None:
        if self.choosing:
            self._end()
        else:
            self._session.navigator.leave_ranking()

    def _end(self) -> None:
        self._search.stop()
        self.finished.emit()
