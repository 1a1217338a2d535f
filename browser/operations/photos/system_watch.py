# SPDX-License-Identifier: MIT
"""Notification by the operating system of changes below folders, with the reason if that is impossible."""

# ruff: noqa: PTH112

from __future__ import annotations

import errno
import os
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch
from watchdog.observers.polling import PollingObserver
from watchdog.utils import platform

from focal_photos.browser.operations.jobs.pauses import at_once

if TYPE_CHECKING or platform.is_linux():
    from watchdog.observers.inotify import InotifyEmitter, InotifyWatchGroup
    from watchdog.observers.inotify_c import InotifyEvent, InotifyFD

_EVENTS: Final[list[type[FileSystemEvent]]] = [
    *(FileCreatedEvent, FileClosedEvent, FileMovedEvent, FileDeletedEvent),
    *(DirCreatedEvent, DirMovedEvent, DirDeletedEvent),
]
"""Requested events, without the opening of files: showing a photo opens it."""

# A folder created while its parent is being watched is watched twice; watchdog warns about this harmless case.
warnings.filterwarnings("ignore", "Callback with id", RuntimeWarning)

_ENTRIES: Final = 64
"""Number of entries of a folder listed before yielding to other threads."""

_LIMITS: Final = {
    errno.ENOSPC: "the system's limit of watched folders is reached (fs.inotify.max_user_watches)",
    errno.EMFILE: "the system's limit of programs that watch is reached (fs.inotify.max_user_instances)",
}

Changed = Callable[[bytes, bool], None]
"""Receives the path of a change and whether it is a folder."""


class SystemWatch:
    """Folders watched recursively by the system.

    Parameters
    ----------
    changed : callable
        Called from another thread with the absolute path of anything created, written, moved or deleted, and whether it
        is a folder.
    pause : callable
        Called before each folder is watched and while it is listed, from any thread; may wait.

    Raises
    ------
    OSError
        If the system's limit for this user is reached.
    """

    def __init__(self, changed: Changed, pause: Callable[[], None] = at_once) -> None:
        self._handler = _Handler(changed)
        self._watches: dict[Path, ObservedWatch] = {}
        self._descriptor: _Descriptor | None = None
        self.unsupported = ""
        """Why this system cannot watch at all; empty if it can."""
        self._observer: Any
        if platform.is_linux():
            self._descriptor = _Descriptor(pause)
            self._descriptor.start()
            self._observer = BaseObserver(_Emitter, inotify_fd=self._descriptor)
        else:
            self._observer = Observer()
            if isinstance(self._observer, PollingObserver):
                self.unsupported = "this system does not report changes"
                return
        self._observer.start()

    def add(self, folder: Path) -> str:
        """Watch a folder recursively; return why that is impossible, or an empty string."""
        if self.unsupported:
            return self.unsupported
        self.remove(folder)
        events = _EVENTS if self._descriptor is not None else [*_EVENTS, FileModifiedEvent]
        if self._descriptor is not None:
            self._descriptor.take_refusals()
        try:
            # A trailing slash makes the system follow a root that is a symbolic link.
            path = f"{folder}/" if folder.is_symlink() else str(folder)
            self._watches[folder] = self._observer.schedule(self._handler, path, recursive=True, event_filter=events)
        except OSError as error:
            return reason_of(error)
        for refused, reason in self.refused():
            if refused.is_relative_to(folder):
                self.remove(folder)  # a partial watch would use up the limit for other folders
                return reason
        return ""

    def remove(self, folder: Path) -> None:
        """Stop watching a folder."""
        watch = self._watches.pop(folder, None)
        if watch is not None:
            self._observer.unschedule(watch)

    def refused(self) -> list[tuple[Path, str]]:
        """Return the new folders that could not be watched since the last call, with the reasons."""
        refusals = self._descriptor.take_refusals() if self._descriptor is not None else ()
        return [(path, reason_of(error)) for path, error in refusals]

    def lost(self) -> bool:
        """Return whether the system has dropped events since the last call or no longer reports any."""
        if self._descriptor is None:
            return False
        emitters = self._observer.emitters
        deaf = not self._descriptor.is_alive() or not all(emitter.is_alive() for emitter in emitters)
        return self._descriptor.take_overflow() or deaf

    def close(self) -> None:
        """Stop all watching and its threads."""
        if not self.unsupported:
            self._observer.stop()
            self._observer.join()
        if self._descriptor is not None:
            self._descriptor.stop()
            self._descriptor.join()


class _Handler(FileSystemEventHandler):
    def __init__(self, changed: Changed) -> None:
        super().__init__()
        self._changed = changed

    def on_any_event(self, event: FileSystemEvent) -> None:
        for path in (event.src_path, event.dest_path):
            if path:
                self._changed(os.path.normpath(os.fsencode(path)), event.is_directory)


if TYPE_CHECKING or platform.is_linux():

    class _Descriptor(InotifyFD):
        """An inotify instance that records the folders it could not watch, which watchdog ignores silently."""

        def __init__(self, pause: Callable[[], None]) -> None:
            super().__init__()
            self.name = "focal-inotify"
            self.pause = pause
            self._noted = threading.Lock()
            self._refusals: list[tuple[Path, OSError]] = []
            self._overflow = False

        def add_callback(self, path: bytes, mask: Any, callback: Any, id_: Any) -> Any:
            self.pause()
            try:
                return super().add_callback(path, mask, callback, id_)
            except OSError as error:
                if error.errno in _LIMITS:
                    with self._noted:
                        self._refusals.append((Path(os.fsdecode(path)), error))
                raise

        def handle_event(self, event: InotifyEvent) -> None:
            if event.is_queue_overflow:
                self._overflow = True
            super().handle_event(event)

        def take_refusals(self) -> list[tuple[Path, OSError]]:
            with self._noted:
                refusals, self._refusals = self._refusals, []
            return refusals

        def take_overflow(self) -> bool:
            overflow, self._overflow = self._overflow, False
            return overflow

    class _Group(InotifyWatchGroup):
        """A watched folder tree listed a few entries at a time, because watchdog blocks for .1 s per 100,000 photos."""

        def _add_all_callbacks(self, path: bytes) -> None:
            is_dir = os.path.isdir(path)
            self._add_callback(path)
            folders = [path] if is_dir and self.is_recursive else []
            while folders:
                for folder in self._below(folders.pop()):
                    self._add_callback(folder)
                    folders.append(folder)

        def _below(self, folder: bytes) -> list[bytes]:
            found: list[bytes] = []
            pause = self._inotify_fd.pause if isinstance(self._inotify_fd, _Descriptor) else at_once
            try:
                with os.scandir(folder) as entries:
                    for number, entry in enumerate(entries, start=1):
                        if number % _ENTRIES == 0:
                            pause()
                        if entry.is_dir(follow_symlinks=False):
                            found.append(entry.path)
            except OSError:  # deleted or unreadable
                pass
            return found

    class _Emitter(InotifyEmitter):
        """Watchdog's emitter with groups that yield to other threads."""

        def on_thread_start(self) -> None:
            self._inotify = _Group(
                self._inotify_fd,
                os.fsencode(self.watch.path),
                is_recursive=self.watch.is_recursive,
                event_mask=self.get_event_mask_from_filter(),
                follow_symlink=self.watch.follow_symlink,
            )


def reason_of(error: OSError) -> str:
    """Return, for the user, why the system cannot watch any more."""
    return _LIMITS.get(error.errno or 0, error.strerror or type(error).__name__)
