# SPDX-License-Identifier: MIT
"""Answers to a review question: tags and rejections in one undo step."""

from __future__ import annotations

import pytest

from focal_photos.browser.catalog.facts.records import SuggestionState
from focal_photos.browser.catalog.facts.tags import TagNameError
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.photos.forget_folder import forget_folder
from focal_photos.browser.operations.tagging.answer import answer
from tests.browser.operations.album import Album


def test_an_answer_is_one_step(indexed: Library) -> None:
    ids = indexed.photos.ids("").tolist()
    indexed.tags.change(ids[5:6], ["sea"])
    before = indexed.journal.undo_label()
    changes = answer(indexed, "sea", ids[:2], ids[2:3])
    assert changes.photo_ids == set(ids[:3])
    assert [indexed.tags.of([i])[i] for i in ids[:4]] == [["sea"], ["sea"], [], []]
    assert indexed.suggestions.rejected_pairs() == {(ids[2], "sea")}
    assert indexed.journal.undo_label() == "Review sea: 2 photos, not 1"
    indexed.journal.undo()
    assert [indexed.tags.of([i])[i] for i in ids[:4]] == [[], [], [], []]
    assert not indexed.suggestions.rejected_pairs()
    assert indexed.journal.undo_label() == before
    indexed.journal.redo()
    assert indexed.tags.of(ids[:1]) == {ids[0]: ["sea"]}
    assert indexed.suggestions.rejected_pairs() == {(ids[2], "sea")}


def test_a_typed_name_counts_as_given_by_hand(indexed: Library) -> None:
    ids = indexed.photos.ids("").tolist()
    answer(indexed, "  sea ", ids[:2], [], named=True)
    assert indexed.tags.recent() == ["sea"]
    answer(indexed, "boat", ids[2:3], [])
    assert indexed.tags.recent() == ["sea"], "an accepted suggestion is not a recent tag"
    states = [each.state for each in indexed.suggestions.of(ids[2:3], None)[ids[2]]]
    assert states == [SuggestionState.ACCEPTED]


def test_a_rejected_new_kind_leaves_no_trace(indexed: Library) -> None:
    ids = indexed.photos.ids("").tolist()
    assert not answer(indexed, "sea", [], ids[:3], named=True).kinds
    assert not indexed.suggestions.rejected_pairs()
    assert not answer(indexed, "sea", [], []).kinds
    assert indexed.journal.undo_label() is None


def test_a_tag_rejected_for_all_photos_is_recorded(indexed: Library) -> None:
    ids = indexed.photos.ids("").tolist()
    answer(indexed, "sea", [], ids[:2])
    assert indexed.suggestions.rejected_pairs() == {(ids[0], "sea"), (ids[1], "sea")}
    assert indexed.journal.undo_label() == "Review sea: not 2"


def test_an_invalid_tag_name_changes_nothing(indexed: Library) -> None:
    ids = indexed.photos.ids("").tolist()
    with pytest.raises(TagNameError):
        answer(indexed, "a;b", ids[:2], ids[2:3], named=True)
    assert indexed.journal.undo_label() is None


def test_photos_of_a_folder_removed_in_the_meantime_are_left_out(indexed: Library, album: Album) -> None:
    ids = indexed.photos.ids("").tolist()
    forget_folder(indexed, album.folder)
    assert not answer(indexed, "sea", ids[:2], ids[2:3]).kinds
    assert not indexed.suggestions.rejected_pairs()
