# SPDX-License-Identifier: MIT
"""The scope of pages: a folder, a filter or a selection in Browse, or the whole library."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from focal_photos.browser.catalog.facts.order import Order
from focal_photos.browser.models.photos.scope import Scope
from focal_photos.browser.models.photos.trail import Collection
from focal_photos.browser.models.session import Session
from tests.browser.models.conftest import Settle


def folder_of(session: Session, photo_id: int) -> Path:
    return session.library.photos.get([photo_id])[0].path.parent


def ids(session: Session) -> list[int] | None:
    found = session.scope.scope.ids(session.library)
    return None if found is None else found.tolist()


def test_all_photos_are_the_whole_library(session: Session, settle: Settle) -> None:
    session.navigator.sort(Order.RANDOM)
    settle()
    session.scope.take_from_browse()
    assert session.scope.scope == Scope()
    assert session.scope.scope.whole
    assert ids(session) is None
    assert session.scope.scope.label == "the whole library"


def test_a_scope_is_limited_by_folder_and_filter(session: Session, settle: Settle) -> None:
    folder = folder_of(session, 1)
    here = session.library.photos.listed("", folder).tolist()
    session.navigator.show_folder(folder)
    settle()
    session.scope.take_from_browse()
    assert ids(session) == sorted(here)
    assert session.scope.scope.label == f"folder: {folder.name}"
    session.library.tags.change(here[:2], ["reef"])
    session.navigator.set_query("tag:reef")
    settle()
    session.scope.take_from_browse()
    assert ids(session) == sorted(here[:2])
    assert session.scope.scope.label == f"folder: {folder.name}, filter: tag:reef"


def test_the_scope_of_a_ranking_is_its_photos(session: Session, settle: Settle) -> None:
    folder = folder_of(session, 1)
    session.navigator.show_folder(folder)
    settle()
    session.navigator.focus(1)
    settle()
    session.scope.take_from_browse()
    assert session.scope.scope == Scope(Collection(folder=folder))


def test_a_selection_is_a_scope_unless_it_has_one_photo_or_all(session: Session, settle: Settle) -> None:
    session.navigator.select([5])
    session.scope.take_from_browse()
    assert session.scope.scope.whole
    session.navigator.select([9, 5, 7])
    session.scope.take_from_browse()
    assert ids(session) == [5, 7, 9]
    assert session.scope.scope.label == "selection: 3 photos"
    session.navigator.select(session.grid.ids.tolist())
    session.scope.take_from_browse()
    assert session.scope.scope.whole, "a selection of all photos is the whole list"


def test_a_selected_focal_image_belongs_to_the_scope(session: Session, settle: Settle) -> None:
    session.navigator.focus(3)
    settle()
    session.navigator.select([5])
    session.navigator.select_focal(True)
    session.scope.take_from_browse()
    assert ids(session) == [3, 5]


def test_a_scope_is_cleared_and_taken_again_with_one_signal_each(session: Session, settle: Settle) -> None:
    told: list[Scope] = []
    session.scope.changed.connect(lambda: told.append(session.scope.scope))
    session.navigator.select([5, 7])
    session.scope.take_from_browse()
    session.scope.take_from_browse()
    two = session.scope.scope
    session.scope.clear()
    session.scope.clear()
    session.scope.take_from_browse()
    assert told == [two, Scope(), two]


def test_the_order_of_photos_does_not_change_the_scope() -> None:
    collection = Collection("tag:sea", order=Order.RANDOM, seed=3)
    assert Scope(collection) == Scope(replace(collection, order=Order.FOLDER, seed=0))


def test_photos_found_later_by_folder_or_filter_belong_to_the_scope(session: Session, settle: Settle) -> None:
    session.library.tags.change([4], ["reef"])
    session.scope.choose(Scope(Collection("tag:reef")))
    assert ids(session) == [4]
    session.library.tags.change([8], ["reef"])
    assert ids(session) == [4, 8]


def test_a_selection_drops_removed_photos(session: Session, settle: Settle) -> None:
    session.scope.choose(Scope(Collection(among=(4, 5, 99_999))))
    assert ids(session) == [4, 5]
