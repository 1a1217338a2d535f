# SPDX-License-Identifier: MIT
from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from focal_photos.browser.catalog.facts.records import Alias, Suggestion, SuggestionState, TagSource
from focal_photos.browser.catalog.facts.tags import TagNameError
from focal_photos.browser.catalog.facts.vocabulary import Touched
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import Kind
from focal_photos.browser.catalog.store.journal import PINNED
from tests.browser.catalog.albums import enter
from tests.examples import examples


@pytest.fixture
def ids(library: Library, tmp_path: Path) -> list[int]:
    return enter(library, tmp_path, [f"{number}.jpg" for number in range(8)])


def everything(library: Library) -> list[object]:
    """Return all rows that a change of names may affect, without tag ids."""
    rows = library.database.rows
    return [
        rows("SELECT photo_id, name, source, at FROM photo_tag JOIN tag ON tag.id = tag_id ORDER BY 1, 2"),
        rows("SELECT photo_id, name, state, confidence FROM suggestion JOIN tag ON tag.id = tag_id ORDER BY 1, 2"),
        rows("SELECT photo_id, name FROM confirmed_tag JOIN tag ON tag.id = tag_id ORDER BY 1, 2"),
        library.vocabulary.aliases(),
        library.searches.all(),
        library.settings.get(PINNED),
    ]


def require_one_step(library: Library, change: Callable[[], object]) -> None:
    """Make a change and require that one undo reverts all of it and one redo restores it."""
    steps = "SELECT count(*) FROM journal WHERE undone = 0"
    before, (count,) = everything(library), library.database.row(steps) or (0,)
    change()
    after = everything(library)
    assert library.database.row(steps) == (count + 1,)
    for _ in range(2):
        library.journal.undo()
        assert everything(library) == before
        library.journal.redo()
        assert everything(library) == after
    assert library.database.check() == []


def suggest(library: Library, *pairs: tuple[int, str]) -> None:
    library.suggestions.replace_open(
        [Suggestion(photo, tag, 0.5, SuggestionState.OPEN, ()) for photo, tag in pairs], None
    )


def states(library: Library) -> set[tuple[int, str, str]]:
    return set(library.database.rows("SELECT photo_id, name, state FROM suggestion JOIN tag ON tag.id = tag_id"))


def test_a_renamed_tag_is_renamed_everywhere(library: Library, ids: list[int]) -> None:
    library.tags.change(ids[:3], ["animal/dog"])
    library.tags.change(ids[3:4], ["animal/dog/poodle", "animal/dogma"])
    suggest(library, (ids[5], "animal/dog"), (ids[6], "animal/dog/poodle"))
    library.suggestions.reject([(ids[6], "animal/dog/poodle")])
    library.vocabulary.add_alias("Hund", "animal/dog")
    library.settings.set(PINNED, ["sea", "animal/dog", "animal/dog/poodle"])
    library.searches.save("Dogs", 'TAG:Animal/DOG -suggested:"animal/dog/poodle" animal/dog tag:animal')

    require_one_step(library, lambda: library.vocabulary.rename("animal/dog", "pet"))

    assert [(tag.name, tag.count) for tag in library.tags.all()] == [
        ("animal", 1),
        ("animal/dogma", 1),
        ("pet", 4),
        ("pet/poodle", 1),
    ]
    assert states(library) == {(ids[5], "pet", "open"), (ids[6], "pet/poodle", "rejected")}
    assert library.vocabulary.aliases() == [Alias("Hund", "pet")]
    assert library.settings.get(PINNED) == ["sea", "pet", "pet/poodle"]
    assert [one.query for one in library.searches.all()] == ["TAG:pet -suggested:pet/poodle animal/dog tag:animal"]
    changes = library.journal.undo()
    assert changes.photo_ids >= set(ids[:4])
    assert Kind.TAGS in changes.kinds
    assert Kind.METRICS not in changes.kinds


def test_the_name_of_a_removed_tag_can_be_used(library: Library, ids: list[int]) -> None:
    library.tags.change(ids[:1], ["hound"])
    library.tags.change(ids[:1], remove=["hound"])
    library.tags.change(ids[1:3], ["dog"])
    require_one_step(library, lambda: library.vocabulary.rename("dog", "hound"))
    assert [(tag.name, tag.count) for tag in library.tags.all()] == [("hound", 2)]
    for label in ("Rename tag: dog to hound", "Tag 2 photos: dog", "Untag 1 photo: hound"):
        assert library.journal.undo().label == label
    assert library.tags.of(ids[:1]) == {ids[0]: ["hound"]}
    assert library.tags.all()[0].name == "hound"


def test_undo_restores_a_name_reused_meanwhile(library: Library, ids: list[int]) -> None:
    library.tags.change(ids[:2], ["dog"])
    library.vocabulary.rename("dog", "hound")
    library.tags.change(ids[3:4], ["dog"])
    library.journal.undo()
    library.journal.undo()
    assert library.tags.of([ids[0], ids[3]]) == {ids[0]: ["dog"], ids[3]: []}
    library.journal.redo()
    library.journal.redo()
    assert library.tags.of([ids[0], ids[3]]) == {ids[0]: ["hound"], ids[3]: ["dog"]}
    assert library.database.check() == []


def test_names_may_change_in_case_and_level(library: Library, ids: list[int]) -> None:
    library.tags.change(ids[:2], ["a/b"])
    library.tags.change(ids[2:3], ["a/b/b"])
    require_one_step(library, lambda: library.vocabulary.rename("a/b", "a"))
    assert library.tags.of(ids[:3]) == {ids[0]: ["a"], ids[1]: ["a"], ids[2]: ["a/b"]}
    require_one_step(library, lambda: library.vocabulary.rename("a/b", "A"))
    assert library.tags.of([ids[2]]) == {ids[2]: ["A"]}


@pytest.mark.parametrize("new", ["sea", "dog/big", "", "a,b"])
def test_impossible_names_are_refused(library: Library, ids: list[int], new: str) -> None:
    library.tags.change(ids[:1], ["dog", "sea/deep"])
    before = everything(library)
    with pytest.raises(TagNameError):
        library.vocabulary.rename("dog", new)
    assert everything(library) == before
    with pytest.raises(TagNameError, match="no tag"):
        library.vocabulary.rename("nothing", "new")


@pytest.mark.parametrize("more_in", ["dog", "hound"])
def test_merging_joins_photos_answers_and_names(library: Library, ids: list[int], more_in: str) -> None:
    library.tags.change(ids[:1], ["dog", "hound"], TagSource.IMPORT)
    library.tags.change(ids[1:2], ["dog", "dog/poodle"])
    library.tags.change(ids[2:3], ["hound"])
    library.tags.change(ids[3:5], [more_in])
    suggest(library, (ids[5], "dog"), (ids[6], "hound"), (ids[7], "dog"), (ids[7], "hound"), (ids[2], "dog"))
    library.suggestions.reject([(ids[7], "hound")])
    library.vocabulary.add_alias("Hund", "dog")
    library.settings.set(PINNED, ["hound", "dog", "sea"])
    library.searches.save("One", "-tag:dog")

    require_one_step(library, lambda: library.vocabulary.merge(["dog"], "hound"))

    assert [(tag.name, tag.count) for tag in library.tags.all()] == [("hound", 5), ("hound/poodle", 1)]
    assert states(library) == {
        (ids[5], "hound", "open"),
        (ids[6], "hound", "open"),
        (ids[7], "hound", "rejected"),
    }
    assert library.vocabulary.aliases() == [Alias("Hund", "hound")]
    assert library.settings.get(PINNED) == ["hound", "", "sea"]
    assert library.searches.all()[0].query == "-tag:hound"


def test_nested_tags_can_be_merged(library: Library, ids: list[int]) -> None:
    library.tags.change(ids[:1], ["a"])
    library.tags.change(ids[1:2], ["a/b"])
    library.tags.change(ids[2:3], ["a/b/c", "c"])
    library.tags.change(ids[3:4], ["a/c"])
    require_one_step(library, lambda: library.vocabulary.merge(["a", "a/b"], "c"))
    assert {tag.name: tag.count for tag in library.tags.all()} == {"c": 4, "c/c": 2}
    with pytest.raises(TagNameError, match="itself"):
        library.vocabulary.merge(["c"], "c/c")


def test_parents_of_a_given_tag_are_no_longer_suggested(library: Library, ids: list[int]) -> None:
    library.tags.change(ids[:1], ["dog"])
    library.tags.change(ids[1:2], ["animal"])
    suggest(library, (ids[0], "animal"), (ids[2], "animal"))
    require_one_step(library, lambda: library.vocabulary.rename("dog", "animal/dog"))
    assert states(library) == {(ids[2], "animal", "open")}


def test_deleting_a_tag_removes_all_its_records(library: Library, ids: list[int]) -> None:
    library.tags.change(ids[:2], ["animal/dog", "sea"])
    library.tags.change(ids[2:3], ["animal/dog/poodle", "animals"])
    suggest(library, (ids[4], "animal/dog"), (ids[5], "animal/dog/poodle"), (ids[5], "sea"))
    library.suggestions.reject([(ids[5], "animal/dog/poodle")])
    library.vocabulary.add_alias("Hund", "animal/dog")
    library.settings.set(PINNED, ["animal/dog", "sea"])
    library.searches.save("Dogs", "tag:ANIMAL/dog/poodle")
    library.searches.save("Sea", "tag:sea tag:animal")
    assert library.vocabulary.touched(["animal"]) == Touched(
        ("animal/dog", "animal/dog/poodle"), 3, 1, 1, (1,), ("Dogs", "Sea"), ("Hund",)
    )
    assert library.vocabulary.touched(["animal/dog/poodle"]).photos == 1

    require_one_step(library, lambda: library.vocabulary.delete(["animal"]))

    assert [tag.name for tag in library.tags.all()] == ["animals", "sea"]
    assert states(library) == {(ids[5], "sea", "open")}
    assert library.vocabulary.aliases() == []
    assert library.settings.get(PINNED) == ["", "sea"]
    assert len(library.searches.all()) == 2
    with pytest.raises(TagNameError):
        library.vocabulary.delete(["sea", "animal"])
    assert library.vocabulary.touched(["sea"]).photos == 2


def test_an_alternative_name_gives_the_tag(library: Library, ids: list[int]) -> None:
    library.tags.change(ids[:1], ["animal/dog"])
    require_one_step(library, lambda: library.vocabulary.add_alias(" Hund ", "animal/dog"))
    library.tags.change(ids[1:2], ["Hund", "animal/dog"])
    library.tags.give({ids[2]: ["Hund"]}, TagSource.IMPORT)
    assert set(library.photos.ids("tag:hund").tolist()) == set(ids[:3])
    assert set(library.photos.ids("-tag:HUND").tolist()) == set(ids[3:])
    assert library.tags.of(ids[1:3]) == {ids[1]: ["animal/dog"], ids[2]: ["animal/dog"]}
    library.tags.change(ids[:2], remove=["Hund"])
    assert library.tags.of(ids[:2]) == {ids[0]: [], ids[1]: []}
    assert library.tags.complete("hu") == ["animal/dog"]
    library.vocabulary.remove_alias("Hund")
    library.tags.change(ids[:1], ["Hund"])
    assert library.tags.of(ids[:1]) == {ids[0]: ["Hund"]}


def test_impossible_alternative_names_are_refused(library: Library, ids: list[int]) -> None:
    library.tags.change(ids[:1], ["dog", "sea", "animal/cat"])
    library.vocabulary.add_alias("Hund", "dog")
    for alias, tag in [("sea", "dog"), ("Hund", "sea"), ("animal", "dog"), ("x", "nothing"), ("a,b", "dog")]:
        with pytest.raises(TagNameError):
            library.vocabulary.add_alias(alias, tag)
    assert not library.vocabulary.add_alias("Hund", "dog")
    library.vocabulary.add_alias("Köter", "Hund")
    assert library.vocabulary.aliases() == [Alias("Hund", "dog"), Alias("Köter", "dog")]
    with pytest.raises(TagNameError, match="another name of dog"):
        library.vocabulary.rename("sea", "Hund")
    require_one_step(library, lambda: library.vocabulary.rename("dog", "Hund"))
    assert library.vocabulary.aliases() == [Alias("Köter", "Hund")]


def test_a_search_for_two_tags_with_one_spelling_is_unchanged(library: Library, ids: list[int]) -> None:
    library.tags.change(ids[:1], ["dog"])
    library.tags.change(ids[1:2], ["Dog"])
    library.searches.save("Both", "tag:dog")
    library.vocabulary.rename("dog", "hound")
    assert library.searches.all()[0].query == "tag:dog"
    library.vocabulary.rename("Dog", "hound/small")
    assert library.searches.all()[0].query == "tag:hound/small"


NAMES = st.sampled_from(["a", "a/b", "a/b/c", "b", "b/c", "c", "a/c"])


@settings(
    max_examples=examples(60),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.tuples(st.integers(0, 3), NAMES), max_size=12), st.lists(st.tuples(NAMES, NAMES), max_size=4))
def test_merging_equals_the_union_of_sets(
    library: Library, ids: list[int], given_tags: list[tuple[int, str]], moves: list[tuple[str, str]]
) -> None:
    library.tags.change(ids, remove=["a", "a/b", "a/b/c", "b", "b/c", "c", "a/c", "b/b", "c/c", "c/b", "b/b/c"])
    for tag in library.tags.all():
        library.vocabulary.delete([tag.name for tag in library.tags.all() if "/" not in tag.name])
        break
    plain: dict[int, set[str]] = {photo: set() for photo in ids[:4]}
    for photo, name in given_tags:
        library.tags.change([ids[photo]], [name])
        plain[ids[photo]].add(name)
    done = 0
    for name, into in moves:
        carried = any(tag == name or tag.startswith(name + "/") for tags in plain.values() for tag in tags)
        if not carried or into.startswith(name + "/") or into == name:
            continue
        library.vocabulary.merge([name], into)
        done += 1
        plain = {
            photo: {into + tag[len(name) :] if tag == name or tag.startswith(name + "/") else tag for tag in tags}
            for photo, tags in plain.items()
        }
        assert library.tags.of(plain) == {photo: sorted(tags) for photo, tags in plain.items()}
    for _ in range(done):
        library.journal.undo()
    assert library.tags.of(ids[:4]) == {
        photo: sorted({name for number, name in given_tags if ids[number] == photo}) for photo in ids[:4]
    }


def test_any_three_moves_can_be_undone(library: Library, ids: list[int]) -> None:
    library.tags.change(ids[:2], ["x", "y/z"])
    library.tags.change(ids[2:3], ["y", "z"])
    before = everything(library)
    moves = [("x", "y/z"), ("y", "q"), ("z", "x")]
    for order in itertools.permutations(moves):
        done = 0
        for name, into in order:
            try:
                done += bool(library.vocabulary.merge([name], into))
            except TagNameError:
                continue
        for _ in range(done):
            library.journal.undo()
        assert everything(library) == before


def confirm(library: Library, photo: int, tag: str) -> None:
    (number,) = library.database.row("SELECT id FROM tag WHERE name = ?", (tag,)) or (0,)
    with library.journal.action("Confirm") as action:
        action.put("confirmed_tag", {"photo_id": photo, "tag_id": number}, {"at": "2024-01-01T00:00:00.000000"})


def test_confirmations_follow_their_tags(library: Library, ids: list[int]) -> None:
    library.tags.change(ids[:2], ["dog"])
    library.tags.change(ids[1:4], ["hound"])
    for photo, tag in ((ids[0], "dog"), (ids[1], "dog"), (ids[1], "hound")):
        confirm(library, photo, tag)
    rows = "SELECT photo_id, name FROM confirmed_tag JOIN tag ON tag.id = tag_id ORDER BY 1"
    require_one_step(library, lambda: library.vocabulary.merge(["dog"], "hound"))
    assert library.database.rows(rows) == [(ids[0], "hound"), (ids[1], "hound")]
    require_one_step(library, lambda: library.vocabulary.delete(["hound"]))
    assert library.database.rows(rows) == []


def test_a_new_name_is_quoted_in_searches(library: Library, ids: list[int]) -> None:
    library.tags.change(ids[:1], ["dog"])
    library.tags.change(ids[:2], ["sea"])
    library.searches.save("Both", "(tag:dog or -tag:dog) tag:sea")
    library.vocabulary.rename("dog", "my dog (old)")
    query = library.searches.all()[0].query
    assert query == '(tag:"my dog (old)" or -tag:"my dog (old)") tag:sea'
    assert library.photos.ids(query).tolist() == ids[:2]
