# SPDX-License-Identifier: MIT
"""Base class of the models of a library, and the services that they share."""

from __future__ import annotations

from PySide6.QtCore import QObject

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.models.base.change_feed import ChangeFeed
from focal_photos.browser.models.base.notices import Notices
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.tasks.runner import Runner
from focal_photos.browser.tasks.thumbnail_loader import ThumbnailLoader


@dataclass(frozen=True)
class Services:
    """The library of a session, and the services that its models share."""

    library: Library
    ranker: Ranker
    runner: Runner
    loader: ThumbnailLoader
    feed: ChangeFeed
    notices: Notices
    owner: QObject | None = None
    """Parent of the models: the session."""


class Model(QObject):
    """A model that uses the services of its session."""

    def __init__(self, services: Services) -> None:
        super().__init__(services.owner)
        self._library, self._ranker, self._runner = services.library, services.ranker, services.runner
        self._loader, self._feed, self._notices = services.loader, services.feed, services.notices

    @property
    def read_only(self) -> bool:
        """Whether the library is read-only."""
        return self._library.read_only
