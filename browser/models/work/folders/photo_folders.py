"""The folders of the library: opened, watched, relocated, searched for missing photos, and removed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.models.base.change_feed import ChangeFeed
from focal_photos.browser.models.base.notices import Notices
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
from focal_photos.browser.tasks.runner import Runner
from focal_photos.browser.tasks.thumbnail_loader import ThumbnailLoader


class PhotoFolders(QObject):
    """Creates the models of the folders, and removes folders.

    Attributes
    ----------
    paths : PathReader
    opening : Opening
    watching : Watching
    relocating : Relocating
    missing : Missing
    trash : Trash
    """

    def __init__(
        self,
        library: Library,
        runner: Runner,
        loader: ThumbnailLoader,
        navigator: Navigator,
        overview: LibraryOverview,
        first_steps: FirstSteps,
        editor: Editor,
        indexing: Indexing,
        feed: ChangeFeed,
        notices: Notices,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._library, self._runner, self._navigator = library, runner, navigator
        self._editor, self._feed, self._notices = editor, feed, notices
        self.paths = PathReader(library, runner, self)
        self.opening = Opening(library, runner, navigator, overview, first_steps, indexing, self.paths, feed, self)
        self.watching = Watching(library, runner, feed, notices, self)
        self.relocating = Relocating(library, runner, navigator, indexing, self.watching, feed, notices, self)
        self.missing = Missing(library, runner, loader, self.watching, feed, self)
        self.trash = Trash(runner, indexing, notices, self)
        self.watching.paths_changed.connect(indexing.take_changes)
        self.watching.sidecars_changed.connect(indexing.take_sidecars)

    def watch(self) -> None:
        """Begin to watch the folders; the window looks for changes itself when it opens."""
        self.watching.start(first_look=FIRST_LOOK_SECONDS)

    def read_failures(self, done: Callable[[list[tuple[Path, str]]], None]) -> None:
        """Read the files that could not be read, or only in part, with the reasons."""
        photos = self._library.photos
        self._runner.read("failures", lambda: sorted(photos.failed() + photos.incomplete()), done)

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
