# SPDX-License-Identifier: MIT
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from focal_photos.browser.catalog.facts.records import Suggestion, SuggestionState, Tag, TagSource
from focal_photos.browser.catalog.facts.tags import TagNameError, ancestors, normalise
from focal_photos.browser.catalog.library import Library, UnknownPhotoError


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("beach", "beach"),
        ("  two   words ", "two words"),
        (" animal / dog ", "animal/dog"),
        ("Cafe\u0301", "Café"),
        ("a\tb\nc", "a b c"),
        ("海", "海"),
        ('it\'s 100% "it" -x:y_', 'it\'s 100% "it" -x:y_'),
    ],
)
def test_names_are_normalised(typed: str, stored: str) -> None:
    assert normalise(typed) == stored


@pytest.mark.parametrize(
    "name", ["", "   ", "/", "a//b", "/a", "a/", "a, b", "a;b", "a\x00b", "a\x07b", "\udcff", "x" * 201]
)
def test_names_that_cannot_be_tags_are_refused_with_a_reason(name: str) -> None:
    with pytest.raises(TagNameError, match=":"):
        normalise(name)


@given(st.text(max_size=30))
def test_a_normalised_name_is_unchanged(text: str) -> None:
    try:
        name = normalise(text)
    except TagNameError:
        return
    assert normalise(name) == name


def test_tags_have_ancestors() -> None:
    assert ancestors("a/b/c") == ["a/b", "a"]
    assert ancestors("a") == []


def test_counts_include_child_tags_and_each_photo_once(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:3], ["animal/dog"])
    library.tags.change(photos[2:4], ["animal/cat"])
    library.tags.change(photos[4:], ["animal"])
    library.tags.change(photos[:1], ["animals/bird", "animal/dog/pug"])
    assert [(tag.name, tag.count) for tag in library.tags.all()] == [
        ("animal", 5),
        ("animal/cat", 2),
        ("animal/dog", 3),
        ("animal/dog/pug", 1),
        ("animals", 1),
        ("animals/bird", 1),
    ]


def test_a_tag_without_photos_is_removed(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:1], ["animal/dog"])
    library.tags.change(photos[:1], remove=["animal/dog"])
    assert library.tags.all() == []
    assert library.tags.complete("") == []


def test_all_is_up_to_date_after_every_change(library: Library, photos: list[int]) -> None:
    assert library.tags.all() == []
    library.tags.change(photos[:2], ["sea"])
    (sea,) = library.tags.all()
    assert sea == Tag(sea.id, "sea", 2)
    library.journal.undo()
    assert library.tags.all() == []
    with library.journal.action("x"):
        library.tags.change(photos[:1], ["sea"])
        assert library.tags.all() == [Tag(sea.id, "sea", 1)]


def test_of_returns_sorted_names_for_every_id(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:2], ["sea", "beach"])
    assert library.tags.of(np.array([photos[0], photos[0], photos[4], 999])) == {
        photos[0]: ["beach", "sea"],
        photos[4]: [],
        999: [],
    }
    assert library.tags.of([]) == {}


def test_change_adds_and_removes_in_one_step(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:2], ["sea"])
    changes = library.tags.change(photos[:3], ["beach", " beach "], ["sea", "none", "beach"])
    assert changes.label == "Change tags of 3 photos: +beach, -sea, -none"
    assert changes.photo_ids == set(photos[:3])
    assert set(map(tuple, library.tags.of(photos[:3]).values())) == {("beach",)}
    library.journal.undo()
    assert library.tags.of(photos[:3]) == {photos[0]: ["sea"], photos[1]: ["sea"], photos[2]: []}


def test_the_label_of_many_tags_is_short(library: Library, photos: list[int]) -> None:
    changes = library.tags.change(photos[:1], [f"tag {number}" for number in range(40)])
    assert changes.label == "Tag 1 photo: tag 0, tag 1, tag 2, tag 3, tag 4 and 35 more"


def test_an_existing_tag_keeps_its_source(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:1], ["sea"], source=TagSource.IMPORT)
    assert not library.tags.change(photos[:1], ["sea"])
    changes = library.tags.change(photos[:3], ["sea"])
    assert changes.label == "Tag 2 photos: sea"
    assert changes.photo_ids == set(photos[1:3])
    rows = library.database.rows("SELECT photo_id, source FROM photo_tag ORDER BY photo_id")
    assert rows == [(photos[0], "import"), (photos[1], "hand"), (photos[2], "hand")]


def test_an_empty_change_does_nothing(library: Library, photos: list[int]) -> None:
    assert not library.tags.change([], ["sea"])
    assert not library.tags.change(photos)
    assert not library.tags.change(photos, remove=["none"])
    assert library.journal.undo_label() is None


def test_unknown_photos_and_bad_names_change_nothing(library: Library, photos: list[int]) -> None:
    with pytest.raises(UnknownPhotoError, match="77"):
        library.tags.change([photos[0], 77], ["sea"])
    with pytest.raises(TagNameError):
        library.tags.change(photos, ["sea", "a,b"])
    assert library.tags.all() == []


def test_recent_returns_the_tags_last_given_by_hand(library: Library, photos: list[int]) -> None:
    for name in ("one", "two", "three", "one"):
        library.tags.change(photos[:1], remove=[name])
        library.tags.change(photos[:1], [name])
    library.tags.change(photos[:1], ["imported"], source=TagSource.IMPORT)
    assert library.tags.recent() == ["one", "three", "two"]
    assert library.tags.recent(1) == ["one"]


def test_complete_prefers_the_beginning_and_the_most_used(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:1], ["Dog", "dormouse", "animal/dog", "cat"])
    library.tags.change(photos[:3], ["dormouse"])
    assert library.tags.complete("DO") == ["dormouse", "Dog", "animal/dog"]
    assert library.tags.complete("do", limit=1) == ["dormouse"]
    assert library.tags.complete("animal/d") == ["animal/dog"]
    assert library.tags.complete("x") == []


def test_the_matrix_has_a_column_per_tag(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:2], ["animal/dog"])
    library.tags.change(photos[1:3], ["animal/cat", "sea"])
    matrix, names = library.tags.matrix([photos[4], photos[1], photos[0]])
    assert names == ["animal/cat", "animal/dog", "sea"]
    assert matrix.dtype == np.float32
    assert matrix.toarray().tolist() == [[0, 0, 0], [1, 1, 1], [0, 1, 0]]
    matrix, names = library.tags.matrix([photos[4], photos[1], photos[0]], with_ancestors=True)
    assert names == ["animal", "animal/cat", "animal/dog", "sea"]
    assert matrix.toarray().tolist() == [[0, 0, 0, 0], [1, 1, 1, 1], [1, 0, 1, 0]]
    matrix, names = library.tags.matrix([photos[4]])
    assert (matrix.shape, names) == ((1, 0), [])
    assert library.tags.matrix([])[0].shape == (0, 0)


def test_a_tag_given_by_hand_settles_its_suggestion(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:1], ["animal/dog", "animal", "sea"])
    library.suggestions.replace_open(
        [
            Suggestion(photos[1], name, 0.5, SuggestionState.OPEN, (photos[0],))
            for name in ("animal", "animal/dog", "sea")
        ],
        1,
    )
    library.suggestions.reject([(photos[1], "animal/dog")])
    changes = library.tags.change(photos[1:2], ["animal/dog"])
    assert len(changes.kinds) == 2
    assert [one.tag for one in library.suggestions.of(photos[1:2], None)[photos[1]]] == ["sea"]
    library.journal.undo()
    assert library.suggestions.rejected_pairs() == {(photos[1], "animal/dog")}
    assert [one.tag for one in library.suggestions.of(photos[1:2])[photos[1]]] == ["animal", "sea"]


# ---------------------------------------------------------------------- tags of many photos in one step
def test_each_photo_gets_its_own_tags_in_one_step(library: Library, photos: list[int]) -> None:
    a, b, c, *_ = photos
    library.tags.change([a], ["sea"])
    changes = library.tags.give({a: ["sea", " animal / dog"], b: ["sea", "sea"], c: []}, TagSource.IMPORT)
    assert (changes.label, set(changes.photo_ids)) == ("Tag 2 photos: sea, animal/dog", {a, b})
    assert library.tags.of([a, b, c]) == {a: ["animal/dog", "sea"], b: ["sea"], c: []}
    sources = library.database.rows("SELECT photo_id, source FROM photo_tag ORDER BY photo_id, tag_id")
    assert sources == [(a, "hand"), (a, "import"), (b, "import")]
    library.journal.undo()
    assert library.tags.of([a, b]) == {a: ["sea"], b: []}


def test_tags_of_some_photos_are_counted(library: Library, photos: list[int]) -> None:
    a, b, c, *_ = photos
    library.tags.give({a: ["sea", "animal/dog"], b: ["sea"], c: ["boat"]}, TagSource.IMPORT)
    assert library.tags.counts([b, a, a]) == {"animal/dog": 1, "sea": 2}
    assert library.tags.counts([]) == {}


def test_each_photo_settles_its_own_suggestions(library: Library, photos: list[int]) -> None:
    a, b, c, *_ = photos
    library.tags.change([c], ["animal", "sea"])
    tags = [(a, "animal"), (a, "sea"), (b, "animal"), (b, "sea")]
    library.suggestions.replace_open(
        [Suggestion(photo, tag, 0.5, SuggestionState.OPEN, (c,)) for photo, tag in tags], 1
    )
    library.tags.give({a: ["animal/dog"], b: ["sea"]}, TagSource.IMPORT)
    left = {photo: [one.tag for one in line] for photo, line in library.suggestions.of([a, b]).items()}
    assert left == {a: ["sea"], b: ["animal"]}


def test_giving_no_tags_or_to_no_photos_does_nothing(library: Library, photos: list[int]) -> None:
    assert not library.tags.give({}, TagSource.IMPORT)
    assert not library.tags.give({photos[0]: []}, TagSource.IMPORT)
    with pytest.raises(UnknownPhotoError, match="77"):
        library.tags.give({photos[0]: ["sea"], 77: ["sea"]}, TagSource.IMPORT)
    with pytest.raises(TagNameError):
        library.tags.give({photos[0]: ["sea"], photos[1]: ["a,b"]}, TagSource.IMPORT)
    assert library.tags.all() == []
    assert library.journal.undo_label() is None
