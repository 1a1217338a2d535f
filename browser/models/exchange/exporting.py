# SPDX-License-Identifier: MIT
"""Export of selected photos in the background: copies of the files, or a table of their metadata."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from focal_photos.browser.models.base.model import Model
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.formatting import photos_in_words
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.operations.exchange import export_selection
from focal_photos.browser.operations.exchange.formats import CSV, JSON_LINES

if TYPE_CHECKING:
    from focal_photos.browser.operations.exchange.export_data_set import SaveReport
    from focal_photos.browser.operations.exchange.file_format import FileFormat

_TABLES: Final[tuple[FileFormat, ...]] = (CSV, JSON_LINES)


class Exporting(Model):
    """Exports photos, and reports the results."""

    def copy(self, photo_ids: Sequence[int], folder: Path) -> None:
        """Copy the files of photos into a folder."""
        library, ids = self._library, list(photo_ids)

        def done(report: SaveReport) -> None:
            text = self.tr("Copied to {0}: {1}.") if report.saved else self.tr("Nothing was copied to {0}.")
            text = text.format(shown(str(report.place)), photos_in_words(report.saved))
            if report.left_out:
                path, reason = report.left_out[0]
                more = self.tr("Not copied: {0}, the first is {1} ({2}).")
                text += " " + more.format(photos_in_words(len(report.left_out)), shown(path.name), reason)
            severity = Severity.WARNING if report.left_out else Severity.INFO
            self._notices.post(text, severity)

        self._runner.start(
            self.tr("Copying photos"), lambda: export_selection.copy_photos(library, ids, folder), done, lane="export"
        )

    def save_table(self, photo_ids: Sequence[int], file: Path) -> None:
        """Write the metadata of photos as a table, in the format of the file's suffix, or as CSV."""
        library, ids = self._library, list(photo_ids)
        form = next((one for one in _TABLES if file.suffix.lower() in one.suffixes), CSV)
        place = file if file.suffix.lower() in form.suffixes else file.with_name(file.name + form.suffixes[0])

        def done(report: SaveReport) -> None:
            text = self.tr("Saved in {0}: {1}.").format(shown(str(report.place)), photos_in_words(report.saved))
            self._notices.post(text)

        self._runner.start(
            self.tr("Exporting"), lambda: export_selection.export_table(library, ids, place, form), done, lane="export"
        )
