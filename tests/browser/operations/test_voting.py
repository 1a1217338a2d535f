"""Suggestions learned from a library's own tags: weights, evidence from looks, and votes against."""

from __future__ import annotations

import numpy as np
import pytest

from browser.catalog.library import Library
from browser.operations.index import index
from browser.operations.progress import finish
from browser.operations.rank import Ranker
from browser.operations.space import stores
from browser.operations.suggest import SuggestReport, reject, suggest, unreject
from browser.operations.tag import change_tags
from browser.operations.voters import voters_of
from browser.operations.voting import ENOUGH, Voting, learn_voting
from learners.annotation import TagPropagation
from learners.tag_prop import WeightedTagPropagation
from tests.browser.operations.album import Album

KINDS = ("warm", "cold", "green")
TAGGED = 20


def number(library: Library, album: Album, name: str) -> int:
    photo = library.photos.by_path(album.path(name))
    assert photo is not None
    return photo.id


def confidence(report: SuggestReport, photo_id: int, tag: str) -> float:
    return {one.tag: one.confidence for one in report.by_photo[photo_id]}.get(tag, 0.0)


def voting(library: Library, ranker: Ranker) -> Voting:
    gallery = ranker.gallery()
    voters = voters_of(library, gallery, library.suggestions.rejected_pairs())
    return finish(learn_voting(library, ranker, gallery, voters))


@pytest.fixture
def many(library: Library, album: Album) -> Library:
    """20 tagged photos of each kind, ``warm/0.jpg`` ..., and 5 more without tags."""
    for kind in KINDS:
        for i in range(TAGGED + 5):
            album.draw(f"{kind}/{i}.jpg", kind=kind, seed=i)
    finish(index(library, [album.folder]))
    for kind in KINDS:
        ids = [number(library, album, f"{kind}/{i}.jpg") for i in range(TAGGED)]
        change_tags(library, ids, [kind, "drawn"])
    return library


@pytest.fixture
def few(indexed: Library, album: Album) -> Library:
    """Photos 0..3 of two kinds are tagged with them; 4 and 5 are not."""
    for kind in ("warm", "cold"):
        change_tags(indexed, [number(indexed, album, f"{kind}/{i}.jpg") for i in range(4)], [kind])
    return indexed


def test_weights_and_evidence_are_learned_from_enough_photos_and_right(many: Library, album: Album) -> None:
    ranker = Ranker(many)
    learned = voting(many, ranker)
    assert len(KINDS) * TAGGED >= ENOUGH
    assert isinstance(learned.propagation, WeightedTagPropagation)
    assert learned.ridge is not None
    assert len(learned.taught) == len(KINDS) * TAGGED
    report = finish(suggest(many, ranker))
    assert report.photos == 5 * len(KINDS)
    for kind in KINDS:
        for i in range(TAGGED, TAGGED + 5):
            photo_id = number(many, album, f"{kind}/{i}.jpg")
            assert confidence(report, photo_id, kind) > 0.8
            assert all(confidence(report, photo_id, other) < 0.3 for other in KINDS if other != kind)


def test_of_a_photo_that_taught_it_the_others_speak(many: Library, album: Album) -> None:
    photo_id = number(many, album, "warm/0.jpg")
    change_tags(many, [photo_id], remove=["warm", "drawn"], add=["cold"])  # tagged wrongly
    ranker = Ranker(many)
    learned = voting(many, ranker)
    found = learned.evidence(many, ranker.gallery(), np.array([photo_id]))
    names = voters_of(many, ranker.gallery(), set()).names
    assert found is not None
    assert found[0, names.index("warm")] > found[0, names.index("cold")]
    assert confidence(finish(suggest(many, ranker, [photo_id])), photo_id, "warm") > 0.5


def test_nothing_is_learned_again_until_something_changes(many: Library, album: Album) -> None:
    ranker = Ranker(many)
    first = voting(many, ranker)
    assert voting(many, ranker) is first
    pair = (number(many, album, "warm/20.jpg"), "cold")
    reject(many, [pair])
    second = voting(many, ranker)
    assert second is not first
    unreject(many, [pair])
    change_tags(many, [number(many, album, "warm/21.jpg")], ["warm"])
    assert voting(many, ranker) is not second
    assert voting(many, Ranker(many)).propagation is not first.propagation


def test_a_tag_that_was_rejected_for_look_alikes_is_suggested_with_less_confidence(many: Library, album: Album) -> None:
    target = number(many, album, "warm/24.jpg")
    before = confidence(finish(suggest(many, Ranker(many), [target])), target, "warm")
    reject(many, [(number(many, album, f"warm/{i}.jpg"), "warm") for i in range(20, 24)])
    report = finish(suggest(many, Ranker(many), [target]))
    assert 0 < confidence(report, target, "warm") < before - 0.05
    rejecting = {number(many, album, f"warm/{i}.jpg") for i in range(20, 24)}
    assert not rejecting & {witness for one in report.by_photo[target] for witness in one.witnesses}


def test_of_a_few_tagged_photos_votes_are_plain_and_heed_rejections(few: Library, album: Album) -> None:
    assert isinstance(voting(few, Ranker(few)).propagation, TagPropagation)
    target = number(few, album, "warm/5.jpg")
    before = confidence(finish(suggest(few, Ranker(few), [target])), target, "warm")
    other = number(few, album, "warm/4.jpg")
    reject(few, [(other, "warm")])
    learned = voting(few, Ranker(few))
    assert isinstance(learned.propagation, TagPropagation)
    assert learned.ridge is None
    report = finish(suggest(few, Ranker(few)))
    assert 0 < confidence(report, target, "warm") < before - 0.02
    assert confidence(report, other, "warm") == 0
    cold = number(few, album, "cold/5.jpg")
    assert confidence(report, cold, "cold") > 0.6
    assert confidence(report, cold, "warm") < 0.3


def test_a_single_tagged_photo_and_a_rejection_are_enough(indexed: Library, album: Album) -> None:
    change_tags(indexed, [number(indexed, album, "warm/0.jpg")], ["alone"])
    reject(indexed, [(number(indexed, album, "cold/0.jpg"), "alone")])
    report = finish(suggest(indexed, Ranker(indexed)))
    warm = confidence(report, number(indexed, album, "warm/1.jpg"), "alone")
    assert warm > confidence(report, number(indexed, album, "cold/1.jpg"), "alone")


def test_rejections_of_tags_that_nobody_carries_have_no_say(few: Library, album: Album) -> None:
    photo_id = number(few, album, "warm/4.jpg")
    reject(few, [(photo_id, "elsewhere")])
    voters = voters_of(few, Ranker(few).gallery(), few.suggestions.rejected_pairs())
    assert photo_id not in voters.ids
    assert isinstance(voting(few, Ranker(few)).propagation, TagPropagation)


def test_cancelled_while_it_learns_nothing_is_kept(many: Library) -> None:
    ranker = Ranker(many)
    job = suggest(many, ranker)
    while next(job).stage != "Learning from your tags":
        pass
    job.close()
    assert not many.suggestions.open()
    assert finish(suggest(many, ranker)).photos == 5 * len(KINDS)


def test_a_read_only_library_learns_and_keeps_nothing(many: Library) -> None:
    with Library.open(many.path, read_only=True) as reader:
        assert finish(suggest(reader, Ranker(reader))).photos == 5 * len(KINDS)
    assert not many.suggestions.open()


def test_photos_edited_meanwhile_are_left_out_and_named(many: Library, album: Album) -> None:
    ranker = Ranker(many)
    job = suggest(many, ranker)
    while next(job).total != 5 * len(KINDS):
        pass
    gone = [number(many, album, f"warm/{i}.jpg") for i in (20, 21)]
    gallery = ranker.gallery()
    many.vectors.remove(gallery.loaded.key)
    for store in stores(many):
        store.forget(gone)
    report = finish(job)
    assert report.undescribed == gone
    assert report.photos == 5 * len(KINDS) - 2
