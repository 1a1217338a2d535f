# SPDX-License-Identifier: MIT
"""Relocating a moved folder: compare both places, then use the new one."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import MessageAction, Severity
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.models.work.folders.watching import Watching
from focal_photos.browser.models.work.jobs.indexing import Indexing
from focal_photos.browser.operations.photos import relocate
from focal_photos.browser.tasks.runner import describe

_RELOCATED: Final = ChangeSet("", frozenset({Kind.ROOTS, Kind.PHOTOS}))


class Relocating(Model):
    """Compares and relocates one folder at a time."""

    state_changed = Signal()
    """`busy`, `plan` or `problem` has changed."""
    proposed = Signal(object, object)
    """A missing folder, and its likely new place (Path, Path)."""

    def __init__(self, services: Services, navigator: Navigator, indexing: Indexing, watching: Watching) -> None:
        super().__init__(services)
        self._navigator, self._indexing, self._watching = navigator, indexing, watching
        self._job: int | None = None
        self.plan: relocate.Relocation | None = None
        """The comparison with the place chosen last."""
        self.problem = ""
        """The reason why the chosen place is unsuitable."""
        self._proposed: dict[Path, Path] = {}
        """The reported new place of each missing folder."""
        watching.states_changed.connect(self._look_for_moved)

    @property
    def busy(self) -> bool:
        """Whether two places are being compared."""
        return self._job is not None

    def begin(self) -> None:
        """Discard the comparison."""
        if self._job is not None:
            self._runner.cancel(self._job)
        self._job, self.plan, self.problem = None, None, ""
        self.state_changed.emit()

    def _look_for_moved(self) -> None:
        for state in self._watching.states:
            if state.offline:
                self.propose(state.path)

    def propose(self, old: Path) -> None:
        """Look for the new place of a missing folder, and report each place once."""
        library = self._library

        def work() -> Path | None:
            return None if old.is_dir() and any(old.iterdir()) else relocate.find_moved(library, old)

        def done(new: Path | None) -> None:
            if new is None:
                return
            self.proposed.emit(old, new)
            if self._proposed.get(old) != new and not library.read_only:
                self._proposed[old] = new
                text = self.tr("{0} was not found. Its photos are probably in {1} now.")
                text = text.format(shown(str(old)), shown(str(new)))
                self._notices.post(text, Severity.WARNING, MessageAction.RELOCATE)

        self._runner.read(f"moved folder {old}", work, done)

    def compare(self, old: Path, new: Path) -> None:
        """Compare a folder with its possible new place."""
        self.begin()
        library = self._library

        def done(plan: relocate.Relocation) -> None:
            if number == self._job:
                self._job, self.plan = None, plan
                self.state_changed.emit()

        def failed(error: Exception) -> bool:
            if number == self._job:
                self._job, self.problem = None, describe(error)
                self.state_changed.emit()
            return True

        title = self.tr("Comparing the folders")
        number = self._job = self._runner.start(
            title, lambda: relocate.plan_relocation(library, old, new), done, failed, lane="folders"
        )
        self.state_changed.emit()

    def relocate(self) -> None:
        """Use the place that was compared last, show its photos, and scan it."""
        library, plan = self._library, self.plan
        if plan is None:
            return

        def done(changes: ChangeSet) -> None:
            self.follow(changes)
            self._indexing.take_changes([plan.new])
            text = self.tr("{0} was imported with all data about its photos.")
            self._notices.post(text.format(shown(str(plan.new))))

        self._runner.write(self.tr("Locating the folder"), lambda: relocate.relocate(library, plan), done)
        self.begin()

    def follow(self, changes: ChangeSet = _RELOCATED) -> None:
        """Show and watch the folders as they are after a relocation."""
        if self._navigator.collection.folder is not None:
            self._navigator.show_collection(Collection())  # the folder shown may no longer exist
        self._feed.publish(changes._replace(kinds=changes.kinds | {Kind.FILES}))
        self._watching.look()
