# SPDX-License-Identifier: MIT
"""The page of the map: its colours, the canvas, and actions on the selected photos."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from focal_photos.browser.models.map.library_map import ColorBy, Layout, LegendEntry
from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.fields.combo_box import ComboBox
from focal_photos.browser.views.base.labels import ElidedLabel, HintLabel, label
from focal_photos.browser.views.base.layouts import STRETCH, clear_layout, in_column, in_row
from focal_photos.browser.views.base.modes import ModePage, PageBar
from focal_photos.browser.views.base.scope_bar import BOXES_KEY, CLEAR_KEY, ScopeBar
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.map.map_view import MapView, tag_by_digit, tag_selected
from focal_photos.browser.views.photos.palette import legend_color
from focal_photos.browser.views.tags.tag_field import TagField

_DOT: Final = 10
_LETTERS: Final = 18
"""Largest length of a name in the legend."""


class MapPage(ModePage):
    """All photos of the library on a plane, or all boxes."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("mapPage")
        self.setAccessibleName(self.tr("Map"))
        self._session, self._theme, self._map = session, theme, session.map
        self._view = MapView(session, theme, "map")
        self.canvas, self.nothing, self.again_button = self._view.canvas, self._view.nothing, self._view.again_button
        rows = in_column(margins=0, spacing=0, parent=self)
        self._bars = self._heading(), self._foot()
        rows.addWidget(self._bars[0])
        rows.addWidget(self._view, 1)
        rows.addWidget(self._bars[1])
        session.map.moved.connect(self._show)
        session.map.state_changed.connect(self._show)
        session.map.colored.connect(self._show_legend)
        session.map.selection_changed.connect(self._show_selected)
        self.canvas.walked.connect(self._walk)
        self.canvas.lasso_changed.connect(lambda: self.lasso_button.setChecked(self.canvas.lasso))
        self._show()
        self._show_selected()

    # ------------------------------------------------------------------ creation
    def _heading(self) -> QWidget:
        bar = PageBar()
        self.color_box = ComboBox(self._theme)
        self.color_box.setAccessibleName(self.tr("Colours"))
        for by, text in (
            (ColorBy.TAGS, self.tr("Tags")),
            (ColorBy.FOLDERS, self.tr("Folders")),
            (ColorBy.NOTHING, self.tr("Nothing")),
        ):
            self.color_box.addItem(text, by)
        self.color_box.activated.connect(lambda row: self._map.choose_colors(ColorBy(self.color_box.itemData(row))))
        self.scope_bar = ScopeBar(self._session.scope, self.tr("Map of"), self)
        self.scope_bar.offer_boxes(True)
        caption = label(self.tr("Colours"), "faint")
        caption.setBuddy(self.color_box)
        self.legend = _Legend()
        self.lasso_button = button(self.tr("Lasso"), "segment", lambda: self.canvas.set_lasso(not self.canvas.lasso))
        self.lasso_button.setCheckable(True)
        self.lasso_button.setToolTip(self.tr("Draw around photos to select them (L, or Shift+drag)"))
        self.space_button = button(self.tr("3-D"), "segment", self._toggle_space)
        self.space_button.setCheckable(True)
        self.space_button.setToolTip(
            self.tr("Show the first three principal components; the right button or Ctrl and arrow keys turn them (Z)")
        )
        self.fit_button = button(self.tr("Whole map"), "", self.canvas.fit)
        self.fit_button.setToolTip(self.tr("Show the whole map (0)"))
        row = in_row(self.scope_bar, margins=(12, 6, 12, 6), spacing=9, parent=bar)
        row.addSpacing(8)
        row.addWidget(caption)
        row.addWidget(self.color_box)
        row.addSpacing(8)
        row.addWidget(self.legend, 1)
        row.addWidget(self.space_button)
        row.addWidget(self.lasso_button)
        row.addWidget(self.fit_button)
        return bar

    def _foot(self) -> QWidget:
        bar = PageBar()
        self.count = label("", "soft")
        self.tag_field = self.field = TagField(self._session)
        self.field.setMaximumWidth(320)
        self.field.entered.connect(lambda add, remove: tag_selected(self._session, add, remove))
        self.field.finished.connect(self.canvas.setFocus)
        self.show_button = button(self.tr("Show in grid"), "", self._show_these)
        self.show_button.setToolTip(self.tr("Show only the selected photos, in Browse"))
        self.hint = HintLabel("", "faint")
        parts = self.count, self.field, self.show_button
        # the last part reserves the height, so that a selection does not change the size of the map
        in_row(*parts, (self.hint, 100), STRETCH, _Strut(*parts), margins=(12, 6, 12, 6), spacing=9, parent=bar)
        return bar

    # ------------------------------------------------------------------ the mode
    def enter(self) -> None:
        """Start following the library."""
        self._map.limit(self._session.scope.scope)  # the map beside the grid may have shown other photos
        self._map.open()
        self._show()
        QTimer.singleShot(0, self._focus)

    def _focus(self) -> None:
        """Give the keyboard focus to the map, or to the page while there is no map."""
        (self.canvas if self._view.has_map else self).setFocus()

    def edit_tags(self) -> bool:
        """Move the focus to the tag field for the selection or the current photo; return whether there is one."""
        if not self._map.selected and self.canvas.hasFocus() and self.canvas.current is not None:
            self._map.select((self.canvas.current,))
        if self._map.selected:
            self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return bool(self._map.selected)

    def leave(self) -> None:
        """Stop computing places."""
        self._map.close()

    def keys(self) -> list[tuple[str, list[str]]]:
        """Return the keys of this page."""
        return [
            (self.tr("From photo to photo"), ["Left", "Right"]),
            (self.tr("Move the map"), ["Shift+Left", "Shift+Right"]),
            (self.tr("Zoom"), ["+", "-"]),
            (self.tr("Whole map"), ["0"]),
            (self.tr("Lasso"), ["L"]),
            (self.tr("Three principal components"), ["Z"]),
            (self.tr("Turn the principal components"), ["Ctrl+Left", "Ctrl+Right"]),
            (self.tr("Select the current photo"), ["Space"]),
            (self.tr("Tag the selection"), ["T", "1"]),
            (self.tr("Set as focal image"), ["Return"]),
            (self.tr("Switch to the whole library"), [CLEAR_KEY]),
            (self.tr("Boxes instead of photos"), [BOXES_KEY]),
        ]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Add pinned tags on digits, and show or hide the principal components."""
        if event.key() == Qt.Key.Key_Z and not event.modifiers() and self._view.has_map:
            self._toggle_space()
        elif not tag_by_digit(self._session, event):
            super().keyPressEvent(event)

    def _toggle_space(self) -> None:
        in_space = self._map.layout is Layout.COMPONENTS
        self._map.choose_layout(Layout.NEIGHBORS if in_space else Layout.COMPONENTS)
        self._show()

    # ------------------------------------------------------------------ display
    def _show(self) -> None:
        in_space = self._map.layout is Layout.COMPONENTS
        self.space_button.setChecked(in_space)
        hint = self.tr("Drag to move, wheel to zoom, Shift+drag to select. Double-click or Enter: set as focal image.")
        if self._map.boxes:
            hint = self.tr(
                "Drag to move, wheel to zoom, Shift+drag to select. Double-click or Enter: search by the box."
            )
        if in_space:
            hint = self.tr("Drag with the right button to turn. {0}").format(hint)
        self.hint.setText(hint)
        had_map = self._view.has_map
        self._view.follow()
        if self._view.has_map != had_map and self.isVisible():
            self._focus()
        self._bars[0].setVisible(self._view.has_map or self._map.boxes)  # the way back to photos
        self._bars[1].setVisible(self._view.has_map)
        self._show_legend()

    def _show_legend(self) -> None:
        self.legend.show_entries(self._map.legend)

    def _show_selected(self) -> None:
        selected = len(self._map.selected)
        self.count.setText(self.tr("{0} selected").format(grouped(selected)))
        for widget in (self.count, self.field, self.show_button):
            widget.setVisible(selected > 0)
        self.field.setVisible(selected > 0 and not self._session.read_only)
        self.hint.setVisible(not selected)

    def _show_these(self) -> None:
        self._map.show_selected()
        self.left.emit()

    def _walk(self, item: int) -> None:
        if item < 0:
            self._session.region_search.search_box(item)
        else:
            self._map.walk_to(item)
        self.left.emit()


class _Strut(QWidget):
    """An invisible widget as high as others that may be hidden, so that the layout does not change."""

    def __init__(self, *others: QWidget) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._others = others

    def sizeHint(self) -> QSize:
        """Return the largest height."""
        return QSize(0, max(widget.sizeHint().height() for widget in self._others))


class _Legend(QWidget):
    """As many entries as fit, the largest first; they do not widen the window."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._row = in_row(margins=0, spacing=12, parent=self)
        self._items: list[_LegendItem] = []
        self._entries: list[LegendEntry] = []

    def count(self) -> int:
        """Return the number of entries, including those that do not fit."""
        return len(self._items)

    def show_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show other entries."""
        if list(entries) == self._entries:
            return
        self._entries = list(entries)
        clear_layout(self._row)
        self._items = [_LegendItem(entry) for entry in entries]
        for item in self._items:
            self._row.addWidget(item)
        self._row.addStretch(1)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Return width 0."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the entries that fit."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        used = 0
        for item in self._items:
            used += item.sizeHint().width() + self._row.spacing()
            item.setVisible(used <= self.width() + self._row.spacing())


class _LegendItem(QWidget):
    """A colour and its meaning."""

    def __init__(self, entry: LegendEntry) -> None:
        super().__init__()
        self._color = legend_color(entry.color)
        name = ElidedLabel(f"{entry.name} {grouped(entry.count)}", "soft")
        name.setFixedWidth(min(_LETTERS * name.fontMetrics().averageCharWidth(), name.whole_width()))
        in_row(name, margins=(_DOT + 5, 0, 0, 0), parent=self)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the dot."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._color)
        painter.drawEllipse(0, round((self.height() - _DOT) / 2), _DOT, _DOT)
