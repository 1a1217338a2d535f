# SPDX-License-Identifier: MIT
"""Indexing of folders and changed files in the background, with messages about the results."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Signal

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import MessageAction, Severity
from focal_photos.browser.models.photos.formatting import photos_in_words, unsupported_in_words
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.library import describe_for_metrics, index
from focal_photos.browser.operations.metadata import read_metadata
from focal_photos.browser.tasks.messages import in_words
from focal_photos.browser.tasks.runner import TaskState, TaskStatus
from focal_photos.features.decoding.decoders.dicom_signature import INSTALL

if TYPE_CHECKING:
    from focal_photos.browser.operations.metadata.imports.take_over import MetadataReport
    from focal_photos.browser.operations.photos.scan import ScanReport

REFRESH_SECONDS = 2.0


class Indexing(Model):
    """Indexes folders and changed files, one job after the other."""

    running_changed = Signal()
    """`running` may have changed."""
    ended = Signal()
    """An indexing has finished, failed or been cancelled."""
    photos_arriving = Signal()
    """Indexing has begun, or found more photos (at most every `REFRESH_SECONDS`)."""
    _taken_over = Signal(object)  # emitted in the index lane
    described = Signal(object)
    """New photos that were just described (ndarray of int64, shape (n,))."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self.wanted: Sequence[int] = ()
        """Photos to describe before all others, the most wanted first; replaced, never modified."""
        self._taken_over.connect(self._report_imported)
        self._indexing: set[int] = set()
        self._changed_paths: dict[Path, None] = {}
        self._describe = True
        self._sidecars_changed = False
        self._found: MetadataReport | None = None
        """The last report whose tags were offered for import."""
        self.not_walked: dict[Path, str] = {}
        """Folders and links that could not be followed, with the reasons."""
        self._refreshed = 0.0
        self._runner.task_changed.connect(self._task_changed)
        self._feed.subscribe(self._take_metrics, Kind.METRICS)

    @property
    def running(self) -> bool:
        """Whether photos are being indexed."""
        return bool(self._indexing)

    def open_folders(
        self, folders: Sequence[Path], offer: Callable[[], MessageAction] = lambda: MessageAction.REVIEW
    ) -> None:
        """Add folders to the library and index their photos; `offer` returns the action of the message afterwards."""
        title = self.tr("Indexing {0}").format(", ".join(path.name for path in folders))
        self._index(list(folders), title, offer=offer)

    def rescan(self, *, quiet: bool = True) -> None:
        """Look for new, changed and vanished files in all folders, and finish interrupted work.

        With `quiet`, report only news and problems.
        """
        self._index([], self.tr("Looking for changes"), quiet=quiet)

    def follow(self, number: int) -> None:
        """Show the progress of an indexing, given by its number in the lane "index"."""
        self._describe = True
        self._indexing.add(number)
        self.running_changed.emit()
        self.photos_arriving.emit()

    def take_changes(self, paths: Sequence[Path]) -> None:
        """Scan changed files and folders once no other indexing is running."""
        self._changed_paths.update(dict.fromkeys(paths))
        self._take_waiting_changes()

    def take_sidecars(self) -> None:
        """Import changed sidecars once no other indexing is running."""
        self._sidecars_changed = True
        self._take_waiting_sidecars()

    def describe_for_metrics(self) -> None:
        """Describe photos added after a metric was learned with its descriptors, if it is in use or has a name.

        A running indexing does this already.
        """
        library = self._library

        def work() -> Job[bool]:
            return describe_for_metrics.describe_for_metrics(library)

        def done(anything: bool) -> None:
            if anything:
                self.photos_arriving.emit()

        if not self._indexing:
            self._runner.start(self.tr("Describing photos"), work, done, lane="index")

    def _take_metrics(self, _changes: ChangeSet) -> None:
        self.describe_for_metrics()

    def describe(self, title: str = "", *, retry: bool = False) -> None:
        """Compute the descriptors that the settings request; with `retry`, also for photos that could not be read."""
        self._index([], title or self.tr("Describing photos"), retry=retry)

    # ------------------------------------------------------------------ private
    def _report_imported(self, report: MetadataReport) -> None:
        """Show imported metadata at once, since describing photos may take hours."""
        if report.changes:
            self._feed.publish(report.changes)
            self.photos_arriving.emit()
        texts = [self._say_taken_over(report)] if report.changes else []
        if report.left_out:
            path, reason = report.left_out[0]
            texts.append(self.tr("{0}: {1}").format(shown(path.name), reason))
            if len(report.left_out) > 1:
                texts.append(self.tr("{0:,} files are affected in total.").format(len(report.left_out)))
        severity = Severity.WARNING if report.left_out else Severity.INFO
        if texts:
            self._notices.post(" ".join(texts), severity)
        self._offer_import(report)

    def _offer_import(self, report: MetadataReport, *, again: bool = False) -> None:
        """Offer to import tags found in files, if the user has not chosen yet; or offer it `again`."""
        self._found = report
        if report.found_tags:
            text = QCoreApplication.translate("jobs", "Found %n tags in {0}.", "", report.found_tags)
            text = text.format(photos_in_words(report.found_photos))
            self._notices.post(text, action=MessageAction.IMPORT_TAGS, again=again)

    def _report_rotated(self, changes: ChangeSet) -> None:
        """Follow photos whose files another program has rotated, and log it."""
        if changes:
            self._feed.publish(changes)
            text = self.tr(
                "Another program has rotated the files of {0}. They are shown as they are now; Undo rotates them back."
            )
            self._notices.post(text.format(photos_in_words(len(changes.photo_ids))), quiet=True)

    def forget_found_tags(self) -> None:
        """Stop offering tags found in files, because the user has imported them."""
        self._found = None

    def _say_taken_over(self, report: MetadataReport) -> str:
        counts = [
            QCoreApplication.translate("jobs", "%n tags", "", report.tags) if report.tags else "",
            QCoreApplication.translate("jobs", "%n ratings", "", report.ratings) if report.ratings else "",
            QCoreApplication.translate("jobs", "%n labels", "", report.labels) if report.labels else "",
        ]
        text = self.tr("Imported {0} from {1}.")
        return text.format(", ".join(filter(None, counts)), photos_in_words(report.photos))

    def _index(
        self,
        folders: list[Path],
        title: str,
        *,
        quiet: bool = False,
        retry: bool | None = None,
        offer: Callable[[], MessageAction] = lambda: MessageAction.REVIEW,
    ) -> None:
        """Index folders; `retry` is None for new photos, and a bool to complete the data of known photos."""
        library = self._library

        def done(report: index.IndexReport) -> None:
            scan, following = report.scan, offer()
            files = {Kind.FILES} if scan.changed or scan.moved or scan.missing or report.failed else set()
            self._feed.publish(ChangeSet("", frozenset({Kind.ROOTS, Kind.PHOTOS} | files)))
            self._report_rotated(report.rotated)
            self._post_outcome(report, folders, following, quiet=quiet, retry=retry)
            self.described.emit(report.newly_described)
            self._post_problems(report, quiet=quiet)

        def work() -> Job[index.IndexReport]:
            return index.index(
                library,
                folders,
                retry=bool(retry),
                first=lambda: self.wanted,
                taken_over=self._taken_over.emit,
            )

        self.follow(self._runner.start(title, work, done, lane="index"))

    def _post_outcome(
        self,
        report: index.IndexReport,
        folders: list[Path],
        following: MessageAction,
        *,
        quiet: bool,
        retry: bool | None,
    ) -> None:
        """Post the most important result of an indexing; `following` is what the message offers if photos are new."""
        scan = report.scan
        # work that was interrupted earlier is now complete
        finished = retry is None and not report.new and report.extract.done > scan.changed
        if following is MessageAction.REVIEW and not report.untagged:  # photos tagged before were described again
            following = MessageAction.NONE
        # With a folder given, as at every start, files that failed before are not reported again: they are in the
        # list.
        newly = [path for path in report.newly_failed if path not in self.not_walked]
        failed = len(newly) if folders else len(report.failed)
        self._keep_not_walked(folders, scan)
        if failed and (report.new or finished or not quiet):
            unreadable = self.tr("Files and folders that could not be read: {0}.").format(failed)
            text = f"{self._indexed(report)} {unreadable}{self._left_out(scan)}"
            # the status bar also links to the list of these files, as long as there are any
            good = (report.new or finished) and report.files > len(report.failed)
            self._notices.post(text, Severity.WARNING, following if good else MessageAction.SHOW_FAILURES)
        elif retry is not None and not report.new:
            done_photos = report.extract.done
            text = QCoreApplication.translate("jobs", "%n photos were described in {0:.0f} s.", "", done_photos)
            if not done_photos:
                text = self.tr("Done: all photos have the active descriptors.")
            self._notices.post(text.format(report.seconds))
        elif scan.missing:
            text = self.tr("The files of {0} photos are missing. Their tags and judgements stay.")
            if scan.missing == 1:
                text = self.tr("The file of 1 photo is missing. Its tags and judgements stay.")
            self._notices.post(text.format(scan.missing), Severity.WARNING, MessageAction.SHOW_MISSING)
        elif folders and not report.files:
            text = self.tr("There are no photos in {0}.").format(", ".join(shown(path.name) for path in folders))
            text = " ".join(filter(None, (text + self._left_out(scan), unsupported_in_words(scan.passed_over))))
            self._notices.post(text, Severity.WARNING)
        elif report.new or finished or not (quiet or scan.unreachable):
            following = following if report.new or finished else MessageAction.NONE
            self._notices.post(self._indexed(report) + self._left_out(scan), action=following)
            if self._found is report.metadata:  # this message would otherwise hide the offer
                self._offer_import(report.metadata, again=True)

    def _post_problems(self, report: index.IndexReport, *, quiet: bool) -> None:
        """Post failed plug-ins, unsupported files, and folders that cannot be reached."""
        scan = report.scan
        for failure in report.plugins:
            self._notices.post_once(self.tr("{0} (Settings, Plug-ins)").format(in_words(failure)))
        if scan.newly_unsupported and report.files:
            self._notices.post(unsupported_in_words(scan.passed_over), quiet=True)
        for path, reason in scan.unreachable:
            if quiet and path not in scan.newly_unreachable:
                continue  # reported when it went offline; the list of folders shows it
            text = self.tr("{0}: {1}").format(shown(str(path)), reason)
            self._notices.post(text, Severity.WARNING, MessageAction.RELOCATE)

    def _keep_not_walked(self, folders: Sequence[Path], scan: ScanReport) -> None:
        """Keep the folders and links that could not be followed; without `folders`, all were scanned."""
        kept = {
            path: reason
            for path, reason in self.not_walked.items()
            if folders and not any(path.is_relative_to(folder) for folder in folders)
        }
        self.not_walked = kept | dict(scan.not_walked)

    def _indexed(self, report: index.IndexReport) -> str:
        """Return a sentence on the indexed photos, including copies."""
        copies = report.scan.placed - report.scan.moved
        text = self.tr("{0} indexed, {1} of them new, in {2:.0f} s.")
        if report.new and report.new + copies == report.files:  # nothing was known before
            text = self.tr("{0} indexed in {2:.0f} s.")
            if copies == 1:
                text += " " + self.tr("1 more file is a copy of one of them.")
            elif copies:
                text += " " + self.tr("{3} more files are copies of them.")
        elif not (replace(report.scan, unreadable=[]).anything or report.extract.done):
            text = self.tr("Nothing has changed: {0}.")
        elif not report.new:
            text = self.tr("{0} indexed in {2:.0f} s.")
        return text.format(photos_in_words(report.photos), report.new, report.seconds, copies)

    def _left_out(self, scan: ScanReport) -> str:
        """Return a sentence on photos that were skipped; empty if there are none."""
        if not scan.without_pydicom:
            return ""
        text = self.tr("{0} DICOM files were skipped because they need pydicom. Run {1} in Focal's checkout.")
        return " " + text.format(scan.without_pydicom, INSTALL)

    def _take_waiting_changes(self) -> None:
        if self._indexing or not self._changed_paths:
            return
        library, paths, describe = self._library, list(self._changed_paths), self._describe
        self._changed_paths.clear()

        def done(report: index.IndexReport) -> None:
            scan = report.scan
            if not scan.anything:
                return
            edited = scan.changed or scan.moved or scan.missing or scan.placed or report.failed
            self._feed.publish(ChangeSet("", frozenset({Kind.PHOTOS, Kind.FILES} if edited else {Kind.PHOTOS})))
            self._report_rotated(report.rotated)
            self.described.emit(report.newly_described)

        def work() -> Job[index.IndexReport]:
            return index.index(
                library,
                changed=paths,
                describe=describe,
                first=lambda: self.wanted,
                taken_over=self._taken_over.emit,
            )

        self._indexing.add(self._runner.start(self.tr("Importing changes"), work, done, lane="index"))
        self.running_changed.emit()

    def _take_waiting_sidecars(self) -> None:
        if self._indexing or not self._sidecars_changed:
            return
        self._sidecars_changed = False
        library = self._library

        def done(report: MetadataReport) -> None:
            if report.changes or report.found_tags:
                self._report_imported(report)

        def work() -> Job[MetadataReport]:
            return read_metadata.read_metadata(library)

        self._indexing.add(self._runner.start(self.tr("Reading sidecars"), work, done, lane="index"))
        self.running_changed.emit()

    def _task_changed(self, state: TaskState) -> None:
        ended = state.status not in (TaskStatus.WAITING, TaskStatus.RUNNING)
        if state.number in self._indexing:
            if ended:
                self._indexing.discard(state.number)
                self.ended.emit()
            if state.status in (TaskStatus.CANCELLED, TaskStatus.FAILED):
                self._feed.publish(ChangeSet("", frozenset({Kind.ROOTS, Kind.PHOTOS})))
                if state.status is TaskStatus.CANCELLED:
                    self._describe = False  # until the user requests it
                    self._notices.post(self.tr("Indexing was stopped. F5 continues it."))
            elif time.monotonic() - self._refreshed >= REFRESH_SECONDS:
                self._refreshed = time.monotonic()
                self.photos_arriving.emit()
            if ended:
                self.running_changed.emit()
        if ended:
            self._take_waiting_changes()
            self._take_waiting_sidecars()
