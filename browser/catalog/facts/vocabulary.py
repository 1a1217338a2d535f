# SPDX-License-Identifier: MIT
"""Renames, merges and deletes tags, and manages their aliases; each is one step of undo.

The hierarchy is encoded in the names, as in digiKam and Lightroom: moving ``dog`` below ``animal`` means renaming it to
``animal/dog``, together with its descendants.

Renaming changes the one row that holds the tag's name, so its photos, suggestions and rejections follow, however many
there are. Sidecars need no change: the record of the last exchange contains the old name, so the next exchange removes
it from the sidecar and writes the new one.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.facts.query import syntax
from focal_photos.browser.catalog.facts.records import Alias, SuggestionState, TagSource
from focal_photos.browser.catalog.facts.tags import (
    TagNameError,
    ancestors,
    intern,
    known_tags,
    listed,
    normalise,
    resolved,
    untag,
)
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.catalog.store.deferred import dataclass
from focal_photos.browser.catalog.store.journal import PINNED, Action, free_names, placeholder
from focal_photos.browser.catalog.store.schema.functions import fold
from focal_photos.browser.catalog.text import Text

_RANKS: Final = {TagSource.HAND.value: 0, TagSource.ACCEPTED.value: 1, TagSource.IMPORT.value: 2}


@dataclass(frozen=True)
class Touched:
    """Data affected by a change of tags."""

    tags: tuple[str, ...] = ()
    """Tags and descendants that photos carry."""
    photos: int = 0
    suggestions: int = 0
    rejections: int = 0
    """`photos`, `suggestions` and `rejections`: numbers of photos that carry any of the tags, of open suggestions and
    of rejected ones."""
    digits: tuple[int, ...] = ()
    """Digits 1..9 of the pinned tags among them."""
    searches: tuple[str, ...] = ()
    """Saved searches that contain one of them."""
    aliases: tuple[str, ...] = ()


class Vocabulary(JournaledFacts):
    """The names of the library's tags."""

    # ------------------------------------------------------------------ reading
    def aliases(self) -> list[Alias]:
        """Return the aliases of tags, sorted by name."""
        rows = self._database.rows(
            "SELECT alias.name, tag.name FROM alias JOIN tag ON tag.id = tag_id ORDER BY alias.name"
        )
        return [Alias(name, tag) for name, tag in rows]

    def touched(self, names: Iterable[str]) -> Touched:
        """Return the data that belongs to tags and their descendants; unknown names are ignored."""
        wanted = [normalise(name) for name in names]
        with self._database.reading() as connection:
            tags = _with_those_below(connection, wanted)
            ids = json.dumps(list(tags.values()))

            def count(sql: str) -> int:
                return int(connection.execute(sql.format("(SELECT value FROM json_each(?))"), (ids,)).fetchone()[0])

            suggested = "SELECT count(*) FROM suggestion WHERE tag_id IN {} AND state = "
            used = connection.execute(
                "SELECT DISTINCT name FROM json_each(?) JOIN tag ON tag.id = value "
                "WHERE EXISTS (SELECT 1 FROM photo_tag WHERE tag_id = tag.id) ORDER BY name",
                (ids,),
            )
            others = connection.execute(
                "SELECT name FROM alias WHERE tag_id IN (SELECT value FROM json_each(?)) ORDER BY name", (ids,)
            )
            below = _in_trees(wanted)
            return Touched(
                tuple(name for (name,) in used),
                count("SELECT count(DISTINCT photo_id) FROM photo_tag WHERE tag_id IN {}"),
                count(suggested + "'open'"),
                count(suggested + "'rejected'"),
                tuple(at for at, name in enumerate(_pinned(connection), start=1) if below(name)),
                tuple(name for name, query, _ in _searches(connection) if any(_tag_tokens(query, below))),
                tuple(name for (name,) in others),
            )

    # ------------------------------------------------------------------ names of tags
    def rename(self, name: str, new: str) -> ChangeSet:
        """Rename a tag and, accordingly, its descendants.

        Raises
        ------
        TagNameError
            If there is no such tag, or the new name is invalid, belongs to another tag, or is below the tag itself.
        """
        name, new = normalise(name), normalise(new)
        with self._journal.action(Text("Rename tag: {0} to {1}", name, new)) as action:
            connection = action.connection
            _require_used(connection, name)
            moved = _with_those_below(connection, [name])
            there = [tag for old, tag in _with_those_below(connection, [new]).items() if old not in moved]
            if any(_count(connection, tag) for tag in there):
                raise TagNameError("There is a tag {0} already: merge {1} into it, or choose another name.", new, name)
            self._move(connection, action, [name], new)
        return action.changes

    def edit(self, name: str, new: str, aliases: Sequence[str]) -> ChangeSet:
        """Rename a tag, if `new` differs, and replace its aliases, in one step.

        Raises
        ------
        TagNameError
            See `rename` and `add_alias`.
        """
        with self._journal.action("") as action:
            renamed = self.rename(name, new) if normalise(new) != normalise(name) else ChangeSet()
            tag = normalise(new)
            wanted = dict.fromkeys(map(normalise, aliases))
            before = [one.name for one in self.aliases() if one.tag == tag]
            for alias in before:
                if alias not in wanted:
                    self.remove_alias(alias)
            for alias in wanted:
                self.add_alias(alias, tag)
            action.label = renamed.label or Text("Other names of {0}: {1}", tag, listed(list(wanted)))
        return action.changes

    def merge(self, names: Sequence[str], into: str) -> ChangeSet:
        """Merge tags into one, and move their descendants below it.

        Parameters
        ----------
        names : sequence of str
            Tags to merge; they no longer exist afterwards.
        into : str
            The remaining tag; created if it does not exist.

        Raises
        ------
        TagNameError
            If a name is not a tag, or `into` is below it.
        """
        into = normalise(into)
        wanted = [name for name in dict.fromkeys(map(normalise, names)) if name != into]
        label = Text("Merge tags: {0} into {1}", listed(wanted), into)
        with self._journal.action(label) as action:
            connection = action.connection
            for name in wanted:
                _require_used(connection, name)
            self._move(connection, action, wanted, into)
        return action.changes

    def delete(self, names: Iterable[str]) -> ChangeSet:
        """Remove tags and their descendants from all photos and boxes, with their suggestions and the user's answers.

        Rejected boxes of these tags are deleted.
        Their aliases are deleted and their digits become free. Saved searches remain, but find nothing for these tags.

        Raises
        ------
        TagNameError
            If a name is not a tag.
        """
        wanted = list(dict.fromkeys(map(normalise, names)))
        names = listed(wanted)
        label = Text("Delete tags: {0}", names) if len(wanted) > 1 else Text("Delete tag: {0}", names)
        with self._journal.action(label) as action:
            connection = action.connection
            for name in wanted:
                _require_used(connection, name)
            tags = _with_those_below(connection, wanted)
            for tag in tags.values():
                carrying = connection.execute("SELECT photo_id FROM photo_tag WHERE tag_id = ?", (tag,)).fetchall()
                untag(action, {(photo, tag) for (photo,) in carrying})
                for table in ("suggestion", "confirmed_tag"):
                    photos = connection.execute(f"SELECT photo_id FROM {table} WHERE tag_id = ?", (tag,)).fetchall()
                    for (photo,) in photos:
                        action.put(table, {"photo_id": photo, "tag_id": tag}, None)
                for (other,) in connection.execute("SELECT name FROM alias WHERE tag_id = ?", (tag,)).fetchall():
                    action.put("alias", {"name": other}, None)
                for (box,) in connection.execute("SELECT id FROM rejected_box WHERE tag_id = ?", (tag,)).fetchall():
                    action.put("rejected_box", {"id": box}, None)
            _rename_pinned(connection, action, dict.fromkeys(tags, ""))
        return action.changes

    def add_alias(self, alias: str, tag: str) -> ChangeSet:
        """Add an alias to a tag; typing the alias gives the tag.

        Raises
        ------
        TagNameError
            If there is no such tag, or the alias is invalid, is itself a tag, or belongs to another tag.
        """
        alias, tag = normalise(alias), normalise(tag)
        with self._journal.action(Text("Other name of {0}: {1}", tag, alias)) as action:
            connection = action.connection
            tag = resolved(connection, [tag])[tag]
            _require_used(connection, tag)
            if _is_used(connection, alias):
                raise TagNameError("{0} is itself a tag: merge it into {1}, or choose another name.", alias, tag)
            owner = resolved(connection, [alias])[alias]
            if owner not in (alias, tag):
                raise TagNameError("{0} is already another name of {1}: remove it there first.", alias, owner)
            if owner == alias:
                values = {"tag_id": intern(connection, [tag])[tag], "at": timestamps.to_text(timestamps.now())}
                action.put("alias", {"name": alias}, values)
        return action.changes

    def remove_alias(self, alias: str) -> ChangeSet:
        """Remove an alias, if it exists."""
        alias = normalise(alias)
        with self._journal.action(Text("Remove the other name: {0}", alias)) as action:
            action.put("alias", {"name": alias}, None)
        return action.changes

    # ------------------------------------------------------------------ helpers
    def pin(self, tags: Sequence[str]) -> None:
        """Pin tags to the digits automatically: undoing the user's last step also reverts this."""
        with self._journal.action(Text("Pin a tag"), by_itself=True) as action:
            action.put("setting", {"name": PINNED}, {"value": json.dumps(list(tags))})

    def _move(self, connection: sqlite3.Connection, action: Action, names: Sequence[str], new: str) -> None:
        """Rename tags and their descendants so that each of `names` becomes `new`, merging tags of the same name."""
        if any(new.startswith(name + "/") for name in names):
            raise TagNameError("{0} is below {1}: a tag cannot be moved into itself.", new, names[0])
        self._free_aliases(connection, action, names, new)
        intern(connection, ancestors(new))
        renamed: dict[str, str] = {}
        for name in sorted(names, key=len, reverse=True):  # move descendants among them first
            sources = _with_those_below(connection, [name])
            wanted = {old: normalise(new + old[len(name) :]) for old in sources}
            renamed |= wanted
            rows: dict[int, str] = {}
            targets = known_tags(connection, list(wanted.values()))
            for old, tag in sources.items():
                target = targets.get(wanted[old])
                if target is None or target in sources.values() or not _has_rows(connection, target):
                    rows[tag] = wanted[old]
                elif _count(connection, tag) > _count(connection, target):
                    _move_rows(connection, action, target, tag)
                    rows[tag] = wanted[old]
                else:
                    _move_rows(connection, action, tag, target)
            _rename(connection, action, rows)
        _settle_above(connection, action, known_tags(connection, list(renamed.values())))
        _rename_pinned(connection, action, renamed)
        _rename_in_searches(connection, action, renamed)

    def _free_aliases(self, connection: sqlite3.Connection, action: Action, names: Sequence[str], new: str) -> None:
        """Delete the alias `new` if it belongs to one of the tags; raise if it belongs to another tag."""
        owner = resolved(connection, [new])[new]
        if owner == new:
            return
        if owner not in names:
            raise TagNameError("{0} is another name of {1}: remove it there first, or choose another name.", new, owner)
        action.put("alias", {"name": new}, None)


# ---------------------------------------------------------------------- tags in the catalogue
def _with_those_below(connection: sqlite3.Connection, names: Iterable[str]) -> dict[str, int]:
    """Return the ids of tags and their descendants, by name."""
    found: dict[str, int] = {}
    for name in names:
        rows = connection.execute(
            "SELECT name, id FROM tag WHERE name = ?1 OR (name > ?1 || '/' AND name < ?1 || '0')", (name,)
        )
        found.update(rows.fetchall())
    return found


def _is_used(connection: sqlite3.Connection, name: str) -> bool:
    """Return whether a photo carries a tag or a descendant."""
    return any(_count(connection, tag) for tag in _with_those_below(connection, [name]).values())


def _require_used(connection: sqlite3.Connection, name: str) -> None:
    if not _is_used(connection, name):
        raise TagNameError("There is no tag {0}: choose an existing tag.", name)


def _count(connection: sqlite3.Connection, tag: int) -> int:
    (count,) = connection.execute("SELECT count(*) FROM photo_tag WHERE tag_id = ?", (tag,)).fetchone()
    return int(count)


def _has_rows(connection: sqlite3.Connection, tag: int) -> bool:
    """Return whether any row refers to a tag."""
    tables = ("photo_tag", "suggestion", "alias", "confirmed_tag", "rejected_box")
    return any(connection.execute(f"SELECT 1 FROM {table} WHERE tag_id = ?", (tag,)).fetchone() for table in tables)


def _rename(connection: sqlite3.Connection, action: Action, names: Mapping[int, str]) -> None:
    """Rename tags; unused tags that have the new names receive the names that become free."""
    every = {**names, **free_names(connection, names)}
    for tag in every:
        action.put("tag", {"id": tag}, {"name": placeholder(tag)})
    for tag, name in every.items():
        action.put("tag", {"id": tag}, {"name": name})


def _move_rows(connection: sqlite3.Connection, action: Action, tag: int, to: int) -> None:
    """Move all rows of one tag to another."""
    given: dict[int, tuple[str, str]] = _given(connection, to)
    _move_boxes(connection, action, tag, to, set(given))
    for photo, (source, at) in _given(connection, tag).items():
        action.put("photo_tag", {"photo_id": photo, "tag_id": tag}, None)
        first = min((source, at), given.get(photo, (source, at)), key=lambda one: (_RANKS[one[0]], one[1]))
        action.put("photo_tag", {"photo_id": photo, "tag_id": to}, {"source": first[0], "at": first[1]})
        given[photo] = first
    _move_suggestions(connection, action, tag, to, given)
    rows = connection.execute("SELECT photo_id, at FROM confirmed_tag WHERE tag_id = ?", (tag,)).fetchall()
    for photo, at in rows:
        action.put("confirmed_tag", {"photo_id": photo, "tag_id": tag}, None)
        action.put("confirmed_tag", {"photo_id": photo, "tag_id": to}, {"at": at})
    for (name,) in connection.execute("SELECT name FROM alias WHERE tag_id = ?", (tag,)).fetchall():
        action.put("alias", {"name": name}, {"tag_id": to})
    _move_rejected_boxes(connection, action, tag, to)


def _move_rejected_boxes(connection: sqlite3.Connection, action: Action, tag: int, to: int) -> None:
    """Move rejections from one tag to another; a rejection that the other already has is deleted."""
    sql = "SELECT photo_id, x0, y0, x1, y1, id FROM rejected_box WHERE tag_id = ? ORDER BY id"
    there = {row[:-1] for row in connection.execute(sql, (to,))}
    for *place, box in connection.execute(sql, (tag,)).fetchall():
        action.put("rejected_box", {"id": box}, None if tuple(place) in there else {"tag_id": to})


def _move_boxes(connection: sqlite3.Connection, action: Action, tag: int, to: int, carrying: Collection[int]) -> None:
    """Give the boxes of one tag the name of another, `to`, before its photos get that tag.

    One box has brought the merged tag if each of the two tags that the photo carries was brought by a box.
    """
    rows = connection.execute(
        "SELECT photo_id, id, tag_id, brought_tag FROM box WHERE tag_id IN (?, ?) AND EXISTS "
        "(SELECT 1 FROM photo_tag WHERE photo_tag.photo_id = box.photo_id AND photo_tag.tag_id = ?) ORDER BY id",
        (tag, to, tag),
    ).fetchall()
    boxes: dict[int, list[tuple[int, int, int]]] = {}
    for photo, *box in rows:
        boxes.setdefault(photo, []).append((box[0], box[1], box[2]))
    for photo, of_photo in boxes.items():
        bringing = [box for box in of_photo if box[2]]
        all_brought = len(bringing) == 1 + (photo in carrying)
        for box in of_photo:
            brought = all_brought and box == bringing[0]
            action.put("box", {"id": box[0]}, {"tag_id": to, "brought_tag": int(brought)})


def _given(connection: sqlite3.Connection, tag: int) -> dict[int, tuple[str, str]]:
    rows = connection.execute("SELECT photo_id, source, at FROM photo_tag WHERE tag_id = ?", (tag,))
    return {photo: (source, at) for photo, source, at in rows}


def _move_suggestions(
    connection: sqlite3.Connection, action: Action, tag: int, to: int, carrying: Mapping[int, object]
) -> None:
    """Merge the suggestions of two tags: drop those of carried tags, and prefer rejected ones over open ones."""
    columns = ("state", "confidence", "witnesses", "metric_id", "at")
    sql = f"SELECT photo_id, {', '.join(columns)} FROM suggestion WHERE tag_id = ?"
    rows = {number: {row[0]: row[1:] for row in connection.execute(sql, (number,))} for number in (tag, to)}
    for photo in {**rows[tag], **rows[to]}:
        states = [rows[number][photo] for number in (to, tag) if photo in rows[number]]
        wanted = SuggestionState.ACCEPTED if photo in carrying else SuggestionState.REJECTED
        chosen: tuple[Any, ...] | None = next((row for row in states if row[0] == wanted), None)
        if chosen is None and photo not in carrying:
            chosen = max(states, key=lambda row: float(row[1]))
        action.put("suggestion", {"photo_id": photo, "tag_id": tag}, None)
        values = None if chosen is None else dict(zip(columns, chosen, strict=True))
        action.put("suggestion", {"photo_id": photo, "tag_id": to}, values)


def _settle_above(connection: sqlite3.Connection, action: Action, tags: Mapping[str, int]) -> None:
    """Delete open suggestions of ancestors for photos that carry the tags, as adding a tag does."""
    for name, tag in tags.items():
        for above in known_tags(connection, ancestors(name)).values():
            photos = connection.execute(
                "SELECT photo_id FROM suggestion WHERE tag_id = ? AND state = 'open' AND EXISTS "
                "(SELECT 1 FROM photo_tag WHERE photo_tag.photo_id = suggestion.photo_id AND photo_tag.tag_id = ?)",
                (above, tag),
            ).fetchall()
            for (photo,) in photos:
                action.put("suggestion", {"photo_id": photo, "tag_id": above}, None)


# ---------------------------------------------------------------------- pinned tags, saved searches
def _pinned(connection: sqlite3.Connection) -> list[str]:
    row = connection.execute("SELECT value FROM setting WHERE name = ?", (PINNED,)).fetchone()
    try:
        stored = None if row is None else json.loads(row[0])
    except (ValueError, RecursionError):
        stored = None
    return [name if isinstance(name, str) else "" for name in stored] if isinstance(stored, list) else []


def _rename_pinned(connection: sqlite3.Connection, action: Action, names: Mapping[str, str]) -> None:
    """Rename the pinned tags; of two that become equal, the first digit retains it."""
    before = _pinned(connection)
    after: list[str] = []
    for name in before:
        new = names.get(name, name)
        after.append("" if new in after else new)
    if after != before:
        action.put("setting", {"name": PINNED}, {"value": json.dumps(after)})


def _searches(connection: sqlite3.Connection) -> list[tuple[str, str, str]]:
    return connection.execute("SELECT name, query, at FROM saved_search ORDER BY name").fetchall()


def _tag_tokens(query: str, wanted: Callable[[str], bool]) -> Iterator[syntax.Token]:
    """Yield the tokens of a query that refer to a wanted tag."""
    return (
        token
        for token in syntax.tokens(query)
        if token.key in syntax.TAG_KEYS and wanted(syntax.requested_tag(token.value))
    )


def _in_trees(names: Iterable[str]) -> Callable[[str], bool]:
    """Return a predicate for tags that are in `names` or below one of them, ignoring case."""
    tops = [fold(name) for name in names]
    return lambda name: any(fold(name) == top or fold(name).startswith(top + "/") for top in tops)


def _rename_in_searches(connection: sqlite3.Connection, action: Action, names: Mapping[str, str]) -> None:
    """Rename tags in saved searches, unless another used tag differs from the old name only by case."""
    new = {fold(old): name for old, name in names.items()}
    for (name,) in connection.execute("SELECT name FROM tag").fetchall():
        if fold(name) in new and name not in names and _is_used(connection, name):
            del new[fold(name)]
    for search, query, _ in _searches(connection):
        text = query
        for token in reversed(list(_tag_tokens(query, lambda name: fold(name) in new))):
            text = (
                text[: token.value_start]
                + syntax.quote(new[fold(syntax.requested_tag(token.value))])
                + text[token.end :]
            )
        if text != query:
            action.put("saved_search", {"name": search}, {"query": text})
