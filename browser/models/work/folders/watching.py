# SPDX-License-Identifier: MIT
"""The state of the photo folders: offline or polled, and the changes found in them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.lazy_imports import execute
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import MessageAction, Severity
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.operations.describing.settings import WATCH, WATCH_SECONDS
from focal_photos.browser.operations.photos import watch
from focal_photos.browser.operations.photos.offline import look_for_offline

CLOSE_SECONDS: Final = 5.0
FIRST_LOOK_SECONDS: Final = 30.0
"""Seconds before the watch first scans the folders. The window also scans them when it opens.

Two scans at once took a third of all work at the start with 100,000 photos.
"""


class Watching(Model):
    """Starts and ends the watch, and passes its reports to the main thread."""

    states_changed = Signal()
    """`states` has changed: a folder went offline or came back, or is watched in another way."""
    polled_changed = Signal(object)
    """The reason why each of some folders is polled; emitted with `states_changed` (dict of Path to str)."""
    paths_changed = Signal(object)
    """Changed photo files and folders, for `scan_paths` (sequence of Path)."""
    sidecars_changed = Signal(object)
    """Sidecars that were created, written, moved or deleted; the library has not read them yet (sequence of Path)."""
    _heard = Signal(object, object)
    _states_found = Signal(object)

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._watch: watch.FolderWatch | None = None
        self._ending: list[watch.FolderWatch] = []
        self._closed = False
        self.on = False
        """Whether the folders are watched."""
        self.states: tuple[watch.WatchedRoot, ...] = ()
        """The state of each folder; empty until the watch has checked them."""
        self._offline: frozenset[Path] | None = None
        self._heard.connect(self._take_changes, Qt.ConnectionType.QueuedConnection)
        self._states_found.connect(self._take_states, Qt.ConnectionType.QueuedConnection)

    @property
    def polled(self) -> tuple[watch.WatchedRoot, ...]:
        """The folders that are polled."""
        return tuple(state for state in self.states if state.polled and not state.offline)

    def start(self, *, first_look: float = 0.0) -> None:
        """Start watching if the settings request it; restart if they have changed.

        The folders are first scanned after some seconds; see `FolderWatch`.
        """
        library = self._library
        if library.read_only:
            # nothing can be written, but offline folders are shown
            self._runner.read("away", lambda: frozenset(look_for_offline(library)), self._show_offline)
            return

        self._leave()
        ending = self._ending

        def read() -> tuple[bool, float]:
            execute(watch)  # in this thread, because that takes as long as a frame
            for one in list(ending):  # closed in this thread, because a watch may be scanning a large folder
                one.close(CLOSE_SECONDS)
            return WATCH.get(library), WATCH_SECONDS.get(library)

        def done(settings: tuple[bool, float]) -> None:
            ending.clear()
            self.on, seconds = settings
            if self.on and not self._closed:
                self._watch = watch.FolderWatch(
                    library,
                    self._heard.emit,
                    self._states_found.emit,
                    poll_seconds=seconds,
                    first_look=first_look,
                    pause=self._runner.priority.wait,
                )
                self._watch.start()
            else:
                self.states = ()
            self._emit_states()

        self._runner.read("watching", read, done)

    def set_on(self, on: bool) -> None:
        """Set whether folders are watched, or scanned only on request (F5)."""
        library = self._library
        self._runner.write(self.tr("Changing the settings"), lambda: WATCH.set(library, on), lambda _: self.start())

    def look(self) -> None:
        """Check at once which folders are available."""
        if self._watch is not None:
            self._watch.look()

    def close(self) -> None:
        """End the watch; no further signals are emitted."""
        self._closed = True
        self._leave()
        for one in self._ending:
            one.close(CLOSE_SECONDS)

    def _leave(self) -> None:
        if self._watch is not None:
            self._ending.append(self._watch)
            self._watch = None

    @Slot(object, object)
    def _take_changes(self, paths: Sequence[Path], sidecars: Sequence[Path]) -> None:
        if self._closed:
            return
        if paths:
            self.paths_changed.emit(paths)
        if sidecars:
            self.sidecars_changed.emit(sidecars)

    @Slot(object)
    def _take_states(self, states: Sequence[watch.WatchedRoot]) -> None:
        if self._closed:
            return
        self.states = tuple(states)
        self._show_offline(frozenset(state.path for state in states if state.offline))
        self._emit_states()

    def _emit_states(self) -> None:
        text = self.tr("Checked every {0:.0f} s: {1}.")
        self.polled_changed.emit({state.path: text.format(state.seconds, state.polled) for state in self.polled})
        self.states_changed.emit()

    def _show_offline(self, offline: frozenset[Path]) -> None:
        before, self._offline = self._offline, offline
        if offline == (before or frozenset()):
            return
        self._feed.publish(ChangeSet("", frozenset({Kind.ROOTS, Kind.PHOTOS, Kind.FILES})))
        if before is None:
            return  # the first check; the search for changes reports its result
        for path in sorted(offline - before):
            text = self.tr(
                "{0} was not found. Its photos can still be ranked and tagged; connect its drive to open them."
            )
            self._notices.post(text.format(shown(str(path))), Severity.WARNING, MessageAction.RELOCATE)
        for path in sorted(before - offline):
            if path in {state.path for state in self.states}:
                self._notices.post(self.tr("{0} is available again.").format(shown(str(path))))
