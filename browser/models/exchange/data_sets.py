# SPDX-License-Identifier: MIT
"""Export and import of data sets of other programs, in the background."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal

from focal_photos.browser.models.base.model import Model
from focal_photos.browser.models.base.notices import Severity
from focal_photos.browser.models.photos.formatting import grouped, photos_in_words
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.operations.exchange import export_data_set, export_file, formats, import_file, overwriting
from focal_photos.browser.operations.jobs.progress import Job, Meter

if TYPE_CHECKING:
    from focal_photos.browser.operations.exchange.file_format import FileFormat, Media


class DataSets(Model):
    """Exports photos with their tags for other programs, and imports their data sets."""

    formats_read = Signal(object)
    """All formats with those of plug-ins (dict of str to FileFormat)."""

    def read_formats(self) -> None:
        """Find and import the formats of plug-ins, in the background."""
        self._runner.read("formats", formats.all_formats, self.formats_read.emit)

    def save(self, form: FileFormat, place: Path, query: str, media: Media) -> None:
        """Export the photos that match a query; the user has confirmed replacing a file."""
        library = self._library
        title = self.tr("Exporting a data set")

        def table() -> Job[export_data_set.SaveReport]:
            yield Meter(title).state()
            overwriting.require_replaceable(library, place, form.suffixes)
            with export_file.output_file(place) as stream:
                return export_data_set.SaveReport(place, export_file.export_photos(library, stream, form, query=query))

        def work() -> Job[export_data_set.SaveReport]:
            if not len(library.photos.listed(query)):
                return nothing()
            return (
                export_data_set.save_photos(library, place, form, query=query, media=media)
                if form.save_photos
                else table()
            )

        def nothing() -> Job[export_data_set.SaveReport]:
            yield Meter(title).state()
            return export_data_set.SaveReport(place)

        def done(report: export_data_set.SaveReport) -> None:
            text = self.tr("{0} in {1}.").format(photos_in_words(report.saved), shown(str(report.place)))
            if not report.saved:
                text = self.tr("There is nothing to export. No file was written.")
            if report.left_out:
                path, reason = report.left_out[0]
                more = self.tr("Left out: {0}, the first is {1} ({2})")
                text += " " + more.format(photos_in_words(len(report.left_out)), shown(path.name), reason)
            if report.unnamed:
                text += " " + QCoreApplication.translate(
                    "boxes", "%n boxes without a name were left out: name them first.", "", report.unnamed
                )
            whole = report.saved and not report.left_out and not report.unnamed
            self._notices.post(text, Severity.INFO if whole else Severity.WARNING)

        self._runner.start(title, work, done, lane="export")

    def take_in(self, form: FileFormat, place: Path, *, boxes: bool) -> None:
        """Import the tags of a data set, in one undo step."""
        library = self._library

        def done(report: import_file.ImportReport) -> None:
            self._feed.publish(report.changes)
            text = self.tr("Changed: {0}.").format(photos_in_words(len(report.changes.photo_ids)))
            if report.unknown:
                text += " " + self.tr("Not in this library: {0}, the first is {1}.").format(
                    photos_in_words(len(report.unknown)), shown(report.unknown[0].name)
                )
            if report.refused:
                text += " " + self.tr("Left out: {0}").format(shown(report.refused[0][1]))
            if report.boxed:
                text += " " + self.tr("Photos with boxes that were not imported: {0}.").format(
                    photos_in_words(report.boxed)
                )
            if report.boxes or report.invalid:
                counts = (report.boxes, report.outlines, report.clipped, report.invalid)
                text += " " + self.tr(
                    "Boxes: {0}, of which {1} around outlines or masks and {2} cut to the photo. Invalid boxes: {3}."
                ).format(*map(grouped, counts))
            odd = report.unknown or report.refused or report.boxed
            self._notices.post(text, Severity.WARNING if odd else Severity.INFO)

        job = lambda: import_file.import_tags(library, place, form, boxes=boxes)  # noqa: E731
        self._runner.start(self.tr("Importing a data set"), job, done, lane="import")
