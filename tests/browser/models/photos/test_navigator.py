# SPDX-License-Identifier: MIT
"""The beginning of a large ranking is shown at once, the rest follows; here, 8 photos make a library large."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from focal_photos.browser.catalog.facts.records import TagSource, Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.grid_model import Role
from focal_photos.browser.models.photos.navigation import arrangement
from focal_photos.browser.models.photos.navigation.arrangement import Arrangement
from focal_photos.browser.models.photos.trail import GridPosition, Step
from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.describing.settings import INDEX_FROM, RERANK
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.training.train import train
from focal_photos.learners.galleries.indexed_gallery import IndexedGallery
from tests.browser.models.conftest import Settle


@pytest.fixture
def session(qtbot: QtBot, library_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Session]:
    monkeypatch.setattr(arrangement, "FIRST_PHOTOS", 5)
    monkeypatch.setattr(arrangement, "MAX_WHOLE_RANKING", 7)
    session = Session(Library.open(library_folder))
    session.start()
    yield session
    session.close()


def watched(session: Session) -> list[str]:
    """Collect the changes of the grid's rows: "reset 5 of 31"."""
    grid, told = session.grid, list[str]()
    grid.modelReset.connect(lambda: told.append(f"reset {grid.rowCount()} of {grid.total}"))
    grid.rowsInserted.connect(lambda _, first, last: told.append(f"rows {first} to {last}"))
    grid.completed.connect(lambda: told.append(f"completed {grid.rowCount()} of {grid.total}"))
    return told


def before_the_rest(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """Call a function once between the beginning of a ranking and its rest."""
    arrange, due = arrangement.arrange, [True]

    def later(library: Library, ranker: Ranker, step: Step, limit: int | None = None) -> Arrangement:
        if limit is None and step.focal_id is not None and due:
            due.clear()
            happens()
        return arrange(library, ranker, step, limit)

    monkeypatch.setattr(arrangement, "arrange", later)


@pytest.mark.slow
def test_the_first_part_is_shown_before_the_rest(session: Session, settle: Settle) -> None:
    told, places = watched(session), list[GridPosition]()
    session.navigator.arranged.connect(places.append)
    focal = session.grid.photo_id(3)
    session.navigator.focus(focal)
    settle()
    assert told == ["reset 5 of 31", "rows 5 to 30", "completed 31 of 31"]
    assert len(places) == 1, "the rest of the ranking does not move the view"
    ranking = session.ranker.rank(focal)
    np.testing.assert_array_equal(session.grid.ids, ranking.photo_ids)
    assert [session.grid.index(row).data(Role.TILE).score for row in (0, 30)] == pytest.approx(
        ranking.distances[[0, 30]].tolist()
    )
    assert session.grid.complete


def test_a_filter_with_few_photos_is_shown_whole(session: Session, settle: Settle, drawn_album: Path) -> None:
    folders = [path for path in sorted(drawn_album.iterdir()) if path.is_dir()]
    session.navigator.focus(session.grid.photo_id(3))
    settle()
    told = watched(session)
    session.navigator.set_query(f"-path:{folders[1].name}")
    settle()
    assert told[0] == "reset 5 of 27"
    assert session.grid.rowCount() == 27
    told.clear()
    session.navigator.show_folder(folders[0])
    settle()
    session.navigator.focus(session.grid.photo_id(0))
    settle()
    assert told == ["reset 4 of 4", "reset 3 of 3"]


def test_going_back_beyond_the_first_part_shows_all_at_once(session: Session, settle: Settle) -> None:
    session.navigator.focus(session.grid.photo_id(3))
    settle()
    deep = session.grid.photo_id(20)
    session.navigator.position = lambda: GridPosition(current=deep)
    session.navigator.focus(session.grid.photo_id(6))
    settle()
    told = watched(session)
    near = session.grid.photo_id(4)
    session.navigator.position = lambda: GridPosition(near, 3, near, (near,))
    session.navigator.back()
    settle()
    assert told == ["reset 31 of 31"]
    assert session.grid.row_of(deep) == 20
    told.clear()
    session.navigator.forward()
    settle()
    assert told[0] == "reset 5 of 31", "the first rows suffice for the scroll position"
    assert session.grid.row_of(near) == 4


def test_the_rest_of_a_former_ranking_is_dropped(
    session: Session, settle: Settle, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = session.grid.photo_id(3), session.grid.photo_id(8)
    before_the_rest(monkeypatch, lambda: session.runner._mailbox.letter.emit(lambda: session.navigator.focus(other)))
    session.navigator.focus(one)
    settle()
    assert session.navigator.focal_id == other
    np.testing.assert_array_equal(session.grid.ids, session.ranker.rank(other).photo_ids)


def test_judgements_made_meanwhile_count(session: Session, settle: Settle, monkeypatch: pytest.MonkeyPatch) -> None:
    focal = session.grid.photo_id(3)
    last = int(session.ranker.rank(focal).photo_ids[-1])
    before_the_rest(monkeypatch, lambda: session.library.judgements.set(focal, [last], Verdict.SIMILAR))
    session.navigator.focus(focal)
    settle()
    assert session.grid.photo_id(0) == last
    np.testing.assert_array_equal(session.grid.ids, session.ranker.rank(focal).photo_ids)
    assert session.grid.complete


def test_a_rest_ranked_by_another_metric_is_not_appended(
    session: Session, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = session.grid.ids
    session.library.tags.give({int(i): [f"kind {n % 2}"] for n, i in enumerate(ids[:12])}, TagSource.HAND)
    metric = finish(train(session.library, "kernel"))
    # the order stays the same, only the metric shows the change
    before_the_rest(monkeypatch, lambda: session.library.metrics.rename(metric.id, "Mine"))
    told = watched(session)
    session.navigator.focus(session.grid.photo_id(3))
    settle()
    assert session.navigator.shown.metric is not None
    assert session.navigator.shown.metric.title == "Mine"
    assert session.grid.complete
    assert "rows 5 to 30" not in told


def test_callbacks_that_need_all_rows_wait(session: Session, settle: Settle, monkeypatch: pytest.MonkeyPatch) -> None:
    focal = session.grid.photo_id(3)
    order = session.ranker.rank(focal).photo_ids
    session.library.tags.change(order[:25].tolist(), add=["seen"])
    found: list[int | None] = []
    counts: list[tuple[int, int]] = []

    def ask() -> None:
        counts.append((session.grid.rowCount(), session.grid.total))
        session.tagging.next_untagged(None, found.append)

    session.navigator.arranged.connect(lambda _: ask())
    session.navigator.focus(focal)
    settle()
    assert counts == [(5, 31)]
    assert found == [order[25]]


def test_a_failed_rest_leaves_the_first_part(session: Session, settle: Settle, monkeypatch: pytest.MonkeyPatch) -> None:
    failures: list[object] = []
    session.runner.failed.connect(failures.append)

    def fail() -> None:
        raise OSError("the disk is gone")

    before_the_rest(monkeypatch, fail)
    session.navigator.focus(session.grid.photo_id(3))
    settle()
    assert len(failures) == 1
    assert session.grid.complete
    assert session.grid.rowCount() == session.grid.total == 5


def test_photos_missed_by_the_index_are_appended(
    session: Session, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("focal_photos.learners.galleries.inverted_file.MIN_POINTS", 2)
    INDEX_FROM.set(session.library, 8)
    RERANK.set(session.library, False)  # because shared neighbours would bring it back
    messages = list[str]()
    session.notices.posted.connect(lambda message: messages.append(message.text))
    focal = session.grid.photo_id(3)
    session.navigator.focus(focal)
    settle()
    why = [text for text in messages if "compare all" in text]
    assert len(why) == 1, "the reason is given once, and the index is built in the background"
    searched = session.ranker.gallery().gallery
    assert isinstance(searched, IndexedGallery)
    assert searched.index is not None
    exact = session.ranker.rank(focal).photo_ids.tolist()
    # The index lacks the second of them: it comes after the first five and before all others.
    places = searched.index.places.copy()
    places[exact[1]] = -1
    searched.index = replace(searched.index, places=places)
    session.navigator.leave_ranking()
    settle()
    told = watched(session)
    session.navigator.focus(focal)
    settle()
    assert told == ["reset 5 of 31", "rows 5 to 30", "completed 31 of 31"]
    shown = session.grid.ids.tolist()
    assert sorted(shown) == sorted(exact)
    assert exact[1] not in shown[:5]
    assert shown[5] == exact[1]
    assert [photo_id for photo_id in shown if photo_id != exact[1]] == [each for each in exact if each != exact[1]]
    assert [text for text in messages if "compare all" in text] == why


def test_a_failed_index_is_reported_once(session: Session, settle: Settle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focal_photos.browser.operations.ranking.galleries.row_index.faiss_installed", lambda: False)
    monkeypatch.setattr("focal_photos.learners.galleries.inverted_file.MIN_POINTS", 2)
    INDEX_FROM.set(session.library, 8)
    messages = list[str]()
    session.notices.posted.connect(lambda message: messages.append(message.text))
    for row in (3, 5):
        session.navigator.leave_ranking()
        settle()
        session.navigator.focus(session.grid.photo_id(row))
        settle()
    assert ["'.[index]'" in text for text in messages] == [True]
