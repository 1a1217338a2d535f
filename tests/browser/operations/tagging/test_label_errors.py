# SPDX-License-Identifier: MIT
"""Likely label errors in a real library: finding, correcting and confirming them."""

from __future__ import annotations

import pytest

from focal_photos.browser.catalog.facts.records import Verdict
from focal_photos.browser.catalog.library import Library
from focal_photos.browser.operations.jobs.progress import finish
from focal_photos.browser.operations.library.index import index
from focal_photos.browser.operations.ranking.ranker import Ranker
from focal_photos.browser.operations.tagging import label_errors
from focal_photos.browser.operations.tagging.label_errors import (
    LabelError,
    LabelErrorKind,
    correct,
    find_label_errors,
    keep,
)
from tests.browser.catalog.albums import id_of
from tests.browser.operations.album import Album

WARM, COLD = "sun", "ice"


@pytest.fixture
def tagged(library: Library, album: Album) -> Library:
    """60 tagged photos of two kinds; one photo of each kind has the tag of the other."""
    for kind in ("warm", "cold"):
        for place in range(30):
            album.draw(f"{kind}/{place:02}.jpg", kind=kind, seed=place)
    finish(index(library, [album.folder], backend="threads", workers=1))
    for kind, tag, other in (("warm", WARM, COLD), ("cold", COLD, WARM)):
        ids = library.photos.ids(f"path:{kind}").tolist()
        library.tags.change(ids[1:], [tag])
        library.tags.change(ids[:1], [other])
    return library


def found(library: Library) -> tuple[LabelError, ...]:
    return finish(find_label_errors(library, Ranker(library)))


def test_wrong_tags_are_listed_with_contradicting_photos(tagged: Library, album: Album) -> None:
    wrong = {id_of(tagged, album.path("warm/00.jpg")): COLD, id_of(tagged, album.path("cold/00.jpg")): WARM}
    listed = found(tagged)
    assert wrong.items() <= {one.photo_id: one.tag for one in listed}.items()
    assert len(listed) <= 3
    for one in listed:
        assert one.kind is LabelErrorKind.TAG
        assert 0.5 < one.probability <= 1
        assert one.instead == (WARM if one.tag == COLD else COLD)
        assert one.instead is not None
        assert 0 < len(one.supporters) <= 5
        tags = tagged.tags.of(one.supporters)
        assert all(one.instead in tags[supporter] for supporter in one.supporters)
    assert [one.probability for one in listed] == sorted((one.probability for one in listed), reverse=True)


def test_corrected_and_confirmed_errors_are_not_listed_again(tagged: Library) -> None:
    before = found(tagged)
    first, second = (one for one in before if tagged.photos.paths([one.photo_id])[0].name == "00.jpg")
    assert correct(tagged, first)
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
    """Warm and cold photos: six warm ones are each compared with sixteen others, all judged correctly."""
    for kind in ("warm", "cold"):
        for place in range(15):
            album.draw(f"{kind}/{place:02}.jpg", kind=kind, seed=place)
    finish(index(library, [album.folder], backend="threads", workers=1))
    warm, cold = (library.photos.ids(f"path:{kind}").tolist() for kind in ("warm", "cold"))
    for focal in warm[:6]:
        library.judgements.set(focal, warm[6:14], Verdict.SIMILAR)
        library.judgements.set(focal, cold[6:14], Verdict.DISSIMILAR)
    return warm, cold


def test_wrong_judgements_are_listed_and_reversed(library: Library, judged: tuple[list[int], list[int]]) -> None:
    warm, _ = judged
    focal, wrong = warm[0], warm[8]
    library.judgements.set(focal, [wrong], Verdict.DISSIMILAR)
    one, *_ = found(library)
    assert (one.kind, one.focal_id, one.photo_id) == (LabelErrorKind.JUDGEMENT, focal, wrong)
    assert one.verdict is Verdict.DISSIMILAR
    assert set(one.supporters) <= {*warm[6:8], *warm[9:14]}
    assert len(one.supporters) == 5
    keep(library, one)
    assert (focal, wrong) not in {(one.focal_id, one.photo_id) for one in found(library)}
    library.journal.undo()
    assert correct(library, one)
    assert library.judgements.of(focal)[wrong] is Verdict.SIMILAR
    assert found(library) == ()


def test_a_judgement_changed_after_its_confirmation_is_listed_again(
    library: Library, judged: tuple[list[int], list[int]]
) -> None:
    focal, other = judged[0][0], judged[0][8]
    library.confirmations.confirm_judgement(focal, other)
    library.judgements.set(focal, [other], Verdict.DISSIMILAR)
    assert [(one.focal_id, one.photo_id) for one in found(library)][:1] == [(focal, other)]


def test_confirmed_judgements_do_not_count_towards_the_limit(
    library: Library, judged: tuple[list[int], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    warm, _ = judged
    for focal, wrong in ((warm[0], warm[7]), (warm[3], warm[10])):
        library.judgements.set(focal, [wrong], Verdict.DISSIMILAR)
    first, second, *_ = found(library)
    monkeypatch.setattr(label_errors, "MAX_LISTED", 1)
    assert found(library) == (first,)
    keep(library, first)
    assert [one.photo_id for one in found(library)] == [second.photo_id]


def test_confirmed_tags_do_not_count_towards_the_limit(tagged: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, *_ = found(tagged)
    monkeypatch.setattr(label_errors, "MAX_LISTED", 1)
    assert found(tagged) == (first,)
    keep(tagged, first)
    assert [(one.photo_id, one.tag) for one in found(tagged)] == [(second.photo_id, second.tag)]


def test_only_the_last_judgements_of_a_focal_image_count(
    library: Library, judged: tuple[list[int], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    warm, _ = judged
    focal, wrong = warm[0], warm[12]
    library.judgements.set(focal, [wrong], Verdict.DISSIMILAR)
    monkeypatch.setattr(label_errors, "_JUDGED", 15)
    assert (found(library)[0].focal_id, found(library)[0].photo_id) == (focal, wrong)


def test_judgements_of_unreadable_photos_are_left_out(
    library: Library, album: Album, judged: tuple[list[int], list[int]]
) -> None:
    path = album.folder / "warm" / "zz.jpg"
    path.write_bytes(b"no photo")
    finish(index(library, backend="threads", workers=1))
    broken, focal = id_of(library, path), judged[0][0]
    for verdict in Verdict:
        library.judgements.set(focal, [broken], verdict)
        assert found(library) == ()
    library.judgements.set(broken, judged[1][:3], Verdict.SIMILAR)
    assert found(library) == ()


def test_nothing_is_listed_with_one_tag_or_none(indexed: Library) -> None:
    assert found(indexed) == ()
    indexed.tags.change(indexed.photos.ids(), ["all"])
    assert found(indexed) == ()


def test_five_judgements_are_never_listed(library: Library, album: Album) -> None:
    for kind in ("warm", "cold"):
        for place in range(8):
            album.draw(f"{kind}/{place:02}.jpg", kind=kind, seed=place)
    finish(index(library, [album.folder], backend="threads", workers=1))
    warm, cold = (library.photos.ids(f"path:{kind}").tolist() for kind in ("warm", "cold"))
    library.judgements.set(warm[0], [*warm[1:3], cold[0]], Verdict.SIMILAR)
    library.judgements.set(warm[0], [cold[1], warm[3]], Verdict.DISSIMILAR)
    assert found(library) == ()
