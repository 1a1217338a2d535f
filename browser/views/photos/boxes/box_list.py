# SPDX-License-Identifier: MIT
"""The list of the boxes of the shown photo, in the right column."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QKeyEvent, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from focal_photos.browser.catalog.facts.records import Box
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import FoldButton, tool_button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_column, in_row
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.photos.boxes.box_painting import box_color, box_reason, box_title

_MOST_ROWS: Final = 8
"""Number of rows shown without scrolling."""
_SWATCH: Final = 14


class BoxList(QWidget):
    """Colour and tag of each box; a click makes a box the current one, Delete and the button remove it."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._boxes, self._theme = session.tagging.boxes, theme
        self._filling = False
        self.setAccessibleName(self.tr("Boxes"))
        self.rows = _Rows(self)
        self._hint = label(self.tr("No boxes yet: drag on the photo."), "faint", wrap=True)
        body = QWidget()
        in_column(self._hint, self.rows, margins=0, spacing=0, parent=body)
        self.fold = FoldButton(theme, self.tr("Boxes"), body)
        self.remove_button = tool_button(theme, "cross", self.tr("Remove the current box"), self._boxes.remove)
        heading = in_row(self.fold, STRETCH, self.remove_button, margins=0, spacing=4)
        in_column(heading, body, margins=(12, 10, 12, 10), spacing=5, parent=self)
        self.rows.currentItemChanged.connect(self._choose)
        self.rows.itemClicked.connect(self._choose)
        self._boxes.changed.connect(self._show)
        self._boxes.editing_changed.connect(self._show)
        theme.changed.connect(self._show)
        self._show()

    @property
    def wanted(self) -> bool:
        """Whether the list has anything to show."""
        return bool(self._boxes.boxes) or self._boxes.editing

    def remove_current(self) -> None:
        """Remove the current box."""
        self._boxes.remove()

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None and not self._filling:
            self._boxes.select(int(item.data(Qt.ItemDataRole.UserRole)))

    def _show(self) -> None:
        boxes, current = self._boxes.boxes, self._boxes.current
        self._filling = True
        while self.rows.count() > len(boxes):
            self.rows.takeItem(self.rows.count() - 1)
        while self.rows.count() < len(boxes):
            self.rows.addItem(QListWidgetItem())
        for row, box in enumerate(boxes):
            self._show_box(self.rows.item(row), box)
        self.rows.setCurrentRow(boxes.index(current) if current is not None else -1)
        self.rows.fit()
        self.rows.setVisible(bool(boxes))
        self._hint.setVisible(not boxes)
        self.remove_button.setVisible(not self._boxes.read_only)
        self.remove_button.setEnabled(current is not None)
        self._filling = False

    def _show_box(self, item: QListWidgetItem, box: Box) -> None:
        reason, title = box_reason(box), box_title(box)
        item.setText(title)
        item.setIcon(self._swatch(box))
        item.setToolTip(tool_tip(" ".join(filter(None, (f"{title}.", reason)))))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{title}. {reason}" if reason else title)
        item.setData(Qt.ItemDataRole.UserRole, box.id)

    def _swatch(self, box: Box) -> QIcon:
        """Return a square in the colour of a box: dashed without a name, with a sign if it is uncertain."""
        ratio = self.devicePixelRatioF()
        wide = 2 * _SWATCH + 3 if box.uncertain else _SWATCH
        pixmap = QPixmap(QSize(wide, _SWATCH) * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        square = QRectF(1.5, 1.5, _SWATCH - 3, _SWATCH - 3)
        if box.tag is None:
            pen = QPen(self._theme.color("text-soft"), 1.5)
            pen.setDashPattern([2, 1.5])
            painter.setPen(pen)
            painter.drawRect(square)
        else:
            painter.setPen(QPen(QColor(0, 0, 0, 110), 1))
            painter.setBrush(box_color(box))
            painter.drawRect(square)
        if box.uncertain:
            self._theme.paint_icon(painter, "warning", QRectF(QPointF(_SWATCH + 3, 0), square.size() * 1.27), "warning")
        painter.end()
        icon = QIcon(pixmap)
        icon.addPixmap(pixmap, QIcon.Mode.Selected)  # else Qt tints the swatch of the current box
        return icon


class _Rows(QListWidget):
    """A list as high as its rows, up to a limit."""

    def __init__(self, owner: BoxList) -> None:
        super().__init__()
        self._owner = owner
        self.setObjectName("boxRows")
        self.setAccessibleName(self.tr("Boxes of the photo"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setIconSize(QSize(2 * _SWATCH + 3, _SWATCH))
        self.setUniformItemSizes(True)

    def fit(self) -> None:
        """Take the height of the rows."""
        rows = min(max(self.count(), 1), _MOST_ROWS)
        self.setFixedHeight(rows * max(self.sizeHintForRow(0), self.fontMetrics().height() + 4) + 2 * self.frameWidth())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Remove the current box with Delete."""
        if event.key() == Qt.Key.Key_Delete:
            self._owner.remove_current()
        else:
            super().keyPressEvent(event)
