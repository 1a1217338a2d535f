# SPDX-License-Identifier: MIT
"""Archives of whole libraries: saved, merged into a library, or unpacked as a new one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from focal_photos.browser.models.base.model import Model
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.formatting import photos_in_words
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.operations.exchange.annotators import record
from focal_photos.browser.operations.exchange.archives import save_archive, unpack_archive

if TYPE_CHECKING:
    from focal_photos.browser.operations.exchange.import_file import ImportReport

SUFFIX = ".focal.zip"


class Archives(Model):
    """Saves and opens archives in the background, and reports the results."""

    def save(self, file: Path) -> None:
        """Save the library as one file."""
        library = self._library

        def done(report: save_archive.ArchiveReport) -> None:
            text = self.tr("{0} photos, {1} tags and {2} judgements were saved in {3}.")
            counts = report.counts
            place = shown(str(report.file))
            message = text.format(counts["photos"], counts["tags"], counts["judgements"], place)
            self._notices.post(message)

        self._runner.start(
            self.tr("Saving the library"), lambda: save_archive.save_archive(library, file), done, lane="archive"
        )

    def merge(self, file: Path) -> None:
        """Merge the metadata of an archive into the library, in one undo step."""
        library = self._library

        def done(report: ImportReport) -> None:
            self._feed.publish(report.changes)
            if report.unknown:
                text = self.tr("Changed: {0}. Not in this library: {1} of the archive.")
                text = text.format(photos_in_words(len(report.changes.photo_ids)), photos_in_words(len(report.unknown)))
                self._notices.post(text, Severity.WARNING)
            else:
                text = self.tr("Changed: {0}. Undo reverts this in one step.")
                text = text.format(photos_in_words(len(report.changes.photo_ids)))
                self._notices.post(text)

        self._runner.start(
            self.tr("Merging an archive"), lambda: record.merge_annotator(library, file), done, lane="archive"
        )

    def unpack(self, file: Path, folder: Path) -> None:
        """Create a new library from an archive, in a new or empty folder."""

        def done(report: unpack_archive.UnpackReport) -> None:
            text = self.tr("{0} photos are in the new library. Open it with: focal --library {1}")
            self._notices.post(text.format(report.counts.get("photos", 0), shown(str(report.folder))))

        self._runner.start(
            self.tr("Unpacking an archive"), lambda: unpack_archive.unpack_archive(file, folder), done, lane="archive"
        )
