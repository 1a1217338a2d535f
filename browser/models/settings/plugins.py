"""The installed plug-ins, for their page in the settings."""

from __future__ import annotations

from PySide6.QtCore import Signal

from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.operations.library import plugins


class Plugins(Model):
    """The plug-ins and their states; reading them imports them, which happens in the background.

    Signals
    -------
    changed : None
        `overview` has been read.
    """

    changed = Signal()

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.overview: plugins.PluginOverview | None = None
        """None until it was read for the first time."""

    def read(self) -> None:
        """Read the plug-ins again."""

        def done(found: plugins.PluginOverview) -> None:
            self.overview = found
            self.changed.emit()

        self._runner.read("plug-ins", lambda: plugins.plugin_overview(self._library), done)
