# SPDX-License-Identifier: MIT
"""Examination of paths that the user gives, in separate threads, because their disk or network may not answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.photos import given_paths

T = TypeVar("T")


class PathReader(Model):
    """Examines paths; each question is a task that the user can cancel."""

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._closed = False

    def sort(
        self,
        paths: Sequence[Path],
        done: Callable[[given_paths.GivenPaths], None],
        cancelled: Callable[[], None] | None = None,
    ) -> None:
        """Distinguish files from folders; `cancelled` is called instead of `done` if the user cancels."""
        if self._closed:
            return
        if not paths:
            done(given_paths.GivenPaths())
            return
        title = self.tr("Reading {0}").format(", ".join(shown(path.name) or str(path) for path in paths[:3]))
        library, given = self._library, tuple(paths)
        self._ask(title, lambda: given_paths.sort_paths(library, given), done, "given paths", cancelled)

    def find_libraries(self, folders: Sequence[Path], done: Callable[[frozenset[Path]], None]) -> None:
        """Find the folders that hold a library."""
        given = tuple(folders)
        lane = "libraries" if len(given) > 1 else "library"  # a folder that does not answer must not block the others
        if given:
            self._ask(self.tr("Searching for libraries"), lambda: given_paths.libraries_among(given), done, lane)

    def look_at_place(self, folder: Path, done: Callable[[given_paths.LibraryPlace], None]) -> None:
        """Examine a folder chosen for a library."""
        title = self.tr("Reading {0}").format(shown(folder.name) or str(folder))
        self._ask(title, lambda: given_paths.look_at_place(folder), done, "library")

    def close(self) -> None:
        """Examine nothing more."""
        self._closed = True

    def _ask(
        self,
        title: str,
        ask: Callable[[], T],
        done: Callable[[T], None],
        lane: str,
        cancelled: Callable[[], None] | None = None,
    ) -> None:
        def job() -> Job[T]:
            return in_thread(title, lambda _: ask(), keeps=False)

        if not self._closed:
            self._runner.start(title, job, done, cancelled=cancelled, lane=lane)
