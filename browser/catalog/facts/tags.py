# SPDX-License-Identifier: MIT
"""Hierarchical tags (``animal/dog``) and the photos that carry them."""

from __future__ import annotations

import json
import sqlite3
import threading
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.facts.records import SuggestionState, Tag, TagSource
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.database import Database
from focal_photos.browser.catalog.store.errors import LibraryError
from focal_photos.browser.catalog.store.id_list import id_list
from focal_photos.browser.catalog.store.journal import Action, Journal
from focal_photos.browser.catalog.store.schema.functions import fold
from focal_photos.browser.catalog.text import Text, counted

if TYPE_CHECKING:
    from focal_photos.browser.catalog.columns.columns import Columns
    from focal_photos.browser.catalog.columns.photo_tags import PhotoTags

MAX_LENGTH = 200  # characters


class TagNameError(LibraryError):
    """The tag name is invalid."""


def normalise(name: str) -> str:
    """Return a tag's name in its stored form: composed Unicode, single blanks, no blanks around parts.

    Raises
    ------
    TagNameError
        If it is empty or has an empty part, a control character, ``,`` or ``;``, or more than 200 characters.
    """
    name = unicodedata.normalize("NFC", name)
    if any(unicodedata.category(character) in ("Cc", "Cs") and not character.isspace() for character in name):
        raise TagNameError("A tag cannot contain control characters: type its name without them.")
    parts = [" ".join(part.split()) for part in name.split("/")]
    if not all(parts):
        if any(parts):
            raise TagNameError("A tag needs a name, also between slashes: write beach or animal/dog.")
        raise TagNameError("A tag needs a name: type one.")
    if "," in name or ";" in name:
        raise TagNameError("A tag cannot contain a comma or a semicolon, which separate tags: leave them out.")
    whole = "/".join(parts)
    if len(whole) > MAX_LENGTH:
        raise TagNameError("A tag has at most {0} characters: choose a shorter name.", MAX_LENGTH)
    return whole


def ancestors(name: str) -> list[str]:
    """Return the ancestors of a tag, nearest first: for ``a/b/c``, ``a/b`` and ``a``."""
    parts = name.split("/")
    return ["/".join(parts[:end]) for end in range(len(parts) - 1, 0, -1)]


class Tags(JournaledFacts):
    """The library's tags. A tag exists as long as a photo carries it or a descendant."""

    def __init__(self, database: Database, journal: Journal, columns: Callable[[], Columns]) -> None:
        super().__init__(database, journal)
        self._columns = columns
        self._cached: tuple[tuple[int, ...], PhotoTags, list[Tag]] | None = None
        self._cache_lock = threading.Lock()

    # ------------------------------------------------------------------ reading
    def all(self) -> list[Tag]:
        """Return all tags and their ancestors by name; counts include descendants, each photo once.

        Photos that are only in removed folders do not count.
        """
        stamp, pairs = self._database.stamp(Kind.TAGS, Kind.ROOTS), self._columns().tags.now()
        with self._cache_lock:
            if stamp is not None and self._cached is not None and self._cached[0] == stamp and self._cached[1] is pairs:
                return list(self._cached[2])
        tags = self._count(pairs)
        if stamp is not None:
            with self._cache_lock:
                self._cached = (stamp, pairs, tags)
        return list(tags)

    def of(self, ids: Iterable[int]) -> dict[int, list[str]]:
        """Return the tags of photos, sorted by name; every requested id is a key."""
        numbers = id_list(ids)
        found: dict[int, list[str]] = {number: [] for number in json.loads(numbers)}
        for photo, name in self._database.rows(
            "SELECT photo_id, name FROM (SELECT DISTINCT value FROM json_each(?)) CROSS JOIN photo_tag "
            "ON photo_id = value JOIN tag ON tag.id = tag_id ORDER BY name",
            (numbers,),
        ):
            found[photo].append(name)
        return found

    def unknown(self, names: Iterable[str]) -> list[str]:
        """Return the names that are neither a tag nor an alias, normalised and sorted.

        Raises
        ------
        TagNameError
            If a name is invalid.
        """
        wanted = {normalise(name) for name in names}
        return sorted(wanted - {tag.name for tag in self.all()} - {alias for alias, _tag in self._aliases()})

    def counts(self, ids: Iterable[int]) -> dict[str, int]:
        """Return how many of the photos carry each tag, by name; fast even for thousands of photos."""
        return dict(
            self._database.rows(
                "SELECT name, count(*) FROM (SELECT DISTINCT value FROM json_each(?)) CROSS JOIN photo_tag "
                "ON photo_id = value JOIN tag ON tag.id = tag_id GROUP BY tag_id ORDER BY name",
                (id_list(ids),),
            )
        )

    def given(self, photo_id: int) -> dict[str, datetime]:
        """Return the time when a photo got each of its tags, by name."""
        rows = self._database.rows(
            "SELECT name, at FROM photo_tag JOIN tag ON tag.id = tag_id WHERE photo_id = ? ORDER BY name", (photo_id,)
        )
        return {name: timestamps.from_text(at) for name, at in rows}

    def recent(self, limit: int = 10) -> list[str]:
        """Return the tags most recently given by hand, newest first."""
        rows = self._database.rows(
            "SELECT name FROM (SELECT name, "
            "(SELECT max(at) FROM photo_tag WHERE tag_id = tag.id AND source = 'hand') AS last FROM tag) "
            "WHERE last IS NOT NULL ORDER BY last DESC, name LIMIT ?",
            (limit,),
        )
        return [name for (name,) in rows]

    def complete(self, prefix: str, limit: int = 20) -> list[str]:
        """Return the tags with a prefix in their name, an alias or a part after a slash; the most used first."""
        typed = fold(" ".join(prefix.split()))
        whole, part = [], []
        other = {tag for alias, tag in self._aliases() if fold(alias).startswith(typed)}
        for tag in sorted(self.all(), key=lambda tag: (-tag.count, tag.name)):
            name = fold(tag.name)
            if name.startswith(typed) or tag.name in other:
                whole.append(tag.name)
            elif "/" + typed in name:
                part.append(tag.name)
        return (whole + part)[:limit]

    def _aliases(self) -> list[tuple[str, str]]:
        return self._database.rows("SELECT alias.name, tag.name FROM alias JOIN tag ON tag.id = tag_id")

    def matrix(self, ids: Iterable[int], *, with_ancestors: bool = False) -> tuple[scipy.sparse.csr_matrix, list[str]]:
        """Return which photos carry which tags.

        Parameters
        ----------
        ids : iterable of int
            n distinct photo ids.
        with_ancestors : bool
            Count a photo of ``animal/dog`` for ``animal`` too.

        Returns
        -------
        scipy.sparse.csr_matrix of float32, shape (n, m)
            1 where photo i carries tag j.
        list of str
            The m tags of these photos, sorted.
        """
        numbers = np.array([int(number) for number in ids], np.int64)
        with self._database.reading() as connection:
            codes = self._database.integers(
                "SELECT (key << 32) + tag_id FROM json_each(?) CROSS JOIN photo_tag ON photo_id = value",
                (id_list(numbers),),
            )
            names = dict(connection.execute("SELECT id, name FROM tag").fetchall())
        rows, tags = codes >> 32, codes & 0xFFFFFFFF
        used = np.unique(tags).tolist()
        above = {tag: [names[tag], *(ancestors(names[tag]) if with_ancestors else ())] for tag in used}
        columns = sorted({name for line in above.values() for name in line})
        column = {name: index for index, name in enumerate(columns)}
        widening = scipy.sparse.lil_matrix((len(used), len(columns)), dtype=np.float32)
        for row, tag in enumerate(used):
            for name in above[tag]:
                widening[row, column[name]] = 1
        compact = np.searchsorted(np.array(used, np.int64), tags)
        own = scipy.sparse.csr_matrix(
            (np.ones(len(codes), np.float32), (rows, compact)), shape=(len(numbers), len(used))
        )
        matrix = scipy.sparse.csr_matrix(own @ widening.tocsr())
        matrix.data[:] = 1  # two tags may have the same ancestor
        matrix.sort_indices()
        return matrix, columns

    # ------------------------------------------------------------------ writing
    def change(
        self,
        ids: Iterable[int],
        add: Sequence[str] = (),
        remove: Sequence[str] = (),
        source: TagSource = TagSource.HAND,
    ) -> ChangeSet:
        """Add tags to photos and remove tags from them, in one step of the journal.

        A tag given by the user overrides suggestions: the suggestion of the same tag (in any state) and open
        suggestions of its ancestors are deleted. Removing a tag also deletes the suggestion it came from, and the name
        of the photo's boxes that have it.

        Parameters
        ----------
        add, remove : sequence of str
            Names or aliases of tags; a tag in both is added.

        Raises
        ------
        TagNameError, UnknownPhotoError
        """
        numbers = list(dict.fromkeys(int(number) for number in ids))
        adding = list(dict.fromkeys(normalise(name) for name in add))
        removing = [name for name in dict.fromkeys(normalise(name) for name in remove) if name not in adding]
        if not numbers or not (adding or removing):
            return ChangeSet()
        with self._journal.action("") as action:
            connection = action.connection
            meant = resolved(connection, [*adding, *removing])
            adding = list(dict.fromkeys(meant[name] for name in adding))
            removing = [name for name in dict.fromkeys(meant[name] for name in removing) if name not in adding]
            given = dict.fromkeys(numbers, adding)
            changed = self._change(connection, action, given, removing, source)
            action.label = _label(len({photo for photo, _ in changed}), adding, removing)
        return action.changes

    def give(self, names: Mapping[int, Sequence[str]], source: TagSource) -> ChangeSet:
        """Add individual tags to each photo, in one step of the journal; otherwise like `change`.

        Raises
        ------
        TagNameError, UnknownPhotoError
        """
        known = {name: normalise(name) for name in {name for line in names.values() for name in line}}
        if not any(names.values()):
            return ChangeSet()
        with self._journal.action("") as action:
            connection = action.connection
            meant = resolved(connection, known.values())
            given = {
                int(photo): list(dict.fromkeys(meant[known[name]] for name in line))
                for photo, line in names.items()
                if line
            }
            changed = self._change(connection, action, given, [], source)
            kinds = list(dict.fromkeys(name for line in given.values() for name in line))
            action.label = _label(len({photo for photo, _ in changed}), kinds, [])
        return action.changes

    def _change(
        self,
        connection: sqlite3.Connection,
        action: Action,
        given: Mapping[int, Sequence[str]],
        removing: Sequence[str],
        source: TagSource,
    ) -> list[tuple[int, int]]:
        """Add tags to photos, and remove `removing` from all of them; return the pairs that changed."""
        self._require_known(given)
        adding = list(dict.fromkeys(name for line in given.values() for name in line))
        tag_ids = intern(connection, adding) | known_tags(connection, removing)
        photos, of_tags = id_list(given), id_list(tag_ids.values())
        # The plus disables the index on tags: a photo has few tags, fewer than are added.
        has = set(
            connection.execute(
                "SELECT photo_id, tag_id FROM json_each(?) CROSS JOIN photo_tag ON photo_id = value "
                "WHERE +tag_id IN (SELECT value FROM json_each(?))",
                (photos, of_tags),
            )
        )
        values = {"source": source.value, "at": timestamps.to_text(timestamps.now())}
        new = [(photo, tag_ids[name]) for photo, line in given.items() for name in line]
        old = [(photo, tag_ids[name]) for photo in given for name in removing if name in tag_ids]
        changed = [pair for pair in new if pair not in has] + [pair for pair in old if pair in has]
        for photo, tag in changed:
            if (photo, tag) not in has:
                action.put("photo_tag", {"photo_id": photo, "tag_id": tag}, values)
        untag(action, has.intersection(changed))
        settled = _suggestions(connection, photos, of_tags, None)
        settled &= set(changed)
        above = known_tags(connection, [name for tag in adding for name in ancestors(tag)])
        tags_above = {name: [above[one] for one in ancestors(name)] for name in adding}
        settled |= _suggestions(connection, photos, id_list(above.values()), SuggestionState.OPEN) & {
            (photo, tag) for photo, line in given.items() for name in line for tag in tags_above[name]
        }
        for photo, tag in sorted(settled):
            action.put("suggestion", {"photo_id": photo, "tag_id": tag}, None)
        return changed

    def _count(self, pairs: PhotoTags) -> list[Tag]:
        removed = self._columns().removed()
        if removed is not None:
            pairs = pairs.without(removed)
        # Read after the pairs, so that no tag of a pair is absent.
        names: dict[int, str] = dict(self._database.rows("SELECT id, name FROM tag"))
        ids = {name: tag for tag, name in names.items()}
        own = {tag: count for tag, count in pairs.counts().items() if tag in names}
        counts = {names[tag]: count for tag, count in own.items()}
        below: dict[str, list[int]] = {}
        for tag in own:
            for above in ancestors(names[tag]):
                if above in ids:  # absent only in a hand-made catalogue
                    below.setdefault(above, []).append(tag)
        # A photo may carry several descendants of a tag, so photos are counted, not pairs.
        seen = np.zeros(int(pairs.tagged().max(initial=0)) + 1, bool)
        for name, members in below.items():
            if name in counts:
                members.append(ids[name])
            seen[:] = False
            seen[pairs.photos(members)] = True
            counts[name] = int(np.count_nonzero(seen))
        return [Tag(ids[name], name, counts[name]) for name in sorted(counts)]


def intern(connection: sqlite3.Connection, names: Sequence[str]) -> dict[str, int]:
    """Return the ids of tags, inserting new ones and their ancestors."""
    every = {name: None for tag in names for name in [tag, *ancestors(tag)]}
    connection.executemany("INSERT OR IGNORE INTO tag (name) VALUES (?)", [(name,) for name in every])
    return known_tags(connection, names)


def known_tags(connection: sqlite3.Connection, names: Sequence[str]) -> dict[str, int]:
    """Return the ids of the known tags among `names`."""
    rows = connection.execute(
        "SELECT name, id FROM tag WHERE name IN (SELECT value FROM json_each(?))", (json.dumps(list(names)),)
    )
    return dict(rows.fetchall())


def untag(action: Action, pairs: Collection[tuple[int, int]]) -> None:
    """Remove tags from photos, and the names of their boxes that have these tags.

    Parameters
    ----------
    pairs : collection of (int, int)
        Photos and ids of tags.
    """
    for photo, tag in sorted(pairs):
        action.put("photo_tag", {"photo_id": photo, "tag_id": tag}, None)
    named = action.connection.execute(
        "SELECT id, photo_id, tag_id FROM (SELECT DISTINCT value FROM json_each(?)) CROSS JOIN box ON photo_id = value "
        "WHERE tag_id IS NOT NULL",
        (id_list(photo for photo, _ in pairs),),
    ).fetchall()
    for box, photo, tag in named:
        if (photo, tag) in pairs:
            action.put("box", {"id": box}, {"tag_id": None, "brought_tag": 0})


def resolved(connection: sqlite3.Connection, names: Iterable[str]) -> dict[str, str]:
    """Return the tag of each name: for an alias its tag, otherwise the name itself."""
    wanted = list(names)
    rows = connection.execute(
        "SELECT alias.name, tag.name FROM json_each(?) JOIN alias ON alias.name = value JOIN tag ON tag.id = tag_id",
        (json.dumps(wanted),),
    )
    return dict(zip(wanted, wanted, strict=True)) | dict(rows.fetchall())


def _suggestions(
    connection: sqlite3.Connection, photos: str, tags: str, state: SuggestionState | None
) -> set[tuple[Any, ...]]:
    rows = connection.execute(
        "SELECT photo_id, tag_id FROM json_each(?) CROSS JOIN suggestion ON photo_id = value "
        "WHERE +tag_id IN (SELECT value FROM json_each(?)) AND state = coalesce(?, state)",
        (photos, tags, None if state is None else state.value),
    )
    return set(rows.fetchall())


def listed(names: Sequence[str], most: int = 5) -> str:
    """Return names for a label; of a long list, the first `most`."""
    rest, first = len(names) - most, ", ".join(names[:most])
    return Text("{0} and {1} more", first, rest) if rest > 0 else first


def _label(photos: int, adding: Sequence[str], removing: Sequence[str]) -> Text:
    count = counted(photos, "1 photo", "{0} photos")
    if not removing:
        return Text("Tag {0}: {1}", count, listed(adding))
    if not adding:
        return Text("Untag {0}: {1}", count, listed(removing))
    changes = listed([f"+{name}" for name in adding] + [f"-{name}" for name in removing])
    return Text("Change tags of {0}: {1}", count, changes)
