"""Tags and judgements that disagree with everything else, found in a real library, put right or kept."""

from __future__ import annotations

import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging import contradictions
from focal_photos.browser.operations.tagging.contradictions import (
    LEAST,
    Contradiction,
    ContradictionKind,
    find_contradictions,
    fix,
    keep,
)
from tests.browser.operations.album import Album
from tests.browser.operations.ranking.test_ranker import number

WARM, COLD = "sun", "ice"


@pytest.fixture
def tagged(library: Library, album: Album) -> Library:
    """30 photos of two kinds, tagged; one of each kind carries the other's tag."""
    for kind in ("warm", "cold"):
        for place in range(15):
            album.draw(f"{kind}/{place:02}.jpg", kind=kind, seed=place)
    finish(index(library, [album.folder], backend="threads", workers=1))
    for kind, tag, other in (("warm", WARM, COLD), ("cold", COLD, WARM)):
        ids = library.photos.ids(f"path:{kind}").tolist()
        library.tags.change(ids[1:], [tag])
        library.tags.change(ids[:1], [other])
    return library


def found(library: Library) -> tuple[Contradiction, ...]:
    return finish(find_contradictions(library, Ranker(library)))


def test_wrong_tags_are_listed_with_what_speaks_against_them(tagged: Library, album: Album) -> None:
    wrong = {number(tagged, album.path("warm/00.jpg")): COLD, number(tagged, album.path("cold/00.jpg")): WARM}
    listed = found(tagged)
    assert {one.photo_id: one.tag for one in listed[:2]} == wrong
    for one in listed:
        assert one.kind is ContradictionKind.TAG
        assert LEAST < one.doubt <= 1
        assert one.instead == (WARM if one.tag == COLD else COLD)
        assert one.instead is not None
        assert 0 < len(one.witnesses) <= 5
        tags = tagged.tags.of(one.witnesses)
        assert all(one.instead in tags[witness] for witness in one.witnesses)
    assert [one.doubt for one in listed] == sorted((one.doubt for one in listed), reverse=True)


def test_put_right_or_kept_they_do_not_come_again(tagged: Library) -> None:
    first, second, *_ = before = found(tagged)
    assert fix(tagged, first)
    assert tagged.tags.of([first.photo_id])[first.photo_id] == [first.instead]
    now = {one.photo_id for one in found(tagged)}
    assert first.photo_id not in now
    assert second.photo_id in now
    assert keep(tagged, second)
    assert not {first.photo_id, second.photo_id} & {one.photo_id for one in found(tagged)}
    tagged.journal.undo()
    assert {one.photo_id for one in found(tagged)} == now
    tagged.journal.undo()
    assert found(tagged) == before


@pytest.fixture
def judged(library: Library, album: Album) -> tuple[list[int], list[int]]:
    """Warm and cold photos, four of the warm ones judged against ten others, all rightly."""
    for kind in ("warm", "cold"):
        for place in range(15):
            album.draw(f"{kind}/{place:02}.jpg", kind=kind, seed=place)
    finish(index(library, [album.folder], backend="threads", workers=1))
    warm, cold = (library.photos.ids(f"path:{kind}").tolist() for kind in ("warm", "cold"))
    for focal in warm[:4]:
        library.judgements.set(focal, warm[6:11], Verdict.SIMILAR)
        library.judgements.set(focal, cold[6:11], Verdict.DISSIMILAR)
    return warm, cold


def test_wrong_judgements_are_listed_and_turned_round(library: Library, judged: tuple[list[int], list[int]]) -> None:
    warm, _ = judged
    focal, wrong = warm[0], warm[8]
    library.judgements.set(focal, [wrong], Verdict.DISSIMILAR)
    one, *_ = found(library)
    assert (one.kind, one.focal_id, one.photo_id) == (ContradictionKind.JUDGEMENT, focal, wrong)
    assert one.verdict is Verdict.DISSIMILAR
    assert set(one.witnesses) == {warm[6], warm[7], warm[9], warm[10]}
    keep(library, one)
    assert (focal, wrong) not in {(one.focal_id, one.photo_id) for one in found(library)}
    library.journal.undo()
    assert fix(library, one)
    assert library.judgements.of(focal)[wrong] is Verdict.SIMILAR
    assert found(library) == ()


def test_a_judgement_that_was_confirmed_and_then_changed_is_in_doubt_again(
    library: Library, judged: tuple[list[int], list[int]]
) -> None:
    focal, other = judged[0][0], judged[0][8]
    library.confirmations.confirm_judgement(focal, other)
    library.judgements.set(focal, [other], Verdict.DISSIMILAR)
    assert [(one.focal_id, one.photo_id) for one in found(library)][:1] == [(focal, other)]


def test_confirmed_judgements_take_no_place_of_others(
    library: Library, judged: tuple[list[int], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    focal, wrong = judged[0][0], judged[0][7:9]
    library.judgements.set(focal, wrong, Verdict.DISSIMILAR)
    first, second, *_ = found(library)
    monkeypatch.setattr(contradictions, "MOST", 1)
    assert found(library) == (first,)
    keep(library, first)
    assert [one.photo_id for one in found(library)] == [second.photo_id]


def test_confirmed_tags_take_no_place_of_others(tagged: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, *_ = found(tagged)
    monkeypatch.setattr(contradictions, "MOST", 1)
    assert found(tagged) == (first,)
    keep(tagged, first)
    assert [(one.photo_id, one.tag) for one in found(tagged)] == [(second.photo_id, second.tag)]


def test_the_last_judgements_of_a_focal_image_are_heard(
    library: Library, judged: tuple[list[int], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    warm, _ = judged
    focal, wrong = warm[0], warm[12]
    library.judgements.set(focal, [wrong], Verdict.DISSIMILAR)
    monkeypatch.setattr(contradictions, "_JUDGED", 10)
    assert (found(library)[0].focal_id, found(library)[0].photo_id) == (focal, wrong)


def test_judgements_of_photos_that_cannot_be_read_are_left_out(
    library: Library, album: Album, judged: tuple[list[int], list[int]]
) -> None:
    path = album.folder / "warm" / "zz.jpg"
    path.write_bytes(b"no photo")
    finish(index(library, backend="threads", workers=1))
    broken, focal = number(library, path), judged[0][0]
    for verdict in Verdict:
        library.judgements.set(focal, [broken], verdict)
        assert found(library) == ()
    library.judgements.set(broken, judged[1][:3], Verdict.SIMILAR)
    assert found(library) == ()


def test_where_nothing_or_all_the_same_was_taught_nothing_is_listed(indexed: Library) -> None:
    assert found(indexed) == ()
    indexed.tags.change(indexed.photos.ids(), ["all"])
    assert found(indexed) == ()
