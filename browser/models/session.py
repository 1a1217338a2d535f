# SPDX-License-Identifier: MIT
"""The state of the application without a window: one library and all models that show or change it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.change_feed import ChangeFeed
from focal_photos.browser.models.base.model import Services
from focal_photos.browser.models.base.notices import Notices, Severity
from focal_photos.browser.models.duplicates.culling import Culling
from focal_photos.browser.models.duplicates.duplicate_groups import DuplicateGroups
from focal_photos.browser.models.duplicates.folding import Folding
from focal_photos.browser.models.exchange.exchange import Exchange
from focal_photos.browser.models.local.local_view import LocalView
from focal_photos.browser.models.local.region_search import RegionSearch
from focal_photos.browser.models.map.library_map import LibraryMap
from focal_photos.browser.models.metrics.metric_models import MetricModels
from focal_photos.browser.models.photos.comparison import Comparison
from focal_photos.browser.models.photos.examples import ShownExamples
from focal_photos.browser.models.photos.first_steps import FirstSteps
from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.overview import LibraryOverview
from focal_photos.browser.models.photos.resting_selection import RestingSelection
from focal_photos.browser.models.photos.scope import CurrentScope
from focal_photos.browser.models.photos.tiles import fetch_cards
from focal_photos.browser.models.review.review import Review
from focal_photos.browser.models.review.review_pages import ReviewPages
from focal_photos.browser.models.settings.networks import Networks
from focal_photos.browser.models.settings.plugins import Plugins
from focal_photos.browser.models.settings.preferences import Preferences
from focal_photos.browser.models.sidebar.sidebar import Sidebar
from focal_photos.browser.models.tagging.tagging import Tagging
from focal_photos.browser.models.work.ahead import load_ahead
from focal_photos.browser.models.work.backups import Backups
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.models.work.folders.photo_folders import PhotoFolders
from focal_photos.browser.models.work.jobs.background_jobs import BackgroundJobs
from focal_photos.browser.models.work.naming import Naming
from focal_photos.browser.models.work.saved_trails import SavedTrails
from focal_photos.browser.models.work.target_edits import TargetEdits
from focal_photos.browser.models.work.task_model import TaskModel
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.similar_photos import let_filter_rank
from focal_photos.browser.tasks.pictures import interrupt, picture
from focal_photos.browser.tasks.runner import Failure, Runner
from focal_photos.browser.tasks.thumbnail_loader import ThumbnailLoader


class Session(QObject):
    """Creates the models of one open library, and passes them their collaborators.

    Models learn of changes from `feed`, and post messages for the user to `notices`.

    Parameters
    ----------
    library : Library
        An open library; the session closes it.
    """

    def __init__(self, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.library = library
        self._closed = False
        self.feed = ChangeFeed(self)
        self.notices = Notices(self)
        self.runner = runner = Runner(self)
        self.ranker = Ranker(library)
        let_filter_rank(library, self.ranker)
        self.loader = ThumbnailLoader(partial(picture, library), self, pause=runner.priority.wait)
        services = Services(library, self.ranker, runner, self.loader, self.feed, self.notices, owner=self)
        self.tasks = TaskModel(runner, self)
        runner.failed.connect(self._report_failure)
        # what is shown
        self.overview = overview = LibraryOverview(services)
        self.grid = GridModel(partial(fetch_cards, library), runner, self.loader, self)
        self.navigator = navigator = Navigator(services, self.grid, overview)
        self.selection = selection = RestingSelection(navigator, self)
        self.scope = scope = CurrentScope(navigator, overview, self)
        self.examples = ShownExamples(services, navigator)
        self.comparison = Comparison(services, navigator, self.grid)
        self.saved_trails = SavedTrails(services, navigator)
        self.sidebar = Sidebar(services)
        # the user's edits
        self.editor = editor = Editor(services, self.grid)
        self.targets = TargetEdits(services, navigator, editor)
        self.naming = Naming(services, navigator, editor)
        # long work
        self.jobs = jobs = BackgroundJobs(services, navigator, overview)
        self.exchange = Exchange(services, editor, jobs.indexing)
        self.backups = Backups(services)
        # the other parts of the window
        self.tagging = Tagging(services, navigator, selection, overview, editor, self.naming, jobs.suggesting)
        self.local_view = LocalView(services, navigator, overview, editor, jobs.training)
        self.region_search = RegionSearch(services, navigator, jobs.indexing)
        self.metrics = MetricModels(services, navigator, selection, overview, editor, jobs.training)
        # after `Movement`, whose marks on the tiles it replaces
        self.first_steps = FirstSteps(services, navigator)
        self.photo_folders = PhotoFolders(services, navigator, overview, self.first_steps, editor, jobs.indexing)
        self.duplicates = DuplicateGroups(services, scope, editor, jobs.indexing)
        self._folding = Folding(self.duplicates, navigator, self.examples, overview, self)
        self.culling = Culling(services, navigator, self.duplicates, editor)
        self.map = LibraryMap(services, scope, navigator)
        self.review = Review(services, editor)
        self.review_pages = ReviewPages(
            services, scope, self.review, self.sidebar.words, self.tagging.pinned, editor, self.naming, jobs.indexing
        )
        self.preferences = Preferences(services, jobs.indexing)
        self.networks = Networks(services)
        self.plugins = Plugins(services)
        self.review.progress.retrain_wanted.connect(lambda: jobs.training.retrain(quiet=True))
        jobs.indexing.photos_arriving.connect(self.sidebar.folders.read)
        self.photo_folders.watching.polled_changed.connect(self.sidebar.folders.show_polled)
        self.preferences.applied.connect(self.photo_folders.watching.start)
        self.preferences.applied.connect(overview.read)

    @property
    def read_only(self) -> bool:
        """Whether the library is read-only."""
        return self.library.read_only

    @property
    def closed(self) -> bool:
        """Whether the session has ended and its library is closed."""
        return self._closed

    def start(self, folders: Sequence[Path] = ()) -> None:
        """Show all photos, add new folders, and look for changes in the known ones."""
        self.show()
        self.begin_work(folders)

    def show(self, *, where_left: bool = False) -> None:
        """Show all photos and their data; with `where_left`, show the place where the last session ended."""
        if where_left:
            self.saved_trails.restore_place()
        else:
            self.navigator.show_collection()
        self.tagging.pinned.read()
        self.tagging.method.read()
        self.review_pages.question_tags.read()
        self.feed.publish(ChangeSet("", frozenset(Kind) - {Kind.PHOTOS, Kind.METRICS, Kind.FILES}))

    def begin_work(self, paths: Sequence[Path] = ()) -> None:
        """Open the given paths, look for changes in known folders and watch them; do nothing in a closed session."""
        if self._closed:
            return
        self.backups.start()
        self.photo_folders.watch()
        if self.read_only:
            text = self.tr("The library is open read-only: you can view everything but change nothing.")
            self.notices.post(text, Severity.WARNING)
        self.jobs.indexing.describe_for_metrics()
        self.photo_folders.opening.open(paths, self._look_for_changes)
        load_ahead(self.runner)

    def follow_settings(self) -> None:
        """Take over settings of the library that another part of the program has changed."""
        self.preferences.read()
        self.tagging.method.read()
        self.review_pages.question_tags.read()
        self.photo_folders.watching.start()
        self.navigator.follow_judgements()
        self.feed.publish(ChangeSet())

    def _look_for_changes(self) -> None:
        if not self.read_only and self.library.roots.all():
            self.jobs.indexing.rescan()

    def close(self) -> None:
        """End all background work, saving everything the user did, and close the library.

        A session without a parent is deleted by the event loop afterwards.
        """
        if not self._closed:
            self._closed = True
            self.selection.close()
            self.sidebar.searches.close()
            self.exchange.sidecars.close()
            self.photo_folders.close()
            self.backups.close()
            interrupt()  # a decoder that hangs must not block the window
            self.runner.close()
            self.loader.close()
            self.saved_trails.keep_place()
            self.library.close()
            if self.parent() is None:
                # Else the garbage collector would delete the models, perhaps in a thread of a lane, where Qt crashes.
                self.deleteLater()

    def _report_failure(self, failure: Failure) -> None:
        self.notices.post(self.tr("{0} failed: {1}").format(failure.attempt, failure.message), Severity.ERROR)
