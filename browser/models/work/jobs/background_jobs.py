# SPDX-License-Identifier: MIT
"""The long background jobs."""

from __future__ import annotations

from focal_photos.browser.models.base.model import Services
from focal_photos.browser.models.photos.navigator import Navigator
from focal_photos.browser.models.photos.overview import LibraryOverview
from focal_photos.browser.models.work.jobs.arriving import ArrivingPhotos
from focal_photos.browser.models.work.jobs.indexing import Indexing
from focal_photos.browser.models.work.jobs.neighbor_search import NeighborSearch
from focal_photos.browser.models.work.jobs.suggesting import Suggesting
from focal_photos.browser.models.work.jobs.training import Training


class BackgroundJobs:
    """Creates the models that run them."""

    def __init__(self, services: Services, navigator: Navigator, overview: LibraryOverview) -> None:
        self.indexing = Indexing(services)
        self.training = Training(services, overview, self.indexing)
        self.suggesting = Suggesting(services, overview, self.indexing)
        self._neighbor_search = NeighborSearch(services, navigator, self.indexing, self.training)
        self._arriving = ArrivingPhotos(services, navigator, overview, self.indexing)
        self.training.metric_updated.connect(navigator.follow_judgements)
