# SPDX-License-Identifier: MIT
"""The folders of the library: opened, watched, relocated, searched for missing photos, and removed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.models.base.model import Model, Services
from focal_photos.browser.models.photos.first_steps import FirstSteps
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.overview import LibraryOverview
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.models.work.folders.missing import Missing
from focal_photos.browser.models.work.folders.opening import Opening
from focal_photos.browser.models.work.folders.path_reader import PathReader
from focal_photos.browser.models.work.folders.relocating import Relocating
from focal_photos.browser.models.work.folders.trash import Trash
from focal_photos.browser.models.work.folders.watching import FIRST_LOOK_SECONDS, Watching
from focal_photos.browser.models.work.jobs.indexing import Indexing


class PhotoFolders(Model):
    """Creates the models of the folders, and removes folders."""

    def __init__(
        self,
        services: Services,
        navigator: Navigator,
        overview: LibraryOverview,
        first_steps: FirstSteps,
        editor: Editor,
        indexing: Indexing,
    ) -> None:
        super().__init__(services)
        self._navigator = navigator
        self._editor = editor
        self._indexing = indexing
        self.paths = PathReader(services)
        self.opening = Opening(services, navigator, overview, first_steps, indexing, self.paths)
        self.watching = Watching(services)
        self.relocating = Relocating(services, navigator, indexing, self.watching)
        self.missing = Missing(services, self.watching)
        self.trash = Trash(services, indexing)
        self.watching.paths_changed.connect(indexing.take_changes)
        self.watching.sidecars_changed.connect(indexing.take_sidecars)

    def watch(self) -> None:
        """Begin to watch the folders; the window looks for changes itself when it opens."""
        self.watching.start(first_look=FIRST_LOOK_SECONDS)

    def read_failures(self, done: Callable[[list[tuple[Path, str]]], None]) -> None:
        """Read the files and folders that could not be read, or only in part, with the reasons."""
        photos, not_walked = self._library.photos, list(self._indexing.not_walked.items())
        self._runner.read("failures", lambda: sorted(photos.failed() + photos.incomplete() + not_walked), done)

    def forget(self, folder: Path) -> None:
        """Remove a folder from the library, and leave views of its photos."""
        navigator = self._navigator

        def done(changes: ChangeSet) -> None:
            collection, focal = navigator.collection, navigator.focal
            if collection.folder is not None and collection.folder.is_relative_to(folder):
                navigator.show_collection(Collection())
            elif focal is not None and focal.photo.path.is_relative_to(folder):
                navigator.leave_ranking()
            self._feed.publish(changes)  # this is not an undo step
            text = self.tr(
                "{0} is no longer in the library. Its photos are unchanged; add the folder again to get "
                "everything back."
            )
            self._notices.post(text.format(shown(folder.name) or str(folder)))

        self._editor.forget_folder(folder, done)

    def close(self) -> None:
        """Watch and examine nothing more."""
        self.paths.close()
        self.watching.close()
