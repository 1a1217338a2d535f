# SPDX-License-Identifier: MIT
"""Suggested tags: computed ones are open, and only the user accepts or rejects them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final

from focal_photos.browser.catalog.facts.exclusion import rivals
from focal_photos.browser.catalog.facts.journaled_facts import JournaledFacts
from focal_photos.browser.catalog.facts.query.removed import REMOVED
from focal_photos.browser.catalog.facts.records import Suggestion, SuggestionState, TagSource
from focal_photos.browser.catalog.facts.tags import ancestors, intern, listed, normalise, untag
from focal_photos.browser.catalog.store import timestamps
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.errors import reading_value
from focal_photos.browser.catalog.store.id_list import id_list
from focal_photos.browser.catalog.text import Text, counted

Pair = tuple[int, str]

_PUT_OPEN: Final = (
    "INSERT OR IGNORE INTO suggestion "
    "SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'), 'open', "
    "json_extract(value, '$[3]'), ?1, ?2 FROM json_each(?3)"
)


class Suggestions(JournaledFacts):
    """The library's suggestions. An accepted suggestion is also a tag; an open or rejected one is not."""

    # ------------------------------------------------------------------ reading
    def open(self, limit: int = 500) -> list[Suggestion]:
        """Return the open suggestions of the whole library, by descending confidence, at most `limit`."""
        rows = self._database.rows(
            "SELECT photo_id, name, confidence, witnesses, metric_id FROM suggestion JOIN tag ON tag.id = tag_id "
            "WHERE state = 'open' ORDER BY confidence DESC, photo_id, name LIMIT ?",
            (limit,),
        )
        with reading_value("a suggestion"):
            return [
                Suggestion(photo, name, confidence, SuggestionState.OPEN, tuple(json.loads(supporters)), metric_id)
                for photo, name, confidence, supporters, metric_id in rows
            ]

    def of(
        self, ids: Iterable[int], state: SuggestionState | None = SuggestionState.OPEN
    ) -> dict[int, list[Suggestion]]:
        """Return the suggestions of photos in a state (None: all), by descending confidence; every id is a key."""
        numbers = id_list(ids)
        found: dict[int, list[Suggestion]] = {number: [] for number in json.loads(numbers)}
        for photo, name, confidence, standing, supporters, metric_id in self._database.rows(
            "SELECT photo_id, name, confidence, state, witnesses, metric_id "
            "FROM (SELECT DISTINCT value FROM json_each(?)) CROSS JOIN suggestion ON photo_id = value "
            "JOIN tag ON tag.id = tag_id "
            "WHERE state = coalesce(?, state) ORDER BY confidence DESC, name",
            (numbers, None if state is None else state.value),
        ):
            with reading_value("a suggestion"):
                nearest, state_now = tuple(json.loads(supporters)), SuggestionState(standing)
            found[photo].append(Suggestion(photo, name, confidence, state_now, nearest, metric_id))
        return found

    def rejected_pairs(self) -> set[Pair]:
        """Return all (photo id, tag) that the user rejected."""
        return set(
            self._database.rows(
                "SELECT photo_id, name FROM suggestion JOIN tag ON tag.id = tag_id WHERE state = 'rejected'"
            )
        )

    def counts(self) -> dict[SuggestionState, int]:
        """Return the number of suggestions in each state, without photos in removed folders."""
        # Nearly all are open: SQLite counts the whole table quickly, so only the others are read.
        of_state = "SELECT state, count(*) FROM suggestion WHERE {0} GROUP BY state"
        with self._database.reading() as connection:
            ((every,),) = connection.execute("SELECT count(*) FROM suggestion")
            answered = dict(connection.execute(of_state.format("state <> 'open'")).fetchall())
            removed = dict(connection.execute(of_state.format(f"photo_id IN ({REMOVED})")).fetchall())
        known = {**answered, SuggestionState.OPEN.value: every - sum(answered.values())}
        return {state: known.get(state.value, 0) - removed.get(state.value, 0) for state in SuggestionState}

    # ------------------------------------------------------------------ writing
    def replace_open(
        self,
        suggestions: Iterable[Suggestion],
        metric_id: int | None,
        *,
        photo_ids: Iterable[int] | None = None,
    ) -> ChangeSet:
        """Replace the open suggestions of photos; not journaled, because they are derived.

        Skipped are tags that the photo already carries (itself or by a descendant), that were accepted or rejected for
        it, or that the library does not know.

        Parameters
        ----------
        suggestions : iterable of Suggestion
            New suggestions; their state is ignored.
        metric_id : int or None
            Metric that they were computed with.
        photo_ids : iterable of int or None
            Photos whose open suggestions are deleted, even without new ones; None: those of `suggestions`.
        """
        new = list(suggestions)
        photos = {int(number) for number in photo_ids} if photo_ids is not None else set()
        photos |= {suggestion.photo_id for suggestion in new}
        if not photos:
            return ChangeSet()
        numbers, at = id_list(photos), timestamps.to_text(timestamps.now())
        with self._database.transaction() as connection:
            self._require_known(photos)
            connection.execute(
                "DELETE FROM suggestion WHERE state = 'open' AND photo_id IN (SELECT value FROM json_each(?))",
                (numbers,),
            )
            tags = dict(connection.execute("SELECT name, id FROM tag").fetchall())
            carried: set[Pair] = set()
            for photo, name in connection.execute(
                "SELECT photo_id, name FROM json_each(?) CROSS JOIN photo_tag ON photo_id = value "
                "JOIN tag ON tag.id = tag_id",
                (numbers,),
            ):
                carried.update((photo, tag) for tag in (name, *ancestors(name)))
            rows = [
                (one.photo_id, tags[one.tag], one.confidence, json.dumps(one.supporters) if one.supporters else "[]")
                for one in new
                if one.tag in tags and (one.photo_id, one.tag) not in carried
            ]
            # One statement for all rows: one per row doubles the time, and holds the GIL each time.
            connection.execute(_PUT_OPEN, (metric_id, at, json.dumps(rows)))
            self._database.touch(Kind.SUGGESTIONS)
        return ChangeSet("", frozenset({Kind.SUGGESTIONS}), frozenset(photos))

    # ------------------------------------------------------------------ the user's answers
    def accept(self, pairs: Iterable[Pair]) -> ChangeSet:
        """Turn suggestions into tags (source "accepted"). Tags that the photo already carries are unchanged.

        Open suggestions of the same photo that the accepted tag excludes (`browser.catalog.facts.exclusion`) are
        deleted in the same step, without being rejected.
        """
        return self._judge(pairs, SuggestionState.ACCEPTED)

    def reject(self, pairs: Iterable[Pair]) -> ChangeSet:
        """Reject suggestions permanently. An accepted one loses its tag; a tag given by hand is unchanged."""
        return self._judge(pairs, SuggestionState.REJECTED)

    def _judge(self, pairs: Iterable[Pair], target: SuggestionState) -> ChangeSet:
        wanted = list(dict.fromkeys((int(photo), normalise(name)) for photo, name in pairs))
        if not wanted:
            return ChangeSet()
        at = timestamps.to_text(timestamps.now())
        with self._journal.action("") as action:
            connection = action.connection
            self._require_known({photo for photo, _ in wanted})
            tags = intern(connection, list(dict.fromkeys(name for _, name in wanted)))
            done: list[str] = []
            for photo, name in wanted:
                key = {"photo_id": photo, "tag_id": tags[name]}
                place = (photo, tags[name])
                row = connection.execute(
                    "SELECT state FROM suggestion WHERE photo_id = ? AND tag_id = ?", place
                ).fetchone()
                carried = connection.execute(
                    "SELECT source FROM photo_tag WHERE photo_id = ? AND tag_id = ?", place
                ).fetchone()
                state = None if row is None else SuggestionState(row[0])
                if state is target:
                    continue
                if target is SuggestionState.ACCEPTED:
                    if carried is not None:
                        continue
                    action.put("photo_tag", key, {"source": TagSource.ACCEPTED.value, "at": at})
                elif carried is not None:
                    if carried[0] != TagSource.ACCEPTED.value:
                        continue
                    untag(action, [place])
                if row is None:
                    new = {"confidence": 0.0, "witnesses": "[]", "metric_id": None}
                    action.put("suggestion", key, {**new, "state": target.value, "at": at})
                else:
                    action.put("suggestion", key, {"state": target.value, "at": at})
                done.append(name)
            if target is SuggestionState.ACCEPTED:
                for photo, tag_id in rivals(connection, [(photo, tags[name]) for photo, name in wanted]):
                    action.put("suggestion", {"photo_id": photo, "tag_id": tag_id}, None)
            action.label = _label(target, len(done), listed(list(dict.fromkeys(done))))
        return action.changes


def _label(target: SuggestionState, number: int, tags: str) -> Text:
    count = counted(number, "1 suggestion", "{0} suggestions")
    if target is SuggestionState.ACCEPTED:
        return Text("Accept {0}: {1}", count, tags)
    return Text("Reject {0}: {1}", count, tags)
