# SPDX-License-Identifier: MIT
"""The models of the exchange with other programs and libraries."""

from __future__ import annotations

from focal_photos.browser.models.base.model import Services
from focal_photos.browser.models.exchange.archives import Archives
from focal_photos.browser.models.exchange.data_sets import DataSets
from focal_photos.browser.models.exchange.exporting import Exporting
from focal_photos.browser.models.exchange.sidecar_exchange import SidecarExchange
from focal_photos.browser.models.exchange.tag_import import TagImport
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.models.work.jobs.indexing import Indexing


class Exchange:
    """Creates these models."""

    def __init__(self, services: Services, editor: Editor, indexing: Indexing) -> None:
        self.archives = Archives(services)
        self.data_sets = DataSets(services)
        self.exporting = Exporting(services)
        self.sidecars = SidecarExchange(services, editor)
        self.tag_import = TagImport(services, indexing)
