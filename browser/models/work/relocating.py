"""A folder that is elsewhere now, while a person says where: comparing both places, then taking the new one over."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.tasks.runner import Runner, describe

if TYPE_CHECKING:
    from focal_photos.browser.operations.photos.relocate import Relocation as Relocation


class Relocating(QObject):
    """Compares and relocates one folder at a time.

    Signals
    -------
    state_changed : None
        `busy`, `plan` or `problem` has changed.
    proposed : Path, Path
        A folder that is not there, and where it seems to be now.
    relocated : ChangeSet, Path
        What was written, and the folder to look through.
    """

    state_changed = Signal()
    proposed = Signal(object, object)
    relocated = Signal(object, object)

    def __init__(self, library: Library, runner: Runner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._runner = runner
        self._job: int | None = None
        self.plan: Relocation | None = None
        """What was found at the place that was named last."""
        self.problem = ""
        """Why it cannot be that place."""

    @property
    def busy(self) -> bool:
        """Whether two places are being compared."""
        return self._job is not None

    def begin(self) -> None:
        """Forget what was compared."""
        if self._job is not None:
            self._runner.cancel(self._job)
        self._job, self.plan, self.problem = None, None, ""
        self.state_changed.emit()

    def propose(self, old: Path) -> None:
        """Look where a folder that is not there may be now."""
        library = self._library

        def work() -> Path | None:
            from focal_photos.browser.operations.photos.relocate import find_moved

            return None if old.is_dir() and any(old.iterdir()) else find_moved(library, old)

        def done(new: Path | None) -> None:
            if new is not None:
                self.proposed.emit(old, new)

        self._runner.read(f"moved folder {old}", work, done)

    def compare(self, old: Path, new: Path) -> None:
        """Compare a folder with the place where it may be now."""
        from focal_photos.browser.operations.photos.relocate import plan_relocation

        self.begin()
        library = self._library

        def done(plan: Relocation) -> None:
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
            title, lambda: plan_relocation(library, old, new), done, failed, lane="folders"
        )
        self.state_changed.emit()

    def relocate(self) -> None:
        """Take over the place that was compared last."""
        from focal_photos.browser.operations.photos.relocate import relocate

        library, plan = self._library, self.plan
        if plan is None:
            return

        def done(changes: ChangeSet) -> None:
            self.relocated.emit(changes, plan.new)

        self._runner.write(self.tr("Locating the folder"), lambda: relocate(library, plan), done)
        self.begin()
