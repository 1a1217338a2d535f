# SPDX-License-Identifier: MIT
"""Opening of the folders and images that the user gives, and the arrival of an opened folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Signal

from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.location import absolute
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.base.notices import MessageAction
from focal_photos.browser.models.photos.first_steps import FirstSteps
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.overview import LibraryOverview
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.photos.trail import Step
from focal_photos.browser.models.work.folders.path_reader import PathReader
from focal_photos.browser.models.work.jobs.indexing import Indexing
from focal_photos.browser.operations.photos import given_paths


class Opening(Model):
    """Adds folders to the library, shows them, and ranks by images."""

    image_given = Signal()
    """The user gave an image from outside the grid to rank by; the ranking follows."""

    def __init__(
        self,
        services: Services,
        navigator: Navigator,
        overview: LibraryOverview,
        first_steps: FirstSteps,
        indexing: Indexing,
        paths: PathReader,
    ) -> None:
        super().__init__(services)
        self._navigator, self._overview = navigator, overview
        self._first_steps, self._indexing, self._paths = first_steps, indexing, paths
        self._opened: Path | None = None
        """The folder that was opened last in a library that already had others."""
        self._opened_at: Step | None = None
        """The step requested last at that time, until the folder's first photos arrive."""
        indexing.photos_arriving.connect(self._look_for_photos)
        self._feed.subscribe(self._take_changes, Kind.ROOTS, Kind.PHOTOS)

    def open(self, paths: Sequence[Path], otherwise: Callable[[], None] | None = None) -> None:
        """Add folders and rank by the first image; in an empty library, add an image's folder instead.

        The paths are examined in the background; see `sort_paths`.

        Parameters
        ----------
        otherwise : callable, optional
            Called if no folder is added.
        """

        def done(found: given_paths.GivenPaths) -> None:
            folders, photos = list(found.folders), self._overview.now.photos
            if photos and found.files:
                self.image_given.emit()
            if not photos:
                folders += [image.parent for image in found.files]
            elif found.photo_id is not None:
                self._navigator.focus(found.photo_id)
            elif found.files:
                self._navigator.rank_by(found.files[0], shown(found.files[0].name))
            if folders and not self._library.read_only:
                self.open_folders(list(dict.fromkeys(folders)))
            elif otherwise is not None:
                otherwise()

        self._paths.sort(paths, done, otherwise)

    def open_folders(self, folders: Sequence[Path]) -> None:
        """Add folders; if a single folder is part of the library already, show it instead."""
        roots, folder = [root.path for root in self._library.roots.all()], absolute(folders[0])
        known = len(folders) == 1 and any(folder.is_relative_to(root) for root in roots)
        if known and roots != [folder]:
            self._navigator.show_folder(folder)
        elif not known and self._overview.now.photos and roots:
            self._opened = folder
            self._opened_at = self._navigator.latest
        if not roots:
            self._first_steps.start()
        self._indexing.open_folders(folders, self._offer)

    def show_opened_folder(self) -> None:
        """Show the folder that was opened last."""
        if self._opened is not None:
            self._navigator.show_folder(self._opened)

    # ------------------------------------------------------------------ arrival
    def _take_changes(self, _changes: ChangeSet) -> None:
        self._look_for_photos()

    def _look_for_photos(self) -> None:
        """Show a newly opened folder once it has photos, unless the user has moved on."""
        library, opened = self._library, self._opened
        if opened is None or self._opened_at is None:
            return

        def done(photos: int) -> None:
            if photos and opened == self._opened:
                if self._waits:
                    self.show_opened_folder()
                self._opened_at = None

        self._runner.read("opened folder", lambda: len(library.photos.listed(folder=opened)), done)

    @property
    def _waits(self) -> bool:
        """Whether to show an opened folder once it has photos: not if the user has moved on."""
        began, now = self._opened_at, self._navigator.latest
        return began is not None and now.shows == began.shows and not now.ranked

    def _offer(self) -> MessageAction:
        """Return the offer when opened folders are indexed: to show the folder, unless it is shown or about to be."""
        there = self._opened is None or self._navigator.latest.collection.folder == self._opened
        return MessageAction.REVIEW if there or self._waits else MessageAction.SHOW_FOLDER
