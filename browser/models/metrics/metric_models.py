"""The models of metrics: their history, their measures, and explanations of their rankings."""

from __future__ import annotations

from PySide6.QtCore import QObject

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.base.change_feed import ChangeFeed
from focal_photos.browser.models.base.notices import Notices
from focal_photos.browser.models.metrics.history import History
from focal_photos.browser.models.metrics.learning import Learning
from focal_photos.browser.models.metrics.lenses import Lenses
from focal_photos.browser.models.metrics.movement import Movement
from focal_photos.browser.models.metrics.ranking_settings import RankingSettings
from focal_photos.browser.models.metrics.reasons import Reasons
from focal_photos.browser.models.metrics.scoreboard import Scores
from focal_photos.browser.models.metrics.shared_neighbors import SharedNeighbors
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.overview import LibraryOverview
from focal_photos.browser.models.photos.resting_selection import RestingSelection
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.models.work.jobs.training import Training
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.tasks.runner import Runner
from focal_photos.browser.tasks.thumbnail_loader import ThumbnailLoader


class MetricModels:
    """Creates these models.

    Attributes
    ----------
    history : History
    learning : Learning
    lenses : Lenses
    movement : Movement
    reasons : Reasons
    scores : Scores
    shared_neighbors : SharedNeighbors
    ranking : RankingSettings
    """

    def __init__(
        self,
        library: Library,
        ranker: Ranker,
        runner: Runner,
        loader: ThumbnailLoader,
        navigator: Navigator,
        selection: RestingSelection,
        overview: LibraryOverview,
        editor: Editor,
        training: Training,
        feed: ChangeFeed,
        notices: Notices,
        parent: QObject,
    ) -> None:
        self.history = History(library, runner, editor, feed, notices, parent)
        self.learning = Learning(library, runner, training, feed, parent)
        self.lenses = Lenses(library, ranker, navigator, runner, loader, parent)
        self.movement = Movement(navigator, parent)
        self.reasons = Reasons(library, ranker, navigator, selection, runner, parent)
        self.scores = Scores(library, ranker, runner, notices, parent)
        self.shared_neighbors = SharedNeighbors(library, ranker, navigator, selection, runner, parent)
        self.ranking = RankingSettings(library, runner, navigator, self.shared_neighbors, overview, parent)
