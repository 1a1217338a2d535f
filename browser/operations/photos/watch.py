# SPDX-License-Identifier: MIT
"""Detect changes in the photo folders of an open library, through the operating system or by regular checks."""
# ruff: noqa: PTH116

from __future__ import annotations

import bisect
import logging
import os
import stat
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from focal_photos.browser.catalog.facts.records import Root
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.catalog.store.location import file_system, mounted, network_drive
from focal_photos.browser.operations.jobs.pauses import pausing_by
from focal_photos.browser.operations.photos.offline import why_offline
from focal_photos.browser.operations.photos.scan import differing
from focal_photos.browser.operations.photos.system_watch import SystemWatch, reason_of
from focal_photos.browser.operations.photos.walk import may_be_photo
from focal_photos.features.decoding.formats import IMAGE_SUFFIXES

log = logging.getLogger(__name__)

POLL_SECONDS: Final = 60.0
"""Interval in seconds between checks of a folder that the system does not watch."""

SWEEP_SECONDS: Final = 900.0
"""Interval in seconds between checks of a folder that the system watches, because it may lose events."""

_SHARE: Final = 20  # a check takes at most a twentieth of the time
_QUIET_SECONDS: Final = 1.0  # seconds without a change after which changes are reported
_MAX_DELAY: Final = 10.0  # seconds after which they are reported in spite of further changes
_PRESENCE: Final = 3.0  # seconds between checks whether folders are online
_SIDECAR: Final = b".xmp"
_ENDINGS: Final = (*(suffix.encode() for suffix in IMAGE_SUFFIXES), _SIDECAR)
_NEVER_SEEN: Final = (-1, -1)
_LIMIT: Final = 5000  # above this number of differences, the whole folder is reported


@dataclass(frozen=True)
class WatchedRoot:
    """Watch status of a folder of the library."""

    path: Path
    """Why it is offline, for the user; empty if it is online."""
    offline: str = ""
    polled: str = ""
    """Why it is checked regularly instead of being watched by the system; empty if it is watched."""
    seconds: float = SWEEP_SECONDS
    """Interval between checks."""


class Gatherer:
    """Collects changed paths until they settle, so that many changes are reported together.

    A file settles when its size and time stay the same for a while, so that files still being written must wait. A
    folder settles when all changes below it have.

    Parameters
    ----------
    quiet : float
        Seconds without a change before a path settles.
    patience : float
        Seconds after which settled paths are reported in spite of further changes.
    """

    def __init__(self, quiet: float = _QUIET_SECONDS, patience: float = _MAX_DELAY) -> None:
        self._quiet = quiet
        self._patience = patience
        self._pending: dict[bytes, tuple[tuple[int, int], float]] = {}
        self._last = 0.0
        self._held: float | None = None

    def __len__(self) -> int:
        return len(self._pending)

    def note(self, path: bytes, now: float) -> None:
        """Add the absolute path of a change; `now` in seconds of any clock."""
        self._last = now
        self._pending.setdefault(path, (_NEVER_SEEN, now))

    def due(self, now: float) -> list[bytes]:
        """Return and remove the settled paths, sorted; empty while changes continue."""
        for path, (before, _) in self._pending.items():
            seen = _size_and_time(path)
            if seen != before:
                self._pending[path] = (seen, now)
        moving = sorted(path for path, (_, since) in self._pending.items() if now - since < self._quiet)
        ready = [path for path in self._pending if now - self._pending[path][1] >= self._quiet]
        ready = sorted(path for path in ready if not _any_below(path, moving))
        if not ready:
            self._held = None
            return []
        self._held = now if self._held is None else self._held
        if now - self._last < self._quiet and now - self._held < self._patience:
            return []
        self._held = None
        for path in ready:
            del self._pending[path]
        return ready


def _size_and_time(path: bytes) -> tuple[int, int]:
    """Return size and time (ns) of a file, or constants for a folder or a missing path."""
    try:
        status = os.lstat(path)
    except OSError:
        return 0, -2
    return (0, -3) if stat.S_ISDIR(status.st_mode) else (status.st_size, status.st_mtime_ns)


def _any_below(folder: bytes, paths: Sequence[bytes]) -> bool:
    """Return whether one of the sorted paths is below a folder."""
    at = bisect.bisect_left(paths, folder + b"/")
    return at < len(paths) and paths[at].startswith(folder + b"/")


@dataclass
class _Watched:
    """The thread's record of a root."""

    state: WatchedRoot
    identity: tuple[int, int] | None  # device and inode of the folder at the last check
    due: float  # time of the next check


class FolderWatch:
    """Watches the folders of a library in a background thread until closed.

    Parameters
    ----------
    library : Library
        Must stay open until the watch is closed; only read.
    changed : callable
        Receives the photo files and folders that were changed, created, moved or deleted, for `scan.scan_paths`, and
        the sidecars; called from the thread.
    states : callable
        Receives the watch status of all folders when it changes or a drive is connected; called from the thread.
    poll_seconds : float
        Interval between checks of a folder that the system does not watch.
    system : callable, optional
        Makes a replacement for `SystemWatch`; raises `OSError` if the system cannot watch.
    quiet, presence : float
        Seconds without a change before changes are reported; seconds between checks whether folders are online.
    first_look : float
        Seconds until the first check of folders that are online at the start; more than 0 if all are scanned then
        anyway. Folders that come online later are checked at once.
    pause : callable
        Called before each folder is watched and before each file is checked; may wait.
    """

    def __init__(
        self,
        library: Library,
        changed: Callable[[Sequence[Path], Sequence[Path]], None],
        states: Callable[[Sequence[WatchedRoot]], None],
        *,
        poll_seconds: float = POLL_SECONDS,
        system: Callable[[Callable[[bytes, bool], None]], SystemWatch] | None = None,
        quiet: float = _QUIET_SECONDS,
        presence: float = _PRESENCE,
        first_look: float = 0.0,
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        self._library = library
        self._pause = pause
        self._changed = changed
        self._states = states
        self._poll_seconds = poll_seconds
        self._make_system = system or partial(SystemWatch, pause=pause)
        self._quiet = quiet
        self._presence = presence
        self._first_look = first_look
        self._gatherer = Gatherer(quiet)
        self._heard: list[bytes] = []
        self._awake = threading.Condition()
        self._closing = False
        self._looking_due = 0.0
        self._system: SystemWatch | None = None
        self._unwatched = ""  # why the system cannot watch
        self._roots: dict[Root, _Watched] = {}
        self._reported: list[WatchedRoot] | None = None
        self._mounts: list[tuple[str, str]] = []
        self._thread = threading.Thread(target=self._run, name="focal-watch", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def look(self) -> None:
        """Check at once whether folders have come online or gone offline."""
        with self._awake:
            self._looking_due = 0.0
            self._awake.notify()

    def close(self, seconds: float = 5.0) -> None:
        """Stop the thread, with a limit in seconds because a hanging network drive might block it forever."""
        with self._awake:
            self._closing = True
            self._awake.notify()
        if self._thread.ident is not None:
            self._thread.join(seconds)

    # ------------------------------------------------------------------ thread
    def _run(self) -> None:
        try:
            self._system = self._make_system(self._hear)
            self._unwatched = self._system.unsupported
        except OSError as error:
            self._unwatched = reason_of(error)
        try:
            while not self._closing:
                try:
                    with pausing_by(self._pause):
                        self._step()
                except (LibraryError, OSError) as error:
                    log.warning("Watching the folders: %s", error)
                except Exception:
                    log.exception("Watching the folders goes on after an unexpected error.")
                self._rest()
        finally:
            if self._system is not None:
                self._system.close()

    def _rest(self) -> None:
        with self._awake:
            if not (self._closing or self._heard):
                self._awake.wait(self._quiet / 2 if len(self._gatherer) else self._presence / 2)

    def _step(self) -> None:
        now = time.monotonic()
        with self._awake:
            heard, self._heard = self._heard, []
            looking = now >= self._looking_due
            if looking:
                self._looking_due = now + self._presence
        for path in heard:
            if self._is_ours(path):
                self._gatherer.note(path, now)
        if looking:
            self._look_at_roots()
        self._look_through()
        self._report_states()
        ready = [Path(os.fsdecode(path)) for path in self._gatherer.due(time.monotonic())]
        if ready and not self._closing:
            sidecars = [path for path in ready if os.fsencode(path.name).lower().endswith(_SIDECAR)]
            self._changed([path for path in ready if path not in set(sidecars)], sidecars)

    def _hear(self, path: bytes, is_folder: bool) -> None:
        """Receive an event of the system, in one of its threads."""
        if is_folder or path.lower().endswith(_ENDINGS) or may_be_photo(path):
            with self._awake:
                self._heard.append(path)
                if len(self._heard) == 1:
                    self._awake.notify()

    def _is_ours(self, path: bytes) -> bool:
        """Return whether a path is in a root and not hidden there."""
        for root in self._roots:
            folder = os.fsencode(root.path).rstrip(b"/") + b"/"
            if path.startswith(folder):
                return not any(part.startswith(b".") for part in path[len(folder) :].split(b"/"))
        return False

    # ------------------------------------------------------------------ online and offline folders
    def _look_at_roots(self) -> None:
        roots = self._library.roots.all()
        mounts, self._mounts = self._mounts, mounted()
        if mounts != self._mounts:
            self._reported = None  # an offline folder may be available under another path
        for gone in [root for root in self._roots if root not in roots]:
            self._forget(gone)
        for root in roots:
            if self._closing:
                return
            offline = why_offline(root, self._library) or ""
            identity = None if offline else _identity(root.path)
            before = self._roots.get(root)
            if before is not None and before.identity == identity:
                before.state = replace(before.state, offline=offline)
                continue
            self._forget(root)
            if offline:
                self._roots[root] = _Watched(WatchedRoot(root.path, offline), None, float("inf"))
            else:
                # Check it: something may have changed before watching began.
                state = self._begin(root)
                first = time.monotonic() + min(self._first_look, state.seconds)
                self._roots[root] = _Watched(state, identity, first)
        self._first_look = 0.0
        self._take_losses()  # after unwatching removed folders

    def _begin(self, root: Root) -> WatchedRoot:
        """Let the system watch a root, or record why it cannot."""
        reason = self._unwatched
        kind = file_system(root.path)
        if network_drive(root.path) is not None or (kind.startswith("fuse.") and kind != "fuse.portal"):
            reason = (
                f"it is on a network drive ({kind.removeprefix('fuse.')}), which does not report changes from other "
                "computers"
            )
        if not reason and self._system is not None:
            reason = self._system.add(root.path)
        return WatchedRoot(root.path, polled=reason, seconds=self._poll_seconds if reason else SWEEP_SECONDS)

    def _take_losses(self) -> None:
        """Schedule checks where the system could not watch a new folder or has lost events."""
        if self._system is None:
            return
        for path, reason in self._system.refused():
            for root, watched in self._roots.items():
                if path.is_relative_to(root.path) and not watched.state.polled:
                    self._system.remove(root.path)
                    watched.state = replace(watched.state, polled=reason, seconds=self._poll_seconds)
                    watched.due = 0.0
        if self._system.lost():
            for root, watched in self._roots.items():
                if not (watched.state.offline or watched.state.polled):
                    watched.state = self._begin(root)
                    watched.due = 0.0

    def _forget(self, root: Root) -> None:
        if self._roots.pop(root, None) is not None and self._system is not None:
            self._system.remove(root.path)

    def _report_states(self) -> None:
        states = [self._roots[root].state for root in sorted(self._roots, key=lambda root: os.fsencode(root.path))]
        if states != self._reported:
            self._reported = states
            self._states(states)

    # ------------------------------------------------------------------ checks
    def _look_through(self) -> None:
        """Check the folders that are due and note the differences from the library."""
        for root, watched in self._roots.items():
            if self._closing or watched.state.offline or time.monotonic() < watched.due:
                continue
            start = time.monotonic()
            found: list[bytes] = []
            with suppress(StopIteration):
                differences = differing(self._library, root, self._stops)
                while len(found) <= _LIMIT and not self._closing:
                    found.append(os.fsencode(next(differences)))
            if len(found) > _LIMIT:
                found = [os.fsencode(root.path)]
            end = time.monotonic()
            for path in found:
                self._gatherer.note(path, end)
            watched.due = end + max(watched.state.seconds, _SHARE * (end - start))

    def _stops(self) -> bool:
        return self._closing


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        status = os.stat(folder)
    except OSError:
        return None
    return status.st_dev, status.st_ino
