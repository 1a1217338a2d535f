# SPDX-License-Identifier: MIT
from __future__ import annotations

from pathlib import Path

import pytest

from focal_photos.browser.catalog.facts.records import Suggestion, SuggestionState, Verdict
from focal_photos.browser.catalog.library import Library, UndoError
from focal_photos.browser.catalog.store import journal
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind
from focal_photos.browser.catalog.store.journal import MAX_ENTRIES


def test_nothing_to_undo_gives_an_empty_change(library: Library) -> None:
    assert library.journal.undo() == ChangeSet()
    assert library.journal.redo() == ChangeSet()
    assert library.journal.undo_label() is None
    assert library.journal.redo_label() is None


def test_undo_and_redo_return_the_action_and_its_changes(library: Library, photos: list[int]) -> None:
    done = library.tags.change(photos[:2], ["beach"])
    assert done == ChangeSet("Tag 2 photos: beach", frozenset({Kind.TAGS}), frozenset(photos[:2]))
    assert library.journal.undo_label() == "Tag 2 photos: beach"
    assert library.journal.undo() == done
    assert library.tags.of(photos[:2]) == {photos[0]: [], photos[1]: []}
    assert library.journal.redo_label() == "Tag 2 photos: beach"
    assert library.journal.redo() == done
    assert library.tags.of(photos[:1]) == {photos[0]: ["beach"]}


def test_a_new_action_drops_undone_actions(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:1], ["beach"])
    library.journal.undo()
    library.tags.change(photos[:1], ["sea"])
    assert library.journal.redo_label() is None
    assert not library.journal.redo()
    assert library.tags.of(photos[:1]) == {photos[0]: ["sea"]}


def test_an_action_that_changes_nothing_leaves_no_entry_and_keeps_redo(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:1], ["beach"])
    library.tags.change(photos[1:2], ["sea"])
    library.journal.undo()
    assert not library.tags.change(photos[:1], ["beach"])
    assert library.journal.redo_label() == "Tag 1 photo: sea"


def test_a_nested_action_becomes_part_of_the_outer_one(library: Library, photos: list[int]) -> None:
    with library.journal.action("Import tags") as outer:
        inner = library.tags.change(photos[:1], ["beach"])
        library.tags.change(photos[1:2], ["sea"])
    assert inner.photo_ids == {photos[0]}
    assert outer.changes.photo_ids == set(photos[:2])
    assert library.journal.undo().label == "Import tags"
    assert library.tags.all() == []
    assert library.journal.undo_label() is None


def test_undo_restores_a_row_that_an_action_wrote_twice(library: Library, photos: list[int]) -> None:
    library.judgements.set(photos[0], [photos[1]], Verdict.SIMILAR)
    with library.journal.action("Change my mind twice"):
        library.judgements.set(photos[0], [photos[1]], None)
        library.judgements.set(photos[0], [photos[1]], Verdict.DISSIMILAR)
    library.journal.undo()
    assert library.judgements.of(photos[0]) == {photos[1]: Verdict.SIMILAR}


def test_a_failed_action_changes_nothing(library: Library, photos: list[int]) -> None:
    def fail() -> None:
        with library.journal.action("Fail"):
            library.tags.change(photos, ["beach"])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert library.tags.all() == []
    assert library.journal.undo_label() is None


def test_a_failed_inner_action_is_rolled_back_alone(library: Library, photos: list[int]) -> None:
    def fail() -> None:
        with library.journal.action("Inner"):
            library.tags.change(photos[1:2], ["sea"])
            raise ZeroDivisionError

    with library.journal.action("Outer"):
        library.tags.change(photos[:1], ["beach"])
        with pytest.raises(ZeroDivisionError):
            fail()
    assert [tag.name for tag in library.tags.all()] == ["beach"]
    library.journal.undo()
    assert library.tags.all() == []


def test_undo_and_redo_work_across_restarts(place: Path, library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:1], ["beach"])
    library.judgements.set(photos[0], photos[1:3], Verdict.DISSIMILAR)
    library.journal.undo()
    library.close()
    with Library.open(place) as again:
        assert again.journal.redo_label() == "Mark 2 photos as dissimilar"
        again.journal.redo()
        assert len(again.judgements.all()) == 2
        again.journal.undo()
        again.journal.undo()
        assert again.tags.all() == []


def test_undo_of_training_removes_the_metric_and_its_use(library: Library, photos: list[int]) -> None:
    metric, changes = library.metrics.add("kernel", "Kernel metric (v1)", "kernel-1.npz")
    assert changes.kinds == {Kind.METRICS}
    file = library.metrics.path(metric)
    assert file is not None
    file.write_bytes(b"learned")
    library.suggestions.replace_open([], metric.id, photo_ids=photos)
    assert library.journal.undo().label == "Train metric: Kernel metric (v1)"
    assert library.metrics.current().name == "euclidean"
    assert [one.name for one in library.metrics.all()] == ["euclidean"]
    assert file.read_bytes() == b"learned"
    library.journal.redo()
    assert library.metrics.current() == metric


def test_automatic_actions_are_undone_with_the_users_previous_action(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:1], ["beach"])
    library.tags.change(photos[1:2], ["sea"])
    _, changes = library.metrics.add("kernel", by_itself=True)
    second, _ = library.metrics.add("random", by_itself=True)
    assert changes == ChangeSet("Train metric: Kernel (v1)", frozenset({Kind.METRICS}))
    assert library.journal.undo_label() == "Tag 1 photo: sea"
    undone = library.journal.undo()
    assert undone.kinds == {Kind.TAGS, Kind.METRICS}
    assert library.tags.of(photos[:2]) == {photos[0]: ["beach"], photos[1]: []}
    assert [one.name for one in library.metrics.all()] == ["euclidean"]
    assert library.journal.redo() == undone
    assert library.tags.of(photos[1:2]) == {photos[1]: ["sea"]}
    assert library.metrics.current() == second
    assert len(library.metrics.all()) == 3
    assert library.database.check() == []


def test_automatic_actions_keep_redo(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:1], ["beach"])
    library.tags.change(photos[1:2], ["sea"])
    library.journal.undo()
    library.metrics.add("kernel", by_itself=True)
    assert library.journal.redo_label() == "Tag 1 photo: sea"
    assert library.journal.redo().kinds == {Kind.TAGS}
    library.journal.undo()
    assert library.metrics.current().name == "kernel-1"
    assert library.journal.undo().kinds == {Kind.TAGS, Kind.METRICS}
    assert library.metrics.current().name == "euclidean"


def test_an_automatic_action_without_a_previous_step_is_not_a_step(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:1], ["beach"])
    library.journal.undo()
    library.metrics.add("kernel", by_itself=True)
    assert library.journal.undo_label() is None
    assert not library.journal.undo()
    assert library.journal.redo_label() == "Tag 1 photo: beach"
    assert library.metrics.current().name == "kernel-1"


def test_an_automatic_action_inside_an_action_is_part_of_it(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:1], ["beach"])
    with library.journal.action("Outer"):
        library.metrics.add("kernel", by_itself=True)
    assert library.journal.undo().label == "Outer"
    assert library.journal.undo_label() == "Tag 1 photo: beach"
    assert library.metrics.current().name == "euclidean"


def test_a_step_reverted_automatically_is_no_longer_a_step(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:1], ["beach"])
    with library.journal.action("", by_itself=True) as action:
        action.put("photo_tag", {"photo_id": photos[0], "tag_id": 1}, None)
    assert library.journal.undo_label() is None


@pytest.mark.parametrize("changes", ["no JSON", '[["photo_tag"]]', "7"])
def test_a_damaged_entry_does_not_stop_automatic_actions(library: Library, photos: list[int], changes: str) -> None:
    library.tags.change(photos[:1], ["beach"])
    with library.database.transaction() as connection:
        connection.execute("UPDATE journal SET changes = ?", (changes,))
    metric, _ = library.metrics.add("kernel", by_itself=True)
    assert library.metrics.current() == metric
    assert library.database.rows("SELECT changes FROM journal") == [(changes,)]


def test_undo_of_training_keeps_its_suggestions(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:1], ["beach"])
    metric, _ = library.metrics.add("kernel")
    library.suggestions.replace_open(
        [Suggestion(photos[1], "beach", 0.5, SuggestionState.OPEN, (photos[0],))], metric.id
    )
    library.journal.undo()
    assert [one.tag for one in library.suggestions.of([photos[1]])[photos[1]]] == ["beach"]
    assert library.database.check() == []
    library.journal.redo()
    assert library.database.check() == []


def test_a_step_that_cannot_be_undone_is_refused_and_skipped(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:1], ["beach"])
    library.tags.change(photos[1:3], ["sea"])
    with library.database.transaction() as connection:  # as if another version had changed the tags
        connection.execute("DELETE FROM photo_tag WHERE photo_id = ?", (photos[2],))
        connection.execute(
            "UPDATE journal SET changes = replace(changes, '[\"photo_tag\",[', '[\"photo_tag\",[9') "
            "WHERE label LIKE '%sea%'"
        )
        connection.execute(
            "UPDATE journal SET changes = replace(changes, 'null,[', '[\"hand\",\"2026\"],[') WHERE label LIKE '%sea%'"
        )
    before = library.tags.of(photos)
    with pytest.raises(UndoError, match="Tag 2 photos: sea"):
        library.journal.undo()
    assert library.tags.of(photos) == before
    assert library.database.check() == []
    assert library.journal.undo_label() == "Tag 1 photo: beach"
    library.journal.undo()
    assert library.tags.of(photos[:1]) == {photos[0]: []}


@pytest.mark.parametrize("changes", ['[["gone",[1],null,["x"]]]', '[["photo_tag",[1,1],["hand"],null]]', "no JSON"])
def test_entries_that_this_version_cannot_read_are_refused(library: Library, photos: list[int], changes: str) -> None:
    library.tags.change(photos[:1], ["beach"])
    with library.database.transaction() as connection:
        connection.execute("UPDATE journal SET changes = ?", (changes,))
    with pytest.raises(UndoError):
        library.journal.undo()
    assert library.journal.undo_label() is None
    assert library.tags.of(photos[:1]) == {photos[0]: ["beach"]}


def test_put_refuses_tables_that_are_not_journaled_and_missing_columns(library: Library, photos: list[int]) -> None:
    with pytest.raises(KeyError), library.journal.action("x") as action:
        action.put("photo", {"id": 1}, None)
    with pytest.raises(KeyError), library.journal.action("x") as action:
        action.put("judgement", {"focal_id": 1, "other_id": 2}, {"verdict": "similar"})
    assert library.journal.undo_label() is None


def test_put_keeps_omitted_columns(library: Library, photos: list[int]) -> None:
    library.judgements.set(photos[0], [photos[1]], Verdict.SIMILAR)
    at = library.judgements.all()[0].at
    key = {"focal_id": photos[0], "other_id": photos[1]}
    with library.journal.action("Turn round") as action:
        action.put("judgement", key, {"verdict": "dissimilar"})
    (judgement,) = library.judgements.all()
    assert (judgement.verdict, judgement.at) == (Verdict.DISSIMILAR, at)


def test_old_entries_are_dropped(library: Library, photos: list[int]) -> None:
    library.tags.change(photos[:1], ["beach"])
    with library.database.transaction() as connection:
        connection.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'journal'", (MAX_ENTRIES + 5,))
    library.tags.change(photos[1:2], ["beach"])
    library.journal.undo()
    assert library.journal.undo_label() is None


def test_undo_inside_an_action_raises_an_error(library: Library, photos: list[int]) -> None:
    with library.journal.action("x"), pytest.raises(RuntimeError):
        library.journal.undo()


def test_an_action_that_reverts_its_changes_leaves_no_entry(library: Library, photos: list[int]) -> None:
    """The same holds if an existing row is deleted and inserted again."""
    library.tags.change(photos[:1], ["beach"])
    with library.journal.action("Here and back") as action:
        key = {"photo_id": photos[0], "tag_id": 1}
        ((source, at),) = library.database.rows("SELECT source, at FROM photo_tag")
        action.put("photo_tag", key, None)
        action.put("photo_tag", key, {"source": source, "at": at})
    assert not action.changes
    assert library.journal.undo_label() == "Tag 1 photo: beach"


def test_undo_stays_fast_after_many_steps(library: Library, photos: list[int]) -> None:
    """Cost in SQLite instructions: undone steps are not scanned."""

    def cost() -> int:
        count = 0

        def add() -> int:
            nonlocal count
            count += 1
            return 0

        with library.database.reading() as connection:
            connection.set_progress_handler(add, 1)
            connection.execute("SELECT id FROM journal WHERE undone = 0 ORDER BY id DESC LIMIT 1").fetchone()
            connection.set_progress_handler(None, 0)
        return count

    for number in range(300):
        library.tags.change(photos[:1], [str(number)])
    before = cost()
    for _ in range(250):
        library.journal.undo()
    assert cost() <= before + 5


def test_all_stored_steps_can_be_undone(library: Library, photos: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "MAX_ENTRIES", 3)
    for number in range(5):
        library.tags.change(photos[:1], [f"tag {number}"])
    undone = []
    while changes := library.journal.undo():
        undone.append(changes.label)
    assert undone == ["Tag 1 photo: tag 4", "Tag 1 photo: tag 3", "Tag 1 photo: tag 2"]
    assert library.tags.of(photos[:1]) == {photos[0]: ["tag 0", "tag 1"]}
