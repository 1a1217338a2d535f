"""The state of the application without a window: one library and all models that show or change it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.catalog.store.location import absolute
from focal_photos.browser.models.base.change_feed import ChangeFeed
from focal_photos.browser.models.base.notices import MessageAction, Notices, Severity
from focal_photos.browser.models.duplicates.culling import Culling
from focal_photos.browser.models.duplicates.duplicate_groups import DuplicateGroups
from focal_photos.browser.models.exchange.archives import Archives
from focal_photos.browser.models.exchange.data_sets import DataSets
from focal_photos.browser.models.exchange.exporting import Exporting
from focal_photos.browser.models.exchange.sidecar_exchange import SidecarExchange
from focal_photos.browser.models.exchange.tag_import import TagImport
from focal_photos.browser.models.local.local_view import LocalView
from focal_photos.browser.models.map.library_map import LibraryMap
from focal_photos.browser.models.metrics.history import History
from focal_photos.browser.models.metrics.learning import Learning
from focal_photos.browser.models.metrics.lenses import Lenses
from focal_photos.browser.models.metrics.movement import Movement
from focal_photos.browser.models.metrics.reasons import Reasons
from focal_photos.browser.models.metrics.scoreboard import Scores
from focal_photos.browser.models.photos.comparison import Comparison
from focal_photos.browser.models.photos.examples import ShownExamples
from focal_photos.browser.models.photos.first_steps import FirstSteps
from focal_photos.browser.models.photos.formatting import photos_in_words
from focal_photos.browser.models.photos.grid_model import GridModel
from focal_photos.browser.models.photos.navigator import Navigator, only_tag
from focal_photos.browser.models.photos.overview import (
    Overview,
    TargetTags,
    find_untagged,
    read_overview,
    read_target_tags,
)
from focal_photos.browser.models.photos.scope import CurrentScope, Scope
from focal_photos.browser.models.photos.shared_neighbors import SharedNeighbors
from focal_photos.browser.models.photos.tiles import fetch_cards, shown
from focal_photos.browser.models.photos.trail import Collection, Step
from focal_photos.browser.models.review.ask_next import AskNext
from focal_photos.browser.models.review.asked_tags import AskedTags
from focal_photos.browser.models.review.audit import Audit
from focal_photos.browser.models.review.check_tags import CheckTags
from focal_photos.browser.models.review.drift import Drift
from focal_photos.browser.models.review.photo_by_photo import PhotoByPhoto
from focal_photos.browser.models.review.review import Review
from focal_photos.browser.models.review.tag_keys import KEYS, TagKeys
from focal_photos.browser.models.settings.networks import Networks
from focal_photos.browser.models.settings.preferences import Preferences
from focal_photos.browser.models.sidebar.folder_model import FolderModel, Folders, read_folders
from focal_photos.browser.models.sidebar.search_model import SearchModel
from focal_photos.browser.models.sidebar.tree_model import CountTreeModel
from focal_photos.browser.models.sidebar.words import Proposal, Words
from focal_photos.browser.models.tagging.pinned_tags import PinnedTags
from focal_photos.browser.models.tagging.related_model import RelatedModel
from focal_photos.browser.models.tagging.suggestion_model import SuggestionModel, SuggestionRow, read_suggestions
from focal_photos.browser.models.work.ahead import load_ahead
from focal_photos.browser.models.work.backups import Backups
from focal_photos.browser.models.work.editor import Editor, Pair
from focal_photos.browser.models.work.jobs.indexing import Indexing
from focal_photos.browser.models.work.jobs.neighbor_search import NeighborSearch
from focal_photos.browser.models.work.jobs.suggesting import Suggesting
from focal_photos.browser.models.work.jobs.training import Training
from focal_photos.browser.models.work.missing import Missing
from focal_photos.browser.models.work.naming import Naming
from focal_photos.browser.models.work.relocating import Relocating
from focal_photos.browser.models.work.saved_trails import SavedTrails
from focal_photos.browser.models.work.task_model import TaskModel
from focal_photos.browser.models.work.trash import Trash
from focal_photos.browser.models.work.watching import FIRST_LOOK_SECONDS, Watching
from focal_photos.browser.operations.describing.settings import BY_JUDGEMENTS, RERANK
from focal_photos.browser.operations.jobs.progress import Job
from focal_photos.browser.operations.jobs.thread import in_thread
from focal_photos.browser.operations.photos import given_paths
from focal_photos.browser.operations.ranking.local.learner import LOCAL, newest_local
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.ranking.similar_photos import let_filter_rank
from focal_photos.browser.operations.training import online_update
from focal_photos.browser.tasks.pictures import interrupt, picture, read_picture
from focal_photos.browser.tasks.runner import Failure, Runner
from focal_photos.browser.tasks.thumbnail_loader import PixelSize, ThumbnailLoader

T = TypeVar("T")

SCREENFUL = 30
"""Number of photos assumed to be in sight before the grid has reported its own."""
FILL_SHARE = 10
"""Refresh an incomplete ranking after this multiple of the seconds that ranking takes."""

SMALL = PixelSize(128, 96)
"""Size of the thumbnails in the trail and the suggestions, in device pixels."""


class Session(QObject):
    """All models of one open library.

    Parameters
    ----------
    library : Library
        An open library; the session closes it.

    Signals
    -------
    overview_changed : None
        `overview` was read again.
    target_tags_changed : None
        `target_tags` was read again.
    suggestions_changed : None
        The rows of `suggestions`, or the photos that they belong to, have changed.
    image_given : None
        The user gave an image from outside the grid to rank by; the ranking follows.
    """

    overview_changed = Signal()
    target_tags_changed = Signal()
    suggestions_changed = Signal()
    image_given = Signal()

    def __init__(self, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.library = library
        self.feed = ChangeFeed(self)
        self.notices = Notices(self)
        self.runner = Runner(self)
        self.ranker = Ranker(library)
        let_filter_rank(library, self.ranker)
        self.loader = ThumbnailLoader(partial(picture, library), self, pause=self.runner.priority.wait)
        self.grid = GridModel(partial(fetch_cards, library), self.runner, self.loader, self)
        self.tags = CountTreeModel(self)
        self.words = Words(library, self.runner, self.feed, self)
        self.searches = SearchModel(library, self.runner, self.feed, self)
        self.folders = FolderModel(self)
        self.suggestions = SuggestionModel(self.loader, self)
        self.related = RelatedModel(library, self.runner, self.feed, self)
        self.pinned = PinnedTags(library, self.runner, self.feed, self)
        self.tasks = TaskModel(self.runner, self)
        self.navigator = Navigator(library, self.ranker, self.runner, self.grid, self.feed, self.notices, self)
        self.scope = CurrentScope(self.navigator, self)
        self.saved_trails = SavedTrails(library, self.runner, self.navigator, self.feed, self.notices, self)
        self.examples = ShownExamples(library, self.runner, self.loader, self.navigator, self)
        self.comparison = Comparison(library, self.runner, self.navigator, self.grid, self.feed, self)
        self.shared_neighbors = SharedNeighbors(library, self.ranker, self.navigator, self.runner, self)
        self.reasons = Reasons(library, self.ranker, self.navigator, self.runner, self)
        self.movement = Movement(self.navigator, self)
        self.lenses = Lenses(library, self.ranker, self.navigator, self.runner, self.loader, self)
        self.editor = Editor(library, self.runner, self.grid, self.feed, self.notices, self)
        self.naming = Naming(library, self.runner, self.editor, self)
        self.local_view = LocalView(library, self.navigator, self.runner, self.editor, self.feed, self.notices, self)
        self.history = History(library, self.runner, self.editor, self.feed, self.notices, self)
        self.check_tags = CheckTags(library, self.ranker, self.runner, self.editor, self.feed, self)
        self.scores = Scores(library, self.ranker, self.runner, self.notices, self)
        self.indexing = Indexing(library, self.runner, self.feed, self.notices, self)
        self.training = Training(library, self.ranker, self.runner, self.indexing, self.feed, self.notices, self)
        self.suggesting = Suggesting(library, self.ranker, self.runner, self.indexing, self.feed, self.notices, self)
        self.neighbor_search = NeighborSearch(self.ranker, self.runner, self.indexing, self.training, self)
        self.learning = Learning(library, self.runner, self.training, self.feed, self)
        self.trash = Trash(self.runner, self.indexing, self.notices, self)
        self.backups = Backups(library, self.runner, self.notices, self)
        self.sidecars = SidecarExchange(library, self.runner, self.editor, self.feed, self.notices, self)
        self.tag_import = TagImport(library, self.runner, self.indexing, self.feed, self.notices, self)
        self.archives = Archives(library, self.runner, self.feed, self.notices, self)
        self.exporting = Exporting(library, self.runner, self.notices, self)
        self.data_sets = DataSets(library, self.runner, self.feed, self.notices, self)
        self.watching = Watching(library, self.runner, self.feed, self.notices, self)
        self.relocating = Relocating(
            library, self.runner, self.navigator, self.indexing, self.watching, self.feed, self.notices, self
        )
        self.missing = Missing(library, self.runner, self.loader, self.watching, self.feed, self)
        self.duplicates = DuplicateGroups(
            library, self.ranker, self.runner, self.editor, self.indexing, self.feed, self.notices, self
        )
        self.review = Review(library, self.ranker, self.runner, self.loader, self.editor, self.feed, self.notices, self)
        self.asked_tags = AskedTags(library, self.runner, self.words, self)
        self.drift = Drift(library, self.ranker, self.runner, self.notices, self)
        self.ask_next = AskNext(library, self.ranker, self.runner, self.editor, self.feed, self.notices, self)
        self.tag_keys = TagKeys(self)
        self._scope_tags: frozenset[str] | None = None
        """Tags of the photos in a limited scope; None for the whole library."""
        self.photo_by_photo = PhotoByPhoto(
            library, self.runner, self.editor, self.review, self.words, self.feed, self.notices, self
        )
        self.culling = Culling(library, self.navigator, self.duplicates, self.editor, self)
        self.audit = Audit(library, self.ranker, self.runner, self.loader, self.editor, self.feed, self.notices, self)
        self.preferences = Preferences(library, self.runner, self.indexing, self)
        self.networks = Networks(library, self.runner, self)
        self.map = LibraryMap(library, self.ranker, self.runner, self.navigator, self.feed, self)
        self.first_steps = FirstSteps(self.navigator, self.ranker, self.runner, self.feed, self)
        self.overview = Overview()
        self.loaded = False
        """Whether the first overview has arrived."""
        self.target_tags = TargetTags()
        self.all_suggestions = False
        """Whether the suggestions of the whole library are shown instead of those of the selection."""
        self._suggestions_of: tuple[int, ...] | None = ()
        self._opened: Path | None = None
        """The folder that was opened last in a library that already had others."""
        self._opened_at: Step | None = None
        """The step that was shown at that time, until the folder's first photos arrive."""
        self._answered: set[int] = set()
        self._answered_read: set[int] = set()
        self._to_follow = False
        self._filled_at = 0.0
        self._closed = False
        # A drag over many tiles changes the selection at every move, so dependent data is read once it rests.
        self._settled = QTimer(self, singleShot=True, interval=30)
        self._follow_work()
        self._follow_what_is_shown()

    def _follow_work(self) -> None:
        """Connect background results to the models that show them and to the work that follows."""
        self.runner.failed.connect(self._failed)
        self.feed.subscribe(self._take_changes)
        self.naming.renamed.connect(self._follow_name)
        self.naming.parted.connect(self._follow_parted)
        self.naming.deleted.connect(self._leave_tags)
        self.words.tags_read.connect(self.tags.update_tree)
        self.words.tags_read.connect(lambda: self.tag_keys.keep(self.words.tags))
        self.training.metric_updated.connect(self._metric_updated)
        self.training.metric_updated.connect(self.local_view.refresh)
        self.neighbor_search.found.connect(self._neighbors_found)
        self.indexing.described.connect(self.drift.take_described)
        self.indexing.photos_arriving.connect(self._photos_arriving)
        self.suggesting.suggested.connect(lambda ids: self.show_suggestions(everywhere=not ids))
        self.pinned.changed.connect(self._follow_pins)
        self.editor.tags_made.connect(self._give_keys)
        self.review.tiles.shown.connect(self._give_keys)
        self.photo_by_photo.changed.connect(self._give_keys)
        self.review.progress.retrain_wanted.connect(lambda: self.training.retrain(quiet=True))
        self.watching.paths_changed.connect(self.indexing.take_changes)
        self.watching.sidecars_changed.connect(self.indexing.take_sidecars)
        self.watching.states_changed.connect(self._show_polled)
        self.preferences.applied.connect(self.watching.start)
        self.preferences.applied.connect(self._read_overview)

    def _follow_what_is_shown(self) -> None:
        """Follow the focal image, the selection and the photos in sight."""
        self.navigator.photos_coming = lambda: self.indexing.running
        self.navigator.ranked_provisionally.connect(self.neighbor_search.start)
        for signal in (self.grid.rows_shown, self.navigator.focal_changed, self.indexing.running_changed):
            signal.connect(self._want_photos)
        self.duplicates.folds_changed.connect(self._fold)
        self.navigator.focal_changed.connect(self._find_duplicates)
        self.examples.changed.connect(self._find_duplicates)
        self.scope.changed.connect(self._follow_scope)
        self.asked_tags.changed.connect(self._limit_review)
        self._settled.timeout.connect(self._read_targets)
        self._settled.timeout.connect(self.shared_neighbors.read)
        self._settled.timeout.connect(self.reasons.read)
        self.navigator.selection_changed.connect(self._selection_changed)

    def _follow_scope(self) -> None:
        """Pass a new scope to all pages."""
        scope = self.scope.scope
        self.audit.limit(scope)
        self._limit_review()
        self.ask_next.scope = scope
        self.check_tags.limit(scope)
        self.duplicates.limit(scope)
        self.map.limit(scope)
        self._begin_keys()

    def _begin_keys(self) -> None:
        """Free the keys of tags that no photo in the scope carries, for tags that its photos do carry."""

        def begin() -> None:
            self.tag_keys.begin(self._pins_in_scope())
            self._give_keys()

        self._read_scope_tags(begin)

    def _read_scope_tags(self, done: Callable[[], None]) -> None:
        """Read which tags the photos in the scope carry; only these take keys of Review automatically."""
        library, scope = self.library, self.scope.scope

        def read() -> frozenset[str] | None:
            ids = scope.ids(library)
            return None if ids is None else frozenset(library.tags.counts(ids.tolist()))

        def keep(found: frozenset[str] | None) -> None:
            self._scope_tags = found
            done()

        self.runner.read("tag keys", read, keep)

    def _pins_in_scope(self) -> list[str]:
        """Return the pinned tags by digit, those left out that no photo in the scope carries."""
        here = self._scope_tags
        return [tag if here is None or tag in here else "" for tag in self.pinned.tags]

    def review_new_kinds(self) -> None:
        """Review new kinds in the folder that was reported last; see `Drift`."""
        if self.drift.folder is not None:
            self.scope.choose(Scope(Collection(folder=self.drift.folder)))
            self.asked_tags.choose(self.asked_tags.left_out, new_kinds=True)

    def _limit_review(self) -> None:
        asked = self.asked_tags
        self.photo_by_photo.end()
        self.review.limit(self.scope.scope, asked.left_out, new_kinds=asked.new_kinds)

    @property
    def read_only(self) -> bool:
        """Whether the library is read-only."""
        return self.library.read_only

    @property
    def closed(self) -> bool:
        """Whether the session has ended and its library is closed."""
        return self._closed

    @property
    def settled(self) -> bool:
        """Whether the data that depends on the selection has been requested."""
        return not self._settled.isActive()

    def _follow_name(self, old: str, new: str) -> None:
        """Keep showing the photos of a tag after a renaming or a merger."""
        if self.navigator.shown_tag == old:
            self.navigator.show_tag(new)
        elif self.navigator.shown_tag == new:
            self.navigator.again()
        self.review.follow_name(old, new)
        self.photo_by_photo.follow_name(old, new)
        self.asked_tags.follow_name(old, new)
        self.tag_keys.follow_name(old, new)

    def _follow_parted(self, tags: Sequence[str], into: str) -> None:
        """Show one of the tags again, or the tag that they had been merged into, after a merger was undone."""
        navigator = self.navigator
        if navigator.shown_tag == into:
            before = navigator.trail.steps[: navigator.trail.at]
            former = only_tag(before[-1].collection) if before else None
            if former is not None and former in tags:
                navigator.show_tag(former)
            else:
                navigator.again()

    def _leave_tags(self, deleted: Sequence[str]) -> None:
        """Stop showing the photos of a deleted tag."""
        shown = self.navigator.shown_tag
        if shown is not None and any(shown == tag or shown.startswith(f"{tag}/") for tag in deleted):
            self.navigator.set_query("")

    def _follow_pins(self) -> None:
        """Give pinned tags their digits in Review too; while Review is open, no tag changes its key."""
        self.tag_keys.pin(self._pins_in_scope(), move=not self.review.active)

    def _give_keys(self, new: Sequence[str] = ()) -> None:
        """Give keys to the tags that Review offers, and to new tags."""
        turn, photo, here = self.review.question, self.photo_by_photo.photo, self._scope_tags
        if not self.review.active:
            return
        asked = [turn.tag] if turn is not None and turn.tag is not None else []
        known = turn.known if turn is not None else ()
        likely = [*known, *(photo.likely if photo is not None else ())]
        self.tag_keys.give([*new, *asked, *(tag for tag in likely if here is None or tag in here)])
        tags = self.words.tags if here is None else sorted(here)
        if len(tags) <= len(KEYS):
            self.tag_keys.give(tags)

    def start(self, folders: Sequence[Path] = ()) -> None:
        """Show all photos, add new folders, and look for changes in the known ones."""
        self.show()
        self.begin_work(folders)

    def show(self, *, where_left: bool = False) -> None:
        """Show all photos and their data; with `where_left`, show the place where the last session ended."""
        if where_left:
            self.saved_trails.restore_place()
        else:
            self.navigator.show_collection(Collection())
        self.pinned.read()
        self.asked_tags.read()
        self.feed.publish(ChangeSet("", frozenset(Kind) - {Kind.PHOTOS, Kind.METRICS}))

    def begin_work(self, paths: Sequence[Path] = ()) -> None:
        """Open the given paths, look for changes in known folders and watch them; do nothing in a closed session."""
        if self._closed:
            return
        self.backups.start()
        self.watching.start(first_look=FIRST_LOOK_SECONDS)
        if self.read_only:
            text = self.tr("The library is open read-only: you can view everything but change nothing.")
            self.notices.post(text, Severity.WARNING)
        self.indexing.describe_for_metrics()
        self.open(paths, self._look_for_changes)
        load_ahead(self.runner)

    def _look_for_changes(self) -> None:
        if not self.read_only and self.library.roots.all():
            self.indexing.rescan()

    def open(self, paths: Sequence[Path], otherwise: Callable[[], None] | None = None) -> None:
        """Add folders and rank by the first image; in an empty library, add an image's folder instead.

        The paths are examined in the background; see `sort_paths`.

        Parameters
        ----------
        paths : sequence of Path
        otherwise : callable, optional
            Called if no folder is added.
        """

        def done(found: given_paths.GivenPaths) -> None:
            folders = list(found.folders)
            if self.overview.photos and found.files:
                self.image_given.emit()
            if not self.overview.photos:
                folders += [image.parent for image in found.files]
            elif found.photo_id is not None:
                self.navigator.focus(found.photo_id)
            elif found.files:
                self.navigator.rank_by(found.files[0], shown(found.files[0].name))
            if folders and not self.read_only:
                self.open_folders(list(dict.fromkeys(folders)))
            elif otherwise is not None:
                otherwise()

        self.sort_paths(paths, done, otherwise)

    def sort_paths(
        self,
        paths: Sequence[Path],
        done: Callable[[given_paths.GivenPaths], None],
        cancelled: Callable[[], None] | None = None,
    ) -> None:
        """Distinguish files from folders in a separate thread, because their disk or network may not answer.

        This is a task that the user can cancel, which calls `cancelled`.
        """
        if self._closed:
            return
        if not paths:
            done(given_paths.GivenPaths())
            return
        title = self.tr("Reading {0}").format(", ".join(shown(path.name) or str(path) for path in paths[:3]))
        library, given = self.library, tuple(paths)
        self._ask_disk(title, lambda: given_paths.sort_paths(library, given), done, "given paths", cancelled)

    def find_libraries(self, folders: Sequence[Path], done: Callable[[frozenset[Path]], None]) -> None:
        """Find the folders that hold a library, in a separate thread like `sort_paths`."""
        given = tuple(folders)
        lane = "libraries" if len(given) > 1 else "library"  # a folder that does not answer must not block the others
        if not self._closed and given:
            self._ask_disk(self.tr("Searching for libraries"), lambda: given_paths.libraries_among(given), done, lane)

    def look_at_place(self, folder: Path, done: Callable[[given_paths.LibraryPlace], None]) -> None:
        """Examine a folder chosen for a library, in a separate thread like `sort_paths`."""
        if not self._closed:
            title = self.tr("Reading {0}").format(shown(folder.name) or str(folder))
            self._ask_disk(title, lambda: given_paths.look_at_place(folder), done, "library")

    def _ask_disk(
        self,
        title: str,
        ask: Callable[[], T],
        done: Callable[[T], None],
        lane: str,
        cancelled: Callable[[], None] | None = None,
    ) -> None:
        def job() -> Job[T]:
            return in_thread(title, lambda _: ask(), keeps=False)

        self.runner.start(title, job, done, cancelled=cancelled, lane=lane)

    def open_folders(self, folders: Sequence[Path]) -> None:
        """Add folders; if a single folder is part of the library already, show it instead."""
        roots, folder = [root.path for root in self.library.roots.all()], absolute(folders[0])
        known = len(folders) == 1 and any(folder.is_relative_to(root) for root in roots)
        if known and roots != [folder]:
            self.navigator.show_folder(folder)
        elif not known and self.overview.photos and roots:
            self._opened = folder
            self._opened_at = self.navigator.trail.current
        if not roots:
            self.first_steps.start()
        self.indexing.open_folders(folders, self._offer)

    def show_opened_folder(self) -> None:
        """Show the folder that was opened last."""
        if self._opened is not None:
            self.navigator.show_folder(self._opened)

    def _show_folders(self, folders: Folders) -> None:
        """Update the folders; show a newly opened one when it has photos, unless the user has moved on."""
        self.folders.update_folders(folders)
        if any(root.path == self._opened and entries for root, entries in folders.of.items()):
            if self._waits_for_opened():
                self.show_opened_folder()
            self._opened_at = None

    def _waits_for_opened(self) -> bool:
        """Return whether to show an opened folder once it has photos: not if the user has moved on."""
        began, now = self._opened_at, self.navigator.trail.current
        return began is not None and now.shows == began.shows and not now.ranked

    def _offer(self) -> MessageAction:
        """Return the action offered when opened folders are indexed: to show the folder, if it is not shown."""
        there = self._opened is None or self.navigator.collection.folder == self._opened
        return MessageAction.REVIEW if there or self._waits_for_opened() else MessageAction.SHOW_FOLDER

    def close(self) -> None:
        """End all background work, saving everything the user did, and close the library."""
        if not self._closed:
            self._closed = True
            self._settled.stop()
            self.searches.close()
            self.sidecars.close()
            self.watching.close()
            self.backups.close()
            interrupt()  # a decoder that hangs must not block the window
            self.runner.close()
            self.loader.close()
            with suppress(LibraryError, OSError):  # a library that cannot be written opens with all photos
                self.saved_trails.keep_place()
            self.library.close()

    # ------------------------------------------------------------------ actions that need several models
    def judge(self, photo_ids: Sequence[int], verdict: Verdict | None) -> None:
        """Judge photos against the focal image; giving the same verdict again clears it."""
        focal = self.navigator.judged_against
        if not focal:
            text = self.tr("Double-click the photo to compare with first: it becomes the focal image.")
            self.notices.post(text, Severity.WARNING)
        elif photo_ids:
            self.editor.judge(focal, photo_ids, verdict, self.navigator.marks)
        else:
            text = self.tr("Select photos to judge, or point at a photo.")
            self.notices.post(text, Severity.WARNING)

    def follow_judgements(self, follow: bool) -> None:
        """Set whether rankings follow judgements at once or wait for Retrain."""

        def done(_: object) -> None:
            self.navigator.follow_judgements()
            self._read_overview()

        library = self.library
        self.runner.write(self.tr("Changing the settings"), lambda: BY_JUDGEMENTS.set(library, follow), done)

    def rank_by_neighbors(self, share: bool) -> None:
        """Set whether rankings count the neighbours that photos share or use the metric's distance alone."""

        def done(_: object) -> None:
            if self.navigator.ranked:
                self.navigator.reorder()
            self.shared_neighbors.read()
            self._read_overview()

        library = self.library
        self.runner.write(self.tr("Changing the settings"), lambda: RERANK.set(library, share), done)

    def tag_targets(self, add: Sequence[str] = (), remove: Sequence[str] = ()) -> None:
        """Add and remove tags of the selected photos, or of the focal image if none are selected."""
        targets = self.navigator.targets
        if not targets:
            self.notices.post(self.tr("Select the photos to tag first."), Severity.WARNING)
        self.editor.tag(targets, add, remove)

    def tag_dropped(self, photo_ids: Sequence[int], tag: str) -> None:
        """Tag photos that were dropped on a tag; report how many were tagged and how many already had it."""

        def report(changes: ChangeSet) -> None:
            got, had = len(changes.photo_ids), len(photo_ids) - len(changes.photo_ids)
            if not got:
                text = self.tr("Nothing to tag: {0} already tagged with {1}.").format(photos_in_words(had), shown(tag))
            else:
                text = self.tr("{0} tagged with {1}.").format(photos_in_words(got), shown(tag))
                if had:
                    text += " " + self.tr("{0} already had the tag.").format(photos_in_words(had))
            offer = MessageAction.UNDO if got else MessageAction.NONE
            self.notices.post(text, action=offer)

        self.editor.tag(photo_ids, [tag], tagged=report)

    def rate_targets(self, rating: int | None) -> None:
        """Rate the selected photos, or else the focal image: 1 to 5, -1 for rejected, None to remove the rating."""
        if self._has_targets(self.tr("Select the photos to rate first.")):
            self.editor.rate(self.navigator.targets, rating)

    def label_targets(self, label: str | None) -> None:
        """Label the selected photos, or else the focal image; None removes the label."""
        if self._has_targets(self.tr("Select the photos to label first.")):
            self.editor.give_label(self.navigator.targets, label)

    def turn_targets(self, by: int) -> None:
        """Rotate the selected photos, or else the focal image, clockwise by quarter turns (negative: anticlockwise)."""
        if self._has_targets(self.tr("Select the photos to rotate first.")):
            self.editor.turn(self.navigator.targets, by)

    def _has_targets(self, otherwise: str) -> bool:
        if not self.navigator.targets:
            self.notices.post(otherwise, Severity.WARNING)
        return bool(self.navigator.targets)

    def repeat_tagging(self) -> None:
        """Repeat the last tagging on the current selection."""
        self.editor.repeat_tagging(self.navigator.targets)

    def forget_folder(self, folder: Path) -> None:
        """Remove a folder from the library, and leave views of its photos."""
        navigator = self.navigator

        def done(changes: ChangeSet) -> None:
            collection, focal = navigator.collection, navigator.focal
            if collection.folder is not None and collection.folder.is_relative_to(folder):
                navigator.show_collection(Collection())
            elif focal is not None and focal.photo.path.is_relative_to(folder):
                navigator.leave_ranking()
            self.editor.publish(changes)
            text = self.tr(
                "{0} is no longer in the library. Its photos are unchanged; add the folder again to get "
                "everything back."
            )
            self.notices.post(text.format(shown(folder.name) or str(folder)))

        self.editor.forget_folder(folder, done)

    def suggest(self) -> None:
        """Suggest tags for the selected photos, or for all untagged ones if none are selected."""
        navigator = self.navigator
        chosen = navigator.targets if navigator.selected or navigator.focal_selected else ()
        self.suggesting.suggest(chosen, first=self.grid.visible_ids)

    def can_answer(self, photo_ids: Sequence[int]) -> bool:
        """Return whether the listed suggestions of the photos are up to date.

        They are outdated while those of another selection are listed, and while an answer for one of the photos,
        which may settle others, is being written.
        """
        of = None if self.all_suggestions else self.navigator.targets
        return of == self._suggestions_of and self._answered.isdisjoint(photo_ids)

    def answer(self, pairs: Sequence[Pair], *, accept: bool) -> None:
        """Accept or reject suggestions; they leave the list at once."""
        self._answered.update(photo_id for photo_id, _ in pairs)
        self.suggestions.take(pairs)
        (self.editor.accept if accept else self.editor.reject)(pairs)

    def show_suggestions(self, *, everywhere: bool) -> None:
        """List the suggestions of the whole library, or of the selection (or else the focal image)."""
        self.all_suggestions = everywhere
        self._read_suggestions()

    def complete_query(self, text: str, cursor: int) -> list[Proposal]:
        """Return completions for the filter word before the cursor."""
        return self.words.complete_query(text, cursor)

    def complete_tag(self, text: str) -> list[str]:
        """Return the tag of that name, then tags that begin with the text, then tags with a level that does."""
        return self.words.complete_tag(text)

    def read_failures(self, done: Callable[[list[tuple[Path, str]]], None]) -> None:
        """Read the files that could not be read, or only in part, with the reasons."""
        photos = self.library.photos
        self.runner.read("failures", lambda: sorted(photos.failed() + photos.incomplete()), done)

    def read_picture(self, photo_id: int, side: int, done: Callable[[QImage], None]) -> None:
        """Decode a photo upright, its longest side at most `side` pixels; pass a null image on failure."""
        self.runner.read("picture", lambda: read_picture(self.library, photo_id, side).upright, done)

    def next_untagged(self, after: int | None, done: Callable[[int | None], None]) -> None:
        """Find the next untagged photo of the grid after `after`, wrapping around at the end."""

        def ask() -> None:
            ids = self.grid.ids
            self.runner.read("untagged", lambda: find_untagged(self.library, ids, after), done)

        self.grid.when_complete(ask)

    # ------------------------------------------------------------------ after a change
    def _take_changes(self, changes: ChangeSet) -> None:
        kinds = changes.kinds
        if Kind.JUDGEMENTS in kinds and self.overview.by_judgements:
            self.navigator.follow_judgements(changes.photo_ids)
        if kinds & {Kind.ROOTS, Kind.PHOTOS}:
            self.runner.read("folders", lambda: read_folders(self.library), self._show_folders)
        if Kind.SUGGESTIONS in kinds:
            self._answered_read |= changes.photo_ids
        if kinds & {Kind.TAGS, Kind.SUGGESTIONS, Kind.MARKS, Kind.PHOTOS}:
            self._read_targets()
        elif Kind.METRICS in kinds:
            self._read_suggestions()
        if Kind.TAGS in kinds and self.review.active and self._scope_tags is not None:
            self._read_scope_tags(self._give_keys)
        # The metric in use is known once the overview has been read.
        self._to_follow |= bool(kinds & {Kind.JUDGEMENTS, Kind.METRICS, Kind.PHOTOS})
        self._read_overview()

    def use_local_distances(self) -> None:
        """Rank by the newest metric of local distances, or train one if there is none, and show the heat map."""
        trained = newest_local(self.overview.metrics)
        self.local_view.show_heat(True)
        if trained is None:
            self.training.retrain(LOCAL)
        else:
            self.editor.choose_metric(trained.id)

    def _find_duplicates(self) -> None:
        """Find the duplicates that rankings fold, once there is a ranking."""
        if self.navigator.ranked and self.overview.folds:
            self.duplicates.find_once()

    def _fold(self) -> None:
        if self.navigator.ranked:
            self.navigator.follow_judgements()

    def _selection_changed(self) -> None:
        if self.navigator.selected or self.navigator.focal_selected:
            self.all_suggestions = False
        self._settled.start()

    def _metric_updated(self) -> None:
        self.navigator.follow_judgements()

    def _neighbors_found(self) -> None:
        if self.navigator.ranked:
            self.navigator.again()

    def _photos_arriving(self) -> None:
        # A ranking fills up automatically, but rarely enough to leave time for other queries.
        ranked = self.navigator.ranked
        if not ranked or time.monotonic() - self._filled_at > FILL_SHARE * self.navigator.seconds:
            self._filled_at = time.monotonic()
            self.navigator.again()
        self.runner.read("folders", lambda: read_folders(self.library), self._show_folders)
        self._read_overview()

    def _show_polled(self) -> None:
        polled = self.watching.polled
        text = self.tr("Checked every {0:.0f} s: {1}.")
        self.folders.show_polled({state.path: text.format(state.seconds, state.polled) for state in polled})

    def _want_photos(self) -> None:
        """Describe the photos in sight first, then those near the focal image in its folder."""
        seen, focal, library = self.grid.visible_ids, self.navigator.focal, self.library
        if not self.indexing.running:
            return
        if focal is None:
            self.indexing.wanted = seen
            return

        def read() -> list[int]:
            beside = library.photos.listed(folder=focal.photo.path.parent)
            place = np.flatnonzero(beside == focal.photo.id)
            distance = np.abs(np.arange(len(beside)) - (place[0] if len(place) else 0))
            return [focal.photo.id, *seen, *beside[np.argsort(distance, kind="stable")].tolist()]

        def done(wanted: list[int]) -> None:
            self.indexing.wanted = wanted

        self.runner.read("wanted", read, done)

    def _read_overview(self) -> None:
        def done(overview: Overview) -> None:
            before = self.overview.metric
            self.overview, self.loaded = overview, True
            self.pinned.fill(overview.recent_tags)
            if before is not None and overview.metric != before and overview.open_suggestions and not self.read_only:
                self.suggesting.renew_suggestions()
            self.overview_changed.emit()
            if self._to_follow:
                self._to_follow = False
                if online_update.follows(overview.metric):
                    self.training.follow()

        self.runner.read("overview", lambda: read_overview(self.library), done, aside=self.loaded)

    def _read_targets(self) -> None:
        targets = self.navigator.targets

        def done(found: TargetTags) -> None:
            self.target_tags = found
            self.target_tags_changed.emit()
            self.related.find_related(name for name, _ in found.counts)

        self.runner.read("targets", lambda: read_target_tags(self.library, targets), done, aside=True)
        self._read_suggestions()

    def _read_suggestions(self) -> None:
        of = None if self.all_suggestions else self.navigator.targets

        def done(rows: list[SuggestionRow]) -> None:
            self._suggestions_of = of
            self._answered -= self._answered_read
            self._answered_read.clear()
            self.suggestions.show_rows(rows, SMALL)
            self.suggestions_changed.emit()

        self.runner.read("suggestions", lambda: read_suggestions(self.library, self.ranker, of), done, aside=True)

    def _failed(self, failure: Failure) -> None:
        self._answered.clear()
        text = self.tr("{0} failed: {1}").format(failure.attempt, failure.message)
        self.notices.post(text, Severity.ERROR)
