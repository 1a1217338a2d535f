# SPDX-License-Identifier: MIT
"""The installed plug-ins, for their page in the settings and the tables of the guide."""

from __future__ import annotations

from PySide6.QtCore import Signal

from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.help.guide import TABLES, Place
from focal_photos.browser.models.photos.formatting import grouped
from focal_photos.browser.operations.library import plugins
from focal_photos.browser.tasks.messages import in_words


class Plugins(Model):
    """The plug-ins and their states; reading them imports them, which happens in the background."""

    changed = Signal()
    """`overview` has been read."""
    rows_read = Signal()
    """`guide_rows` have been read."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.overview: plugins.PluginOverview | None = None
        """None until it was read for the first time."""
        self.guide_rows: dict[Place, list[str]] = {}
        """Rows of the guide's tables as Markdown, by the table's place; empty until they were read."""

    def read(self) -> None:
        """Read the plug-ins again."""

        def done(found: plugins.PluginOverview) -> None:
            self.overview = found
            self.changed.emit()

        self._runner.read("plug-ins", lambda: plugins.plugin_overview(self._library), done)

    def read_guide_rows(self) -> None:
        """Read the rows that plug-ins add to the tables of the guide."""

        def done(found: dict[str, list[tuple[str | int, ...]]]) -> None:
            self.guide_rows = {place: list(map(_row, found[place.file])) for place in TABLES}
            self.rows_read.emit()

        self._runner.read("plug-ins of the guide", plugins.guide_rows, done, aside=True)


def _row(cells: tuple[str | int, ...]) -> str:
    texts = (grouped(cell) if isinstance(cell, int) else in_words(cell) for cell in cells)
    return "|" + "|".join(text.replace("|", "\\|") for text in texts) + "|"
