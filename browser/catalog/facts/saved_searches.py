# SPDX-License-Identifier: MIT
"""Filters that the user has saved under a name."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.facts.query import syntax
from focal_photos.browser.catalog.facts.records import SavedSearch
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.catalog.text import Text

_MAX_NAME_LENGTH: Final = 100  # characters of a name


class SearchNameError(LibraryError):
    """The name is invalid, unknown or already used."""


def clean_name(name: str) -> str:
    """Return the name of a search or trail in its stored form: composed Unicode, single blanks.

    Raises
    ------
    SearchNameError
        If the name is empty, contains a control character, or has more than 100 characters.
    """
    text = " ".join(unicodedata.normalize("NFC", name).split())
    if not text:
        raise SearchNameError("A name is needed: type one.")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
        raise SearchNameError("A name cannot contain control characters: type it without them.")
    if len(text) > _MAX_NAME_LENGTH:
        raise SearchNameError("A name has at most {0} characters: choose a shorter one.", _MAX_NAME_LENGTH)
    return text


class SavedSearches(JournaledFacts):
    """The library's saved searches."""

    def all(self) -> list[SavedSearch]:
        """Return the searches, sorted by name."""
        rows = self._database.rows("SELECT name, query FROM saved_search")
        return sorted((SavedSearch(*row) for row in rows), key=lambda one: (one.name.casefold(), one.name))

    def save(self, name: str, query: str) -> ChangeSet:
        """Save a filter under a name, replacing any search of that name.

        Raises
        ------
        SearchNameError
        QueryError
            If the filter is invalid.
        """
        name, query = clean_name(name), query.strip()

        syntax.parse(query)
        with self._journal.action(Text("Save search: {0}", name)) as action:
            if query != self._query(name):
                at = timestamps.to_text(timestamps.now())
                action.put("saved_search", {"name": name}, {"query": query, "at": at})
        return action.changes

    def rename(self, name: str, new: str) -> ChangeSet:
        """Rename a saved search.

        Raises
        ------
        SearchNameError
            If `new` is invalid or already used, or there is no search `name`.
        """
        new = clean_name(new)
        with self._journal.action(Text("Rename search: {0} to {1}", name, new)) as action:
            query = self._query(name)
            if query is None:
                raise SearchNameError("The saved search {0} no longer exists.", name)
            if new != name:
                if self._query(new) is not None:
                    raise SearchNameError("There is a saved search {0} already: choose another name.", new)
                row = self._database.row("SELECT at FROM saved_search WHERE name = ?", (name,))
                action.put("saved_search", {"name": name}, None)
                action.put("saved_search", {"name": new}, {"query": query, "at": None if row is None else row[0]})
        return action.changes

    def delete(self, names: Iterable[str]) -> ChangeSet:
        """Delete saved searches; unknown names are ignored."""
        wanted = list(dict.fromkeys(names))
        all_names = ", ".join(wanted)
        label = Text("Delete searches: {0}", all_names) if len(wanted) > 1 else Text("Delete search: {0}", all_names)
        with self._journal.action(label) as action:
            for name in wanted:
                action.put("saved_search", {"name": name}, None)
        return action.changes

    def _query(self, name: str) -> str | None:
        row = self._database.row("SELECT query FROM saved_search WHERE name = ?", (name,))
        return None if row is None else str(row[0])
