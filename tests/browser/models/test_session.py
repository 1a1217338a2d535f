# SPDX-License-Identifier: MIT
"""The state of the application without a window, on a real library."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from focal_photos.browser.catalog.facts.order import Order
from focal_photos.browser.catalog.facts.photos import TRIED_AGAIN
from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.models.base.notices import Message, MessageAction, Severity
from focal_photos.browser.models.photos.navigation import arrangement
from focal_photos.browser.models.photos.trail import Collection, GridPosition, Step
from focal_photos.browser.models.session import Session
from focal_photos.browser.models.sidebar.words import Proposal
from focal_photos.browser.operations.photos.given_paths import GivenPaths
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.tasks.runner import TaskState, TaskStatus
from focal_photos.browser.tasks.thumbnail_loader import PixelSize
from tests.browser.models.conftest import Settle, cancelled_at_once
from tests.browser.operations.album import Album


def test_a_session_starts_with_all_photos(session: Session, settle: Settle) -> None:
    assert session.grid.rowCount() == 32
    assert session.overview.now.photos == session.overview.now.untagged == 32
    assert session.overview.now.metric is not None
    assert session.overview.now.metric.name == "euclidean"
    assert session.navigator.collection == Collection()


def test_a_click_is_not_lost_while_photos_arrive(session: Session, settle: Settle) -> None:
    photo_id = session.grid.photo_id(3)
    session.navigator.focus(photo_id)
    session.navigator.again()
    session.navigator.reorder()
    settle()
    assert session.navigator.focal_id == photo_id
    assert [step.focal_id for step in session.navigator.trail.steps] == [None, photo_id]


def test_a_click_is_not_lost_while_an_opened_folder_arrives(
    session: Session, settle: Settle, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot, tmp_path: Path
) -> None:
    album = Album(tmp_path / "beside")
    album.draw("a.jpg", kind="warm")
    messages: list[Message] = []
    session.notices.posted.connect(messages.append)
    indexed, arrange = threading.Event(), arrangement.arrange

    def slow(library: Library, ranker: Ranker, step: Step, limit: int | None = None) -> arrangement.Arrangement:
        if step.ranked:
            assert indexed.wait(60)
        return arrange(library, ranker, step, limit)

    monkeypatch.setattr(arrangement, "arrange", slow)
    session.photo_folders.opening.open_folders([album.folder])
    photo_id = session.grid.photo_id(3)
    session.navigator.focus(photo_id)
    qtbot.waitUntil(lambda: bool(messages) and session.overview.now.photos == 33, timeout=60_000)
    indexed.set()
    settle()
    assert session.navigator.focal_id == photo_id
    assert session.navigator.collection == Collection()
    assert messages[-1].action is MessageAction.SHOW_FOLDER


def test_of_two_quick_clicks_the_second_counts(session: Session, settle: Settle) -> None:
    first, second = session.grid.photo_id(1), session.grid.photo_id(2)
    session.navigator.focus(first)
    session.navigator.focus(second)
    settle()
    assert session.navigator.focal_id == second


def test_arranging_the_same_order_again_emits_nothing(session: Session, settle: Settle) -> None:
    places: list[GridPosition] = []
    session.navigator.arranged.connect(places.append)
    session.navigator.again()
    settle()
    assert places == []


def test_the_same_verdict_again_clears(session: Session, settle: Settle) -> None:
    session.navigator.focus(session.grid.photo_id(0))
    settle()
    a, b = session.grid.ids[:2].tolist()
    for judged, marks in (
        ([a], {a: Verdict.SIMILAR}),
        ([a, b], {a: Verdict.SIMILAR, b: Verdict.SIMILAR}),
        ([a, b], {}),
    ):
        session.targets.judge(judged, Verdict.SIMILAR)
        settle()
        assert session.navigator.marks == marks


def test_a_ranking_can_be_limited_to_a_folder(session: Session, settle: Settle, drawn_album: Path) -> None:
    folder = next(path for path in sorted(drawn_album.iterdir()) if path.is_dir())
    session.navigator.show_folder(folder)
    settle()
    assert session.grid.rowCount() == 4
    session.navigator.focus(session.grid.photo_id(0))
    settle()
    assert session.grid.rowCount() == 3
    session.navigator.leave_ranking()
    settle()
    assert session.grid.rowCount() == 4
    assert session.navigator.collection.folder == folder


def test_typing_a_filter_is_one_step(session: Session, settle: Settle) -> None:
    for begins, query in ((True, "jp"), (False, "jpg"), (True, "jpg -tagged"), (False, "jpg untagged")):
        if begins:
            session.navigator.begin_filter()
        session.navigator.set_query(query)
        settle()
    assert [step.collection.query for step in session.navigator.trail.steps] == ["", "jpg", "jpg untagged"]


def test_quick_changes_are_combined(session: Session, settle: Settle) -> None:
    navigator, photo_id = session.navigator, session.grid.photo_id(3)
    navigator.sort(Order.NAME)
    navigator.set_query("untagged")
    settle()
    assert navigator.collection == Collection("untagged", order=Order.NAME)
    navigator.focus(photo_id)
    navigator.set_query("-tagged")
    settle()
    assert navigator.focal_id == photo_id
    assert navigator.collection == Collection("-tagged", order=Order.NAME)
    navigator.set_query("tagged")
    navigator.set_query("-tagged")
    settle()
    assert navigator.collection.query == "-tagged"
    assert session.grid.rowCount() == 31
    navigator.set_query("")
    navigator.sort(Order.SIZE)
    settle()
    assert navigator.focal_id is None
    assert navigator.collection == Collection(order=Order.SIZE)


def test_clearing_an_unjudged_photo_writes_nothing(session: Session, settle: Settle) -> None:
    session.navigator.focus(session.grid.photo_id(0))
    settle()
    written: list[object] = []
    session.feed.subscribe(written.append)
    a, b = session.grid.ids[:2].tolist()
    session.targets.judge([a], None)
    settle()
    assert written == []
    session.targets.judge([a], Verdict.SIMILAR)
    settle()
    session.targets.judge([a, b], None)
    settle()
    assert len(written) == 2
    assert session.overview.now.undo == "Unmark 1 photo"


def test_several_photos_are_tagged_together(session: Session, settle: Settle) -> None:
    ids = session.grid.ids[:3].tolist()
    session.editor.tag(ids, ["sea"])
    session.editor.tag(ids[:1], ["boat"])
    session.navigator.select(ids)
    settle()
    assert session.tagging.target_tags.now.photo_ids == tuple(ids)
    assert session.tagging.target_tags.now.counts == (("boat", 1), ("sea", 3))
    assert session.tagging.target_tags.now.card is None
    session.navigator.select(ids[:1])
    settle()
    assert session.tagging.target_tags.now.card is not None
    assert session.sidebar.words.complete_tag("SE") == ["sea"]
    assert session.sidebar.words.complete_query("tag:bo", 6) == [Proposal("tag:boat", "boat", "Tag")]
    session.navigator.show_tag("sea")
    settle()
    assert session.navigator.shown_tag == "sea"
    assert session.grid.rowCount() == 3


def test_names_are_completed_to_tags_then_proposed_names_then_common_words(session: Session, settle: Settle) -> None:
    session.editor.tag(session.grid.ids[:1].tolist(), ["Timber", "art/tinsel"])
    settle()
    words = session.sidebar.words
    assert words.complete_name("ti")[:4] == ["Timber", "art/tinsel", "tiger", "tiger lily"]
    assert len(words.complete_name("ti")) == 12
    assert all(name.rpartition("/")[2].casefold().startswith("ti") for name in words.complete_name("ti"))
    assert words.complete_name("tige") == [
        "tiger",
        "tiger lily",
        "tiger shark",
        "tigers",
        "tiger lilies",
        "tiger sharks",
    ]
    assert words.complete_name("ti", ["Titmice", "owls"])[:3] == ["Timber", "art/tinsel", "Titmice"]
    assert words.complete_name("", ["Titmice", "owls"]) == ["Titmice", "owls"]
    assert words.complete_name("timber") == ["Timber"]
    assert words.complete_name("TIM")[:2] == ["TIM", "Timber"], "a whole name is taken as typed"
    assert words.complete_name("tzz") == []


def test_a_plural_follows_the_tags_that_it_begins(session: Session, settle: Settle) -> None:
    session.editor.tag(session.grid.ids[:1].tolist(), ["Seaside"])
    settle()
    words = session.sidebar.words
    assert words.complete_name("SEAS")[:2] == ["Seaside", "SEAS"]
    assert words.complete_name("LAMPS")[:2] == ["LAMPS", "lampshade"], "as typed"
    session.editor.tag(session.grid.ids[:1].tolist(), ["dogs", "birds", "trees"])
    settle()
    assert words.complete_name("seas")[:2] == ["seas", "Seaside"]


def test_repeated_tags_can_be_undone_one_by_one(session: Session, settle: Settle) -> None:
    a, b = session.grid.ids[:2].tolist()
    session.editor.tag([a], ["sea"])
    settle()
    session.editor.repeat_tagging([b])
    settle()
    assert session.overview.now.undo == "Tag 1 photo: sea"
    session.editor.undo()
    session.editor.undo()
    settle()
    assert session.overview.now.undo is None
    assert session.overview.now.redo is not None
    assert session.overview.now.untagged == 32


def test_the_next_untagged_photo_wraps_around(session: Session, settle: Settle) -> None:
    ids = session.grid.ids.tolist()
    session.editor.tag(ids[1:], ["sea"])
    settle()
    found: list[int | None] = []
    session.tagging.next_untagged(ids[5], found.append)
    settle()
    session.editor.tag(ids[:1], ["sea"])
    settle()
    session.tagging.next_untagged(None, found.append)
    settle()
    assert found == [ids[0], None]


def test_errors_are_reported_and_change_nothing(session: Session, settle: Settle) -> None:
    notices, refused = list[Message](), list[str]()
    session.notices.posted.connect(notices.append)
    session.navigator.arranger.query_refused.connect(refused.append)
    session.navigator.set_query("wrong:key")
    settle()
    session.targets.tag(add=["sea"])
    session.targets.judge([session.grid.photo_id(0)], Verdict.SIMILAR)
    session.jobs.suggesting.suggest()
    settle()
    assert session.grid.rowCount() == 32
    assert len(refused) == 1
    assert [notice.severity for notice in notices] == [Severity.WARNING, Severity.WARNING, Severity.INFO]
    assert "tag a few photos" in notices[-1].text.lower()


def test_suggestions_for_visible_photos_are_reported_first(session: Session, settle: Settle) -> None:
    ids = session.grid.ids.tolist()
    session.library.tags.change(ids[:3], add=["sea"])
    session.library.tags.change(ids[-3:], add=["sky"])
    session.grid.show_rows(8, 11, lambda _row: PixelSize(64, 64))
    told: list[ChangeSet] = []
    session.feed.subscribe(told.append)
    session.tagging.suggest()
    settle()
    changes = [each for each in told if Kind.SUGGESTIONS in each.kinds]
    assert [each.photo_ids for each in changes] == [frozenset(ids[8:12]), frozenset()]


def test_a_session_can_be_closed_twice_and_while_busy(session: Session, settle: Settle) -> None:
    photo_id = session.grid.photo_id(0)
    session.editor.tag([photo_id], ["kept"])
    session.jobs.indexing.rescan()
    folder = session.library.path
    session.close()
    session.close()
    with Library.open(folder) as library:
        assert library.tags.of([photo_id])[photo_id] == ["kept"]


# ---------------------------------------------------------------- neighbourhoods
@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make 32 photos too many for finding all their neighbourhoods at once."""
    for room in ("gallery", "neighbors"):
        monkeypatch.setattr(f"focal_photos.browser.operations.ranking.galleries.{room}.MAX_RERANKED", 20)


def comparing(session: Session) -> list[TaskState]:
    """Collect the states of the job that finds neighbourhoods."""
    states: list[TaskState] = []

    def take(state: TaskState) -> None:
        if state.title == "Comparing neighbourhoods":
            states.append(state)

    session.runner.task_changed.connect(take)
    return states


@pytest.mark.usefixtures("large")
def test_a_ranking_is_shown_at_once_and_again_when_all_neighbourhoods_are_found(
    session: Session, settle: Settle
) -> None:
    states = comparing(session)
    focal = session.grid.photo_id(3)
    session.navigator.focus(focal)
    settle()
    assert (states[0].status, states[-1].status) == (TaskStatus.WAITING, TaskStatus.DONE)
    ranking = session.ranker.rank(focal)
    assert not ranking.provisional
    np.testing.assert_array_equal(session.grid.ids, ranking.photo_ids)
    assert [step.focal_id for step in session.navigator.trail.steps] == [None, focal]
    states.clear()
    session.navigator.focus(session.grid.photo_id(5))
    settle()
    assert states == []


@pytest.mark.usefixtures("large")
def test_a_stopped_neighbour_search_restarts_with_other_photos(session: Session, settle: Settle) -> None:
    states = comparing(session)

    def stop(state: TaskState) -> None:
        if state.title == "Comparing neighbourhoods":
            session.runner.cancel(state.number)

    session.runner.task_changed.connect(stop)
    session.navigator.focus(session.grid.photo_id(3))
    settle()
    assert [state.status for state in states][-1:] == [TaskStatus.CANCELLED]
    assert session.grid.rowCount() == 31
    session.runner.task_changed.disconnect(stop)
    states.clear()
    session.navigator.focus(session.grid.photo_id(5))
    settle()
    assert states == []
    session.jobs.indexing.rescan()
    settle()
    assert [state.status for state in states][-1:] == [TaskStatus.DONE]


def test_a_hanging_drive_blocks_nothing(
    session: Session, qtbot: QtBot, settle: Settle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle()
    unplugged, answers, main = tmp_path / "unplugged", threading.Event(), threading.get_ident()
    for name in ("is_file", "is_dir"):
        ask = getattr(Path, name)

        def asked(path: Path, ask: Callable[[Path], bool] = ask) -> bool:
            if path == unplugged:
                assert threading.get_ident() != main, "the work runs outside the main thread"
                answers.wait()
            return ask(path)

        monkeypatch.setattr(Path, name, asked)
    session.photo_folders.opening.open([unplugged])
    photo_id = session.grid.photo_id(3)
    session.navigator.focus(photo_id)
    qtbot.waitUntil(lambda: session.navigator.focal_id == photo_id)
    waiting = {task.title: task.number for task in session.runner.tasks()}
    session.runner.cancel(waiting["Reading unplugged"])
    qtbot.waitUntil(lambda: "Reading unplugged" not in {task.title for task in session.runner.tasks()})
    answers.set()
    settle()


def test_given_paths_are_sorted_by_kind(session: Session, settle: Settle, drawn_album: Path) -> None:
    photo = sorted(drawn_album.rglob("*.jpg"))[3]
    known = session.library.photos.by_path(photo)
    assert known is not None
    found: list[GivenPaths] = []
    for paths in ([], [drawn_album / "gone.jpg", photo, drawn_album, photo], [drawn_album / "tags.csv", photo]):
        session.photo_folders.paths.sort(paths, found.append)
        settle()
    assert found == [
        GivenPaths(),
        GivenPaths((photo,), (drawn_album,), known.id),
        GivenPaths((drawn_album / "tags.csv", photo)),
    ]


def test_cancelling_the_inspection_of_opened_paths_uses_the_known_folders(
    session: Session, settle: Settle, tmp_path: Path
) -> None:
    called: list[str] = []
    with cancelled_at_once(session):
        session.photo_folders.opening.open(
            [tmp_path / "on a drive that does not answer.jpg"], lambda: called.append("otherwise")
        )
        settle()
    assert called == ["otherwise"]


def test_a_photo_described_on_retry_leaves_the_list_of_failures(session: Session, settle: Settle) -> None:
    photo_id = session.grid.photo_id(0)
    session.library.photos.set_failures([(photo_id, f"Its decoding took longer than 60 seconds. {TRIED_AGAIN}")])
    session.feed.publish(ChangeSet("", frozenset({Kind.PHOTOS})))
    settle()
    assert (session.overview.now.failed, session.overview.now.failed_photos) == (1, 1)
    session.jobs.indexing.rescan()
    settle()
    assert (session.overview.now.failed, session.overview.now.failed_photos) == (0, 0)


def test_a_closed_session_without_a_window_is_deleted_by_the_event_loop(qtbot: QtBot, library_folder: Path) -> None:
    session = Session(Library.open(library_folder))
    session.close()
    assert isValid(session)
    qtbot.waitUntil(lambda: not isValid(session), timeout=60_000)
