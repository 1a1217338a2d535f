# SPDX-License-Identifier: MIT
from __future__ import annotations

from dataclasses import replace

import pytest

from focal_photos.browser.catalog.facts.records import Suggestion, SuggestionState
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.catalog.store.changes import ChangeSet
from focal_photos.browser.operations.jobs.errors import NothingToLearnError
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging.suggest import SuggestReport, suggest
from focal_photos.browser.operations.tagging.supporters import with_supporters
from tests.browser.catalog.albums import id_of
from tests.browser.operations.album import Album


@pytest.fixture
def tagged(indexed: Library, album: Album) -> Library:
    """Photos 0..3 of each kind have a hierarchical tag of the kind; 4 and 5 have none."""
    for kind in ("warm", "cold"):
        ids = [id_of(indexed, album.path(f"{kind}/{i}.jpg")) for i in range(4)]
        indexed.tags.change(ids, [f"color/{kind}", "drawn"])
    return indexed


def run(library: Library, ids: list[int] | None = None, **options: object) -> SuggestReport:
    return finish(suggest(library, Ranker(library), ids, **options))  # type: ignore[arg-type]


def tags_of(report: SuggestReport, photo_id: int) -> list[str]:
    return [suggestion.tag for suggestion in report.by_photo[photo_id]]


def test_untagged_photos_get_the_tags_of_their_neighbours(tagged: Library, album: Album) -> None:
    report = run(tagged, per_photo=2)
    untagged = [id_of(tagged, album.path(f"{kind}/{i}.jpg")) for kind in ("cold", "warm") for i in (4, 5)]
    assert sorted(report.by_photo) == sorted(untagged)
    for photo_id in untagged:
        kind = tagged.photos.paths([photo_id])[0].parent.name
        assert set(tags_of(report, photo_id)) == {f"color/{kind}", "drawn"}
    assert (report.photos, report.suggestions, report.metric.name) == (4, 8, "euclidean")
    stored = tagged.suggestions.of(untagged)
    assert {i: [s.tag for s in stored[i]] for i in untagged} == {i: tags_of(report, i) for i in untagged}
    assert tagged.tags.of(untagged) == {i: [] for i in untagged}  # never written as tags


def test_each_suggestion_names_its_supporting_neighbours_nearest_first(tagged: Library, album: Album) -> None:
    photo_id = id_of(tagged, album.path("warm/4.jpg"))
    report = run(tagged, [photo_id])
    (best,) = [s for s in report.by_photo[photo_id] if s.tag == "color/warm"]
    assert 0 < best.confidence <= 1
    assert best.state is SuggestionState.OPEN
    tags = tagged.tags.of(best.supporters)
    assert len(best.supporters) == 4
    assert all("color/warm" in names for names in tags.values())
    order = Ranker(tagged).rank(photo_id).photo_ids.tolist()
    places = [order.index(supporter) for supporter in best.supporters]
    assert places == sorted(places)


def test_given_tags_their_ancestors_and_rejected_tags_are_never_suggested(tagged: Library, album: Album) -> None:
    photo_id = id_of(tagged, album.path("warm/4.jpg"))
    tagged.tags.change([id_of(tagged, album.path("warm/0.jpg"))], ["color"])
    tagged.tags.change([photo_id], ["color/warm/dark"])
    assert tags_of(run(tagged, [photo_id], per_photo=1), photo_id) == ["drawn"]
    tagged.suggestions.reject([(photo_id, "drawn")])
    assert "drawn" not in tags_of(run(tagged, [photo_id]), photo_id)
    tagged.journal.undo()
    assert "drawn" in tags_of(run(tagged, [photo_id]), photo_id)


def test_accepted_suggestions_become_tags_and_undo_removes_them(tagged: Library, album: Album) -> None:
    photo_id = id_of(tagged, album.path("cold/5.jpg"))
    run(tagged, [photo_id])
    tagged.suggestions.accept([(photo_id, "color/cold")])
    assert tagged.tags.of([photo_id])[photo_id] == ["color/cold"]
    tagged.journal.undo()
    assert tagged.tags.of([photo_id])[photo_id] == []
    assert "color/cold" in [s.tag for s in tagged.suggestions.of([photo_id])[photo_id]]


def test_a_new_run_replaces_only_open_suggestions(tagged: Library, album: Album) -> None:
    photo_id = id_of(tagged, album.path("warm/5.jpg"))
    run(tagged, [photo_id])
    tagged.suggestions.reject([(photo_id, "drawn")])
    run(tagged, [photo_id], per_photo=1)
    states = {s.tag: s.state for s in tagged.suggestions.of([photo_id], None)[photo_id]}
    assert states == {"color/warm": SuggestionState.OPEN, "drawn": SuggestionState.REJECTED}


def test_a_tagged_photo_does_not_support_its_own_suggestions(tagged: Library, album: Album) -> None:
    photo_id = id_of(tagged, album.path("warm/0.jpg"))
    tagged.tags.change([photo_id], remove=["drawn"])
    report = run(tagged, [photo_id])
    assert "drawn" in tags_of(report, photo_id)
    assert all(photo_id not in s.supporters for s in report.by_photo[photo_id])


def test_suggestions_below_the_minimum_confidence_are_dropped(tagged: Library) -> None:
    assert run(tagged, minimum_confidence=1.01).suggestions == 0


def test_broken_photos_are_left_out_and_reported(tagged: Library, album: Album) -> None:
    album.path("broken.jpg").write_bytes(b"broken")
    finish(index(tagged, backend="threads", workers=1))
    broken = id_of(tagged, album.path("broken.jpg"))
    report = run(tagged)
    assert report.undescribed == [broken]
    assert broken not in report.by_photo


def test_a_library_without_tagged_photos_reports_what_to_do(indexed: Library) -> None:
    with pytest.raises(NothingToLearnError, match="tag a few photos"):
        run(indexed)


def test_one_tagged_photo_is_enough(indexed: Library, album: Album) -> None:
    indexed.tags.change([id_of(indexed, album.path("warm/0.jpg"))], ["alone"])
    report = run(indexed, minimum_confidence=0.0)
    assert report.photos == 11
    assert {s.tag for many in report.by_photo.values() for s in many} == {"alone"}


def test_a_read_only_library_gives_suggestions_and_stores_none(tagged: Library) -> None:
    run(tagged)
    before = tagged.suggestions.counts()
    with Library.open(tagged.path, read_only=True) as reader:
        assert run(reader, per_photo=1).suggestions == 4
    assert tagged.suggestions.counts() == before


def test_cancelling_stores_only_complete_blocks(tagged: Library) -> None:
    job = suggest(tagged, Ranker(tagged))
    next(job)
    next(job)
    job.close()
    assert tagged.suggestions.counts()[SuggestionState.OPEN] == 0


def test_the_photos_in_view_come_first(tagged: Library, album: Album) -> None:
    in_view = [id_of(tagged, album.path("cold/5.jpg")), id_of(tagged, album.path("cold/0.jpg"))]  # one is tagged
    everything = run(tagged).by_photo
    tagged.suggestions.reject([(in_view[0], everything[in_view[0]][0].tag)])
    kept: list[tuple[frozenset[int], int]] = []

    def first_saved(changes: ChangeSet) -> None:
        kept.append((changes.photo_ids, len(tagged.suggestions.of([in_view[0]])[in_view[0]])))

    report = run(tagged, first=in_view, first_saved=first_saved)
    assert next(iter(report.by_photo)) == in_view[0]
    assert report.by_photo.keys() == everything.keys()
    assert report.changes.photo_ids == frozenset(everything), "photos in view and all others"
    assert len(kept) == 1, "the callback is called once, before the others"
    assert kept[0][1] == len(report.by_photo[in_view[0]])
    kept.clear()
    run(tagged, [in_view[0]], first=in_view, first_saved=first_saved)
    run(tagged, first=[-1], first_saved=first_saved)
    assert kept == [], "no callback if all photos are in view, or none"


def test_supporting_neighbours_can_be_found_later(tagged: Library, album: Album) -> None:
    everything = run(tagged).by_photo
    report = run(tagged, supporters=False)
    assert (report.photos, report.suggestions) == (4, sum(map(len, everything.values())))
    assert report.by_photo == {}, "the suggestions are stored in the library"
    assert report.changes.photo_ids == frozenset(everything)
    stored = tagged.suggestions.of(everything)
    assert {(one.photo_id, one.tag, one.confidence) for each in stored.values() for one in each} == {
        (one.photo_id, one.tag, one.confidence) for each in everything.values() for one in each
    }
    flat = [one for each in stored.values() for one in each]
    assert not any(one.supporters for one in flat)
    found = with_supporters(tagged, Ranker(tagged), flat)
    speaking = {(one.photo_id, one.tag): one.supporters for each in everything.values() for one in each}
    assert [one.supporters for one in found] == [speaking[one.photo_id, one.tag] for one in flat]
    assert [replace(one, supporters=()) for one in found] == flat
    # Stored supporting neighbours stay; unknown photos and tags have none.
    odd = [replace(found[0], supporters=(5,)), replace(flat[0], photo_id=10**6), replace(flat[0], tag="unknown")]
    assert with_supporters(tagged, Ranker(tagged), odd) == odd


def test_suggestions_without_tagged_photos_have_no_supporting_neighbours(indexed: Library) -> None:
    one = Suggestion(indexed.photos.ids()[0], "sea", 0.5, SuggestionState.OPEN, ())
    assert with_supporters(indexed, Ranker(indexed), [one]) == [one]


def test_undoing_a_rejection_reopens_a_suggestion_without_supporting_neighbours(tagged: Library) -> None:
    run(tagged, supporters=False)
    one = tagged.suggestions.open()[0]
    tagged.suggestions.reject([(one.photo_id, one.tag)])
    tagged.journal.undo()
    assert one in tagged.suggestions.open()


def test_a_photo_edited_in_the_meantime_waits_for_its_description(tagged: Library, album: Album) -> None:
    edited, other = (id_of(tagged, album.path(f"warm/{i}.jpg")) for i in (4, 5))
    job = suggest(tagged, Ranker(tagged), [edited, other])
    next(job)
    assert next(job).stage == "Learning from your tags"
    for key in tagged.vectors.keys():  # noqa: SIM118 - no mapping
        store = tagged.vectors.open(key)
        assert store is not None
        store.forget([edited])
    report = finish(job)
    assert report.undescribed == [edited]
    assert list(report.by_photo) == [other]
