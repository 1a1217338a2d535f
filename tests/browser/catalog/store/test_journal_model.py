# SPDX-License-Identifier: MIT
"""Model-based test of tags, suggestions and metrics with undo and redo, between automatic changes.

`tests.benchmarks.faults.undo_and_redo` covers the other kinds of user actions.
"""

from __future__ import annotations

import copy
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from focal_photos.browser.catalog.facts.records import Suggestion, SuggestionState, TagSource
from focal_photos.browser.catalog.facts.tags import ancestors
from focal_photos.browser.catalog.library import Library
from tests.browser.catalog.albums import enter
from tests.examples import examples

COUNT = 4
TAGS = ("sea", "animal", "animal/dog", "animal/dog/pug")
photo = st.integers(0, COUNT - 1)
some_photos = st.lists(photo, max_size=3)
some_tags = st.lists(st.sampled_from(TAGS), max_size=2)
pairs = st.lists(st.tuples(photo, st.sampled_from(TAGS)), max_size=3)


@dataclass
class State:
    tags: dict[tuple[int, str], str] = field(default_factory=dict)
    suggestions: dict[tuple[int, str], tuple[str, bool]] = field(default_factory=dict)  # state, is supported
    metrics: list[str] = field(default_factory=lambda: ["euclidean"])
    current: str = "euclidean"


class JournalMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="focal-test-"))
        (self.folder / "album").mkdir()
        self.library = Library.open(self.folder / "library")
        self.ids = enter(self.library, self.folder / "album", [f"{number}.jpg" for number in range(COUNT)])
        self.state = State()
        self.past: list[tuple[State, State]] = []
        self.future: list[tuple[State, State]] = []
        self.trained = 0

    def teardown(self) -> None:
        assert self.library.database.check() == []
        self.library.close()
        shutil.rmtree(self.folder)

    def settle(self, before: State, changed: bool) -> None:
        """Add an action to the model's own journal."""
        assert (self.state != before) == changed
        if changed:
            self.past.append((before, copy.deepcopy(self.state)))
            self.future.clear()

    @rule(numbers=some_photos, add=some_tags, remove=some_tags, source=st.sampled_from(TagSource))
    def tag(self, numbers: list[int], add: list[str], remove: list[str], source: TagSource) -> None:
        before, state = copy.deepcopy(self.state), self.state
        for number in numbers:
            for name in set(remove) - set(add):
                if state.tags.pop((number, name), None):
                    state.suggestions.pop((number, name), None)
            for name in add:
                if (number, name) not in state.tags:
                    state.tags[number, name] = source.value
                    state.suggestions.pop((number, name), None)
                for above in ancestors(name):
                    if state.suggestions.get((number, above), ("", False))[0] == "open":
                        del state.suggestions[number, above]
        changes = self.library.tags.change([self.ids[number] for number in numbers], add, remove, source)
        self.settle(before, bool(changes))

    @rule(new=pairs)
    def suggest(self, new: list[tuple[int, str]]) -> None:
        """An automatic change: not in the journal, but undo and redo must cope with it."""
        known = {tag for _, tag in self.ever}
        for key in [key for key, (state, _) in self.state.suggestions.items() if state == "open"]:
            if key[0] in {number for number, _ in new}:
                del self.state.suggestions[key]
        for number, name in new:
            carried = {tag for other, own in self.state.tags for tag in (own, *ancestors(own)) if other == number}
            if name in known and name not in carried and (number, name) not in self.state.suggestions:
                self.state.suggestions[number, name] = ("open", True)
        self.library.suggestions.replace_open(
            [Suggestion(self.ids[n], tag, 0.5, SuggestionState.OPEN, (self.ids[n - 1],)) for n, tag in new], 1
        )

    @property
    def ever(self) -> set[tuple[int, str]]:
        rows = self.library.database.rows("SELECT id, name FROM tag")
        return set(rows)

    @rule(chosen=pairs)
    def accept(self, chosen: list[tuple[int, str]]) -> None:
        before, state = copy.deepcopy(self.state), self.state
        for key in chosen:
            if key not in state.tags:
                state.tags[key] = "accepted"
                state.suggestions[key] = ("accepted", state.suggestions.get(key, ("", False))[1])
        changes = self.library.suggestions.accept([(self.ids[number], name) for number, name in chosen])
        self.settle(before, bool(changes))

    @rule(chosen=pairs)
    def reject(self, chosen: list[tuple[int, str]]) -> None:
        before, state = copy.deepcopy(self.state), self.state
        for key in chosen:
            if state.tags.get(key) in (None, "accepted"):
                state.tags.pop(key, None)
                state.suggestions[key] = ("rejected", state.suggestions.get(key, ("", False))[1])
        changes = self.library.suggestions.reject([(self.ids[number], name) for number, name in chosen])
        self.settle(before, bool(changes))

    @rule()
    def train(self) -> None:
        before = copy.deepcopy(self.state)
        metric, changes = self.library.metrics.add("kernel")
        self.state.metrics.append(metric.name)
        self.state.current = metric.name
        self.settle(before, bool(changes))

    @rule()
    def train_by_itself(self) -> None:
        """An automatic change is undone and redone with the previous action, and does not clear the redo list."""
        self.trained += 1
        if self.past and self.past[-1][0].current == self.past[-1][1].current:
            self.past[-1][0].current = self.state.current  # perhaps of a training while the action was undone
        metric, changes = self.library.metrics.add("own", version=self.trained, by_itself=True)
        assert changes
        for state in (self.state, self.past[-1][1]) if self.past else (self.state,):
            state.metrics.append(metric.name)
            state.current = metric.name

    @rule(choice=st.integers(0, 5))
    def choose_metric(self, choice: int) -> None:
        before = copy.deepcopy(self.state)
        self.state.current = self.state.metrics[choice % len(self.state.metrics)]
        changes = self.library.metrics.set_current(self.library.metrics.by_name(self.state.current).id)
        self.settle(before, bool(changes))

    @rule()
    def undo(self) -> None:
        changes = self.library.journal.undo()
        assert bool(changes) == bool(self.past)
        if self.past:
            before, after = self.past.pop()
            self.go(after, before)
            self.future.append((before, after))

    @rule()
    def redo(self) -> None:
        changes = self.library.journal.redo()
        assert bool(changes) == bool(self.future)
        if self.future:
            before, after = self.future.pop()
            self.go(before, after)
            self.past.append((before, after))

    @rule()
    def reopen(self) -> None:
        self.library.close()
        self.library = Library.open(self.folder / "library")

    def go(self, start: State, end: State) -> None:
        """Apply the difference of two states to the present one, which automatic changes may have altered since."""
        _apply(self.state.tags, start.tags, end.tags)
        _apply(self.state.suggestions, start.suggestions, end.suggestions)
        gone = set(start.metrics) - set(end.metrics)
        back = [name for name in end.metrics if name not in start.metrics]
        self.state.metrics = [name for name in self.state.metrics if name not in gone] + back
        if start.current != end.current:
            self.state.current = end.current

    @invariant()
    def agrees(self) -> None:
        number_of = {photo_id: number for number, photo_id in enumerate(self.ids)}
        tags = {
            (number_of[photo_id], name): source
            for photo_id, name, source in self.library.database.rows(
                "SELECT photo_id, name, source FROM photo_tag JOIN tag ON tag.id = tag_id"
            )
        }
        assert tags == self.state.tags
        found = self.library.tags.of(self.ids)
        for number, photo_id in enumerate(self.ids):
            assert found[photo_id] == sorted(name for other, name in tags if other == number)
        assert {
            (number_of[one.photo_id], one.tag): (one.state.value, bool(one.supporters))
            for line in self.library.suggestions.of(self.ids, state=None).values()
            for one in line
        } == self.state.suggestions
        assert sorted(metric.name for metric in self.library.metrics.all()) == sorted(self.state.metrics)
        assert self.library.metrics.current().name == self.state.current
        assert (self.library.journal.undo_label() is None) == (not self.past)
        assert (self.library.journal.redo_label() is None) == (not self.future)
        counts = {tag.name: tag.count for tag in self.library.tags.all()}
        wanted = {name for _, own in tags for name in (own, *ancestors(own))}
        assert counts == {
            name: len({number for number, own in tags if own == name or own.startswith(name + "/")}) for name in wanted
        }


def _apply(now: dict[Any, Any], old: dict[Any, Any], new: dict[Any, Any]) -> None:
    for key in old.keys() | new.keys():
        if old.get(key) == new.get(key):
            continue
        if key in new:
            now[key] = new[key]
        else:
            now.pop(key, None)


TestJournal = JournalMachine.TestCase
TestJournal.settings = settings(max_examples=examples(30), stateful_step_count=25, deadline=None)
