# SPDX-License-Identifier: MIT
"""Evaluation of filter queries for all photos, from the columns and the catalogue."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import reduce
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from focal_photos.browser.catalog.columns.column import mask_of
from focal_photos.browser.catalog.columns.columns import Columns
from focal_photos.browser.catalog.columns.places import FORMER, needle
from focal_photos.browser.catalog.facts.query.selection import selection, tag_ids, tags_with_word
from focal_photos.browser.catalog.facts.query.syntax import (
    AllOf,
    AnyOf,
    Copied,
    InPath,
    Missing,
    Named,
    Not,
    Query,
    QueryError,
    Rated,
    Removed,
    Similar,
    Suggested,
    Tagged,
    Term,
    Word,
)
from focal_photos.browser.catalog.facts.records import Photo
from focal_photos.browser.catalog.store.database import Database
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.catalog.store.schema.functions import fold, last_name
from focal_photos.browser.catalog.text import Text


class _Photos(Protocol):
    """The required interface of a library's photos."""

    @property
    def similar(self) -> Callable[[int], NDArray[np.int64]] | None:
        """Function that returns the nearest photos of a photo."""

    def by_path(self, path: Path) -> Photo | None:
        """Return the photo in a file."""


class Evaluation:
    """Evaluates queries."""

    def __init__(self, database: Database, columns: Columns, photos: _Photos) -> None:
        self._database = database
        self._columns = columns
        self._photos = photos

    def of_query(self, query: Query, folders: Sequence[tuple[int, bytes]] | None, size: int) -> NDArray[np.bool_]:
        """Return for each id below `size` whether the photo matches a query.

        Parameters
        ----------
        folders : sequence of (int, bytes), or None
            Only photos with a present file in or below one of these folders: root id and path relative to the root.
        """
        chosen = np.ones(size, bool)
        for term in query.terms:
            chosen &= self.of_term(term, size)
        if folders is not None:
            places = self._columns.places.now()
            inside = [places.below(root, folder) for root, folder in folders]
            chosen &= mask_of(np.concatenate([np.empty(0, np.int64), *inside]), size)
        return chosen

    def of_term(self, term: Term, size: int) -> NDArray[np.bool_]:
        """Return for each id below `size` whether the photo matches a term."""
        match term:
            case Not(inner):
                return ~self.of_term(inner, size)
            case AllOf(terms):
                return reduce(np.logical_and, [self.of_term(each, size) for each in terms])
            case AnyOf(terms):
                return reduce(np.logical_or, [self.of_term(each, size) for each in terms])
            case Similar(name, position):
                return mask_of(self._similar(name, position), size)
            case Word(text):
                tags = self._columns.tags.now().photos(tags_with_word(self._database, text))
                return mask_of(self._named_like(text), size) | mask_of(tags, size)
            case Named(text):
                return mask_of(self._named_like(text), size)
            case InPath(text):
                return mask_of(self._in_path(text), size)
            case Tagged(None):
                return mask_of(self._columns.tags.now().tagged(), size)
            case Tagged(str(name)):
                tags = self._database.integers(*tag_ids(name)).tolist()
                return mask_of(self._columns.tags.now().photos(tags), size)
            case Suggested(None):
                return mask_of(self._columns.suggested.now(), size)
            case Rated(low, high) if low <= 0 <= high:  # 0 means unrated
                sql = "SELECT photo_id FROM mark WHERE rating NOT BETWEEN ? AND ?"
                return ~mask_of(self._database.integers(sql, (low, high)), size)
            case Missing():
                return mask_of(np.flatnonzero(self._columns.places.now().missing()), size)
            case Copied():
                return mask_of(self._columns.copied(), size)
            case Removed():
                removed = self._columns.removed()
                return np.zeros(size, bool) if removed is None else mask_of(np.flatnonzero(removed), size)
            case _:
                return mask_of(self._database.integers(*selection(term)), size)

    def _named_like(self, text: str) -> NDArray[np.int64]:
        """Return the photos whose relative path or root name contains a text, possibly repeated."""
        places, wanted = self._columns.places.now(), needle(text)
        inside = [number for number, path in self._all_roots() if wanted in os.fsencode(last_name(path))]
        of_roots = places.photo[np.isin(places.root, inside) & (places.kind != FORMER)]
        return np.concatenate([places.containing(wanted), of_roots])

    def _in_path(self, text: str) -> NDArray[np.int64]:
        """Return the photos whose absolute path contains a text, possibly repeated."""
        roots = {number: os.fsencode(fold(os.fsdecode(path))) for number, path in self._all_roots()}
        return self._columns.places.now().containing_absolute(needle(text), roots)

    def _all_roots(self) -> list[tuple[int, bytes]]:
        return [(int(number), bytes(path)) for number, path in self._database.rows("SELECT id, path FROM root")]

    def _similar(self, name: str, position: int) -> NDArray[np.int64]:
        """Return the photos nearest to a photo given by name."""
        if self._photos.similar is None:
            raise QueryError("similar: works only where photos are ranked: leave it out here", position)
        photo = self._named(name, position)
        try:
            return self._photos.similar(photo)
        except LibraryError as error:
            raise QueryError(str(error).rstrip("."), position) from error

    def _named(self, name: str, position: int) -> int:
        """Return the only photo with a name: the end of its path, with or without the extension."""
        wanted = fold(os.fsdecode(os.path.normpath(name)))
        if Path(name).is_absolute():
            found = self._photos.by_path(Path(name))
            whole = {found.id} if found is not None else set()
            part = whole
        else:
            whole, part = set(), set()
            places = self._columns.places.now()
            rows = np.unique(places.folded.containing(needle(name)))
            for row in rows[places.kind[rows] != FORMER].tolist():
                photo, folded = int(places.photo[row]), "/" + fold(os.fsdecode(places.paths[row]))
                if folded.endswith("/" + wanted):
                    whole.add(photo)
                elif folded.rpartition(".")[0].endswith("/" + wanted):
                    part.add(photo)
        matching = whole or part
        if not matching:
            raise QueryError(
                Text("No photo is called {0}: write the end of its path, as in 2024/beach.jpg", name), position
            )
        if len(matching) > 1:
            raise QueryError(
                Text("{0} photos are called {1}: write the folder before it", len(matching), name), position
            )
        return int(matching.pop())
