# SPDX-License-Identifier: MIT
"""Boxes of photos in the catalogue, and the tags that name them."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focal_photos.browser.catalog.facts.learning.boxes import BoxError
from focal_photos.browser.catalog.facts.records import Region, Root, Suggestion, SuggestionState, TagSource
from focal_photos.browser.catalog.facts.tags import TagNameError
from focal_photos.browser.catalog.library import Library, UnknownPhotoError
from focal_photos.browser.catalog.store.changes import Kind
from tests.browser.catalog.albums import enter, found
from tests.examples import examples

LEFT, RIGHT = Region(0.0, 0.0, 0.5, 1.0), Region(0.5, 0.25, 1.0, 0.75)


def _named(library: Library) -> list[tuple[int, str | None]]:
    return [(box.photo_id, box.tag) for box in library.boxes.all()]


def test_boxes_are_drawn_and_name_their_photos(library: Library, photos: list[int]) -> None:
    a, b, *_ = photos
    changes = library.boxes.add([(b, LEFT, "dog"), (a, RIGHT, None), (b, RIGHT, "dog")])
    assert changes.kinds == {Kind.BOXES, Kind.TAGS}
    assert changes.photo_ids == {a, b}
    assert str(changes.label) == "Draw 3 boxes: dog"
    assert library.tags.of([a, b]) == {a: [], b: ["dog"]}
    found = library.boxes.of([b, b, photos[4]])
    assert list(found) == [b]
    assert [(box.id, box.photo_id, box.region, box.tag, box.source, box.uncertain) for box in found[b]] == [
        (1, b, LEFT, "dog", TagSource.HAND, False),
        (3, b, RIGHT, "dog", TagSource.HAND, False),
    ]
    assert library.boxes.count() == 3
    assert library.journal.undo() == changes
    assert library.boxes.all() == []
    assert library.tags.all() == []
    assert library.journal.redo() == changes
    assert _named(library) == [(b, "dog"), (a, None), (b, "dog")]
    assert not library.boxes.add([])
    assert str(library.boxes.add([(a, LEFT, None)], TagSource.IMPORT).label) == "Draw 1 box"
    assert library.boxes.of([a])[a][1].source is TagSource.IMPORT


def test_a_number_is_not_given_again(library: Library, photos: list[int]) -> None:
    library.boxes.add([(photos[0], LEFT, None)])
    library.boxes.remove([1])
    library.boxes.add([(photos[0], LEFT, None)])
    assert [box.id for box in library.boxes.all()] == [2]
    library.journal.undo()
    library.journal.undo()
    assert [box.id for box in library.boxes.all()] == [1]


def test_the_last_box_of_a_tag_takes_it_along(library: Library, photos: list[int]) -> None:
    a, b, *_ = photos
    library.tags.change([b], ["dog"])
    library.boxes.add([(a, LEFT, "dog"), (a, RIGHT, "dog"), (b, LEFT, "dog")])
    changes = library.boxes.remove([1, 3])
    assert changes.kinds == {Kind.BOXES}
    assert library.tags.of([a, b]) == {a: ["dog"], b: ["dog"]}
    changes = library.boxes.name([2], None)
    assert str(changes.label) == "Remove the name of 1 box"
    assert changes.kinds == {Kind.BOXES, Kind.TAGS}
    assert library.tags.of([a, b]) == {a: [], b: ["dog"]}
    library.journal.undo()
    assert library.tags.of([a]) == {a: ["dog"]}
    assert str(library.boxes.name([2], "cat").label) == "Name 1 box: cat"
    assert library.tags.of([a]) == {a: ["cat"]}
    assert not library.boxes.name([2], "cat")


def test_a_box_takes_the_tag_of_an_alias_and_settles_suggestions(library: Library, photos: list[int]) -> None:
    a, b, *_ = photos
    library.tags.change([b], ["dog"])
    library.vocabulary.add_alias("Hund", "dog")
    library.suggestions.replace_open([Suggestion(a, "dog", 0.5, SuggestionState.OPEN, ())], None)
    library.boxes.add([(a, LEFT, "Hund")])
    assert _named(library) == [(a, "dog")]
    assert library.tags.of([a]) == {a: ["dog"]}
    assert library.suggestions.open() == []


def test_removing_a_tag_removes_the_name(library: Library, photos: list[int]) -> None:
    a, b, *_ = photos
    library.boxes.add([(a, LEFT, "dog"), (a, RIGHT, "cat"), (b, LEFT, "dog")])
    changes = library.tags.change([a], remove=["dog"])
    assert changes.kinds == {Kind.BOXES, Kind.TAGS}
    assert _named(library) == [(a, None), (a, "cat"), (b, "dog")]
    library.tags.change([a], ["dog"])
    assert _named(library)[0] == (a, None)
    library.vocabulary.delete(["cat", "dog"])
    assert _named(library) == [(a, None), (a, None), (b, None)]
    library.journal.undo()
    assert _named(library) == [(a, None), (a, "cat"), (b, "dog")]


def test_rejecting_an_accepted_suggestion_removes_the_name(library: Library, photos: list[int]) -> None:
    library.suggestions.accept([(photos[0], "dog")])
    library.boxes.add([(photos[0], LEFT, "dog")])
    library.suggestions.reject([(photos[0], "dog")])
    assert _named(library) == [(photos[0], None)]
    library.journal.undo()
    assert _named(library) == [(photos[0], "dog")]


def test_renaming_and_merging_tags_renames_boxes(library: Library, photos: list[int]) -> None:
    a, b, *_ = photos
    library.boxes.add([(a, LEFT, "dog"), (a, RIGHT, "hound"), (b, LEFT, "hound")])
    library.tags.change([b], ["dog"])
    changes = library.vocabulary.rename("dog", "animal/dog")
    assert changes.kinds == {Kind.BOXES, Kind.TAGS}
    assert changes.photo_ids == {a, b}
    assert _named(library) == [(a, "animal/dog"), (a, "hound"), (b, "hound")]
    library.vocabulary.merge(["hound"], "animal/dog")
    assert _named(library) == [(a, "animal/dog"), (a, "animal/dog"), (b, "animal/dog")]
    library.boxes.remove([1])
    assert library.tags.of([a]) == {a: ["animal/dog"]}
    library.boxes.remove([2, 3])
    assert library.tags.of([a, b]) == {a: [], b: ["animal/dog"]}, "b was tagged by hand"


def test_a_box_is_moved(library: Library, photos: list[int]) -> None:
    library.boxes.add([(photos[0], LEFT, "dog")])
    before = library.boxes.all()[0].at
    changes = library.boxes.move(1, RIGHT)
    assert changes.kinds == {Kind.BOXES}
    assert changes.photo_ids == {photos[0]}
    (box,) = library.boxes.all()
    assert (box.region, box.tag, box.at > before) == (RIGHT, "dog", True)
    assert not library.boxes.move(1, RIGHT)
    library.journal.undo()
    assert library.boxes.all()[0].region == LEFT


@pytest.mark.parametrize(
    "region",
    [
        Region(-0.1, 0, 1, 1),
        Region(0, 0, 1.1, 1),
        Region(0.5, 0, 0.5, 1),
        Region(0, 0.6, 1, 0.4),
        Region(0, 0, float("nan"), 1),
    ],
)
def test_an_invalid_region_is_refused(library: Library, photos: list[int], region: Region) -> None:
    library.boxes.add([(photos[0], LEFT, None)])
    with pytest.raises(BoxError, match="inside the photo"):
        library.boxes.add([(photos[0], LEFT, "dog"), (photos[0], region, None)])
    with pytest.raises(BoxError, match="inside the photo"):
        library.boxes.move(1, region)
    assert _named(library) == [(photos[0], None)]
    assert library.tags.all() == []


def test_unknown_boxes_photos_and_invalid_names_are_refused(library: Library, photos: list[int]) -> None:
    library.boxes.add([(photos[0], LEFT, None)])
    with pytest.raises(BoxError, match="no box with the number 7"):
        library.boxes.move(7, LEFT)
    with pytest.raises(BoxError, match="no box with the number 7"):
        library.boxes.remove([1, 7])
    with pytest.raises(BoxError):
        library.boxes.name([7], "dog")
    with pytest.raises(TagNameError):
        library.boxes.name([1], "a,b")
    with pytest.raises(TagNameError):
        library.boxes.add([(photos[0], LEFT, "")])
    with pytest.raises(UnknownPhotoError):
        library.boxes.add([(999, LEFT, "dog")])
    assert _named(library) == [(photos[0], None)]
    assert library.tags.all() == []


# ---------------------------------------------------------------------- edited photos
@pytest.fixture
def root(library: Library, album: Path) -> Root:
    return library.roots.add(album)


def _drawn_on(library: Library, root: Root) -> int:
    (photo,) = library.files.record([found(root, "a.jpg", b"one")]).new
    library.photos.set_descriptions([(photo, 640, 480, None)])
    library.boxes.add([(photo, LEFT, "dog")])
    return photo


@pytest.mark.parametrize(("size", "uncertain"), [((640, 480), False), ((480, 640), True), ((320, 240), True)])
def test_a_box_is_uncertain_after_an_edit_to_another_size(
    library: Library, root: Root, size: tuple[int, int], uncertain: bool
) -> None:
    photo = _drawn_on(library, root)
    library.files.record([found(root, "a.jpg", b"two", 2)])
    assert not library.boxes.all()[0].uncertain, "the size is not yet known"
    library.photos.set_descriptions([(photo, *size, None)])
    assert library.boxes.all()[0].uncertain == uncertain
    assert bool(library.boxes.move(1, LEFT)) == uncertain, "the user confirms the place"
    assert not library.boxes.all()[0].uncertain


def test_an_edited_copy_of_a_photo_has_copies_of_its_boxes(library: Library, root: Root) -> None:
    photo = _drawn_on(library, root)
    library.files.record([found(root, "copy.jpg", b"one")])
    (other,) = library.files.record([found(root, "copy.jpg", b"edited", 2)]).new
    assert _named(library) == [(photo, "dog"), (other, "dog")]
    library.boxes.remove([2])
    assert library.tags.of([photo, other]) == {photo: ["dog"], other: []}


# ---------------------------------------------------------------------- a plain model
NAMES = ("a", "a/b", "b", "c")
REGIONS = (LEFT, RIGHT, Region(0.25, 0.25, 0.75, 0.75))


@dataclass
class Model:
    """Tags that photos carry independently of boxes, and boxes: photo, region and name."""

    own: set[tuple[int, str]] = field(default_factory=set)
    boxes: dict[int, tuple[int, Region, str | None]] = field(default_factory=dict)

    def carried(self) -> set[tuple[int, str]]:
        return self.own | {(photo, tag) for photo, _, tag in self.boxes.values() if tag is not None}

    def rename(self, names: dict[str, str]) -> None:
        self.own = {(photo, names.get(tag, tag)) for photo, tag in self.own}
        self.boxes = {
            number: (photo, region, names.get(tag or "", tag)) for number, (photo, region, tag) in self.boxes.items()
        }

    def remove(self, pairs: set[tuple[int, str]]) -> None:
        self.own -= pairs
        self.boxes = {
            number: (photo, region, None if (photo, tag) in pairs else tag)
            for number, (photo, region, tag) in self.boxes.items()
        }

    def below(self, name: str) -> set[str]:
        return {tag for _, tag in self.carried() if tag == name or tag.startswith(name + "/")}


def _is_equal(library: Library, ids: list[int], model: Model) -> None:
    boxes = {box.id: (ids.index(box.photo_id), box.region, box.tag) for box in library.boxes.all()}
    assert boxes == model.boxes
    tags = {(ids.index(photo), tag) for photo, names in library.tags.of(ids).items() for tag in names}
    assert tags == model.carried()
    bringing = library.database.rows(
        "SELECT photo_id, name FROM box JOIN tag ON tag.id = tag_id WHERE brought_tag ORDER BY 1, 2"
    )
    expected = {(photo, tag) for photo, _, tag in model.boxes.values() if tag is not None} - model.own
    assert bringing == sorted((ids[photo], tag) for photo, tag in expected), "one box for each tag"


PHOTO, NAME, MAYBE = st.integers(0, 2), st.sampled_from(NAMES), st.sampled_from((*NAMES, None))
STEPS = st.one_of(
    st.tuples(st.just("add"), st.lists(st.tuples(PHOTO, st.sampled_from(REGIONS), MAYBE), min_size=1, max_size=3)),
    st.tuples(st.just("move"), st.integers(0, 9), st.sampled_from(REGIONS)),
    st.tuples(st.just("name"), st.sets(st.integers(0, 9), min_size=1, max_size=3), MAYBE),
    st.tuples(st.just("remove"), st.sets(st.integers(0, 9), min_size=1, max_size=3)),
    st.tuples(st.just("tag"), PHOTO, NAME),
    st.tuples(st.just("untag"), PHOTO, NAME),
    st.tuples(st.just("merge"), NAME, NAME),
    st.tuples(st.just("delete"), NAME),
    st.tuples(st.sampled_from(("undo", "redo"))),
)


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Library, list[int]]]:
    folder = tmp_path_factory.mktemp("boxes")
    with Library.open(folder / "library") as library:
        yield library, enter(library, folder, ["a.jpg", "b.jpg", "c.jpg"])


@settings(max_examples=examples(300), deadline=None)
@given(st.lists(STEPS, max_size=14))
def test_boxes_and_tags_follow_a_plain_model(three: tuple[Library, list[int]], steps: list[tuple]) -> None:  # type: ignore[type-arg]
    library, ids = three
    library.boxes.remove([box.id for box in library.boxes.all()])
    library.vocabulary.delete([tag.name for tag in library.tags.all() if "/" not in tag.name])
    model = Model()
    done, undone = [deepcopy(model)], []
    for kind, *rest in steps:
        if kind in ("undo", "redo"):
            if kind == "undo" and len(done) > 1:
                assert library.journal.undo()
                undone.append(done.pop())
            elif kind == "redo" and undone:
                assert library.journal.redo()
                done.append(undone.pop())
            model = deepcopy(done[-1])
            _is_equal(library, ids, model)
            continue
        numbers = sorted(model.boxes)
        chosen = [numbers[one] for one in sorted(rest[0]) if one < len(numbers)] if kind in ("name", "remove") else []
        if kind == "add":
            changes = library.boxes.add([(ids[photo], region, tag) for photo, region, tag in rest[0]])
            new = sorted({box.id for box in library.boxes.all()} - set(numbers))
            model.boxes |= dict(zip(new, rest[0], strict=True))
        elif kind == "move" and rest[0] < len(numbers):
            photo, _, tag = model.boxes[numbers[rest[0]]]
            changes = library.boxes.move(numbers[rest[0]], rest[1])
            model.boxes[numbers[rest[0]]] = (photo, rest[1], tag)
        elif kind == "name":
            changes = library.boxes.name(chosen, rest[1])
            model.boxes |= {number: (*model.boxes[number][:2], rest[1]) for number in chosen}
        elif kind == "remove":
            changes = library.boxes.remove(chosen)
            model.boxes = {number: box for number, box in model.boxes.items() if number not in chosen}
        elif kind == "tag":
            changes = library.tags.change([ids[rest[0]]], [rest[1]])
            model.own |= {(rest[0], rest[1])} - model.carried()
        elif kind == "untag":
            changes = library.tags.change([ids[rest[0]]], remove=[rest[1]])
            model.remove({(rest[0], rest[1])})
        elif kind == "merge" and model.below(rest[0]) and rest[0] != rest[1] and not rest[1].startswith(rest[0] + "/"):
            changes = library.vocabulary.merge([rest[0]], rest[1])
            model.rename({tag: rest[1] + tag[len(rest[0]) :] for tag in model.below(rest[0])})
        elif kind == "delete" and model.below(rest[0]):
            changes = library.vocabulary.delete([rest[0]])
            model.remove({(photo, tag) for photo in range(3) for tag in model.below(rest[0])})
        else:
            continue
        assert bool(changes) == (model != done[-1])
        if changes:
            done.append(deepcopy(model))
            undone = []
        _is_equal(library, ids, model)
    for state in reversed(done[:-1]):
        library.journal.undo()
        _is_equal(library, ids, state)
    for state in done[1:]:
        library.journal.redo()
        _is_equal(library, ids, state)
    assert library.database.check() == []


# ---------------------------------------------------------------------- rejected boxes
def _rejected(library: Library) -> list[tuple[int, Region, str]]:
    return [(box.photo_id, box.region, box.tag) for box in library.boxes.rejected()]


def test_boxes_are_rejected_and_allowed_again(library: Library, photos: list[int]) -> None:
    a, b, *_ = photos
    library.tags.change([a], ["fox"])
    changes = library.boxes.reject([(a, LEFT, "fox"), (b, RIGHT, "owl"), (a, LEFT, "fox")])
    assert changes.kinds == {Kind.BOXES}
    assert changes.photo_ids == {a, b}
    assert str(changes.label) == "Reject 2 boxes: fox, owl"
    assert _rejected(library) == [(a, LEFT, "fox"), (b, RIGHT, "owl")]
    assert library.tags.of([a, b]) == {a: ["fox"], b: []}
    assert library.boxes.all() == []
    assert not library.boxes.reject([(a, LEFT, "fox")])
    first, second = library.boxes.rejected()
    allowed = library.boxes.allow([first.id])
    assert str(allowed.label) == "Allow 1 box"
    assert library.boxes.rejected() == [second]
    assert library.journal.undo() == allowed
    assert library.journal.undo() == changes
    assert library.boxes.rejected() == []
    library.journal.redo()
    assert library.boxes.rejected() == [first, second]
    with pytest.raises(BoxError, match="There is no rejected box with the number 99"):
        library.boxes.allow([second.id, 99])
    with pytest.raises(BoxError):
        library.boxes.reject([(a, Region(0.5, 0.0, 0.5, 1.0), "fox")])
    with pytest.raises(UnknownPhotoError):
        library.boxes.reject([(99, LEFT, "fox")])
    with pytest.raises(TagNameError):
        library.boxes.reject([(a, LEFT, " ")])
    assert library.boxes.rejected() == [first, second]


def test_rejected_boxes_follow_their_tags(library: Library, photos: list[int]) -> None:
    a, b, c, *_ = photos
    library.tags.change([a, b, c], ["fox", "owl"])
    library.vocabulary.add_alias("Fuchs", "fox")
    library.boxes.reject([(a, LEFT, "Fuchs"), (b, LEFT, "fox"), (b, LEFT, "owl")])
    changes = library.vocabulary.rename("fox", "animal/fox")
    assert Kind.BOXES in changes.kinds
    assert _rejected(library) == [(a, LEFT, "animal/fox"), (b, LEFT, "animal/fox"), (b, LEFT, "owl")]
    library.vocabulary.merge(["owl"], "animal/fox")
    assert sorted(_rejected(library), key=repr) == [(a, LEFT, "animal/fox"), (b, LEFT, "animal/fox")]
    library.journal.undo()
    assert _rejected(library)[2] == (b, LEFT, "owl")
    library.tags.change([a, b, c], [], ["owl"])
    assert len(_rejected(library)) == 3, "a rejection does not need a photo with the tag"
    library.vocabulary.rename("animal/fox", "owl")
    assert sorted(_rejected(library), key=repr) == [(a, LEFT, "owl"), (b, LEFT, "owl")]
    library.journal.undo()
    library.journal.undo()
    library.vocabulary.delete(["animal/fox"])
    assert _rejected(library) == [(b, LEFT, "owl")]
    library.journal.undo()
    assert len(_rejected(library)) == 3


def test_a_new_copy_of_a_photo_gets_its_rejected_boxes(library: Library, root: Root) -> None:
    """A duplicate that is edited becomes a separate photo, with copies of them."""
    (photo,) = library.files.record([found(root, "a.jpg", b"one")]).new
    library.files.record([found(root, "copy.jpg", b"one")])
    library.boxes.reject([(photo, LEFT, "fox")])
    (copy,) = library.files.record([found(root, "copy.jpg", b"edited", 2)]).new
    assert _rejected(library) == [(photo, LEFT, "fox"), (copy, LEFT, "fox")]
