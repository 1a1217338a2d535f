# SPDX-License-Identifier: MIT
"""Review, "Ask me next" and Duplicates in a part of the library, and the choice of tags."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from focal_photos.browser.catalog.library import Library
from focal_photos.browser.models.photos.scope import Scope
from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.models.session import Session
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from tests.browser.copies import copied
from tests.browser.models.conftest import Settle
from tests.browser.operations.album import Album

KINDS = ("warm", "cold", "green")


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Album]:
    """Two folders, summer and winter, with six photos of each of three kinds."""
    folder, album = tmp_path_factory.mktemp("limited") / "library", Album(tmp_path_factory.mktemp("photos"))
    for place in ("summer", "winter"):
        for kind in KINDS:
            for number in range(6):
                album.draw(f"{place}/{kind}-{number}.jpg", kind=kind)
    album.index(folder, ["color_moments", "gabor"])
    return folder, album


@pytest.fixture
def session(qtbot: QtBot, indexed: tuple[Path, Album], tmp_path: Path) -> Iterator[Session]:
    session = Session(Library.open(copied(indexed[0], tmp_path / "library")))
    session.show()
    yield session
    session.close()


@pytest.fixture
def summer(indexed: tuple[Path, Album]) -> Scope:
    return Scope(Collection(folder=indexed[1].folder / "summer"))


def of(session: Session, start: str) -> list[int]:
    """Return photos whose folder and name begin with `start`."""
    ids = session.library.photos.ids().tolist()
    paths = session.library.photos.paths(ids)
    return [i for i, path in zip(ids, paths, strict=True) if f"{path.parent.name}/{path.name}".startswith(start)]


def asked(session: Session) -> set[int]:
    return {photo_id for question in session.review.questions for photo_id in question.photo_ids.tolist()}


def teach(session: Session, settle: Settle) -> None:
    for kind in ("warm", "cold"):
        session.editor.tag(of(session, f"winter/{kind}")[:3], [kind])
    settle()


@pytest.mark.slow
def test_review_asks_about_the_scope_and_trains_on_all_photos(session: Session, settle: Settle, summer: Scope) -> None:
    teach(session, settle)
    session.scope.choose(summer)
    session.review.open()
    settle()
    assert asked(session) <= set(of(session, "summer/"))
    warm = next(question for question in session.review.questions if question.tag == "warm")
    assert set(warm.photo_ids[: warm.line].tolist()) == set(of(session, "summer/warm"))
    assert (session.review.progress.photo_count, session.review.progress.untagged_count) == (18, 18)
    session.scope.clear()
    assert session.review.busy
    assert session.review.question is None, "the old question is withdrawn"
    settle()
    assert asked(session) & set(of(session, "winter/"))
    assert (session.review.progress.photo_count, session.review.progress.untagged_count) == (36, 30)


def test_photos_an_answer_removes_from_a_filter_are_asked_about_until_review_is_left(
    session: Session, settle: Settle
) -> None:
    # Photos may have several tags here, so newly tagged ones may lack another.
    for place in ("winter/warm", "winter/cold"):
        session.editor.tag(of(session, place)[:4], [place.split("/")[1], "drawn"])
    settle()
    session.scope.choose(Scope(Collection("untagged")))
    session.review.open()
    settle()
    warm = of(session, "summer/warm")
    session.editor.tag(warm, ["warm"])
    settle()
    drawn = next(question for question in session.review.questions if question.tag == "drawn")
    assert set(warm) & set(drawn.photo_ids.tolist())
    session.review.leave()
    session.review.open()
    settle()
    assert not set(warm) & asked(session)


def test_photos_added_to_the_folder_are_asked_about(session: Session, settle: Settle, tmp_path: Path) -> None:
    album = Album(tmp_path / "own")
    album.draw_many(4)
    finish(index(session.library, [album.folder], backend="threads", workers=1))
    session.scope.choose(Scope(Collection(folder=album.folder)))
    session.review.open()
    settle()
    assert session.review.progress.photo_count == 4
    album.draw("later.jpg")
    session.jobs.indexing.take_changes([album.folder / "later.jpg"])
    settle()
    assert session.review.progress.photo_count == 5
    session.review.leave()  # the current question stays
    session.review.open()
    settle()
    assert set(of(session, "own/later")) <= asked(session)


def test_ask_me_next_asks_about_the_scope(session: Session, settle: Settle, summer: Scope) -> None:
    session.scope.choose(summer)
    session.review_pages.ask_next.ask()
    session.scope.clear()
    session.review_pages.ask_next.ask()  # during the first search: the last scope is used
    settle()
    assert set(session.review_pages.ask_next.photo_ids) & set(of(session, "winter/"))
    session.scope.choose(summer)
    session.review_pages.ask_next.ask()
    settle()
    assert session.review_pages.ask_next.photo_ids
    assert set(session.review_pages.ask_next.photo_ids) <= set(of(session, "summer/"))


@pytest.mark.slow
def test_excluded_tags_are_not_asked_about_and_are_saved(session: Session, settle: Settle, qtbot: QtBot) -> None:
    teach(session, settle)
    session.review.open()
    settle()
    assert {question.tag for question in session.review.questions} - {None} == {"warm", "cold"}
    session.review_pages.question_tags.choose({"warm"}, new_kinds=False)
    settle()
    assert {question.tag for question in session.review.questions} == {"cold"}
    assert session.review_pages.question_tags.in_words() == "cold, no new kinds"
    again = Session(Library.open(session.library.path, read_only=True))
    again.show()
    qtbot.waitUntil(lambda: bool(again.review_pages.question_tags.left_out) and again.runner.idle)
    assert again.review_pages.question_tags.left_out == {"warm"}
    assert not again.review_pages.question_tags.new_kinds
    again.close()
    session.review_pages.question_tags.choose((), new_kinds=True)
    settle()
    assert session.library.settings.get("review.left_out") is None
    assert session.library.settings.get("review.new_kinds") is None


@pytest.mark.slow
def test_excluded_tags_follow_renames_and_end_with_a_merge(session: Session, settle: Settle) -> None:
    teach(session, settle)
    session.review_pages.question_tags.choose({"warm"}, new_kinds=True)
    settle()
    session.naming.rename_tag("warm", "hot")
    settle()
    assert session.review_pages.question_tags.left_out == {"hot"}
    session.editor.undo()
    settle()
    assert session.review_pages.question_tags.left_out == {"warm"}
    session.naming.merge_tags(["warm"], "cold")
    settle()
    assert session.review_pages.question_tags.left_out == frozenset(), "cold is still asked about"


def test_the_choice_of_tags_has_a_short_label(session: Session, settle: Settle) -> None:
    assert session.review_pages.question_tags.in_words() == "all"
    for number in range(9):
        session.feed.publish(session.library.tags.change([1], [f"tag {number}"]))
    settle()
    tags = session.review_pages.question_tags.tags
    for left_out, text in (
        (tags[:1], "all but tag 0"),
        (tags[2:], "tag 0, tag 1"),
        (tags[:5], "4 of 9"),
        (tags, "none"),
    ):
        session.review_pages.question_tags.choose(left_out, new_kinds=True)
        assert session.review_pages.question_tags.in_words() == text
    assert session.review_pages.question_tags.matching("G 3") == {"tag 3"}
    settle()
