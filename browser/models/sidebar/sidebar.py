# SPDX-License-Identifier: MIT
"""The models of the sidebar: folders, tags, saved searches, and the words that they complete."""

from __future__ import annotations

from focal_photos.browser.models.base.model import Services
from focal_photos.browser.models.sidebar.folder_model import FolderModel
from focal_photos.browser.models.sidebar.search_model import SearchModel
from focal_photos.browser.models.sidebar.tree_model import CountTreeModel
from focal_photos.browser.models.sidebar.words import Words


class Sidebar:
    """Creates these models."""

    def __init__(self, services: Services) -> None:
        self.folders = FolderModel(services)
        self.tags = CountTreeModel(services.owner)
        self.searches = SearchModel(services)
        self.words = Words(services)
        self.words.tags_read.connect(self.tags.update_tree)
