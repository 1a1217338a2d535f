# SPDX-License-Identifier: MIT
"""Two to four photos side by side, zoomed and moved together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPointF, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QStackedWidget, QWidget

from focal_photos.browser.models.photos.comparison import MAX_PHOTOS, MIN_PHOTOS
from focal_photos.browser.models.photos.formatting import no_photos_yet
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import ElidedLabel, label
from focal_photos.browser.views.base.layouts import in_column, in_row
from focal_photos.browser.views.base.modes import ModePage, PageBar
from focal_photos.browser.views.base.theme import Theme, scaled_font
from focal_photos.browser.views.compare.compare_pane import ComparePane
from focal_photos.browser.views.photos.photo_viewer import PhotoViewer
from focal_photos.browser.views.tags.tag_field import TagField

_STEP: Final = 80.0  # pixels that a key pans by
_ZOOM: Final = 1.25


class ComparePage(ModePage):
    """The panes, and the actions on the current one."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("comparePage")
        self.setAccessibleName(self.tr("Compare"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._session = session
        self._comparison = session.comparison
        self.locked = True
        """Whether all photos are zoomed and panned together."""
        self.current_in_grid: Callable[[], int | None] = lambda: None
        """Set by the window: returns the current photo of the grid."""
        self._area = QWidget()
        self.panes = [ComparePane(session, theme, place, self._area) for place in range(MAX_PHOTOS)]
        """Four panes, of which each compared photo uses one."""
        self._tiles = QGridLayout(self._area)
        self._tiles.setContentsMargins(8, 8, 8, 8)
        self._tiles.setSpacing(8)
        self._nothing = label("", "soft")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._area)
        self._pages.addWidget(self._nothing)
        rows = in_column(margins=0, spacing=0, parent=self)
        self._bars = self._heading(), self._foot()
        rows.addWidget(self._bars[0])
        rows.addWidget(self._pages, 1)
        rows.addWidget(self._bars[1])
        for place, pane in enumerate(self.panes):
            pane.photo.pressed.connect(lambda place=place: self._comparison.go(place))
            pane.photo.view_changed.connect(lambda place=place: self._follow(place))
            pane.photo.decoded.connect(lambda place=place: self._join(place))
        self._comparison.photos_changed.connect(self._show_photos)
        self._comparison.current_changed.connect(self._show_current)
        self._comparison.known_changed.connect(self._show_known)

    # ------------------------------------------------------------------ creation
    def _heading(self) -> QWidget:
        bar = PageBar()
        title = ElidedLabel(self.tr("Compare"), "title", asks=True)
        title.setFont(scaled_font(self.font(), 1.3))
        self._hint = ElidedLabel("", "faint")
        self.lock_button = button(self.tr("Locked"), "segment", self.toggle_lock)
        self.lock_button.setCheckable(True)
        self.lock_button.setChecked(True)
        self.lock_button.setToolTip(self.tr("Zoom and move all photos together (L)"))
        self.previous_button = button(self.tr("Previous"), "", lambda: self._comparison.step(-1))
        self.previous_button.setToolTip(self.tr("Replace this photo with the previous one (Backspace)"))
        self.next_button = button(self.tr("Next"), "", lambda: self._comparison.step(1))
        self.next_button.setToolTip(self.tr("Replace this photo with the next one (Space)"))
        self.fewer_button = button(self.tr("Remove"), "", self._comparison.drop)
        self.fewer_button.setToolTip(self.tr("Remove this photo from the comparison (Shift+Backspace)"))
        self.more_button = button(self.tr("Add a photo"), "", self._comparison.add)
        self.more_button.setToolTip(self.tr("Add the next photo (Shift+Space)"))
        in_row(
            title,
            (self._hint, 1),
            self.lock_button,
            self.previous_button,
            self.next_button,
            self.fewer_button,
            self.more_button,
            margins=(16, 7, 12, 7),
            spacing=8,
            parent=bar,
        )
        return bar

    def _foot(self) -> QWidget:
        bar = PageBar()
        self.field = TagField(self._session)
        self.field.setMaximumWidth(340)
        self.field.setEnabled(not self._session.read_only)
        self.field.entered.connect(self._tag)
        self.field.finished.connect(self.setFocus)
        keys = self.tr(
            "arrows: choose a photo  ·  Space, Backspace: replace it with the next or previous  ·  S, D: "
            "similar to the focal image or not  ·  Shift+N: nearer than the other  ·  T, 1 to 9: "
            "tag  ·  Alt+1 to 5: rate, Alt+X: reject  ·"
            "  wheel, + and -: zoom, Z: full size"
        )
        hint = label(keys, "faint", wrap=True)
        hint.setMinimumWidth(200)
        in_row((self.field, 1), (hint, 3), margins=(12, 7, 16, 7), spacing=12, parent=bar)
        return bar

    # ------------------------------------------------------------------ the mode
    def enter(self) -> None:
        """Compare the selected photos."""
        self._comparison.begin(self.current_in_grid())
        super().enter()

    def leave(self) -> None:
        """Let key commands act on the selection of the grid again."""
        self._comparison.end()

    # ------------------------------------------------------------------ user actions
    def toggle_lock(self) -> None:
        """Zoom and move the photos together, or separately."""
        self.locked = not self.locked
        self.lock_button.setChecked(self.locked)
        if self.locked:
            self._follow(self._comparison.current)

    def edit_tags(self) -> None:
        """Move the focus to the tag field."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def zoom(self, steps: int) -> None:
        """Zoom in if `steps` is positive, otherwise out."""
        self._photo.zoom(_ZOOM**steps)

    def step(self, by: int) -> None:
        """Replace the current photo by the next or previous one."""
        self._comparison.step(by)

    def keys(self) -> list[tuple[str, list[str]]]:
        """Return the keys of this page."""
        return [
            (self.tr("Choose another photo"), ["Left", "Right"]),
            (self.tr("Replace with the next or previous photo"), ["Space", "Backspace"]),
            (self.tr("Add a photo"), ["Shift+Space"]),
            (self.tr("Remove"), ["Shift+Backspace"]),
            (self.tr("Zoom and move them together or separately"), ["L"]),
            (self.tr("Full size"), ["Z"]),
            (self.tr("Move the picture"), ["Shift+Left", "Shift+Right"]),
        ]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys for choosing, swapping, zooming and moving photos."""
        key, comparison = event.key(), self._comparison
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        moves = {
            Qt.Key.Key_Left: QPointF(-_STEP, 0),
            Qt.Key.Key_Right: QPointF(_STEP, 0),
            Qt.Key.Key_Up: QPointF(0, -_STEP),
            Qt.Key.Key_Down: QPointF(0, _STEP),
        }
        if key in moves and shift:
            self._photo.pan(moves[Qt.Key(key)])
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Up):
            comparison.go(comparison.current - 1)
        elif key in (Qt.Key.Key_Right, Qt.Key.Key_Down):
            comparison.go(comparison.current + 1)
        elif key == Qt.Key.Key_Space:
            comparison.add() if shift else comparison.step(1)
        elif key == Qt.Key.Key_Backspace:
            comparison.drop() if shift else comparison.step(-1)
        elif key == Qt.Key.Key_L:
            self.toggle_lock()
        elif key == Qt.Key.Key_Z:
            self._photo.toggle_full_size()
        else:
            super().keyPressEvent(event)

    def _tag(self, add: list[str], remove: list[str]) -> None:
        self._session.targets.tag(add, remove)

    # ------------------------------------------------------------------ display
    @property
    def _photo(self) -> PhotoViewer:
        return self.panes[self._comparison.current].photo

    def _follow(self, place: int) -> None:
        """Show the view of one photo in the others."""
        if self.locked and self.panes[place].isVisible():
            view = self.panes[place].photo.view
            for other, pane in enumerate(self.panes):
                if other != place and pane.isVisible():
                    pane.photo.show_view(view)

    def _join(self, place: int) -> None:
        """Show the view of the others in a photo that has arrived."""
        others = [pane for other, pane in enumerate(self.panes) if other != place and pane.isVisible()]
        if self.locked and others:
            self.panes[place].photo.show_view(others[0].photo.view)

    def _show_photos(self) -> None:
        ids = self._comparison.photo_ids
        count = len(ids)
        view = next((pane.photo.view for pane in self.panes if pane.isVisible() and pane.photo.photo_id in ids), None)
        resized = self._place(count)
        for pane, photo_id in zip(self.panes, ids, strict=False):
            fresh = pane.photo.photo_id != photo_id
            pane.show_photo(photo_id, self._comparison.known.get(photo_id))
            if fresh and self.locked and view is not None:
                pane.photo.show_view(view)  # show the same place of the next photo
        if resized and view is not None:
            QTimer.singleShot(0, self._follow_first)  # once the panes have their sizes
        enough = count >= MIN_PHOTOS
        self._pages.setCurrentWidget(self._area if enough else self._nothing)
        for bar in self._bars:
            bar.setVisible(enough)
        alone = self.tr("No other photo to compare with. Esc: back to the photos.")
        self._nothing.setText(alone if self._session.overview.now.photos else no_photos_yet())
        self.fewer_button.setEnabled(count > MIN_PHOTOS)
        self.more_button.setEnabled(MIN_PHOTOS <= count < MAX_PHOTOS)
        for widget in (self.previous_button, self.next_button, self.lock_button):
            widget.setEnabled(count >= MIN_PHOTOS)
        self._show_current()

    def _follow_first(self) -> None:
        if self.panes[0].isVisible():
            self._tiles.activate()
            self._follow(0)

    def _place(self, count: int) -> bool:
        """Arrange panes for a number of photos: side by side, four in two rows; return whether sizes change."""
        if count == sum(not pane.isHidden() for pane in self.panes):
            return False  # so that zoomed photos keep their view
        for place, pane in enumerate(self.panes):
            self._tiles.removeWidget(pane)
            pane.hide()
            if place < count:
                self._tiles.addWidget(pane, *(divmod(place, 2) if count == MAX_PHOTOS else (0, place)))
                pane.show()
        return True

    def _show_current(self) -> None:
        for place, pane in enumerate(self.panes):
            pane.show_current(place == self._comparison.current)
        known = self._comparison.known.get(self._comparison.current_id or -1)
        self._hint.setText("" if known is None else self.tr("keys apply to {0}").format(known.card.name))

    def _show_known(self) -> None:
        for pane, photo_id in zip(self.panes, self._comparison.photo_ids, strict=False):
            pane.show_photo(photo_id, self._comparison.known.get(photo_id))
        self._show_current()
