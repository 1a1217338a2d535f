"""The long background jobs."""

from __future__ import annotations

from PySide6.QtCore import QObject

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.base.change_feed import ChangeFeed
from focal_photos.browser.models.base.notices import Notices
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.overview import LibraryOverview
from focal_photos.browser.models.work.jobs.arriving import ArrivingPhotos
from focal_photos.browser.models.work.jobs.indexing import Indexing
from focal_photos.browser.models.work.jobs.neighbor_search import NeighborSearch
from focal_photos.browser.models.work.jobs.suggesting import Suggesting
from focal_photos.browser.models.work.jobs.training import Training
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.tasks.runner import Runner


class BackgroundJobs:
    """Creates the models that run them.

    Attributes
    ----------
    indexing : Indexing
    training : Training
    suggesting : Suggesting
    """

    def __init__(
        self,
        library: Library,
        ranker: Ranker,
        runner: Runner,
        navigator: Navigator,
        overview: LibraryOverview,
        feed: ChangeFeed,
        notices: Notices,
        parent: QObject,
    ) -> None:
        self.indexing = Indexing(library, runner, feed, notices, parent)
        self.training = Training(library, ranker, runner, overview, self.indexing, feed, notices, parent)
        self.suggesting = Suggesting(library, ranker, runner, overview, self.indexing, feed, notices, parent)
        self._neighbor_search = NeighborSearch(ranker, runner, navigator, self.indexing, self.training, parent)
        self._arriving = ArrivingPhotos(library, runner, navigator, overview, self.indexing, parent)
        self.training.metric_updated.connect(navigator.follow_judgements)
