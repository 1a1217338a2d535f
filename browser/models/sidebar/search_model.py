# SPDX-License-Identifier: MIT
"""The saved searches, each with the number of matching photos."""

from __future__ import annotations

from PySide6.QtCore import QTimer

from focal_photos.browser.catalog.facts.query.syntax import QueryError
from focal_photos.browser.catalog.facts.records import SavedSearch
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.model import Services
from focal_photos.browser.models.photos.tiles import shown
from focal_photos.browser.models.sidebar.tree_model import CountTreeModel, Node
from focal_photos.browser.tasks.messages import in_words

_COUNT_DELAY = 1500
"""Milliseconds without a change before photos are counted again."""


class SearchModel(CountTreeModel):
    """A list of saved searches by name. Keys are `SavedSearch`.

    They are counted one by one in the read lane, so that the user's requests do not wait for all of them.
    """

    def __init__(self, services: Services) -> None:
        super().__init__(services.owner)
        self._library, self._runner = services.library, services.runner
        self.searches: list[SavedSearch] = []
        self._counts: dict[str, tuple[int, str]] = {}
        self._rest = QTimer(self, singleShot=True, interval=_COUNT_DELAY)
        self._rest.timeout.connect(self._count_all)
        services.feed.subscribe(self._read, Kind.SEARCHES)
        services.feed.subscribe(
            self._count_again,
            Kind.ROOTS,
            Kind.PHOTOS,
            Kind.TAGS,
            Kind.MARKS,
            Kind.JUDGEMENTS,
            Kind.SUGGESTIONS,
        )

    def _read(self, _changes: ChangeSet) -> None:
        """Read the searches again, and count new ones."""
        library = self._library

        def done(searches: list[SavedSearch]) -> None:
            self.searches = searches
            self._show()
            self._count([one.query for one in searches if one.query not in self._counts])

        self._runner.read("searches", library.searches.all, done)

    def _count_again(self, _changes: ChangeSet) -> None:
        """Count all again once nothing has changed for a moment."""
        if self.searches:
            self._rest.start()

    def close(self) -> None:
        """Stop counting."""
        self._rest.stop()

    def find_named(self, name: str) -> SavedSearch | None:
        """Return the search with a name."""
        return next((one for one in self.searches if one.name == name), None)

    def _count_all(self) -> None:
        self._counts.clear()
        self._count([one.query for one in self.searches])

    def _count(self, queries: list[str]) -> None:
        """Count the photos of the first query, then those of the others."""
        if not queries:
            return
        query, *others = queries
        library = self._library

        def count() -> tuple[int, str]:
            try:
                return len(library.photos.listed(query)), ""
            except QueryError as error:
                return 0, in_words(error.message)

        def done(found: tuple[int, str]) -> None:
            self._counts[query] = found
            self._show()
            self._count(others)

        self._runner.read("counts of searches", count, done, aside=True)

    def _show(self) -> None:
        nodes = []
        for one in self.searches:
            count, problem = self._counts.get(one.query, (0, ""))
            tip = f"{one.query}\n{problem}" if problem else one.query
            nodes.append(Node(one, shown(one.name), count, "search", shown(tip), faint=bool(problem)))
        self.update_tree(nodes)
