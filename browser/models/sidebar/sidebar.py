"""The models of the sidebar: folders, tags, saved searches, and the words that they complete."""

from __future__ import annotations

from PySide6.QtCore import QObject

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.base.change_feed import ChangeFeed
from focal_photos.browser.models.sidebar.folder_model import FolderModel
from focal_photos.browser.models.sidebar.search_model import SearchModel
from focal_photos.browser.models.sidebar.tree_model import CountTreeModel
from focal_photos.browser.models.sidebar.words import Words
from focal_photos.browser.tasks.runner import Runner


class Sidebar:
    """Creates these models.

    Attributes
    ----------
    folders : FolderModel
    tags : CountTreeModel
    searches : SearchModel
    words : Words
    """

    def __init__(self, library: Library, runner: Runner, feed: ChangeFeed, parent: QObject) -> None:
        self.folders = FolderModel(library, runner, feed, parent)
        self.tags = CountTreeModel(parent)
        self.searches = SearchModel(library, runner, feed, parent)
        self.words = Words(library, runner, feed, parent)
        self.words.tags_read.connect(self.tags.update_tree)
