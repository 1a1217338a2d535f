# SPDX-License-Identifier: MIT
"""The models of metrics: their history, their measures, and explanations of their rankings."""

from __future__ import annotations

from focal_photos.browser.models.base.model import Services
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


class MetricModels:
    """Creates these models."""

    def __init__(
        self,
        services: Services,
        navigator: Navigator,
        selection: RestingSelection,
        overview: LibraryOverview,
        editor: Editor,
        training: Training,
    ) -> None:
        self.history = History(services, editor)
        self.learning = Learning(services, training)
        self.lenses = Lenses(services, navigator)
        self.movement = Movement(navigator, services.owner)
        self.reasons = Reasons(services, navigator, selection)
        self.scores = Scores(services)
        self.shared_neighbors = SharedNeighbors(services, navigator, selection)
        self.ranking = RankingSettings(services, navigator, self.shared_neighbors, overview)
