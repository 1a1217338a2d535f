# SPDX-License-Identifier: MIT
"""The settings page of the installed plug-ins."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from focal_photos.browser.models.photos.tool_tip import tool_tip
from focal_photos.browser.models.settings.plugins import Plugins
from focal_photos.browser.operations.library.plugins import PluginState
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.views.base.labels import label
from focal_photos.browser.views.base.layouts import in_column


class PluginsPage(QWidget):
    """A list of everything that plug-ins offer, with states and errors, and of what the library lacks."""

    def __init__(self, plugins: Plugins) -> None:
        super().__init__()
        self._plugins = plugins
        self.list = QListWidget()
        self.list.setSpacing(4)
        self.list.setWordWrap(True)
        self.list.setAccessibleName(self.tr("Plug-ins"))
        text = self.tr(
            "Plug-ins are Python packages with more descriptors, learners or file formats. Switch their descriptors on "
            "under Descriptors. Everything else works without a plug-in that fails."
        )
        in_column(label(text, "soft", wrap=True), (self.list, 1), margins=0, spacing=10, parent=self)
        plugins.changed.connect(self._show)
        self._show()

    def showEvent(self, event: QShowEvent) -> None:
        """Read the plug-ins again."""
        super().showEvent(event)
        self._plugins.read()

    def _show(self) -> None:
        found = self._plugins.overview
        if found is None:
            texts = [self.tr("Reading the plug-ins\N{HORIZONTAL ELLIPSIS}")]
        else:
            lacking = self.tr("{0}: switched on, but not installed or not working")
            lost = self.tr("{0}: the learner of this metric is not installed or does not work")
            texts = [
                *map(self._line, found.plugins),
                *(lacking.format(name) for name in found.absent),
                *(lost.format(in_words(title)) for title in found.lost_metrics),
            ] or [self.tr("No plug-ins are installed. The guide (F1) describes how to write one.")]
        if texts != [self.list.item(number).text() for number in range(self.list.count())]:
            self.list.clear()
            for each in texts:
                item = QListWidgetItem(each)
                item.setToolTip(tool_tip(each))
                self.list.addItem(item)
            self.list.setCurrentRow(0)

    def _line(self, one: PluginState) -> str:
        parts = (f"{one.package} {one.version}".strip(), in_words(one.kind), one.name, in_words(one.state_text))
        line = "  \N{MIDDLE DOT}  ".join(parts)
        return f"{line}\n{in_words(one.reason)}" if one.reason else line
