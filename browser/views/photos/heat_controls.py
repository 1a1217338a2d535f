"""The switch of the heat map, the kinds of patches it shows, and the key to its colours."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from browser.models.session import Session
from browser.views.base.buttons import button
from browser.views.base.labels import label
from browser.views.base.layouts import FlowLayout
from browser.views.base.theme import Theme
from browser.views.photos.heat_map import HeatLegend

_ICON: Final = 16


class HeatControls(QWidget):
    """Stands beside the focal image while the metric is a local one.

    Signals
    -------
    comparison_wanted : None
        The matching patches of the focal image and the selected photo are to be shown.
    """

    comparison_wanted = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Heat map"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._local = session.local_view
        self.switch = button(self.tr("Heat map"), "segment")
        self.switch.setCheckable(True)
        self.switch.setIconSize(QSize(_ICON, _ICON))
        self.switch.setToolTip(self.tr("Show which places of this photo its distance looks at (H)"))
        self.switch.clicked.connect(self._local.show_heat)
        theme.set_icon(self.switch, "heat")
        self.kinds: list[QPushButton] = []
        self._group = QButtonGroup(self)
        for number in range(len(self._local.kinds) + 1):
            one = button("", "segment", partial(self._local.choose_kind, number))
            one.setCheckable(True)
            self.kinds.append(one)
            self._group.addButton(one)
        self.matches_button = button(self.tr("Matching patches"), "segment", self.comparison_wanted.emit)
        self.matches_button.setIconSize(QSize(_ICON, _ICON))
        self.matches_button.setToolTip(
            self.tr("Show which places of this photo and of the selected one are taken for the same (M)")
        )
        theme.set_icon(self.matches_button, "matches")
        self.legend = HeatLegend(theme)
        self.status = label(variant="soft", wrap=True)
        switches, kinds = FlowLayout(3), FlowLayout(3)
        for widget in (self.switch, self.matches_button):
            switches.addWidget(widget)
        for widget in self.kinds:
            kinds.addWidget(widget)
        self._choices = QWidget()
        self._choices.setLayout(kinds)
        self._choices.setAccessibleName(self.tr("Kinds of patches in the heat map"))
        key = QHBoxLayout()
        key.setContentsMargins(9, 0, 0, 0)
        key.addWidget(self.legend)
        key.addWidget(self.status, 1)
        key.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(switches)
        layout.addWidget(self._choices)
        layout.addLayout(key)
        self._local.heat_changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        local = self._local
        self.setVisible(local.metric is not None)
        self.switch.setChecked(local.heat_on)
        shares = local.heat_map.shares if local.heat_map is not None and local.heat_map.learned else None
        for number, one in enumerate(self.kinds):
            name = self.tr("All patches") if number == 0 else self.tr(local.kinds[number - 1])
            share = f"  {100 * shares[number]:.0f} %" if shares is not None and number else ""
            one.setText(name + share)
            one.setToolTip(
                self.tr("All kinds together (Shift+H: the next kind)")
                if number == 0
                else self.tr("Only this kind of patch, with its part of all weight (Shift+H: the next kind)")
            )
            one.setChecked(number == local.kind)
        self._choices.setVisible(local.heat_on)
        self.legend.setVisible(local.shown_map is not None)
        self.status.setText(self._text())
        self.status.setVisible(bool(self.status.text()))
        self.updateGeometry()

    def in_words(self) -> str:
        """Return which map is shown and how the weight is shared out, for those who do not see it."""
        return ", ".join(one.text().replace("  ", " ") for one in (self.kinds[self._local.kind], *self.kinds[1:]))

    def _text(self) -> str:
        local = self._local
        if not local.heat_on:
            return ""
        if local.failure:
            return local.failure
        if local.computing:
            return self.tr("Learning what matters in this photo\N{HORIZONTAL ELLIPSIS}")
        if local.heat_map is not None and not local.heat_map.learned:
            return self.tr("Nothing is known about this photo yet: tag it, or judge others against it, and retrain.")
        return ""
