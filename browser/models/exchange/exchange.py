"""The models of the exchange with other programs and libraries."""

from __future__ import annotations

from PySide6.QtCore import QObject

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.base.change_feed import ChangeFeed
from focal_photos.browser.models.base.notices import Notices
from focal_photos.browser.models.exchange.archives import Archives
from focal_photos.browser.models.exchange.data_sets import DataSets
from focal_photos.browser.models.exchange.exporting import Exporting
from focal_photos.browser.models.exchange.sidecar_exchange import SidecarExchange
from focal_photos.browser.models.exchange.tag_import import TagImport
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.models.work.jobs.indexing import Indexing
from focal_photos.browser.tasks.runner import Runner


class Exchange:
    """Creates these models.

    Attributes
    ----------
    archives : Archives
    data_sets : DataSets
    exporting : Exporting
    sidecars : SidecarExchange
    tag_import : TagImport
    """

    def __init__(
        self,
        library: Library,
        runner: Runner,
        editor: Editor,
        indexing: Indexing,
        feed: ChangeFeed,
        notices: Notices,
        parent: QObject,
    ) -> None:
        self.archives = Archives(library, runner, feed, notices, parent)
        self.data_sets = DataSets(library, runner, feed, notices, parent)
        self.exporting = Exporting(library, runner, notices, parent)
        self.sidecars = SidecarExchange(library, runner, editor, feed, notices, parent)
        self.tag_import = TagImport(library, runner, indexing, feed, notices, parent)
