# SPDX-License-Identifier: MIT
"""The settings page of descriptors."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from focal_photos.browser.models.settings.preferences import Preferences
from focal_photos.browser.views.base.buttons import button
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import STRETCH, in_column, in_row
from focal_photos.browser.views.base.theme import Theme
from focal_photos.browser.views.settings.descriptor_tree import DescriptorTree
from focal_photos.browser.views.settings.network_dialog import NetworkDialog
from focal_photos.browser.views.settings.switch_row import SwitchRow


class DescriptorsPage(QWidget):
    """All descriptors in groups, with a check box for photos without an "up" and buttons for networks below them."""

    def __init__(self, preferences: Preferences, theme: Theme) -> None:
        super().__init__()
        self._preferences = preferences
        self._theme = theme
        self.tree = DescriptorTree(preferences.descriptors, theme)
        self.add_button = button(self.tr("Add network\N{HORIZONTAL ELLIPSIS}"), "", self.ask_for_network)
        self.remove_button = button(self.tr("Remove network"), "", self._remove)
        self.remove_button.setToolTip(self.tr("Remove the chosen network from the library; its file stays"))
        for each in (self.add_button, self.remove_button):
            each.setAutoDefault(False)
        self.add_button.setEnabled(not preferences.read_only)
        self.any_rotation = SwitchRow(preferences.any_rotation, preferences)
        text = self.tr(
            "Photos are compared by the descriptors that are on. New descriptors are computed at the next "
            "indexing; Apply starts it at once. Rankings use a descriptor once all photos have it."
        )
        networks = in_row(
            self.add_button,
            self.remove_button,
            label(self.tr("Any ONNX file that takes one image"), "faint"),
            STRETCH,
            spacing=8,
        )
        in_column(
            label(text, "soft", wrap=True),
            (self.tree, 1),
            self.any_rotation,
            networks,
            margins=0,
            spacing=10,
            parent=self,
        )
        self.tree.selectionModel().currentChanged.connect(self._show)
        preferences.descriptors.modelReset.connect(self._show)
        self._show()

    def ask_for_network(self) -> None:
        """Let the user choose a network and describe its input."""
        NetworkDialog(self._preferences, self._theme, self).open()

    def _show(self) -> None:
        self.remove_button.setEnabled(self.tree.current_network() is not None and not self._preferences.read_only)

    def _remove(self) -> None:
        name = self.tree.current_network()
        if name is not None:
            self._preferences.remove_network(name)
            self.tree.setFocus()  # because the disabled button would lose the focus
