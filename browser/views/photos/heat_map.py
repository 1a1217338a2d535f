# SPDX-License-Identifier: MIT
"""The heat map: painting over a photo, its legend, and the controls beside the focal image."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QImage, QLinearGradient, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QPushButton, QSizePolicy, QWidget

from focal_photos.browser.models.local.heat_map import scale_stops
from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.session import Session
from focal_photos.browser.views.base.buttons import ElidedButton, button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import FlowLayout, in_column, in_row
from focal_photos.browser.views.base.theme import Theme, scaled_font

VEIL: Final = QColor(38, 40, 44, 132)
"""Painted over the photo, so that its own colours are not mistaken for heat."""

_SCALE_WIDTH: Final = 84
_ICON: Final = 16


def paint_heat(painter: QPainter, image: QImage, photo: QRectF, radius: float = 0.0) -> None:
    """Paint a map over the photo in a rectangle with corners of this radius."""
    painter.save()
    outline = QPainterPath()
    outline.addRoundedRect(photo, radius, radius)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    painter.fillPath(outline, VEIL)
    painter.setClipPath(outline)
    painter.drawImage(photo, image)
    painter.restore()


class HeatLegend(QWidget):
    """The colour scale between two words."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._words = self.tr("nothing"), self.tr("most")
        self.setFont(scaled_font(self.font(), 0.9))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        text = self.tr("Weight of the patches around each point, from zero to the maximum in this photo")
        self.setAccessibleName(text)
        self.setToolTip(tool_tip(text))

    def sizeHint(self) -> QSize:
        """Return the size of the words and the scale."""
        metrics = self.fontMetrics()
        return QSize(sum(map(metrics.horizontalAdvance, self._words)) + _SCALE_WIDTH + 14, metrics.height() + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the scale over the veil on a medium grey, as on a photo."""
        painter = QPainter(self)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # a scale runs left to right in every language
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, right = map(self.fontMetrics().horizontalAdvance, self._words)
        painter.setPen(self._theme.color("text-faint"))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.rect(), middle | Qt.AlignmentFlag.AlignLeft, self._words[0])
        painter.drawText(self.rect(), middle | Qt.AlignmentFlag.AlignRight, self._words[1])
        bar = QRectF(left + 7, self.height() / 2 - 3.5, self.width() - left - right - 14, 8)
        gradient = QLinearGradient(bar.topLeft(), bar.topRight())
        for share, color in scale_stops(17):
            gradient.setColorAt(share, color)
        painter.setPen(Qt.PenStyle.NoPen)
        for brush in (QBrush(Qt.GlobalColor.gray), QBrush(VEIL), QBrush(gradient)):
            painter.setBrush(brush)
            painter.drawRoundedRect(bar, 4, 4)


class HeatControls(QWidget):
    """Switch, kinds of patches and legend of the heat map; shown while the metric is a local one."""

    comparison_wanted = Signal()
    """The user wants to see the matching patches of the focal image and the selected photo."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Heat map"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._local = session.local_view
        self.switch = button(self.tr("Heat map"), "segment")
        self.switch.setCheckable(True)
        self.switch.setIconSize(QSize(_ICON, _ICON))
        self.switch.setToolTip(self.tr("Show which parts of this photo count (H)"))
        self.switch.clicked.connect(self._local.show_heat)
        theme.set_icon(self.switch, "heat")
        self.kinds: list[QPushButton] = []
        self._group = QButtonGroup(self)
        for number in range(len(self._local.kinds) + 1):
            one = button("", "segment", partial(self._local.choose_kind, number))
            one.setCheckable(True)
            self.kinds.append(one)
            self._group.addButton(one)
        self.matches_button = ElidedButton("segment", "")
        self.matches_button.show_text(self.tr("Matching patches"))
        self.matches_button.clicked.connect(self.comparison_wanted)
        self.matches_button.setIconSize(QSize(_ICON, _ICON))
        self.matches_button.setToolTip(self.tr("Show which parts of this photo match the selected one (M)"))
        theme.set_icon(self.matches_button, "matches")
        self.region_button = button(self.tr("Use the whole photo"), "segment", lambda: self._local.teach_region(None))
        self.region_button.setToolTip(self.tr("The whole photo counts again"))
        self.legend = HeatLegend(theme)
        self.status = label(variant="soft", wrap=True)
        switches, kinds = FlowLayout(3), FlowLayout(3)
        for widget in (self.switch, self.matches_button, self.region_button):
            switches.addWidget(widget)
        for widget in self.kinds:
            kinds.addWidget(widget)
        self._choices = QWidget()
        self._choices.setLayout(kinds)
        self._choices.setAccessibleName(self.tr("Kinds of patches in the heat map"))
        key = in_row(self.legend, (self.status, 1), margins=(9, 0, 0, 0))
        key.addStretch()
        in_column(switches, self._choices, key, margins=0, spacing=4, parent=self)
        self._local.heat_changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        local = self._local
        self.setVisible(local.metric is not None)
        self.switch.setChecked(local.heat_on)
        self.region_button.setVisible(local.region is not None)
        shares = local.heat_map.shares if local.heat_map is not None and local.heat_map.learned else None
        for number, one in enumerate(self.kinds):
            name = self.tr("All patches") if number == 0 else self.tr(local.kinds[number - 1])
            share = f"  {100 * shares[number]:.0f} %" if shares is not None and number else ""
            one.setText(name + share)
            one.setToolTip(
                tool_tip(
                    self.tr("All kinds of patches (Shift+H: the next kind)")
                    if number == 0
                    else self.tr("Only this kind of patch, with its share of the total weight (Shift+H: the next kind)")
                )
            )
            one.setChecked(number == local.kind)
        self._choices.setVisible(local.heat_on)
        self.legend.setVisible(local.shown_map is not None)
        self.status.setText(self._status_text())
        self.status.setVisible(bool(self.status.text()))
        self.updateGeometry()

    def whole_width(self) -> int:
        """Return the width in which the text of each switch is whole."""
        return max(one.sizeHint().width() for one in (self.switch, self.matches_button))

    def in_words(self) -> str:
        """Return the title of the shown map, and the share of the weight of each kind of patch."""
        return ", ".join(one.text().replace("  ", " ") for one in (self.kinds[self._local.kind], *self.kinds[1:]))

    def _status_text(self) -> str:
        local = self._local
        if not local.heat_on:
            return ""
        if local.failure:
            return local.failure
        if local.computing:
            return self.tr("Learning which parts of this photo matter…")
        if local.heat_map is not None and not local.heat_map.learned:
            return self.tr(
                "Nothing has been learned about this photo yet: tag it, or judge others against it, then retrain."
            )
        return ""
