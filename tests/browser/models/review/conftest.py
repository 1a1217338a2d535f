# SPDX-License-Identifier: MIT
"""Review without photos, whose searches and saved answers end when a test says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.change_feed import ChangeFeed
from focal_photos.browser.models.base.notices import Notices
from focal_photos.browser.models.review.questions.question_search import FoundQuestions, SearchState
from focal_photos.browser.models.review.review import Phase, Review
from focal_photos.browser.models.work.editor import Editor
from focal_photos.browser.operations.tagging.review.question_scope import EVERYTHING
from focal_photos.browser.operations.tagging.review.review import Question
from focal_photos.browser.tasks.thumbnail_loader import ThumbnailLoader
from tests.browser.models.services import services


def question(tag: str | None, *photo_ids: int, line: int = 2, **values: Any) -> Question:
    """Return a question whose first photos are proposed as yes."""
    sure = np.linspace(0.9, 0.1, len(photo_ids), dtype=np.float32)
    return Question(tag, np.array(photo_ids, dtype=np.int64), sure, sure, line, float(sure.sum()), **values)


def found(*questions: Question, untagged: Sequence[int] = (), **values: Any) -> FoundQuestions:
    """Return the result of a search."""
    defaults: dict[str, Any] = {
        "photos": [],
        "present": np.arange(100, dtype=np.int64),
        "names": frozenset(each.tag for each in questions if each.tag is not None),
        "in_work": frozenset(),
        "right": {},
        "retrains": False,
        "metric_tagged": 0,
        "tagged_count": 0,
        "within": EVERYTHING,
        "photo_count": 100,
        "untagged_count": 50,
    }
    return FoundQuestions(questions=list(questions), untagged=frozenset(untagged), **(defaults | values))


class HeldRunner:
    """A runner whose tasks end when a test calls their callbacks."""

    def __init__(self) -> None:
        self.searches: list[tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]] = []
        self.writes: list[tuple[Callable[..., Any], Callable[..., Any]]] = []
        """`searches` and `writes`: callbacks of the searches (found, failed, cancelled) and of the writes (done,
        failed) that have not ended."""

    def start(self, _title: str, _work: object, *callbacks: Any, lane: str) -> None:
        assert lane == "review"
        self.searches.append((callbacks[0], callbacks[1], callbacks[2]))

    def write(self, _attempt: str, _function: object, done: Any, failed: Any = None) -> None:
        self.writes.append((done, failed))


class HeldEditor(QObject):
    """Announces what a test wants."""

    undone = Signal(object)
    redone = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.published: list[ChangeSet] = []
        self.new: list[str] = []

    def publish(self, changes: ChangeSet) -> None:
        self.published.append(changes)

    def report_new(self, tags: Sequence[str]) -> None:
        self.new += tags


class HeldReview:
    """A review and its held tasks."""

    def __init__(self, folder: Path) -> None:
        self.library = Library.open(folder)
        self.runner, self.editor = HeldRunner(), HeldEditor()
        self.loader = ThumbnailLoader(lambda _id, _size: cast("Any", None), threads=0)
        self.feed, self.notices = ChangeFeed(), Notices()
        self.owner = QObject()  # deletes the parts of the review together, as a session does
        shared = services(
            self.library,
            runner=self.runner,
            loader=self.loader,
            feed=self.feed,
            notices=self.notices,
            owner=self.owner,
        )
        self.review = Review(shared, cast("Editor", self.editor))

    def phase(self) -> Phase:
        return self.review.phase

    def search_state(self) -> SearchState:
        return self.review.search.state

    def find(self, *questions: Question, **values: Any) -> None:
        """End the oldest search with these questions."""
        self.runner.searches.pop(0)[0](found(*questions, **values))

    def save(self, label: str, *photo_ids: int, new: Sequence[str] = ()) -> None:
        """End the oldest write; undo and redo name it by its label."""
        self.runner.writes.pop(0)[0]((changes(label, *photo_ids), list(new)))

    def change(self, *photo_ids: int) -> None:
        """Report that another part of the program has changed tags."""
        self.feed.publish(changes("", *photo_ids))

    def announce(self, *kinds: Kind) -> None:
        """Report changes by work in the background, which names no photos."""
        self.feed.publish(ChangeSet("", frozenset(kinds)))

    def close(self) -> None:
        self.loader.close()
        self.library.close()


def changes(label: str, *photo_ids: int) -> ChangeSet:
    """Return changes of tags."""
    return ChangeSet(label, frozenset({Kind.TAGS}), frozenset(photo_ids))


@pytest.fixture
def held(qapp: QApplication, tmp_path: Path) -> Iterator[HeldReview]:
    held = HeldReview(tmp_path / "library")
    yield held
    held.close()
