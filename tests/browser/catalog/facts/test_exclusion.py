# SPDX-License-Identifier: MIT
"""Accepting a suggestion closes the suggestions that it excludes, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.records import Suggestion, SuggestionState
from focal_photos.browser.catalog.library import Library
from tests.browser.catalog.albums import enter


def suggest(library: Library, photo: int, *tags: str) -> None:
    found = [Suggestion(photo, tag, 0.5, SuggestionState.OPEN, ()) for tag in tags]
    library.suggestions.replace_open(found, 1)


def open_tags(library: Library, photo: int) -> list[str]:
    return [one.tag for one in library.suggestions.of([photo])[photo]]


def test_tags_never_combined_exclude_each_other(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:2], ["cat"])
    library.tags.change(photos[2:4], ["boat"])
    suggest(library, photos[4], "cat", "boat")
    library.suggestions.accept([(photos[4], "cat")])
    assert open_tags(library, photos[4]) == []
    assert library.suggestions.rejected_pairs() == set(), "nobody rejected boat for this photo"
    library.journal.undo()
    assert open_tags(library, photos[4]) == ["boat", "cat"], "the change is one step"


def test_tags_combined_with_others_settle_nothing(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:2], ["beach"])
    library.tags.change(photos[1:2], ["dog"])
    library.tags.change(photos[2:4], ["sunset"])
    suggest(library, photos[4], "beach", "dog", "sunset")
    library.suggestions.accept([(photos[4], "beach")])
    assert open_tags(library, photos[4]) == ["dog", "sunset"]


def test_one_photo_is_no_evidence_about_a_tag(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:1], ["cat"])
    library.tags.change(photos[2:4], ["boat"])
    suggest(library, photos[4], "cat", "boat")
    library.suggestions.accept([(photos[4], "cat")])
    assert open_tags(library, photos[4]) == ["boat"]


def test_a_tag_and_its_parent_do_not_exclude_each_other(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:2], ["animal/dog"])
    library.tags.change(photos[2:4], ["animal"])
    suggest(library, photos[4], "animal/dog", "animal")
    library.suggestions.accept([(photos[4], "animal")])
    assert open_tags(library, photos[4]) == ["animal/dog"]


def test_tags_accepted_together_do_not_exclude_each_other(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:2], ["cat"])
    library.tags.change(photos[2:4], ["boat"])
    suggest(library, photos[4], "cat", "boat")
    library.suggestions.accept([(photos[4], "cat"), (photos[4], "boat")])
    assert sorted(library.tags.of([photos[4]])[photos[4]]) == ["boat", "cat"]


@pytest.mark.parametrize(("each", "left"), [(9, ["night"]), (11, [])])
def test_frequent_tags_never_combined_exclude_each_other_among_any_others(
    library: Library, album: Path, each: int, left: list[str]
) -> None:
    ids = enter(library, album, [f"{number}.jpg" for number in range(2 * each + 1)])
    library.tags.change(ids[:each], ["day", "sea"])
    library.tags.change(ids[each:-1], ["night", "sea"])
    suggest(library, ids[-1], "day", "night")
    library.suggestions.accept([(ids[-1], "day")])
    assert open_tags(library, ids[-1]) == left
