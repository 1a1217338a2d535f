# SPDX-License-Identifier: MIT
"""Moving the files of photos to the system's trash: the only model that touches the user's files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QFile

from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.work.jobs.indexing import Indexing


class Trash(Model):
    """Moves files to the trash in the background; the library retains the data of their photos."""

    def __init__(self, services: Services, indexing: Indexing) -> None:
        super().__init__(services)
        self._indexing = indexing

    def move(self, paths: Sequence[Path]) -> None:
        """Move files to the trash, then scan their places, so that the photos count as missing."""

        def work() -> list[Path]:
            return [path for path in paths if not _moved(path)]

        def done(left: list[Path]) -> None:
            self._indexing.take_changes([path for path in paths if path not in left])
            if left:
                text = self.tr("{0} of {1} files could not be moved to the trash, the first is {2}.")
                text = text.format(len(left), len(paths), shown(str(left[0])))
                self._notices.post(text, Severity.ERROR)
            else:
                text = self.tr(
                    "%n file(s) were moved to the trash. Their tags and judgements stay in the library.", "", len(paths)
                )
                self._notices.post(text)

        self._runner.write(self.tr("Moving files to the trash"), work, done)


def _moved(path: Path) -> bool:
    """Move a file to the trash; return whether that succeeded."""
    return QFile(str(path)).moveToTrash()
