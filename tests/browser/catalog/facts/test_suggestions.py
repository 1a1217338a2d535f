# SPDX-License-Identifier: MIT
from __future__ import annotations

import pytest

from focal_photos.browser.catalog.facts.records import Suggestion, SuggestionState, TagSource
from focal_photos.browser.catalog.library import Library, UnknownPhotoError
from focal_photos.browser.catalog.store.changes import ChangeSet, Kind


@pytest.fixture
def suggested(library: Library, photos: list[int]) -> list[int]:
    """Tag photo a and suggest its tags for b and c."""
    library.tags.change(photos[:1], ["sea", "beach", "animal/dog", "animal"])
    library.suggestions.replace_open([open_one(photos, 1, "sea", 0.9), open_one(photos, 1, "beach", 0.4)], 1)
    library.suggestions.replace_open([open_one(photos, 2, "sea", 0.7)], 1)
    return photos


def open_one(photos: list[int], number: int, tag: str, confidence: float = 0.5) -> Suggestion:
    return Suggestion(photos[number], tag, confidence, SuggestionState.OPEN, (photos[0], photos[4]))


def tags_of(library: Library, photo: int, state: SuggestionState | None = SuggestionState.OPEN) -> list[str]:
    return [one.tag for one in library.suggestions.of([photo], state)[photo]]


def test_of_returns_the_surest_first_with_supporting_neighbours(library: Library, suggested: list[int]) -> None:
    found = library.suggestions.of([suggested[1], suggested[3]])
    assert found[suggested[1]] == [open_one(suggested, 1, "sea", 0.9), open_one(suggested, 1, "beach", 0.4)]
    assert found[suggested[3]] == []


def test_open_returns_the_surest_of_all_photos(library: Library, suggested: list[int]) -> None:
    found = [(one.photo_id, one.tag) for one in library.suggestions.open()]
    assert found == [(suggested[1], "sea"), (suggested[2], "sea"), (suggested[1], "beach")]
    assert library.suggestions.open(1) == [open_one(suggested, 1, "sea", 0.9)]
    library.suggestions.reject([(suggested[1], "sea")])
    assert len(library.suggestions.open()) == 2


def test_replacing_suggestions_is_not_a_step(library: Library, suggested: list[int]) -> None:
    changes = library.suggestions.replace_open([open_one(suggested, 1, "animal")], 1)
    assert changes == ChangeSet("", frozenset({Kind.SUGGESTIONS}), frozenset(suggested[1:2]))
    assert tags_of(library, suggested[1]) == ["animal"]
    assert tags_of(library, suggested[2]) == ["sea"]
    assert library.journal.undo_label() == "Tag 1 photo: sea, beach, animal/dog, animal"


def test_named_photos_without_new_suggestions_lose_the_old_ones(library: Library, suggested: list[int]) -> None:
    library.suggestions.replace_open([open_one(suggested, 1, "sea")], 1, photo_ids=suggested[1:3])
    assert tags_of(library, suggested[2]) == []
    assert not library.suggestions.replace_open([], 1)


def test_given_rejected_and_unknown_tags_are_never_suggested(library: Library, suggested: list[int]) -> None:
    library.suggestions.reject([(suggested[1], "beach")])
    library.suggestions.accept([(suggested[1], "sea")])
    library.tags.change(suggested[1:2], ["animal/dog"])
    new = [open_one(suggested, 1, tag) for tag in ("sea", "beach", "animal", "animal/dog", "nobody's")]
    library.suggestions.replace_open(new, 1)
    assert tags_of(library, suggested[1]) == []
    assert library.suggestions.rejected_pairs() == {(suggested[1], "beach")}
    assert library.tags.of(suggested[1:2]) == {suggested[1]: ["animal/dog", "sea"]}


def test_accept_gives_a_tag_and_undo_restores_the_suggestion(library: Library, suggested: list[int]) -> None:
    changes = library.suggestions.accept([(suggested[1], "sea"), (suggested[2], "sea")])
    assert changes.label == "Accept 2 suggestions: sea"
    assert changes.kinds == {Kind.TAGS, Kind.SUGGESTIONS}
    assert library.tags.of(suggested[1:3]) == {suggested[1]: ["sea"], suggested[2]: ["sea"]}
    sources = library.database.rows("SELECT DISTINCT source FROM photo_tag WHERE photo_id <> ?", (suggested[0],))
    assert sources == [(TagSource.ACCEPTED.value,)]
    assert library.suggestions.counts() == {
        SuggestionState.OPEN: 1,
        SuggestionState.ACCEPTED: 2,
        SuggestionState.REJECTED: 0,
    }
    library.journal.undo()
    assert tags_of(library, suggested[1]) == ["sea", "beach"]
    assert library.tags.of(suggested[1:2]) == {suggested[1]: []}


def test_suggestions_of_removed_folders_are_not_counted(library: Library, suggested: list[int]) -> None:
    library.suggestions.accept([(suggested[1], "sea")])
    library.suggestions.reject([(suggested[2], "sea")])
    before = library.suggestions.counts()
    assert min(before.values()) > 0
    (root,) = library.roots.all()
    library.roots.remove(root.id)
    assert set(library.suggestions.counts().values()) == {0}
    library.roots.add(root.path)
    assert library.suggestions.counts() == before


def test_an_open_suggestion_is_rejected_once(library: Library, suggested: list[int]) -> None:
    assert library.suggestions.reject([(suggested[1], "sea")]).label == "Reject 1 suggestion: sea"
    assert tags_of(library, suggested[1]) == ["beach"]
    assert tags_of(library, suggested[1], SuggestionState.REJECTED) == ["sea"]
    assert not library.suggestions.reject([(suggested[1], "sea")])


def test_rejecting_after_accepting_removes_the_tag(library: Library, suggested: list[int]) -> None:
    library.suggestions.accept([(suggested[1], "sea")])
    library.suggestions.reject([(suggested[1], "sea")])
    assert library.tags.of(suggested[1:2]) == {suggested[1]: []}
    assert library.suggestions.rejected_pairs() == {(suggested[1], "sea")}
    library.suggestions.accept([(suggested[1], "sea")])
    assert library.tags.of(suggested[1:2]) == {suggested[1]: ["sea"]}
    assert library.suggestions.rejected_pairs() == set()


def test_a_tag_given_by_hand_has_priority(library: Library, suggested: list[int]) -> None:
    assert not library.suggestions.reject([(suggested[0], "sea")])
    assert not library.suggestions.accept([(suggested[0], "sea")])
    assert library.tags.of(suggested[:1])[suggested[0]] == ["animal", "animal/dog", "beach", "sea"]


def test_an_unsuggested_tag_can_be_rejected(library: Library, photos: list[int]) -> None:
    library.suggestions.reject([(photos[0], "dog")])
    assert library.suggestions.rejected_pairs() == {(photos[0], "dog")}
    assert library.tags.all() == []
    library.journal.undo()
    assert library.suggestions.of(photos[:1], None) == {photos[0]: []}


def test_an_accepted_tag_may_be_suggested_again_once_removed(library: Library, suggested: list[int]) -> None:
    library.suggestions.accept([(suggested[1], "sea")])
    library.tags.change(suggested[1:2], remove=["sea"])
    library.suggestions.replace_open([open_one(suggested, 1, "sea")], 1)
    assert tags_of(library, suggested[1]) == ["sea"]


def test_unknown_photos_are_refused(library: Library, photos: list[int]) -> None:
    with pytest.raises(UnknownPhotoError):
        library.suggestions.accept([(99, "sea")])
    with pytest.raises(UnknownPhotoError):
        library.suggestions.replace_open([Suggestion(99, "sea", 0.5, SuggestionState.OPEN, ())], 1)
    assert not library.suggestions.accept([])
